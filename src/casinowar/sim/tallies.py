"""The tallies of a chunk: one array of int64, and what stands where in it.

Single counts come first, then the sections, one after the other:

    COUNT    indexes       boxes by the index of their outcome (with a player's bank too)
    PRIZE    3 x indexes   with a progressive: what the meter paid at each index, and its squares, high and low part
    PAIRED   7 x 8 x 2     sums of products of two wagers' nets of a round over all boxes, high and low part, by
                           8 * wager + wager; at 8 * wager + 7 net times number settled; only with more than one box
    SETTLED  7             squares of how many boxes had the wager settled in a round; only with more than one box
    NIGHT    points x 512  bankrolls by bins at each point of a night, then 512 bins of the deepest fall
    NET      7 x bins      with a player's bank: nets of each wager of a box
    SHORT    7 x 8 x 2     with a player's bank: products of nets of one box, as PAIRED has them
    BANKED   bins          what the bank has gained in a round

A product p has the high part p >> 24 and the low part p & (2 ** 24 - 1), so that no sum of a chunk overflows.
"""

from typing import TYPE_CHECKING

from casinowar.sim import parameters as at

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = 0
SHOES = 1
SHOE_ROUNDS = 2
SHOE_ROUNDS_SQUARED = 3
SHOE_CARDS = 4
SHOE_CARDS_SQUARED = 5
DRY_ROUNDS = 6
VOID_ROUNDS = 7
JACKPOTS = 8
NIGHTS = 9
RUINED = 10
RUIN_ROUNDS = 11
NIGHT_SUM = 12
NIGHT_SQUARE = 13  # High and low part.
FALL_SUM = 15
FALL_SQUARE = 16
BANK_ROUNDS = 18
BANK_DRY = 19  # Rounds that the bank could not pay in full.
HIGH = 24

NIGHT_BINS = 512
LOW_BITS = 24
PRODUCTS = 112
"""Seven wagers by eight, in two parts."""


def sections(flat: "Sequence[int]") -> dict[str, tuple[int, int]]:
    """Where each section of the tallies begins and how long it is, 0 where the plan has none; `end` is the length."""
    indexes = int(flat[at.INDEXES])
    sizes = {
        "count": indexes,
        "prize": 3 * indexes if flat[at.TELLS_LINES] else 0,
        "paired": PRODUCTS if flat[at.BOXES] > 1 else 0,
        "settled": 7 if flat[at.BOXES] > 1 else 0,
        "night": (int(flat[at.POINTS]) + 1) * NIGHT_BINS if flat[at.SESSION] else 0,
        "net": 7 * int(flat[at.NET_BINS]),
        "short": PRODUCTS if flat[at.BANK] else 0,
        "banked": int(flat[at.BANK_BINS]),
    }
    begins, place = {}, HIGH
    for name, size in sizes.items():
        begins[name] = (place, size)
        place += size
    return begins | {"end": (place, 0)}
