"""A chunk played: the kernel for its plan, with the arrays that it needs."""

import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from casinowar.sim import parameters as at
from casinowar.sim.kernel import play
from casinowar.sim.one_box import is_one_box, play_one_box
from casinowar.sim.tallies import sections

NO_CARDS = np.zeros(0, uint8)
NO_NUMBERS = np.zeros(0, int64)


def seed_halves(seed: int) -> NDArray[int64]:
    """The low and the high half of a seed."""
    return np.array([seed & 0xFFFFFFFF, seed >> 32], int64)


def empty_tallies(flat: NDArray[int64]) -> NDArray[int64]:
    if flat[at.FORMAT] != at.FORMAT_NUMBER:
        raise ValueError(f"parameters of format {flat[at.FORMAT]}: this kernel plays format {at.FORMAT_NUMBER}")
    return np.zeros(sections(flat[: at.HEAD].tolist())["end"][0], int64)


def play_chunk(flat: NDArray[int64], seed: int, chunk: int, rounds: int) -> NDArray[int64]:
    """The tallies of a chunk, by the kernel for one box where the plan is of its kind."""
    if is_one_box(flat):
        out = empty_tallies(flat)
        play_one_box(flat, seed_halves(seed), chunk, rounds, out)
        return out
    return play_general(flat, seed, chunk, rounds)


def play_general(flat: NDArray[int64], seed: int, chunk: int, rounds: int) -> NDArray[int64]:
    """The tallies of a chunk by the kernel for every plan."""
    out = empty_tallies(flat)
    play(flat, seed_halves(seed), chunk, rounds, NO_CARDS, NO_NUMBERS, NO_NUMBERS, out)
    return out


def play_given(
    flat: NDArray[int64], cards: NDArray[uint8], starts: NDArray[int64], rounds: int
) -> tuple[NDArray[int64], NDArray[int64]]:
    """Rounds of one table dealt from a given order of cards, stack by stack: the tallies, and what became of each box.

    A card is 4 * the place of its rank in the book's order + the place of its suit in `cdhs`. For each round and each
    of eight boxes there are ten numbers: the index of the outcome or -1, the meter's prize, and eight nets, which are
    filled where a player banks.
    """
    out = empty_tallies(flat)
    log = np.zeros(rounds * at.MOST_BOXES * 10, int64)
    play(flat, seed_halves(0), 0, rounds, cards, starts, log, out)
    return out, log.reshape(rounds, at.MOST_BOXES, 10)
