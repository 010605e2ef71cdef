"""Odds as data: every figure of a study in the shape that `casinowar odds --json` prints.

A rational is always an object with `fraction`, in lowest terms, and `decimal`.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, overload

from casinowar.cards import RANKS
from casinowar.odds.composition import CARDS, Composition
from casinowar.odds.figures import Figures, Strategy, Study, combined, study
from casinowar.odds.progressive import progressive
from casinowar.odds.wagers import SUITED, offered_wagers
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import OPTIONAL, WAR_DEAL

STRATEGIES: tuple[Strategy, ...] = ("war", "surrender", "best")
NEEDS_SUITS = "asks for suits: give the composition by card, as in Ah:5"
NO_WAR = "is placed on a war, and with these cards there can be no tie"


def odds_data(
    rules: Rulebook,
    composition: Composition,
    settings: Mapping[str, object] | None = None,
    *,
    strategy: Strategy = "war",
    combine: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """The figures of one box under these rules, from a shoe with these cards left.

    `settings` are what the book was asked to be, `combine` are wagers with their units to be valued as one.
    """
    studied = study(rules, composition)
    listed = wagers_held(rules)
    unvalued = {wager: why for wager in listed if (why := unvalued_because(studied, wager))}
    data: dict[str, Any] = {
        "rulebook": rules.id,
        "edition": rules.edition,
        "decks": rules.shoe.decks,
        "options": dict(settings or {}),
        "cards": composition.size,
        "composition": composition_data(composition),
        "wagers": {wager: wager_data(studied, wager, strategy) for wager in listed if wager not in unvalued},
        "best_play": best_play_data(studied),
    }
    if unvalued:
        data["not_valued"] = unvalued
    if combine:
        data["combined"] = combined_data(studied, combine, strategy)
    return data


def wagers_held(rules: Rulebook) -> dict[str, bool]:
    """The wagers that the book has, and whether they are offered: an operator's option may be off."""
    now = offered_wagers(rules)
    found = {"initial": True}
    for wager in OPTIONAL:
        leaf = rules.leaves.get(f"wager.{wager}")
        may_be = leaf is not None and (leaf.value is True or "on" in (leaf.allowed or "").split(", "))
        if may_be and any(cell == wager for cell, _ in rules.cells):
            found[wager] = wager in now
    return found


def unvalued_because(studied: Study, wager: str) -> str | None:
    """Why this composition gives no figure for the wager, where it gives none."""
    if wager in SUITED and not studied.found.has_suits:
        return NEEDS_SUITS
    return NO_WAR if wager in WAR_DEAL and not studied.choices() else None


@overload
def rational(value: Fraction) -> dict[str, Any]: ...
@overload
def rational(value: None) -> None: ...
@overload
def rational(value: Fraction | None) -> dict[str, Any] | None: ...
def rational(value: Fraction | None) -> dict[str, Any] | None:
    return None if value is None else {"fraction": str(value), "decimal": float(value)}


def composition_data(composition: Composition) -> dict[str, int]:
    """Counts as `--composition` takes them: by rank where the suits are not known or are even."""
    cards = composition.cards
    if cards is None or all(len(set(cards[at : at + 4])) == 1 for at in range(0, 52, 4)):
        return {rank_name(rank): count for rank, count in zip(RANKS, composition.ranks, strict=True)}
    return {rank_name(card[0]) + card[1]: count for card, count in zip(CARDS, cards, strict=True)}


def rank_name(rank: str) -> str:
    """The rank as people write it in a composition: `10` for T."""
    return "10" if rank == "T" else rank


def figures_data(figures: Figures) -> dict[str, Any]:
    return {
        "ev": rational(figures.ev),
        "house_edge": rational(figures.house_edge),
        "variance": rational(figures.variance),
        "sd": figures.sd,
        "average_total_wager": rational(figures.average_total_wager),
        "element_of_risk": rational(figures.element_of_risk),
        "hit_frequency": rational(figures.hit_frequency),
        "distribution": [
            {"net": str(net), "probability": rational(chance)} for net, chance in figures.distribution.items()
        ],
    }


def wager_data(studied: Study, wager: str, strategy: Strategy) -> dict[str, Any]:
    """One wager's figures. A war-deal wager is valued given that it can be placed, whatever the strategy."""
    is_offered = wagers_held(studied.rules)[wager]
    if wager == "initial":
        return _initial_data(studied, strategy)
    if wager == "progressive":
        return {"offered": is_offered, **_progressive_data(studied, strategy)}
    figures = studied.figures(wager, "war")
    given = {"given": "a war in which it can be placed"} if wager in WAR_DEAL else {}
    return {"offered": is_offered, **given, **figures_data(figures)}


def _initial_data(studied: Study, strategy: Strategy) -> dict[str, Any]:
    by_decision = {}
    for one in STRATEGIES:
        figures = figures_data(studied.figures("initial", one))
        del figures["distribution"]
        by_decision[one] = figures
    chosen = figures_data(studied.figures("initial", strategy))
    return {"offered": True, "strategy": strategy, **chosen, "by_decision": by_decision}


def _progressive_data(studied: Study, strategy: Strategy) -> dict[str, Any]:
    """Values per unit wagered; meters in minor units, for a wager of one `progressive.unit`, by other bettors."""
    told = progressive(studied, strategy)
    rules = studied.rules.progressive
    by_decision = {}
    for one in STRATEGIES:
        other = progressive(studied, one)
        by_decision[one] = {
            "ev": rational(other.return_without_meter - 1),
            "return_without_meter": rational(other.return_without_meter),
            "jackpot": rational(other.jackpot),
            "break_even_meter": rational(other.break_even_meter[0]),
        }
    return {
        "strategy": strategy,
        **figures_data(studied.figures("progressive", strategy)),
        "lines": {
            line: {"pays": str(studied.rules.cells["progressive", f"on_{line}"].odds), "probability": rational(chance)}
            for line, chance in told.lines.items()
        },
        "unit": rules.unit,
        "return_without_meter": rational(told.return_without_meter),
        "return_per_meter_unit": rational(told.return_per_meter_unit),
        "return_at_seed": rational(told.return_without_meter + told.return_per_meter_unit * rules.seed),
        "break_even_meter": {str(others): rational(meter) for others, meter in told.break_even_meter.items()},
        "break_even_without_envy": {
            str(others): rational(meter) for others, meter in told.break_even_without_envy.items()
        },
        "on_surrender": rules.on_surrender,
        "by_decision": by_decision,
    }


def best_play_data(studied: Study) -> dict[str, Any]:
    """For each rank that can tie, what either choice is worth and which costs less."""
    best = studied.best_play()
    ranks = {
        rank_name(rank): {"choice": best[rank], "war": rational(war), "surrender": rational(surrender)}
        for rank, (war, surrender) in studied.choices().items()
    }
    never_worse = all(war >= surrender for war, surrender in studied.choices().values())
    return {"war_is_never_worse": never_worse, "by_rank": ranks}


def combined_data(studied: Study, units: Mapping[str, int], strategy: Strategy) -> dict[str, Any]:
    return {"units": dict(units), "strategy": strategy, **figures_data(combined(studied, units, strategy))}
