"""The round of the kernel: what lies on the boxes, and what has become of it."""

from typing import NamedTuple

import numpy as np
from numpy import int64

from casinowar.sim import parameters as at
from casinowar.sim.compilation import compiled
from casinowar.sim.shoe import Numbers

NOT_DEALT = -1
"""The index of a box that has no hand."""

NO_HAND, SETTLED, SURRENDERED, AT_WAR, RETURNED = 0, 1, 2, 3, 4
"""What has become of the initial wager of a box after the first deal."""

# Numbers of the table in `table`.
BETTORS = 0
BANKER = 1  # The box that banks, or -1.
BITS = 2  # Which counted wagers are placed.
WARS = 3
METER = 4
ROLL = 5  # The bankroll of box 1, the most it was, and how far it has fallen since.
PEAK = 6
FALL = 7
POINT = 8  # Points of the night that have been passed.
BANK_SERVED = 9  # Rounds that the player who banks has had the bank.
BANK_LEFT = 10
BANK_SHORT = 11  # 1: the bank could not cover everything in this round.
TABLE_STATE = 12


class Round(NamedTuple):
    """Boxes by their number from 0; the dealer's cards stand behind those of the boxes.

    `order` has the boxes that bet in the order of the first deal. Where a player banks, `stake`, `war` and `match` are
    what lies on the box now, and `net` is what each wager has come to.
    """

    table: Numbers
    order: Numbers
    first: Numbers
    second: Numbers
    fate: Numbers
    index: Numbers
    prize: Numbers
    totals: Numbers
    settled: Numbers
    stake: Numbers
    war: Numbers
    match: Numbers
    net: Numbers


@compiled
def make_round() -> Round:
    boxes = at.MOST_BOXES + 1
    return Round(
        np.zeros(TABLE_STATE, int64),
        np.zeros(boxes, int64),
        np.zeros(boxes, int64),
        np.zeros(boxes, int64),
        np.zeros(boxes, int64),
        np.zeros(boxes, int64),
        np.zeros(boxes, int64),
        np.zeros(8, int64),
        np.zeros(8, int64),
        np.zeros(boxes, int64),
        np.zeros(boxes, int64),
        np.zeros(boxes, int64),
        np.zeros(8 * boxes, int64),
    )
