"""Another value for every leaf of a book: what the leaf check puts in the place of what the file says.

Where the book is silent, a test marked with a clause that the leaf sees must notice.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from casinowar.rulebooks.load import load_rulebook, raw_leaves, read_book
from casinowar.rulebooks.model import Leaf, Rulebook

ODDS = re.compile(r"(\d+):(\d+)")
PASS = re.compile(r"(settle|take then pay) (.+) from (left|right)")
OPPOSITES = {"push": "lose", "lose": "push"}
FREE = {"amount": "an amount", "text": "a text", "groups": "groups of players"}
"""Choices that no list or range bounds, and what is told when there is no such choice."""

Named = tuple[str, Any]
"""Another value, and what is told of the change."""


class Change(msgspec.Struct, frozen=True):
    """One leaf with another value: `parts` are the fields of the leaf as they then read."""

    book: str
    key: str
    told: str
    clauses: tuple[str, ...]
    parts: dict[str, Any]


@cache
def changes(book: str) -> tuple[Change, ...]:
    """Every change of every leaf of a book."""
    resolved = load_rulebook(book).leaves
    found: list[Change] = []
    for key, leaf in raw_leaves(read_book(book)).items():
        others = _other_entries(key, leaf) if "by" in leaf else _others(key, leaf, resolved[key])
        found += [Change(book, key, told, tuple(clauses), parts) for told, clauses, parts in others]
    return tuple(found)


Other = tuple[str, list[str], dict[str, Any]]
"""What is told of a change, the clauses of what is changed, and the changed parts of the leaf."""


def _others(key: str, leaf: dict[str, Any], resolved: Leaf) -> Iterator[Other]:
    """Another value, or for an option another default and other choices."""
    clauses = leaf.get("clauses") or leaf.get("see", [])
    if "value" in leaf:
        for told, other in another(key, leaf["value"]):
            yield told, clauses, {"value": other}
        return
    allowed, default = leaf["allowed"], resolved.value
    for other in _other_defaults(allowed, default):
        yield f"default {default} -> {other}", clauses, {"default": other}
    if isinstance(allowed, list):
        choices = _fewer_choices(allowed, default)
    elif isinstance(allowed, str):
        choices = [(f"without the choice of {FREE[allowed]}", [default])]
    else:
        choices = _other_ranges(str(resolved.allowed), default)
    for told, other in choices:
        yield told, clauses, {"allowed": other}


def _other_entries(key: str, leaf: dict[str, Any]) -> Iterator[Other]:
    """Each entry in turn of a leaf that hangs on another leaf; the first choice holds when nobody chooses."""
    part = "value" if "value" in leaf else "allowed"
    table, clauses = leaf[part], _bearing(leaf)
    for chosen, entry in table.items():
        if part == "value":
            others = another(key, entry)
        else:
            others = _fewer_choices(entry, entry[0])
            strange = [choice for choices in table.values() for choice in choices if choice not in entry]
            for first in entry[1:] or strange[:1]:
                rest = [choice for choice in entry if choice != first]
                others.append((f"default {entry[0]} -> {first}", [first, *rest]))
        for told, other in others:
            resting = clauses[chosen] if isinstance(clauses, dict) else clauses
            yield f"for {chosen}: {told}", resting, {part: {**table, chosen: other}}


def _bearing(leaf: dict[str, Any]) -> Any:
    """The clauses that it rests on, and under choices for which the book is silent those that it sees."""
    clauses, see = leaf.get("clauses", {}), leaf.get("see", {})
    return {**see, **clauses} if isinstance(clauses, dict) else clauses


def _other_defaults(allowed: Any, default: Any) -> list[Any]:
    if isinstance(allowed, list):
        return [choice for choice in allowed if choice != default]
    match allowed:
        case "amount":
            return [default + 1]
        case "text":
            return [f"other than {default}"]
        case "groups":
            return [[*default, ["ana", "ben"]]]
    return [default - 1 if default > allowed["from"] else default + 1]


def _fewer_choices(allowed: list[Any], default: Any) -> list[Named]:
    return [
        (f"without the choice of {choice}", [other for other in allowed if other != choice])
        for choice in allowed
        if choice != default
    ]


def _other_ranges(told: str, default: Any) -> list[Named]:
    """A range one narrower and one wider at each end. The default stays inside, and no end falls below nothing."""
    low, *high = map(int, re.findall(r"\d+", told))
    top = {"to": high[0]} if high else {}
    others: list[Named] = []
    for end in (low - 1, low + 1):
        if 0 <= end <= default:
            others.append((f"lowest choice {low} -> {end}", {"from": end, **top}))
    for highest in high:
        for end in (highest - 1, highest + 1):
            if end >= default:
                others.append((f"highest choice {highest} -> {end}", {"from": low, "to": end}))
    return others


def another(key: str, value: Any) -> list[Named]:
    """Values of the same kind that are not this one: all others of a small vocabulary, else near ones."""
    words = _vocabulary(key)
    match value:
        case dict():
            return [
                (f"{entry} {told}", {**value, entry: other})
                for entry in value
                for told, other in another(key, value[entry])
            ]
        case list():
            return _another_list(value)
        case _ if words:
            others: list[Any] = [word for word in words if word != value]
        case bool():
            others = [not value]
        case int():
            others = [value + 1]
        case str():
            others = _another_text(key, value)
        case _:
            raise TypeError(f"{key}: no other value is known for {value!r}")
    return [(f"{value} -> {other}", other) for other in others]


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


def _another_list(value: list[str]) -> list[Named]:
    """The dealer's passes in another order, direction or manner; of any other list, one entry less."""
    others: list[Named] = []
    for at, entry in enumerate(value):
        before, after = value[:at], value[at + 1 :]
        if PASS.fullmatch(entry) is None:
            others.append((f"without {entry}", [*before, *after]))
        else:
            others += [(f"{entry!r} -> {other!r}", [*before, other, *after]) for other in _other_passes(entry)]
            if after:
                others.append((f"{entry!r} after {after[0]!r}", [*before, after[0], entry, *after[1:]]))
    return others


def _other_passes(text: str) -> list[str]:
    manner, wagers, side = PASS.findall(text)[0]
    other_side = "left" if side == "right" else "right"
    other_manner = "take then pay" if manner == "settle" else "settle"
    others = [f"{manner} {wagers} from {other_side}", f"{other_manner} {wagers} from {side}"]
    kinds = wagers.split(", ")
    for at in range(len(kinds) - 1):
        swapped = [*kinds[:at], kinds[at + 1], kinds[at], *kinds[at + 2 :]]
        others.append(f"{manner} {', '.join(swapped)} from {side}")
    return others
