"""The kernel for one box, which gives the same tallies as the general one.

First all words of a stretch of first deals are made in one loop, which a compiler can turn into lanes; then the rounds
are played. What most rounds are, won or lost without a war, is counted in four numbers, and a tie is looked at closer.
"""

from numpy import int64, uint8, uint32, uint64
from numpy.typing import NDArray

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim import tallies as tally
from casinowar.sim.kernel.account import count_prize
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.hand_cells import first_cell, is_jackpot, war_part
from casinowar.sim.kernel.philox import HALF, MASK, philox, write_words
from casinowar.sim.kernel.shoe import TAG, Numbers

Words = NDArray[uint32]
Cards = NDArray[uint8]
ONE, TWO, ALL = uint64(1), uint64(2), uint64(1 << 32)
"""Unsigned throughout: a place that may be negative would be looked at twice."""

STRETCH = 1024
"""Words of first deals that are made at once, one for each round."""


def is_one_box(flat: NDArray[int64]) -> bool:
    """Whether a plan is of the kind that this kernel plays: one box with an initial wager, and no shoe runs dry."""
    told = (at.BANK, at.COUNTED, at.SESSION, at.METER_RUNS)
    if flat[at.BOXES] != 1 or not flat[at.HAS_INITIAL] or any(flat[place] for place in told):
        return False
    if flat[at.DEALER_FIRST] or flat[at.WAR_DEALER_FIRST] or not flat[at.CUT_MID]:
        return False
    if flat[at.RENEWAL]:
        return bool(flat[at.OPENING] < 2)
    last = min(flat[at.SIZE] - 1, flat[at.CUT] - flat[at.CUT_FIRST])
    return bool(last + flat[at.ROUND_BURN] + flat[at.WAR_BURN] + flat[at.BANKER_BURN] + 4 <= flat[at.SIZE])


@compiled
def make_words(memory: Numbers, words: Words, first: int, count: int) -> None:
    """The words of first deals from a round on that is a multiple of four; a few more than so many are made."""
    table = uint64(memory[its.TABLE])
    low, high = uint64(memory[its.CHUNK]), uint64(memory[its.CHUNK + 1])
    key, other = uint64(memory[its.KEY]), uint64(memory[its.KEY + 1])
    begin = first >> 2
    for block in range((count + 3) >> 2):
        c0, c1, c2, c3 = philox(uint64(begin + block), table, low, high, key, other)
        words[4 * block] = c0
        words[4 * block + 1] = c1
        words[4 * block + 2] = c2
        words[4 * block + 3] = c3


@compiled
def next_reserve(memory: Numbers, number: int) -> uint64:
    """The next word of a round's reserve; its block is made again each time, since it is seldom needed."""
    count = memory[its.RESERVED]
    write_words(memory, number, memory[its.TABLE] + (((count >> 2) + 1) << TAG), its.WORD + 4)
    memory[its.RESERVED] = count + 1
    return uint64(memory[its.WORD + 4 + (count & 3)])


@compiled
def accepted(memory: Numbers, number: int, word: uint64, pool: uint64) -> uint64:
    """The word itself, or the first of the reserve with which every pair of cards is equally likely."""
    pairs = pool * (pool - ONE)
    while ((word * pool & MASK) * (pool - ONE) & MASK) < ALL % pairs:
        word = next_reserve(memory, number)
    return word


@compiled
def war_word(memory: Numbers, number: int, pool: uint64, taken: int) -> uint64:
    """The word of a war: the first of the reserve, unless the round has taken some already."""
    if taken:
        return accepted(memory, number, next_reserve(memory, number), pool)
    stream = uint64(memory[its.TABLE] + (1 << TAG))
    low, high = uint64(memory[its.CHUNK]), uint64(memory[its.CHUNK + 1])
    word = philox(uint64(number), stream, low, high, uint64(memory[its.KEY]), uint64(memory[its.KEY + 1]))[0]
    if ((word * pool & MASK) * (pool - ONE) & MASK) < pool * (pool - ONE):
        memory[its.RESERVED] = 1
        return accepted(memory, number, word, pool)
    return word


