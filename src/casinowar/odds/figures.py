"""Figures of a wager, or of several on one box: probabilities, expectation, variance and what follows from them."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Literal, get_args

import msgspec

from casinowar.cards import RANKS
from casinowar.errors import require_word
from casinowar.odds.composition import Composition, CompositionError
from casinowar.odds.outcomes import Outcome, Outcomes, outcomes
from casinowar.odds.wagers import SUITED, Choice, amount_at_risk, initial_net, net, offered_wagers
from casinowar.rulebooks import Rulebook

Strategy = Literal["war", "surrender", "best"]
Plan = Callable[[Outcome], Choice]
"""What the player chooses in an outcome; it may look at the tie's rank and at nothing that comes later."""


def mean(distribution: Mapping[Fraction, Fraction] | Mapping[int, Fraction]) -> Fraction:
    return sum((net * chance for net, chance in distribution.items()), Fraction(0))


def variance(distribution: Mapping[Fraction, Fraction] | Mapping[int, Fraction]) -> Fraction:
    square = sum((net * net * chance for net, chance in distribution.items()), Fraction(0))
    return square - mean(distribution) ** 2


class Figures(msgspec.Struct, frozen=True):
    """A wager's distribution per unit wagered, and what follows from it.

    The house edge is the expected loss per unit of the wager itself; the element of risk is the same loss per unit of
    all that is put at risk, war wagers included. They differ where a war adds to the wager.

    >>> from casinowar import odds, rulebooks
    >>> figures = odds.study(rulebooks.load_rulebook("nz"), odds.fresh(6)).figures("tie")
    >>> figures.ev, figures.distribution, f"{figures.sd:.3f}"
    (Fraction(-58, 311), {Fraction(-1, 1): Fraction(288, 311), Fraction(10, 1): Fraction(23, 311)}, '2.879')
    """

    wager: str
    distribution: dict[Fraction, Fraction]
    average_total_wager: Fraction

    @property
    def ev(self) -> Fraction:
        """The expected net result of one unit of the wager."""
        return mean(self.distribution)

    @property
    def house_edge(self) -> Fraction:
        """The expected loss per unit of the wager itself."""
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit of all that is put at risk, war wagers included."""
        return -self.ev / self.average_total_wager

    @property
    def variance(self) -> Fraction:
        """The variance of the net result of one unit."""
        return variance(self.distribution)

    @property
    def sd(self) -> float:
        """The standard deviation of the net result of one unit."""
        return sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager wins something."""
        return sum((chance for net, chance in self.distribution.items() if net > 0), Fraction(0))


