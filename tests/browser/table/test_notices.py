"""Signs of what is to come stand at the table until it comes; and what a player may see of burned cards."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import table
from tests.browser.later import Clocks, running_later
from tests.browser.people import DESK, PHONE, NewPerson, Person
from tests.browser.stacked import LAID, stack_shoes
from tests.support.live_server import Caller, LiveServer

CLOSING, CHANGING, DECKS, CALLED = "stacked-closing", "stacked-changing", "stacked-decks", "stacked-called"
TURNED = f"{LAID}5cxxxxxKhQd"
"""The five of clubs is turned up, and five more are burned."""

VIEWED, SEALED = f"{LAID}2cKh5d", f"{LAID}3cKh5d.ma"
"""The first card is burned; then the king wins against the five."""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[tuple[LiveServer, Clocks]]:
    stack_shoes()
    tables = (
        *(table(name, "wa") for name in (CLOSING, CHANGING, DECKS, TURNED)),
        table(CALLED, dealer="human"),
        table(VIEWED),
        table(SEALED, "ma"),
    )
    with running_later(tmp_path_factory.mktemp("notices"), HouseSettings(tables=tables)) as running:
        yield running


@pytest.fixture(scope="module")
def house(night: tuple[LiveServer, Clocks]) -> LiveServer:
    return night[0]


@pytest.fixture(scope="module")
def floor(house: LiveServer) -> Caller:
    return house.staff("fay", "supervisor", "operator")


def order(floor: Caller, name: str, command: dict[str, Any], role: str = "supervisor") -> Any:
    return floor.command(name, command, **{"as": role, "reason": "a quiet evening"})


def sign(person: Person) -> Locator:
    return person.page.get_by_role("status", name="Notices")


def read_sign(person: Person, says: str | re.Pattern[str], clause: str) -> None:
    """The sign stands at the table, and one click on it tells its clause."""
    sign(person).get_by_role("button", name=says, exact=True).click()
    told = person.see(person.page.get_by_role("dialog"))
    expect(told.get_by_role("heading", name=clause, exact=True)).to_be_visible()
    person.page.keyboard.press("Escape")
    expect(told).to_have_count(0)


def stand(night: tuple[LiveServer, Clocks], name: str, minutes: int) -> None:
    """Minutes pass until the table's notice has stood for so many."""
    live, clocks = night
    for _ in range(2 * minutes):
        clock = live.call(lambda: live.server.house.tables[name].table.floor.clock)
        if clock >= 60 * minutes:
            return
        clocks.forward(live, 1)
    raise AssertionError("the notice does not count its minutes")


@pytest.mark.clause("WA-6.7")
def test_when_a_table_closes_is_on_a_sign_for_ten_minutes_before_it_does(
    night: tuple[LiveServer, Clocks], floor: Caller, new_person: NewPerson
) -> None:
    ann, bob = new_person(size=DESK), new_person(size=PHONE)
    ann.seated(CLOSING, 3)
    bob.guest()
    bob.go(f"/table/{CLOSING}")
    bob.see(bob.button(re.compile("^Box 5 is free")))
    expect(sign(ann).get_by_role("button")).to_have_count(0)
    assert order(floor, CLOSING, {"do": "announce_closing"}).status == 200
    for one in (ann, bob):
        read_sign(one, re.compile(r"The table closes at \d\d:\d\d, in 10 minutes"), "WA-6.7")
        wide = one.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
    early = order(floor, CLOSING, {"do": "close_table"})
    assert (early.status, early.json["clauses"]) == (409, ["WA-6.7"])
    # It stands whatever else is told.
    ann.bet("Casino War", 3)
    expect(sign(ann)).to_contain_text(re.compile(r"The table closes at \d\d:\d\d, in 10 minutes"))
    ann.button(re.compile("^Clear")).click()
    expect(ann.spot("Casino War", 3)).not_to_have_accessible_name(re.compile("down"))
    stand(night, CLOSING, 9)
    expect(sign(ann)).to_contain_text(re.compile(r"The table closes at \d\d:\d\d, in 1 minute$"))
    assert order(floor, CLOSING, {"do": "close_table"}).status == 409
    stand(night, CLOSING, 10)
    expect(sign(ann)).to_contain_text("The table is about to close")
    assert order(floor, CLOSING, {"do": "close_table"}).status == 200
    for one in (ann, bob):
        one.see_caller(re.compile("^The table is closed$"))
        expect(one.page.get_by_role("region", name="What you can do")).to_contain_text("The table is closed")
        expect(sign(one).get_by_role("button")).to_have_count(0)
        expect(one.button(re.compile("is free: sit here"))).to_have_count(0)


@pytest.mark.clause("WA-6.4", "WA-6.4c")
def test_new_limits_are_on_a_sign_in_money_and_the_old_ones_hold_until_then(
    night: tuple[LiveServer, Clocks], floor: Caller, new_person: NewPerson
) -> None:
    ann = new_person(size=(1440, 900))
    ann.seated(CHANGING, 3)
    limits = {"minimum": 1000, "maximum": 20_000, "unit": 500}
    assert order(floor, CHANGING, {"do": "announce_limits", **limits}, "operator").status == 200
    read_sign(ann, "New limits in 10 minutes: 10 to 200, unit 5", "WA-6.4c")
    felt = ann.page.get_by_role("group", name="The table")
    expect(felt).to_contain_text("5 to 500")
    ann.bet("Casino War", 3, "5")
    ann.button(re.compile("^Clear")).click()
    expect(ann.spot("Casino War", 3)).not_to_have_accessible_name(re.compile("down"))
    change = {"do": "change_limits", **limits, "basis": "notice"}
    assert order(floor, CHANGING, change, "operator").status == 409
    stand(night, CHANGING, 10)
    expect(sign(ann)).to_contain_text("New limits to come: 10 to 200, unit 5")
    assert order(floor, CHANGING, change, "operator").status == 200
    expect(sign(ann).get_by_role("button")).to_have_count(0)
    expect(felt).to_contain_text("10 to 200")
    expect(felt).not_to_contain_text("5 to 500")
    ann.bet("Casino War", 3, "10")