@compiled
def draw(deck: Cards, place: uint64, pool: uint64) -> int:
    """Take the card at a place of the pool; the last of the pool takes its place. Done twice, it undoes itself."""
    card = deck[place]
    deck[place] = deck[pool - ONE]
    deck[pool - ONE] = card
    return int64(card)


@compiled
def count_tie(
    flat: Numbers,
    memory: Numbers,
    out: Numbers,
    deck: Cards,
    number: int,
    card: int,
    dealer: int,
    pool: uint64,
    taken: int,
) -> int:
    """Count a tie, with its war if there is one: how many cards were turned for that, from the places in JOURNAL."""
    cell = first_cell(flat, card, dealer)
    if flat[at.WAR_RANKS] >> (card >> 2) & 1 == 0:
        out[tally.HIGH + cell] += 1
        return 0
    product = war_word(memory, number, pool, taken) * pool
    one, two = product >> HALF, (product & MASK) * (pool - ONE) >> HALF
    memory[its.JOURNAL], memory[its.JOURNAL + 1] = int64(one), int64(two)
    again = draw(deck, one, pool)
    cell += war_part(flat, again, draw(deck, two, pool - ONE), card, dealer)
    out[tally.HIGH + cell] += 1
    if flat[at.TELLS_LINES] and is_jackpot(flat, cell):
        out[tally.JACKPOTS] += 1
        count_prize(flat, out, cell, flat[at.METER] * flat[at.METER_NUMERATOR] // flat[at.METER_DENOMINATOR])
    return 2


@compiled
def count_rest(out: Numbers, lost: int, won: int, aces: int, aces_won: int) -> None:
    """Count the rounds that were no tie; `lost` and `won` have those with an ace in them, which are told apart."""
    out[tally.HIGH + cells.LOSS] += lost - aces + aces_won
    out[tally.HIGH + cells.WIN] += won - aces_won
    out[tally.HIGH + cells.LOSS + cells.ACES] += aces - aces_won
    out[tally.HIGH + cells.WIN + cells.ACES] += aces_won


@compiled
def play_fresh(
    flat: Numbers, memory: Numbers, out: Numbers, words: Words, deck: Cards, wanted: int, ace: int | None
) -> None:
    """A table where each round has a new stack; `ace` is the rank of an ace where one is told apart."""
    size = uint64(flat[at.SIZE])
    pairs = size * (size - ONE)
    burns = flat[at.WAR_BURN] + flat[at.BANKER_BURN]
    wins = ties = aces = aces_won = squares = more = 0
    opening = (flat[at.OPENING] if flat[at.RENEWAL] == at.FRESH else 0) + flat[at.ROUND_BURN] + 2
    dealt = opening
    for number in range(wanted):
        step = number & (STRETCH - 1)
        if step == 0:
            make_words(memory, words, number, min(STRETCH, wanted - number))
        word = uint64(words[step])
        one = word * size >> HALF
        product = (word * size & MASK) * (size - ONE)
        taken = 0
        if product & MASK < pairs:
            memory[its.RESERVED] = 0
            word = accepted(memory, number, word, size)
            one = word * size >> HALF
            product = (word * size & MASK) * (size - ONE)
            taken = memory[its.RESERVED]
        two = product >> HALF
        card = int64(deck[one])
        dealer = int64(deck[size - ONE] if two == one else deck[two])
        mine, theirs = card >> 2, dealer >> 2
        dealt = opening
        wins += int(mine > theirs)
        if ace is not None:
            aces += int(mine == ace)
            aces_won += int(mine == ace) & int(mine > theirs)
        if mine == theirs:
            ties += 1
            if ace is not None:
                aces -= int(mine == ace)
            draw(deck, one, size)
            draw(deck, two, size - ONE)
            if count_tie(flat, memory, out, deck, number, card, dealer, size - TWO, taken):
                draw(deck, uint64(memory[its.JOURNAL + 1]), size - TWO - ONE)
                draw(deck, uint64(memory[its.JOURNAL]), size - TWO)
                dealt += burns + 2
                more += burns + 2
                squares += dealt * dealt - opening * opening
            draw(deck, two, size - ONE)
            draw(deck, one, size)
    count_rest(out, wanted - wins - ties, wins, aces, aces_won)
    if flat[at.RENEWAL] == at.FRESH:
        out[tally.SHOES] += wanted - 1
        out[tally.SHOE_ROUNDS] += wanted - 1
        out[tally.SHOE_ROUNDS_SQUARED] += wanted - 1
        out[tally.SHOE_CARDS] += wanted * opening + more - dealt
        out[tally.SHOE_CARDS_SQUARED] += wanted * opening * opening + squares - dealt * dealt


@compiled
def open_shoe(flat: Numbers, memory: Numbers, deck: Cards, number: int) -> int:
    """How many cards are burned of a new stack; the face that is turned up is taken out of the pool."""
    if flat[at.OPENING] < 2:
        return flat[at.OPENING]
    size = uint64(flat[at.SIZE])
    word = next_reserve(memory, number)
    while word * size & MASK < ALL % size:
        word = next_reserve(memory, number)
    return 1 + flat[at.BURN_VALUE + (draw(deck, word * size >> HALF, size) >> 2)]


@compiled
def play_shoes(
    flat: Numbers, memory: Numbers, out: Numbers, words: Words, deck: Cards, wanted: int, ace: int | None
) -> None:
    """A table whose shoe is dealt to the cutting card."""
    size = flat[at.SIZE]
    full = uint64(size) - ONE if flat[at.OPENING] == 2 else uint64(size)
    limit = min(size, flat[at.CUT] + 1 - flat[at.CUT_FIRST])
    burns = flat[at.WAR_BURN] + flat[at.BANKER_BURN]
    usual = flat[at.ROUND_BURN] + 2
    wins = ties = aces = aces_won = began = 0
    pool = full
    position = limit
    for number in range(wanted):
        step = number & (STRETCH - 1)
        if step == 0:
            make_words(memory, words, number, min(STRETCH, wanted - number))
        taken = 0
        if position >= limit:
            if number:
                rounds = number - began
                out[tally.SHOES] += 1
                out[tally.SHOE_ROUNDS] += rounds
                out[tally.SHOE_ROUNDS_SQUARED] += rounds * rounds
                out[tally.SHOE_CARDS] += position
                out[tally.SHOE_CARDS_SQUARED] += position * position
            memory[its.RESERVED] = 0
            position = open_shoe(flat, memory, deck, number)
            taken = memory[its.RESERVED]
            pool = full
            began = number
        word = uint64(words[step])
        one = word * pool >> HALF
        product = (word * pool & MASK) * (pool - ONE)
        if product & MASK < pool * (pool - ONE):
            memory[its.RESERVED] = taken
            word = accepted(memory, number, word, pool)
            one = word * pool >> HALF
            product = (word * pool & MASK) * (pool - ONE)
            taken = memory[its.RESERVED]
        card = draw(deck, one, pool)
        dealer = draw(deck, product >> HALF, pool - ONE)
        mine, theirs = card >> 2, dealer >> 2
        pool -= TWO
        position += usual
        wins += int(mine > theirs)
        if ace is not None:
            aces += int(mine == ace)
            aces_won += int(mine == ace) & int(mine > theirs)
        if mine == theirs:
            ties += 1
            if ace is not None:
                aces -= int(mine == ace)
            if count_tie(flat, memory, out, deck, number, card, dealer, pool, taken):
                pool -= TWO
                position += burns + 2
    count_rest(out, wanted - wins - ties, wins, aces, aces_won)


@compiled
def play_one_box(flat: Numbers, memory: Numbers, rounds: int, words: Words, deck: Cards, out: Numbers) -> None:
    """Play so many rounds of a chunk and add them to the tallies in `out`."""
    done = table = 0
    while done < rounds:
        wanted = min(flat[at.TABLE_ROUNDS], rounds - done)
        memory[its.TABLE] = table
        for place in range(flat[at.SIZE]):
            deck[place] = place % 52
        if flat[at.RENEWAL] and flat[at.TELLS_ACE]:
            play_fresh(flat, memory, out, words, deck, wanted, flat[at.ACE])
        elif flat[at.RENEWAL]:
            play_fresh(flat, memory, out, words, deck, wanted, None)
        elif flat[at.TELLS_ACE]:
            play_shoes(flat, memory, out, words, deck, wanted, flat[at.ACE])
        else:
            play_shoes(flat, memory, out, words, deck, wanted, None)
        out[tally.ROUNDS] += wanted
        done += wanted
        table += 1
