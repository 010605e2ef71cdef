"""Several wagers on one box at once: their joint distribution as one stake, and what follows from it."""

from collections.abc import Mapping
from fractions import Fraction

from casinowar.odds.composition import CompositionError
from casinowar.odds.figures import Figures, Strategy, Study
from casinowar.odds.wagers import SUITED, net, staked


def combined(study: Study, units: Mapping[str, int], strategy: Strategy = "war") -> Figures:
    """Net of all these wagers together, each with its number of units; a war-deal wager rides on every war.

    Gains are in units of one, not per unit staked: the house edge of this is what one round costs on average.
    """
    for wager in units:
        if wager in SUITED and not study.found.has_suits:
            raise CompositionError(f"{wager} asks for suits: give the composition by card, as in Ah:5")
    plan = study.plan(strategy)
    weights: dict[Fraction, int] = {}
    at_risk = Fraction(0)
    for outcome, weight in study.outcomes(strategy):
        choice = plan(outcome)
        total = Fraction(0)
        for wager, count in units.items():
            gain = net(study.rules, wager, outcome, choice)
            if gain is not None:
                total += count * gain
                at_risk += weight * count * staked(study.rules, wager, outcome, choice)
        weights[total] = weights.get(total, 0) + weight
    if not at_risk:
        raise CompositionError(f"{', '.join(units)}: never placed, since nobody goes to war")
    distribution = {gain: Fraction(weights[gain], study.found.total) for gain in sorted(weights)}
    return Figures("+".join(units), distribution, at_risk / study.found.total)
