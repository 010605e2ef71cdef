"""Snapshots of the house: its journal, the limits of its players and the tables that are open, at a place in the log.

With those of the tables they let a start read only what came after them. Each is written as the log grows, so that
what a start reads is as long for a long night as for a short one.
"""

import logging
from collections.abc import Callable, Iterable, Iterator

import msgspec

from casinowar.house.journal import STREAM, Journal, KeptJournal
from casinowar.house.player_limits import KeptLimits, PlayerLimits
from casinowar.house.table.table import LiveTable
from casinowar.house.table.table_snapshots import save_table
from casinowar.store import Recalled, Store, StoreError, StoreFailed, TableListed
from casinowar.store.commit import recall
from casinowar.store.contract import EventRow
from casinowar.store.snapshots import Snapshot

log = logging.getLogger(__name__)
FORMAT = "house/1"
"""The form of the body. A change of what is in it, or of what the events come to, takes another number."""

PAGES = "openings/1."
TABLE_EVERY = 250
"""After so many events a table has another snapshot."""

HOUSE_EVERY = 2_000
"""After so many events of the whole log the house has another, and one more for each player who is counted."""

LAST_AFTER = 20
"""Behind so many events a table has another snapshot when the house closes."""


class HouseBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house knows after the event at a position of the log, which has this hash.

    `open` are the streams of tables that a start takes up, beside those of the settings.
    """

    position: int
    hash: bytes
    journal: KeptJournal
    limits: KeptLimits
    open: tuple[str, ...]


_body = msgspec.msgpack.Decoder(HouseBody)
_page = msgspec.msgpack.Decoder(tuple[TableListed, ...])


def page_format(number: int) -> str:
    return f"{PAGES}{number}"


def read_body(snapshot: Snapshot) -> HouseBody | None:
    """The body of a snapshot; none where it cannot be read."""
    try:
        return _body.decode(snapshot.body)
    except (msgspec.DecodeError, RecursionError):
        return None


def read_page(snapshot: Snapshot) -> tuple[TableListed, ...] | None:
    """The openings in a page; none where it cannot be read."""
    try:
        return _page.decode(snapshot.body)
    except (msgspec.DecodeError, RecursionError):
        return None


def is_over(live: LiveTable) -> bool:
    """Whether a table is closed, with no chips and no shoe left there: nobody need keep it in mind."""
    return live.table.is_closed and not any(live.table.players.values()) and live.keeper.shoe is None


def read_house(store: Store, journal: Journal, restraint: PlayerLimits) -> set[str] | None:
    """Read the journal and the limits from the newest snapshot that is good and from what follows, or from all events.

    Give the streams of the tables that may be open; none where no snapshot says so.
    """
    for snapshot in store.snapshots(STREAM, FORMAT):
        body = read_body(snapshot)
        paged = None if body is None else _paged(store, body.journal.pages)
        rows = iter(()) if body is None else store.event_rows(body.position - 1)
        first = next(rows, None)
        if body is None or paged is None or first is None or (first.position, first.hash) != (body.position, body.hash):
            log.warning("a snapshot of the house is not used", extra={"version": snapshot.version})
            continue
        journal.resume(snapshot.version, body.journal, paged)
        restraint.resume(body.limits)
        restraint.read_to = body.position
        _note_all(restraint, rows)
        return {*body.open, *(one.event.stream for one in journal.read_on() if isinstance(one.event, TableListed))}
    _note_all(restraint, store.event_rows())
    for _ in journal.read_on():
        pass
    return None


def _paged(store: Store, pages: int) -> list[TableListed] | None:
    found: list[TableListed] = []
    for number in range(1, pages + 1):
        there = store.snapshots(STREAM, page_format(number))
        page = read_page(there[0]) if there else None
        if page is None:
            return None
        found += page
    return found


def _note_all(restraint: PlayerLimits, rows: Iterator[EventRow]) -> None:
    for row in rows:
        restraint.note(recall(row))
        restraint.read_to = row.position


class Snapshots:
    """The snapshots of a running house: they are written in the groups in which it writes anyway.

    Where other servers decide tables too, `follow` reads what they have written up to a position, and `open_streams`
    gives all tables that are open.
    """

    follow: Callable[[int], None] | None = None
    open_streams: Callable[[], Iterable[str]] | None = None

    def __init__(self, store: Store, journal: Journal, restraint: PlayerLimits) -> None:
        self._store, self._journal, self._restraint = store, journal, restraint
        self._written = self._saved = 0

    def note(self, recalled: list[Recalled]) -> None:
        """Note what has been committed."""
        if recalled:
            self._written = recalled[-1].position

    def are_due(self, live: LiveTable) -> bool:
        """Whether a table where something has happened, or the house, is due for a snapshot."""
        return live.version - live.saved >= TABLE_EVERY or self._is_house_due()

    def _is_house_due(self) -> bool:
        """The more players have been counted, the more it costs, and the more seldom it is written."""
        return self._written - self._saved >= HOUSE_EVERY + self._restraint.players

    def save_due(self, live: LiveTable, tables: Iterable[LiveTable]) -> None:
        """Write those that are due, within a group of the store."""
        if live.version - live.saved >= TABLE_EVERY:
            self._save_table(live)
        if self._is_house_due():
            self._save_house(tables)

    def save_last(self, tables: Iterable[LiveTable]) -> None:
        """Write what is worth it when the house closes, all together; without them a start reads more."""
        tables = list(tables)
        try:
            self._store.begin_together()
        except StoreError as error:
            log.warning("no snapshots are written", extra={"error": str(error)})
            return
        try:
            for live in tables:
                if live.version - live.saved >= LAST_AFTER:
                    self._save_table(live)
            self._save_house(tables)
        finally:
            self._store.finish_together()

    def _save_table(self, live: LiveTable) -> None:
        """Write a table's snapshot. One that fails stops nobody's play: a start then reads more."""
        try:
            save_table(live, self._store)
        except StoreFailed:
            raise
        except Exception:
            log.exception("no snapshot of a table", extra={"table": live.stream, "version": live.version})

    def save_given(self, tables: Iterable[LiveTable]) -> None:
        """Write those of tables that another server will take up, all together."""
        self._store.begin_together()
        try:
            for live in tables:
                if live.version - live.saved >= LAST_AFTER:
                    self._save_table(live)
        finally:
            self._store.finish_together()

    def _save_house(self, tables: Iterable[LiveTable]) -> None:
        try:
            self._write_house(tables)
        except StoreFailed:
            raise
        except StoreError as error:  # Another server has written to the house's stream meanwhile.
            log.warning("no snapshot of the house", extra={"error": str(error)})
        except Exception:
            log.exception("no snapshot of the house")

    def _write_house(self, tables: Iterable[LiveTable]) -> None:
        store, journal, head = self._store, self._journal, self._store.head()
        self._saved = self._written = head.events
        if self.follow is not None:
            self.follow(head.events)
        while (page := journal.full_page(journal.pages + 1)) is not None:
            store.save_snapshot(STREAM, journal.version, page_format(journal.pages + 1), msgspec.msgpack.encode(page))
            journal.pages += 1
        body = HouseBody(
            position=head.events,
            hash=head.events_head,
            journal=journal.keep(journal.pages),
            limits=self._restraint.keep(),
            open=tuple(self.open_streams() if self.open_streams else _open_streams(tables)),
        )
        store.save_snapshot(STREAM, journal.version, FORMAT, msgspec.msgpack.encode(body), position=head.events)


def _open_streams(tables: Iterable[LiveTable]) -> Iterator[str]:
    return (live.stream for live in tables if not is_over(live))
