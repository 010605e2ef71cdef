"""What chance brings too seldom for random tables: tables made for it, on the same shoes for engine and kernel."""

from random import Random
from typing import Any

import numpy as np
import pytest

from casinowar.rulebooks import load_with
from casinowar.sim import Plan, make_plan
from casinowar.sim import tallies as tally
from casinowar.sim.kernel.chunks import play_given
from casinowar.sim.outcome_cells import WAGER_ORDER
from casinowar.sim.pay_table import PayTable
from tests.sim.engine_tables import deal_table

RANKS = "23456789TJQKA"
ALWAYS = dict.fromkeys(RANKS, "war")


def play_both(
    plan: Plan, seed: int, rounds: int, **chosen: Any
) -> tuple[list[list[dict[str, int]]], list[list[dict[str, int]]], list[int]]:
    """What each box netted in each round by the engine and by the kernel, and the kernel's tallies."""
    played = deal_table(
        plan.rules,
        Random(seed),
        boxes=plan.boxes,
        wagers=plan.wagers,
        strategy=[ALWAYS] * plan.boxes,
        rounds=rounds,
        **chosen,
    )
    cards, starts = np.array(played.cards, np.int64), np.array(played.starts, np.int64)
    out, log = play_given(plan.flat, cards, starts, rounds)
    pays, ours = PayTable(plan.rules, plan.wagers), []
    for row in log:
        boxes = []
        for index, prize, *_ in row[: plan.boxes].tolist():
            nets = {wager: pays.net(wager, index) for wager in WAGER_ORDER if wager in plan.wagers}
            boxes.append({w: net + (prize if w == "progressive" else 0) for w, net in nets.items() if net is not None})
        ours.append(boxes)
    return played.nets, ours, out.tolist()


def test_discards_that_come_back_have_a_cutting_card_too() -> None:
    """Seven boxes may take 25 cards, and the cutting card lies 13 from the back: wars run the shoe dry. What comes
    back has its cutting card again, long before it would be dry."""
    rules = load_with("nz", {"shoe.decks": 1, "war.burn": 9, "shoe.initial_burn": "none"}, any_decks=True)
    plan = make_plan(rules, boxes=7, wagers={"initial": 2})
    met = 0
    for seed in range(6):
        engine, kernel, counts = play_both(plan, seed, 60, is_clumped=True)
        assert kernel == engine
        met += counts[tally.DRY_ROUNDS]
    assert met >= 5


def test_the_odd_unit_of_a_prize_that_is_shared() -> None:
    """Eight decks whose like cards lie together, so that several boxes hit the jackpot with the dealer at once."""
    rules = load_with(
        "ma",
        {"wager.progressive": True, "shoe.decks": 8, "war.burn": 0, "progressive.hitters": "split"},
        any_decks=True,
    )
    unit = rules.progressive.unit
    plan = make_plan(rules, boxes=3, wagers={"initial": 2, "progressive": unit}, meter=100_003, meter_runs=True)
    odd = 0
    for seed in range(8):
        engine, kernel, _ = play_both(plan, seed, 40, meter=100_003, is_clumped=True)
        assert kernel == engine
        for row in engine:
            nets = sorted(one["progressive"] for one in row)
            odd += len([net for net in nets if net > 10_000]) > 1 and nets[-1] - nets[-2] == 1
    assert odd >= 3


@pytest.mark.parametrize("opening", ["face_up_plus_value", "one_down"])
def test_a_burn_of_discards_that_would_leave_too_few(opening: str) -> None:
    """One box and 47 cards burned before a war: at any war the shoe runs dry, k cards of it being burned before. Of the
    50 that come back one is burned, and as many as it says only where the other 49 - k still find room: up to k."""
    settings = {
        "shoe.decks": 1,
        "shoe.marker_from_back": 0,
        "shoe.initial_burn": opening,
        "shoe.midround_burn": "as_opening",
        "shoe.short": "shuffle_discards",
        "war.burn": 47,
        "table.boxes": 1,
    }
    plan = make_plan(load_with("wa", settings, any_decks=True), wagers={"initial": 2})
    met = 0
    for seed in range(8):
        engine, kernel, counts = play_both(plan, seed, 60, is_clumped=bool(seed % 2))
        assert kernel == engine
        met += counts[tally.DRY_ROUNDS]
    assert met >= 10
