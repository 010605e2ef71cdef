"""Rulebooks for reading: each leaf with its words and clauses, how two books differ and why, what rests on a clause."""

import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import groupby, zip_longest
from typing import Any

import msgspec

from casinowar.reports.par.register import load_register
from casinowar.rulebooks import Clause, Leaf, Rulebook, book_ids, citation
from casinowar.rulebooks.editions import edition_name, editions_of, reasons
from casinowar.rulebooks.load import raw_leaves, read_book
from casinowar.rulebooks.resolve import describe
from casinowar.rulebooks.resolve import show as show_value

WIDTH = 80
_COLUMN = 37


def show(rulebook: Rulebook) -> str:
    """Every leaf, group by group: value, what an operator may set, the clauses and the ambiguity it decides."""
    lines = [*_wrap(f"{rulebook.title} ({rulebook.id}): {rulebook.version}", "", "    "), _edition(rulebook)]
    if rulebook.notes:
        lines += ["", "Changed by the house; ! marks what a book that it extends would not allow:"]
        lines += [line for clause in rulebook.notes for line in _wrap(house_line(rulebook, clause), "  ", "      ")]
    for group, keys in groupby(rulebook.leaves, key=lambda key: key.rpartition(".")[0]):
        names = list(keys)
        pad = max(len(_last(key)) for key in names) + 2
        lines += ["", f"[{group}]"]
        for key in names:
            lines += _wrap(f"{_last(key):<{pad}}{_side(rulebook.leaves[key])}", "  ", " " * (pad + 2))
    return "\n".join(lines)


def _edition(rulebook: Rulebook) -> str:
    """Which edition it is, or which one it extends."""
    book = rulebook.extends or rulebook.id
    told = f"Edition {rulebook.edition}" + (f" of {book}" if rulebook.extends else "")
    known = editions_of(book) if book in book_ids() else (rulebook.edition,)
    return told if rulebook.edition == known[-1] else f"{told}; the current one is {known[-1]}"


def show_data(rulebook: Rulebook) -> dict[str, Any]:
    """Every leaf of a rulebook for JSON."""
    meta = {field: getattr(rulebook, field) for field in ("id", "title", "version", "extends", "edition")}
    return {**meta, "leaves": msgspec.to_builtins(rulebook.leaves), "notes": msgspec.to_builtins(rulebook.notes)}


def house_line(rulebook: Rulebook, clause: str) -> str:
    """`HOUSE-war.burn: club has 0; nz has 3 [NZ-8.8-ii]`, and who does not allow it."""
    note = rulebook.notes[clause]
    if not note.forbidden_by:
        return f"{clause}: {note.text}"
    return f"! {clause}: {note.text}; {' and '.join(note.forbidden_by)} would not allow that"


def summary(rulebook: Rulebook) -> str:
    """One line on what a rulebook is: how many leaves, and for a house rulebook how many of them it changes."""
    if rulebook.extends is None:
        silent = sum(leaf.supplied for leaf in rulebook.leaves.values())
        told = f", {silent} of them house defaults because the book is silent" if silent else ""
        return f"{_edition_of(rulebook)}, {len(rulebook.leaves)} leaves{told}"
    parent = edition_name(rulebook.extends or "", rulebook.edition)
    count = _count(len(rulebook.notes)) if rulebook.notes else "nothing"
    changed = f"{rulebook.id} extends {parent} and changes {count}"
    beyond = [f"{book} would not allow {len(keys)} of them" for book, keys in _beyond(rulebook).items()]
    return "; ".join([changed, *beyond])


def differences(first: Rulebook, second: Rulebook) -> dict[str, tuple[Leaf | None, Leaf | None]]:
    """The leaves that differ in value or in what an operator may set, in the order of the first book."""
    keys = dict.fromkeys((*first.leaves, *second.leaves))
    pairs = {key: (first.leaves.get(key), second.leaves.get(key)) for key in keys}
    return {key: pair for key, pair in pairs.items() if _rule(pair[0]) != _rule(pair[1])}


