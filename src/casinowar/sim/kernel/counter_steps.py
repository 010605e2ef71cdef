"""Rounds of a shoe that is dealt on, many shoes side by side, with the cards that nobody has seen of each.

At each table some others bet on an initial wager, and behind them the player does or does not. All of them go to war at
every tie. A card that is burned face down stays among those that can be drawn, since nobody has seen it.
"""

# An int64 of numpy is an integer to numba, and none to mypy.
# mypy: disable-error-code="arg-type, assignment, return-value"

from numpy import float64, int8, int64, uint8, uint64
from numpy.typing import NDArray

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.hand_cells import first_cell, war_part
from casinowar.sim.kernel.philox import philox
from casinowar.sim.kernel.shoe import Numbers
from casinowar.sim.kernel.war_steps import REJECTED, pair_of

Bytes = NDArray[uint8]
STREAM = 2
POOL, POSITION, WORDS, BEGUN, STATE = 0, 1, 2, 3, 4
"""The state of a table: undrawn cards, cards that have left the stack, words taken, whether a shoe is there."""

MOST_DEALT = 32
NO_CARD = -1


@compiled
def draw_places(key: Numbers, state: Numbers, table: int, size: int) -> int:
    """Two places out of so many, as first * 2^16 + second of those that are left then."""
    own = STATE * table
    while True:
        count = state[own + WORDS]
        state[own + WORDS] = count + 1
        c0, c1, c2, c3 = philox(
            uint64(count >> 2 & 0xFFFFFFFF),
            uint64(count >> 34),
            uint64(table),
            uint64(STREAM),
            uint64(key[0]),
            uint64(key[1]),
        )
        which = count & 3
        pair = pair_of(c0 if which == 0 else c1 if which == 1 else c2 if which == 2 else c3, size)
        if pair != REJECTED:
            return pair


@compiled
def take(decks: Bytes, state: Numbers, unseen: Bytes, table: int, size: int, place: int) -> int:
    """Take the card at a place of the pool, and see it; the last of the pool takes its place."""
    pool, deck = state[STATE * table + POOL] - 1, size * table
    card = decks[deck + place]
    decks[deck + place] = decks[deck + pool]
    decks[deck + pool] = card
    state[STATE * table + POOL] = pool
    unseen[52 * table + int64(card)] -= 1
    return int64(card)


@compiled
def open_shoe(flat: Numbers, key: Numbers, state: Numbers, decks: Bytes, unseen: Bytes, table: int, left: int) -> None:
    """Bring in a new shoe: a full one with its opening burn, or any `left` cards, all others having been seen."""
    size, own, seen = flat[at.SIZE], STATE * table, 52 * table
    deck = size * table
    if not state[own + BEGUN]:
        state[own + BEGUN] = 1
        for place in range(size):
            decks[deck + place] = place % 52
    if left:
        for card in range(52):
            unseen[seen + card] = 0
        for place in range(0, left, 2):
            pair = draw_places(key, state, table, size - place)
            for step in range(2):
                here, there = deck + place + step, deck + place + step + (pair & 0xFFFF if step else pair >> 16)
                card = decks[here]
                decks[here] = decks[there]
                decks[there] = card
                if place + step < left:
                    unseen[seen + int64(decks[here])] += 1
        state[own + POOL] = left
        state[own + POSITION] = size - left
        return
    for card in range(52):
        unseen[seen + card] = flat[at.DECKS]
    state[own + POOL] = size
    state[own + POSITION] = flat[at.OPENING]
    if flat[at.OPENING] == 2:
        pair = draw_places(key, state, table, size)
        card = take(decks, state, unseen, table, size, pair >> 16)
        state[own + POSITION] = 1 + flat[at.BURN_VALUE + (card >> 2)]


@compiled
def draw_cards(
    flat: Numbers, key: Numbers, state: Numbers, decks: Bytes, unseen: Bytes, table: int, count: int, drawn: Numbers
) -> None:
    """Draw so many cards that are turned up."""
    size = flat[at.SIZE]
    for place in range(0, count, 2):
        pair = draw_places(key, state, table, state[STATE * table + POOL])
        drawn[place] = take(decks, state, unseen, table, size, pair >> 16)
        if place + 1 < count:
            drawn[place + 1] = take(decks, state, unseen, table, size, pair & 0xFFFF)


@compiled
def count_steps(
    flat: Numbers,
    pays: Numbers,
    shape: Numbers,
    is_asked: Bytes,
    key: Numbers,
    actions: Numbers,
    begin: int,
    end: int,
    state: Numbers,
    decks: Bytes,
    unseen: Bytes,
    drawn: Numbers,
    seconds: Numbers,
    last: Bytes,
    dealt: NDArray[int8],
    nets: Numbers,
    rewards: NDArray[float64],
    over: Bytes,
) -> None:
    """One round at the tables from `begin` to `end`.

    `shape` has how many others bet, the cards left in a shoe that begins late or 0, and the unit of a reward. Action 0
    sits the round out; `pays` and `is_asked` have a row for each action. `dealt` has the first cards of the others,
    the player and the dealer.
    """
    others, left, unit = shape[0], shape[1], shape[2]
    limit = min(flat[at.SIZE], flat[at.CUT] + 1 - flat[at.CUT_FIRST])
    for table in range(begin, end):
        action, own, row = actions[table], STATE * table, (others + 2) * table
        hands = others + (1 if action else 0)
        draw_cards(flat, key, state, decks, unseen, table, hands + 1, drawn)
        dealer = drawn[hands]
        wars = 0
        for count in range(hands):
            dealt[row + count] = drawn[count]
            is_at_war = drawn[count] >> 2 == dealer >> 2 and (count < others or is_asked[action])
            wars += 1 if is_at_war else 0
        if not action:
            dealt[row + others] = NO_CARD
        dealt[row + others + 1] = dealer
        taken = flat[at.ROUND_BURN] + hands + 1
        cell = first_cell(flat, drawn[others], dealer) if action else 0
        if wars:
            draw_cards(flat, key, state, decks, unseen, table, wars + 1, seconds)
            taken += flat[at.WAR_BURN] + flat[at.BANKER_BURN] + wars + 1
            if cell >= cells.TIE and is_asked[action]:
                cell += war_part(flat, seconds[wars - 1], seconds[wars], drawn[others], dealer)
        net = pays[action * cells.CELLS + cell]
        nets[table] = net
        rewards[table] = net / unit
        state[own + POSITION] += taken
        over[table] = 1 if left or state[own + POSITION] >= limit else 0
        if over[table]:
            for card in range(52):
                last[52 * table + card] = unseen[52 * table + card]
            open_shoe(flat, key, state, decks, unseen, table, left)


@compiled
def open_shoes(
    flat: Numbers, key: Numbers, state: Numbers, decks: Bytes, unseen: Bytes, begin: int, end: int, left: int
) -> None:
    """Bring new shoes to the tables from `begin` to `end`."""
    for table in range(begin, end):
        open_shoe(flat, key, state, decks, unseen, table, left)
