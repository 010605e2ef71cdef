"""A dealer with real cards, by keyboard: two keystrokes a card, the next act under one key, an incident ruled."""

import re

import pytest
from playwright.sync_api import expect

from casinowar.engine.draws import is_shuffle_due
from casinowar.engine.procedure import Step, procedure
from casinowar.table.live import LiveTable
from tests.browser.people import NewPerson, Person
from tests.live_server import Caller, LiveServer

WHY = "as the book asks"


@pytest.fixture(scope="module")
def dora(house: LiveServer) -> Caller:
    return house.staff("dora", "dealer")


@pytest.fixture(scope="module")
def sue(house: LiveServer) -> Caller:
    return house.staff("sue", "supervisor")


def following(house: LiveServer, table: str) -> Step:
    live: LiveTable = house.server.house.tables[table]
    return house.call(lambda: procedure(live.rules, live.table)[0])


def load_shoe(house: LiveServer, table: str, dora: Caller, sue: Caller) -> None:
    """Every step of the book until the cards are in the shoe, two people looking at them."""
    live = house.server.house.tables[table]
    while house.call(lambda: is_shuffle_due(live.table)):
        step = following(house, table)
        if step.act == "cut":
            cutter = house.server.house.tables[table]
            players = Caller(house)
            players.cookie = CUTTERS[table].cookie
            position = 26 * cutter.rules.shoe.decks
            players.command(table, {"do": "cut", "player": step.player, "position": position})
        elif step.act == "verify":
            sue.command(table, {"do": "verify_cards"}, **{"as": "supervisor", "reason": WHY})
        else:
            answer = dora.command(table, {"do": "next"}, **{"as": "dealer"})
            request = answer.json.get("request")
            if request:
                sue.command(table, {"do": "countersign", "request": request}, **{"as": "supervisor", "reason": WHY})


CUTTERS: dict[str, Caller] = {}


def seated(house: LiveServer, table: str, box: int, dora: Caller, sue: Caller) -> Caller:
    """A player in a box at a table whose shoe is loaded, with a wager down."""
    ann = Caller(house).guest()
    CUTTERS[table] = ann
    assert ann.command(table, {"do": "sit", "box": box}).status == 200
    load_shoe(house, table, dora, sue)
    wager = {"do": "place_wager", "player": ann.name, "box": box, "wager": "initial", "amount": 1000}
    assert ann.command(table, wager).status == 200, ann.command(table, wager).json
    return ann


def step_on(dealer: Person, house: LiveServer, table: str, card: str) -> Step:
    """One act by keyboard: the face of a card that is turned up, Space for all else."""
    step, version = following(house, table), house.version(table)
    if step.act == "draw":
        expect(dealer.page.get_by_role("region", name="Card entry")).not_to_contain_text("No card is due")
        expect(dealer.button("clubs")).to_be_enabled()
    else:
        expect(dealer.button(re.compile("^Do it"))).to_be_enabled()
    for key in card if step.act == "draw" else ("Space",):
        dealer.page.keyboard.press(key)
    dealer.until(lambda: house.version(table) > version)
    return step


def test_a_round_of_real_cards_is_dealt_by_keyboard_alone(
    house: LiveServer, dora: Caller, sue: Caller, new_person: NewPerson
) -> None:
    ann = seated(house, "real", 2, dora, sue)
    dealer = new_person().known(dora).go("/dealer/real")
    cards = iter(("9s", "9h", "Kd", "4c"))
    acts = []
    for _ in range(40):
        if following(house, "real").act == "decide":
            dealer.see_text(re.compile("chooses"))
            ann.command("real", {"do": "go_to_war", "player": ann.name, "box": 2})
        acts.append(step_on(dealer, house, "real", next(cards) if following(house, "real").act == "draw" else "").act)
        if acts[-1] == "end_round":
            break
    assert acts.count("draw") == 4
    assert acts[-1] == "end_round"
    told = ann.ask("GET", "/api/tables/real").json["rounds"][0]
    assert [hand[1] for hand in sorted(told["hands"])] == [["9h", "4c"], ["9s", "Kd"]]
    assert {(one[1], one[4]) for one in told["wagers"]} == {("initial", "push"), ("war", "win")}


def test_an_incident_is_previewed_before_it_is_ruled(
    house: LiveServer, dora: Caller, sue: Caller, new_person: NewPerson
) -> None:
    seated(house, "real-incident", 3, dora, sue)
    dealer = new_person().known(dora).go("/dealer/real-incident")
    while following(house, "real-incident").act != "draw":
        step_on(dealer, house, "real-incident", "")
    step_on(dealer, house, "real-incident", "Qd")
    dealer.page.keyboard.press("F9")
    panel = dealer.see(dealer.page.get_by_role("complementary", name="Incident"))
    panel.get_by_role("button", name=re.compile("^A card is damaged")).click()
    form = dealer.see(panel.get_by_role("form"))
    version = house.version("real-incident")
    for field in form.get_by_role("textbox").all():
        name = field.get_attribute("id") or ""
        field.fill("bent at the corner" if name.endswith("-why") else "Qd")
    expect(form).to_contain_text("nothing has happened yet")
    ruled = form.get_by_role("button", name=re.compile("^Apply ruling"))
    expect(ruled).to_be_enabled()
    expect(form.get_by_role("button", name=re.compile("^Clause NZ-")).first).to_be_visible()
    assert house.version("real-incident") == version
    ruled.click()
    dealer.until(lambda: house.version("real-incident") > version)
    dealer.see(panel.get_by_text("Done."))
