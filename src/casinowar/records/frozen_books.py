"""A rulebook inside a record, every leaf resolved, so that the record stands alone whatever becomes of the file."""

from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from casinowar.records.opening_state import written
from casinowar.rulebooks import Leaf, Rulebook
from casinowar.rulebooks.editions import FIRST
from casinowar.rulebooks.frozen import thaw
from casinowar.rulebooks.model import HouseNote


class Book(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each leaf with its value and clauses, and what the leaves do not tell by themselves.

    A book that tells no `edition` was written before there were any, and is of the first one.
    `allowed`, `marker_bounds` and `deck_choices` are what the operator may still choose while the table is open.
    """

    id: str
    title: str
    version: str
    extends: str | None = None
    edition: Annotated[int, msgspec.Meta(ge=FIRST)] = FIRST
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
            edition=rules.edition,
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
    meta = {"id": book.id, "title": book.title, "version": book.version, "extends": book.extends}
    return replace(
        thaw(meta, book.leaves),
        edition=book.edition,
        options=book.options,
        marker_bounds=book.marker_bounds,
        deck_choices={int(decks): tuple(pairs) for decks, pairs in book.deck_choices.items()},
        notes=book.notes,
    )
