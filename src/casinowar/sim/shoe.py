"""The shoe of the kernel: a pool of undrawn cards, the place of the cutting card, burns, and shoes that run dry.

A card is 4 * place of its rank in the book's order + suit, suits in the order c d h s. Who draws a card takes any of the
pool; a card that is burned face down stays in the pool, and only the place in the stack moves on.
"""

from typing import NamedTuple

from numpy import int64, uint8, uint64
from numpy.typing import NDArray

from casinowar.sim import parameters as at
from casinowar.sim.compilation import compiled
from casinowar.sim.philox import philox

Numbers = NDArray[int64]
Cards = NDArray[uint8]
Words = NDArray[uint64]


class Shoe(NamedTuple):
    """All that draws need: the parameters, the state, and arrays that are made once for a chunk.

    `unseen` counts cards that were not turned up, where somebody counts; `hands` has the cards on the layout, and
    `drawn` those of the deal that is on. `given` is an order of cards to deal instead of draws, stack by stack from
    each of `starts` on.
    """

    flat: Numbers
    state: Numbers
    deck: Cards
    words: Words
    unseen: Numbers
    journal: Numbers
    hands: Numbers
    drawn: Numbers
    given: Cards
    starts: Numbers


# The state of a table, in one array.
POOL = 0  # Undrawn cards: the first of the deck.
POSITION = 1  # Cards that have left the stack, burned ones too.
STACK = 2  # Cards that the stack had.
CUT_AT = 3  # Cards before the cutting card, NO_CUT once it is out.
PENDING = 4  # 1: the cards are shuffled before the next round.
QUEUE = 5  # Draws that are still due in this deal.
IN_PLAY = 6  # Cards on the layout, which stand in `hands`.
RESERVED = 7  # Words that the round has taken of its reserve.
FIRST_WORDS = 8  # Words that it has taken for its first deal.
TABLE = 9
ROUND = 10
BLOCK = 11  # Which block of first words, and of the reserve, lies in `words`.
RESERVE_BLOCK = 12
GIVEN_AT = 13  # The next card of a given order, and how many stacks of it have been begun.
GIVEN_STACKS = 14
JOURNAL = 15  # Draws that are undone after the round, where each round has a new stack.
IS_VOID = 16
WENT_DRY = 17
IS_LOADED = 18
SHOE_ROUNDS = 19
STATE = 20

# Words of the generator: four of first deals, four of the reserve, then key and chunk.
KEY, CHUNK = 8, 10

LOW = 0xFFFFFFFF
ALL_WORDS = 1 << 32
TAG = 24


@compiled
def reserve_word(shoe: Shoe) -> int:
    """The next word of the round's own reserve."""
    state, words = shoe.state, shoe.words
    count = state[RESERVED]
    block = count >> 2
    if state[RESERVE_BLOCK] != block:
        stream = uint64(state[TABLE] + ((block + 1) << TAG))
        philox(
            uint64(state[ROUND]), stream, words[CHUNK], words[CHUNK + 1], words[KEY], words[KEY + 1], words, 4
        )
        state[RESERVE_BLOCK] = block
    state[RESERVED] = count + 1
    return int64(words[4 + (count & 3)])


@compiled
def first_word(shoe: Shoe) -> int:
    """The next word of the first deal, from its fixed place; from the reserve where a dry shoe takes more of them."""
    state, words = shoe.state, shoe.words
    count = state[FIRST_WORDS]
    if count >= shoe.flat[at.WORDS]:
        return reserve_word(shoe)
    state[FIRST_WORDS] = count + 1
    place = state[ROUND] * shoe.flat[at.WORDS] + count
    block = place >> 2
    if state[BLOCK] != block:
        table = uint64(state[TABLE])
        philox(uint64(block), table, words[CHUNK], words[CHUNK + 1], words[KEY], words[KEY + 1], words, 0)
        state[BLOCK] = block
    return int64(words[place & 3])


@compiled
def turn(shoe: Shoe, place: int) -> int:
    """Take the card at a place of the pool; the last of the pool takes its place."""
    state, deck = shoe.state, shoe.deck
    last = state[POOL] - 1
    card = deck[place]
    deck[place] = deck[last]
    deck[last] = card
    state[POOL] = last
    if shoe.flat[at.RENEWAL]:
        shoe.journal[state[JOURNAL]] = place
        state[JOURNAL] += 1
    if shoe.flat[at.COUNTED]:
        shoe.unseen[card] -= 1
    return int64(card)


@compiled
def undo(shoe: Shoe) -> None:
    """Put every card back to its place, the last first."""
    state, deck = shoe.state, shoe.deck
    for count in range(state[JOURNAL] - 1, -1, -1):
        place, last = shoe.journal[count], state[POOL]
        card = deck[last]
        deck[last] = deck[place]
        deck[place] = card
        state[POOL] = last + 1
    state[JOURNAL] = 0


@compiled
def take_place(shoe: Shoe, cards: int) -> None:
    """So many cards leave the stack; the cutting card comes out before the card behind it."""
    state = shoe.state
    begin = state[POSITION]
    if begin <= state[CUT_AT] < begin + cards:
        state[CUT_AT] = at.NO_CUT
        if shoe.flat[at.CUT_MID]:
            state[PENDING] = 1
    state[POSITION] = begin + cards


