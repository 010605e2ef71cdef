"""Where players bank: the bank is taken, pays as far as it covers, and passes on."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opened, table
from tests.browser.people import NewPerson, Person
from tests.browser.sizes import each_size, is_seen

TABLE = "laid-xKc2dQh3s.ca"
"""A burned card, then box 3 and the bank: a king against a two, a queen against a three."""

RING = """(field) => {
  const { outlineWidth, outlineOffset } = getComputedStyle(field)
  const top = field.getBoundingClientRect().top - parseFloat(outlineWidth) - parseFloat(outlineOffset)
  return field.parentElement.querySelector('span').getBoundingClientRect().bottom - top
}"""
"""How far the ring of the focus goes over the line above the field."""


def stake_ten(banker: Person) -> None:
    """The field begins with the least stake, and less than that cannot be sent."""
    stake = banker.page.get_by_role("group", name="Take the bank").get_by_label("Stake from 5")
    expect(stake).to_have_value("5")
    stake.fill("4")
    expect(banker.button("Take the bank")).to_be_disabled()
    banker.see_text("The stake is 5 at least")
    over = stake.evaluate(RING)
    assert over <= 0, f"the ring of the field covers {over} of the line above it"
    stake.fill("abc")
    banker.see_text(re.compile("^That is no amount: 5 to [0-9]"))
    stake.fill("10")
    banker.button("Take the bank").click()
    banker.see(banker.button("Give up the bank"))
    dock = banker.page.get_by_role("region", name="What you can do")
    expect(dock).to_contain_text("10 in the bank")
    banker.see_caller("You have the bank")
    banker.see_text("You have the bank with 10. The others bet.")


def see_sign(person: Person, *lines: str) -> None:
    for line in lines:
        person.see(person.page.get_by_text(line, exact=True))


def deal(banker: Person, bettor: Person) -> None:
    bettor.ready()
    banker.ready()


def test_a_persons_bank_pays_as_far_as_it_covers_and_passes_on_after_its_rounds(
    opened: Opened, new_person: NewPerson
) -> None:
    live, _ = opened(table(TABLE, "ca", bots=()))
    ann, ben = new_person(live), new_person(live)
    anns, bens = ann.seated(TABLE, 1, "bank"), ben.seated(TABLE, 3, "bank")

    stake_ten(ann)
    ben.see_text(f"Bank: {anns}, box 1")
    see_sign(ben, "covers 10", "0 in use")
    ben.bet("Primary", 3)
    for one in (ann, ben):
        see_sign(one, "covers 10", "5 in use", "1 of 2")
    deal(ann, ben)
    expect(ben.spot("Primary", 3)).to_have_accessible_name(re.compile(r", 5 down, \+5$"))
    ann.see_text("Your bank came to −5.")
    strip = ann.page.get_by_role("region", name="Rulings of this round")
    for size in each_size(ann, "bank-came"):
        assert is_seen(ann.see(strip.get_by_text("Your bank came to −5.")), size), size
        assert is_seen(ann.button("Take the bank"), size), size
        expect(strip.locator(".whole, .why")).not_to_contain_text("CA-RP")

    # Twenty-five win against a bank of ten: ten are in play and paid, and the rest goes back.
    stake_ten(ann)
    ben.page.get_by_role("radio", name="Chip 25", exact=True).click()
    ben.bet("Primary", 3, "25")
    for one in (ann, ben):
        see_sign(one, "covers 10", "10 in use", "2 of 2")
    deal(ann, ben)
    expect(ben.spot("Primary", 3)).to_have_accessible_name(re.compile(r", 10 down, \+10$"))
    ben.see_text(re.compile("Primary paid 1 to 1, 15 not covered goes back"))
    ann.see_text("Your bank came to −10.")
    for one, balance in ((ann, "985"), (ben, "1,015")):
        expect(one.page.get_by_role("region", name="What you can do")).to_contain_text(
            re.compile(rf"Balance\s*{balance}\b")
        )

    # Two rounds are all that one may bank in a row.
    ann.see_text(f"it is offered to {bens}")
    expect(ann.button("Take the bank")).to_have_count(0)
    stake_ten(ben)
    ann.see_text(f"Bank: {bens}, box 3")
    ben.button("Give up the bank").click()
    ben.see(ben.button("Take the bank"))
    expect(ann.page.get_by_text(f"Bank: {bens}, box 3")).to_have_count(0)


def test_a_tied_player_chooses_on_the_part_that_the_bank_covers(opened: Opened, new_person: NewPerson) -> None:
    """Twenty-five tie against a bank of ten: fifteen go back before the choice, and half of ten is given up. Then they
    lose: ten are taken and fifteen go back."""
    tied = "laid-x9h9d3s8c.ca"
    live, _ = opened(table(tied, "ca", bots=()))
    ann, ben = new_person(live), new_person(live)
    ann.seated(tied, 1, "bank")
    ben.seated(tied, 3, "bank")
    stake_ten(ann)
    ben.page.get_by_role("radio", name="Chip 25", exact=True).click()
    ben.bet("Primary", 3, "25")
    deal(ann, ben)
    ben.see_text(re.compile("Primary plays for 10, 15 goes back"))
    expect(ben.spot("Primary", 3)).to_have_accessible_name(re.compile(r", 10 down"))
    ben.button(re.compile("^Surrender")).click()
    ann.see_text("Your bank came to +5.")
    stake_ten(ann)
    # The whole bet is offered again.
    ben.button(re.compile("^Same again")).click()
    expect(ben.spot("Primary", 3)).to_have_accessible_name(re.compile(r", 25 down"))
    ann.ready()
    ben.see_text(re.compile("Primary lost, 15 not covered goes back"))
    ann.see_text("Your bank came to +10.")
