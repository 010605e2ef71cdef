"""The kernel for one box in lanes: tables of a chunk side by side, with the same tallies as one after the other.

Each table has words of its own, so that their order does not matter. Words, places of cards and comparisons of all
lanes are made in loops that become vectors. What cannot go in step is done lane by lane: swaps in the decks, new shoes,
and wars, whose words are made together all the same.
"""

import numpy as np
from numpy import int64, uint8, uint32, uint64
from numpy.typing import NDArray

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim import tallies as tally
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.one_box import is_one_box
from casinowar.sim.kernel.philox import HALF, MASK, philox

Numbers = NDArray[int64]
Lanes = NDArray[uint32]
Ranks = NDArray[uint8]
Place = int | uint64

LANES = 128
L = uint64(LANES)
POOL, POSITION, BEGUN, FIRST, SECOND, MINE, THEIRS, TAKEN, TIED = (uint64(LANES * row) for row in range(9))
"""Rows of one number for each lane: of the shoe, the places of its two cards, their ranks, words taken of the reserve;
in TIED stand the lanes that are tied."""

WORD, WAR_WORD, ROWS = 9 * LANES, 13 * LANES, 14
"""Four rows of words of first deals, and one of first words of wars, in the order of TIED."""

WIDTH = 16
"""Lanes of the widest vector: so many more words may be made than are needed."""

NONE, ONE, TWO, THREE, TAG = uint64(0), uint64(1), uint64(2), uint64(3), uint64(24)
ALL, RANK_CARDS, DECK_CARDS = uint64(1 << 32), uint64(2), uint64(52)


def can_play_lanes(flat: Numbers, rounds: int) -> bool:
    """Whether lanes can play so many rounds of a plan: a shoe for one box, ranks alone, and tables for whole rows."""
    told = (at.TELLS_ACE, at.TELLS_PAIR, at.TELLS_SECOND_PAIR, at.TELLS_LINES, at.RENEWAL)
    if not is_one_box(flat) or any(flat[place] for place in told):
        return False
    return rounds % (LANES * int(flat[at.TABLE_ROUNDS])) == 0


def make_lanes(flat: Numbers) -> tuple[Lanes, Ranks]:
    """Room for the rows of all lanes, and for their decks."""
    return np.zeros(LANES * ROWS + WIDTH, uint32), np.zeros(LANES * int(flat[at.SIZE]), uint8)


@compiled
def make_first_words(memory: Numbers, lanes: Lanes, table: Place, block: Place) -> None:
    """The words of four first deals of every lane."""
    low, high = uint64(memory[its.CHUNK]), uint64(memory[its.CHUNK + 1])
    key, other = uint64(memory[its.KEY]), uint64(memory[its.KEY + 1])
    for lane in range(LANES):
        c0, c1, c2, c3 = philox(uint64(block), table + uint64(lane), low, high, key, other)
        lanes[WORD + lane] = c0
        lanes[WORD + LANES + lane] = c1
        lanes[WORD + 2 * LANES + lane] = c2
        lanes[WORD + 3 * LANES + lane] = c3


@compiled
def make_war_words(memory: Numbers, lanes: Lanes, table: Place, number: Place, count: Place) -> None:
    """The first words of the reserves of those lanes that are tied."""
    low, high = uint64(memory[its.CHUNK]), uint64(memory[its.CHUNK + 1])
    key, other = uint64(memory[its.KEY]), uint64(memory[its.KEY + 1])
    stream = table + (ONE << TAG)
    for place in range((int64(count) + 7) & ~7):
        word, _, _, _ = philox(uint64(number), stream + uint64(lanes[TIED + uint64(place)]), low, high, key, other)
        lanes[WAR_WORD + place] = word


