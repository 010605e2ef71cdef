"""The pit: tables opened with what their book lets one choose, closed, and opened again."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opened, table
from tests.browser.floor import WHY, apply, beside, card, done, managed
from tests.browser.people import NewPerson


def test_a_table_is_opened_and_closed(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Open a table").click()
    form = floor.page.get_by_role("dialog", name="Open a table")
    form.get_by_label("Name", exact=True).fill("late")
    form.get_by_label("Title").fill("Late night")
    form.get_by_label("Rulebook").select_option("ctg")
    form.get_by_label("Minimum").fill("10")
    form.get_by_label("Maximum").fill("")
    form.get_by_label("House players").select_option("2")
    opens = form.get_by_role("button", name="Open the table")
    expect(opens).to_be_disabled()
    form.get_by_label("Reason").fill(WHY)
    opens.click()
    expect(card(floor, "Late night")).to_contain_text("2 of 7 boxes taken")
    expect(floor.page.get_by_role("definition").first).to_have_text("2 of 2")
    ann = new_person(live).go()
    ann.see_text("From 10")
    ann.see(ann.button("Sit at Late night"))

    form = managed(floor, "Late night", "Dismiss house players")
    apply(form)
    done(floor)
    apply(managed(floor, "Late night", "Close the table"))
    expect(card(floor, "Late night")).to_have_count(0)
    expect(floor.page.get_by_role("definition").first).to_have_text("1 of 2")
    expect(ann.button("Sit at Late night")).to_have_count(0)

    floor.page.keyboard.press("Escape")
    closed = beside(floor, "Closed tables").get_by_role("listitem")
    expect(closed).to_contain_text("Late night Casino-To-Go")
    closed.get_by_role("button", name="Open Late night again").click()
    form = floor.page.get_by_role("dialog", name="Open Late night again")
    expect(form.get_by_label("Name", exact=True)).to_have_value("late")
    expect(form.get_by_label("Minimum")).to_have_value("10")
    form.get_by_label("Minimum").fill("20")
    form.get_by_label("Reason").fill(WHY)
    form.get_by_role("button", name="Open the table").click()
    expect(card(floor, "Late night")).to_contain_text("2 of 7 boxes taken")
    expect(floor.page.get_by_role("definition").first).to_have_text("2 of 2")
    expect(beside(floor, "Closed tables")).to_have_count(0)
    ann.see_text("From 20")


def test_a_table_is_opened_with_its_decks_its_progressive_and_a_meter(opened: Opened, new_person: NewPerson) -> None:
    """MA-2a-i: six to eight decks; the progressive is the operator's to offer."""
    live, _ = opened(table("stacked-nz"))
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Open a table").click()
    form = floor.page.get_by_role("dialog", name="Open a table")
    form.get_by_label("Name", exact=True).fill("big")
    form.get_by_label("Rulebook").select_option("nz")
    expect(form.get_by_label("Progressive")).to_have_count(0)
    form.get_by_label("Rulebook").select_option("ma")
    expect(form.get_by_label("Decks").get_by_role("option")).to_have_text(["6", "7", "8"])
    form.get_by_label("Decks").select_option("8")
    form.get_by_label("Progressive").check()
    form.get_by_label("Meter").fill("2,500")
    form.get_by_label("Reason").fill(WHY)
    form.get_by_role("button", name="Open the table").click()
    expect(card(floor, "big")).to_contain_text("meter 2,500")
    signs = new_person(live)
    signs.guest()
    assert signs.view("big")["view"]["signs"]["decks"] == 8


def test_what_a_new_table_cannot_be_is_told_at_its_field_in_plain_words(opened: Opened, new_person: NewPerson) -> None:
    live, _ = opened(table("stacked-nz"))
    floor = new_person(live).known(live.staff("oz", "operator")).go("/pit")
    floor.button("Open a table").click()
    form = floor.page.get_by_role("dialog", name="Open a table")
    opens, alert = form.get_by_role("button", name="Open the table"), form.get_by_role("alert")
    form.get_by_label("Name", exact=True).fill("new")
    form.get_by_label("Reason").fill(WHY)
    for label, typed, told in (
        ("Name", "stacked-nz", "An open table has this name: take another."),
        ("Name", "bad name!", "Begin with a letter or digit"),
        ("Minimum", "1000", "Write 1,000 or more: this is below the minimum."),
        ("Unit", "0", "Write an amount above 0"),
    ):
        field = form.get_by_label(label, exact=True)
        before = field.input_value()
        field.fill(typed)
        expect(alert).to_contain_text(told)
        expect(opens).to_be_disabled()
        at = form.get_by_label("Maximum" if label == "Minimum" else label, exact=True)
        expect(at).to_have_accessible_description(re.compile(f"^{told}"))
        field.fill(before)
        expect(alert).to_have_count(0)
    # 7 is no multiple of 5: the rules know that, and the server says it.
    form.get_by_label("Minimum").fill("7")
    opens.click()
    expect(form.get_by_label("Minimum")).to_have_accessible_description(
        re.compile("^Minimum: a wager of the minimum would be refused: the wager is not a multiple of the unit")
    )
    assert "new" not in live.call(lambda: list(live.server.house.tables))
