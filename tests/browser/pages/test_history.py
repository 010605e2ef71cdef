"""Rounds that are over, as lists tell them: every box that was dealt, what a bank came to, names that can be read."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import METER, table
from tests.browser.people import NewPerson
from tests.browser.players import Player
from tests.browser.stacked import stack_shoes
from tests.support.live_server import LiveServer, running

pytestmark = pytest.mark.long

WAR = "laid-x9h4c9d.ma"
"""Box 2 has a nine and goes to war with the dealer's; box 4 has a four and is settled before it."""

BANKED = "stacked-banked"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (table(WAR, "ma", **METER["ma"]), table(BANKED, "ca", bots=()))
    with running(tmp_path_factory.mktemp("history"), HouseSettings(tables=tables)) as live:
        yield live


@pytest.fixture(scope="module")
def warrior(small: LiveServer) -> Player:
    ann, ben = Player(small, WAR, 2), Player(small, WAR, 4)
    for wager in ("initial", "tie", "progressive"):
        ann.bet(wager)
    ben.bet()
    ben.act(do="ready")
    ann.deal()
    ann.go_to_war()
    return ann


@pytest.mark.clause("MA-8d-i")
def test_the_list_counts_every_box_that_was_dealt(small: LiveServer, warrior: Player, new_person: NewPerson) -> None:
    """Its cards are collected before the war, and it was dealt all the same."""
    ann = new_person(small).known(warrior).go("/replay")
    line = ann.see(ann.page.get_by_role("link", name=re.compile("^Round 1")))
    expect(line).to_contain_text("2 boxes, war")
    expect(ann.button(re.compile("^Earlier rounds"))).to_have_count(0)


@pytest.mark.parametrize("size", [(320, 480), (390, 844), (844, 390), (1024, 768), (1440, 900), (1680, 1050)])
def test_names_of_spots_in_a_replay_do_not_run_together(
    size: tuple[int, int], small: LiveServer, warrior: Player, new_person: NewPerson
) -> None:
    ann = new_person(small, size=size).known(warrior).go(f"/replay/{WAR}/1")
    felt = ann.see(ann.page.get_by_role("group", name="Box 2 and the dealer at this step"))
    ann.page.keyboard.press("End")
    names = felt.locator("text[data-spot]")
    expect(names).to_have_count(4)
    expect(names.filter(has_text="Progressive")).to_have_text("Casino War Progressive")
    boxes = [one.bounding_box() for one in names.all()]
    edge = felt.bounding_box()
    assert edge is not None
    for at, one in enumerate(boxes):
        assert one is not None
        assert edge["x"] <= one["x"]
        assert one["x"] + one["width"] <= edge["x"] + edge["width"]
        for other in boxes[at + 1 :]:
            assert other is not None
            is_beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            assert is_beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]


def test_a_round_that_one_banked_has_its_result(small: LiveServer, new_person: NewPerson) -> None:
    """CA-RP-9d: the house takes nothing, so that what ann loses ben has won."""
    ann, ben = Player(small, BANKED, 1), Player(small, BANKED, 3)
    taken = {"do": "accept_bank", "player": ben.name, "box": 3, "stake": 10_000}
    if ben.command(BANKED, taken).status != 200:
        ann.act(do="decline_bank", player=ann.name)
        ben.act(**taken)
    ann.bet()
    ben.act(do="ready")
    ann.deal()
    wagers = ann.ask("GET", f"/api/tables/{BANKED}").json["rounds"][0]["wagers"]
    lost = sum(amount - paid - returned for _, _, _, amount, _, paid, returned in wagers)
    assert abs(lost) == 500
    told = "+5" if lost > 0 else "−5"
    own = new_person(small).known(ben).go("/me")
    line = own.page.get_by_role("region", name="Your last rounds").get_by_role("listitem")
    expect(line).to_contain_text("You banked")
    expect(line).to_contain_text(told)
    own.go(f"/table/{BANKED}")
    own.button("Menu").click()
    own.button("Last rounds").click()
    line = own.page.get_by_role("dialog").get_by_role("listitem")
    expect(line).to_contain_text("you banked")
    expect(line).to_contain_text(told)
    expect(line).not_to_contain_text("dealer")
