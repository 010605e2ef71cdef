"""Loading a rulebook: its data with every leaf resolved, typed, and made ready for the engine."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from casinowar.cards import DECK, RANKS, Card
from casinowar.rulebooks.catalogue import citation, clauses_in, clauses_of
from casinowar.rulebooks.checks import find_fault
from casinowar.rulebooks.editions import book_id, has_edition, is_book, without_edition
from casinowar.rulebooks.files import (
    META,
    HouseFile,
    edition_in,
    merge,
    raw_leaves,
    read_base,
    read_book,
    read_chain,
)
from casinowar.rulebooks.model import Cell, HouseNote, Leaf, Odds, Pass, Rulebook
from casinowar.rulebooks.resolve import describe, forbidden, resolve, resolve_with_bounds
from casinowar.rulebooks.shelf import BOOK, BOOKS, OwnBook, OwnBooks, own_books, read_head
from casinowar.rulebooks.toml_files import RulebookError, read_toml_file
from casinowar.rulebooks.vocabulary import kind
from casinowar.rulebooks.wagers import SITUATIONS

__all__ = [
    "BOOKS",
    "RulebookError",
    "load_data",
    "load_file",
    "load_rulebook",
    "merge",
    "raw_leaves",
    "read_book",
    "with_decks",
]


def load_rulebook(name: str, options: Mapping[str, object] | None = None, edition: int | None = None) -> Rulebook:
    """The rulebook with the operator's options set; what is not set has its default.

    `name` is the id of a book on the shelf in any case, with its edition as in `ca@1` or the current one, the path of a
    rulebook, or its name in the user's own folder. `edition` is for a name that has none, and for what a house extends.

    >>> load_rulebook("nz", {"shoe.decks": 8}).shoe.decks
    8
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a rulebook is text, and not {name!r}")
    if not isinstance(options or {}, Mapping):
        raise TypeError(f"options are leaves with their values, such as {{'shoe.decks': 8}}, and not {options!r}")
    if is_book(name):
        book, wanted = without_edition(name), _at(name, edition)
        if book in BOOKS:
            return replace(_load_kept(wanted, dict(options or {})), origin=book)
        refuse_faulty(book)
        return replace(load_data(read_book(wanted), options), origin=book)
    base, houses = read_chain(name)
    if not houses:
        return replace(_load_whole(base, options, edition), origin=name)
    return replace(_load_house(_at(base, edition), houses, options), origin=name)


def refuse_faulty(book: str) -> None:
    """Raise what is wrong with the user's whole book of this id, in its rules or in the clauses beside them."""
    if fault := _check_own_books(own_books()).get(book):
        raise RulebookError(fault)


_kept: dict[tuple[str, str], tuple[Mapping[str, Any], Rulebook]] = {}
"""Loaded books by name and options, each with the data that it was loaded from."""

MOST_KEPT = 64


def _load_kept(book: str, options: dict[str, object]) -> Rulebook:
    """A book, kept by its options: a replay, an audit or a server loads the same one again and again."""
    data, key = read_book(book), (book, repr(options))
    source, rules = _kept.get(key, (None, None))
    if rules is None or source is not data:
        rules = load_data(data, options)
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = data, rules
    return rules


def forget_kept() -> None:
    """Load every book anew from now on: for tests that change the data of a book in place."""
    _kept.clear()


def _at(name: str, edition: int | None) -> str:
    """The book's name with the edition that is wanted, which may not be another than it has."""
    named = book_id(name)
    if not is_book(name):
        return named
    wanted = named if edition is None else f"{without_edition(name)}@{edition}"
    if "@" in named and named != wanted:
        raise RulebookError(f"edition {edition} is wanted, and the rulebook is {named}")
    return wanted


