"""The sealed shoe in the page: its browser adds entropy, its player cuts, its arithmetic checks every card."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, WebSocketRoute, expect

from casinowar.house.settings import Timers
from tests.browser.conftest import Opened, table
from tests.browser.people import NewPerson, Person
from tests.browser.players import Player
from tests.support.live_server import Caller, LiveServer, fresh_id


def test_a_player_adds_entropy_cuts_and_has_every_card_checked(new_person: NewPerson) -> None:
    ann = new_person()
    ann.wants(ann.guest(), "cut")
    ann.go("/table/sealed")
    ann.button(re.compile("^Box 2 is free")).click()
    cut = ann.see(ann.page.get_by_role("group", name="Cut the cards"))
    cut.get_by_role("spinbutton").fill("100")
    cut.get_by_role("button", name="Cut", exact=True).click()
    ann.see(ann.button(re.compile("^Shoe sealed")))
    ann.bet("Casino War", 2)
    seal = ann.view("sealed")["seal"]
    assert seal["cut"] == 100
    ann.ready()
    over = ann.button(re.compile("^Same again")).or_(ann.button(re.compile("^Surrender")))
    ann.see(over)
    ann.button(re.compile("^Shoe sealed, every card verified")).click()
    told = ann.see(ann.page.get_by_role("dialog"))
    for text in (
        "2 cards checked in this page",
        "saw the root before the first card",
        seal["root"],
        seal["commitment"],
    ):
        expect(told).to_contain_text(text)
    added = told.get_by_text(re.compile("^[0-9a-f]{64}$")).all_inner_texts()
    assert len(added) >= 3
    expect(told).to_contain_text("Added by this browser")
    told.get_by_role("button", name="Check in this page").first.click()
    expect(told).to_contain_text(re.compile("Every card so far agrees with the root"))


def other_faces(frame: dict[str, Any]) -> None:
    """Aces on the felt, in events and view alike, beside the proofs of the cards that were dealt."""
    for event in frame["events"]:
        if isinstance(event.get("card"), str):
            event["card"] = "A" + event["card"][1]
    view = frame["view"].get("view", {})
    for hand in [view.get("dealer", []), *(box["cards"] for box in view.get("boxes", []))]:
        hand[:] = ["A" + card[1] for card in hand]


def no_proofs(frame: dict[str, Any]) -> None:
    frame["proofs"] = []


@pytest.mark.parametrize("forge", [other_faces, no_proofs])
def test_a_house_that_shows_other_cards_than_the_sealed_ones_is_found_out(
    forge: Callable[[dict[str, Any]], None], new_person: NewPerson
) -> None:
    """Every face on the felt needs a proof of that very face: cards beside true proofs prove nothing."""
    ann = new_person()

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def passed_on(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame.get("type") == "events":
                forge(frame)
            socket.send(json.dumps(frame))

        server.on_message(passed_on)

    ann.page.route_web_socket(re.compile("/api/socket"), between)
    table = f"stacked-{forge.__name__.replace('_', '-')}"
    ann.seated(table, 2)
    ann.bet("Casino War", 2)
    ann.ready()
    expect(ann.button(re.compile("^A card does not match the seal"))).to_be_visible(timeout=20_000)
    expect(ann.button(re.compile("every card verified"))).to_have_count(0)


# The list of all shoes under the table's name.

SIZES = ((390, 664), (1366, 625))
Lines = list[dict[str, Any]]


def throw_away(live: LiveServer, operator: Caller) -> None:
    """A shoe is made for somebody who sits down and leaves; then the operator closes the table and opens it again."""
    player = Player(live, "late")
    player.act(do="leave")
    player.looking.close()
    closed = operator.command("late", {"do": "close_table"}, **{"as": "operator", "reason": "a quiet night"})
    assert closed.status == 200, closed.json
    settings = {"name": "late", "rulebook": "nz", "timers": {"cut": 0, "entropy": 0, "betting": 120}}
    done = operator.ask("POST", "/api/tables", {"id": fresh_id(), "settings": settings, "reason": "a busy night"})
    assert done.status == 200, done.json


def seal_dialog(person: Person) -> Locator:
    person.button(re.compile("^Shoe sealed")).click()
    return person.see(person.page.get_by_role("dialog"))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_shoes_that_were_thrown_away_are_in_the_list_with_a_name(
    size: tuple[int, int], opened: Opened, new_person: NewPerson
) -> None:
    live, _ = opened(table("late", timers=Timers(betting=120, cut=0, entropy=0)))
    operator = live.staff("oz", "operator")
    for _ in range(2):
        throw_away(live, operator)
    ann = new_person(live, size=size)
    ann.seated("late", 2)
    told = seal_dialog(ann)
    summed = told.get_by_text("3 shoes under this name: 2 voided (2 by oz, operator), 1 in play.")
    expect(summed).to_be_visible()
    expect(told.get_by_role("listitem").filter(has_text="Shoe 2")).to_contain_text(
        "voided, 1 of 312 cards drawn: the table closed, by oz, operator"
    )
    expect(told.get_by_role("alert")).to_have_count(0)
    told.get_by_role("button", name="Check in this page").nth(1).click()
    expect(told.get_by_role("status")).to_contain_text("agree")
    summed.scroll_into_view_if_needed()
    assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def leave_out(lines: Lines) -> Lines:
    return [lines[0], *lines[2:]]


def call_finished(lines: Lines) -> Lines:
    return [{**one, "fate": "finished", "reason": None, "by": None} if one["number"] == 2 else one for one in lines]


def never_open(lines: Lines) -> Lines:
    return [{**one, "fate": "running", "reason": None, "by": None} if one["number"] == 1 else one for one in lines]


def begin_anew(lines: Lines) -> Lines:
    return [{**lines[-1], "number": 1, "previous": None}]


FORGED = {
    leave_out: "Shoe 3: is not bound to the shoe before it; one is missing.",
    call_finished: "Shoe 2: called finished after 1 of 312 cards, before its cutting card at 234.",
    never_open: "Shoe 1: was never opened, though the table has gone on.",
    begin_anew: "Shoe 3: was in the list that this browser saw before, and is gone.",
}


def answering(forge: Callable[[Lines], Lines]) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=forge(route.fetch().json()))


def test_the_page_complains_of_a_list_in_which_a_shoe_is_missing_or_called_finished(
    opened: Opened, new_person: NewPerson
) -> None:
    live, _ = opened(table("late", timers=Timers(betting=120, cut=0, entropy=0)))
    operator = live.staff("oz", "operator")
    for _ in range(2):
        throw_away(live, operator)
    ann = new_person(live, size=SIZES[0])
    ann.seated("late", 2)
    expect(seal_dialog(ann).get_by_text("2 voided (2 by oz, operator)")).to_be_visible()
    for forge, says in FORGED.items():
        ann.page.keyboard.press("Escape")
        ann.page.route("**/api/tables/late/shoes", answering(forge))
        told = seal_dialog(ann)
        expect(told.get_by_role("alert")).to_contain_text(says)
        ann.page.unroute("**/api/tables/late/shoes")
    told.get_by_role("button", name="I know why").click()
    expect(told.get_by_role("alert")).to_have_count(0)
