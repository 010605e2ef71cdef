"""The store in a SQLite file: one writer, one transaction for all that a command did, on the disk before the answer."""

import logging
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.checkpoints import Checkpoint, dump_checkpoint, load_checkpoint
from casinowar.store.events import Recorded, TableCleared, TableStopped
from casinowar.store.ledger import Layout
from casinowar.store.sqlite.connection import (
    DAMAGE,
    LOG_PAGES,
    MEDIUM,
    Value,
    check_integrity,
    claim,
    connect,
    count_log,
    execute,
    harden,
    leave_log,
)
from casinowar.store.sqlite.migrate import check_applied, find_schema_faults, migrate

log = logging.getLogger(__name__)
BATCH = 250
"""Rows read at a time, so that a reader never holds a statement open over a commit."""


class SqliteStore:
    """A store in a file. `for_reading` opens it beside the writer, for an audit or a report."""

    def __init__(
        self,
        path: Path | str,
        clock: w.Clock = w.wall_clock,
        *,
        for_reading: bool = False,
        vfs: str | None = None,
    ) -> None:
        self.path = Path(path)
        self.now = clock
        self._lock = threading.RLock()
        self._layouts: dict[str, tuple[int, Layout]] = {}
        self._failure: str | None = None
        self._log_pages = LOG_PAGES
        self._claim = None if for_reading else claim(self.path)
        try:
            self._db = connect(self.path, for_reading=for_reading, vfs=vfs)
            self._logged = count_log(self._db)
            check_integrity(self._db)
            if not for_reading:
                harden(self._db)
                migrate(self._db, clock())
            elif not check_applied(self._db):
                raise k.StoreFault(f"{self.path} holds no store")
            self.identity = self._identity()
            self._head = self._stored_head()
            self._check_start()
        except DAMAGE as error:
            self._close_all()
            raise k.StoreFault(f"{self.path} is damaged: {error}") from error
        except MEDIUM as error:
            failure = self._fail(error)
            self._close_all()
            raise failure from error
        except BaseException:
            self._close_all()
            raise

    def _identity(self) -> str:
        found = self._execute("SELECT identity FROM identity")
        if not found:
            self._execute("INSERT INTO identity VALUES (1, ?)", (secrets.token_hex(16),))
            found = self._execute("SELECT identity FROM identity")
        return str(found[0][0])

    def _stored_head(self) -> k.Head:
        events = self._execute("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1")
        commands = self._execute("SELECT number, hash FROM commands ORDER BY number DESC LIMIT 1")
        event = events[0] if events else (0, w.chain_start(w.EVENT, self.identity))
        command = commands[0] if commands else (0, w.chain_start(w.COMMAND, self.identity))
        return k.Head(_int(event[0]), _bytes(event[1]), _int(command[0]), _bytes(command[1]))

    def _check_start(self) -> None:
        """Both chains hold, the accounts sum to zero, and the schema is ours; the audit looks at everything else."""
        events = ((row.position, row.entry, row.hash) for row in self.event_rows())
        commands = ((row.number, row.entry, row.hash) for row in self.command_rows())
        for kind, rows in ((w.EVENT, events), (w.COMMAND, commands)):
            previous = w.chain_start(kind, self.identity)
            for number, (at, entry, hashed) in enumerate(rows, start=1):
                previous = w.chain_link(kind, previous, entry)
                if (at, hashed) != (number, previous):
                    raise k.StoreFault(f"{self.path}: the chain of {kind.split(b'/')[2].decode()}s breaks at {number}")
        held = self._held()
        if held:
            raise k.StoreFault(f"{self.path}: all accounts together hold {held}, not 0")
        faults = self.form_faults()
        if faults:
            raise k.StoreFault(f"{self.path}: {faults[0]}")

    def _held(self) -> int:
        """What all accounts hold together, each of them read."""
        return _int(self._execute("SELECT coalesce(sum(balance), 0) FROM balances")[0][0])

    def _total(self) -> int:
        """The same as the database has kept it with every change."""
        return _int(self._execute("SELECT total FROM trial_balance")[0][0])

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """Rows that can be relied on: once the medium has failed, nobody knows what is really there."""
        self._check_medium()
        try:
            return execute(self._db, sql, values)
        except (*MEDIUM, *DAMAGE) as error:
            raise self._fail(error) from error

    def _check_medium(self) -> None:
        if self._failure is not None:
            raise k.StoreFailed(self._failure)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing. After an error of the medium nothing more is written through this store."""
        self._check_medium()
        try:
            execute(self._db, "BEGIN IMMEDIATE")
        except apsw.BusyError:
            raise k.StoreInUse(f"{self.path} is locked") from None
        except apsw.Error as error:
            raise self._fail(error) from error
        try:
            yield
            self._seal()
        except apsw.ConstraintError as error:
            self._roll_back()
            raise k.StoreFault(str(error)) from error
        except apsw.Error as error:
            self._roll_back()
            raise self._fail(error) from error
        except BaseException:
            self._roll_back()
            raise

    def _seal(self) -> None:
        execute(self._db, "COMMIT")
        if self._logged[0] >= self._log_pages:
            self._copy_log(apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _copy_log(self, mode: int) -> None:
        """Bring the log into the file. A reader in the way is no fault: the log keeps everything until later."""
        with suppress(apsw.BusyError):
            self._db.wal_checkpoint(mode=mode)

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:
                execute(self._db, "ROLLBACK")
        except apsw.Error as error:
            self._fail(error)

    def _fail(self, error: apsw.Error) -> k.StoreFailed:
        self._failure = f"{self.path}: {type(error).__name__}: {error}"
        log.critical("store failed: %s", self._failure)
        if hasattr(self, "_db"):
            leave_log(self._db)
        return k.StoreFailed(self._failure)

    @w.locked
    def commit(self, proposal: k.Proposal) -> k.Answer:
        try:
            with self._transaction():
                rows = self._commit(proposal)
                if isinstance(rows, k.Answer):
                    return rows
        except k.Imbalance as error:
            log.critical("table stopped: %s", error)
            self._mark(proposal.stream, TableStopped(str(error)))
            raise
        self._keep_written(rows)
        return rows.record.to_answer(is_repeated=False)

    def _commit(self, proposal: k.Proposal) -> w.Rows | k.Answer:
        stored = w.find_answer(self._command(proposal.actor, proposal.command), proposal.body)
        if stored is not None:
            return stored
        version, layout = self._layout(proposal.stream)
        w.check(proposal, version, layout)
        rows = w.prepare(proposal, self._head, layout, self.now())
        self._write(rows)
        held = {account: self._balance(account) for account in w.accounts_to_check(proposal, rows)}
        w.check_accounts(proposal, rows.deltas, held, self._total())
        return rows

    def _write(self, rows: w.Rows) -> None:
        db = self._db
        events = [(row.position, row.stream, row.version, row.name, row.entry, row.hash) for row in rows.events]
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", events).fetchall()
        db.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", rows.postings).fetchall()
        for account, amount in sorted(rows.deltas.items()):
            self._move(account, amount)
        for commitment, seed in rows.seeds:
            execute(db, "INSERT INTO seeds VALUES (?, ?)", (commitment, seed))
        one = rows.command
        execute(
            db, "INSERT INTO commands VALUES (?, ?, ?, ?, ?)", (one.number, one.actor, one.command, one.entry, one.hash)
        )

    def _move(self, account: str, amount: int) -> None:
        """The database itself refuses a balance below zero."""
        try:
            execute(self._db, "UPDATE balances SET balance = balance + ? WHERE account = ?", (amount, account))
            if not self._db.changes():
                execute(self._db, "INSERT INTO balances VALUES (?, ?)", (account, amount))
        except apsw.ConstraintError:
            raise k.Overdrawn(f"{account} would stand at {self._balance(account) + amount}") from None

    def _keep_written(self, rows: w.Rows) -> None:
        events = rows.events
        self._head = k.Head(
            rows.record.last,
            events[-1].hash if events else self._head.events_head,
            rows.record.number,
            rows.command.hash,
        )
        self._layouts[rows.record.stream] = (rows.record.version, rows.layout)

    @w.locked
    def _mark(self, stream: str, event: Recorded) -> None:
        with self._transaction():
            version, layout = self._layout(stream)
            proposal = w.stop(stream, version, self._head.commands + 1, event)
            rows = w.prepare(proposal, self._head, layout, self.now())
            self._write(rows)
        self._keep_written(rows)

    def _command(self, actor: str, command: str) -> k.CommandRow | None:
        sql = "SELECT number, actor, command, entry, hash FROM commands WHERE actor = ? AND command = ?"
        found = self._execute(sql, (actor, command))
        return _command_row(found[0]) if found else None

    def _layout(self, stream: str) -> tuple[int, Layout]:
        """The stream's version and the ledger's layout there, read on from where it is known."""
        version, layout = self._layouts.get(stream, (0, Layout(stream)))
        entries = self._entries(stream, version)
        if entries:
            version, layout = version + len(entries), w.catch_up(layout, entries)
            self._layouts[stream] = (version, layout)
        return version, layout

    def _entries(self, stream: str, after: int) -> list[bytes]:
        sql = "SELECT entry FROM events WHERE stream = ? AND version > ? ORDER BY version"
        return [_bytes(row[0]) for row in self._execute(sql, (stream, after))]

    def _balance(self, account: str) -> int:
        found = self._execute("SELECT balance FROM balances WHERE account = ?", (account,))
        return _int(found[0][0]) if found else 0

    @w.locked
    def answer_to(self, actor: str, command: str, body: bytes) -> k.Answer | None:
        return w.find_answer(self._command(actor, command), body)

    def read(self, stream: str, after: int = 0) -> Iterator[k.Recalled]:
        sql = "SELECT version, entry FROM events WHERE stream = ? AND version > ? ORDER BY version LIMIT ?"
        return w.recall_all(stream, after, (_bytes(row[1]) for row in self._batches(sql, stream, after=after)))

    @w.locked
    def version(self, stream: str) -> int:
        return _int(self._execute("SELECT coalesce(max(version), 0) FROM events WHERE stream = ?", (stream,))[0][0])

    @w.locked
    def stopped(self, stream: str) -> str | None:
        return self._layout(stream)[1].stopped

    def clear(self, stream: str, by: str, reason: str) -> None:
        self._mark(stream, TableCleared(by, reason))

    @w.locked
    def seed(self, commitment: str) -> bytes | None:
        found = self._execute("SELECT seed FROM seeds WHERE commitment = ?", (commitment,))
        return _bytes(found[0][0]) if found else None

    @w.locked
    def commitments(self) -> list[str]:
        return [str(row[0]) for row in self._execute("SELECT commitment FROM seeds ORDER BY commitment")]

    @w.locked
    def streams(self) -> list[str]:
        return [str(row[0]) for row in self._execute("SELECT DISTINCT stream FROM events ORDER BY stream")]

    @w.locked
    def balance(self, account: str) -> int:
        return self._balance(account)

    @w.locked
    def balances(self) -> dict[str, int]:
        return {str(row[0]): _int(row[1]) for row in self._execute("SELECT account, balance FROM balances")}

    @w.locked
    def total(self) -> int:
        return self._total()

    def statement(self, account: str) -> list[tuple[int, int]]:
        sql = "SELECT position, amount FROM postings WHERE account = ? ORDER BY position, line"
        with self._lock:
            return [(_int(row[0]), _int(row[1])) for row in self._execute(sql, (account,))]

    @w.locked
    def head(self) -> k.Head:
        return self._stored_head()

    def _batches(self, sql: str, *given: Value, after: Value = -(2**63)) -> Iterator[tuple[Value, ...]]:
        """Rows in order of their first column, a whole number; between two batches the store is free for others."""
        while True:
            with self._lock:
                rows = self._execute(sql, (*given, after, BATCH))
            yield from rows
            if len(rows) < BATCH:
                return
            after = rows[-1][0]

    def event_rows(self) -> Iterator[k.EventRow]:
        columns = "position, stream, version, name, entry, hash"
        for row in self._batches(f"SELECT {columns} FROM events WHERE position > ? ORDER BY position LIMIT ?"):
            yield k.EventRow(_int(row[0]), str(row[1]), _int(row[2]), str(row[3]), _bytes(row[4]), _bytes(row[5]))

    def command_rows(self) -> Iterator[k.CommandRow]:
        columns = "number, actor, command, entry, hash"
        for row in self._batches(f"SELECT {columns} FROM commands WHERE number > ? ORDER BY number LIMIT ?"):
            yield _command_row(row)

    def posting_rows(self) -> Iterator[tuple[int, int, str, int]]:
        with self._lock:
            rows = self._execute("SELECT position, line, account, amount FROM postings ORDER BY position, line")
        for row in rows:
            yield _int(row[0]), _int(row[1]), str(row[2]), _int(row[3])

    def checkpoints(self, after: int = 0, most: int = -1) -> list[Checkpoint]:
        sql = "SELECT document FROM checkpoints WHERE number > ? ORDER BY number LIMIT ?"
        with self._lock:
            rows = self._execute(sql, (after, most))
        return [load_checkpoint(_bytes(row[0])) for row in rows]

    def last_checkpoint(self) -> Checkpoint | None:
        with self._lock:
            rows = self._execute("SELECT document FROM checkpoints ORDER BY number DESC LIMIT 1")
        return load_checkpoint(_bytes(rows[0][0])) if rows else None

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        with self._lock, self._transaction():
            due = _int(self._execute("SELECT coalesce(max(number), 0) + 1 FROM checkpoints")[0][0])
            if checkpoint.number != due:
                raise k.VersionConflict(f"checkpoint {checkpoint.number} is not the next one")
            self._execute("INSERT INTO checkpoints VALUES (?, ?)", (checkpoint.number, dump_checkpoint(checkpoint)))

    @w.locked
    def form_faults(self) -> list[str]:
        """The schema, and the running total against the sum of all accounts."""
        faults = find_schema_faults(self._db)
        if not faults and self._total() != self._held():
            faults.append(f"the trial balance is kept as {self._total()}, and the accounts sum to {self._held()}")
        return faults

    @w.locked
    def close(self) -> None:
        """Bring the write-ahead log into the file and let go of it."""
        try:
            if self._claim is not None and self._failure is None:
                self._copy_log(apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.Error as error:
            raise self._fail(error) from error
        finally:
            self._close_all()

    def _close_all(self) -> None:
        self._failure = self._failure or f"{self.path} is closed"
        if hasattr(self, "_db"):
            self._db.close()
        if self._claim is not None:
            self._claim.close()


def _int(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _bytes(value: Value) -> bytes:
    assert isinstance(value, bytes)
    return value


def _command_row(row: tuple[Value, ...]) -> k.CommandRow:
    return k.CommandRow(_int(row[0]), str(row[1]), str(row[2]), _bytes(row[3]), _bytes(row[4]))
