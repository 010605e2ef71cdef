"""A stretch of rounds as data, ready for JSON, and in words."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from casinowar.odds.data import rational
from casinowar.odds.figures import Figures
from casinowar.odds.stretch.results import DIGITS, Chance
from casinowar.odds.stretch.ruin import Ruin
from casinowar.odds.stretch.stretch import stretch

ASSUMPTION = "Rounds are taken as independent, each from a fresh shoe."
PLAIN_DIGITS = 300
"""A fraction with more digits than this is given as a decimal alone."""


def stretch_data(
    figures: Figures, rounds: int, stake: int = 1, bankroll: Fraction | int | None = None, pace: int | None = None
) -> dict[str, Any]:
    """A stretch ready for JSON: rationals as `fraction` and `decimal`; what is not exact as `decimal` and `error`.

    >>> from casinowar import odds, rulebooks
    >>> figures = odds.study(rulebooks.load_rulebook("nz"), odds.fresh(6)).figures("initial")
    >>> odds.stretch_data(figures, rounds=100)["expected"]
    {'fraction': '-2313800/993023', 'decimal': -2.330056806337819}
    """
    found = stretch(figures, rounds, stake, bankroll, pace)
    data: dict[str, Any] = {
        "wager": found.wager,
        "rounds": rounds,
        "stake": stake,
        "assumption": ASSUMPTION,
        "method": found.method,
        "error": float(found.error),
        "expected": rational(found.expected),
        "sd": found.sd,
        "n0": rational(found.n0),
        "ahead": _chance(found.ahead),
        "even": _chance(found.even),
        "behind": _chance(found.behind),
        "quantiles": {_percent(share): str(result) for share, result in found.quantiles.items()},
    }
    if found.pace is not None and found.loss_per_hour is not None:
        data["hour"] = {"rounds": pace, "expected_loss": rational(found.loss_per_hour), "sd": found.sd_per_hour}
    if found.ruin is not None:
        data["ruin"] = _ruin_data(found.ruin)
    return data


def _ruin_data(found: Ruin) -> dict[str, Any]:
    between = found.rounds_to_ruin
    return {
        "bankroll": str(found.bankroll),
        "ever": _chance(found.ever),
        "bounds": {"low": float(found.bounds.low), "high": float(found.bounds.high)},
        "root": None if found.root is None else _chance(found.root),
        "within": {"method": found.method, **_chance(found.within), "estimate": found.estimate},
        "rounds_to_ruin": None if between is None else {"low": float(between[0]), "high": float(between[1])},
    }


def _chance(chance: Chance) -> dict[str, Any]:
    """A fraction where it is exact and can be read; a decimal with its error otherwise."""
    if chance.low == chance.high and chance.low.denominator < 10**PLAIN_DIGITS:
        return rational(chance.low)
    return {"decimal": float(chance.middle), "error": float(chance.error)}


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):g}%"


def tell_stretch(data: Mapping[str, Any]) -> str:
    """What `stretch_data` found, in lines of at most 80 columns; money in minor units."""
    stake = data["stake"]
    lines = [
        f"Session: {data['rounds']:,} rounds of {data['wager']}, {stake:,} a unit"[:80],
        f"  {ASSUMPTION}",
        _line("expected result", _money(data["expected"]["decimal"], stake)),
        _line("standard deviation", _money(data["sd"], stake, "")),
        _line("ahead / even / behind", " / ".join(_share(data[name]) for name in ("ahead", "even", "behind"))),
    ]
    for pair in (("1%", "99%"), ("5%", "95%"), ("25%", "75%")):
        low, high = (_money(float(Fraction(data["quantiles"][share])), stake) for share in pair)
        lines.append(_line(f"{pair[0]} to {pair[1]} of sessions", f"{low} to {high}"))
    lines.append(_line("method", _method(data)))
    if data["n0"] is not None:
        lines.append(_line("N0", f"{data['n0']['decimal']:,.0f} rounds (expectation equals one deviation)"))
    if "hour" in data:
        hour = data["hour"]
        loss = hour["expected_loss"]["decimal"]
        words = f"{'costs' if loss >= 0 else 'brings'} {abs(loss):,.2f}, deviation {hour['sd']:,.2f}"
        lines.append(_line(f"an hour of {hour['rounds']:,} rounds", words))
    return "\n".join(lines + (_ruin_lines(data["ruin"], data["rounds"]) if "ruin" in data else []))


def _ruin_lines(found: Mapping[str, Any], rounds: int) -> list[str]:
    within = found["within"]
    likely = _share(within) if within["method"] == "walked" else f"about {_share({'decimal': within['estimate']})}"
    lines = [
        _line("ruin of", f"{found['bankroll']} units"),
        _line(f"  within {rounds:,} rounds", likely),
        _line("  ever", _share(found["ever"])),
    ]
    bounds, between = found["bounds"], found["rounds_to_ruin"]
    low, high = (_share({"decimal": bounds[end]}) for end in ("low", "high"))
    if low != high:
        lines.append(_line("  martingale bounds", f"{low} to {high}"))
    if between is not None:
        lines.append(_line("  rounds on average", f"{between['low']:,.0f} to {between['high']:,.0f}"))
    return lines


def _line(name: str, value: str) -> str:
    return f"  {name:<26} {value}"


def _money(units: float, stake: int, sign: str = "+") -> str:
    return format(units * stake, f"{sign},.2f")


def _share(chance: Mapping[str, Any]) -> str:
    """A percentage; where the error is as large as the chance itself, what it is below."""
    share, error = chance["decimal"], chance.get("error", 0.0)
    if share and error >= share / 2:
        return f"below {100 * (share + error):.1e}%"
    return f"{100 * share:.4f}%" if share >= 0.000001 or not share else f"{100 * share:.2e}%"


def _method(data: Mapping[str, Any]) -> str:
    if data["method"] == "exact":
        return "exact"
    way = f"cut to {DIGITS} digits" if data["method"] == "rounded" else "normal law"
    return f"{way}, chances within {data['error']:.1e}"
