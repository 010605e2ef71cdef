"""The kernel: rounds of a table from the shoe to the tallies, for every book and every number of boxes.

`play` is what is shipped. Where it is given an order of cards, it deals those and draws nothing, so that a test can lay
the same shoe before it and before the engine; `log` then has the index of every box in every round, and behind it what
each wager of a player's bank has netted.
"""

import numpy as np
from numpy import int64, uint8, uint64

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim import round_state as now
from casinowar.sim import shoe as cards
from casinowar.sim import tallies as tally
from casinowar.sim.account import count_round, end_night, end_shoe, start_night
from casinowar.sim.compilation import compiled
from casinowar.sim.counts import is_worth_it
from casinowar.sim.player_bank import pass_bank, settle_first_deal, settle_war_deal
from casinowar.sim.round_state import Round, make_round
from casinowar.sim.shoe import Cards, Numbers, Shoe

LOW = 0xFFFFFFFF


@compiled
def pair_kind(one: int, two: int) -> int:
    """Which pair two cards of one rank make: mixed, coloured or perfect."""
    suits = (one ^ two) & 3
    return cells.PERFECT if suits == 0 else cells.COLOURED if suits == 3 else cells.MIXED


@compiled
def first_cell(flat: Numbers, card: int, dealer: int) -> int:
    """The cell of a box after the first deal; a tie without war."""
    rank, other = card >> 2, dealer >> 2
    ace = 1 if flat[at.TELLS_ACE] and rank == flat[at.ACE] else 0
    if rank != other:
        return (cells.LOSS if rank < other else cells.WIN) + cells.ACES * ace
    pair = pair_kind(card, dealer) if flat[at.TELLS_PAIR] else 0
    return cells.TIE + cells.BLOCK * (2 * pair + ace)


@compiled
def war_part(flat: Numbers, card: int, dealer: int, first: int, first_dealer: int) -> int:
    """What the second cards add to the cell of a tie."""
    rank, other = card >> 2, dealer >> 2
    if rank != other:
        return cells.WAR_LOSS if rank < other else cells.WAR_WIN
    part = cells.WAR_TIE
    if flat[at.TELLS_SECOND_PAIR]:
        part += 4 * pair_kind(card, dealer)
    if flat[at.TELLS_LINES]:
        suit = card & 3
        is_one_suit = suit == dealer & 3 and suit == first & 3 and suit == first_dealer & 3
        part += (2 if rank == first >> 2 else 0) + (1 if is_one_suit else 0)
    return part


@compiled
def is_shuffle_due(shoe: Shoe) -> bool:
    """Whether a new stack comes before the round: the cutting card is out or comes out first, or no card is left."""
    state = shoe.state
    if state[cards.PENDING] or state[cards.POSITION] >= state[cards.STACK]:
        return True
    return shoe.flat[at.CUT_FIRST] == 1 and state[cards.CUT_AT] == state[cards.POSITION]


@compiled
def prepare_shoe(shoe: Shoe, out: Numbers) -> None:
    """Bring in what the round is dealt from."""
    flat, state = shoe.flat, shoe.state
    if not state[cards.IS_LOADED]:
        cards.load(shoe)
        state[cards.IS_LOADED] = 1
    elif flat[at.RENEWAL] == at.CONTINUOUS:
        cards.return_discards(shoe)
    elif flat[at.RENEWAL] == at.FRESH or is_shuffle_due(shoe):
        end_shoe(shoe, out)
        cards.load(shoe)
    state[cards.SHOE_ROUNDS] += 1


@compiled
def count_cards(shoe: Shoe, is_war: bool) -> int:
    """Which of the counted wagers, on the first or on the second cards, are placed now: one bit for each."""
    bits = 0
    for row in range(shoe.flat[at.COUNTED]):
        kind = shoe.flat[at.WORTH + 8 * row]
        is_on_war = kind == cells.WAR_TIE_WAGER or kind == cells.WAR_PAIRS
        if is_on_war == is_war and is_worth_it(shoe.flat, shoe.unseen, row):
            bits |= 1 << row
    return bits


