"""A void that waits, as people see it; whose role may; what a book does not know is not offered."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opened, table
from tests.browser.floor import beside, managed
from tests.browser.people import NewPerson
from tests.browser.players import Player
from tests.browser.sizes import each_size

VOID = {"do": "void_round", "reason": "seen"}


def test_who_plays_is_told_that_a_void_waits_and_the_floor_who_asked_in_vain(
    opened: Opened, new_person: NewPerson
) -> None:
    live, clocks = opened(table("stacked-ties-void"))
    ann = Player(live, "stacked-ties-void")
    ann.bet()
    ann.deal()
    watcher = new_person(live, size=(1366, 625))
    watcher.guest()
    watcher.go("/table/stacked-ties-void")
    floor = new_person(live).known(live.staff("sam", "supervisor")).go("/pit")
    sue = live.staff("sue", "supervisor")
    asked = sue.command("stacked-ties-void", VOID, **{"as": "supervisor", "reason": "a card was seen"})
    assert asked.json["code"] == "second_signature_due"
    watcher.see_text(re.compile("A void of round 1 waits for its second signature: no bets for 10 more minutes"))
    expect(beside(floor, "Waiting for you")).to_contain_text("Lapses in 10 min.")
    clocks.forward(live, 10)
    expect(beside(floor, "Waiting for you")).to_contain_text("Nothing waits.")
    expect(beside(floor, "Voids asked for that nobody signed")).to_contain_text(
        re.compile(r"sue\s*stacked-ties-void\s*1")
    )
    expect(watcher.page.get_by_text("A void of round 1 waits")).to_have_count(0)
    again = sue.command("stacked-ties-void", VOID, **{"as": "supervisor", "reason": "once more"})
    assert again.json["code"] == "void_answered"


def test_who_has_two_roles_is_offered_the_one_that_may(opened: Opened, new_person: NewPerson) -> None:
    """At Crown Perth a void is the operator's; una is supervisor too, which stands first."""
    live, _ = opened(table("stacked-ties-wa", "wa"))
    ann = Player(live, "stacked-ties-wa")
    ann.bet()
    ann.deal()
    una = new_person(live).known(live.staff("una", "supervisor", "operator")).go("/pit")
    form = managed(una, "stacked-ties-wa", "Void the round")
    for _ in each_size(una, "void-roles"):
        expect(form.get_by_label("Acting as")).to_be_visible()
        expect(form.get_by_label("Acting as")).to_have_value("operator")
        expect(form).to_contain_text("It takes a second person’s signature")
        expect(form).to_contain_text(re.compile(r"Money moved.*\+5.*layout −5"))
        moved = form.get_by_text(re.compile(r"\+5.*layout −5"))
        moved.scroll_into_view_if_needed()
        expect(moved).to_be_in_viewport()


def test_what_the_book_does_not_know_is_not_offered(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"), table("stacked-wa", "wa"))
    sue = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    for name, is_there in (("stacked-nz", 0), ("stacked-wa", 1)):
        sue.button(name, exact=True).click()
        dialog = sue.page.get_by_role("dialog", name=name)
        for _ in each_size(sue, f"offered-{name}"):
            expect(dialog.get_by_role("button", name="Void the round")).to_be_visible()
            expect(dialog.get_by_role("button", name="Exclude a player")).to_have_count(is_there)
            expect(dialog.get_by_role("button", name="Announce decks")).to_have_count(is_there)
        sue.page.keyboard.press("Escape")
