"""The figures of nights: how many were ruined, what they came to, and the bankroll on the way."""

from fractions import Fraction
from math import sqrt

import msgspec

from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.sim.night_bins import bins_of
from casinowar.sim.result.moments import join_parts, moments
from casinowar.sim.result.plan_tallies import PlanTallies

QUANTILES = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99))


class NightFigures(msgspec.Struct, frozen=True):
    """Nights: how many, how many were ruined and after how many rounds, what they came to, and how deep they fell.

    `points` are rounds, and `quantiles` has for each share the bankroll at each point; `fall_quantiles` is of the
    deepest fall from a peak. They are the middles of bins of `bin` minor units, so that each is exact to `within`: to
    0 where there is a bin for every step of money. A bankroll of `least` is that or less, one of `most` that or more,
    and a fall of `deepest` that or more; they are none where no night can lie beyond the bins.

    >>> from fractions import Fraction
    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("nz"), wagers={"initial": 1}, session=100, bankroll=10)
    >>> nights = sim.run(plan, seed=7, rounds=100_000).nights
    >>> nights.nights, float(nights.ruin), nights.quantiles[Fraction(1, 2)][-1]
    (1000, 0.434, 6)
    >>> nights.bin, nights.within
    (1, 0)
    """

    nights: int
    ruined: int
    rounds_to_ruin: Fraction | None
    mean: Fraction
    variance: Fraction
    fall_mean: Fraction
    bin: int
    within: int
    least: int | None
    most: int | None
    deepest: int | None
    points: tuple[int, ...]
    quantiles: dict[Fraction, tuple[int, ...]]
    fall_quantiles: dict[Fraction, int]

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance / self.nights) if self.nights else 0.0

    @property
    def ruin(self) -> Fraction:
        """The share of nights that were ruined."""
        return Fraction(self.ruined, self.nights or 1)


def night_figures(result: PlanTallies) -> NightFigures:
    flat, counts = result.plan.numbers, result.tallies
    nights, ruined = counts[tally.NIGHTS], counts[tally.RUINED]
    square = join_parts(counts[tally.NIGHT_SQUARE], counts[tally.NIGHT_SQUARE + 1])
    mean, variance = moments(nights, counts[tally.NIGHT_SUM], square)
    points, found = flat[at.POINTS], result.section("night")
    rows = [found[tally.NIGHT_BINS * place : tally.NIGHT_BINS * (place + 1)] for place in range(points + 1)]
    bins = bins_of(result.plan)
    return NightFigures(
        nights,
        ruined,
        Fraction(counts[tally.RUIN_ROUNDS], ruined) if ruined else None,
        mean,
        variance,
        Fraction(counts[tally.FALL_SUM], nights or 1),
        bins.width,
        bins.within,
        bins.least,
        bins.most,
        bins.deepest,
        tuple(flat[at.POINT : at.POINT + points]),
        {share: tuple(bins.bankroll(_quantile(row, share)) for row in rows[:-1]) for share in QUANTILES},
        {share: bins.fall(_quantile(rows[-1], share)) for share in QUANTILES},
    )


def _quantile(row: list[int], share: Fraction) -> int:
    """The first bin up to which so large a share lies."""
    below, total = 0, sum(row)
    for place, count in enumerate(row):
        below += count
        if below >= share * total and below:
            return place
    return 0
