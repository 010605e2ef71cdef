"""Exact figures beside a simulation: for each wager its value, or why there is none. Here odds and simulation meet."""

from fractions import Fraction

import msgspec

from casinowar.cards import RANKS
from casinowar.odds.composition import fresh
from casinowar.odds.figures import Strategy, Study, study
from casinowar.odds.progressive import progressive
from casinowar.rulebooks.wagers import WAR_DEAL
from casinowar.sim import Plan


class Exact(msgspec.Struct, frozen=True):
    """The value of a wager per unit with a fresh shoe, and the least chance that matters to it."""

    value: Fraction
    rarest: Fraction


class Beside(msgspec.Struct, frozen=True):
    """The exact figures of a plan's wagers, the reasons why others have none, and the name of the answer to a tie."""

    exact: dict[str, Exact]
    silent: dict[str, str]
    strategy: str


SHARE = Fraction(1, 100)
"""An outcome matters where it makes up so large a part of the variance."""


def exact_beside(plan: Plan, strategy: Strategy | None = None) -> Beside:
    """The exact figures of a plan; without `strategy` it is found out from the plan, as of a file that was kept."""
    studied = study(plan.rules, fresh(plan.rules.shoe.decks))
    answer = strategy or _strategy(plan, studied)
    exact: dict[str, Exact] = {}
    silent: dict[str, str] = {}
    for wager in plan.wagers:
        if reason := _silence(plan, wager, answer):
            silent[wager] = reason
        elif (found := _exact(plan, studied, wager, answer or "war")) is not None:
            exact[wager] = found
        else:
            silent[wager] = "has no exact figure with these rules"
    return Beside(exact, silent, answer or "by rank")


def _strategy(plan: Plan, studied: Study) -> Strategy | None:
    """The name of a plan's answers; none where no strategy has them."""
    for answer in ("war", "surrender"):
        if all(one == dict.fromkeys(RANKS, answer) for one in plan.strategy):
            return "war" if answer == "war" else "surrender"
    best = studied.best_play()
    return "best" if all(one == {rank: best.get(rank, "war") for rank in RANKS} for one in plan.strategy) else None


def _silence(plan: Plan, wager: str, strategy: Strategy | None) -> str | None:
    """Why the exact odds have nothing to say of a wager as it is played here."""
    if strategy is None:
        return "is played by a strategy that the exact odds do not have"
    if wager in plan.counted:
        return "is placed by the count, and exact figures are of a fresh shoe"
    if _is_rounded(plan, wager, strategy):
        return "is paid in whole minor units, and exact figures are not rounded"
    if plan.bank_stake is not None:
        return "may meet a bank that is short"
    if wager == "progressive" and plan.meter_runs:
        return "is paid from a meter that runs"
    if wager in WAR_DEAL and strategy == "surrender":
        return "is placed on a war, and nobody goes to war"
    return None


def _is_rounded(plan: Plan, wager: str, strategy: Strategy) -> bool:
    """Whether something that the wager costs or pays is no whole number of minor units."""
    rules, stake = plan.rules, plan.wagers[wager]
    laid = {wager: Fraction(stake)}
    if wager == "initial" and strategy != "surrender":
        laid["war"] = Fraction(stake * rules.war_stake.numerator, rules.war_stake.denominator)
    amounts = [
        laid[kind] * Fraction(cell.odds.numerator, cell.odds.denominator)
        for (kind, _), cell in rules.cells.items()
        if kind in laid and cell.odds is not None
    ]
    if wager == "initial" and strategy != "war":
        amounts.append(Fraction(stake * rules.forfeit.numerator, rules.forfeit.denominator))
    return any(amount.denominator > 1 for amount in (*laid.values(), *amounts))


def _exact(plan: Plan, studied: Study, wager: str, strategy: Strategy) -> Exact | None:
    figures = studied.figures(wager, strategy)
    spread = figures.variance
    matters = [
        chance for net, chance in figures.distribution.items() if chance * (net - figures.ev) ** 2 >= spread * SHARE
    ]
    rarest = min(matters, default=Fraction(1))
    if wager != "progressive":
        return Exact(figures.ev, rarest)
    told, others = progressive(studied, strategy), plan.boxes - 1
    paid, jackpot = told.return_without_meter, told.jackpot
    with_envy, without = told.break_even_meter.get(others), told.break_even_without_envy.get(others)
    if not with_envy or not without or paid == 1:
        return Exact(paid - 1, rarest) if not jackpot or (not others and not plan.meter) else None
    # What a unit is worth grows evenly with the meter, and is nothing where the meter breaks even. The meter is won
    # once, however many units lie on the wager: each has its part of it.
    meter = Fraction(plan.meter * plan.rules.progressive.unit, plan.wagers[wager])
    return Exact((1 - paid) / without * (meter - with_envy), min(rarest, jackpot or rarest))
