"""In company: the cut goes round the table, and a private table plays on, round after round, with its bots."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from casinowar.house.settings import HouseSettings, Timers
from tests.browser.conftest import table
from tests.browser.people import NewPerson, Person
from tests.browser.sizes import each_size
from tests.support.live_server import LiveServer, running

TABLE = "cut"
SETTLED = (Path(__file__).parents[1] / "settled_felt.js").read_text(encoding="utf-8")
FELT_WORDS = """() => [...document.querySelectorAll('svg[aria-label="The table"] text')]
  .filter((one) => one.getClientRects().length > 0).map((one) => one.textContent)"""
TIMERS = Timers(betting=120, decision=120, entropy=5, cut=120, pause=0.3, card=0.02)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("company"), HouseSettings(tables=(table(TABLE, timers=TIMERS),))) as live:
        yield live


def sit(person: Person, box: int) -> str:
    name = person.guest()
    person.wants(name, "cut")
    person.go(f"/table/{TABLE}")
    person.button(re.compile(rf"^Box {box} is free")).click()
    return name


@pytest.mark.clause("NZ-7.3-i", "NZ-7.4", "NZ-7.4a", "NZ-7.5-i")
def test_the_first_to_the_table_is_offered_the_cut_and_may_pass_it_clockwise(new_person: NewPerson) -> None:
    ann, ben, cat = new_person(), new_person(), new_person()
    anns = sit(ann, 4)
    cut = {one: one.page.get_by_role("group", name="Cut the cards") for one in (ann, ben, cat)}
    ann.see(cut[ann])
    ann.see_caller("Your cut")
    bens = sit(ben, 6)
    sit(cat, 2)
    for one in (ben, cat):
        one.see_caller(f"{anns} cuts")
        expect(cut[one]).to_have_count(0)
        expect(one.button(re.compile(r"^Bet\b"))).to_be_disabled()
    # From box 4 it passes to the next seated player with a higher number, and not back to box 2.
    ann.button("Pass the cut").click()
    ben.see(cut[ben])
    ben.see_caller("Your cut")
    ann.see_caller(f"{bens} cuts")
    expect(cut[ann]).to_have_count(0)
    expect(cut[cat]).to_have_count(0)
    strip = ben.page.get_by_role("region", name="Rulings of this round")
    expect(strip.get_by_role("button", name=re.compile("^Clause NZ-7")).first).to_be_visible()

    # A deck from either end is the least and the most.
    field = cut[ben].get_by_role("spinbutton")
    assert (field.get_attribute("min"), field.get_attribute("max")) == ("52", "260")
    go = cut[ben].get_by_role("button", name="Cut", exact=True)
    for wrong in ("51", "261"):
        field.fill(wrong)
        expect(go).to_be_disabled()
    field.fill("52")
    go.click()
    for one in (ann, ben, cat):
        one.see(one.button(re.compile("^Shoe sealed")))
        one.see_caller("Place your bets")
        expect(one.button(re.compile(r"^Bet\b"))).to_be_enabled()
    assert ann.view(TABLE)["seal"]["cut"] == 52


def is_played(person: Person, name: str, number: int) -> bool:
    return bool(person.view(name)["rounds"][-1]["number"] == number)


def test_a_private_table_plays_three_rounds_in_a_row_with_its_bots(new_person: NewPerson) -> None:
    ann = new_person().go()
    ann.button(re.compile("^Deal me a private table")).click()
    bet = ann.button(re.compile(r"^Bet\b"))
    expect(bet).to_be_enabled()
    name = ann.page.url.rpartition("/")[2].partition("?")[0]
    bots = {seat["player"].removeprefix("bot-") for seat in ann.view(name)["seats"] if seat["strategy"]}
    for size in each_size(ann, "bots"):
        ann.page.evaluate(SETTLED, list(size))
        words = " ".join(ann.page.evaluate(FELT_WORDS))
        assert "bot-" not in words, size
        # The least felt has all others in one line, without names; a long name may be cut.
        named = {bot for bot in bots if bot[:3] in words}
        assert named == (set() if size == (320, 480) else bots), (size, words)
    surrender, again = ann.button(re.compile("^Surrender")), ann.button(re.compile("^Same again"))
    dock = ann.page.get_by_role("region", name="What you can do")
    for number in (1, 2, 3):
        (again if number > 1 else bet).click()
        if number == 1:
            ann.ready()
        result = ann.page.get_by_text("this round, 1 wager")
        ann.see(ann.page.get_by_text(f"Round {number}"), 60_000)
        ann.see(surrender.or_(result), 60_000)
        if surrender.is_visible():
            surrender.click()
        ann.see(result, 60_000)
        ann.until(partial(is_played, ann, name, number))
        ann.see_text(f"Round {number}")
        expect(bet).to_be_enabled()
        view = ann.view(name)
        line = next(one for one in view["rounds"] if one["number"] == number)
        bots = {seat["player"] for seat in view["seats"] if seat["strategy"]}
        assert bots, "nobody plays alone at a private table"
        assert {wager[2] for wager in line["wagers"]} == bots | {one["player"] for one in view["seats"]}
        money = view["view"]["balance"] + view["purse"]
        expect(dock).to_contain_text(re.compile(rf"Balance\s*{money / 100:,.2f}".removesuffix(".00") + r"(\s|\D)"))
