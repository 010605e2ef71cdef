"""A store opened for the audit: as it stood at one moment, beside a running server, whatever is wrong with it."""

from collections import Counter
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path
from typing import Any, get_args

import msgspec

from casinowar.audit.findings import Finding
from casinowar.engine import Event
from casinowar.errors import CasinoWarError
from casinowar.store import OWN, Recalled, SqliteStore, StoreFault
from casinowar.store.commit import recall_all
from casinowar.store.contract import EventRow
from casinowar.store.envelope import FORMAT, VERSIONS
from casinowar.store.sqlite.connection import Value, connect, execute
from casinowar.store.sqlite.migrate import check_applied
from casinowar.store.sqlite.reader import Reader

# isort: split
# The store says which extra is missing.
import apsw

HEADER = b"SQLite format 3\0"
BATCH = 2_000
"""Rows read at a time; a long stream is never held as a whole."""


class NoStore(CasinoWarError):
    """There is nothing to audit."""


class StoredEvent(Recalled, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An envelope of the present format with its event, read in one go."""

    format: int
    name: str
    event_version: int

    @property
    def written(self) -> tuple[int, str, int]:
        return self.format, self.name, self.event_version


PRESENT = {
    kind: (FORMAT, str(kind.__struct_config__.tag), VERSIONS.get(str(kind.__struct_config__.tag), 1))
    for kind in (*get_args(Event), *OWN)
}
"""How each event is written now."""

_stored = msgspec.json.Decoder(StoredEvent)


def read_events(db: apsw.Connection, stream: str, after: int, upto: int) -> Iterator[Recalled]:
    """The events of a stream behind a version, up to a position; what a store's `read` gives, in less time.

    An event of an older form, or one at which `read` raises an error, is read in the same way as there.
    """
    sql = "SELECT entry FROM events WHERE stream = ? AND version > ? AND position <= ? ORDER BY version LIMIT ?"
    decode = _stored.decode
    while True:
        rows = execute(db, sql, (stream, after, upto, BATCH))
        for (entry,) in rows:
            assert isinstance(entry, bytes)
            after += 1
            one: StoredEvent | None
            try:
                one = decode(entry)
            except msgspec.MsgspecError:
                one = None
            if one is None or one.stream != stream or one.version != after or one.written != PRESENT[type(one.event)]:
                yield from recall_all(stream, after - 1, [entry])
            else:
                yield one
        if len(rows) < BATCH:
            return


class EventReader(Reader):
    """What a store holds, read in another process than that of its `AuditedStore`, up to the same position."""

    def __init__(self, path: Path, upto: int) -> None:
        super().__init__(path)
        self._db, self._upto = connect(path, for_reading=True), upto
        execute(self._db, "BEGIN")
        self._migrations = check_applied(self._db)
        self.identity = str(self._only_row("identity", "identity")[0])

    def read(self, stream: str, after: int = 0) -> Iterator[Recalled]:
        return read_events(self._db, stream, after, self._upto)

    def close(self) -> None:
        self._db.close()


class AuditedStore(SqliteStore):
    """One read transaction from the opening to the close: what is committed meanwhile is not seen.

    Other than a store to be played on, it opens with broken chains, so that the audit can say where they break.
    """

    def __init__(self, path: Path) -> None:
        try:
            super().__init__(path, for_reading=True)
        except (apsw.SQLError, AssertionError, ValueError) as error:  # A table that the opening reads is gone or empty.
            raise StoreFault(f"{path} is damaged: {error}") from error

    def _check_start(self) -> None:
        execute(self._db, "BEGIN")
        self._head = self._stored_head()

    def read(self, stream: str, after: int = 0) -> Iterator[Recalled]:
        return read_events(self._db, stream, after, self._head.events)

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

    def names(self, before: int | None) -> Counter[tuple[str, str, bool]]:
        """How many events there are of each stream and name, up to the position and behind it."""
        sql = "SELECT stream, name, position <= ?, count(*) FROM events GROUP BY 1, 2, 3"
        return Counter({(stream, name, bool(is_so)): count for stream, name, is_so, count in self._lines(sql, before)})

    def form_faults(self) -> list[str]:
        """Findings of the numbers of checkpoints, which stand beside the documents and in no chain."""
        faults = super().form_faults()
        for due, (number,) in enumerate(self._execute("SELECT number FROM checkpoints ORDER BY number"), start=1):
            if number != due:
                return [*faults, f"checkpoint {due}: is kept under the number {number!r}"]
        return faults


def check_file(path: Path) -> None:
    """Raise `NoStore` for a file that is no store at all; a store with faults is let through."""
    try:
        with path.open("rb") as file:
            is_sqlite = file.read(len(HEADER)) == HEADER
    except OSError as error:
        raise NoStore(f"{path}: {error.strerror or error}") from None
    if not is_sqlite:
        raise NoStore(f"{path}: not a SQLite database")


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
