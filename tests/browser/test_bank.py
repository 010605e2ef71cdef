"""Where players bank: the bank is taken, pays as far as it covers, and passes on."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opened, table
from tests.browser.people import NewPerson, Person

TABLE = "laid-xKc2dQh3s.ca"
"""A burned card, then box 3 and the bank: a king against a two, a queen against a three."""


def stake_ten(banker: Person) -> None:
    banker.page.get_by_role("group", name="Take the bank").get_by_label("Stake").fill("10")
    banker.button("Take the bank").click()
    banker.see(banker.button("Give up the bank"))


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
    anns, bens = ann.seated(TABLE, 1), ben.seated(TABLE, 3)

    stake_ten(ann)
    ben.see_text(f"Bank: {anns}, box 1")
    see_sign(ben, "covers 10", "0 in use")
    ben.bet("Primary", 3)
    for one in (ann, ben):
        see_sign(one, "covers 10", "5 in use", "1 of 2")
    deal(ann, ben)
    expect(ben.spot("Primary", 3)).to_have_accessible_name(re.compile(r", 5 down, \+5$"))
    ann.see_text("Your bank came to −5.")

    # Twenty-five win against a bank of ten: ten are paid.
    stake_ten(ann)
    ben.page.get_by_role("radio", name="Chip 25", exact=True).click()
    ben.bet("Primary", 3, "25")
    for one in (ann, ben):
        see_sign(one, "covers 10", "10 in use", "2 of 2")
    deal(ann, ben)
    expect(ben.spot("Primary", 3)).to_have_accessible_name(re.compile(r", 25 down, \+10$"))
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
