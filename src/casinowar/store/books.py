"""The rules of a table as they stood when it opened: stored leaf by leaf with a digest, and built again from that."""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from casinowar.rulebooks import Leaf, Rulebook
from casinowar.rulebooks.load import load_data
from casinowar.rulebooks.model import HouseNote
from casinowar.store.envelope import canonical
from casinowar.store.recorded import BookResolved


class BookChanged(Exception):
    """The stored rules do not have the digest that was stored with them."""


def digest_of(book: BookResolved) -> str:
    """SHA-256 over everything in the book but the digest itself."""
    return hashlib.sha256(b"casinowar/store/book/v1\0" + canonical(replace(book, digest=""))).hexdigest()


def resolved(rules: Rulebook) -> BookResolved:
    """The event that stores every leaf of the rules by which a table is played."""
    book = BookResolved(
        id=rules.id,
        title=rules.title,
        version=rules.version,
        extends=rules.extends,
        origin=rules.origin,
        options=msgspec.to_builtins(rules.options),
        leaves=msgspec.to_builtins(rules.leaves),
        marker_bounds=rules.marker_bounds,
        deck_choices=rules.deck_choices,
        notes=msgspec.to_builtins(rules.notes),
    )
    return replace(book, digest=digest_of(book))


def rules_of(book: BookResolved) -> Rulebook:
    """The rules as they were stored, whatever has become of the packaged books or of the house's file since."""
    if digest_of(book) != book.digest:
        raise BookChanged(f"the stored rules of {book.id} do not have the digest {book.digest}")
    leaves = msgspec.convert(book.leaves, dict[str, Leaf])
    rules = load_data(_as_file(book, leaves))
    return replace(
        rules,
        leaves=leaves,
        clauses={key: leaf.clauses for key, leaf in leaves.items()},
        options=book.options,
        marker_bounds=book.marker_bounds,
        deck_choices=book.deck_choices,
        origin=book.origin,
        notes=msgspec.convert(book.notes, dict[str, HouseNote]),
    )


def _as_file(book: BookResolved, leaves: dict[str, Leaf]) -> dict[str, Any]:
    """A rulebook file in which every leaf is fixed to the value that was resolved."""
    data: dict[str, Any] = {"id": book.id, "title": book.title, "version": book.version, "extends": book.extends}
    for key, leaf in leaves.items():
        group = data
        *path, last = key.split(".")
        for part in path:
            group = group.setdefault(part, {})
        cases = {case: list(clauses) for case, clauses in leaf.cases.items()}
        group[last] = {"value": leaf.value, "clauses": list(leaf.clauses), "cases": cases}
    return data