@compiled
def reserve_word(memory: Numbers, lanes: Lanes, table: Place, number: Place, lane: Place) -> uint64:
    """The next word of a round's reserve; its block is made again each time, since it is seldom needed."""
    taken = uint64(lanes[TAKEN + lane])
    lanes[TAKEN + lane] = taken + ONE
    c0, c1, c2, c3 = philox(
        uint64(number),
        table + lane + (((taken >> TWO) + ONE) << TAG),
        uint64(memory[its.CHUNK]),
        uint64(memory[its.CHUNK + 1]),
        uint64(memory[its.KEY]),
        uint64(memory[its.KEY + 1]),
    )
    which = taken & THREE
    return c0 if which == NONE else c1 if which == ONE else c2 if which == TWO else c3


@compiled
def place_pair(memory: Numbers, lanes: Lanes, table: Place, number: Place, lane: Place, word: uint64) -> None:
    """The places of two cards of one lane, with words of the reserve until every pair is equally likely."""
    pool = uint64(lanes[POOL + lane])
    pairs = pool * (pool - ONE)
    while True:
        product = word * pool
        second = (product & MASK) * (pool - ONE)
        if second & MASK >= pairs or second & MASK >= ALL % pairs:
            break
        word = reserve_word(memory, lanes, table, number, lane)
    lanes[FIRST + lane] = product >> HALF
    lanes[SECOND + lane] = second >> HALF


@compiled
def take_pair(lanes: Lanes, decks: Ranks, begin: Place, lane: Place) -> None:
    """Take two cards out of the deck that begins there; each goes behind the pool."""
    last = begin + uint64(lanes[POOL + lane]) - ONE
    first, second = begin + uint64(lanes[FIRST + lane]), begin + uint64(lanes[SECOND + lane])
    mine = decks[first]
    decks[first] = decks[last]
    theirs = decks[second]
    decks[second] = decks[last - ONE]
    decks[last - ONE] = theirs
    decks[last] = mine
    lanes[MINE + lane] = mine
    lanes[THEIRS + lane] = theirs


@compiled
def open_shoe(
    flat: Numbers,
    memory: Numbers,
    lanes: Lanes,
    decks: Ranks,
    table: Place,
    number: Place,
    lane: Place,
    out: Numbers,
) -> None:
    """Count the shoe that is at its end, and bring in a new one with its opening burn."""
    size, begin = uint64(flat[at.SIZE]), lane * uint64(flat[at.SIZE])
    if number:
        rounds, dealt = int64(number) - int64(lanes[BEGUN + lane]), int64(lanes[POSITION + lane])
        out[tally.SHOES] += 1
        out[tally.SHOE_ROUNDS] += rounds
        out[tally.SHOE_ROUNDS_SQUARED] += rounds * rounds
        out[tally.SHOE_CARDS] += dealt
        out[tally.SHOE_CARDS_SQUARED] += dealt * dealt
    lanes[BEGUN + lane] = number
    lanes[POOL + lane] = size
    lanes[POSITION + lane] = flat[at.OPENING]
    if flat[at.OPENING] < 2:
        return
    word = reserve_word(memory, lanes, table, number, lane)
    while word * size & MASK < ALL % size:
        word = reserve_word(memory, lanes, table, number, lane)
    place, last = begin + (word * size >> HALF), begin + size - ONE
    rank = decks[place]
    decks[place] = decks[last]
    decks[last] = rank
    lanes[POOL + lane] = size - ONE
    lanes[POSITION + lane] = 1 + flat[at.BURN_VALUE + int64(rank)]


