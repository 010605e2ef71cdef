"""A simulation as data, in the shape that `casinowar simulate --json` prints. Amounts are in units."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

from casinowar.cli.simulate.exact import Beside
from casinowar.cli.simulate.verdict import Verdict
from casinowar.odds.data import rational
from casinowar.sim import DEFAULT_STAKE, BankFigures, NightFigures, Plan, Result, ShoeFigures

LEFT_TO_SOMEBODY = "pit_boss"


def simulation_data(
    result: Result, beside: Beside, judged: Mapping[str, Verdict], seconds: float | None, shows: Mapping[str, bool]
) -> dict[str, Any]:
    plan = result.plan
    data: dict[str, Any] = {
        "rulebook": plan.rules.id,
        "decks": plan.rules.shoe.decks,
        "boxes": plan.boxes,
        "strategy": beside.strategy,
        "seed": result.seeds[0] if len(result.seeds) == 1 else list(result.seeds),
        "rounds": result.rounds,
        "seconds": None if seconds is None else round(seconds, 6),
        "rounds_per_second": None if seconds is None else round(result.rounds / max(seconds, 1e-9)),
        "wagers": {wager: _wager(result, wager, beside, judged[wager]) for wager in plan.wagers},
        "verdict": {wager: _verdict(one) for wager, one in judged.items()},
        **_table(plan),
        "chunks": [list(run) for run in result.chunks],
        "plan_hash": plan.hash,
    }
    shoe = result.shoe
    if plan.rules.shoe.short == LEFT_TO_SOMEBODY:
        data["rulings"] = {"dry_shoe": {"ruling": plan.dry_shoe, "times": shoe.dry, "void": shoe.void}}
    if shows.get("shoe"):
        data["shoe"] = _shoe(shoe)
    if result.bank is not None:
        data["bank"] = _bank(plan, result.bank)
    if result.nights is not None:
        data["paths"] = _paths(plan, result.nights)
    if shows.get("covariance"):
        data["covariance"] = _covariance(result)
    return data


def _table(plan: Plan) -> dict[str, Any]:
    """What else was chosen, where it is not as usual."""
    told: dict[str, Any] = {"fresh": plan.fresh, "stakes": dict(plan.wagers)}
    if plan.counted:
        told["counted"] = {wager: str(bar) for wager, bar in plan.counted.items()}
    if "progressive" in plan.wagers:
        told["meter"] = plan.meter
        told["meter_runs"] = plan.meter_runs
    return told


def _wager(result: Result, wager: str, beside: Beside, verdict: Verdict) -> dict[str, Any]:
    figures, exact = result.wager(wager), beside.exact.get(wager)
    return {
        "mean": float(figures.mean),
        "standard_error": figures.standard_error,
        "histogram": {str(net): count for net, count in figures.histogram.items()},
        "exact": rational(exact.value) if exact else None,
        "z": verdict.z,
        "hit_frequency": float(figures.hit_rate),
    }


def _verdict(one: Verdict) -> dict[str, Any]:
    return {
        "status": one.status,
        "difference": one.difference,
        "rounds_needed": one.rounds_needed,
        "question": one.question,
    }


def units(amount: Fraction | int) -> float:
    """Minor units as units."""
    return float(Fraction(amount) / DEFAULT_STAKE)


def _units_or_none(amount: int | None) -> float | None:
    return None if amount is None else units(amount)


def _shoe(shoe: ShoeFigures) -> dict[str, Any]:
    return {
        "shoes": shoe.shoes,
        "rounds_per_shoe": float(shoe.rounds_per_shoe),
        "rounds_sd": sqrt(shoe.rounds_variance),
        "cards_per_shoe": float(shoe.cards_per_shoe),
        "cards_sd": sqrt(shoe.cards_variance),
        "dry": shoe.dry,
        "void": shoe.void,
    }


def _bank(plan: Plan, bank: BankFigures) -> dict[str, Any]:
    return {
        "coverage": None if plan.bank_stake is None else units(plan.bank_stake),
        "rounds": bank.rounds,
        "mean": units(bank.mean),
        "standard_error": bank.standard_error / DEFAULT_STAKE,
        "sd": sqrt(bank.variance) / DEFAULT_STAKE,
        "short": bank.short,
        "histogram": {str(Fraction(net, DEFAULT_STAKE)): count for net, count in sorted(bank.histogram.items())},
    }


def _paths(plan: Plan, nights: NightFigures) -> dict[str, Any]:
    return {
        "session": plan.session,
        "bankroll": units(plan.bankroll),
        "nights": nights.nights,
        "ruined": nights.ruined,
        "ruin": float(nights.ruin),
        "rounds_to_ruin": None if nights.rounds_to_ruin is None else float(nights.rounds_to_ruin),
        "mean": units(nights.mean),
        "standard_error": nights.standard_error / DEFAULT_STAKE,
        "sd": sqrt(nights.variance) / DEFAULT_STAKE,
        "drawdown_mean": units(nights.fall_mean),
        "drawdown": {_share(share): units(fall) for share, fall in nights.fall_quantiles.items()},
        "bin": units(nights.bin),
        "within": units(nights.within),
        "beyond": {
            "least": _units_or_none(nights.least),
            "most": _units_or_none(nights.most),
            "deepest": _units_or_none(nights.deepest),
        },
        "points": list(nights.points),
        "bankrolls": {_share(share): [units(one) for one in row] for share, row in nights.quantiles.items()},
    }


def _share(share: Fraction) -> str:
    return f"{float(share):.0%}"


def _covariance(result: Result) -> dict[str, Any]:
    """Of each pair of wagers, per unit of both: on one box, and on two boxes of a round."""
    named = list(result.plan.wagers)
    apart = {one: {two: result.box_covariance(one, two) for two in named} for one in named}
    return {
        "one_box": {one: {two: float(result.covariance(one, two)) for two in named} for one in named},
        "two_boxes": {
            one: {two: float(found) for two, found in row.items() if found is not None} for one, row in apart.items()
        }
        if all(found is not None for row in apart.values() for found in row.values())
        else None,
    }
