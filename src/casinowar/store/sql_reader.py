"""What can be read of a store by SQL, in a dialect that SQLite and PostgreSQL share; `?` stands for a value."""

from collections.abc import Iterator
from threading import RLock
from typing import Any

from casinowar.merkle import Edge
from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.chains import OldChains, StreamHead, old_head
from casinowar.store.checkpoints import Checkpoint, load_checkpoint
from casinowar.store.snapshots import Snapshot, is_good
from casinowar.store.sqlite.connection import Value

CHAINS = 4
"""The migration since which each stream has its own chains."""

SNAPSHOTS = 5
"""The migration since which there are snapshots."""

SNAPSHOT = "stream, format, version, events_head, layout, body, digest"
HEAD = "stream, version, events_head, commands, commands_head"
STREAMS = """
WITH RECURSIVE found (stream) AS (
    SELECT min(stream) FROM events
    UNION ALL
    SELECT (SELECT min(stream) FROM events WHERE stream > found.stream) FROM found WHERE stream IS NOT NULL
)
SELECT stream FROM found WHERE stream IS NOT NULL
"""
LAST_LEAVES = f"""
WITH RECURSIVE found (name) AS (
    SELECT min(stream) FROM leaves
    UNION ALL
    SELECT (SELECT min(stream) FROM leaves WHERE stream > found.name) FROM found WHERE name IS NOT NULL
)
SELECT {HEAD} FROM found CROSS JOIN leaves WHERE number = (SELECT max(number) FROM leaves WHERE stream = found.name)
"""
LOWEST = -(2**63)
"""Behind this is everything, also rows that somebody has put before the first."""

BATCH = 250
"""Rows read at a time, so that a reader never holds a statement open over a commit."""


ALL = 2**62
"""More rows than there can be."""


