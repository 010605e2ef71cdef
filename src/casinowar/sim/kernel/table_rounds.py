"""The kernel: rounds of a table from the shoe to the tallies, for every book and every number of boxes.

`play` is what is shipped. Where it is given an order of cards, it deals those and draws nothing, so that a test can lay
the same shoe before it and before the engine; `log` then has the index of every box in every round, and behind it what
each wager of a player's bank has netted.
"""

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim import tallies as tally
from casinowar.sim.kernel import shoe as cards
from casinowar.sim.kernel.account import count_round, end_night, end_shoe
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.counts import is_worth_it
from casinowar.sim.kernel.hand_cells import first_cell, war_part
from casinowar.sim.kernel.player_bank import pass_bank, settle_first_deal, settle_war_deal
from casinowar.sim.kernel.shoe import Numbers


@compiled
def is_shuffle_due(flat: Numbers, memory: Numbers) -> bool:
    """Whether a new stack comes before the round: the cutting card is out or comes out first, or no card is left."""
    if memory[its.PENDING] or memory[its.POSITION] >= memory[its.STACK]:
        return True
    return flat[at.CUT_FIRST] == 1 and memory[its.CUT_AT] == memory[its.POSITION]


@compiled
def prepare_shoe(flat: Numbers, memory: Numbers, out: Numbers) -> None:
    """Bring in what the round is dealt from."""
    if not memory[its.IS_LOADED]:
        cards.load(flat, memory)
        memory[its.IS_LOADED] = 1
    elif flat[at.RENEWAL] == at.CONTINUOUS:
        cards.return_discards(flat, memory)
    elif flat[at.RENEWAL] == at.FRESH or is_shuffle_due(flat, memory):
        end_shoe(flat, memory, out)
        cards.load(flat, memory)
    memory[its.SHOE_ROUNDS] += 1


@compiled
def count_cards(flat: Numbers, memory: Numbers, is_war: bool) -> int:
    """Which of the counted wagers, on the first or on the second cards, are placed now: one bit for each."""
    bits = 0
    for row in range(flat[at.COUNTED]):
        kind = flat[at.WORTH + 8 * row]
        is_on_war = kind == cells.WAR_TIE_WAGER or kind == cells.WAR_PAIRS
        if is_on_war == is_war and is_worth_it(flat, memory, row):
            bits |= 1 << row
    return bits


@compiled
def can_pay_war(flat: Numbers, memory: Numbers, index: int) -> bool:
    """Whether the bankroll of box 1 reaches for a war; what has been settled of the first deal counts."""
    purse = memory[its.ROLL] - flat[at.HELD_STAKE]
    for count in range(flat[at.WAGERS]):
        kind = flat[at.KIND + count]
        if kind != cells.INITIAL and kind != cells.PROGRESSIVE:
            purse += flat[flat[at.NET_AT] + kind * flat[at.INDEXES] + index]
    return purse >= flat[at.WAR_NEED]


@compiled
def line_up(flat: Numbers, memory: Numbers) -> None:
    """Clear the boxes and put those that bet into the order of the first deal."""
    boxes = flat[at.BOXES]
    bettors = 0
    for count in range(boxes):
        box = boxes - 1 - count if flat[at.FIRST_RIGHT] else count
        memory[its.FATE + box] = its.NO_HAND
        memory[its.INDEX + box] = its.NOT_DEALT
        memory[its.PRIZE + box] = 0
        if box != memory[its.BANKER]:
            memory[its.ORDER + bettors] = box
            bettors += 1
    memory[its.BETTORS] = bettors


@compiled
def deal_first(flat: Numbers, memory: Numbers) -> None:
    """The first deal, and who goes to war."""
    bettors = memory[its.BETTORS]
    memory[its.WARS] = 0
    memory[its.IN_PLAY] = 0
    memory[its.QUEUE] = flat[at.ROUND_BURN] + bettors + 1
    if flat[at.ROUND_BURN]:
        cards.burn_in_round(flat, memory, flat[at.ROUND_BURN])
    cards.deal_cards(flat, memory, True, 0, bettors + 1)
    if memory[its.IS_VOID]:
        return
    skip = flat[at.DEALER_FIRST]
    dealer = memory[its.DRAWN] if skip else memory[its.DRAWN + bettors]
    memory[its.FIRST + flat[at.BOXES]] = dealer
    for count in range(bettors):
        box = memory[its.ORDER + count]
        card = memory[its.DRAWN + count + skip]
        cell = first_cell(flat, card, dealer)
        memory[its.FIRST + box], memory[its.INDEX + box], memory[its.FATE + box] = card, cell, its.SETTLED
        if cell >= cells.TIE and flat[at.HAS_INITIAL]:
            goes = flat[at.WAR_RANKS + box] >> (dealer >> 2) & 1 == 1
            if goes and flat[at.SESSION] and box == 0:
                goes = can_pay_war(flat, memory, cell + cells.CELLS * memory[its.BITS])
            memory[its.FATE + box] = its.AT_WAR if goes else its.SURRENDERED
            memory[its.WARS] += 1 if goes or flat[at.BANK] else 0


