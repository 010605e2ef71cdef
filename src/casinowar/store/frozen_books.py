"""The rules of a table as they stood when it opened: stored leaf by leaf with a digest, and built again from that."""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from casinowar.errors import CasinoWarError
from casinowar.rulebooks import Leaf, Rulebook
from casinowar.rulebooks.editions import FIRST
from casinowar.rulebooks.frozen import thaw
from casinowar.rulebooks.model import HouseNote
from casinowar.store.envelope import canonical
from casinowar.store.ledger_events import BookResolved


class BookChanged(CasinoWarError):
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
        leaves={key: _stored(leaf) for key, leaf in rules.leaves.items()},
        marker_bounds=rules.marker_bounds,
        deck_choices=rules.deck_choices,
        notes=msgspec.to_builtins(rules.notes),
        edition=msgspec.UNSET if rules.edition == FIRST else rules.edition,
    )
    return replace(book, digest=digest_of(book))


def rules_of(book: BookResolved) -> Rulebook:
    """The rules as they were stored, whatever has become of the packaged books or of the house's file since."""
    if digest_of(book) != book.digest:
        raise BookChanged(f"the stored rules of {book.id} do not have the digest {book.digest}")
    leaves = msgspec.convert(book.leaves, dict[str, Leaf])
    meta = {"id": book.id, "title": book.title, "version": book.version, "extends": book.extends}
    return replace(
        thaw(meta, leaves),
        edition=FIRST if book.edition is msgspec.UNSET else book.edition,
        options=book.options,
        marker_bounds=book.marker_bounds,
        deck_choices=book.deck_choices,
        origin=book.origin,
        notes=msgspec.convert(book.notes, dict[str, HouseNote]),
    )


def _stored(leaf: Leaf) -> dict[str, Any]:
    """The leaf without `supplied` and `see` where they say nothing, so that the digest of an older book holds."""
    data: dict[str, Any] = msgspec.to_builtins(leaf)
    return {name: told for name, told in data.items() if told or name not in ("supplied", "see")}
