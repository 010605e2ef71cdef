"""The moments of counts: means and variances out of sums, exactly."""

from collections.abc import Mapping
from fractions import Fraction

from casinowar.sim.tallies import LOW_BITS


def mean_of(histogram: Mapping[Fraction, int] | Mapping[int, int]) -> Fraction:
    """The mean of values, each of which came so often."""
    count = sum(histogram.values())
    return Fraction(sum((net * times for net, times in histogram.items()), Fraction(0))) / (count or 1)


def moments(count: int, total: int, square: int) -> tuple[Fraction, Fraction]:
    """Mean and variance out of sums."""
    mean = Fraction(total, count or 1)
    return mean, Fraction(square, count or 1) - mean**2


def join_parts(high: int, low: int) -> int:
    """The sum of products that the tallies have in two parts."""
    return (high << LOW_BITS) + low