@pytest.mark.clause("WA-2.3b")
def test_another_number_of_decks_is_on_a_sign_for_thirty_minutes(floor: Caller, new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(DECKS, 3)
    told = order(floor, DECKS, {"do": "announce_decks", "decks": 8, "perfect_pairs": "P8a"}, "operator")
    assert told.status == 200, told.json
    read_sign(ann, "8 decks in 30 minutes", "WA-2.3b")


@pytest.mark.clause("NZ-5.15")
def test_a_dealer_who_calls_no_more_bets_has_not_closed_the_table(house: LiveServer, new_person: NewPerson) -> None:
    dealer = house.staff("dee", "dealer")
    ann = new_person()
    ann.seated(CALLED, 3)
    ann.bet("Casino War", 3)
    told = dealer.command(CALLED, {"do": "no_more_bets"}, **{"as": "dealer"})
    assert told.status == 200, told.json
    ann.see_caller(re.compile("^No more bets$"))
    expect(ann.page.locator("main")).not_to_contain_text("closed", ignore_case=True)


@pytest.mark.clause("WA-4.6a", "WA-4.6b")
def test_the_first_card_of_a_new_shoe_is_turned_up_for_all_and_those_burned_for_it_for_nobody(
    new_person: NewPerson,
) -> None:
    ann = new_person()
    heard = frames_of(ann)
    ann.seated(TURNED, 2)
    play_a_round((ann, 2), label="Casino War")
    ann.page.keyboard.press("l")
    rulings = ann.see(ann.page.get_by_role("dialog"))
    burns = rulings.get_by_role("listitem").filter(has_text="one card, ")
    expect(burns).to_have_text([re.compile("5♣, face up"), *[re.compile("face down")] * 5])
    expect(burns.first.get_by_role("button", name="Clause WA-4.6a: what it says")).to_be_visible()
    burned = [json.loads(frame) for frame in heard if "card_burned" in frame]
    faces = [one["card"] for frame in burned for one in frame["events"] if one["name"] == "card_burned"]
    assert faces == ["5c", None, None, None, None, None]


def frames_of(person: Person) -> list[str]:
    """What the server sends over this person's socket from now on."""
    frames: list[str] = []
    person.page.on("websocket", lambda socket: socket.on("framereceived", lambda one: frames.append(str(one))))
    return frames


def play_a_round(*boxes: tuple[Person, int], label: str) -> None:
    for person, box in boxes:
        person.bet(label, box)
    for person, _ in boxes:
        person.ready()
    for person, _ in boxes:
        person.see_text("this round, 1 wager")


@pytest.mark.clause("NZ-8.3-ii")
def test_a_player_is_shown_the_card_burned_from_the_new_shoe_on_request_and_nobody_else_is(
    new_person: NewPerson,
) -> None:
    ann, ben = new_person(), new_person()
    heard = {one: frames_of(one) for one in (ann, ben)}
    ask = ann.button("See the burned card")
    ann.guest()
    ann.go(f"/table/{VIEWED}")
    ann.button("Menu").click()
    ann.see(ann.button("Last rounds"))
    expect(ask).to_have_count(0)  # nothing is burned before somebody sits down to play
    ann.page.keyboard.press("Escape")
    ann.seated(VIEWED, 2)
    ben.seated(VIEWED, 4)
    assert not any('"2c"' in frame for frames in heard.values() for frame in frames)
    ann.button("Menu").click()
    ask.click()
    strip = ann.page.get_by_role("region", name="Rulings of this round")
    expect(strip).to_contain_text("The card burned from this shoe is 2♣. Only you are told.")
    strip.get_by_role("button", name="Clause NZ-8.3-ii: what it says", exact=True).click()
    expect(ann.page.get_by_role("dialog", name="NZ-8.3-ii", exact=True)).to_be_visible()
    ann.page.keyboard.press("Escape")
    ann.button("Menu").click()
    ann.see(ann.button("Last rounds"))
    expect(ask).to_have_count(0)
    # Ben is told that she asked, and not what she saw.
    ben.until(lambda: any("burn_viewed" in frame for frame in heard[ben]))
    assert sum('"2c"' in frame for frame in heard[ann]) == 1
    assert not any('"2c"' in frame for frame in heard[ben])
    assert "2♣" not in (ben.page.text_content("body") or "")


@pytest.mark.clause("MA-1-BURN")
def test_where_a_burned_card_is_shown_to_nobody_the_page_has_no_way_to_ask(new_person: NewPerson) -> None:
    ann = new_person()
    heard = frames_of(ann)
    anns = ann.seated(SEALED, 2)
    play_a_round((ann, 2), label="Initial")
    ann.button("Menu").click()
    ann.see(ann.button("Last rounds"))
    expect(ann.button("See the burned card")).to_have_count(0)
    command = {"do": "view_initial_burn", "player": anns}
    body = {"id": "forged", "expected": ann.view(SEALED)["version"], "command": command}
    told = ann.context.request.post(f"{ann.address}/api/tables/{SEALED}/commands", data=body)
    assert (told.status, told.json()["code"], told.json()["clauses"]) == (409, "burn_sealed", ["MA-1-BURN"])
    assert heard
    assert not any('"3c"' in frame for frame in heard)
