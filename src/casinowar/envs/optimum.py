"""The optimum: what the best that can be done at a table is worth, exactly, from the odds."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from casinowar.envs.actions import Action
from casinowar.odds.composition import Composition, fresh
from casinowar.odds.figures import study
from casinowar.odds.outcomes import Outcome
from casinowar.odds.wagers import JACKPOT, Choice, lines, net
from casinowar.rulebooks import Rulebook


class Optimum(msgspec.Struct, frozen=True):
    """What each bet gains on average in a round with the best decisions after it, in units of the initial stake.

    `decisions` has the best decision by the rank of the tie, for the best bet; where it hangs on the suits of the two
    cards too, the one for cards that differ in colour.

    >>> from casinowar.envs import WarEnv
    >>> best = WarEnv("nz").optimum()
    >>> best.bet, f"{float(best.value):.4f}", f"{best.regret(-0.05):.4f}"
    ('initial', '-0.0233', '0.0267')
    """

    bets: dict[str, Fraction]
    decisions: dict[str, str]

    @property
    def bet(self) -> str:
        """The best bet by its name; of equals, the one with the fewest wagers."""
        return max(self.bets, key=lambda name: self.bets[name])

    @property
    def value(self) -> Fraction:
        """What the best bet gains in a round on average, in units of the initial stake."""
        return self.bets[self.bet]

    def regret(self, mean: float) -> float:
        """How much less than the optimum a policy gains that gains so much in a round on average."""
        return float(self.value) - mean


def optimum(
    rules: Rulebook,
    bets: Sequence[Action],
    decisions: Sequence[Action],
    stakes: dict[str, int],
    composition: Composition | None = None,
) -> Optimum:
    """The optimum of a box that may make these bets and decisions, from a fresh shoe or from these cards."""
    cards = composition or fresh(rules.shoe.decks)
    outcomes = study(rules, cards).found
    plain = {one: weight for one, weight in outcomes.weights.items() if one.first != "tie"}
    ties: dict[tuple[str, str], dict[Outcome, int]] = {}
    for one, weight in outcomes.weights.items():
        if one.first == "tie":
            ties.setdefault((one.rank or "", one.pair or ""), {})[one] = weight
    values: dict[str, Fraction] = {}
    chosen: dict[str, dict[str, str]] = {}
    for bet in bets:
        worth = Worth(rules, bet, stakes)
        total = worth.sum(plain, Action("surrender"))
        best = chosen[bet.name] = {}
        for (rank, _), seconds in sorted(ties.items()):
            told = [(worth.sum(seconds, decision), decision) for decision in worth.open(decisions)]
            gain, decision = max(told, key=lambda pair: (pair[0], pair[1].kind == "war"))
            total += gain
            best[rank] = decision.name
        values[bet.name] = total / outcomes.total / stakes["initial"]
    top = max(values, key=lambda name: values[name])
    return Optimum(values, {rank: chosen[top][rank] for rank in rules.cards.ranks if rank in chosen[top]})


class Worth:
    """What a bet comes to in minor units, by outcome and decision."""

    def __init__(self, rules: Rulebook, bet: Action, stakes: dict[str, int]) -> None:
        self.rules, self.bet, self.stakes = rules, bet, stakes

    def open(self, decisions: Sequence[Action]) -> Sequence[Action]:
        """The decisions that this bet leads to: without an initial wager nobody is asked."""
        return decisions if "initial" in self.bet.wagers else (Action("surrender"),)

    def sum(self, weights: dict[Outcome, int], decision: Action) -> Fraction:
        """The sum over these outcomes, each as often as it comes."""
        choice: Choice = "war" if decision.kind == "war" else "surrender"
        total = Fraction(0)
        for outcome, weight in weights.items():
            for wager in (*self.bet.wagers, *decision.wagers):
                gain = net(self.rules, wager, outcome, choice)
                total += weight * self.stakes[wager] * (gain or 0)
            if "progressive" in self.bet.wagers and JACKPOT in lines(self.rules, outcome, choice):
                total += weight * meter_prize(self.rules, self.stakes["progressive"])
        return total


def meter_prize(rules: Rulebook, stake: int) -> int:
    """What a jackpot brings of a meter at its seed, into which this wager alone has paid."""
    share, whole = map(int, rules.progressive.meter_share.split(":"))
    return (rules.progressive.seed + stake * rules.progressive.increment_bp // 10_000) * share // whole
