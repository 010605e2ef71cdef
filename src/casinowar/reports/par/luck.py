"""Luck and fault: how far the hold may stray from the edge by chance, and how many rounds tell the two apart.

Sums of many rounds are taken as normal. The error of that is bounded by the Berry-Esseen theorem and told beside each
band, so that nobody trusts a band which has too few rounds for its wager.
"""

from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist

import msgspec

from casinowar.odds.figures import Figures
from casinowar.odds.stretch.stretch import BERRY_ESSEEN, third_moment

LEVELS = (90, 95, 99)
Z = {level: NormalDist().inv_cdf(0.5 + level / 200) for level in LEVELS}
"""Half-widths of the bands in standard deviations: 1.645, 1.960 and 2.576."""

ROUNDS = tuple(10**power for power in range(3, 8))
FAULTS = tuple(Fraction(points, 1000) for points in (1, 2, 5, 10, 20, 50))
"""Sizes of a fault in the hold: 0.1 % to 5 % of what is wagered."""

SEEN = 90
"""The chance, in per cent, that a fault is to be seen when it is there."""

_SEEN_Z = NormalDist().inv_cdf(SEEN / 100)


class Band(msgspec.Struct, frozen=True):
    """Where the hold lies after so many rounds, by the chance in per cent that it does, as low and high.

    `error` is the most by which such a chance can be off; none where the bound says nothing.
    """

    rounds: int
    hold: dict[int, tuple[float, float]]
    error: float | None


class Detection(msgspec.Struct, frozen=True):
    """How many rounds it takes to see a fault of this size, by the level of the band that it must leave."""

    fault: Fraction
    rounds: dict[int, int]


def volatility(figures: Figures) -> dict[int, float]:
    """The volatility index: z times the standard deviation of one round, for the three levels."""
    return {level: Z[level] * figures.sd for level in LEVELS}


def bands(figures: Figures) -> tuple[Band, ...]:
    edge, sd = float(figures.house_edge), figures.sd
    return tuple(
        Band(
            rounds,
            {level: (edge - Z[level] * sd / sqrt(rounds), edge + Z[level] * sd / sqrt(rounds)) for level in LEVELS},
            _error(figures, rounds),
        )
        for rounds in ROUNDS
    )


def detections(figures: Figures) -> tuple[Detection, ...]:
    """The rounds until a fault shows: the hold leaves the band with a chance of `SEEN` per cent, either way."""
    return tuple(
        Detection(
            fault, {level: ceil(((Z[level] + _SEEN_Z) * figures.sd) ** 2 / float(fault * fault)) for level in LEVELS}
        )
        for fault in FAULTS
    )


def _error(figures: Figures, rounds: int) -> float | None:
    """The error of a band: twice the bound, since a band has two ends."""
    sd = figures.sd
    if not sd:
        return 0.0
    bound = 2 * float(BERRY_ESSEEN) * float(third_moment(figures)) / (sd**3 * sqrt(rounds))
    return bound if bound < 1 else None
