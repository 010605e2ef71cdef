"""The odds explorer: a book with some leaves changed, its exact figures, a stretch of rounds, further changes."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any, Literal, get_args, get_origin

import msgspec

from casinowar.cards import RANKS
from casinowar.errors import CasinoWarError
from casinowar.odds.composition import CompositionError, fresh
from casinowar.odds.data import odds_data, rational, wagers_held
from casinowar.odds.figures import Figures, Strategy, study
from casinowar.odds.solve import is_payout
from casinowar.odds.stretch.results import Results, polynomial, results_after
from casinowar.odds.stretch.text import stretch_data
from casinowar.odds.studies import war_or_surrender_data
from casinowar.reports.books import leaf_words
from casinowar.reports.differences import short_title
from casinowar.rulebooks import Rulebook, RulebookError, load_rulebook, load_with
from casinowar.rulebooks.editions import without_edition
from casinowar.rulebooks.resolve import show
from casinowar.rulebooks.vocabulary import KEYS, unknown
from casinowar.rulebooks.wagers import OPTIONAL
from casinowar.words.phrases import wager_name

WORDS: dict[str, object] = {"true": True, "on": True, "false": False, "off": False}
DECKS, PAIRS, RANKED = "shoe.decks", "perfect_pairs.table", "cards.ranks"
MOST_DECKS, MOST_BURNED, DIGITS, LONGEST = 24, 100, 9, 60
BURNS = ("war.burn", "war.burn_before_banker", "shoe.round_burn")
OF_WAR = ("war.burn", "war.burn_before_banker", "surrender.forfeit", "war.stake")
OF_PROGRESSIVE = ("lines", "suited_four", "suited_double", "on_surrender", "stake_returned")
SHARES = {"1:4": "a quarter", "1:2": "half", "3:4": "three quarters", "1:1": "all of it"}
STAKES = {"1:2": "half the wager", "1:1": "as much again", "2:1": "twice as much"}
TAIL = 0.0005
MOST_POINTS = 800
Points = list[tuple[int, float]]


class SettingRefused(CasinoWarError, ValueError):
    """A setting that cannot be, in one line for people: it names the rule first, and says what to do."""


class LeafChoice(msgspec.Struct, frozen=True):
    """A value as `set` takes it, and as it is told."""

    value: str
    says: str


class ChangeableLeaf(msgspec.Struct, frozen=True):
    """A leaf that moves a figure: its value now, the book's own, and what else it could be.

    `typed` is what may be written beside the choices: odds such as 3:1, or a count. The clauses are the book's.
    """

    key: str
    says: str
    value: str
    book: str
    choices: tuple[LeafChoice, ...]
    typed: Literal["odds", "count"] | None
    clauses: tuple[str, ...]
    is_changed: bool


def parse_sets(texts: Iterable[str]) -> dict[str, object]:
    """Parse settings such as `payout.war.on_tie=3:1`, `shoe.decks=8`, `wager.tie=off`."""
    settings: dict[str, object] = {}
    for text in texts:
        key, separator, value = (part.strip() for part in text.partition("="))
        if not (key and separator and value):
            raise SettingRefused("Write each change as KEY=VALUE, as in payout.war.on_tie=3:1.")
        is_number = value.isascii() and value.isdigit() and len(value) < 12
        settings[key] = int(value) if is_number else WORDS.get(value.lower(), value)
    return settings


def load_changed(book: str, settings: Mapping[str, object]) -> Rulebook:
    """The book under these settings. What would take too long to reckon is refused with the rest."""
    for key, value in settings.items():
        _check_value(key, value)
    try:
        rules = load_with(book, settings)
        _check_burns(rules)
    except RulebookError as error:
        raise SettingRefused(_plainly(str(error), without_edition(book), settings)) from None
    return rules


def _plainly(told: str, book: str, settings: Mapping[str, object]) -> str:
    """The loader's error in plain words: it names the rule instead of the key, and what can be written there."""
    for key, value in settings.items():
        name = leaf_words().get(key)
        before, found, allowed = told.partition(": allowed ")
        if name is not None and found and f"{key} = {show(value)[:LONGEST]}" in before:
            return f"{name}: write {_with_or(allowed.removeprefix('is '))}."
        if told == f"{book}: {unknown(key)}":
            return f"{key[:LONGEST]}: this book has no such rule."
        if f"is missing: {key} is on" in told:
            return f"{name}: this book does not say what it pays."
        if key == PAIRS and "names no clause" in told:
            return f"{name}: this book has no table of that name."
    rest = " ".join(word[:LONGEST] for word in told.removeprefix(f"{book}: ").split(" "))
    return f"The book cannot be played so: {rest}."


