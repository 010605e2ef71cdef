"""What the store records beside the engine's events: purses, chips carried away, the book resolved, and stops."""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from casinowar.engine import Event, Refusal, Table, evolve
from casinowar.engine.evolve.table import carry_chips_away
from casinowar.errors import CasinoWarError
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.editions import FIRST
from casinowar.rulebooks.frozen import FrozenBook, freeze, thaw
from casinowar.store.house_events import HOUSE_EVENTS, HouseEvent
from casinowar.store.shoe_events import SHOE_EVENTS, ShoeEvent


class BookResolved(msgspec.Struct, frozen=True, tag_field="name", tag="book_resolved"):
    """The rules of the table from here on, every leaf resolved, and the digest of all that stands here.

    What the leaves do not tell by themselves is beside them: the operator's options, the bounds of the cutting card,
    the deck counts one may change to, and the notes of a house rulebook. A book without an `edition` was stored before
    there were any: it is of the first one, and its digest is over what stands there.
    """

    id: str
    title: str
    version: str
    extends: str | None
    origin: str
    options: dict[str, Any]
    leaves: dict[str, Any]
    marker_bounds: tuple[int, int]
    deck_choices: dict[int, tuple[str, ...]]
    notes: dict[str, Any]
    digest: str = ""
    edition: int | msgspec.UnsetType = msgspec.UNSET


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


def rules_of(book: BookResolved) -> Rulebook:
    """The rules as they were stored, whatever has become of the packaged books or of the house's file since."""
    if digest_of(book) != book.digest:
        raise BookChanged(f"the stored rules of {book.id} do not have the digest {book.digest}")
    fields = {field: getattr(book, field) for field in FrozenBook.__struct_fields__}
    known = {field: value for field, value in fields.items() if value is not msgspec.UNSET}
    return replace(thaw(msgspec.convert(known, FrozenBook)), origin=book.origin)


class PurseFunded(msgspec.Struct, frozen=True, tag_field="name", tag="purse_funded"):
    """Play money issued into a player's purse, from which chips are bought at any table."""

    player: str
    amount: int
    by: str
    reason: str


class PurseDrained(msgspec.Struct, frozen=True, tag_field="name", tag="purse_drained"):
    """Play money taken out of a purse and out of issue."""

    player: str
    amount: int
    by: str
    reason: str


class CashedOut(msgspec.Struct, frozen=True, tag_field="name", tag="cashed_out"):
    """Chips at this table turned back into the player's purse."""

    player: str
    amount: int


class TableStopped(msgspec.Struct, frozen=True, tag_field="name", tag="table_stopped"):
    """The accounts did not balance; nothing more is written to the table until staff have looked."""

    reason: str


class TableCleared(msgspec.Struct, frozen=True, tag_field="name", tag="table_cleared"):
    """Staff have looked into a stop and let the table go on."""

    by: str
    reason: str


Own = BookResolved | PurseFunded | PurseDrained | CashedOut | TableStopped | TableCleared | ShoeEvent | HouseEvent
Recorded = Event | Own
OWN = (
    BookResolved,
    PurseFunded,
    PurseDrained,
    CashedOut,
    TableStopped,
    TableCleared,
    *SHOE_EVENTS,
    *HOUSE_EVENTS,
)


def name_of(event: Recorded) -> str:
    """What the event is called in the log."""
    return str(type(event).__struct_config__.tag)


def stand(table: Table, event: Recorded) -> Table:
    """The table after a recorded event: the engine's fold, and chips that were carried away."""
    if isinstance(event, CashedOut):
        return carry_chips_away(table, event.player, event.amount)
    if isinstance(event, OWN):
        return table
    return evolve(table, event)


def cash_out(table: Table, player: str, amount: int) -> CashedOut | Refusal:
    """Chips that lie before the player and nowhere else can be carried away."""
    if player not in table.players:
        return Refusal("unknown_player")
    if amount <= 0:
        return Refusal("amount_not_positive")
    if amount > table.players[player]:
        return Refusal("insufficient_funds")
    return CashedOut(player, amount)
