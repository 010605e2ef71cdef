"""Ties: the war and the surrender, and every side wager, at the table of each book, where the first cards all tie."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import MAIN, NewPerson, Person

SIDES = {
    "nz": ("Tie",),
    "wa": ("Tie", "A Bomb", "Perfect Pairs"),
    "ctg": ("Tie",),
    "ca": ("Tie",),
    "ma": ("Tie", "Casino War Progressive"),
}
BOX = 2


def leave_the_bank_to_others(person: Person) -> None:
    """The house's own players take the bank, which passes a newcomer by, and then bets are open."""

    def is_taken() -> bool:
        view = person.view("stacked-ties-ca")["view"]
        return view["bank"] is not None and view["phase"] == "betting"

    person.until(is_taken)


def wage(person: Person, book: str, *sides: str) -> None:
    if book == "ca":
        leave_the_bank_to_others(person)
    for label in (MAIN[book], *sides):
        person.bet(label, BOX)
    person.ready()
    person.see_caller(re.compile("^Nine against nine$"))


@pytest.mark.parametrize("book", MAIN)
def test_a_tie_is_surrendered_for_half_or_taken_to_war(book: str, new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(f"stacked-ties-{book}", BOX)
    wage(ann, book)
    surrender = ann.button(re.compile("^Surrender"))
    expect(surrender).to_have_accessible_name(re.compile(r"2\.50 comes back"))
    surrender.click()
    ann.see_text(re.compile("surrendered, 2.50 back"))

    wage(ann, book, *SIDES[book])
    war = ann.button(re.compile("^Go to war"))
    expect(war.last).to_have_accessible_name(re.compile("place 5 more"))
    war.last.click()
    ann.see_text(re.compile(rf"this round, {2 + len(SIDES[book])} wagers"), 40_000)
    expect(ann.spot("Tie", BOX)).to_have_accessible_name(re.compile(r"\+50"))
    ann.page.keyboard.press("l")
    rulings = ann.see(ann.page.get_by_role("dialog"))
    for label in (MAIN[book], *SIDES[book]):
        expect(rulings).to_contain_text(label)


def test_what_can_be_bet_on_the_second_card_fits_its_place_in_a_low_window(new_person: NewPerson) -> None:
    """A laptop's window at 200 %: the sentence once lay over what is on the layout and over the chips."""
    ann = new_person(size=(683, 312))
    ann.seated("stacked-ties-low-ma", 3)
    ann.bet("Initial", 3)
    ann.ready()
    ann.button(re.compile("^Go to war")).click()
    act = ann.see(ann.page.get_by_text("Tie on the second card", exact=True)).locator("..")
    laid = ann.page.get_by_text("10 on the layout").bounding_box()
    chip = ann.page.get_by_role("radio").first.bounding_box()
    place = act.bounding_box()
    assert laid is not None
    assert chip is not None
    assert place is not None
    assert laid["y"] + laid["height"] <= place["y"] + 1
    assert place["y"] + place["height"] <= chip["y"] + 1
