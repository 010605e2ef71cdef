"""The player who banks, in the kernel: whose turn it is, and what a stake that may be too small pays and takes.

The models are the book's (`bank.model`). A payoff cap is used up by what is paid; under a revolving bank what is taken
can be paid out again; under an action cap what is taken uses it up as well; a covered wager is lost only as far as it
could have been paid. The match of a war is set aside when war is chosen.
"""

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.shoe import Numbers

PAYOFF_CAP, REVOLVING, ACTION_CAP, COVERED = 1, 2, 3, 4

# Situations of the table ODDS.
INITIAL_WIN, INITIAL_LOSS, INITIAL_WAR_WIN, INITIAL_WAR_TIE, INITIAL_WAR_LOSS = 0, 1, 2, 3, 4
WAR_WIN, WAR_TIE, WAR_LOSS = 5, 6, 7
TIE_WIN, TIE_LOSS, WAR_TIE_WIN, WAR_TIE_LOSS, A_BOMB_WIN, A_BOMB_LOSS = 8, 9, 10, 11, 12, 13
PAIR, WAR_PAIR = 14, 18  # Mixed, coloured, perfect, and none.
BEST = 24  # The best odds of each wager, those of the war wager last.
WAR = 7
"""The number of the war wager beside the seven others."""

SURRENDER = -2
"""The numerator that stands for a surrender; -1 is a loss and 0 a push."""


@compiled
def pass_bank(flat: Numbers, memory: Numbers) -> None:
    """The bank passes on to the next box when its player has had it as often as the book allows."""
    boxes = flat[at.BOXES]
    if memory[its.BANK_SERVED] >= flat[at.BANK_TURNS]:
        step = boxes - 1 if flat[at.BANK_CCW] else 1
        memory[its.BANKER] = (memory[its.BANKER] + step) % boxes
        memory[its.BANK_SERVED] = 0


@compiled
def is_placed(flat: Numbers, kind: int, bits: int) -> bool:
    """Whether a wager lies on every box: it does unless it is counted and was not worth it."""
    if not flat[at.AMOUNT + kind]:
        return False
    for row in range(flat[at.COUNTED]):
        if flat[at.WORTH + 8 * row] == kind:
            return (bits >> row & 1) == 1
    return True


@compiled
def pair_place(flat: Numbers, one: int, two: int) -> int:
    """Which pair two cards make, as ODDS has them: mixed, coloured, perfect, none."""
    if one >> 2 != two >> 2:
        return 3
    suits = (one ^ two) & 3
    return 2 if suits == 0 else 1 if suits == 3 else 0


@compiled
def first_situation(flat: Numbers, kind: int, card: int, dealer: int) -> int:
    """The situation of a wager on the first cards; -1 for an initial wager that is tied."""
    if kind == cells.INITIAL:
        if card >> 2 == dealer >> 2:
            return -1
        return INITIAL_WIN if card >> 2 > dealer >> 2 else INITIAL_LOSS
    if kind == cells.TIE_WAGER:
        return TIE_WIN if card >> 2 == dealer >> 2 else TIE_LOSS
    if kind == cells.A_BOMB:
        return A_BOMB_WIN if card >> 2 == flat[at.ACE] else A_BOMB_LOSS
    return PAIR + pair_place(flat, card, dealer)


@compiled
def forfeit(flat: Numbers, amount: int) -> int:
    """What a surrender costs; the odd unit goes as the book says."""
    product = amount * flat[at.FORFEIT_NUMERATOR]
    lost = product // flat[at.FORFEIT_DENOMINATOR]
    if flat[at.ODD_UNIT_HOUSE] and product % flat[at.FORFEIT_DENOMINATOR]:
        lost += 1
    return lost