def _with_or(allowed: str) -> str:
    """`4, 5, 6` as one says it: `4, 5 or 6`."""
    if allowed == "true or false":
        return "on or off"
    *others, last = allowed.split(", ")
    is_list = others and " or " not in allowed and not allowed.startswith("at most ")
    return f"{', '.join(others)} or {last}" if is_list else allowed


def _check_value(key: str, value: object) -> None:
    sides, name = str(value).split(":"), leaf_words().get(key, key)
    is_count = isinstance(value, int) and not isinstance(value, bool)
    if key == RANKED and sorted(str(value)) != sorted(RANKS):
        raise SettingRefused(f"{name}: name each of {RANKS} once, from low to high.")
    if key == DECKS and is_count and int(str(value)) > MOST_DECKS:
        raise SettingRefused(f"{name}: write at most {MOST_DECKS} here.")
    if key in BURNS and is_count and int(str(value)) > MOST_BURNED:
        raise SettingRefused(f"{name}: write at most {MOST_BURNED} here.")
    if is_payout(key) and max(map(len, sides)) > DIGITS:
        raise SettingRefused(f"{name}: write odds of whole numbers up to {10**DIGITS - 1:,}.")


def _check_burns(rules: Rulebook) -> None:
    for key in BURNS:
        leaf = rules.leaves.get(key)
        if leaf is not None and isinstance(leaf.value, int) and leaf.value > MOST_BURNED:
            raise SettingRefused(f"{leaf_words()[key]}: at most {MOST_BURNED} here.")


def explore(book: str, settings: Mapping[str, object], strategy: Strategy = "war") -> dict[str, Any]:
    """What `casinowar odds --json` prints, and beside it what can be changed and what the changes come to."""
    rules = load_changed(book, settings)
    try:
        data = odds_data(rules, fresh(rules.shoe.decks), settings, strategy=strategy)
        data["war_or_surrender"] = war_or_surrender_data(rules)
    except CompositionError as error:
        raise SettingRefused(str(error)) from None
    base = load_rulebook(book)
    data["title"] = short_title(rules)
    data["banked_by"] = rules.bank.by
    data["labels"] = {wager: wager_name(rules, wager) for wager in ("initial", "war", *wagers_held(rules))}
    data["leaves"] = msgspec.to_builtins(changeable(base, rules))
    data["by_decks"] = list(_by_decks(book, base, settings))
    if settings:
        data["difference"] = _difference(data["wagers"], odds_data(base, fresh(base.shoe.decks))["wagers"])
    return data