@compiled
def draw_card(shoe: Shoe, is_first: bool) -> int:
    """One card that is turned up, any of the pool."""
    take_place(shoe, 1)
    state = shoe.state
    if shoe.given.size:
        state[GIVEN_AT] += 1
        card = int64(shoe.given[state[GIVEN_AT] - 1])
        if shoe.flat[at.COUNTED]:
            shoe.unseen[card] -= 1
        return card
    pool = state[POOL]
    word = first_word(shoe) if is_first else reserve_word(shoe)
    while True:
        product = word * pool
        low = product & LOW
        if low >= pool or low >= ALL_WORDS % pool:
            return turn(shoe, product >> 32)
        word = reserve_word(shoe)


@compiled
def draw_two(shoe: Shoe, is_first: bool, where: int) -> None:
    """Two cards of one word, each ordered pair of the pool as likely as any other."""
    take_place(shoe, 2)
    pool = shoe.state[POOL]
    pairs = pool * (pool - 1)
    word = first_word(shoe) if is_first else reserve_word(shoe)
    while True:
        product = word * pool
        one = product >> 32
        product = (product & LOW) * (pool - 1)
        low = product & LOW
        if low >= pairs or low >= ALL_WORDS % pairs:
            break
        word = reserve_word(shoe)
    shoe.drawn[where] = turn(shoe, one)
    shoe.drawn[where + 1] = turn(shoe, product >> 32)


@compiled
def burn(shoe: Shoe, cards: int) -> None:
    """Burn so many cards face down, of which there are enough."""
    take_place(shoe, cards)
    shoe.state[GIVEN_AT] += cards


@compiled
def begin_stack(shoe: Shoe, cards: int, cut: int) -> None:
    """A stack of so many cards lies in the shoe; all but those on the layout are unseen again."""
    state = shoe.state
    state[STACK] = cards
    state[POSITION] = 0
    state[CUT_AT] = cut
    if shoe.given.size:
        state[GIVEN_AT] = shoe.starts[state[GIVEN_STACKS]]
        state[GIVEN_STACKS] += 1
    if shoe.flat[at.COUNTED]:
        shoe.unseen[:] = shoe.flat[at.DECKS]
        for count in range(state[IN_PLAY]):
            shoe.unseen[shoe.hands[count]] -= 1


@compiled
def load(shoe: Shoe) -> None:
    """Bring a full stack into the shoe, with its opening burn."""
    flat, state = shoe.flat, shoe.state
    state[POOL] = flat[at.SIZE]
    state[PENDING] = state[IN_PLAY] = 0
    begin_stack(shoe, flat[at.SIZE], flat[at.CUT])
    if flat[at.OPENING] == 2:
        burn(shoe, flat[at.BURN_VALUE + (draw_card(shoe, False) >> 2)])
    elif flat[at.OPENING] == 1:
        burn(shoe, 1)


@compiled
def return_discards(shoe: Shoe) -> None:
    """All cards go back into the continuous shuffler after a round."""
    flat, state = shoe.flat, shoe.state
    state[POOL] = state[STACK] = flat[at.SIZE]
    state[POSITION] = 0
    if flat[at.COUNTED]:
        shoe.unseen[:] = flat[at.DECKS]


@compiled
def renew_pool(shoe: Shoe) -> None:
    """Put the cards on the layout behind the pool, and all others into it."""
    state, deck = shoe.state, shoe.deck
    last = deck.size - 1
    for count in range(state[IN_PLAY]):
        card = uint8(shoe.hands[count])
        place = state[POOL]
        while deck[place] != card:
            place += 1
        deck[place] = deck[last - count]
        deck[last - count] = card
    state[POOL] = deck.size - state[IN_PLAY]


@compiled
def is_supplied(shoe: Shoe) -> bool:
    """Whether there is a card for the next draw: a dry shoe gets the discards, or the round is void."""
    flat, state = shoe.flat, shoe.state
    if state[POSITION] < state[STACK]:
        return True
    state[WENT_DRY] += 1
    if flat[at.DRY]:
        state[IS_VOID] = 1
        return False
    cards = flat[at.SIZE] - state[IN_PLAY]
    if not shoe.given.size:
        renew_pool(shoe)
    begin_stack(shoe, cards, max(0, cards - flat[at.FROM_BACK]) if flat[at.FROM_BACK] >= 0 else at.NO_CUT)
    if flat[at.DISCHARGES]:
        state[PENDING] = 0
    if flat[at.MIDROUND] and cards > state[QUEUE]:
        if flat[at.OPENING] == 2:
            more = flat[at.BURN_VALUE + (draw_card(shoe, False) >> 2)]
            if cards - more >= state[QUEUE] + 1:
                burn(shoe, more)
        else:
            burn(shoe, 1)
    return True


@compiled
def burn_in_round(shoe: Shoe, cards: int) -> None:
    """Burn cards of a round, for which the shoe may run dry."""
    state = shoe.state
    if state[STACK] - state[POSITION] >= cards:
        burn(shoe, cards)
        state[QUEUE] -= cards
        return
    for _ in range(cards):
        if state[IS_VOID] or not is_supplied(shoe):
            return
        burn(shoe, 1)
        state[QUEUE] -= 1


@compiled
def deal_cards(shoe: Shoe, is_first: bool, where: int, cards: int) -> None:
    """Deal so many cards to `drawn[where]` and on; two of one word wherever the shoe has two."""
    state = shoe.state
    while cards and not state[IS_VOID]:
        if not is_supplied(shoe):
            return
        if cards > 1 and state[STACK] - state[POSITION] > 1 and not shoe.given.size:
            draw_two(shoe, is_first, where)
            count = 2
        else:
            shoe.drawn[where] = draw_card(shoe, is_first)
            count = 1
        for _ in range(count):
            shoe.hands[state[IN_PLAY]] = shoe.drawn[where]
            state[IN_PLAY] += 1
            where += 1
        state[QUEUE] -= count
        cards -= count