@compiled
def can_pay_war(flat: Numbers, hand: Round, index: int) -> bool:
    """Whether the bankroll of box 1 reaches for a war; what has been settled of the first deal counts."""
    purse = hand.table[now.ROLL] - flat[at.HELD_STAKE]
    for count in range(flat[at.WAGERS]):
        kind = flat[at.KIND + count]
        if kind != cells.INITIAL and kind != cells.PROGRESSIVE:
            purse += flat[flat[at.NET_AT] + kind * flat[at.INDEXES] + index]
    return purse >= flat[at.WAR_NEED]


@compiled
def line_up(flat: Numbers, hand: Round) -> None:
    """Clear the boxes and put those that bet into the order of the first deal."""
    boxes = flat[at.BOXES]
    bettors = 0
    for count in range(boxes):
        box = boxes - 1 - count if flat[at.FIRST_RIGHT] else count
        hand.fate[box] = now.NO_HAND
        hand.index[box] = now.NOT_DEALT
        hand.prize[box] = 0
        if box != hand.table[now.BANKER]:
            hand.order[bettors] = box
            bettors += 1
    hand.table[now.BETTORS] = bettors


@compiled
def deal_first(shoe: Shoe, hand: Round) -> None:
    """The first deal, and who goes to war."""
    flat, state, table = shoe.flat, shoe.state, hand.table
    bettors = table[now.BETTORS]
    table[now.WARS] = 0
    state[cards.IN_PLAY] = 0
    state[cards.QUEUE] = flat[at.ROUND_BURN] + bettors + 1
    if flat[at.ROUND_BURN]:
        cards.burn_in_round(shoe, flat[at.ROUND_BURN])
    cards.deal_cards(shoe, True, 0, bettors + 1)
    if state[cards.IS_VOID]:
        return
    skip = flat[at.DEALER_FIRST]
    dealer = shoe.drawn[0] if skip else shoe.drawn[bettors]
    hand.first[flat[at.BOXES]] = dealer
    for count in range(bettors):
        box = hand.order[count]
        card = shoe.drawn[count + skip]
        cell = first_cell(flat, card, dealer)
        hand.first[box], hand.index[box], hand.fate[box] = card, cell, now.SETTLED
        if cell >= cells.TIE and flat[at.HAS_INITIAL]:
            goes = flat[at.WAR_RANKS + box] >> (dealer >> 2) & 1 == 1
            if goes and flat[at.SESSION] and box == 0:
                goes = can_pay_war(flat, hand, cell + cells.CELLS * table[now.BITS])
            hand.fate[box] = now.AT_WAR if goes else now.SURRENDERED
            table[now.WARS] += 1 if goes or flat[at.BANK] else 0


@compiled
def collect_hands(shoe: Shoe, hand: Round) -> None:
    """Leave on the layout what is not collected before the war; it matters to a shoe that runs dry."""
    flat = shoe.flat
    boxes = flat[at.BOXES]
    if flat[at.COLLECT] == 0:
        return
    count = 0
    for box in range(boxes):
        fate = hand.fate[box]
        is_out = fate == now.SURRENDERED if flat[at.COLLECT] == 1 else fate != now.AT_WAR
        if fate != now.NO_HAND and not is_out:
            shoe.hands[count] = hand.first[box]
            count += 1
    shoe.hands[count] = hand.first[boxes]
    shoe.state[cards.IN_PLAY] = count + 1


@compiled
def deal_war(shoe: Shoe, hand: Round) -> None:
    """The burns of a war and the second cards. The bank's own burn parts the dealer's card from the others."""
    flat, state = shoe.flat, shoe.state
    boxes, wars, skip = flat[at.BOXES], hand.table[now.WARS], flat[at.WAR_DEALER_FIRST]
    collect_hands(shoe, hand)
    hand.table[now.BITS] |= count_cards(shoe, True)
    state[cards.QUEUE] = flat[at.WAR_BURN] + flat[at.BANKER_BURN] + wars + 1
    if flat[at.WAR_BURN]:
        cards.burn_in_round(shoe, flat[at.WAR_BURN])
    if flat[at.BANKER_BURN]:
        before = 0 if skip else wars
        cards.deal_cards(shoe, False, 0, before)
        if not state[cards.IS_VOID]:
            cards.burn_in_round(shoe, flat[at.BANKER_BURN])
        cards.deal_cards(shoe, False, before, wars + 1 - before)
    else:
        cards.deal_cards(shoe, False, 0, wars + 1)
    if state[cards.IS_VOID]:
        return
    again = shoe.drawn[0] if skip else shoe.drawn[wars]
    hand.second[boxes] = again
    count = skip
    for step in range(boxes):
        box = boxes - 1 - step if flat[at.WAR_RIGHT] else step
        if hand.fate[box] == now.AT_WAR:
            hand.second[box] = shoe.drawn[count]
            hand.index[box] += war_part(flat, hand.second[box], again, hand.first[box], hand.first[boxes])
            count += 1