def _difference(now: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The house edge now less the book's own; of the initial wager by what is done at a tie."""
    found: dict[str, dict[str, Any]] = {}
    for wager in now.keys() & before.keys():
        ways = now[wager].get("by_decision") if wager == "initial" else None
        for way in ways or ("",):
            new, old = (one[wager]["by_decision"][way] if way else one[wager] for one in (now, before))
            gap = Fraction(new["house_edge"]["fraction"]) - Fraction(old["house_edge"]["fraction"])
            found.setdefault(wager, {})[way] = rational(gap)
    return found


def _by_decks(book: str, base: Rulebook, settings: Mapping[str, object]) -> Iterator[dict[str, Any]]:
    """The edge of the initial wager, always to war, with every number of decks that the book allows."""
    others = {key: value for key, value in settings.items() if key not in (DECKS, PAIRS)}
    for decks in _decks(base):
        try:
            edge = study(load_with(book, {**others, DECKS: decks}), fresh(decks)).figures("initial", "war").house_edge
        except (RulebookError, CompositionError):
            continue
        yield {"decks": decks, "house_edge": rational(edge)}


def _decks(base: Rulebook) -> list[int]:
    allowed = base.leaves[DECKS].allowed or str(base.shoe.decks)
    if allowed.endswith(" or more"):
        least = int(allowed.removesuffix(" or more"))
        return list(range(least, least + 5))
    return [int(part) for part in allowed.split(", ")]


def changeable(base: Rulebook, rules: Rulebook) -> list[ChangeableLeaf]:
    """The leaves that move a figure: decks, what wagers pay, the war, and what the operator offers."""
    there = set(wagers_held(base))
    keys = [
        DECKS,
        *(key for key in base.leaves if _is_paid(key, there)),
        *OF_WAR,
        PAIRS,
        *(f"progressive.{name}" for name in OF_PROGRESSIVE if "progressive" in there),
        *(f"wager.{wager}" for wager in OPTIONAL),
    ]
    return [one for key in keys if key in base.leaves and (one := _leaf(key, base, rules)) is not None]


def _is_paid(key: str, there: set[str]) -> bool:
    parts = key.split(".")
    if len(parts) != 3 or parts[0] != "payout" or parts[2] in ("on_loss", "on_war_loss"):
        return False
    return parts[1] in there or parts[1] in ("initial", "war")


def _leaf(key: str, base: Rulebook, rules: Rulebook) -> ChangeableLeaf | None:
    book, now = base.leaves[key], rules.leaves.get(key, base.leaves[key])
    choices = _choices(key, book.value, book.allowed, base)
    typed = _typed(key)
    if len(choices) < 2 and typed is None:
        return None
    return ChangeableLeaf(
        key,
        leaf_words()[key],
        show(now.value),
        show(book.value),
        tuple(LeafChoice(value, says) for value, says in choices.items()),
        typed,
        book.clauses,
        now.value != book.value,
    )


def _typed(key: str) -> Literal["odds", "count"] | None:
    if key.startswith("payout."):
        return "odds"
    return "count" if key in ("war.burn", "war.burn_before_banker") else None


def _choices(key: str, value: object, allowed: str | None, base: Rulebook) -> dict[str, str]:
    if key.startswith("payout."):
        return _odds_near(str(value), can_push=key.startswith(("payout.initial.on_war", "payout.war.")))
    if key == DECKS:
        return {str(decks): str(decks) for decks in _decks(base)}
    if key in ("surrender.forfeit", "war.stake"):
        return SHARES if key == "surrender.forfeit" else STAKES
    if key in ("war.burn", "war.burn_before_banker"):
        return {str(count): str(count) for count in sorted({0, 1, 3, int(str(value))})}
    if isinstance(value, bool):
        is_open = key.startswith("progressive.") or allowed is not None
        return {"on": "yes", "off": "no"} if is_open else {}
    if get_origin(KEYS[key]) is Literal:
        return {str(one): str(one).replace("_", " ") for one in get_args(KEYS[key])}
    return {part: part for part in (allowed or "").split(", ") if part}


def _odds_near(value: str, *, can_push: bool) -> dict[str, str]:
    """The book's odds with one below and one above; what pushes may pay even money."""
    before = {"push": "push"} if can_push or value == "push" else {}
    if ":" not in value:
        return {**before, "1:1": "1 to 1", "2:1": "2 to 1"}
    numerator, denominator = map(int, value.split(":"))
    step = max(1, numerator // 10)
    near = [numerator - step, numerator, numerator + step]
    return before | {f"{one}:{denominator}": f"{one} to {denominator}" for one in near if one > 0}


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
    data["points"] = join_points(trim_tails(found))
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


def trim_tails(points: Points) -> Points:
    """The points without the tails, each of which may hold no more than `TAIL`."""
    first, last, below, above = 0, len(points), 0.0, 0.0
    while first < last - 1 and below + points[first][1] < TAIL:
        below += points[first][1]
        first += 1
    while last > first + 1 and above + points[last - 1][1] < TAIL:
        last -= 1
        above += points[last][1]
    return points[first:last]


def join_points(points: Points) -> Points:
    """At most `MOST_POINTS` points; neighbours are joined under their middle one."""
    size = -(-len(points) // MOST_POINTS)
    if size < 2:
        return points
    groups = [points[at : at + size] for at in range(0, len(points), size)]
    return [(group[len(group) // 2][0], sum(chance for _, chance in group)) for group in groups]
