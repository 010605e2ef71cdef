"""The search for a target edge: odds are solved exactly, since an expectation is linear in them; numbers are tried."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from casinowar.errors import CasinoWarError
from casinowar.odds.composition import Composition, CompositionError, fresh
from casinowar.odds.data import wagers_held
from casinowar.odds.figures import Strategy, Study, study
from casinowar.odds.progressive import progressive
from casinowar.odds.wagers import LINES, SUITED, worth
from casinowar.rulebooks import Cell, Odds, Rulebook, RulebookError, load_with
from casinowar.rulebooks.wagers import WAR_DEAL

DENOMINATORS = range(1, 6)
"""Odds that a layout can print and a dealer can pay."""

SEARCHED = range(101)
"""Whole numbers that are tried where a leaf says nothing of its bounds."""

DECKS, PAIRS = "shoe.decks", "perfect_pairs.table"
DECKS_TRIED = range(1, 17)

RATIOS = {"surrender.forfeit": "forfeit", "war.stake": "war_stake"}
"""Leaves that are odds without being a payout, and the part of the rulebook that is made of them."""


Edge = Callable[[Fraction], Fraction]
"""The house edge by the odds of a leaf, as so many to one."""


class Unsolvable(CasinoWarError, ValueError):
    """Nothing that the leaf can be meets the target, and why."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Which wager shall have which house edge. A meter counts towards the progressive of a lone bettor."""

    wager: str = "initial"
    target: Fraction
    strategy: Strategy = "war"
    meter: int = 0


class Playable(msgspec.Struct, frozen=True):
    odds: Odds
    house_edge: Fraction


class PayoutAnswer(msgspec.Struct, frozen=True):
    """The odds that meet the target exactly, as a number to one, and odds near them that can be played.

    `playable` has the nearest first; `above` and `below` are the nearest with at least and at most the target.
    """

    key: str
    now: Fraction
    exact: Fraction
    playable: tuple[Playable, ...]
    above: Playable | None
    below: Playable | None


class CountAnswer(msgspec.Struct, frozen=True):
    """Every number that was tried with its edge. `exact` meet the target, `nearest` comes closest."""

    key: str
    now: Fraction
    edges: dict[int, Fraction]
    exact: tuple[int, ...]
    nearest: int


def edge_of(studied: Study, question: Question) -> Fraction:
    """The house edge that the question is about; a war-deal wager is valued where it can be placed."""
    wager = question.wager
    if wager == "progressive":
        told = progressive(studied, question.strategy)
        return 1 - told.return_without_meter - told.return_per_meter_unit * question.meter
    return studied.figures(wager, "war" if wager in WAR_DEAL else question.strategy).house_edge


def check_wager(rules: Rulebook, composition: Composition, question: Question) -> None:
    if question.wager not in wagers_held(rules):
        raise Unsolvable(f"{rules.id} has no wager {question.wager!r}: it has {', '.join(wagers_held(rules))}")
    if question.wager in SUITED and composition.cards is None:
        raise CompositionError(f"{question.wager} asks for suits: give the composition by card, as in Ah:5")


def is_payout(key: str) -> bool:
    """Whether the leaf is odds: a cell of a pay table, or what a surrender takes, or the size of the war wager."""
    return key in RATIOS or (key.startswith("payout.") and key.count(".") == 2)


# Odds.


def solve_payout(rules: Rulebook, composition: Composition, key: str, question: Question) -> PayoutAnswer:
    """The odds of this leaf that give the wager the target edge, with everything else as it is.

    Between the points where best play or the best line of the progressive changes, the edge is linear in them.
    """
    check_wager(rules, composition, question)
    if key not in RATIOS:
        _check_cell(rules, key)
    studied = study(rules, composition)

    def edge(odds: Fraction) -> Fraction:
        return edge_of(replace(studied, rules=with_odds(rules, key, odds)), question)

    exact = _root(edge, _bends(studied, key, question), question.target, key)
    near = sorted(
        (Playable(odds, edge(Fraction(odds.numerator, odds.denominator))) for odds in _near(key, exact)),
        key=lambda one: (abs(one.house_edge - question.target), one.odds.denominator),
    )
    above = next((one for one in near if one.house_edge >= question.target), None)
    below = next((one for one in near if one.house_edge <= question.target), None)
    return PayoutAnswer(key, edge_of(studied, question), exact, tuple(near), above, below)


def _check_cell(rules: Rulebook, key: str) -> None:
    if _cell(key) not in rules.cells:
        raise Unsolvable(f"{rules.id} has no {key}")
    if key == "payout.progressive.on_loss":
        raise Unsolvable(f"{key} is always lose: the progressive has no odds there")


def with_odds(rules: Rulebook, key: str, odds: Fraction) -> Rulebook:
    """The book with other odds in one leaf, however fine; a pair pays alike on first and second cards."""
    ratio = Odds(odds.numerator, odds.denominator)
    if key in RATIOS:
        return replace(rules, **{RATIOS[key]: ratio})
    wager, situation = _cell(key)
    cell = Cell("win", ratio, (f"HOUSE-{key}",))
    changed = {(wager, situation): cell}
    if wager == "perfect_pairs":
        changed["war_perfect_pairs", situation] = cell
    return replace(rules, cells={**rules.cells, **changed})


def _cell(key: str) -> tuple[str, str]:
    _, wager, situation = key.split(".")
    return wager, situation


