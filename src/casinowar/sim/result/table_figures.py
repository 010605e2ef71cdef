"""The figures of the table: the shoes that were dealt, and what a player who banks gained."""

from fractions import Fraction
from math import sqrt

import msgspec

from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.sim.result.moments import mean_of, moments
from casinowar.sim.result.plan_tallies import PlanTallies


class ShoeFigures(msgspec.Struct, frozen=True):
    """Shoes that were dealt to their end, what was dealt of them, and rounds for which the cards ran out.

    `dry` is how often a shoe ran dry in a round, `void` how many rounds were void for it.

    >>> from casinowar import sim
    >>> shoe = sim.simulate("nz", 100_000, seed=7, wagers=["initial"]).shoe
    >>> shoe.shoes, round(float(shoe.rounds_per_shoe), 1), shoe.dry
    (1002, 98.7, 0)
    """

    shoes: int
    rounds_per_shoe: Fraction
    rounds_variance: Fraction
    cards_per_shoe: Fraction
    cards_variance: Fraction
    dry: int
    void: int


class BankFigures(msgspec.Struct, frozen=True):
    """What who banks has gained, in minor units, and in how many rounds the stake did not reach for everything.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("ca"), boxes=2, wagers={"initial": 100}, bank_stake=150, fresh=True)
    >>> bank = sim.run(plan, seed=7, rounds=100_000).bank
    >>> bank.rounds, round(float(bank.mean), 2), bank.short
    (100000, 2.36, 543)
    """

    rounds: int
    histogram: dict[int, int]
    short: int

    @property
    def mean(self) -> Fraction:
        """The mean net result, in units."""
        return mean_of(self.histogram)

    @property
    def variance(self) -> Fraction:
        """The variance of the net result, from the histogram."""
        square = sum((net * net * count for net, count in self.histogram.items()), 0)
        return Fraction(square, self.rounds) - self.mean**2 if self.rounds else Fraction(0)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance / self.rounds) if self.rounds else 0.0


def shoe_figures(result: PlanTallies) -> ShoeFigures:
    counts = result.tallies
    shoes = counts[tally.SHOES]
    rounds, rounds_variance = moments(shoes, counts[tally.SHOE_ROUNDS], counts[tally.SHOE_ROUNDS_SQUARED])
    cards, cards_variance = moments(shoes, counts[tally.SHOE_CARDS], counts[tally.SHOE_CARDS_SQUARED])
    dry, void = counts[tally.DRY_ROUNDS], counts[tally.VOID_ROUNDS]
    return ShoeFigures(shoes, rounds, rounds_variance, cards, cards_variance, dry, void)


def bank_figures(result: PlanTallies) -> BankFigures:
    least = result.plan.numbers[at.BANK_LEAST]
    histogram = {net: count for net, count in enumerate(result.section("banked"), least) if count}
    return BankFigures(result.tallies[tally.BANK_ROUNDS], histogram, result.tallies[tally.BANK_DRY])
