"""Rounds of one box played step by step, many of them side by side: the kernel of the vectorised environments.

Each table has its own state, and its own stream of the generator: the counter is (round, block, table, stream), so no
two tables share a word. What a round is worth stands in `pays`, by bet, decision and outcome cell.
"""

# An int64 of numpy is an integer to numba, and none to mypy.
# mypy: disable-error-code="arg-type, assignment, return-value"

from numpy import float64, int8, int32, int64, uint8, uint64
from numpy.typing import NDArray

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.hand_cells import first_cell, war_part
from casinowar.sim.kernel.philox import HALF, MASK, philox
from casinowar.sim.kernel.shoe import Numbers

Bytes = NDArray[int8]
ONE, ALL = uint64(1), uint64(1 << 32)
BETTING, DECIDING, OVER = 0, 1, 2
REJECTED = -1

FIRST, WAR = 0, 1
"""Streams of the generator: words of first deals, and of wars."""

SEEN = 10
"""Numbers of an observation: stage, bet, then rank and suit of four cards."""


@compiled
def pair_of(word: uint64, size: int) -> int:
    """Two places of a pool from one word, as first * 2^16 + second of those that are left; or REJECTED.

    Every ordered pair is equally likely among the words that are not rejected.
    """
    pool = uint64(size)
    pairs = pool * (pool - ONE)
    product = word * pool
    one = product >> HALF
    product = (product & MASK) * (pool - ONE)
    low = product & MASK
    if low < pairs and low < ALL % pairs:
        return REJECTED
    return int64(one << uint64(16) | product >> HALF)


@compiled
def next_pair(key: Numbers, table: int, number: int, stream: int, size: int) -> int:
    """Two places out of so many, from the words of this round at this table in a stream of their own."""
    block = 0
    while True:
        words = philox(uint64(number), uint64(block), uint64(table), uint64(stream), uint64(key[0]), uint64(key[1]))
        for word in words:
            pair = pair_of(word, size)
            if pair != REJECTED:
                return pair
        block += 1


@compiled
def deal_first(key: Numbers, table: int, number: int, size: int, cards: NDArray[uint8]) -> int:
    """Deal the first cards to a table; their places come back as first * 2^16 + second."""
    pair = next_pair(key, table, number, FIRST, size)
    one, two = pair >> 16, pair & 0xFFFF
    two += int64(two >= one)
    cards[4 * table] = one % 52
    cards[4 * table + 1] = two % 52
    return one << 16 | two


@compiled
def deal_second(key: Numbers, table: int, number: int, size: int, first: int, cards: NDArray[uint8]) -> None:
    """Deal the cards of a war, out of those that lie at other places than the first ones."""
    pair = next_pair(key, table, number, WAR, size - 2)
    low, high = min(first >> 16, first & 0xFFFF), max(first >> 16, first & 0xFFFF)
    one, two = pair >> 16, pair & 0xFFFF
    two += int64(two >= one)
    one += int64(one >= low)
    one += int64(one >= high)
    two += int64(two >= low)
    two += int64(two >= high)
    cards[4 * table + 2] = one % 52
    cards[4 * table + 3] = two % 52


@compiled
def write_cards(faces: Bytes, cards: NDArray[uint8], table: int, stage: int, bet: int, shown: int, out: Bytes) -> None:
    """Write what the player at a table sees, with so many of its four cards; the row holds nothing yet."""
    row = SEEN * table
    out[row] = stage
    out[row + 1] = bet
    for count in range(shown):
        card = 2 * int64(cards[4 * table + count])
        out[row + 2 + 2 * count] = faces[card]
        out[row + 3 + 2 * count] = faces[card + 1]


@compiled
def step_tables(
    flat: Numbers,
    pays: Numbers,
    shape: Numbers,
    is_asked: NDArray[uint8],
    faces: Bytes,
    key: Numbers,
    actions: Numbers,
    begin: int,
    end: int,
    state: NDArray[int32],
    cards: NDArray[uint8],
    seen: Bytes,
    last: Bytes,
    nets: Numbers,
    rewards: NDArray[float64],
    flags: NDArray[uint8],
) -> None:
    """One step of the tables from `begin` to `end`.

    `shape` has the number of bets, of decisions, the rounds of an episode and the unit of a reward. `state` has four
    numbers for each table: stage, bet, rounds of the episode, rounds of all. `flags` has four: the round is over, the
    episode is over, the action was refused, and one that is free.
    """
    bets, choices, most, unit = shape[0], shape[1], shape[2], shape[3]
    size = flat[at.SIZE]
    for table in range(begin, end):
        own, marks, action = 4 * table, 4 * table, actions[table]
        nets[table] = 0
        rewards[table] = 0.0
        flags[marks] = flags[marks + 1] = flags[marks + 2] = 0
        is_betting = state[own] == BETTING
        if is_betting != (action < bets):
            flags[marks + 2] = 1
            if not is_betting:
                write_cards(faces, cards, table, DECIDING, state[own + 1], 2, seen)
            continue
        shown, decision = 2, 0
        first = 0
        if is_betting:
            first = deal_first(key, table, int64(state[own + 3]), size, cards)
            state[own + 1] = action + 1
        else:
            decision = action - bets
        bet = state[own + 1] - 1
        card, dealer = int64(cards[4 * table]), int64(cards[4 * table + 1])
        cell = first_cell(flat, card, dealer)
        if is_betting and cell >= cells.TIE and is_asked[bet]:
            deal_second(key, table, int64(state[own + 3]), size, first, cards)
            state[own] = DECIDING
            write_cards(faces, cards, table, DECIDING, bet + 1, 2, seen)
            continue
        if decision:
            cell += war_part(flat, int64(cards[4 * table + 2]), int64(cards[4 * table + 3]), card, dealer)
            shown = 4
        net = pays[(bet * choices + decision) * cells.CELLS + cell]
        nets[table] = net
        rewards[table] = net / unit
        flags[marks] = 1
        state[own + 2] += 1
        state[own + 3] += 1
        if state[own + 2] == most:
            flags[marks + 1] = 1
            state[own + 2] = 0
            write_cards(faces, cards, table, OVER, bet + 1, shown, last)
        state[own] = BETTING
        state[own + 1] = 0
