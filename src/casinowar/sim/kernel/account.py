"""The account of the kernel: rounds, shoes, jackpots and nights as they are added to the tallies."""

from casinowar.sim import outcome_cells as cells
from casinowar.sim import parameters as at
from casinowar.sim import table_memory as its
from casinowar.sim import tallies as tally
from casinowar.sim.kernel.compilation import compiled
from casinowar.sim.kernel.hand_cells import is_jackpot
from casinowar.sim.kernel.shoe import Numbers

LOW = (1 << tally.LOW_BITS) - 1


@compiled
def add_product(out: Numbers, place: int, product: int) -> None:
    """Add a product to a sum in two parts, neither of which can overflow within a chunk."""
    out[place] += product >> tally.LOW_BITS
    out[place + 1] += product & LOW


@compiled
def end_shoe(flat: Numbers, memory: Numbers, out: Numbers) -> None:
    """Count a shoe that has been dealt to its end."""
    rounds, dealt = memory[its.SHOE_ROUNDS], memory[its.POSITION]
    out[tally.SHOES] += 1
    out[tally.SHOE_ROUNDS] += rounds
    out[tally.SHOE_ROUNDS_SQUARED] += rounds * rounds
    out[tally.SHOE_CARDS] += dealt
    out[tally.SHOE_CARDS_SQUARED] += dealt * dealt
    memory[its.SHOE_ROUNDS] = 0


@compiled
def share_meter(flat: Numbers, memory: Numbers) -> int:
    """Share the prize among those who hit the jackpot, from the right, and tell every index of the others' hits."""
    boxes, hitters = flat[at.BOXES], 0
    for box in range(boxes):
        if memory[its.INDEX + box] >= 0 and is_jackpot(flat, memory[its.INDEX + box] % cells.CELLS):
            hitters += 1
    if not hitters:
        return 0
    prize = memory[its.METER] * flat[at.METER_NUMERATOR] // flat[at.METER_DENOMINATOR]
    share = prize if flat[at.FULL_EACH] else prize // hitters
    odd = 0 if flat[at.FULL_EACH] else prize - share * hitters
    step = flat[at.INDEXES] // flat[at.ENVIES]
    for count in range(boxes):
        box = boxes - 1 - count
        if memory[its.INDEX + box] < 0:
            continue
        others = hitters
        if is_jackpot(flat, memory[its.INDEX + box] % cells.CELLS):
            memory[its.PRIZE + box] = share + odd
            odd = 0
            others -= 1
        if flat[at.ENVIES] > 1:
            memory[its.INDEX + box] += step * others
    if flat[at.METER_RUNS]:
        memory[its.METER] += flat[at.METER_SEED] - prize
    return hitters


@compiled
def count_prize(flat: Numbers, out: Numbers, index: int, prize: int) -> None:
    """Count what the meter has paid at an index, and its square in two parts."""
    place, indexes = tally.HIGH + flat[at.INDEXES] + index, flat[at.INDEXES]
    out[place] += prize
    out[place + indexes] += prize * prize >> tally.LOW_BITS
    out[place + 2 * indexes] += prize * prize & LOW


@compiled
def count_boxes(flat: Numbers, memory: Numbers, out: Numbers) -> None:
    """Count every box by its index, and what the meter paid there."""
    for box in range(flat[at.BOXES]):
        index = memory[its.INDEX + box]
        if index < 0:
            continue
        out[tally.HIGH + index] += 1
        if memory[its.PRIZE + box]:
            count_prize(flat, out, index, memory[its.PRIZE + box])


@compiled
def net_of(flat: Numbers, memory: Numbers, box: int, kind: int) -> int:
    """What a wager of a box has netted, with its part of the meter."""
    if flat[at.BANK]:
        return memory[its.NET + 8 * box + kind]
    net = flat[flat[at.NET_AT] + kind * flat[at.INDEXES] + memory[its.INDEX + box]]
    return net + memory[its.PRIZE + box] if kind == cells.PROGRESSIVE else net


@compiled
def is_settled(flat: Numbers, memory: Numbers, box: int, kind: int) -> int:
    """1 where a wager was on the box and settled."""
    return flat[flat[at.NET_AT] + (7 + kind) * flat[at.INDEXES] + memory[its.INDEX + box]]


@compiled
def count_totals(flat: Numbers, memory: Numbers, out: Numbers, place: int) -> None:
    """Count the products of what each two wagers have netted over all boxes of the round."""
    wagers = flat[at.WAGERS]
    for first in range(wagers):
        kind = flat[at.KIND + first]
        total = settled = 0
        for box in range(flat[at.BOXES]):
            if memory[its.INDEX + box] >= 0 and is_settled(flat, memory, box, kind):
                total += net_of(flat, memory, box, kind)
                settled += 1
        memory[its.TOTAL + kind] = total
        add_product(out, place + 16 * kind + 14, total * settled)
        out[place + tally.PRODUCTS + kind] += settled * settled
        for second in range(first + 1):
            other = flat[at.KIND + second]
            add_product(out, place + 16 * other + 2 * kind, total * memory[its.TOTAL + other])