class Study(msgspec.Struct, frozen=True):
    """One rulebook over one composition: every outcome is counted once, and all figures come from that.

    >>> from casinowar import odds, rulebooks
    >>> study = odds.study(rulebooks.load_rulebook("nz"), odds.fresh(6))
    >>> study.wagers(), study.best_play()["K"]
    (('initial', 'tie'), 'war')
    """

    rules: Rulebook
    composition: Composition
    found: Outcomes

    def wagers(self) -> tuple[str, ...]:
        """The wagers that can be valued: those that depend on suits only where the composition has them."""
        return tuple(wager for wager in offered_wagers(self.rules) if self.found.has_suits or wager not in SUITED)

    def figures(self, wager: str, strategy: Strategy = "war") -> Figures:
        """The figures of a wager where every tie is answered by this strategy."""
        plan = self.plan(strategy)
        weights: dict[Fraction, int] = {}
        stakes: dict[Fraction, int] = {}
        for outcome, weight in self.outcomes(strategy):
            choice = plan(outcome)
            gain = net(self.rules, wager, outcome, choice)
            if gain is None:
                continue
            weights[gain] = weights.get(gain, 0) + weight
            stake = amount_at_risk(self.rules, wager, outcome, choice)
            stakes[stake] = stakes.get(stake, 0) + weight
        total = sum(weights.values())
        if not total:
            raise ValueError(f"{wager} is never placed under the strategy {strategy}")
        distribution = {gain: Fraction(weights[gain], total) for gain in sorted(weights)}
        at_risk = sum((stake * weight for stake, weight in stakes.items()), Fraction(0))
        return Figures(wager, distribution, at_risk / total)

    def outcomes(self, strategy: Strategy) -> Iterable[tuple[Outcome, int]]:
        """The outcomes with their weights; with the rank of a tie only where the choice depends on it."""
        return (self.found.weights if self.only_choice(strategy) is None else self.found.merged).items()

    def plan(self, strategy: Strategy) -> Plan:
        """The choice between war and surrender that a strategy makes in each outcome."""
        choice = self.only_choice(strategy)
        if choice is not None:
            return lambda outcome: choice
        best = self.best_play()
        return lambda outcome: best[outcome.rank] if outcome.rank else "war"

    def only_choice(self, strategy: Strategy) -> Choice | None:
        """The one choice at every tie; none where best play depends on the rank."""
        require_word(get_args(Strategy), strategy=strategy)
        if strategy != "best":
            return strategy
        chosen = set(self.best_play().values()) or {"war"}
        return chosen.pop() if len(chosen) == 1 else None

    def best_play(self) -> dict[str, Choice]:
        """For each rank that can tie, the choice that costs less; war where both cost the same."""
        return {rank: "war" if war >= surrender else "surrender" for rank, (war, surrender) in self.choices().items()}

    def choices(self) -> dict[str, tuple[Fraction, Fraction]]:
        """What war and what surrender are worth after a tie, by the rank of the tie."""
        ways: dict[str, dict[str, int]] = {}
        for outcome, weight in self.found.weights.items():
            if outcome.rank is not None and outcome.second is not None:
                seconds = ways.setdefault(outcome.rank, {})
                seconds[outcome.second] = seconds.get(outcome.second, 0) + weight
        surrender = initial_net(self.rules, Outcome("tie"), "surrender")
        return {rank: (self._war(ways[rank]), surrender) for rank in RANKS if rank in ways}

    def _war(self, seconds: dict[str, int]) -> Fraction:
        """What war is worth, by how many ways each result of the second cards comes about."""
        nets = {second: initial_net(self.rules, Outcome("tie", second=second), "war") for second in seconds}
        return sum((nets[second] * ways for second, ways in seconds.items()), Fraction(0)) / sum(seconds.values())

    def joint(self, wagers: Iterable[str], strategy: Strategy = "war") -> dict[tuple[Fraction | None, ...], Fraction]:
        """Chances of every combination of results of these wagers on one box; none for one that could not be placed."""
        plan, named = self.plan(strategy), tuple(wagers)
        weights: dict[tuple[Fraction | None, ...], int] = {}
        for outcome, weight in self.outcomes(strategy):
            choice = plan(outcome)
            key = tuple(net(self.rules, wager, outcome, choice) for wager in named)
            weights[key] = weights.get(key, 0) + weight
        return {key: Fraction(weight, self.found.total) for key, weight in weights.items()}


def study(rules: Rulebook, composition: Composition) -> Study:
    """All that can come of one box under these rules, from a shoe with these cards left.

    >>> from casinowar import odds, rulebooks
    >>> odds.study(rulebooks.load_rulebook("nz"), odds.fresh(6)).figures("initial").house_edge
    Fraction(23138, 993023)
    """
    given: tuple[object, object] = (rules, composition)
    if not (isinstance(given[0], Rulebook) and isinstance(given[1], Composition)):
        raise TypeError(
            "a study is of a Rulebook and a Composition, such as load_rulebook('nz') and fresh(6), "
            f"and not of {rules!r} and {composition!r}"
        )
    burns = rules.war.burn + rules.war.burn_before_banker
    return Study(rules, composition, outcomes(composition, rules.cards.ranks, burns))


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
                at_risk += weight * count * amount_at_risk(study.rules, wager, outcome, choice)
        weights[total] = weights.get(total, 0) + weight
    if not at_risk:
        raise CompositionError(f"{', '.join(units)}: never placed, since nobody goes to war")
    distribution = {gain: Fraction(weights[gain], study.found.total) for gain in sorted(weights)}
    return Figures("+".join(units), distribution, at_risk / study.found.total)