def with_decks(rules: Rulebook, decks: int, pairs: str | None) -> Rulebook:
    """The same book in the same edition with another number of decks, and the pay table of pairs that goes with it.

    >>> from casinowar import rulebooks
    >>> rulebooks.with_decks(rulebooks.load_rulebook("nz"), 8, None).shoe.decks
    8
    """
    options = {key: value for key, value in rules.options.items() if key != "perfect_pairs.table"}
    chosen = {"perfect_pairs.table": pairs} if pairs else {}
    return load_rulebook(rules.origin or rules.id, {**options, "shoe.decks": decks, **chosen}, rules.edition)


def load_file(path: str) -> Rulebook:
    """A rulebook file as it stands: a house rulebook, or a whole book, also a changed one of this package.

    >>> import tempfile, pathlib
    >>> from casinowar import rulebooks
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "club.toml")
    ...     lines = 'extends = "nz"', 'title = "The club"', "[payout.war]", 'on_tie = "1:1"'
    ...     written = file.write_text(chr(10).join(lines))
    ...     rules = rulebooks.load_file(str(file))
    >>> rules.title, rules.leaves["payout.war.on_tie"].value
    ('The club', '1:1')
    """
    data = read_toml_file(Path(path))
    if "extends" not in data and data.get("id") in BOOKS:
        return _load_from(path, data)
    base, houses = read_chain(path)
    return _load_house(base, houses) if houses else _load_whole(path)


def _load_whole(path: str, options: Mapping[str, object] | None = None, edition: int | None = None) -> Rulebook:
    """A whole book that lies at a path: it has one edition."""
    data = read_base(path)
    if edition not in (None, data["edition"]):
        raise RulebookError(f"{path}: edition {edition} is wanted, and the file has {data['edition']}")
    file = Path(path)
    if file.name == BOOK:
        clauses_in(OwnBook(read_head(file, data), file, data, file.parent))
    book = _load_from(path, data)
    return load_data(data, options) if options else book


def sound_books() -> tuple[str, ...]:
    """The ids of all books that can be played: those of this package, and the user's that have no fault.

    >>> from casinowar import rulebooks
    >>> rulebooks.sound_books()[:5]
    ('nz', 'wa', 'ctg', 'ca', 'ma')
    """
    return (*BOOKS, *sorted(_sound(own_books())))


def faults() -> dict[str, str]:
    """Why whole books in the configuration folder cannot be used: one line for each, by its name."""
    own = own_books()
    return own.faults | {book: fault for book, fault in _check_own_books(own).items() if fault}


def is_known(name: str) -> bool:
    """Whether this names a book that can be played, written as here, in an edition that it has.

    >>> from casinowar import rulebooks
    >>> rulebooks.is_known("nz"), rulebooks.is_known("monaco")
    (True, False)
    """
    return name.partition("@")[0] in sound_books() and has_edition(name)


def _sound(own: OwnBooks) -> list[str]:
    return [book for book, fault in _check_own_books(own).items() if not fault]


@lru_cache(maxsize=8)
def _check_own_books(own: OwnBooks) -> dict[str, str]:
    """Each of the user's whole books with its fault, which is empty where it has none."""
    found = {}
    for book, one in own.books.items():
        try:
            clauses_of(book)
            _load_from(str(one.path), one.data)
            found[book] = ""
        except RulebookError as error:
            found[book] = str(error)
    return found


def _load_house(base: str, houses: list[HouseFile], options: Mapping[str, object] | None = None) -> Rulebook:
    """Every book of the chain must be sound by itself, so that an error is told of the file that it is in."""
    chain = [read_base(base)]
    for house in houses:
        chain.append(merge(chain[-1], house))
        book = _load_from(house.path, chain[-1])
    if options:
        book = load_data(chain[-1], options)
    return replace(book, notes=_house_notes(chain, houses))


def _load_from(path: str, data: Mapping[str, Any]) -> Rulebook:
    try:
        return load_data(data)
    except RulebookError as error:
        book = f"{data.get('id')}: "
        raise RulebookError(f"{path}: {str(error).removeprefix(book)}") from None


