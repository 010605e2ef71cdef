"""Nights at live tables: every book, its money conserved, its shoes proved, whatever becomes of them."""

import os
import random
from pathlib import Path
from typing import Any

import pytest

from casinowar.engine import events as e
from casinowar.fairness import practice_bytes
from casinowar.store import ShoeCommitted, ShoeOpened, ShoeSealed
from tests.support.live_night import Night, table

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("LIVE_ROUNDS", "70"))
"""More for a longer run."""

PLAYERS = ("ann", "ben", "cat")
NIGHTS: tuple[tuple[str, dict[str, Any], set[str]], ...] = (
    ("nz", {}, {"initial", "war", "tie"}),
    ("wa", {}, {"initial", "war", "tie", "a_bomb", "perfect_pairs", "war_perfect_pairs"}),
    ("ctg", {}, {"initial", "war", "tie"}),
    ("ca", {"wager.war_tie": True}, {"initial", "war", "tie", "war_tie"}),
    ("ma", {"wager.progressive": True}, {"initial", "war", "tie", "war_tie", "progressive"}),
)
"""Book, options, and the wagers that its clauses then offer."""


def night(book: str, seed: str = "x", **changed: Any) -> Night:
    """Three people and a bot or two, with fixed cards."""
    strategies = ("bank", "bank") if book == "ca" else ("tie", "surrender")
    changed = {"rulebook": book, "bots": [{"strategy": strategy} for strategy in strategies], **changed}
    there = Night(table(**changed), source=practice_bytes(seed), guest_purse=10_000_000)
    there.sit(*PLAYERS)
    return there


def house_rules(folder: Path, book: str, **shoe: object) -> str:
    """A house rulebook of few decks with little behind the cutting card; pairs ask for four at least."""
    leaves = {"decks": 4 if book == "wa" else 1, "cut_depth": 5, **shoe}
    lines = [f'extends = "{book}"', 'title = "Few cards"', 'version = "a house rulebook"', "[shoe]"]
    lines += [f"{key} = {str(value).lower() if isinstance(value, bool) else value}" for key, value in leaves.items()]
    file = folder / f"{book}_few.toml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(("book", "options", "wagers"), NIGHTS, ids=[one[0] for one in NIGHTS])
def test_a_night_of_every_book_keeps_its_money_and_proves_its_shoes(
    book: str, options: dict[str, Any], wagers: set[str]
) -> None:
    there = night(book, options=options)
    issued = -there.store.balance("issuance")
    there.play(ROUNDS, PLAYERS, random.Random(book))
    assert there.live.rounds_done >= ROUNDS
    assert {settled.wager for settled in there.told(e.WagerSettled)} == wagers
    there.check()
    there.until_ready()
    for player in (*PLAYERS, *there.live.bots):
        there.house.present(player, there.table, False)
    there.must("sue", "supervisor", "the night is over", do="dismiss_bots")
    there.wait(200_000)
    there.must("sue", "supervisor", "the night is over", do="close_table")
    assert there.live.table.is_closed
    assert [shoe.fate for shoe in there.live.shoes() if shoe.fate == "running"] == []
    money = {name: held for name, held in there.store.balances().items() if not name.startswith("meter")}
    assert {name for name, held in money.items() if held and not name.startswith(("purse", "float"))} == {"issuance"}
    assert -money["issuance"] >= issued
    there.check()


@pytest.mark.parametrize("book", ["nz", "wa"])
def test_a_continuous_shuffler_seals_a_stack_for_every_round(book: str) -> None:
    there = night(book, options={"shoe.shuffler": "continuous"})
    there.play(25, PLAYERS, random.Random(2))
    there.until_ready()
    rounds, sealed = 0, 0
    for one in there.log():
        sealed += isinstance(one.event, ShoeSealed)
        rounds += isinstance(one.event, e.RoundEnded)
        if isinstance(one.event, e.WagerPlaced):
            assert sealed == rounds + 1, one.version
    assert sealed == rounds + 1 == there.live.rounds_done + 1
    assert {shoe.kind for shoe in there.told(ShoeCommitted)} == {"continuous"}
    there.check()


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ca", "ma"])
def test_a_shoe_that_runs_dry_in_a_round_is_opened_and_a_sealed_one_follows(book: str, tmp_path: Path) -> None:
    rules = house_rules(tmp_path, book, marker_from_back=0)
    there = night(book, rulebook=rules, bots=[{"strategy": "bank" if book == "ca" else "war"}] * 4)
    there.play(ROUNDS, PLAYERS, random.Random(book))
    log = there.log()
    starts = [one.version for one in log if isinstance(one.event, ShoeCommitted)]
    in_round = [start for start in starts if is_in_round(log[:start])]
    assert in_round
    assert any(sum(shoe.counts) % 52 for shoe in there.told(ShoeCommitted))
    there.check()


def is_in_round(log: list[Any]) -> bool:
    """Whether a card has been dealt since the last round's end."""
    for one in reversed(log):
        if isinstance(one.event, e.RoundEnded):
            return False
        if isinstance(one.event, e.CardDealt):
            return True
    return False


@pytest.mark.clause("NZ-7.1b", "WA-4.15")
@pytest.mark.parametrize("book", ["nz", "wa"])
def test_wagers_stand_while_the_cutting_card_comes_first_and_a_shoe_is_sealed(book: str, tmp_path: Path) -> None:
    """One player who surrenders uses two cards a round, so that the cutting card is soon the first of one."""
    changed = {"marker_from_back": 160} if book == "wa" else {"marker_from_back": 20, "initial_burn": '"none"'}
    there = Night(table(rulebook=house_rules(tmp_path, book, **changed)), source=practice_bytes("x"))
    there.sit("ann")
    for _ in range(ROUNDS):
        there.until_ready()
        there.bet("ann", 500)
        there.until_over()
    log = there.log()
    drawn = [one.version for one in log if isinstance(one.event, e.CutCardDrawn) and one.event.shuffle == "now"]
    assert drawn
    for version in drawn:
        after = [one.event for one in log[version:]]
        kinds = [type(event) for event in after]
        order = [kinds.index(kind) for kind in (ShoeOpened, ShoeCommitted, ShoeSealed, e.ShoeLoaded, e.CardDealt)]
        assert order == sorted(order)
        dealt = next(event for event in after if isinstance(event, e.CardDealt))
        assert dealt.box in range(1, 8)
    there.check()


def test_a_shoe_that_the_floor_has_shuffled_is_void_and_says_why() -> None:
    there = night("nz")
    there.play(3, PLAYERS, random.Random(1))
    there.until_ready()
    there.must("sue", "supervisor", "a card looks marked", do="supervisor_shuffle", reason="suspect")
    assert [(shoe.fate, shoe.reason) for shoe in there.live.shoes()][:1] == [("voided", "shuffled for: suspect")]
    there.until_ready()
    there.play(3, PLAYERS, random.Random(1))
    there.check()
