"""A rulebook inside a record, every leaf resolved, so that the record stands alone whatever becomes of the file."""

from typing import Any

import msgspec
from msgspec.structs import replace

from casinowar.records.before import written
from casinowar.rulebooks import Leaf, Rulebook
from casinowar.rulebooks.load import load_data
from casinowar.rulebooks.model import HouseNote


class Book(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each leaf with its value and clauses, and what the leaves do not tell by themselves.

    `allowed`, `marker_bounds` and `deck_choices` are what the operator may still choose while the table is open.
    """

    id: str
    title: str
    version: str
    extends: str | None = None
    options: dict[str, Any] = {}
    leaves: dict[str, Leaf]
    marker_bounds: tuple[int, int]
    deck_choices: dict[str, list[str]] = {}
    notes: dict[str, HouseNote] = {}


def book_of(rules: Rulebook) -> dict[str, Any]:
    """The rules as a record's `book`."""
    data = written(
        Book(
            id=rules.id,
            title=rules.title,
            version=rules.version,
            extends=rules.extends,
            options=rules.options,
            leaves={},
            marker_bounds=rules.marker_bounds,
            deck_choices={str(decks): list(pairs) for decks, pairs in rules.deck_choices.items()},
        )
    )
    notes = {key: written(note) for key, note in rules.notes.items()}
    return {**data, "leaves": {key: written(leaf) for key, leaf in rules.leaves.items()}, "notes": notes}


def rules_in(book: Book) -> Rulebook:
    """The rulebook that the record holds; `RulebookError` where it is none."""
    data: dict[str, Any] = {"id": book.id, "title": book.title, "version": book.version, "extends": book.extends}
    for key, leaf in book.leaves.items():
        group = data
        *path, last = key.split(".")
        for part in path:
            group = group.setdefault(part, {})
        group[last] = {"value": leaf.value, "clauses": list(leaf.clauses)}
    return replace(
        load_data(data),
        leaves=book.leaves,
        clauses={key: leaf.clauses for key, leaf in book.leaves.items()},
        options=book.options,
        marker_bounds=book.marker_bounds,
        deck_choices={int(decks): tuple(pairs) for decks, pairs in book.deck_choices.items()},
        notes=book.notes,
    )
