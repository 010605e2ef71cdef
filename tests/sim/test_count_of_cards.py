"""Counted wagers by brute force: every two cards that nobody has seen are paid by hand, their mean held to the bar."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np
import pytest

from casinowar.rulebooks import load_with
from casinowar.sim import make_plan
from casinowar.sim.kernel.chunks import play_given
from casinowar.sim.outcome_cells import CELLS

DECKS = 2
ENOUGH = 80
"""Cards that are dealt from a shoe of 104."""

RANKS, SUITS, RED = "23456789TJQKA", "cdhs", "dh"
ON_WAR = ("war_tie", "war_perfect_pairs")
BURNED_AT_WAR = 3


def pay_tie(own: str, dealers: str) -> int:
    return 10 if own[0] == dealers[0] else -1


def pay_pair(own: str, dealers: str) -> int:
    if own[0] != dealers[0]:
        return -1
    if own[1] == dealers[1]:
        return 30  # With four decks or fewer.
    return 12 if (own[1] in RED) == (dealers[1] in RED) else 5


def pay_ace(own: str, dealers: str) -> int:
    return 10 if own[0] == "A" else -1


PAYS: dict[str, Callable[[str, str], int]] = {
    "tie": pay_tie,
    "war_tie": pay_tie,
    "a_bomb": pay_ace,
    "perfect_pairs": pay_pair,
    "war_perfect_pairs": pay_pair,
}


def worth(wager: str, unseen: list[str]) -> Fraction:
    """What a unit is worth to who knows which cards have not been seen: the mean over every two of them."""
    nets = [PAYS[wager](own, dealers) for own, dealers in permutations(unseen, 2)]
    return Fraction(sum(nets), len(nets))


def placed_by_hand(book: str, shoe: list[str], bars: Mapping[str, Fraction]) -> list[set[str]]:
    """The wagers that are placed in each round of one box that always goes to war."""
    unseen, at = list(shoe), 1

    def see(count: int) -> list[str]:
        nonlocal at
        cards = shoe[at : at + count]
        at += count
        for card in cards:
            unseen.remove(card)
        return cards

    if book == "wa":  # The first card is turned up, and as many more are burned as it is worth.
        unseen.remove(shoe[0])
        at += {"A": 1}.get(shoe[0][0]) or min(RANKS.index(shoe[0][0]) + 2, 10)
    rounds = []
    while at < ENOUGH:
        placed = {wager for wager in bars if wager not in ON_WAR and worth(wager, unseen) > bars[wager]}
        own, dealers = see(2)
        if own[0] == dealers[0]:
            placed |= {wager for wager in bars if wager in ON_WAR and worth(wager, unseen) > bars[wager]}
            at += BURNED_AT_WAR
            see(2)
        rounds.append(placed)
    return rounds


def clumped_shoe(chance: Random) -> list[str]:
    """Like ranks lie together now and then, so that there are wars, and what is left is out of balance."""
    shoe = [rank + suit for rank in RANKS for suit in SUITS] * DECKS
    chance.shuffle(shoe)
    near = {rank: chance.random() for rank in RANKS}
    half = len(shoe) // 2
    return sorted(shoe[:half], key=lambda card: near[card[0]]) + shoe[half:]


@pytest.mark.parametrize("book", ["wa", "ma"])
def test_a_counter_places_what_every_two_unseen_cards_make_worth_it(book: str) -> None:
    rules = load_with(book, {"shoe.decks": DECKS, "shoe.marker_from_back": 1}, any_decks=True)
    wagers = ("tie", "a_bomb", "perfect_pairs", "war_perfect_pairs") if book == "wa" else ("tie", "war_tie")
    times = dict.fromkeys(wagers, 0)
    wars = rounds = 0
    for seed in range(4):
        chance = Random(seed)
        shoe = clumped_shoe(chance)
        bars = {wager: Fraction(chance.randrange(-30, -15), 100) for wager in wagers}
        expected = placed_by_hand(book, shoe, bars)
        plan = make_plan(rules, wagers=("initial", *wagers), counted=bars)
        codes = np.array([4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in shoe])
        _, log = play_given(plan.flat, codes, np.array([0]), len(expected))
        for number, placed in enumerate(expected):
            bits, cell = divmod(int(log[number, 0, 0]), CELLS)
            assert {wager for row, wager in enumerate(plan.counted) if bits >> row & 1} == placed, (seed, number)
            wars += cell >= 8
            for wager in placed:
                times[wager] += 1
        rounds += len(expected)
    for wager, count in times.items():  # Else the bars would say nothing.
        assert 2 <= count <= (wars if wager in ON_WAR else rounds) - 2, (wager, count)
