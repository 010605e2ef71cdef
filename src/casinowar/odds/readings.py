"""Every ambiguity that changes money, priced: the house edge under each reading, side by side."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from casinowar.odds.ambiguities import DECKS, NO_EFFECT, PRICED, Ambiguity, Case
from casinowar.odds.composition import Composition, CompositionError, fresh
from casinowar.odds.data import rational
from casinowar.odds.figures import study
from casinowar.odds.pricing import at_seed, edge
from casinowar.odds.wagers import SUITED
from casinowar.rulebooks import Rulebook, load_with


class Priced(msgspec.Struct, frozen=True):
    """One reading with its house edge; `beside` has what else it changes, by name.

    `is_taken` is whether the book as it is loaded reads so.
    """

    case: Case
    house_edge: Fraction
    beside: dict[str, Fraction]
    is_taken: bool


class Skipped(msgspec.Struct, frozen=True):
    """A reading that the cards left cannot price, and why."""

    ambiguity: str
    case: Case
    reason: str


class Readings(msgspec.Struct, frozen=True):
    priced: list[tuple[Ambiguity, list[Priced]]]
    skipped: list[Skipped]


NEEDS_SUITS = "it asks for suits: give the composition by card, as in Ah:5"


def price_readings(
    name: str,
    base: str,
    settings: Mapping[str, object],
    composition: Composition | None = None,
    *,
    any_decks: bool = False,
) -> Readings:
    """Every ambiguity of the book under all of its readings. `base` is the packaged book that a house book extends.

    Some may not be priced: a composition may lack suits, or cards for several boxes at war.
    """
    loaded = load_with(name, settings, any_decks=any_decks)
    found: list[tuple[Ambiguity, list[Priced]]] = []
    skipped = []
    for one in PRICED:
        if base not in one.books:
            continue
        played, cases = readings_taken(loaded, one), []
        for case in one.cases:
            try:
                priced = _price(name, one, case, settings, composition, any_decks=any_decks)
                cases.append(Priced(case, *priced, case in played))
            except CompositionError as error:
                skipped.append(Skipped(one.id, case, str(error)))
        if cases:
            found.append((one, cases))
    return Readings(found, skipped)


def readings_taken(rules: Rulebook, one: Ambiguity) -> list[Case]:
    """The readings that the leaves of the book take; where no leaf decides, the reading that is played.

    A reading whose leaves are among those of another that the book also has is left out for it.
    """
    known = {case.says: case.known_by or case.settings for case in one.cases}
    met = [case for case in one.cases if known[case.says] and _has(rules, known[case.says])]
    if not met:
        return [case for case in one.cases if case.is_taken and not known[case.says]]
    return [case for case in met if not any(known[case.says].items() < known[other.says].items() for other in met)]


def _has(rules: Rulebook, leaves: Mapping[str, object]) -> bool:
    return all(key in rules.leaves and rules.leaves[key].value == value for key, value in leaves.items())


def no_effect(base: str) -> dict[str, str]:
    return {amb: reason for amb, (books, reason) in NO_EFFECT.items() if base in books}


def _price(
    name: str,
    one: Ambiguity,
    case: Case,
    settings: Mapping[str, object],
    composition: Composition | None,
    *,
    any_decks: bool,
) -> tuple[Fraction, dict[str, Fraction]]:
    """The house edge of a reading, and what stands beside it."""
    rules = load_with(name, {**settings, **case.settings}, any_decks=any_decks or DECKS in case.settings)
    cards = fresh(rules.shoe.decks) if composition is None or DECKS in case.settings else composition
    studied = study(rules, cards)
    if not studied.found.has_suits and one.wager in SUITED:
        raise CompositionError(NEEDS_SUITS)
    price = case.price or one.price or edge(one.wager)
    beside = {name: price(studied) for name, price in case.beside.items()}
    if one.wager == "initial" and not one.given:
        beside["best play"] = studied.figures("initial", "best").house_edge
    if one.wager == "progressive" and not one.given:
        beside["at the seed"] = at_seed(studied)
    return price(studied), beside


def readings_data(
    priced: list[tuple[Ambiguity, list[Priced]]], base: str, skipped: Iterable[Skipped] = ()
) -> dict[str, Any]:
    return {
        "priced": [
            {
                "ambiguity": one.id,
                "about": one.about,
                "wager": one.wager,
                "given": one.given,
                "readings": [
                    {
                        "reading": case.case.reading,
                        "says": case.case.says,
                        "taken": case.is_taken,
                        "settings": dict(case.case.settings),
                        "house_edge": rational(case.house_edge),
                        **{name.replace(" ", "_"): rational(value) for name, value in case.beside.items()},
                    }
                    for case in cases
                ],
            }
            for one, cases in priced
        ],
        "skipped": [
            {"ambiguity": one.ambiguity, "reading": one.case.reading, "says": one.case.says, "reason": one.reason}
            for one in skipped
        ],
        "no_effect": no_effect(base),
    }
