"""A chunk played: the kernel for its plan, with the arrays that it needs."""

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim.kernel.lanes import can_play_lanes, make_lanes, play_lanes
from casinowar.sim.kernel.one_box import STRETCH, is_one_box, play_one_box
from casinowar.sim.kernel.table_rounds import play
from casinowar.sim.tallies import sections

NO_NUMBERS = np.zeros(0, int64)
LOW = 0xFFFFFFFF


def make_memory(flat: NDArray[int64], seed: int, chunk: int) -> NDArray[int64]:
    """The memory that a chunk begins with."""
    if flat[at.FORMAT] != at.FORMAT_NUMBER:
        raise ValueError(f"parameters of format {flat[at.FORMAT]}: this kernel plays format {at.FORMAT_NUMBER}")
    memory = np.zeros(its.DECK + int(flat[at.SIZE]), int64)
    memory[its.KEY : its.KEY + 2] = seed & LOW, seed >> 32
    memory[its.CHUNK : its.CHUNK + 2] = chunk & LOW, chunk >> 32
    return memory


def make_tallies(flat: NDArray[int64]) -> NDArray[int64]:
    """Tallies in which nothing has been counted."""
    return np.zeros(sections(flat[: at.HEAD].tolist())["end"][0], int64)


def play_chunk(flat: NDArray[int64], seed: int, chunk: int, rounds: int) -> NDArray[int64]:
    """The tallies of a chunk, by the fastest kernel that plays the plan."""
    if not is_one_box(flat):
        return play_general(flat, seed, chunk, rounds)
    out = make_tallies(flat)
    if can_play_lanes(flat, rounds):
        play_lanes(flat, make_memory(flat, seed, chunk), rounds, *make_lanes(flat), out)
        return out
    words, deck = np.zeros(STRETCH, np.uint32), np.zeros(int(flat[at.SIZE]), np.uint8)
    play_one_box(flat, make_memory(flat, seed, chunk), rounds, words, deck, out)
    return out


def play_general(flat: NDArray[int64], seed: int, chunk: int, rounds: int) -> NDArray[int64]:
    """The tallies of a chunk by the kernel for every plan."""
    out = make_tallies(flat)
    play(flat, make_memory(flat, seed, chunk), rounds, NO_NUMBERS, out)
    return out


def play_given(
    flat: NDArray[int64], cards: NDArray[int64], starts: NDArray[int64], rounds: int
) -> tuple[NDArray[int64], NDArray[int64]]:
    """Rounds of one table dealt from a given order of cards, stack by stack: the tallies, and what became of each box.

    A card is 4 * the place of its rank in the book's order + the place of its suit in `cdhs`; `starts` has where each
    stack begins. For each round and each of eight boxes there are ten numbers: the index of the outcome or -1, the
    meter's prize, and eight nets, which are filled where a player banks.
    """
    out, memory = make_tallies(flat), make_memory(flat, 0, 0)
    log = np.zeros(rounds * at.MOST_BOXES * 10, int64)
    memory[its.GIVEN] = memory.size
    memory[its.GIVEN_START] = memory.size + cards.size
    play(flat, np.concatenate([memory, cards, starts]), rounds, log, out)
    return out, log.reshape(rounds, at.MOST_BOXES, 10)
