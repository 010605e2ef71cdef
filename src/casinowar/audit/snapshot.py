"""A store opened for the audit: as it stood at one moment, beside a running server, whatever is wrong with it."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import starmap
from pathlib import Path
from typing import Any

from casinowar.audit.findings import Finding
from casinowar.audit.stream_log import Batch, Row
from casinowar.errors import CasinoWarError
from casinowar.store import SqliteStore, StoreError, StoreFailed, StoreFault
from casinowar.store.contract import EventRow
from casinowar.store.sqlite.connection import DAMAGE, MEDIUM, Value, check_integrity, connect, execute, is_at_rest
from casinowar.store.sqlite.migrate import check_applied
from casinowar.store.sqlite.reader import Reader, as_int

# isort: split
# The store says which extra is missing.
import apsw

HEADER = b"SQLite format 3\0"
BATCH = 2_000
"""Rows read at a time; a long stream is never held as a whole."""


class NoStore(CasinoWarError):
    """There is nothing to audit, or nothing that can be read."""


def read_batches(db: apsw.Connection, stream: str, upto: int) -> Iterator[Batch]:
    """The rows of a stream up to a position, a long stream in many batches."""
    events = (
        "SELECT position, stream, version, name, entry, hash FROM events"
        " WHERE stream = ? AND version > ? AND position <= ? ORDER BY version LIMIT ?"
    )
    postings = (
        "SELECT postings.position, line, account, amount"
        " FROM events CROSS JOIN postings ON postings.position = events.position"
        " WHERE stream = ? AND version > ? AND events.position <= ? AND version <= ? ORDER BY version, line"
    )
    after = 0
    while True:
        rows: list[Row] = list(db.execute(events, (stream, after, upto, BATCH)))
        if not rows:
            return
        last = rows[-1][2]
        yield rows, list(db.execute(postings, (stream, after, upto, last)))
        after = last


def _check_pages(path: Path) -> None:
    db = connect(path, for_reading=True)
    try:
        check_integrity(db)
    finally:
        db.close()


class EventReader(Reader):
    """A store read in another process than that of its `AuditedStore`, up to the same position."""

    def __init__(self, path: Path, upto: int) -> None:
        super().__init__(path)
        self._db, self._upto = connect(path, for_reading=True), upto
        execute(self._db, "BEGIN")
        self._migrations = check_applied(self._db)

    def batches(self, stream: str) -> Iterator[Batch]:
        return read_batches(self._db, stream, self._upto)

    def close(self) -> None:
        self._db.close()


class AuditedStore(SqliteStore):
    """One read transaction from the opening to the close: what is committed meanwhile is not seen.

    Other than a store to be played on, it opens with broken chains, so that the audit can say where they break. SQLite
    looks through the file in a thread of its own; without `is_awaited`, ask with `await_check` what it has found.
    """

    def __init__(self, path: Path, *, is_awaited: bool = True) -> None:
        pool = ThreadPoolExecutor(1)
        self._page_check = pool.submit(_check_pages, path)
        pool.shutdown(wait=False)
        try:
            super().__init__(path, for_reading=True)
            if is_awaited:
                self.await_check()
        except (apsw.SQLError, AssertionError, ValueError) as error:  # A table that the opening reads is gone or empty.
            self.await_check()
            raise StoreFault(f"{path} is damaged: {error}") from error
        except (StoreError, StoreFailed):
            self.await_check()
            raise

    def _check_file(self) -> None:
        """The thread does that."""

    def await_check(self) -> None:
        """Wait until SQLite has looked through the file, and raise the fault that it has found."""
        try:
            self._page_check.result()
        except StoreFault:
            self._close_all()
            raise
        except DAMAGE as error:
            self._close_all()
            raise StoreFault(f"{self.path} is damaged: {error}") from error
        except MEDIUM as error:
            raise self._fail(error) from error

    def _check_start(self) -> None:
        execute(self._db, "BEGIN")
        self._head = self._stored_head()

    def batches(self, stream: str) -> Iterator[Batch]:
        return read_batches(self._db, stream, self._head.events)

    def _lines(self, sql: str, *values: Value) -> Iterator[Any]:
        """The rows one by one: within its transaction a statement can stay open."""
        self._check_medium()
        return iter(self._db.execute(sql, values))

    def event_rows(self, after: int | None = None) -> Iterator[EventRow]:
        columns, where = "position, stream, version, name, entry, hash", "" if after is None else "WHERE position > ?"
        given = () if after is None else (after,)
        return starmap(EventRow, self._lines(f"SELECT {columns} FROM events {where} ORDER BY position", *given))

    def posting_rows(self) -> Iterator[tuple[int, int, str, int]]:
        return self._lines("SELECT position, line, account, amount FROM postings ORDER BY position, line")

    def sizes(self, before: int) -> Iterator[tuple[str, int, int]]:
        """How many events each stream has, and how many of them up to the position."""
        return self._lines("SELECT stream, count(*), sum(position <= ?) FROM events GROUP BY stream", before)

    def counts(self, names: Sequence[str], before: int) -> Iterator[tuple[str, str, int]]:
        """How many events of these names each stream has behind the position, where it has any of them at all."""
        known = ", ".join("?" * len(names))
        sql = f"SELECT stream, name, sum(position > ?) FROM events NOT INDEXED WHERE name IN ({known}) GROUP BY 1, 2"
        return self._lines(sql, before, *names)

    def posting_count(self) -> int:
        return as_int(self._execute("SELECT count(*) FROM postings NOT INDEXED")[0][0])

    def form_faults(self) -> list[str]:
        """Findings of the numbers of checkpoints, which stand beside the documents and in no chain."""
        faults = super().form_faults()
        for due, (number,) in enumerate(self._execute("SELECT number FROM checkpoints ORDER BY number"), start=1):
            if number != due:
                return [*faults, f"checkpoint {due}: is kept under the number {number!r}"]
        return faults


@contextmanager
def unwritten(place: Path | str) -> Iterator[None]:
    """Raise `NoStore` where a file that was read as one at rest has been written to meanwhile."""
    before = _rest_of(place)
    try:
        yield
    finally:
        if _rest_of(place) != before:
            raise NoStore(f"{place}: a server has begun to write to it: do this again")


def _rest_of(place: Path | str) -> tuple[int, ...] | None:
    """What changes where a file at rest is written to; None for what is not at rest."""
    if isinstance(place, str) or not place.exists() or not is_at_rest(place):
        return None
    at = place.stat()
    return at.st_ino, at.st_size, at.st_mtime_ns


def check_file(path: Path) -> None:
    """Raise `NoStore` for a file that is no store at all, or cannot be read; a store with faults is let through."""
    try:
        with path.open("rb") as file:
            is_sqlite = file.read(len(HEADER)) == HEADER
    except OSError as error:
        raise NoStore(f"{path}: {error.strerror or error}") from None
    if not is_sqlite:
        raise NoStore(f"{path}: not a SQLite database")
    try:
        connect(path, for_reading=True).close()
    except (apsw.ReadOnlyError, apsw.CantOpenError):
        advice = "make the folder writable, or copy the file, with its -wal if it has one, to one that is"
        raise NoStore(f"{path}: SQLite cannot read it in this folder: {advice}") from None
    except (apsw.Error, StoreError):
        pass  # The audit tells it.


def orphans(path: Path) -> list[Finding]:
    """Postings whose events are gone; a store to be played on would not open with them."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        sql = "SELECT DISTINCT position FROM postings WHERE position NOT IN (SELECT position FROM events) LIMIT 20"
        return [Finding(f"event {row[0]!r}", "is gone, and its postings are not") for row in execute(db, sql)]
    except apsw.Error:
        return []
    finally:
        db.close()
