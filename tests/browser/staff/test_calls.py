"""A table that stalls: who is away is marked on console and pit, the dealer calls the floor, and the floor comes."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Opened, table
from tests.browser.floor import card
from tests.browser.people import NewPerson, Person
from tests.browser.players import Player
from tests.browser.sizes import SIZES, each_size
from tests.support.live_server import Caller, LiveServer

SHOTS = os.environ.get("SHOTS")
"""Where pictures go, to be looked at."""


def shot(person: Person, name: str) -> None:
    if SHOTS:
        width, height = person.page.viewport_size.values()  # type: ignore[union-attr]
        person.page.screenshot(path=Path(SHOTS) / f"{name}-{width}x{height}.png")


def resized(person: Person, size: tuple[int, int]) -> None:
    person.page.set_viewport_size({"width": size[0], "height": size[1]})


def on_screen(what: Locator) -> None:
    expect(what).to_be_in_viewport(ratio=1)
    box = what.bounding_box()
    assert box is not None
    assert box["height"] >= 44


def straight(person: Person) -> None:
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"


def absent(live: LiveServer, name: str, box: int = 3) -> str:
    """Somebody who sits there and is not connected."""
    ann = Caller(live).guest()
    assert ann.command(name, {"do": "sit", "box": box}).status == 200
    return ann.name


def opened_at(opened: Opened, new_person: NewPerson, *names: str) -> tuple[LiveServer, Person, Person]:
    live, _ = opened(*(table(name, dealer="human") for name in names))
    dora = new_person(live, size=(1366, 625)).known(live.staff("dora", "dealer")).go(f"/dealer/{names[0]}")
    sue = new_person(live, size=(1366, 625)).known(live.staff("sue", "supervisor")).go("/pit")
    return live, dora, sue


def test_a_call_stands_on_top_of_the_pit_at_every_size(opened: Opened, new_person: NewPerson) -> None:
    live, dora, sue = opened_at(opened, new_person, "stacked-hand-calls")
    who = absent(live, "stacked-hand-calls")
    for size in SIZES:
        resized(dora, size)
        resized(sue, size)
        line = dora.page.get_by_text(re.compile(rf"^{who} is away, \d+ (s|min).* The seat is kept\.$"))
        line.scroll_into_view_if_needed()
        expect(line).to_be_in_viewport(ratio=1)
        also = sue.page.get_by_text(re.compile(rf"^stacked-hand-calls, {who} away \d+ (s|min)"))
        sue.page.evaluate("scrollTo(0, 0)")
        expect(also).to_be_in_viewport(ratio=1)
        marked = card(sue, "stacked-hand-calls").get_by_text(re.compile(r"^Seat away, \d+ (s|min)"))
        marked.scroll_into_view_if_needed()
        expect(marked).to_be_in_viewport(ratio=1)
        call = dora.button(re.compile("^Call the floor"))
        call.scroll_into_view_if_needed()
        on_screen(call)
        shot(dora, "console-away")
        straight(dora)
        call.click()
        expect(dora.button(re.compile(r"^Called"))).to_be_visible()
        straight(dora)
        bar = sue.page.get_by_role("region", name="stacked-hand-calls calls the floor")
        on_screen(bar.get_by_role("button", name=re.compile("^I am coming")))
        on_screen(bar.get_by_role("button", name="See the table"))
        shot(sue, "pit-called")
        straight(sue)
        bar.get_by_role("button", name=re.compile("^I am coming")).click()
        expect(bar).to_have_count(0)
        expect(sue.page.get_by_text("taken by sue").first).to_be_visible()
        dora.button(re.compile("^sue is coming")).click()
        dialog = dora.page.get_by_role("dialog", name="Is the call over?")
        on_screen(dialog.get_by_role("button", name="It is over"))
        shot(dora, "console-over")
        dialog.get_by_role("button", name="It is over").click()
        expect(dora.button(re.compile("^Call the floor"))).to_be_visible()
        expect(sue.page.get_by_role("region", name="Calls tonight")).not_to_contain_text("taken by")
    calls = live.call(lambda: list(live.server.house.tables["stacked-hand-calls"].calls.kept))
    assert [one.is_over for one in calls] == [True] * len(SIZES)


def test_many_who_are_away_leave_the_keys_of_the_dealer_where_they_are(opened: Opened, new_person: NewPerson) -> None:
    live, dora, _ = opened_at(opened, new_person, "stacked-hand-crowd")
    absent(live, "stacked-hand-crowd")
    step = dora.page.get_by_role("button", name=re.compile("^Ask the floor"))
    expect(step).to_have_count(1)
    before = step.bounding_box()
    for box in (4, 5, 6, 7):
        absent(live, "stacked-hand-crowd", box)
    expect(dora.page.get_by_text(re.compile("^Also away: .*, .*, .*, "))).to_be_visible()
    assert step.bounding_box() == before
    expect(step).to_have_count(1)


def test_a_second_press_asks_before_it_takes_the_call_back(opened: Opened, new_person: NewPerson) -> None:
    _, dora, _ = opened_at(opened, new_person, "stacked-hand-calls")
    expect(dora.button(re.compile("^Call the floor"))).to_be_visible()
    dora.page.keyboard.press("F9")
    expect(dora.button(re.compile("^Called"))).to_be_visible()
    dora.page.keyboard.press("F9")
    dialog = dora.page.get_by_role("dialog", name="Take the call back?")
    dialog.get_by_role("button", name="Leave it").click()
    expect(dora.button(re.compile("^Called"))).to_be_visible()
    dora.page.keyboard.press("F9")
    dialog.get_by_role("button", name="Take it back").click()
    expect(dora.button(re.compile("^Call the floor"))).to_be_visible()


def test_the_oldest_call_that_nobody_has_taken_is_shown_and_others_in_a_line(
    opened: Opened, new_person: NewPerson
) -> None:
    names = ("stacked-hand-one", "stacked-hand-two")
    live, _, sue = opened_at(opened, new_person, *names)
    dealer = live.staff("dean", "dealer")
    for name, about in zip(names, ("the burn was forgotten", "a card was seen"), strict=True):
        assert dealer.command(name, {"do": "call_floor", "about": about}, **{"as": "dealer"}).status == 200
    first = sue.page.get_by_role("region", name="stacked-hand-one calls the floor")
    expect(first).to_contain_text("the burn was forgotten. The table waits.")
    alert = sue.page.get_by_role("alert").filter(has_text="calls the floor")
    expect(alert).to_have_text(re.compile(r"^\s*stacked-hand-one calls the floor\. the burn was forgotten\s*$"))
    expect(sue.page.get_by_text("stacked-hand-two, a card was seen").first).to_be_visible()
    expect(card(sue, "stacked-hand-one")).to_contain_text(re.compile(r"Calls the floor, \d+:\d\d"))
    shot(sue, "pit-two")
    sue.page.keyboard.press("Enter")
    expect(sue.page.get_by_role("region", name="stacked-hand-two calls the floor")).to_be_visible()
    expect(sue.page.get_by_text("stacked-hand-one, the burn was forgotten, taken by sue").first).to_be_visible()


def test_the_line_of_who_is_away_calls_the_floor_about_them(opened: Opened, new_person: NewPerson) -> None:
    live, dora, sue = opened_at(opened, new_person, "stacked-hand-calls")
    who = absent(live, "stacked-hand-calls")
    dora.button("Ask the floor").click()
    bar = sue.page.get_by_role("region", name="stacked-hand-calls calls the floor")
    expect(bar).to_contain_text(f"{who} is away. The table waits.")
    bar.get_by_role("button", name="See the table").click()
    expect(sue.page.get_by_role("dialog", name="stacked-hand-calls")).to_contain_text(
        re.compile(rf"{who}\s+away \d+ s")
    )


@pytest.mark.parametrize("kind", ["call", "signature"])
def test_what_comes_to_wait_for_the_floor_comes_by_itself(opened: Opened, new_person: NewPerson, kind: str) -> None:
    """No poll brings it: the page's own is switched off."""
    live, _ = opened(table("stacked-ties-void"), table("stacked-hand-calls", dealer="human"))
    sue = new_person(live).known(live.staff("sue", "supervisor"))
    sue.page.add_init_script(
        "const later = setTimeout; setTimeout = (f, ms, ...a) => later(f, ms === 3000 ? 1e8 : ms, ...a)"
    )
    sue.go("/pit")
    expect(card(sue, "stacked-hand-calls")).to_be_visible()
    if kind == "call":
        dealer = live.staff("dean", "dealer")
        assert dealer.command("stacked-hand-calls", {"do": "call_floor"}, **{"as": "dealer"}).status == 200
        bar = sue.page.get_by_role("region", name="stacked-hand-calls calls the floor")
        for _ in each_size(sue, "call-came"):
            expect(bar).to_be_in_viewport(ratio=1)
        return
    ann = Player(live, "stacked-ties-void")
    ann.bet()
    ann.deal()
    sam = live.staff("sam", "supervisor")
    asked = sam.command(
        "stacked-ties-void", {"do": "void_round", "reason": "seen"}, **{"as": "supervisor", "reason": "seen"}
    )
    assert asked.json["code"] == "second_signature_due"
    waiting = sue.page.get_by_role("region", name="Waiting for you")
    for _ in each_size(sue, "signature-came"):
        expect(waiting).to_contain_text("Void the round, stacked-ties-void")
        expect(waiting.get_by_text(re.compile("^Lapses in 10 min"))).to_be_visible()
