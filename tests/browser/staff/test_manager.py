"""The manager on the page: what only a manager may is offered to one, and every role is called as the book calls it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opened, table
from tests.browser.floor import apply, beside, done, managed
from tests.browser.people import NewPerson


@pytest.mark.clause("WA-2.3b")
def test_other_decks_take_the_table_games_manager(opened: Opened, new_person: NewPerson) -> None:
    """The Table Inspector sees whose it is, and by which clause; the manager does it."""
    live, _ = opened(table("stacked-wa", "wa", options={"wager.perfect_pairs": False}))
    sue = new_person(live).known(live.staff("sue", "supervisor")).go("/pit")
    form = managed(sue, "stacked-wa", "Announce decks")
    expect(form).to_contain_text("Acting as Table Inspector")
    form.get_by_label("Decks").fill("8")
    expect(form).to_contain_text("Not possible")
    expect(form).to_contain_text("this takes the Table Games Manager")
    expect(form.get_by_role("button", name=re.compile("^Clause WA-2.3b")).first).to_be_visible()

    mia = new_person(live).known(live.staff("mia", "manager")).go("/pit")
    form = managed(mia, "stacked-wa", "Announce decks")
    expect(form).to_contain_text("Acting as Table Games Manager")
    form.get_by_label("Decks").fill("8")
    expect(form).not_to_contain_text("Not possible")
    apply(form)
    done(mia)
    mia.page.keyboard.press("Escape")
    expect(beside(mia, "Notices on display")).to_contain_text("8 decks")
    announced = live.call(lambda: live.server.house.tables["stacked-wa"].table.floor.decks_notice)
    assert announced is not None
    assert announced[0] == 8


@pytest.mark.clause("WA-4.4-ii", "WA-1.1-TI")
def test_the_console_of_a_manager_has_what_is_the_inspectors(opened: Opened, new_person: NewPerson) -> None:
    """A higher role may do what a lower one may: the last cut of Crown Perth, which is the Table Inspector's."""
    live, _ = opened(table("by-hand", "wa", dealer="real"))
    dora = live.staff("dora", "dealer")
    assert dora.command("by-hand", {"do": "next"}, **{"as": "dealer"}).status == 200
    mia = new_person(live).known(live.staff("mia", "manager")).go("/dealer/by-hand")
    now = mia.page.get_by_role("listitem").filter(has_text="waits for the Table Inspector")
    expect(now).to_be_visible()
    mia.button("Do it as Table Inspector").click()
    form = mia.page.get_by_role("form", name="Cut the cards")
    expect(form).to_contain_text("Acting as Table Games Manager")
    apply(form)
    mia.until(lambda: live.call(lambda: live.server.house.tables["by-hand"].table.cut_made))
