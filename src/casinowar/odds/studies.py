"""Beyond one box, as data: the bank's side, boxes that share the dealer's card, effects of removal, and counting."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

from casinowar.cards import RANKS
from casinowar.odds.bank import bank_figures, box_edges
from casinowar.odds.boxes import covariance, total_variance
from casinowar.odds.composition import CARDS, Composition, CompositionError, by_rank, fresh
from casinowar.odds.counting import COUNTED, counting
from casinowar.odds.data import composition_data, rank_name, rational, unvalued_because, wagers_held
from casinowar.odds.figures import Strategy, Study, study
from casinowar.odds.removal import second_effects
from casinowar.odds.wagers import offered_wagers
from casinowar.odds.war_or_surrender import Margin, exception, margin
from casinowar.rulebooks import Rulebook

UNIT = 100
"""Minor units of one unit, so that odds such as 3:2 are paid whole."""

NO_EFFECT = (
    "A card that goes unseen changes nothing, so the effects average to zero; and no wager but A Bomb tells one card "
    "of a fresh shoe from another, so they are all equal. Equal effects that average to zero are zero."
)


def bank_data(studied: Study, boxes: int, coverage: Fraction | int | None = None) -> dict[str, Any]:
    """The one who banks, against boxes of one unit each that go to war on every tie. `coverage` is in units.

    `edge_by_box` is what each box gives up, from the dealer's left, where a coverage is named.
    """
    put_in = None if coverage is None else int(coverage * UNIT)
    found = bank_figures(studied, boxes, UNIT, put_in)
    by_box = [] if put_in is None else box_edges(studied, boxes, UNIT, put_in)
    return {
        "by": studied.rules.bank.by,
        "boxes": boxes,
        "strategy": "war",
        "covers_all": coverage is None,
        "coverage": rational(Fraction(found.coverage, UNIT)),
        "model": studied.rules.bank.model,
        "after_exhaustion": studied.rules.bank.after_exhaustion,
        "ev": rational(found.ev / UNIT),
        "edge": rational(found.edge),
        "variance": rational(found.variance / UNIT**2),
        "sd": found.sd / UNIT,
        "return_on_coverage": rational(found.return_on_coverage),
        "edge_by_box": [rational(edge) for edge in by_box],
        "distribution": [
            {"net": str(Fraction(net, UNIT)), "probability": rational(chance)}
            for net, chance in found.distribution.items()
        ],
    }


def boxes_data(studied: Study, boxes: int, strategy: Strategy) -> dict[str, Any]:
    """Boxes of one unit each that share the dealer's card: how much they swing together and alone."""
    rules = studied.rules
    least = 2 * (boxes + 1) + rules.war.burn + rules.war.burn_before_banker
    if studied.composition.size < least:
        raise CompositionError(f"{studied.composition.size} cards are too few: {boxes} boxes at war take {least}")
    one = studied.figures("initial", strategy)
    together, shared = total_variance(studied, boxes, strategy), covariance(studied, "initial", "initial", strategy)
    pairs = [("initial", "initial"), ("initial", "tie"), ("tie", "tie")] if "tie" in offered_wagers(rules) else []
    return {
        "boxes": boxes,
        "strategy": strategy,
        "ev": rational(boxes * one.ev),
        "variance": rational(together),
        "sd": sqrt(together),
        "variance_of_one": rational(one.variance),
        "variance_if_apart": rational(boxes * one.variance),
        "covariance": rational(shared),
        "correlation": rational(shared / one.variance if one.variance else Fraction(0)),
        "between_two_boxes": {
            f"{first} and {second}": rational(covariance(studied, first, second, strategy)) for first, second in pairs
        },
    }


def removal_data(studied: Study, strategy: Strategy) -> dict[str, Any]:
    """What each wager's expected value gains when one card has gone, and where it is nothing, why."""
    wagers = [wager for wager in wagers_held(studied.rules) if unvalued_because(studied, wager) is None]
    before = {wager: studied.figures(wager, strategy).ev for wager in wagers}
    found: dict[str, dict[str, Fraction]] = {wager: {} for wager in wagers}
    for card, left in _without_one_card(studied.composition):
        after = study(studied.rules, left)
        for wager in wagers:
            if unvalued_because(after, wager) is None:
                found[wager][card] = after.figures(wager, strategy).ev - before[wager]
    is_fresh = studied.composition == fresh(studied.rules.shoe.decks)
    data: dict[str, Any] = {
        "strategy": strategy,
        "wagers": {
            wager: {
                "is_zero": not any(effects.values()),
                "by_card": {card: rational(effect) for card, effect in effects.items()},
            }
            for wager, effects in found.items()
        },
        "reason": NO_EFFECT if is_fresh else "From a shoe that is not fresh one card may matter.",
    }
    if is_fresh:
        data["two_cards"] = {
            wager: {shared: rational(effect) for shared, effect in second_effects(studied, wager, strategy).items()}
            for wager in ("initial", "tie")
            if wager in wagers
        }
    return data


def _without_one_card(composition: Composition) -> Iterator[tuple[str, Composition]]:
    """Each card that may have gone, by rank where the suits are not known."""
    if composition.cards is not None:
        for card, count in zip(CARDS, composition.cards, strict=True):
            if count:
                yield rank_name(card[0]) + card[1], composition.without(card)
        return
    for at, rank in enumerate(RANKS):
        if composition.ranks[at]:
            yield (
                rank_name(rank),
                by_rank(tuple(count - (place == at) for place, count in enumerate(composition.ranks))),
            )


def counting_data(studied: Study, lefts: Iterable[int]) -> list[dict[str, Any]]:
    """What can be counted, with so many cards left: how often it is worth more than nothing, and what it brings."""
    size = studied.composition.size
    for left in (depths := list(lefts)):
        if not 2 <= left <= size:
            raise CompositionError(f"{left} cards cannot be left of {size}: 2 to {size} can")
    return [{"left": left, "gone": size - left, "wagers": _counting_row(studied, left)} for left in depths]


def _counting_row(studied: Study, left: int) -> dict[str, Any]:
    return {
        wager: {
            "ev": rational(one.ev),
            "sd_of_ev": sqrt(one.variance),
            "best": rational(one.best),
            "chance": rational(one.chance),
            "gain": rational(one.gain),
            "is_exact": one.is_exact,
        }
        for wager, one in counting(studied, studied.composition.size - left).items()
        if wager in COUNTED
    }


def war_or_surrender_data(rules: Rulebook) -> dict[str, Any]:
    """What war is worth beyond surrender by the chance t of a second tie, and whether any cards make an exception."""
    line, cards = margin(rules), exception(rules)
    return {
        "margin": {
            "formula": formula(line),
            "without_tie": rational(line.without_tie),
            "per_tie": rational(line.per_tie),
        },
        "war_is_never_worse": line.is_never_worse,
        "turns_at": rational(line.turns_at),
        "exception_exists": cards is not None,
        "exception": None if cards is None else {rank: n for rank, n in composition_data(cards).items() if n},
    }


def formula(line: Margin) -> str:
    """`1/2 + 3t`, for a chance t of a second tie."""
    if not line.per_tie:
        return str(line.without_tie)
    over, under = abs(line.per_tie.numerator), line.per_tie.denominator
    slope = f"{'' if over == 1 else over}t{'' if under == 1 else f'/{under}'}"
    if not line.without_tie:
        return slope if line.per_tie > 0 else f"-{slope}"
    return f"{line.without_tie} {'+' if line.per_tie > 0 else '-'} {slope}"