@compiled
def collect_hands(flat: Numbers, memory: Numbers) -> None:
    """Leave on the layout what is not collected before the war; it matters to a shoe that runs dry."""
    boxes = flat[at.BOXES]
    if flat[at.COLLECT] == 0:
        return
    count = 0
    for box in range(boxes):
        fate = memory[its.FATE + box]
        is_out = fate == its.SURRENDERED if flat[at.COLLECT] == 1 else fate != its.AT_WAR
        if fate != its.NO_HAND and not is_out:
            memory[its.HANDS + count] = memory[its.FIRST + box]
            count += 1
    memory[its.HANDS + count] = memory[its.FIRST + boxes]
    memory[its.IN_PLAY] = count + 1


@compiled
def deal_war(flat: Numbers, memory: Numbers) -> None:
    """The burns of a war and the second cards. The bank's own burn parts the dealer's card from the others."""
    boxes, wars, skip = flat[at.BOXES], memory[its.WARS], flat[at.WAR_DEALER_FIRST]
    collect_hands(flat, memory)
    memory[its.BITS] |= count_cards(flat, memory, True)
    memory[its.QUEUE] = flat[at.WAR_BURN] + flat[at.BANKER_BURN] + wars + 1
    if flat[at.WAR_BURN]:
        cards.burn_in_round(flat, memory, flat[at.WAR_BURN])
    if flat[at.BANKER_BURN]:
        before = 0 if skip else wars
        cards.deal_cards(flat, memory, False, 0, before)
        if not memory[its.IS_VOID]:
            cards.burn_in_round(flat, memory, flat[at.BANKER_BURN])
        cards.deal_cards(flat, memory, False, before, wars + 1 - before)
    else:
        cards.deal_cards(flat, memory, False, 0, wars + 1)
    if memory[its.IS_VOID]:
        return
    again = memory[its.DRAWN] if skip else memory[its.DRAWN + wars]
    memory[its.SECOND + boxes] = again
    count = skip
    for step in range(boxes):
        box = boxes - 1 - step if flat[at.WAR_RIGHT] else step
        if memory[its.FATE + box] == its.AT_WAR:
            memory[its.SECOND + box] = memory[its.DRAWN + count]
            memory[its.INDEX + box] += war_part(
                flat, memory[its.SECOND + box], again, memory[its.FIRST + box], memory[its.FIRST + boxes]
            )
            count += 1


@compiled
def play_round(flat: Numbers, memory: Numbers) -> None:
    """One round from the wagers to the last card, with its settlement where a player banks."""
    is_banked = flat[at.BANK] > 0
    memory[its.BITS] = count_cards(flat, memory, False)
    if is_banked:
        pass_bank(flat, memory)
    line_up(flat, memory)
    deal_first(flat, memory)
    if is_banked and not memory[its.IS_VOID]:
        settle_first_deal(flat, memory)
    if memory[its.WARS]:
        deal_war(flat, memory)
        if is_banked and not memory[its.IS_VOID]:
            settle_war_deal(flat, memory)


@compiled
def start_table(flat: Numbers, memory: Numbers, number: int) -> None:
    """A table with new cards in their order, before the first shoe."""
    for place in range(flat[at.SIZE]):
        memory[its.DECK + place] = place % 52
    given, starts = memory[its.GIVEN], memory[its.GIVEN_START]
    for place in range(its.SHARED):
        memory[place] = 0
    memory[its.GIVEN], memory[its.GIVEN_START] = given, starts
    memory[its.TABLE] = number
    memory[its.BLOCK] = -1
    memory[its.BANKER] = 0 if flat[at.BANK] else -1
    memory[its.METER] = flat[at.METER]
    memory[its.ROLL] = memory[its.PEAK] = flat[at.BANKROLL]


@compiled
def start_round(memory: Numbers, number: int) -> None:
    memory[its.ROUND] = number
    memory[its.RESERVE_BLOCK] = -1
    memory[its.RESERVED] = memory[its.FIRST_WORDS] = memory[its.IS_VOID] = memory[its.WENT_DRY] = 0


@compiled
def play(flat: Numbers, memory: Numbers, rounds: int, log: Numbers, out: Numbers) -> None:
    """Play so many rounds of a chunk and add them to the tallies in `out`."""
    done = table = 0
    while done < rounds:
        wanted = min(flat[at.TABLE_ROUNDS], rounds - done)
        start_table(flat, memory, table)
        number = 0
        while number < wanted and not (flat[at.SESSION] and memory[its.ROLL] < flat[at.NIGHT_STAKE]):
            start_round(memory, number)
            prepare_shoe(flat, memory, out)
            play_round(flat, memory)
            count_round(flat, memory, out)
            if log.size:
                write_log(flat, memory, log, done + number)
            if flat[at.RENEWAL]:
                cards.undo(memory)
            number += 1
        if flat[at.SESSION]:
            end_night(flat, memory, out, number)
        out[tally.ROUNDS] += number
        done += wanted
        table += 1


@compiled
def write_log(flat: Numbers, memory: Numbers, log: Numbers, row: int) -> None:
    """Write down a round: index, prize and eight nets for each box."""
    for box in range(flat[at.BOXES]):
        place = 10 * (row * at.MOST_BOXES + box)
        log[place] = memory[its.INDEX + box]
        log[place + 1] = memory[its.PRIZE + box]
        for kind in range(8):
            log[place + 2 + kind] = memory[its.NET + 8 * box + kind]