@compiled
def settle_covered(flat: Numbers, memory: Numbers, kind: int, odds: int, denominator: int, amount: int) -> int:
    """What a wager nets of which only the part is in play that the bank covers."""
    left = memory[its.BANK_LEFT]
    due = amount * odds // denominator if odds > 0 else 0
    paid = min(due, left)
    part = amount
    if odds == -1:
        best = flat[at.ODDS + 2 * (BEST + kind)]
        if best > 0:
            part = min(amount, ((left + 1) * flat[at.ODDS + 2 * (BEST + kind) + 1] - 1) // best)
    elif paid < due:
        part = min(amount, -(-paid * denominator // odds))
    if part < amount or paid < due or left == 0:
        memory[its.BANK_SHORT] = 1
    if left == 0 or part == 0:
        return 0
    memory[its.BANK_LEFT] = left - paid
    if odds == SURRENDER:
        return -forfeit(flat, amount)
    return -part if odds == -1 else paid


@compiled
def settle_capped(
    flat: Numbers, memory: Numbers, odds: int, denominator: int, amount: int, match: int, is_in_war: bool
) -> int:
    """What a wager nets where payments end at what is left, and losses are taken as the model says."""
    model = flat[at.BANK]
    left = memory[its.BANK_LEFT]
    if left == 0 and not is_in_war and not (odds == -1 and flat[at.COLLECTS_LOSERS] and model != ACTION_CAP):
        memory[its.BANK_SHORT] = 1
        return 0
    if odds > 0:
        due = amount * odds // denominator
        paid = min(due, match + left)
        if paid < due:
            memory[its.BANK_SHORT] = 1
        memory[its.BANK_LEFT] = left - max(0, paid - match)
        return paid
    taken = amount if odds == -1 else forfeit(flat, amount) if odds == SURRENDER else 0
    if model == ACTION_CAP and not is_in_war:
        if taken > left:
            memory[its.BANK_SHORT] = 1
        taken = min(taken, left)
        left -= taken
    elif model == REVOLVING:
        left += taken
    if match and model != ACTION_CAP:
        left += match
    memory[its.BANK_LEFT] = left
    return -taken


@compiled
def settle_one(
    flat: Numbers, memory: Numbers, kind: int, situation: int, amount: int, match: int, is_in_war: bool
) -> int:
    """What one wager nets in its situation, as far as the bank reaches."""
    odds = SURRENDER if situation < 0 else flat[at.ODDS + 2 * situation]
    denominator = 1 if situation < 0 else flat[at.ODDS + 2 * situation + 1]
    if flat[at.BANK] == COVERED and not is_in_war:
        return settle_covered(flat, memory, kind, odds, denominator, amount)
    return settle_capped(flat, memory, odds, denominator, amount, match, is_in_war)


@compiled
def settle_pass(flat: Numbers, memory: Numbers, form: int, sweep: int) -> None:
    """One pass along the boxes; sweep 1 is of the losers alone, sweep 2 of the others, sweep 0 of all."""
    boxes = flat[at.BOXES]
    dealer = memory[its.FIRST + boxes]
    for step in range(boxes):
        box = boxes - 1 - step if form & 1 else step
        if box == memory[its.BANKER]:
            continue
        for count in range(form >> 2 & 15):
            kind = form >> (8 + 3 * count) & 7
            if not is_placed(flat, kind, memory[its.BITS]):
                continue
            situation = first_situation(flat, kind, memory[its.FIRST + box], dealer)
            if situation < 0:
                continue
            is_lost = flat[at.ODDS + 2 * situation] == -1
            if sweep == 0 or (sweep == 1) == is_lost:
                amount = flat[at.AMOUNT + kind]
                memory[its.NET + 8 * box + kind] = settle_one(flat, memory, kind, situation, amount, 0, False)


@compiled
def cut_to_match(flat: Numbers, memory: Numbers, box: int) -> None:
    """The part of a tied wager that the bank could not match goes back, or all of it."""
    left = memory[its.BANK_LEFT]
    amount = min(memory[its.STAKE + box], ((left + 1) * flat[at.STAKE_DENOMINATOR] - 1) // flat[at.STAKE_NUMERATOR])
    if amount < memory[its.STAKE + box]:
        memory[its.BANK_SHORT] = 1
    if amount == 0:
        memory[its.FATE + box] = its.RETURNED
    else:
        memory[its.STAKE + box] = amount


@compiled
def is_waiting(memory: Numbers, box: int, answered: int) -> bool:
    """Whether the player of a box has still to answer a tie."""
    return (
        memory[its.FATE + box] == its.AT_WAR or memory[its.FATE + box] == its.SURRENDERED
    ) and not answered >> box & 1


@compiled
def offer_wars(flat: Numbers, memory: Numbers) -> None:
    """Give back what the bank cannot match before anybody is asked."""
    boxes = flat[at.BOXES]
    is_turn = True
    for step in range(boxes):
        box = boxes - 1 - step if flat[at.ASKS_RIGHT] else step
        if not is_waiting(memory, box, 0):
            continue
        if memory[its.BANK_LEFT] == 0:
            memory[its.FATE + box] = its.RETURNED
            memory[its.BANK_SHORT] = 1
        elif flat[at.BANK] == COVERED and (is_turn or flat[at.ASKS_ANY]):
            cut_to_match(flat, memory, box)
        is_turn = is_turn and memory[its.FATE + box] == its.RETURNED


@compiled
def return_unmatched(flat: Numbers, memory: Numbers, answered: int) -> None:
    """After each answer, give back what the bank cannot match any more to those who wait.

    Where they are asked in order, that is for whoever is next; one who has it all back is not asked, and another is.
    """
    boxes = flat[at.BOXES]
    for step in range(boxes):
        box = boxes - 1 - step if flat[at.ASKS_RIGHT] else step
        if not is_waiting(memory, box, answered):
            continue
        if memory[its.BANK_LEFT] == 0:
            memory[its.FATE + box] = its.RETURNED
            memory[its.BANK_SHORT] = 1
        elif flat[at.BANK] != COVERED:
            return
        else:
            cut_to_match(flat, memory, box)
            if not flat[at.ASKS_ANY] and memory[its.FATE + box] != its.RETURNED:
                return


@compiled
def choose_wars(flat: Numbers, memory: Numbers) -> None:
    """Each tied player in turn goes to war, matched as far as the bank has something left, or surrenders."""
    boxes = flat[at.BOXES]
    answered = 0
    memory[its.WARS] = 0
    for step in range(boxes):
        box = boxes - 1 - step if flat[at.ASKS_RIGHT] else step
        if not is_waiting(memory, box, answered):
            continue
        answered |= 1 << box
        amount = memory[its.STAKE + box] * flat[at.STAKE_NUMERATOR] // flat[at.STAKE_DENOMINATOR]
        if memory[its.FATE + box] == its.SURRENDERED or amount == 0:
            memory[its.FATE + box] = its.SURRENDERED
            memory[its.NET + 8 * box] = settle_one(flat, memory, cells.INITIAL, -1, memory[its.STAKE + box], 0, False)
        else:
            if amount > memory[its.BANK_LEFT]:
                memory[its.BANK_SHORT] = 1
                amount = memory[its.STAKE + box] = memory[its.MATCH + box] = memory[its.BANK_LEFT]
            else:
                memory[its.MATCH + box] = amount if flat[at.MATCHES] else 0
            memory[its.WAR + box] = amount
            memory[its.BANK_LEFT] -= memory[its.MATCH + box]
            memory[its.WARS] += 1
        return_unmatched(flat, memory, answered)


@compiled
def settle_first_deal(flat: Numbers, memory: Numbers) -> None:
    """The bank's passes after the first deal, and the choices of those who are tied."""
    boxes = flat[at.BOXES]
    memory[its.BANK_LEFT] = flat[at.BANK_STAKE]
    memory[its.BANK_SHORT] = 0
    for place in range(8 * at.MOST_BOXES):
        memory[its.NET + place] = 0
    for box in range(boxes):
        memory[its.STAKE + box] = flat[at.AMOUNT + cells.INITIAL]
        memory[its.WAR + box] = memory[its.MATCH + box] = 0
    for count in range(flat[at.PASS]):
        form = flat[at.PASS + 1 + count]
        if form & 2:
            settle_pass(flat, memory, form, 1)
            settle_pass(flat, memory, form, 2)
        else:
            settle_pass(flat, memory, form, 0)
    if memory[its.WARS]:
        offer_wars(flat, memory)
        choose_wars(flat, memory)


@compiled
def settle_war_deal(flat: Numbers, memory: Numbers) -> None:
    """The bank's pass after the second cards: initial and war wager, then the wagers on those cards."""
    boxes = flat[at.BOXES]
    dealer = memory[its.SECOND + boxes]
    for step in range(boxes):
        box = boxes - 1 - step if flat[at.SETTLES_WAR_RIGHT] else step
        if memory[its.FATE + box] != its.AT_WAR:
            continue
        card, net = memory[its.SECOND + box], 8 * box
        place = 0 if card >> 2 > dealer >> 2 else 1 if card >> 2 == dealer >> 2 else 2
        situation = INITIAL_WAR_WIN + place
        memory[its.NET + net] = settle_one(flat, memory, cells.INITIAL, situation, memory[its.STAKE + box], 0, True)
        match = memory[its.MATCH + box]
        memory[its.NET + net] += settle_one(flat, memory, WAR, WAR_WIN + place, memory[its.WAR + box], match, match > 0)
        if is_placed(flat, cells.WAR_TIE_WAGER, memory[its.BITS]):
            situation = WAR_TIE_WIN if place == 1 else WAR_TIE_LOSS
            amount = flat[at.AMOUNT + cells.WAR_TIE_WAGER]
            memory[its.NET + net + cells.WAR_TIE_WAGER] = settle_one(
                flat, memory, cells.WAR_TIE_WAGER, situation, amount, 0, False
            )
        if is_placed(flat, cells.WAR_PAIRS, memory[its.BITS]):
            situation = WAR_PAIR + pair_place(flat, card, dealer)
            amount = flat[at.AMOUNT + cells.WAR_PAIRS]
            memory[its.NET + net + cells.WAR_PAIRS] = settle_one(
                flat, memory, cells.WAR_PAIRS, situation, amount, 0, False
            )
