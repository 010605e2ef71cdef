"""Chips: by click, by drag and by key, repeated, doubled and cleared; and several bettors on one box."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from casinowar.house.settings import HouseSettings
from tests.browser.conftest import UNHURRIED, table
from tests.browser.people import NewPerson, Person
from tests.browser.stacked import LAID, stack_shoes
from tests.support.live_server import LiveServer, running

ALONE, DIRECTED, LOCKED = "stacked-alone", "stacked-directed", "stacked-locked"
HELD, LATE = "stacked-held", "stacked-late"
SHARED = f"{LAID}xKhQd.shared"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, page_is_built: None) -> Iterator[LiveServer]:
    stack_shoes()
    tables = (
        table(ALONE),
        table(SHARED, options={"table.bettors_per_area": 2}),
        table(DIRECTED),
        table(LOCKED, "ma"),
        table(HELD, "ma"),
        table(LATE, "ma", timers=replace(UNHURRIED, betting=5)),
    )
    with running(tmp_path_factory.mktemp("chips"), HouseSettings(tables=tables)) as live:
        yield live


def chip(person: Person, value: str) -> Locator:
    return person.page.get_by_role("radio", name=f"Chip {value}", exact=True)


def lies(person: Person, label: str, box: int, amount: int | None) -> None:
    spot = person.spot(label, box)
    if amount is None:
        expect(spot).not_to_have_accessible_name(re.compile(" down"))
    else:
        expect(spot).to_have_accessible_name(re.compile(rf", {amount} down(?!, back)"))


def has(person: Person, balance: str, layout: str) -> None:
    dock = person.page.get_by_role("region", name="What you can do")
    expect(dock).to_contain_text(re.compile(rf"Balance\s*{re.escape(balance)}\s*{layout} on the layout"))


def drag(person: Person, start: Locator, end: tuple[float, float]) -> None:
    """With the mouse, as a hand does it: press, draw, let go."""
    mouse, box = person.page.mouse, start.bounding_box()
    assert box is not None
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
    mouse.down()
    mouse.move(end[0], end[1] + 40, steps=4)
    expect(person.page.locator("svg.ghost")).to_be_visible()
    mouse.move(*end, steps=2)
    mouse.up()
    expect(person.page.locator("svg.ghost")).to_have_count(0)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def not_taken(person: Person, says: str) -> None:
    expect(person.page.get_by_role("alert").filter(has_text="Not taken")).to_contain_text(says)


def refused(person: Person, says: str, clause: str) -> None:
    """Told in words, with the clause one click away."""
    not_taken(person, says)
    strip = person.page.get_by_role("region", name="Rulings of this round")
    strip.get_by_role("button", name=f"Clause {clause}: what it says", exact=True).click()
    expect(person.page.get_by_role("dialog", name=clause, exact=True)).to_be_visible()
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("dialog")).to_have_count(0)


def test_chips_come_by_click_by_drag_and_by_key_and_are_doubled_cleared_and_repeated(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(ALONE, 3)
    expect(ann.button(re.compile(r"^Bet\b"))).to_be_enabled()
    names = ann.page.get_by_role("radio").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert names == ["Chip 5", "Chip 25", "Chip 100", "Chip 500"], "from the unit to the maximum"
    main, tie = ann.spot("Casino War", 3), ann.spot("Tie", 3)

    chip(ann, "25").click()
    expect(chip(ann, "25")).to_be_checked()
    main.click()
    lies(ann, "Casino War", 3, 25)

    drag(ann, chip(ann, "100"), middle(tie))
    lies(ann, "Tie", 3, 100)
    expect(chip(ann, "100")).to_be_checked()
    version = ann.view(ALONE)["version"]
    drag(ann, chip(ann, "500"), middle(ann.page.get_by_role("group", name="Dealer")))
    assert ann.view(ALONE)["version"] == version, "a chip that is let go elsewhere lies nowhere"

    press = ann.page.keyboard.press
    press("1")
    expect(chip(ann, "5")).to_be_checked()
    press("b")
    lies(ann, "Casino War", 3, 25 + 5)
    tie.focus()
    press("Space")
    lies(ann, "Tie", 3, 100 + 5)
    has(ann, "865", "135")

    press("d")
    lies(ann, "Casino War", 3, 60)
    lies(ann, "Tie", 3, 210)
    has(ann, "730", "270")
    ann.button(re.compile("^Clear")).click()
    lies(ann, "Casino War", 3, None)
    lies(ann, "Tie", 3, None)
    has(ann, "1,000", "0")

    # With a chip for each of the keys, as far as the table's maximum of 500.
    total = 0
    for key, value in (("1", 5), ("2", 25), ("3", 100)):
        press(key)
        press("b")
        total += value
        lies(ann, "Casino War", 3, total)
    press("4")
    press("b")
    not_taken(ann, "At most 500 on Casino War (the book is silent; house default)")
    lies(ann, "Casino War", 3, 130)
    chip(ann, "5").click()
    tie.click()
    lies(ann, "Tie", 3, 5)
    press("Escape")
    press("Enter")
    ann.see_text("this round, 2 wagers")

    expect(ann.button(re.compile("^Same again.*Casino War 130, Tie 5$"))).to_be_visible()
    press("r")
    lies(ann, "Casino War", 3, 130)
    lies(ann, "Tie", 3, 5)
    press("c")
    lies(ann, "Casino War", 3, None)
    lies(ann, "Tie", 3, None)
    ann.button(re.compile("^Repeat")).click()
    lies(ann, "Casino War", 3, 130)
    lies(ann, "Tie", 3, 5)


@pytest.mark.clause("MA-6b-ii")
def test_where_a_wager_is_locked_when_placed_it_is_neither_doubled_nor_cleared(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(LOCKED, 3)
    ann.bet("Initial", 3)
    for name in ("Double", "Clear"):
        expect(ann.button(re.compile(f"^{name}"))).to_be_disabled()
    ann.page.keyboard.press("d")
    refused(ann, "", "MA-6b-ii")
    lies(ann, "Initial", 3, 5)


def in_hand(person: Person, label: str, amount: int) -> None:
    expect(person.spot(label, 3)).to_have_accessible_name(re.compile(f", {amount} in hand, not placed"))


@pytest.mark.clause("MA-6b-ii")
def test_where_a_wager_stays_as_it_lies_chips_are_held_until_they_are_placed(new_person: NewPerson) -> None:
    ann = new_person()
    ann.seated(HELD, 3)
    press = ann.page.keyboard.press
    initial, place = ann.spot("Initial", 3), ann.button(re.compile("^Place the bets"))
    for _ in range(2):
        initial.click()
    in_hand(ann, "Initial", 10)
    expect(ann.page.get_by_role("region", name="Rulings")).to_contain_text("Once placed, they stay as they lie.")
    press("d")
    in_hand(ann, "Initial", 20)
    press("c")
    expect(initial).not_to_have_accessible_name(re.compile("in hand"))
    chip(ann, "25").click()
    ann.press("Tie", 3)
    for _ in range(2):
        initial.click()
    expect(ann.button(re.compile("^Ready"))).to_contain_text("75 in hand for 2 wagers: Tie 25, Initial 50")
    assert all(not box["wagers"] for box in ann.view(HELD)["view"]["boxes"]), "nothing is down yet"
    place.click()
    for label, amount in (("Initial", 50), ("Tie", 25)):
        lies(ann, label, 3, amount)
    press("Enter")
    ann.see_text(re.compile("this round, 2 wagers"))
    press("r")
    in_hand(ann, "Initial", 50)
    in_hand(ann, "Tie", 25)
    press("Enter")
    ann.until(lambda: len(ann.view(HELD)["rounds"]) == 2)


def test_who_has_not_placed_when_bets_close_is_told_and_has_lost_nothing(new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    ann.seated(LATE, 3)
    ben.seated(LATE, 2)
    ann.press("Initial", 3)
    in_hand(ann, "Initial", 5)
    ben.bet("Initial", 2)
    alert = ann.page.get_by_role("alert").filter(has_text="Not taken")
    expect(alert).to_contain_text("Bets closed before yours were placed")
    has(ann, "1,000", "0")


@pytest.mark.clause("NZ-5.9-i", "NZ-5.9-ii", "NZ-5.11a")
def test_several_players_bet_on_one_box_as_many_as_the_table_lets(new_person: NewPerson) -> None:
    ann, ben, cat = new_person(), new_person(), new_person()
    ann.seated(SHARED, 2)
    bens = ben.seated(SHARED, 4)
    cat.seated(SHARED, 6)
    chip(ben, "25").click()
    ben.press("Casino War", 2)
    lies(ben, "Casino War", 2, 25)
    ann.bet("Casino War", 2)
    # The seated player's chips lie nearest to the dealer, though they came later.
    expect(ann.spot("Casino War", 2)).to_have_accessible_name(re.compile(rf"30 down, You 5, {bens} 25\b"))
    cat.page.get_by_label(re.compile("^Casino War, box 2, 30 down")).click()
    refused(cat, "", "NZ-5.9-i")
    ann.ready()
    ben.ready()
    cat.button("Sit this round out").click()
    # One hand plays for both, each is paid for their own wager, and each is told their own.
    for one, says in ((ann, "+5"), (ben, "+25")):
        one.see_text("this round, 1 wager")
        expect(one.button(f"Casino War {says}: which clause", exact=True)).to_be_visible()
    has(ann, "1,005", "0")
    has(ben, "1,025", "0")


@pytest.mark.clause("NZ-5.10-i", "NZ-5.10-iii")
def test_what_a_box_takes_in_all_is_on_the_sign_and_holds_for_everybody_on_it(
    house: LiveServer, new_person: NewPerson
) -> None:
    floor = house.staff("chips-floor", "supervisor", "operator")
    command = {"do": "direct_box_max", "amount": 15_000}
    told = floor.command(DIRECTED, command, **{"as": "operator", "reason": "by order"})
    assert told.status == 200, told.json
    ann, ben = new_person(size=(1440, 900)), new_person(size=(1440, 900))
    ann.seated(DIRECTED, 2)
    ben.seated(DIRECTED, 4)
    ann.see_text("A box in all")
    ann.see_text("up to 150")
    chip(ann, "100").click()
    ann.bet("Casino War", 2)
    lies(ben, "Casino War", 2, 100)
    chip(ben, "100").click()
    ben.press("Casino War", 2)
    refused(ben, "", "NZ-5.10-i")
    chip(ben, "25").click()
    ben.bet("Casino War", 2)
    lies(ann, "Casino War", 2, 125)


def test_who_has_lost_all_is_offered_more_play_money_at_the_table(
    tmp_path: Path, new_person: NewPerson, page_is_built: None
) -> None:
    name = f"{LAID}x2hKd.broke"
    settings = HouseSettings(tables=(table(name),), guest_purse=500, refill=20_000, refill_below=500)
    with running(tmp_path, settings) as live:
        ann = new_person(live)
        ann.seated(name, 1)
        has(ann, "5", "0")
        expect(ann.button("Fill the purse")).to_have_count(0)
        ann.bet("Casino War", 1)
        ann.ready()
        ann.see_text("this round, 1 wager")
        has(ann, "0", "0")
        expect(ann.button("Same again")).to_have_count(0)
        ann.button(re.compile("^Fill the purse.*by 200")).click()
        has(ann, "200", "0")
        expect(ann.button("Fill the purse")).to_have_count(0)
        ann.bet("Casino War", 1)
        has(ann, "195", "5")


@pytest.mark.parametrize("refill", [20_000, 0])
def test_a_war_that_cannot_be_paid_is_off_and_the_purse_is_filled_where_it_can_be(
    refill: int, tmp_path: Path, new_person: NewPerson, page_is_built: None
) -> None:
    name = f"{LAID}x9h9d.broke-at-war"
    settings = HouseSettings(tables=(table(name),), guest_purse=500, refill=refill, refill_below=1_000)
    with running(tmp_path, settings) as live:
        ann = new_person(live)
        ann.seated(name, 1)
        ann.bet("Casino War", 1)
        ann.ready()
        expect(ann.button(re.compile("^Surrender"))).to_be_enabled(timeout=40_000)
        if refill:
            ann.button(re.compile("^Fill the purse.*war needs 5, you have 0")).click()
            ann.button(re.compile("^Go to war.*place 5 more")).last.click()
            ann.see_text("this round, 2 wagers", 40_000)
        else:
            expect(ann.button(re.compile("^Go to war.*needs 5, you have 0")).last).to_be_disabled()
            ann.page.keyboard.press("w")
            ann.see_text("War needs 5, you have 0.")