def _root(edge: Edge, bends: list[Fraction], target: Fraction, key: str) -> Fraction:
    """The least odds at which the edge is the target, looked for piece by piece."""
    ends = sorted({Fraction(0), *(bend for bend in bends if bend > 0)})
    tried = []
    for at, low in enumerate(ends):
        high = ends[at + 1] if at + 1 < len(ends) else None
        inside = low + 1 if high is None else (low + high) / 2
        other = low + 2 if high is None else low + (high - low) / 3
        slope = (edge(inside) - edge(other)) / (inside - other)
        level = edge(inside) - slope * inside
        tried += [level + slope * low] + ([level + slope * high] if high is not None else [])
        if not slope:
            continue
        found = (target - level) / slope
        if low <= found and (high is None or found <= high) and _is_possible(key, found):
            return found
    raise Unsolvable(_why(key, edge, tried, target))


def _is_possible(key: str, odds: Fraction) -> bool:
    """A surrender takes the whole wager at most, and a war needs a stake."""
    return odds <= 1 if key == "surrender.forfeit" else odds > 0 if key == "war.stake" else True


def _why(key: str, edge: Edge, tried: list[Fraction], target: Fraction) -> str:
    if edge(Fraction(1)) == edge(Fraction(2)) == edge(Fraction(1, 2)):
        return f"{key} does not change this edge: it stays at {float(tried[0]):.4%}"
    bound = edge(Fraction(0))
    if key == "surrender.forfeit":
        low, high = sorted((float(bound), float(edge(Fraction(1)))))
        return f"no {key} gives {float(target):.4%}: from 0:1 to 1:1 the edge is {low:.4%} to {high:.4%}"
    side = "at most" if edge(Fraction(1)) <= bound else "at least"
    return f"no odds of {key} give {float(target):.4%}: whatever they are, the edge is {side} {float(bound):.4%}"


def _bends(studied: Study, key: str, question: Question) -> list[Fraction]:
    """The odds at which another choice becomes the better one."""
    if key.startswith("payout.progressive."):
        return [worth(studied.rules.cells["progressive", f"on_{line}"]) for line in LINES]
    if question.strategy != "best":
        return []
    zero = replace(studied, rules=with_odds(studied.rules, key, Fraction(0))).choices()
    one = replace(studied, rules=with_odds(studied.rules, key, Fraction(1))).choices()
    found = []
    for rank, (war, surrender) in zero.items():
        gap, rise = war - surrender, (one[rank][0] - one[rank][1]) - (war - surrender)
        if rise:
            found.append(-gap / rise)
    return found


def _near(key: str, exact: Fraction) -> list[Odds]:
    """The odds on both sides of the exact ones for every small denominator, each once, in lowest terms."""
    found = []
    for denominator in DENOMINATORS:
        below = exact * denominator // 1
        for numerator in (below, below + 1):
            odds = Fraction(int(numerator), denominator)
            if odds.denominator == denominator and _is_possible(key, odds):
                found.append(Odds(odds.numerator, odds.denominator))
    return found


# Whole numbers.


def solve_count(
    name: str,
    settings: Mapping[str, object],
    key: str,
    question: Question,
    *,
    counts: Iterable[int] | None = None,
    any_decks: bool = False,
) -> CountAnswer:
    """The whole number of this leaf that comes nearest to the target, by trying each that the book can be loaded with.

    With `any_decks` the pay table of pairs stays as it is; otherwise it is the first that goes with the decks.
    Without `counts`: for decks those that the book allows, or 1 to 16 with `any_decks`; for other leaves 0 to 100.
    """
    rules = load_with(name, settings, any_decks=any_decks)
    check_wager(rules, fresh(rules.shoe.decks), question)
    table = rules.perfect_pairs.table
    held_fast = {PAIRS: table} if any_decks and table and key == DECKS else {}
    edges: dict[int, Fraction] = {}
    refused = ""
    for count in _counts(rules, key, any_decks) if counts is None else counts:
        try:
            changed = load_with(name, {**settings, key: count, **held_fast}, any_decks=any_decks)
            edges[count] = edge_of(study(changed, fresh(changed.shoe.decks)), question)
        except (RulebookError, CompositionError) as error:
            refused = str(error)
    if not edges:
        raise Unsolvable(f"the book cannot be played with any of these: {refused}")
    now = edge_of(study(rules, fresh(rules.shoe.decks)), question)
    if len(edges) == 1 and question.target not in edges.values() and refused:
        raise Unsolvable(f"only {key} = {next(iter(edges))} can be played, at {float(now):.4%}: {refused}")
    if len(set(edges.values())) == 1 and question.target not in edges.values():
        raise Unsolvable(f"{key} does not change this edge: it stays at {float(now):.4%}")
    exact = tuple(count for count, edge in edges.items() if edge == question.target)
    nearest = min(edges, key=lambda count: (abs(edges[count] - question.target), count))
    return CountAnswer(key, now, edges, exact, nearest)


def _counts(rules: Rulebook, key: str, any_decks: bool) -> Iterable[int]:
    if key != DECKS:
        return SEARCHED
    return DECKS_TRIED if any_decks or not rules.deck_choices else rules.deck_choices


def brackets(answer: CountAnswer, target: Fraction) -> tuple[list[int], list[int]]:
    """The numbers with an edge of at most the target, and those with at least it."""
    return (
        [count for count, edge in answer.edges.items() if edge <= target],
        [count for count, edge in answer.edges.items() if edge >= target],
    )
