"""Rulebooks for reading: every leaf with its clauses, how two books differ, and what rests on one clause."""

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby, zip_longest
from typing import Any

import msgspec

from casinowar.rulebooks import Clause, Leaf, Rulebook
from casinowar.rulebooks.load import raw_leaves, read_book

WIDTH = 80
_COLUMN = 37
_AMOUNT = "off or an amount"


def show(rulebook: Rulebook) -> str:
    """Every leaf, group by group: value, what an operator may set, the clauses and the ambiguity it decides."""
    lines = [*_wrap(f"{rulebook.title} ({rulebook.id}): {rulebook.version}", "", "    ")]
    for group, keys in groupby(rulebook.leaves, key=_group):
        names = list(keys)
        pad = max(len(_last(key)) for key in names) + 2
        lines += ["", f"[{group}]"]
        for key in names:
            text = f"{_last(key):<{pad}}{_side(rulebook.leaves[key])}"
            lines += _wrap(text, "  ", " " * (pad + 2))
    return "\n".join(lines)


def show_data(rulebook: Rulebook) -> dict[str, Any]:
    """The same for JSON."""
    meta = {"id": rulebook.id, "title": rulebook.title, "version": rulebook.version}
    return {**meta, "leaves": msgspec.to_builtins(rulebook.leaves)}


def differences(first: Rulebook, second: Rulebook) -> dict[str, tuple[Leaf | None, Leaf | None]]:
    """The leaves that differ in value or in what an operator may set, in the order of the first book."""
    keys = dict.fromkeys((*first.leaves, *second.leaves))
    pairs = {key: (first.leaves.get(key), second.leaves.get(key)) for key in keys}
    return {key: pair for key, pair in pairs.items() if _rule(pair[0]) != _rule(pair[1])}


def diff(first: Rulebook, second: Rulebook) -> str:
    """The differences side by side; empty where there are none."""
    lines = [f"{first.id:<{_COLUMN + 2}}{second.id}"]
    for key, (mine, theirs) in differences(first, second).items():
        lines += ["", key]
        left, right = (textwrap.wrap(_side(leaf), _COLUMN, break_on_hyphens=False) for leaf in (mine, theirs))
        lines += [f"  {a:<{_COLUMN}}  {b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
    return "\n".join(lines) if lines[1:] else ""


def diff_data(first: Rulebook, second: Rulebook) -> dict[str, Any]:
    pairs = differences(first, second)
    leaves = {key: [msgspec.to_builtins(leaf) for leaf in pair] for key, pair in pairs.items()}
    return {"books": [first.id, second.id], "leaves": leaves}


def show_clause(clause: Clause, rulebooks: Iterable[Rulebook]) -> str:
    """A clause in our own words, how software realises it, and the leaves that rest on it."""
    lines = [f"{clause.id} ({clause.book}, {clause.kind})", *_wrap(clause.text, "  ", "  "), ""]
    lines += _wrap(f"Realised as {', '.join(clause.realised)}: {clause.how}", "", "  ")
    if clause.outside:
        lines += _wrap(f"Left to people: {clause.outside}", "", "  ")
    resting = [leaf for book in rulebooks for leaf in _resting(clause.id, book)]
    lines.append("Leaves that rest on it:" if resting else "No leaf rests on it.")
    return "\n".join([*lines, *(line for leaf in resting for line in _wrap(leaf, "  ", "      "))])


def _resting(clause: str, rulebook: Rulebook) -> Iterator[str]:
    """The leaves of a book that rest on the clause, those included that do so only under another choice of option."""
    for key, raw in raw_leaves(read_book(rulebook.id)).items():
        match raw["clauses"]:
            case dict() as choices:
                chosen = [choice for choice, clauses in choices.items() if clause in clauses]
                if chosen:
                    yield f"{rulebook.id}: {key}, where {raw['by']} is {' or '.join(chosen)}"
            case clauses if clause in clauses:
                yield f"{rulebook.id}: {key} = {_value(rulebook.leaves[key].value)}"


def _group(key: str) -> str:
    return key.rpartition(".")[0]


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _rule(leaf: Leaf | None) -> tuple[object, str | None] | None:
    return None if leaf is None else (leaf.value, leaf.allowed)


def _side(leaf: Leaf | None) -> str:
    if leaf is None:
        return "-"
    allowed = f" (allowed: {leaf.allowed})" if leaf.allowed else ""
    ambiguity = f" {leaf.ambiguity}" if leaf.ambiguity else ""
    value = "off" if leaf.allowed == _AMOUNT and leaf.value == 0 else _value(leaf.value)
    return f"{value}{allowed} [{', '.join(leaf.clauses)}]{ambiguity}"


def _value(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case list() | tuple():
            return "; ".join(_value(one) for one in value) or "none"
        case dict():
            return ", ".join(f"{key} {_value(one)}" for key, one in value.items()) or "none"
        case _:
            return str(value)


def _wrap(text: str, first: str, then: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=then, break_on_hyphens=False)