@compiled
def play_round(shoe: Shoe, hand: Round) -> None:
    """One round from the wagers to the last card, with its settlement where a player banks."""
    flat, state, table = shoe.flat, shoe.state, hand.table
    is_banked = flat[at.BANK] > 0
    table[now.BITS] = count_cards(shoe, False)
    if is_banked:
        pass_bank(flat, hand)
    line_up(flat, hand)
    deal_first(shoe, hand)
    if is_banked and not state[cards.IS_VOID]:
        settle_first_deal(flat, hand)
    if table[now.WARS]:
        deal_war(shoe, hand)
        if is_banked and not state[cards.IS_VOID]:
            settle_war_deal(flat, hand)


@compiled
def start_table(shoe: Shoe, hand: Round, number: int) -> None:
    """A table with new cards in their order, before the first shoe."""
    for place in range(shoe.deck.size):
        shoe.deck[place] = place % 52
    shoe.state[:] = 0
    shoe.state[cards.TABLE] = number
    shoe.state[cards.BLOCK] = -1
    hand.table[:] = 0
    hand.table[now.BANKER] = 0 if shoe.flat[at.BANK] else -1
    hand.table[now.METER] = shoe.flat[at.METER]
    start_night(shoe.flat, hand)


@compiled
def start_round(shoe: Shoe, number: int) -> None:
    state = shoe.state
    state[cards.ROUND] = number
    state[cards.RESERVE_BLOCK] = -1
    state[cards.RESERVED] = state[cards.FIRST_WORDS] = state[cards.IS_VOID] = state[cards.WENT_DRY] = 0


@compiled
def play(
    flat: Numbers,
    seed: Numbers,
    chunk: int,
    rounds: int,
    given: Cards,
    starts: Numbers,
    log: Numbers,
    out: Numbers,
) -> None:
    """Play so many rounds of a chunk and add them to the tallies in `out`; `seed` has its low and its high half."""
    words = np.zeros(12, uint64)
    words[cards.KEY], words[cards.KEY + 1] = uint64(seed[0]), uint64(seed[1])
    words[cards.CHUNK], words[cards.CHUNK + 1] = uint64(chunk & LOW), uint64(chunk >> 32)
    shoe = Shoe(
        flat,
        np.zeros(cards.STATE, int64),
        np.empty(flat[at.SIZE], uint8),
        words,
        np.zeros(52, int64),
        np.zeros(64, int64),
        np.zeros(64, int64),
        np.zeros(64, int64),
        given,
        starts,
    )
    hand = make_round()
    done = table = 0
    while done < rounds:
        wanted = min(flat[at.TABLE_ROUNDS], rounds - done)
        start_table(shoe, hand, table)
        number = 0
        while number < wanted and not (flat[at.SESSION] and hand.table[now.ROLL] < flat[at.NIGHT_STAKE]):
            start_round(shoe, number)
            prepare_shoe(shoe, out)
            play_round(shoe, hand)
            count_round(shoe, hand, out)
            if log.size:
                write_log(shoe, hand, log, done + number)
            if flat[at.RENEWAL]:
                cards.undo(shoe)
            number += 1
        if flat[at.SESSION]:
            end_night(flat, hand, out, number)
        out[tally.ROUNDS] += number
        done += wanted
        table += 1


@compiled
def write_log(shoe: Shoe, hand: Round, log: Numbers, row: int) -> None:
    """Write down a round: index, prize and eight nets for each box."""
    for box in range(shoe.flat[at.BOXES]):
        place = 10 * (row * at.MOST_BOXES + box)
        log[place] = hand.index[box]
        log[place + 1] = hand.prize[box]
        for kind in range(8):
            log[place + 2 + kind] = hand.net[8 * box + kind]
