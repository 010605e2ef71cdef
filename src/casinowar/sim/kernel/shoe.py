"""The shoe of the kernel: a pool of undrawn cards, the place of the cutting card, burns, and shoes that run dry.

A card is 4 * place of its rank in the book's order + suit, suits in the order c d h s. Who draws a card takes any of
the pool; a card that is burned face down stays in the pool, and only the place in the stack moves on.
"""

from numpy import int64
from numpy.typing import NDArray

from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.philox import write_words

Numbers = NDArray[int64]

LOW = 0xFFFFFFFF
ALL_WORDS = 1 << 32
TAG = 24


@compiled
def reserve_word(memory: Numbers) -> int:
    """The next word of the round's own reserve."""
    count = memory[its.RESERVED]
    block = count >> 2
    if memory[its.RESERVE_BLOCK] != block:
        write_words(memory, memory[its.ROUND], memory[its.TABLE] + ((block + 1) << TAG), its.WORD + 4)
        memory[its.RESERVE_BLOCK] = block
    memory[its.RESERVED] = count + 1
    return memory[its.WORD + 4 + (count & 3)]


@compiled
def first_word(flat: Numbers, memory: Numbers) -> int:
    """The next word of the first deal, from its fixed place; from the reserve where a dry shoe takes more of them."""
    count = memory[its.FIRST_WORDS]
    if count >= flat[at.WORDS]:
        return reserve_word(memory)
    memory[its.FIRST_WORDS] = count + 1
    place = memory[its.ROUND] * flat[at.WORDS] + count
    block = place >> 2
    if memory[its.BLOCK] != block:
        write_words(memory, block, memory[its.TABLE], its.WORD)
        memory[its.BLOCK] = block
    return memory[its.WORD + (place & 3)]


@compiled
def turn(flat: Numbers, memory: Numbers, place: int) -> int:
    """Take the card at a place of the pool; the last of the pool takes its place."""
    last = memory[its.POOL] - 1
    card = memory[its.DECK + place]
    memory[its.DECK + place] = memory[its.DECK + last]
    memory[its.DECK + last] = card
    memory[its.POOL] = last
    if flat[at.RENEWAL]:
        memory[its.JOURNAL + memory[its.JOURNALED]] = place
        memory[its.JOURNALED] += 1
    if flat[at.COUNTED]:
        memory[its.UNSEEN + card] -= 1
    return card


@compiled
def undo(memory: Numbers) -> None:
    """Put every card back to its place, the last first."""
    for count in range(memory[its.JOURNALED] - 1, -1, -1):
        place, last = memory[its.JOURNAL + count], memory[its.POOL]
        card = memory[its.DECK + last]
        memory[its.DECK + last] = memory[its.DECK + place]
        memory[its.DECK + place] = card
        memory[its.POOL] = last + 1
    memory[its.JOURNALED] = 0


@compiled
def take_place(flat: Numbers, memory: Numbers, cards: int) -> None:
    """So many cards leave the stack; the cutting card comes out before the card behind it."""
    begin = memory[its.POSITION]
    if begin <= memory[its.CUT_AT] < begin + cards:
        memory[its.CUT_AT] = at.NO_CUT
        if flat[at.CUT_MID]:
            memory[its.PENDING] = 1
    memory[its.POSITION] = begin + cards


@compiled
def draw_card(flat: Numbers, memory: Numbers, is_first: bool) -> int:
    """One card that is turned up, any of the pool."""
    take_place(flat, memory, 1)
    if memory[its.GIVEN]:
        card = memory[memory[its.GIVEN_AT]]
        memory[its.GIVEN_AT] += 1
        if flat[at.COUNTED]:
            memory[its.UNSEEN + card] -= 1
        return card
    pool = memory[its.POOL]
    word = first_word(flat, memory) if is_first else reserve_word(memory)
    while True:
        product = word * pool
        low = product & LOW
        if low >= pool or low >= ALL_WORDS % pool:
            return turn(flat, memory, product >> 32)
        word = reserve_word(memory)


@compiled
def draw_two(flat: Numbers, memory: Numbers, is_first: bool, where: int) -> None:
    """Two cards of one word, each ordered pair of the pool as likely as any other."""
    take_place(flat, memory, 2)
    pool = memory[its.POOL]
    pairs = pool * (pool - 1)
    word = first_word(flat, memory) if is_first else reserve_word(memory)
    while True:
        product = word * pool
        one = product >> 32
        product = (product & LOW) * (pool - 1)
        low = product & LOW
        if low >= pairs or low >= ALL_WORDS % pairs:
            break
        word = reserve_word(memory)
    memory[its.DRAWN + where] = turn(flat, memory, one)
    memory[its.DRAWN + where + 1] = turn(flat, memory, product >> 32)


@compiled
def burn(flat: Numbers, memory: Numbers, cards: int) -> None:
    """Burn so many cards face down, of which there are enough."""
    take_place(flat, memory, cards)
    memory[its.GIVEN_AT] += cards


