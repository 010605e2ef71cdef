"""The rules of a table as the log keeps them: made an event, and made rules again from it."""

import hashlib

import msgspec
from msgspec.structs import replace

from casinowar.errors import CasinoWarError
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.editions import FIRST
from casinowar.rulebooks.frozen import FrozenBook, freeze, thaw
from casinowar.store.events import BookResolved


class BookChanged(CasinoWarError):
    """The stored rules do not have the digest that was stored with them."""


def digest_of(book: BookResolved) -> str:
    """SHA-256 over everything in the book but the digest itself."""
    data = msgspec.to_builtins(replace(book, digest=""), str_keys=True)
    return hashlib.sha256(b"casinowar/store/book/v1\0" + msgspec.json.encode(data, order="deterministic")).hexdigest()


def resolved(rules: Rulebook) -> BookResolved:
    """The event that stores every leaf of the rules by which a table is played.

    A leaf lacks `supplied` and `see` where they say nothing, so that the digest of an older book holds.
    """
    frozen = msgspec.to_builtins(freeze(rules))
    for leaf in frozen["leaves"].values():
        for field in ("supplied", "see"):
            if not leaf[field]:
                del leaf[field]
    edition = msgspec.UNSET if rules.edition == FIRST else rules.edition
    book = BookResolved(**{**frozen, "edition": edition}, origin=rules.origin)
    return replace(book, digest=digest_of(book))


BOOKS_KEPT = 100
_thawed: dict[tuple[str, str], Rulebook] = {}
"""Rules that were made from stored books, by the digest and the origin: many tables have the same."""


def rules_of(book: BookResolved) -> Rulebook:
    """The rules as they were stored, whatever has become of the packaged books or of the house's file since."""
    if digest_of(book) != book.digest:
        raise BookChanged(f"the stored rules of {book.id} do not have the digest {book.digest}")
    known = _thawed.get((book.digest, book.origin))
    if known is None:
        fields = {field: getattr(book, field) for field in FrozenBook.__struct_fields__}
        there = {field: value for field, value in fields.items() if value is not msgspec.UNSET}
        known = replace(thaw(msgspec.convert(there, FrozenBook)), origin=book.origin)
        if len(_thawed) >= BOOKS_KEPT:
            _thawed.clear()
        _thawed[book.digest, book.origin] = known
    return known
