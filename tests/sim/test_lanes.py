"""Lanes count what the kernel for every plan counts, whatever the book burns and wherever the cutting card lies."""

from typing import Any

import numpy as np
import pytest
from numpy import int64
from numpy.typing import NDArray

from casinowar.rulebooks import load_rulebook, load_with
from casinowar.sim import Plan, make_plan, parameters, tallies
from casinowar.sim.kernel.chunks import make_memory, make_tallies, play_general
from casinowar.sim.kernel.lanes import LANES, can_play_lanes, make_lanes, play_lanes

SEED, CHUNK = 0xFEDC_BA98_7654_3210, (5 << 32) + 7
ANSWERS = {rank: "war" if rank in "3579JKA" else "surrender" for rank in "23456789TJQKA"}


def play_in_lanes(flat: NDArray[int64], rounds: int) -> NDArray[int64]:
    out = make_tallies(flat)
    play_lanes(flat, make_memory(flat, SEED, CHUNK), rounds, *make_lanes(flat), out)
    return out


@pytest.mark.parametrize(
    ("book", "changed", "chosen"),
    [
        ("wa", {}, {}),
        ("wa", {"shoe.decks": 1, "shoe.marker_from_back": 13}, {}),
        ("wa", {"shoe.round_burn": 1, "war.burn": 1}, {"strategy": ANSWERS}),
        ("nz", {}, {"strategy": "surrender"}),
        ("ctg", {"shoe.marker_from_back": 60}, {}),
        ("ma", {"shoe.decks": 8}, {}),
    ],
)
def test_lanes_count_the_same(book: str, changed: dict[str, object], chosen: dict[str, Any]) -> None:
    rules = load_with(book, changed, any_decks=True)
    flat = make_plan(rules, wagers=("initial", "tie"), **chosen).flat
    flat[parameters.TABLE_ROUNDS] = 202
    rounds = 2 * LANES * 202
    assert can_play_lanes(flat, rounds)
    ours, theirs = play_in_lanes(flat, rounds), play_general(flat, SEED, CHUNK, rounds)
    assert np.array_equal(ours, theirs)
    assert ours[tallies.SHOES] > 0


def test_words_that_are_rejected_are_replaced_alike() -> None:
    """A chunk of a million rounds has some twenty words that are not fair to every pair of cards."""
    plan = make_plan(load_rulebook("wa"), wagers=("initial", "tie"))
    flat, rounds = plan.flat, plan.chunk_rounds
    assert np.array_equal(play_in_lanes(flat, rounds), play_general(flat, SEED, CHUNK, rounds))


def plan_of(**chosen: Any) -> Plan:
    return make_plan(load_rulebook("wa"), **chosen)


def test_lanes_play_whole_rows_of_shoes_for_one_box_alone() -> None:
    whole = plan_of(wagers=("initial",)).chunk_rounds
    assert can_play_lanes(plan_of(wagers=("initial",)).flat, whole)
    assert not can_play_lanes(plan_of(wagers=("initial",)).flat, whole - 1)
    assert not can_play_lanes(plan_of(wagers=("initial",), fresh=True).flat, whole)
    assert not can_play_lanes(plan_of(wagers=("initial",), boxes=2).flat, whole)
    assert not can_play_lanes(plan_of().flat, whole)