@compiled
def begin_stack(flat: Numbers, memory: Numbers, cards: int, cut: int) -> None:
    """A stack of so many cards lies in the shoe; all but those on the layout are unseen again."""
    memory[its.STACK] = cards
    memory[its.POSITION] = 0
    memory[its.CUT_AT] = cut
    if memory[its.GIVEN]:
        memory[its.GIVEN_AT] = memory[its.GIVEN] + memory[memory[its.GIVEN_START]]
        memory[its.GIVEN_START] += 1
    if flat[at.COUNTED]:
        for card in range(52):
            memory[its.UNSEEN + card] = flat[at.DECKS]
        for count in range(memory[its.IN_PLAY]):
            memory[its.UNSEEN + memory[its.HANDS + count]] -= 1


@compiled
def load(flat: Numbers, memory: Numbers) -> None:
    """Bring a full stack into the shoe, with its opening burn."""
    memory[its.POOL] = flat[at.SIZE]
    memory[its.PENDING] = memory[its.IN_PLAY] = 0
    begin_stack(flat, memory, flat[at.SIZE], flat[at.CUT])
    if flat[at.OPENING] == 2:
        burn(flat, memory, flat[at.BURN_VALUE + (draw_card(flat, memory, False) >> 2)])
    elif flat[at.OPENING] == 1:
        burn(flat, memory, 1)


@compiled
def return_discards(flat: Numbers, memory: Numbers) -> None:
    """All cards go back into the continuous shuffler after a round."""
    memory[its.POOL] = memory[its.STACK] = flat[at.SIZE]
    memory[its.POSITION] = 0
    if flat[at.COUNTED]:
        for card in range(52):
            memory[its.UNSEEN + card] = flat[at.DECKS]


@compiled
def renew_pool(flat: Numbers, memory: Numbers) -> None:
    """Put the cards on the layout behind the pool, and all others into it."""
    last = flat[at.SIZE] - 1
    for count in range(memory[its.IN_PLAY]):
        card = memory[its.HANDS + count]
        place = memory[its.POOL]
        while memory[its.DECK + place] != card:
            place += 1
        memory[its.DECK + place] = memory[its.DECK + last - count]
        memory[its.DECK + last - count] = card
    memory[its.POOL] = flat[at.SIZE] - memory[its.IN_PLAY]


@compiled
def is_supplied(flat: Numbers, memory: Numbers) -> bool:
    """Whether there is a card for the next draw: a dry shoe gets the discards, or the round is void."""
    if memory[its.POSITION] < memory[its.STACK]:
        return True
    memory[its.WENT_DRY] += 1
    if flat[at.DRY]:
        memory[its.IS_VOID] = 1
        return False
    cards = flat[at.SIZE] - memory[its.IN_PLAY]
    if not memory[its.GIVEN]:
        renew_pool(flat, memory)
    begin_stack(flat, memory, cards, max(0, cards - flat[at.FROM_BACK]) if flat[at.FROM_BACK] >= 0 else at.NO_CUT)
    if flat[at.DISCHARGES]:
        memory[its.PENDING] = 0
    if flat[at.MIDROUND] and cards > memory[its.QUEUE]:
        if flat[at.OPENING] == 2:
            more = flat[at.BURN_VALUE + (draw_card(flat, memory, False) >> 2)]
            if cards - more >= memory[its.QUEUE] + 1:
                burn(flat, memory, more)
        else:
            burn(flat, memory, 1)
    return True


@compiled
def burn_in_round(flat: Numbers, memory: Numbers, cards: int) -> None:
    """Burn cards of a round, for which the shoe may run dry."""
    if memory[its.STACK] - memory[its.POSITION] >= cards:
        burn(flat, memory, cards)
        memory[its.QUEUE] -= cards
        return
    for _ in range(cards):
        if memory[its.IS_VOID] or not is_supplied(flat, memory):
            return
        burn(flat, memory, 1)
        memory[its.QUEUE] -= 1


@compiled
def deal_cards(flat: Numbers, memory: Numbers, is_first: bool, where: int, cards: int) -> None:
    """Deal so many cards to `drawn[where]` and on; two of one word wherever the shoe has two."""
    while cards and not memory[its.IS_VOID]:
        if not is_supplied(flat, memory):
            return
        if cards > 1 and memory[its.STACK] - memory[its.POSITION] > 1 and not memory[its.GIVEN]:
            draw_two(flat, memory, is_first, where)
            count = 2
        else:
            memory[its.DRAWN + where] = draw_card(flat, memory, is_first)
            count = 1
        for _ in range(count):
            memory[its.HANDS + memory[its.IN_PLAY]] = memory[its.DRAWN + where]
            memory[its.IN_PLAY] += 1
            where += 1
        memory[its.QUEUE] -= count
        cards -= count