@compiled
def count_bank(flat: Numbers, memory: Numbers, out: Numbers, place: int) -> None:
    """Count what each wager has netted of a player's bank, two of them together, and what the bank has gained."""
    gain = 0
    products = place + 7 * flat[at.NET_BINS]
    for count in range(memory[its.BETTORS]):
        box = memory[its.ORDER + count]
        for first in range(flat[at.WAGERS]):
            kind = flat[at.KIND + first]
            if not is_settled(flat, memory, box, kind):
                continue
            net = memory[its.NET + 8 * box + kind]
            gain -= net
            out[place + kind * flat[at.NET_BINS] + net - flat[at.LEAST_NET]] += 1
            for second in range(first + 1):
                other = flat[at.KIND + second]
                add_product(out, products + 16 * other + 2 * kind, net * memory[its.NET + 8 * box + other])
    out[tally.BANK_ROUNDS] += 1
    out[tally.BANK_DRY] += memory[its.BANK_SHORT]
    out[products + tally.PRODUCTS + gain - flat[at.BANK_LEAST]] += 1
    memory[its.BANK_SERVED] += 1


@compiled
def count_round(flat: Numbers, memory: Numbers, out: Numbers) -> None:
    """Add a round to the tallies. A void one counts as such and for nothing else."""
    boxes, indexes = flat[at.BOXES], flat[at.INDEXES]
    out[tally.DRY_ROUNDS] += memory[its.WENT_DRY]
    if memory[its.IS_VOID]:
        out[tally.VOID_ROUNDS] += 1
        for count in range(memory[its.BETTORS]):
            memory[its.INDEX + memory[its.ORDER + count]] = cells.VOID
        count_boxes(flat, memory, out)
        if flat[at.SESSION]:
            pass_point(flat, memory, out, memory[its.ROUND] + 1)
        return
    if memory[its.BITS]:
        for count in range(memory[its.BETTORS]):
            memory[its.INDEX + memory[its.ORDER + count]] += cells.CELLS * memory[its.BITS]
    if flat[at.TELLS_LINES]:
        if flat[at.METER_RUNS]:
            memory[its.METER] += memory[its.BETTORS] * flat[at.METER_FEED]
        if memory[its.WARS]:
            out[tally.JACKPOTS] += share_meter(flat, memory)
    count_boxes(flat, memory, out)
    place = tally.HIGH + (4 if flat[at.TELLS_LINES] else 1) * indexes
    if boxes > 1:
        count_totals(flat, memory, out, place)
        place += tally.PRODUCTS + 7
    if flat[at.SESSION]:
        for count in range(flat[at.WAGERS]):
            memory[its.ROLL] += net_of(flat, memory, 0, flat[at.KIND + count])
        memory[its.PEAK] = max(memory[its.PEAK], memory[its.ROLL])
        memory[its.FALL] = max(memory[its.FALL], memory[its.PEAK] - memory[its.ROLL])
        pass_point(flat, memory, out, memory[its.ROUND] + 1)
        place += (flat[at.POINTS] + 1) * tally.NIGHT_BINS
    if flat[at.BANK]:
        count_bank(flat, memory, out, place)


@compiled
def night_place(flat: Numbers) -> int:
    """Where the bins of nights begin in the tallies."""
    place = tally.HIGH + (4 if flat[at.TELLS_LINES] else 1) * flat[at.INDEXES]
    return place + (tally.PRODUCTS + 7 if flat[at.BOXES] > 1 else 0)


@compiled
def pass_point(flat: Numbers, memory: Numbers, out: Numbers, rounds: int) -> None:
    """Count the bankroll where the night has come to one of its points."""
    while memory[its.POINT] < flat[at.POINTS] and rounds >= flat[at.POINT + memory[its.POINT]]:
        above = max(memory[its.ROLL] - flat[at.BIN_BEGIN], 0)
        where = min(above // flat[at.BIN], tally.NIGHT_BINS - 1)
        out[night_place(flat) + memory[its.POINT] * tally.NIGHT_BINS + where] += 1
        memory[its.POINT] += 1


@compiled
def end_night(flat: Numbers, memory: Numbers, out: Numbers, rounds: int) -> None:
    """Count a night: what it came to, whether the bankroll was gone, and how deep it had fallen."""
    pass_point(flat, memory, out, flat[at.SESSION])
    fall, gain = memory[its.FALL], memory[its.ROLL] - flat[at.BANKROLL]
    where = min(fall // flat[at.BIN], tally.NIGHT_BINS - 1)
    out[night_place(flat) + flat[at.POINTS] * tally.NIGHT_BINS + where] += 1
    out[tally.NIGHTS] += 1
    out[tally.NIGHT_SUM] += gain
    add_product(out, tally.NIGHT_SQUARE, gain * gain)
    out[tally.FALL_SUM] += fall
    add_product(out, tally.FALL_SQUARE, fall * fall)
    if memory[its.ROLL] < flat[at.NIGHT_STAKE]:
        out[tally.RUINED] += 1
        out[tally.RUIN_ROUNDS] += rounds
