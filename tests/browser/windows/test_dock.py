"""The dock in every window: what is played again, for whom there is money, what is refused, and what passes one by."""

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from casinowar.engine.commands import Limit
from casinowar.house.settings import HouseSettings
from tests.browser.conftest import UNHURRIED, table
from tests.browser.people import NewPerson, Person
from tests.browser.sizes import FINE, each_size, is_seen
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

POOR = "laid-x2cKd2dKs2hKc.nz"
"""A burned card, then three rounds that box 3 loses."""

HELD, LOW, CUT, ALSO, BANKED, ALONE = "stacked-ma", "stacked-low-ma", "cut", "also", "stacked-ca", "stacked-open-ca"
ASKED = "stacked-asked-ca"
TIED, TIMED = "stacked-ties-nz", "stacked-ties-timed"
PURSE = 2_000
PATIENT = replace(UNHURRIED, cut=600, entropy=3)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (
        table(POOR),
        table(TIED),
        table(TIMED, timers=replace(UNHURRIED, betting=600)),
        table(HELD, "ma"),
        table(LOW, "ma", limit=Limit(minimum=500, maximum=1000, unit=500)),
        table(CUT, timers=PATIENT),
        table(ALSO, timers=PATIENT),
        table(BANKED, "ca"),
        table(ALONE, "ca", bots=()),
        table(ASKED, "ca"),
    )
    settings = HouseSettings(tables=tables, guest_purse=PURSE)
    with running(tmp_path_factory.mktemp("dock"), settings) as live:
        yield live


def chip(person: Person, value: str) -> Locator:
    return person.page.get_by_role("radio", name=f"Chip {value}", exact=True)


def same_again(person: Person) -> Locator:
    return person.button(re.compile("^Same again"))


def told(person: Person) -> Locator:
    return person.page.get_by_role("region", name="Rulings of this round")


def test_same_again_names_its_wagers_and_falls_to_what_can_be_paid(new_person: NewPerson) -> None:
    """Of 20, first 10 and 5 are lost: then 5 are left for 15, and the side wager goes first. Then nothing is left."""
    ann = new_person()
    ann.seated(POOR, 3)
    for value, can_pay in (("5", True), ("25", False), ("100", False)):
        expect(chip(ann, value)).to_have_attribute("aria-disabled", str(not can_pay).lower())
    ann.page.keyboard.press("2")
    expect(chip(ann, "5")).to_be_checked()
    ann.bet("Casino War", 3, "5")
    ann.bet("Casino War", 3, "10")
    ann.bet("Tie", 3, "5")
    ann.ready()
    again = ann.see(same_again(ann))
    for size in each_size(ann, "again"):
        expect(again).to_have_accessible_name(
            re.compile(r"Casino\sWar\s5: all that can be placed|only Casino\sWar\s5$")
        )
        assert is_seen(again, size), size
    again.click()
    ann.until(lambda: len(ann.view(POOR)["rounds"]) == 2)
    wagers = [(wager, amount) for _, wager, _, amount, *_ in ann.view(POOR)["rounds"][-1]["wagers"]]
    assert wagers == [("initial", 500)]
    ann.see(ann.button(re.compile("^Fill the purse")))
    expect(same_again(ann)).to_have_count(0)
    expect(chip(ann, "5")).to_have_attribute("aria-disabled", "true")