def diff(first: Rulebook, second: Rulebook) -> str:
    """The differences side by side; empty where there are none. `!` marks what a house's parent would not allow.

    Between editions of one book each has its reason.
    """
    pairs = differences(first, second)
    why = reasons_between(first, second, pairs)
    lines = [f"  {_edition_of(first):<{_COLUMN + 2}}{_edition_of(second)}"]
    for key, (mine, theirs) in pairs.items():
        lines += ["", key]
        sides = [_mark(first, key) + _side(mine), _mark(second, key) + _side(theirs)]
        left, right = (textwrap.wrap(side, _COLUMN, break_on_hyphens=False) for side in sides)
        lines += [f"  {a:<{_COLUMN}}  {b}".rstrip() for a, b in zip_longest(left, right, fillvalue="")]
        lines += _wrap(f"Why: {reason}", "    ", "    ") if (reason := str(why.get(key, ""))) else ()
    if not lines[1:]:
        return ""
    closing = [
        f"! {book} would not allow {_count(len(keys))} of {house.id}"
        for house in (first, second)
        for book, keys in _beyond(house, pairs).items()
    ]
    return "\n".join([*lines, *([""] if closing else []), *closing])


def diff_data(first: Rulebook, second: Rulebook) -> dict[str, Any]:
    """The differences for JSON.

    `forbidden` has, for each book, the leaves that a book it extends would not allow, and `why` the reason for each
    leaf between editions of one book.
    """
    pairs = differences(first, second)
    leaves = {key: [msgspec.to_builtins(leaf) for leaf in pair] for key, pair in pairs.items()}
    forbidden = [{key: list(by) for key in pairs if (by := _forbidden_by(one, key))} for one in (first, second)]
    why = {key: msgspec.to_builtins(reason) for key, reason in reasons_between(first, second, pairs).items()}
    return {
        "books": [first.id, second.id],
        "editions": [first.edition, second.edition],
        "leaves": leaves,
        "forbidden": forbidden,
        "why": why,
    }


def _edition_of(rulebook: Rulebook) -> str:
    return edition_name(rulebook.id, rulebook.edition)


def _forbidden_by(rulebook: Rulebook, key: str) -> tuple[str, ...]:
    note = rulebook.notes.get(f"HOUSE-{key}")
    return note.forbidden_by if note else ()


def _mark(rulebook: Rulebook, key: str) -> str:
    return "! " if _forbidden_by(rulebook, key) else ""


def _beyond(rulebook: Rulebook, keys: Iterable[str] | None = None) -> dict[str, list[str]]:
    """The changed leaves by the book that would not allow them."""
    found: dict[str, list[str]] = {}
    for key in rulebook.leaves if keys is None else keys:
        for book in _forbidden_by(rulebook, key):
            found.setdefault(book, []).append(key)
    return found


def _count(leaves: int) -> str:
    return "1 leaf" if leaves == 1 else f"{leaves} leaves"


def show_clause(clause: Clause, rulebooks: Iterable[Rulebook]) -> str:
    """A clause in our own words, how software realises it, and the leaves that rest on it."""
    books = list(rulebooks)
    resting = [str(leaf) for book in books for leaf in _leaves_on(clause.id, book)]
    bearing = [f"{book.id}: {key}" for book in books for key, leaf in book.leaves.items() if clause.id in leaf.see]
    lines = [
        f"{clause.id} ({clause.book}, {clause.kind})",
        *_wrap(clause.text, "  ", "  "),
        "",
        *_wrap(f"Realised as {', '.join(clause.realised)}: {clause.how}", "", "  "),
        *(_wrap(f"Left to people: {clause.outside}", "", "  ") if clause.outside else ()),
        "Leaves that rest on it:" if resting else "No leaf rests on it.",
        *(line for leaf in resting for line in _wrap(leaf, "  ", "      ")),
        *(["It only bears on these; there the book is silent:"] if bearing else ()),
        *(f"  {one}" for one in bearing),
    ]
    return "\n".join(lines)


def clause_data(clause: Clause, rulebooks: Iterable[Rulebook]) -> dict[str, Any]:
    """A clause for JSON, with the leaves that rest on it and those that it only bears on."""
    books = list(rulebooks)
    bearing = [(book.id, key) for book in books for key, leaf in book.leaves.items() if clause.id in leaf.see]
    return {
        **msgspec.to_builtins(clause),
        "leaves": [msgspec.to_builtins(leaf) for book in books for leaf in _leaves_on(clause.id, book)],
        "bears_on": [{"book": book, "key": key} for book, key in bearing],
    }


