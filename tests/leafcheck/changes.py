"""Another value for every leaf of a book: what the leaf check puts in the place of what the file says."""

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from casinowar.rulebooks.load import load_rulebook, raw_leaves, read_book
from casinowar.rulebooks.model import Rulebook

ODDS = re.compile(r"(\d+):(\d+)")
OPPOSITES = {"push": "lose", "lose": "push"}


class Change(msgspec.Struct, frozen=True):
    """One leaf with another value: `parts` are the fields of the leaf as they then read."""

    book: str
    key: str
    told: str
    clauses: tuple[str, ...]
    parts: dict[str, Any]


def changes(book: str) -> list[Change]:
    """Every change of every leaf of a book."""
    return [
        change
        for key, leaf in raw_leaves(read_book(book)).items()
        for change in (*_other_values(book, key, leaf), *_other_choices(book, key, leaf))
    ]


def _other_values(book: str, key: str, leaf: dict[str, Any]) -> Iterator[Change]:
    """The value of a leaf the book fixes, or each entry of it where it hangs on another leaf."""
    if "value" not in leaf:
        return
    value, clauses = leaf["value"], leaf["clauses"]
    if "by" not in leaf:
        for other in another(key, value):
            yield Change(book, key, f"{value} -> {other}", tuple(clauses), {"value": other})
        return
    for chosen, entry in value.items():
        resting = tuple(clauses[chosen] if isinstance(clauses, dict) else clauses)
        for other in another(key, entry):
            told = f"for {chosen} {entry} -> {other}"
            yield Change(book, key, told, resting, {"value": {**value, chosen: other}})


def _other_choices(book: str, key: str, leaf: dict[str, Any]) -> Iterator[Change]:
    """What an option is when nobody sets it, and what it may be set to."""
    if "allowed" not in leaf:
        return
    allowed, clauses = leaf["allowed"], leaf["clauses"]
    if "by" in leaf:
        for chosen, entry in allowed.items():
            resting = tuple(clauses[chosen] if isinstance(clauses, dict) else clauses)
            strange = [choice for other in allowed.values() for choice in other if choice not in entry]
            for told, choices in _other_lists(entry, entry[0], strange):
                yield Change(book, key, f"for {chosen} {told}", resting, {"allowed": {**allowed, chosen: choices}})
        return
    default = load_rulebook(book).leaves[key].value
    for other in _other_defaults(allowed, default):
        yield Change(book, key, f"default {default} -> {other}", tuple(clauses), {"default": other})
    if isinstance(allowed, list):
        for choice in allowed:
            if choice != default:
                left = [other for other in allowed if other != choice]
                yield Change(book, key, f"without the choice of {choice}", tuple(clauses), {"allowed": left})
    elif allowed == "amount":
        yield Change(book, key, "without the choice of an amount", tuple(clauses), {"allowed": [default]})
    else:
        for told, bounds in _other_ranges(str(load_rulebook(book).leaves[key].allowed), default):
            yield Change(book, key, told, tuple(clauses), {"allowed": bounds})


def _other_lists(entry: list[Any], default: Any, strange: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Lists of choices whose first is what holds when nobody chooses."""
    if len(entry) == 1:
        yield f"default {default} -> {strange[0]}", [strange[0]]
    for choice in entry[1:]:
        left = [other for other in entry if other != choice]
        yield f"default {default} -> {choice}", [choice, *left]
        yield f"without the choice of {choice}", left


def _other_defaults(allowed: Any, default: Any) -> list[Any]:
    if isinstance(allowed, list):
        return [choice for choice in allowed if choice != default]
    if allowed == "amount":
        return [default + 1]
    return [default - 1 if default > allowed["from"] else default + 1]


def _other_ranges(told: str, default: Any) -> Iterator[tuple[str, dict[str, int]]]:
    """A range one narrower and one wider at each end. The default stays inside, and no end falls below nothing."""
    low, _, high = told.partition(" to ") if " to " in told else (told.partition(" ")[0], "", "")
    lowest = int(low)
    top = {"to": int(high)} if high else {}
    for other in (lowest - 1, lowest + 1):
        if 0 <= other <= default:
            yield f"lowest choice {lowest} -> {other}", {"from": other, **top}
    for highest in top.values():
        for other in (highest - 1, highest + 1):
            if other >= default:
                yield f"highest choice {highest} -> {other}", {"from": lowest, "to": other}


def another(key: str, value: Any) -> list[Any]:
    """Values of the same kind that are not this one: all others of a small vocabulary, else near ones."""
    if words := _vocabulary(key):
        return [word for word in words if word != value]
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case str():
            return _another_text(key, value)
        case list():
            return _another_list(value)
        case dict():
            return [{**value, entry: other} for entry in value for other in another(key, value[entry])]
        case _:
            raise TypeError(f"{key}: no other value is known for {value!r}")


def _vocabulary(key: str) -> tuple[Any, ...]:
    group, name = key.split(".")[:2]
    kind = get_type_hints(get_type_hints(Rulebook)[group])[name]
    return get_args(kind) if get_origin(kind) is Literal else ()


def _another_text(key: str, value: str) -> list[str]:
    if key == "cards.ranks":
        return [value[:at] + value[at + 1] + value[at] + value[at + 2 :] for at in range(len(value) - 1)]
    if odds := ODDS.fullmatch(value):
        return [f"{int(odds[1]) + 1}:{odds[2]}"]
    return [OPPOSITES.get(value, f"other than {value}")]


def _another_list(value: list[Any]) -> list[list[Any]]:
    """The dealer's passes in another order, direction or manner; of any other list, one entry less."""
    if not any(" from " in entry for entry in value):
        return [value[:at] + value[at + 1 :] for at in range(len(value))]
    others = [list(reversed(value))] if len(value) > 1 else []
    for at, entry in enumerate(value):
        for turned in _other_passes(entry):
            others.append([*value[:at], turned, *value[at + 1 :]])
    return others


def _other_passes(text: str) -> list[str]:
    manner, wagers, side = re.fullmatch(r"(settle|take then pay) (.+) from (left|right)", text).groups()  # type: ignore[union-attr]
    other_side = "left" if side == "right" else "right"
    other_manner = "take then pay" if manner == "settle" else "settle"
    others = [f"{manner} {wagers} from {other_side}", f"{other_manner} {wagers} from {side}"]
    if ", " in wagers:
        others.append(f"{manner} {', '.join(reversed(wagers.split(', ')))} from {side}")
    return others
