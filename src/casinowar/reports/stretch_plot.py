"""A stretch of rounds for the odds explorer: what so many rounds may bring, with the distribution to be drawn."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any

from casinowar.odds.composition import CompositionError, fresh
from casinowar.odds.data import wagers_held
from casinowar.odds.figures import Figures, Strategy, study
from casinowar.odds.stretch.results import Results, polynomial, results_after
from casinowar.odds.stretch.text import stretch_data
from casinowar.reports.explorer import SettingRefused, load_changed
from casinowar.words.wagers import wager_name

TAIL = 0.0005
MOST_POINTS = 800
Points = list[tuple[int, float]]


def plot_stretch(
    book: str,
    settings: Mapping[str, object],
    kind: str,
    strategy: Strategy,
    rounds: int,
    bankroll: int,
    wager: int,
    pace: int,
) -> dict[str, Any]:
    """`stretch_data` with `points` and quantiles in minor units. Points are results with their chances, ascending,
    without the last half per mille at either end; where they are very many, several stand together."""
    if bankroll < wager:
        raise SettingRefused("Bankroll: bring at least one wager, or wager less.")
    rules = load_changed(book, settings)
    if kind not in wagers_held(rules):
        names = ", ".join(wager_name(rules, one) for one in wagers_held(rules))
        raise SettingRefused(f"Wager: this book has none of that name. It has {names}.")
    try:
        figures = study(rules, fresh(rules.shoe.decks)).figures(kind, strategy)
    except (CompositionError, ValueError) as error:
        raise SettingRefused(str(error)) from None
    data = stretch_data(figures, rounds, wager, Fraction(bankroll, wager), pace)
    results = results_after(figures, rounds)
    found = _points(results, wager) if results is not None else _normal(figures, rounds, wager)
    data["points"] = gathered(trimmed(found))
    data["quantiles"] = {share: round(Fraction(units) * wager) for share, units in data["quantiles"].items()}
    return data


def _points(results: Results, wager: int) -> Points:
    return [
        (round((results.lowest + at * results.step) * wager), weight / results.total)
        for at, weight in enumerate(results.weights)
        if weight
    ]


def _normal(figures: Figures, rounds: int, wager: int) -> Points:
    """Points of the normal law, a hundred slices, where the results are too many to be counted."""
    law = NormalDist(float(rounds * figures.ev), sqrt(rounds * figures.variance))
    step = max(float(polynomial(figures).step), law.stdev / 15)
    return [
        (
            round(wager * (law.mean + at * step)),
            law.cdf(law.mean + (at + 0.5) * step) - law.cdf(law.mean + (at - 0.5) * step),
        )
        for at in range(-50, 51)
    ]


def trimmed(points: Points) -> Points:
    """The points without the tails, each of which may hold no more than `TAIL`."""
    first, last, below, above = 0, len(points), 0.0, 0.0
    while first < last - 1 and below + points[first][1] < TAIL:
        below += points[first][1]
        first += 1
    while last > first + 1 and above + points[last - 1][1] < TAIL:
        last -= 1
        above += points[last][1]
    return points[first:last]


def gathered(points: Points) -> Points:
    """At most `MOST_POINTS` points; neighbours are joined under their middle one."""
    size = -(-len(points) // MOST_POINTS)
    if size < 2:
        return points
    groups = [points[at : at + size] for at in range(0, len(points), size)]
    return [(group[len(group) // 2][0], sum(chance for _, chance in group)) for group in groups]