def house_clause_data(rulebook: Rulebook, clause: str) -> dict[str, Any]:
    """A clause of a house rulebook for JSON: the change that it stands for."""
    note = rulebook.notes[clause]
    return {"id": clause, "book": rulebook.id, "text": note.text, "forbidden_by": list(note.forbidden_by)}


class RestingLeaf(msgspec.Struct, frozen=True):
    """A leaf that rests on a clause: with its value, or only where the leaf `by` is one of the `choices`."""

    book: str
    key: str
    value: Any = None
    by: str | None = None
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.by:
            return f"{self.book}: {self.key}, where {self.by} is {' or '.join(self.choices)}"
        return f"{self.book}: {self.key} = {show_value(self.value)}"


def _leaves_on(clause: str, rulebook: Rulebook) -> Iterator[RestingLeaf]:
    """The leaves of a book that rest on the clause, those included that do so only under another choice of option."""
    if rulebook.id not in book_ids():
        resting = (key for key, leaf in rulebook.leaves.items() if clause in leaf.clauses)
        yield from (RestingLeaf(rulebook.id, key, rulebook.leaves[key].value) for key in resting)
        return
    for key, raw in raw_leaves(read_book(_edition_of(rulebook))).items():
        match raw.get("clauses", []):
            case dict() as choices:
                chosen = [choice for choice, clauses in choices.items() if clause in clauses]
                if chosen:
                    yield RestingLeaf(_edition_of(rulebook), key, by=raw["by"], choices=tuple(chosen))
            case clauses if clause in clauses:
                yield RestingLeaf(_edition_of(rulebook), key, rulebook.leaves[key].value)


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _rule(leaf: Leaf | None) -> tuple[object, str | None] | None:
    return None if leaf is None else (leaf.value, leaf.allowed)


def _side(leaf: Leaf | None) -> str:
    if leaf is None:
        return "-"
    ambiguity = f" {leaf.ambiguity}" if leaf.ambiguity else ""
    see = f" (see {', '.join(leaf.see)})" if leaf.see else ""
    return f"{describe(leaf)} [{_citation_of(leaf)}]{see}{ambiguity}"


def _wrap(text: str, first: str, then: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=then, break_on_hyphens=False)


def _citation_of(leaf: Leaf) -> str:
    """The clauses; where they speak of different cases, those of each."""
    if not leaf.cases:
        return citation(leaf.clauses)
    return "; ".join(f"{case.replace('_', ' ')}: {citation(clauses)}" for case, clauses in leaf.cases.items())


class Reason(msgspec.Struct, frozen=True):
    """`ambiguity` is the unclear passage that the leaf decides, if it is one; `why` is empty where nobody has said."""

    ambiguity: str | None
    why: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.ambiguity, self.why)))


def reasons_between(first: Rulebook, second: Rulebook, keys: Iterable[str]) -> dict[str, Reason]:
    """The reason for each of these leaves; nothing unless the two are editions of one book on the shelf."""
    if first.id != second.id or first.id not in book_ids() or first.edition == second.edition:
        return {}
    older, newer = sorted((first, second), key=lambda rules: rules.edition)
    said: dict[str, str] = {}
    for edition in range(older.edition + 1, newer.edition + 1):
        said |= reasons(newer.id, edition)
    return {key: _reason(older, newer, key, _said_of(key, said)) for key in keys}


def _said_of(key: str, said: Mapping[str, str]) -> str:
    """The book's own reason for a change of the leaf, or else of the nearest group that it is in."""
    while key and key not in said:
        key = key.rpartition(".")[0]
    return said.get(key, "")


def _reason(older: Rulebook, newer: Rulebook, key: str, said: str) -> Reason:
    leaf = newer.leaves.get(key) or older.leaves[key]
    entry = load_register().get(leaf.ambiguity or "")
    return Reason(leaf.ambiguity, said or (entry.why if entry else ""))


@cache
def leaf_words() -> dict[str, str]:
    """The words for each leaf, by its key. The dict is shared: do not change it."""
    text = (files("casinowar.reports") / "leaf_words.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text), ""))


def _flat(tables: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, value in tables.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value
