"""The figures of each wager: how often it came to what, exactly, and what wagers and boxes share."""

from fractions import Fraction
from math import sqrt

import msgspec

from casinowar.sim import parameters as at
from casinowar.sim.outcome_cells import CELLS, VOID, WAGER_ORDER
from casinowar.sim.pay_table import PayTable
from casinowar.sim.result.moments import join_parts, mean_of
from casinowar.sim.result.plan_tallies import PlanTallies


class WagerFigures(msgspec.Struct, frozen=True):
    """One wager over all boxes: how often it was settled, and its net results per unit of its own stake.

    `square` is the sum of their squares, and `total_variance` the variance of their sum: boxes of one round share the
    dealer's card. Where a meter has paid several prizes for the same outcome, the histogram has their mean.

    >>> from casinowar import sim
    >>> tie = sim.simulate("wa", 100_000, seed=7, wagers=["initial", "tie"], fresh=True).wager("tie")
    >>> tie.count, float(tie.mean), f"{tie.standard_error:.4f}"
    (100000, -0.18831, '0.0091')
    """

    wager: str
    count: int
    histogram: dict[Fraction, int]
    square: Fraction
    total_variance: Fraction

    @property
    def mean(self) -> Fraction:
        """The mean net result, in units."""
        return mean_of(self.histogram)

    @property
    def variance(self) -> Fraction:
        """The variance of the net result, from the histogram."""
        return self.square / self.count - self.mean**2 if self.count else Fraction(0)

    @property
    def standard_error(self) -> float:
        """Of the mean, with what boxes of one round share."""
        return sqrt(self.total_variance) / self.count if self.count else 0.0

    @property
    def hit_rate(self) -> Fraction:
        """How often the wager won something."""
        return Fraction(sum(count for net, count in self.histogram.items() if net > 0), self.count or 1)


def _pay_table(result: PlanTallies) -> PayTable:
    return PayTable(result.plan.rules, result.plan.wagers, tuple(result.plan.counted))


def net_sums(result: PlanTallies, wager: str) -> list[tuple[Fraction, int, Fraction]]:
    """Nets of a wager in minor units, how often each was, and the sum of its squares; a meter's prizes are in it."""
    flat = result.plan.numbers
    if flat[at.BANK]:
        bins, kind = flat[at.NET_BINS], WAGER_ORDER.index(wager)
        nets = enumerate(result.section("net")[kind * bins : (kind + 1) * bins], flat[at.LEAST_NET])
        return [(Fraction(net), count, Fraction(net * net * count)) for net, count in nets if count]
    pays, counts = _pay_table(result), result.section("count")
    found = []
    for index, count in enumerate(counts):
        net = pays.net(wager, index) if count else None
        if net is None:
            continue
        paid, square = _prizes(result, index) if wager == "progressive" else (0, 0)
        mean = net + Fraction(paid, count)
        found.append((mean, count, Fraction(net * net * count + 2 * net * paid + square)))
    return found


def _prizes(result: PlanTallies, index: int) -> tuple[int, int]:
    """What the meter has paid at an index, and the sum of the squares of it."""
    prizes, indexes = result.section("prize"), result.plan.numbers[at.INDEXES]
    return prizes[index], join_parts(prizes[indexes + index], prizes[2 * indexes + index])


def wager_figures(result: PlanTallies, wager: str) -> WagerFigures:
    if wager not in result.plan.wagers:
        raise ValueError(f"{wager} is not on the table: {', '.join(result.plan.wagers)} are")
    stake = result.plan.wagers[wager]
    histogram: dict[Fraction, int] = {}
    square = Fraction(0)
    for net, count, squares in net_sums(result, wager):
        histogram[net / stake] = histogram.get(net / stake, 0) + count
        square += squares / stake**2
    count = sum(histogram.values())
    mean = mean_of(histogram)
    total = square - count * mean**2
    if result.plan.boxes > 1:
        kind = WAGER_ORDER.index(wager)
        paired, settled = result.section("paired"), result.section("settled")[kind]
        own = join_parts(*paired[18 * kind : 18 * kind + 2])
        crossed = join_parts(*paired[16 * kind + 14 : 16 * kind + 16])
        total = Fraction(own, stake**2) - 2 * mean * Fraction(crossed, stake) + mean**2 * settled
    return WagerFigures(wager, count, dict(sorted(histogram.items())), square, total)


def hands(result: PlanTallies) -> int:
    """Boxes with a hand, over all rounds that were not void."""
    counts = result.section("count")
    return sum(counts) - sum(counts[VOID::CELLS])


def _products(result: PlanTallies, one: str, two: str) -> Fraction:
    """The sum of products of two wagers' nets on the same box, in minor units."""
    first, second = sorted((WAGER_ORDER.index(one), WAGER_ORDER.index(two)))
    if result.plan.numbers[at.BANK]:
        place = 16 * first + 2 * second
        return Fraction(join_parts(*result.section("short")[place : place + 2]))
    if one == two:
        return sum((square for _, _, square in net_sums(result, one)), Fraction(0))
    pays, total = _pay_table(result), 0
    for index, count in enumerate(result.section("count")):
        nets = [pays.net(wager, index) for wager in (one, two)] if count else [None]
        if None in nets:
            continue
        paid = _prizes(result, index)[0] if "progressive" in (one, two) else 0
        other = nets[0] if two == "progressive" else nets[1]
        total += count * nets[0] * nets[1] + paid * other  # type: ignore[operator]
    return Fraction(total)


def _sum(result: PlanTallies, wager: str) -> Fraction:
    return sum((net * count for net, count, _ in net_sums(result, wager)), Fraction(0))


def covariance(result: PlanTallies, one: str, two: str) -> Fraction:
    stakes, count = result.plan.wagers[one] * result.plan.wagers[two], hands(result) or 1
    together = _products(result, one, two) / count
    return (together - _sum(result, one) * _sum(result, two) / count**2) / stakes


def box_covariance(result: PlanTallies, one: str, two: str) -> Fraction | None:
    boxes = result.plan.boxes - (result.plan.numbers[at.BANK] > 0)
    if boxes < 2:
        return None
    stakes, count = result.plan.wagers[one] * result.plan.wagers[two], hands(result) or 1
    first, second = sorted((WAGER_ORDER.index(one), WAGER_ORDER.index(two)))
    place = 16 * first + 2 * second
    totals = join_parts(*result.section("paired")[place : place + 2])
    apart = (totals - _products(result, one, two)) / (count * (boxes - 1))
    return (apart - _sum(result, one) * _sum(result, two) / count**2) / stakes