@pytest.mark.long
def test_the_choice_and_same_again_are_seen_in_windows_of_every_size(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(TIED, 3)
    ann.bet("Casino War", 3)
    ann.ready()
    acts = [ann.see(ann.button(re.compile(f"^{name}"))) for name in ("Go to war", "Surrender")]
    hidden = [size for size in each_size(ann, "choice", FINE) if not all(is_seen(act, size) for act in acts)]
    acts[1].click()
    again = ann.see(same_again(ann))
    hidden += [size for size in each_size(ann, "again", FINE) if not is_seen(again, size)]
    assert hidden == []


def test_chips_in_hand_never_exceed_the_balance_and_that_is_seen_at_the_dock_and_heard(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(HELD, 3)
    spot = ann.spot("Initial", 3)
    for amount in (5, 10, 15, 20):
        spot.click()
        expect(spot).to_have_accessible_name(re.compile(rf"\b{amount} in hand"))
    spot.click()
    expect(ann.page.get_by_role("alert").filter(has_text="Not taken")).to_contain_text("You have 20")
    dock = ann.page.get_by_role("region", name="What you can do")
    for size in each_size(ann, "refused"):
        spot.click()
        at_dock = dock.get_by_text("Not taken: You have 20.")
        assert is_seen(at_dock, size), size
    expect(spot).to_have_accessible_name(re.compile(r"\b20 in hand"))
    ann.button(re.compile("^Ready")).click()
    ann.until(lambda: len(ann.view(HELD)["rounds"]) == 1)


def test_chips_in_hand_never_exceed_the_limit_and_that_is_seen_at_the_dock_and_heard(new_person: NewPerson) -> None:
    """There are 20 to bet with: it is the limit of 10 that ends it."""
    ann = new_person()
    ann.seated(LOW, 3)
    spot = ann.spot("Initial", 3)
    for amount in (5, 10):
        spot.click()
        expect(spot).to_have_accessible_name(re.compile(rf"\b{amount} in hand"))
    spot.click()
    expect(ann.page.get_by_role("alert").filter(has_text="Not taken")).to_contain_text("At most 10 on Initial")
    dock = ann.page.get_by_role("region", name="What you can do")
    for size in each_size(ann, "above-limit"):
        spot.click()
        assert is_seen(dock.get_by_text("Not taken: At most 10 on Initial."), size), size
        expect(spot).to_have_accessible_name(re.compile(r"\b10 in hand"))
    ann.button(re.compile("^Ready")).click()
    ann.until(lambda: len(ann.view(LOW)["rounds"]) == 1)
    assert [amount for _, _, _, amount, *_ in ann.view(LOW)["rounds"][-1]["wagers"]] == [1000]


DRAWN = """(dock) => {
  const bar = dock.querySelector('.time div')
  return bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width
}"""


def test_a_timer_starts_full_whatever_was_waited_for_before(new_person: NewPerson) -> None:
    """600 s to bet, then 120 to choose: of the time before, a fifth would be left."""
    ann = new_person()
    ann.seated(TIMED, 3)
    dock = ann.page.get_by_role("region", name="What you can do")
    for size in each_size(ann, "timer"):
        ann.bet("Casino War", 3)
        expect(dock.get_by_role("timer")).to_contain_text(re.compile(r"^(600|5[7-9]\d)\b"))
        ann.until(lambda: dock.evaluate(DRAWN) >= 0.95, 3_000)
        ann.ready()
        surrender = ann.see(ann.button(re.compile("^Surrender")))
        expect(dock.get_by_role("timer")).to_contain_text(re.compile(r"^1[12]\d\b"))
        ann.until(lambda: dock.evaluate(DRAWN) >= 0.95, 3_000)
        assert is_seen(dock.get_by_role("timer"), size), size
        surrender.click()
        ann.see(same_again(ann))


def test_a_newcomers_cut_is_passed_on_with_a_sentence_and_offered_to_whoever_asks(new_person: NewPerson) -> None:
    ann = new_person()
    ann.guest()
    ann.go(f"/table/{CUT}")
    ann.button(re.compile("^Box 4 is free")).click()
    ann.see(told(ann).get_by_text(re.compile("passed on for you")))
    ann.see_caller(re.compile("passed on for you"))
    for _ in each_size(ann, "cut-passed"):
        expect(told(ann)).to_contain_text("passed on for you")
    expect(ann.button(re.compile(r"^Bet\b"))).to_be_enabled()
    expect(ann.button("Pass the cut")).to_have_count(0)

    ann.button("Menu").click()
    ann.page.get_by_label("Offer me the cut of the cards").check()
    ann.go(f"/table/{ALSO}")
    ann.button(re.compile("^Box 4 is free")).click()
    cut = ann.see(ann.page.get_by_role("group", name="Cut the cards"))
    for size in each_size(ann, "cut"):
        assert is_seen(cut.get_by_role("button", name="Pass the cut"), size), size
    cut.get_by_role("button", name="Cut", exact=True).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))


WHOLE = """(strip) => {
  const words = document.createRange()
  words.selectNodeContents(strip.querySelector('.says, .lines'))
  return words.getBoundingClientRect().bottom <= strip.getBoundingClientRect().bottom + 1
}"""
"""Whether no line of the strip is cut off."""


def test_the_bank_passes_a_newcomer_by_and_says_what_it_is(new_person: NewPerson) -> None:
    """Two bots are there to bank: nobody waits until the newcomer has read what a bank is."""
    ann = new_person()
    ann.guest()
    ann.go(f"/table/{BANKED}")
    ann.button(re.compile("^Box 4 is free")).click()
    expect(ann.button(re.compile(r"^Bet\b"))).to_be_enabled()
    terms = re.compile("pays winners as far as it covers, keeps lost bets, at worst loses its stake")
    expect(told(ann)).to_contain_text(terms)
    for size in each_size(ann, "bank-passed"):
        ann.until(lambda: told(ann).evaluate(WHOLE), 3_000)
        expect(told(ann)).to_contain_text(terms)
        assert is_seen(ann.button(re.compile("^Take the bank")), size), size
    ann.button(re.compile("^Take the bank")).click()
    expect(ann.button(re.compile("^Take the bank"))).to_have_count(0)
    ann.button("Menu").click()
    expect(ann.page.get_by_label("Offer me the bank")).to_be_checked()


def test_the_bank_can_be_asked_for_after_a_round(new_person: NewPerson) -> None:
    """In the menu, without scrolling: the dock has no place for it then."""
    ann = new_person()
    ann.seated(ASKED, 4)
    ann.bet("Primary", 4)
    ann.ready()
    ann.see(same_again(ann))
    wish = ann.page.get_by_label("Offer me the bank")
    for size in each_size(ann, "bank-asked"):
        ann.button("Menu").click()
        assert is_seen(ann.see(wish), size), size
        ann.page.keyboard.press("Escape")


def test_a_bank_that_nobody_takes_stays_on_offer_with_its_terms(new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    for person, box in ((ann, 3), (ben, 5)):
        person.guest()
        person.go(f"/table/{ALONE}")
        person.button(re.compile(f"^Box {box} is free")).click()
    bank = ann.see(ann.page.get_by_role("group", name="Take the bank"))
    expect(bank).to_contain_text(re.compile("pays wins it covers, at worst lost"))
    for size in each_size(ann, "bank"):
        assert is_seen(bank.get_by_role("button", name="Take the bank"), size), size
    bank.get_by_label("Stake").fill("10")
    bank.get_by_role("button", name="Take the bank").click()
    ann.see(ann.button("Give up the bank"))
    expect(ben.button(re.compile(r"^Bet\b"))).to_be_enabled()