def _house_notes(chain: Sequence[Mapping[str, Any]], houses: Sequence[HouseFile]) -> dict[str, HouseNote]:
    """A note for the clause of every leaf that a house changes: what it has, and what the books that it extends have.

    `chain` is the book of the package, then each house's merged in.
    """
    leaves = [resolve(data, {}) for data in chain]
    keys = dict.fromkeys(key for house in houses for key in house.changes)
    forbid = [forbidden(data, chain[-1], keys) for data in chain[:-1]]
    notes = {}
    for key in keys:
        holders = [n for n, house in enumerate(houses, start=1) if key in house.changes]
        told = [f"{chain[n]['id']} has {describe(leaves[n][key])}" for n in reversed(holders)]
        told.append(_parent_has(chain[0]["id"], leaves[0].get(key)))
        by = tuple(chain[n]["id"] for n in reversed([0, *holders[:-1]]) if key in forbid[n])
        notes[f"HOUSE-{key}"] = HouseNote("; ".join(told), by)
    return notes


def _parent_has(book: str, leaf: Leaf | None) -> str:
    return f"{book} has {describe(leaf)} [{citation(leaf.clauses)}]" if leaf else f"{book} has no such leaf"


def load_data(data: Mapping[str, Any], options: Mapping[str, object] | None = None) -> Rulebook:
    settings = dict(options or {})
    leaves, bounds = resolve_with_bounds(data, settings)
    meta = {field: data[field] for field in META} | {"extends": data.get("extends"), "edition": edition_in(data)}
    rulebook = _build(meta, leaves, settings, bounds)
    rulebook = replace(rulebook, deck_choices=_deck_choices(data))
    if fault := find_fault(rulebook):
        raise RulebookError(f"{rulebook.id}: {fault}")
    return rulebook


def _deck_choices(data: Mapping[str, Any]) -> dict[int, tuple[str, ...]]:
    raw = raw_leaves(data)
    allowed = raw["shoe.decks"].get("allowed", ())
    pairs = raw.get("perfect_pairs.table", {})
    tables = pairs.get("allowed", {}) if pairs.get("by") == "shoe.decks" else {}
    if not isinstance(allowed, list):
        return {}
    return {decks: tuple(tables.get(str(decks), ())) for decks in allowed}


def _build(
    meta: dict[str, Any], leaves: dict[str, Leaf], options: dict[str, object], bounds: tuple[int, int]
) -> Rulebook:
    nested: dict[str, Any] = {}
    for key, leaf in leaves.items():
        group = nested
        *path, last = key.split(".")
        for part in path:
            group = group.setdefault(part, {})
        group[last] = leaf.value
    derived = {
        "leaves": {},
        "clauses": {},
        "options": {},
        "ranks": {},
        "passes": (),
        "cells": {},
        "forfeit": Odds(1, 1),
        "war_stake": Odds(1, 1),
        "marker_bounds": bounds,
        "deck_choices": {},
        "asks_from_right": False,
    }
    try:
        typed = msgspec.convert({**meta, "priority": {}, **nested, **derived}, Rulebook, strict=True)
    except msgspec.ValidationError as error:
        raise _explain(meta["id"], leaves, error) from None
    passes = tuple(_parse_pass(meta["id"], text) for text in typed.settle.first)
    cells = _cells(meta["id"], leaves, typed)
    if "progressive.meter_share" in leaves:
        _parse_odds(meta["id"], "progressive.meter_share", leaves["progressive.meter_share"])
    return replace(
        typed,
        leaves=leaves,
        clauses={key: leaf.clauses for key, leaf in leaves.items()},
        options=options,
        ranks=_ranks(meta["id"], leaves["cards.ranks"]),
        passes=passes,
        has_shared_limits=bool(
            typed.limits.area_total_max or typed.limits.player_box_max or typed.limits.linked_players
        ),
        asks_from_right=any(one.from_right for one in passes if "initial" in one.wagers),
        cells=cells,
        lost_ties=_lost_ties(leaves, cells),
        forfeit=_parse_odds(meta["id"], "surrender.forfeit", leaves["surrender.forfeit"]),
        war_stake=_parse_odds(meta["id"], "war.stake", leaves["war.stake"]),
    )


