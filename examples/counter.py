"""A learner that counts cards: it watches what is dealt, and bets on a tie when the cards left make that worth it.

It knows what a tie pays, and nothing of chances. What it learns is how often another box ties, from how many ranks have
0, 1, 2 ... cards left; it watches before it bets, so that learning costs nothing. Every round has any 52 cards of six
decks left, and all others were seen: `casinowar odds --rulebook wa --counting 52`. The blind twin sees no cards.
"""

import argparse
from time import perf_counter
from typing import NamedTuple

import gymnasium
import numpy as np

import casinowar.envs  # noqa: F401  It makes the environments known.
from casinowar.odds.composition import fresh
from casinowar.odds.counting import counting
from casinowar.odds.figures import study
from casinowar.rulebooks import load_rulebook

TABLES, LEFT, MOST_OF_RANK = 1 << 14, 52, 24


class Earned(NamedTuple):
    """Units in all, what the same bets are worth exactly, how many there were, and what perfect counting is worth."""

    units: float
    worth: float
    bets: int
    perfect: float


def features(unseen: np.ndarray, is_blind: bool) -> np.ndarray:
    """How many of the thirteen ranks have each number of cards left; of who is blind, nothing but one."""
    if is_blind:
        return np.ones((len(unseen), 1))
    ranks = unseen.reshape(-1, 13, 4).sum(axis=2, dtype=np.int64)
    rows = np.arange(len(unseen))[:, None] * (MOST_OF_RANK + 1)
    return np.bincount((rows + ranks).ravel(), minlength=rows.size * (MOST_OF_RANK + 1)).reshape(len(unseen), -1) * 1.0


def learn(rounds: int, seed: int = 1, is_blind: bool = False) -> Earned:
    """Play so many rounds, learning on the way; the first eighth is watched only."""
    rules = load_rulebook("wa")
    pays = rules.cells["tie", "on_win"].odds.numerator
    tables = gymnasium.make_vec(
        "casinowar/Counter-v0", num_envs=TABLES, rulebook=rules, left=LEFT, vectorization_mode="vector_entry_point"
    )
    tie, steps = tables.number("tie"), rounds // TABLES
    unseen, _ = tables.reset(seed=seed)
    size = features(unseen[:1], is_blind).shape[1]
    squares, sums, weights = np.eye(size), np.zeros(size), np.zeros(size)
    units = worth = bets = 0
    for step in range(steps):
        known = features(unseen, is_blind)
        places = ((known @ weights) * (pays + 1) > 1) & (8 * step >= steps)
        ranks = unseen.reshape(-1, 13, 4).sum(axis=2, dtype=np.int64)
        exact = (ranks * (ranks - 1)).sum(axis=1) / (LEFT * (LEFT - 1))
        unseen, rewards, _, _, info = tables.step(np.where(places, tie, 0))
        units, bets = units + rewards.sum(), bets + int(places.sum())
        worth += ((pays + 1) * exact[places] - 1).sum()
        tied = info["cards"][:, 0] // 4 == info["cards"][:, -1] // 4
        squares, sums = squares + known.T @ known, sums + known.T @ tied
        if step % 16 == 0:
            weights = np.linalg.solve(squares, sums)
    perfect = counting(study(rules, fresh(6)), 312 - LEFT)["tie"].gain
    return Earned(float(units), float(worth), bets, float(perfect) * steps * TABLES)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=float, default=1e6)
    chosen = parser.parse_args()
    for name, is_blind in (("counter", False), ("blind twin", True)):
        begin = perf_counter()
        told = learn(int(chosen.rounds), is_blind=is_blind)
        share = told.worth / told.perfect
        print(f"{name}: {told.units:+.0f} units with {told.bets} bets, worth {told.worth:+.0f}, {share:.0%} of perfect")
        print(f"  perfect counting: {told.perfect:.0f}; {perf_counter() - begin:.0f} s")