@compiled
def play_wars(
    flat: Numbers,
    memory: Numbers,
    lanes: Lanes,
    decks: Ranks,
    table: Place,
    number: Place,
    count: Place,
    out: Numbers,
) -> None:
    """The ties of a round, with their wars."""
    make_war_words(memory, lanes, table, number, count)
    taken = uint64(2 + flat[at.WAR_BURN] + flat[at.BANKER_BURN])
    for place in range(count):
        lane = uint64(lanes[TIED + place])
        if flat[at.WAR_RANKS] >> int64(lanes[MINE + lane]) & 1 == 0:
            out[tally.HIGH + cells.TIE + cells.NO_WAR] += 1
            continue
        if lanes[TAKEN + lane]:
            word = reserve_word(memory, lanes, table, number, lane)
        else:
            word = uint64(lanes[uint64(WAR_WORD) + place])
            lanes[TAKEN + lane] = ONE
        place_pair(memory, lanes, table, number, lane, word)
        take_pair(lanes, decks, lane * uint64(flat[at.SIZE]), lane)
        mine, theirs = lanes[MINE + lane], lanes[THEIRS + lane]
        part = cells.WAR_LOSS if mine < theirs else cells.WAR_WIN if mine > theirs else cells.WAR_TIE
        out[tally.HIGH + cells.TIE + part] += 1
        lanes[POOL + lane] -= TWO
        lanes[POSITION + lane] += taken


@compiled
def start_lanes(flat: Numbers, lanes: Lanes, decks: Ranks, limit: Place) -> None:
    """A new table in each lane, whose shoe is due."""
    size = uint64(flat[at.SIZE])
    for lane in range(L):
        for place in range(size):
            decks[lane * size + place] = place % DECK_CARDS >> RANK_CARDS
        lanes[POSITION + lane] = limit
        lanes[TIED + lane] = NONE


@compiled
def play_rows(flat: Numbers, memory: Numbers, lanes: Lanes, decks: Ranks, table: Place, out: Numbers) -> None:
    """One table in each lane from its first round to its last; the first lane has table number `table`."""
    size, step = uint64(flat[at.SIZE]), uint64(flat[at.ROUND_BURN] + 2)
    limit = uint64(min(flat[at.SIZE], flat[at.CUT] + 1 - flat[at.CUT_FIRST]))
    wanted = uint64(flat[at.TABLE_ROUNDS])
    wins = ties = NONE
    start_lanes(flat, lanes, decks, limit)
    for number in range(wanted):
        if number & THREE == NONE:
            make_first_words(memory, lanes, table, number >> TWO)
        due = rejected = count = NONE
        for lane in range(L):
            lanes[TAKEN + lane] = NONE
            due |= uint64(lanes[POSITION + lane] >= limit)
        if due:
            for lane in range(L):
                if lanes[POSITION + lane] >= limit:
                    open_shoe(flat, memory, lanes, decks, table, number, lane, out)
        word = uint64(WORD) + (number & THREE) * L
        for lane in range(L):
            pool = uint64(lanes[POOL + lane])
            product = uint64(lanes[word + lane]) * pool
            second = (product & MASK) * (pool - ONE)
            lanes[FIRST + lane] = product >> HALF
            lanes[SECOND + lane] = second >> HALF
            rejected |= uint64(second & MASK < pool * (pool - ONE))
        if rejected:
            for lane in range(L):
                place_pair(memory, lanes, table, number, lane, uint64(lanes[word + lane]))
        for lane in range(L):
            take_pair(lanes, decks, lane * size, lane)
        for lane in range(L):
            lanes[POOL + lane] -= TWO
            lanes[POSITION + lane] += step
            wins += uint64(lanes[MINE + lane] > lanes[THEIRS + lane])
        for lane in range(L):
            lanes[TIED + count] = lane
            count += uint64(lanes[MINE + lane] == lanes[THEIRS + lane])
        ties += count
        play_wars(flat, memory, lanes, decks, table, number, count, out)
    out[tally.ROUNDS] += int64(L * wanted)
    out[tally.HIGH + cells.WIN] += int64(wins)
    out[tally.HIGH + cells.LOSS] += int64(L * wanted - wins - ties)


@compiled
def play_lanes(flat: Numbers, memory: Numbers, rounds: int, lanes: Lanes, decks: Ranks, out: Numbers) -> None:
    """Play so many rounds of a chunk, of which `can_play_lanes` is true, and add them to the tallies in `out`."""
    tables = rounds // flat[at.TABLE_ROUNDS]
    for table in range(0, tables, LANES):
        play_rows(flat, memory, lanes, decks, uint64(table), out)