def _explain(book: str, leaves: dict[str, Leaf], error: msgspec.ValidationError) -> RulebookError:
    reason, _, path = str(error).partition(" - at `$.")
    key = path.rstrip("`").partition("[")[0]
    clauses = f" ({citation(leaves[key].clauses)})" if key in leaves else ""
    return RulebookError(f"{book}: {key or 'the book'}{clauses}: {reason[:1].lower()}{reason[1:]}")


def _ranks(book: str, leaf: Leaf) -> dict[Card, int]:
    order = str(leaf.value)
    if sorted(order) != sorted(RANKS):
        raise RulebookError(f"{book}: cards.ranks ({citation(leaf.clauses)}) names each of {RANKS} once, low to high")
    return {card: order.index(card[0]) for card in DECK}


def _parse_odds(book: str, key: str, leaf: Leaf) -> Odds:
    read = re.fullmatch(r"([0-9]{1,9}):([1-9][0-9]{0,8})", str(leaf.value))
    if read is None:
        raise RulebookError(f"{book}: {key} = {leaf.value} ({citation(leaf.clauses)}): allowed {kind(key)}")
    return Odds(int(read[1]), int(read[2]))


def _parse_pass(book: str, text: str) -> Pass:
    """`take then pay tie from right`, `settle initial, tie from left`."""
    read = re.fullmatch(r"(settle|take then pay) ([a-z_, ]+) from (left|right)", text)
    if read is None or not set(read[2].split(", ")) <= set(SITUATIONS):
        raise RulebookError(f"{book}: settle.first: {text!r} is no pass: write 'settle initial, tie from right'")
    return Pass(tuple(read[2].split(", ")), read[3] == "right", read[1] != "settle")


def _cells(book: str, leaves: dict[str, Leaf], rulebook: Rulebook) -> dict[tuple[str, str], Cell]:
    cells = {}
    offered = {wager for wager in SITUATIONS if wager in ("initial", "war") or getattr(rulebook.wager, wager)}
    if rulebook.wager.war_perfect_pairs:
        offered.add("perfect_pairs")
    for wager, situations in SITUATIONS.items():
        for situation in situations:
            key = f"payout.{wager}.{situation}"
            if key in leaves:
                cells[wager, situation] = _cell(book, key, leaves[key])
            elif wager in offered:
                on = "" if wager in ("initial", "war") else f": wager.{wager} is on"
                raise RulebookError(f"{book}: {key} is missing{on}: allowed {kind(key)}")
    for wager, situation in list(cells):
        if wager == "perfect_pairs":
            cells["war_perfect_pairs", situation] = cells[wager, situation]
    return cells


def _lost_ties(leaves: dict[str, Leaf], cells: dict[tuple[str, str], Cell]) -> dict[tuple[str, bool], Cell]:
    found = {}
    for wager in ("tie", "war_tie"):
        if (wager, "on_loss") in cells:
            cell, cases = cells[wager, "on_loss"], leaves[f"payout.{wager}.on_loss"].cases
            for case, is_higher in (("lower", False), ("higher", True)):
                found[wager, is_higher] = replace(cell, clauses=cases.get(case, cell.clauses))
    return found


def _cell(book: str, key: str, leaf: Leaf) -> Cell:
    if leaf.value == "push":
        return Cell("push", None, leaf.clauses)
    if leaf.value == "lose":
        return Cell("lose", None, leaf.clauses)
    return Cell("win", _parse_odds(book, key, leaf), leaf.clauses)