class SqlReader:
    """The part of a store that reads: streams, answers, balances, and rows for the audit.

    `path` is what the store is called in messages. The kind of store brings the execution of statements.
    """

    identity: str
    _migrations: int
    _lock: RLock
    path: Any

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """Rows that can be relied on, with all that an open group has done."""
        raise NotImplementedError

    def _file_rows(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """Rows as the medium has them, but for what a group has in memory."""
        raise NotImplementedError

    def _only_row(self, columns: str, table: str) -> tuple[Value, ...]:
        rows = self._execute(f"SELECT {columns} FROM {table}")
        if len(rows) != 1:
            raise k.StoreFault(f"{self.path}: the table {table} has {len(rows)} rows, and not one")
        return rows[0]

    def _stored_head(self) -> k.Head:
        events = self._execute("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1")
        commands = self._execute("SELECT number, hash FROM commands ORDER BY number DESC LIMIT 1")
        event, command = (found[0] if found else (0, b"") for found in (events, commands))
        return k.Head(as_int(event[0]), as_bytes(event[1]), as_int(command[0]), as_bytes(command[1]))

    @w.locked
    def old_chains(self) -> OldChains:
        """Where the chains over the whole store end; in a store that was not brought up, that is its end."""
        if self._migrations < CHAINS:
            head = self._stored_head()
            return OldChains(head.events, head.events_head, head.commands, head.commands_head)
        row = self._only_row("events, events_head, commands, commands_head", "old_chains")
        return OldChains(as_int(row[0]), as_bytes(row[1]), as_int(row[2]), as_bytes(row[3]))

    @w.locked
    def stream_heads(self) -> list[tuple[StreamHead, int]]:
        if self._migrations < CHAINS:
            return []
        rows = self._execute(f"SELECT {HEAD}, covered FROM heads ORDER BY stream")
        return [(stream_head(row), as_int(row[5])) for row in rows]

    def _kept_head(self, stream: str) -> StreamHead | None:
        rows = self._execute(f"SELECT {HEAD} FROM heads WHERE stream = ?", (stream,))
        return stream_head(rows[0]) if rows else None

    @w.locked
    def last_leaves(self) -> dict[str, StreamHead]:
        if self._migrations < CHAINS:
            return {}
        found = map(stream_head, self._execute(LAST_LEAVES))
        return {leaf.stream: leaf for leaf in found}

    def _covered_before(self, stream: str, old: OldChains) -> tuple[int, int]:
        """How many events and commands of a stream its last leaf covers, or else the leaf of the old chains."""
        sql = "SELECT version, commands FROM leaves WHERE stream = ? ORDER BY number DESC LIMIT 1"
        for version, commands in self._execute(sql, (stream,)):
            return as_int(version), as_int(commands)
        sql = "SELECT coalesce(max(version), 0) FROM events WHERE stream = ? AND position <= ?"
        return (as_int(self._execute(sql, (stream, old.events))[0][0]) if old.events else 0), 0

    @w.locked
    def growth(self) -> k.Growth:
        rows = self._execute(f"SELECT {HEAD} FROM heads WHERE commands > covered ORDER BY stream")
        old, edge = self.old_chains(), self.tree()
        is_first = not edge.size and (old.events or old.commands)
        leaves = [*([old_head(old)] if is_first else []), *map(stream_head, rows)]
        before = [self._covered_before(one.stream, old) for one in leaves]
        return k.Growth(self._stored_head(), leaves, edge, before, self.last_checkpoint())

    @w.locked
    def leaves(self) -> list[StreamHead]:
        if self._migrations < CHAINS:
            return []
        return [stream_head(row) for row in self._execute(f"SELECT {HEAD} FROM leaves ORDER BY number")]

    @w.locked
    def tree(self) -> Edge:
        if self._migrations < CHAINS:
            return Edge()
        size, parts = self._only_row("size, parts", "tree")
        joined = as_bytes(parts)
        return Edge(as_int(size), tuple(joined[at : at + 32] for at in range(0, len(joined), 32)))

    def _held(self) -> int:
        """What all accounts hold together, each of them read."""
        return as_int(self._execute("SELECT CAST(coalesce(sum(balance), 0) AS BIGINT) FROM balances")[0][0])

    def _total(self) -> int:
        """The same as the database has kept it with every change."""
        return as_int(self._only_row("total", "trial_balance")[0])

    def _command(self, actor: str, command: str) -> k.CommandRow | None:
        sql = "SELECT number, actor, command, entry, hash FROM commands WHERE actor = ? AND command = ?"
        found = self._file_rows(sql, (actor, command))
        return _command_row(found[0]) if found else None

    def _entries(self, stream: str, after: int) -> list[bytes]:
        sql = "SELECT entry FROM events WHERE stream = ? AND version > ? ORDER BY version"
        return [as_bytes(row[0]) for row in self._execute(sql, (stream, after))]

    @w.locked
    def answer_to(self, actor: str, command: str, body: bytes) -> k.Answer | None:
        return w.find_answer(self._command(actor, command), body)

    def read(self, stream: str, after: int = 0) -> Iterator[k.Recalled]:
        sql = "SELECT version, entry FROM events WHERE stream = ? AND version > ? ORDER BY version LIMIT ?"
        return w.recall_all(stream, after, (as_bytes(row[1]) for row in self._batches(sql, stream, after=after)))

    @w.locked
    def version(self, stream: str) -> int:
        return as_int(self._execute("SELECT coalesce(max(version), 0) FROM events WHERE stream = ?", (stream,))[0][0])

    def _hash_at(self, stream: str, version: int) -> bytes | None:
        found = self._execute("SELECT hash FROM events WHERE stream = ? AND version = ?", (stream, version))
        return as_bytes(found[0][0]) if found else None

    def _good_snapshots(self, which: str, *values: Value) -> Iterator[Snapshot]:
        """The newest first; a store that was not brought up has none."""
        if self._migrations < SNAPSHOTS:
            return
        for row in self._execute(f"SELECT {SNAPSHOT} FROM snapshots WHERE {which}", values):
            found = _snapshot(row)
            if is_good(self.identity, found, self._hash_at(found.stream, found.version)):
                yield found

    @w.locked
    def snapshots(self, stream: str, format: str) -> list[Snapshot]:
        which = "stream = ? AND format = ? ORDER BY version DESC"
        return list(self._good_snapshots(which, stream, format))

    @w.locked
    def snapshot_rows(self, stream: str | None = None) -> list[Snapshot]:
        if self._migrations < SNAPSHOTS:
            return []
        sql = f"SELECT {SNAPSHOT} FROM snapshots WHERE CAST(?1 AS TEXT) IS NULL OR stream = ?1 ORDER BY stream, version"
        return [_snapshot(row) for row in self._execute(sql, (stream,))]

    @w.locked
    def seed(self, commitment: str) -> bytes | None:
        found = self._execute("SELECT seed FROM seeds WHERE commitment = ?", (commitment,))
        return as_bytes(found[0][0]) if found else None

    @w.locked
    def commitments(self) -> list[str]:
        return [str(row[0]) for row in self._execute("SELECT commitment FROM seeds ORDER BY commitment")]

    @w.locked
    def streams(self) -> list[str]:
        """Each stream is found by one step in the index, however many events it has."""
        return [str(row[0]) for row in self._execute(STREAMS)]

    @w.locked
    def balance(self, account: str) -> int:
        found = self._execute("SELECT balance FROM balances WHERE account = ?", (account,))
        return as_int(found[0][0]) if found else 0

    @w.locked
    def balances(self) -> dict[str, int]:
        return {str(row[0]): as_int(row[1]) for row in self._execute("SELECT account, balance FROM balances")}

    @w.locked
    def total(self) -> int:
        return self._total()

    @w.locked
    def statement(self, account: str) -> list[tuple[int, int]]:
        sql = "SELECT position, amount FROM postings WHERE account = ? ORDER BY position, line"
        return [(as_int(row[0]), as_int(row[1])) for row in self._execute(sql, (account,))]

    @w.locked
    def head(self) -> k.Head:
        return self._stored_head()

    def _batches(self, sql: str, *given: Value, after: Value) -> Iterator[tuple[Value, ...]]:
        """Rows in order of their first column, a whole number; between two batches the store is free for others."""
        while True:
            with self._lock:
                rows = self._execute(sql, (*given, after, BATCH))
            yield from rows
            if len(rows) < BATCH:
                return
            after = rows[-1][0]

    def event_rows(self, after: int | None = None) -> Iterator[k.EventRow]:
        columns = "position, stream, version, name, entry, hash"
        sql = f"SELECT {columns} FROM events WHERE position > ? ORDER BY position LIMIT ?"
        for row in self._batches(sql, after=LOWEST if after is None else after):
            yield k.EventRow(
                as_int(row[0]), str(row[1]), as_int(row[2]), str(row[3]), as_bytes(row[4]), as_bytes(row[5])
            )

    def command_rows(self, after: int | None = None) -> Iterator[k.CommandRow]:
        columns = "number, actor, command, entry, hash"
        sql = f"SELECT {columns} FROM commands WHERE number > ? ORDER BY number LIMIT ?"
        for row in self._batches(sql, after=LOWEST if after is None else after):
            yield _command_row(row)

    def posting_rows(self) -> Iterator[tuple[int, int, str, int]]:
        with self._lock:
            rows = self._execute("SELECT position, line, account, amount FROM postings ORDER BY position, line")
        for row in rows:
            yield as_int(row[0]), as_int(row[1]), str(row[2]), as_int(row[3])

    @w.locked
    def checkpoints(self, after: int = 0, most: int = -1) -> list[Checkpoint]:
        sql = "SELECT document FROM checkpoints WHERE number > ? ORDER BY number LIMIT ?"
        return [load_checkpoint(as_bytes(row[0])) for row in self._execute(sql, (after, ALL if most < 0 else most))]

    @w.locked
    def last_checkpoint(self) -> Checkpoint | None:
        rows = self._execute("SELECT document FROM checkpoints ORDER BY number DESC LIMIT 1")
        return load_checkpoint(as_bytes(rows[0][0])) if rows else None


def as_int(value: Value) -> int:
    assert isinstance(value, int)
    return value


def as_bytes(value: Value) -> bytes:
    assert isinstance(value, bytes)
    return value


def _snapshot(row: tuple[Value, ...]) -> Snapshot:
    blobs = (as_bytes(value) for value in row[3:])
    return Snapshot(str(row[0]), str(row[1]), as_int(row[2]), *blobs)


def stream_head(row: tuple[Value, ...]) -> StreamHead:
    return StreamHead(str(row[0]), as_int(row[1]), as_bytes(row[2]), as_int(row[3]), as_bytes(row[4]))


def _command_row(row: tuple[Value, ...]) -> k.CommandRow:
    return k.CommandRow(as_int(row[0]), str(row[1]), str(row[2]), as_bytes(row[3]), as_bytes(row[4]))
