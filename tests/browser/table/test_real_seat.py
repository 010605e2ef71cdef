"""A seat at a table of real cards: nothing is sealed there, and all that is a player's to do is in the page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from casinowar.engine.view.procedure import procedure
from casinowar.house.settings import HouseSettings
from tests.browser.conftest import table
from tests.browser.people import NewPerson, Person
from tests.support.live_server import LiveServer, running

BANKED, CUT = "banked", "cut"
TABLES = (table(BANKED, "ca", dealer="real", bots=()), table(CUT, dealer="real"))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("real"), HouseSettings(tables=TABLES)) as live:
        yield live


def seat(person: Person, name: str, box: int) -> str:
    player = person.guest()
    person.wants(player, "cut", "bank")
    person.go(f"/table/{name}")
    person.button(re.compile(rf"^Box {box} is free")).click()
    return player


def until_cut(house: LiveServer, name: str) -> None:
    """The dealer and the floor do what comes before the cut."""
    dora, sue = house.staff(f"dora-{name}", "dealer"), house.staff(f"sue-{name}", "supervisor")
    live = house.server.house.tables[name]
    while house.call(lambda: procedure(live.rules, live.table)[0].act) != "cut":
        answer = dora.command(name, {"do": "next"}, **{"as": "dealer"})
        if request := answer.json.get("request"):
            sue.command(name, {"do": "countersign", "request": request}, **{"as": "supervisor", "reason": "as asked"})


@pytest.mark.clause("CA-RP-10a")
def test_the_bank_is_taken_and_declined_where_cards_are_real(house: LiveServer, new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    names = [seat(ann, BANKED, 1), seat(ben, BANKED, 3)]
    until_cut(house, BANKED)
    live = house.server.house.tables[BANKED]
    ben.button("Decline").click()
    ann.button("Cut", exact=True).click()
    ann.page.get_by_role("group", name="Take the bank").get_by_label("Stake").fill("200")
    ann.button("Take the bank").click()
    ann.see(ann.button("Give up the bank"))
    ben.see_text(f"Bank: {names[0]}, box 1")
    ben.see_text("covers 200")
    bank = house.call(lambda: live.table.bank)
    assert bank is not None
    assert (bank.player, bank.stake) == (names[0], 20_000)


@pytest.mark.clause("NZ-7.6")
def test_a_cut_is_offered_within_the_bounds_of_the_book(house: LiveServer, new_person: NewPerson) -> None:
    ann = new_person()
    seat(ann, CUT, 2)
    until_cut(house, CUT)
    cards = ann.see(ann.page.get_by_role("spinbutton", name=re.compile("^Cards, 52 to 260$")))
    ann.button("Thin", exact=True).click()
    expect(cards).to_have_value(re.compile(r"^(5[2-9]|[6-9]\d)$"))
    ann.button("Cut", exact=True).click()
    expect(cards).to_have_count(0)
    assert house.call(lambda: house.server.house.tables[CUT].table.cut_made)
