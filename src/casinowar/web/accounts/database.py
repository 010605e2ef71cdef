"""The accounts in the PostgreSQL database of the log, for several servers at once."""

import hashlib
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from casinowar.store import StoreFailed, StoreFault, StoreInUse, ValueRefused
from casinowar.store.commit import wall_clock
from casinowar.store.postgres.connection import Connection, ConnectionLost, shown
from casinowar.store.postgres.medium import AGAIN_S, PAUSE_S
from casinowar.store.postgres.migrate import migrate
from casinowar.store.sqlite.connection import Value
from casinowar.web.accounts.file import LOOK_S, number
from casinowar.web.accounts.lockout import Failures
from casinowar.web.accounts.refusals import AccountsBusy

# isort: split
# The store says which extra is missing.
import asyncpg  # type: ignore[import-untyped]

WRITERS = 0x63617369_6E6F0003
"""The number of the lock of whoever writes: one at a time, as in the file."""

NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
"""Milliseconds UTC by the clock of the database."""

LOST = "the database was away for a moment, and nothing was changed: try again"
LOST_AT_END = "the database was away for a moment: look whether it was done, and try again"


class AccountsDatabase:
    """The accounts in a database, as `AccountsFile` has them in a file."""

    same_name = "lower(name) = lower(?)"
    digests = "SELECT decode(value, 'hex') FROM json_array_elements_text(CAST(? AS json))"

    def __init__(self, url: str) -> None:
        self.url, self.path = url, shown(url)
        self._lock = threading.RLock()
        self._is_begun = False
        self._looked_at = -LOOK_S
        self._changes: Value = None
        self._db = Connection(url)
        try:
            migrate(self._db, wall_clock())
        except BaseException:
            self._db.close()
            raise

    def execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """All rows of one statement, which is a transaction of its own outside of `transaction`."""
        with self._lock:
            if sql.startswith(("SELECT", "WITH")):
                return self._rows(sql, values)
            with self.transaction():
                self._looked_at = -LOOK_S
                return self._rows(sql, values)

    def _rows(self, sql: str, values: tuple[Value, ...]) -> list[tuple[Value, ...]]:
        """The rows. What only reads is done again where the connection was lost, and so is a transaction's begin."""
        try:
            while True:
                try:
                    return self._db.execute(sql, values)
                except ConnectionLost as error:
                    if self._is_begun:
                        raise AccountsBusy(LOST_AT_END if sql == "COMMIT" else LOST) from error
                    self._open_again(error)
                    if sql.startswith("WITH"):  # It may have written something, and may have done so for good.
                        raise AccountsBusy(LOST_AT_END) from error
        except asyncpg.IntegrityConstraintViolationError as error:
            raise StoreFault(f"{self.path}: {error}") from None
        except asyncpg.DataError:
            raise ValueRefused(f"{self.path}: a value that it cannot hold") from None
        except asyncpg.LockNotAvailableError:
            raise StoreInUse(f"{self.path}: another program has held it too long: try again") from None
        except asyncpg.PostgresError as error:
            raise StoreFailed(f"{self.path}: {error}") from None

    def _open_again(self, error: ConnectionLost) -> None:
        """Connect again for as long as the store of the log does: a database that was killed comes back meanwhile."""
        until = time.monotonic() + AGAIN_S
        while True:
            self._db.close(at_once=True)
            try:
                self._db = Connection(self.url)
                return
            except (ConnectionLost, StoreFault) as again:  # Also a standby, which is one for a while.
                error = ConnectionLost(str(again))
            if time.monotonic() > until:
                raise error
            time.sleep(PAUSE_S)

    def stamp(self) -> tuple[Value, int]:
        """What is another after each change, by this program at once, by another one within `LOOK_S`."""
        now = time.monotonic()
        with self._lock:
            if now - self._looked_at > LOOK_S:
                self._changes = self.execute("SELECT changes FROM account_changes")[0][0]
                self._looked_at = now
            return self._changes, 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction: all or nothing, by one writer at a time. One within another is part of it."""
        with self._lock:
            if self._is_begun:
                yield
                return
            self._begin()
            try:
                yield
                self._rows("COMMIT", ())
            except BaseException:
                self._roll_back()
                raise
            finally:
                self._is_begun = False
                self._looked_at = -LOOK_S

    def _begin(self) -> None:
        """Begin as the only writer. Where the connection is lost before anything was done, begin again."""
        while True:
            self._rows("BEGIN", ())
            self._is_begun = True
            try:
                self._rows("SELECT pg_advisory_xact_lock(?)", (WRITERS,))
                return
            except AccountsBusy:
                self._is_begun = False
            except BaseException:
                self._roll_back()
                self._is_begun = False
                raise

    def _roll_back(self) -> None:
        """Roll back. Where the connection is gone the database does so by itself."""
        try:
            if self._db.is_open:
                self._db.execute("ROLLBACK")
        except (ConnectionLost, asyncpg.PostgresError):
            self._db.close(at_once=True)

    def close(self) -> None:
        with self._lock:
            self._db.close()


class TicketsTable:
    """One-time tickets in the database, so that one that a server has given out is good at another.

    They end by the clock of the database: those of two servers may differ by more than a ticket lasts.
    """

    def __init__(self, database: AccountsDatabase, seconds: int = 30) -> None:
        self._database, self._lifetime = database, seconds * 1000

    def issue(self, name: str, login_key: str) -> str:
        """A ticket of 32 random bytes for the account and the login that asked for it. Those that are too old go."""
        ticket = secrets.token_urlsafe(32)
        row = (_digest(ticket), name, bytes.fromhex(login_key), self._lifetime)
        sql = f"INSERT INTO tickets VALUES (?, ?, ?, {NOW} + ?) RETURNING 1"
        self._database.execute(f"WITH gone AS (DELETE FROM tickets WHERE ends_at <= {NOW}) {sql}", row)
        return ticket

    def redeem(self, ticket: str) -> tuple[str, str] | None:
        """The name and the login's key, once."""
        gone = f"WITH gone AS (DELETE FROM tickets WHERE digest = ? RETURNING account, login, ends_at > {NOW})"
        for name, login, is_good in self._database.execute(f"{gone} SELECT * FROM gone", (_digest(ticket),)):
            if isinstance(login, bytes) and is_good:
                return str(name), login.hex()
        return None

    def withdraw(self, login_key: str) -> None:
        """Drop the tickets of a login that has ended."""
        gone = "WITH gone AS (DELETE FROM tickets WHERE login = ? RETURNING 1)"
        self._database.execute(f"{gone} SELECT count(*) FROM gone", (bytes.fromhex(login_key),))


def _digest(ticket: str) -> bytes:
    return hashlib.sha256(ticket.encode("utf-8", "replace")).digest()


class FailuresTable(Failures):
    """The moments at which each key has failed, in the database, so that other servers count on."""

    def __init__(self, database: AccountsDatabase, kind: str) -> None:
        self._database, self._kind = database, kind

    def __getitem__(self, key: str) -> tuple[int, ...]:
        rows = self._database.execute("SELECT moments FROM failures WHERE kind = ? AND tried = ?", (self._kind, key))
        if not rows:
            raise KeyError(key)
        return msgspec.json.decode(str(rows[0][0]), type=tuple[int, ...])

    def __setitem__(self, key: str, moments: tuple[int, ...]) -> None:
        sql = (
            "INSERT INTO failures VALUES (?, ?, ?, ?) "
            "ON CONFLICT (kind, tried) DO UPDATE SET moments = excluded.moments, last = excluded.last"
        )
        self._database.execute(sql, (self._kind, key, msgspec.json.encode(moments).decode(), moments[-1]))

    def __delitem__(self, key: str) -> None:
        self._database.execute("DELETE FROM failures WHERE kind = ? AND tried = ?", (self._kind, key))

    def keep_within(self, first: int, last: int) -> None:
        sql = "DELETE FROM failures WHERE kind = ? AND NOT last BETWEEN ? AND ?"
        self._database.execute(sql, (self._kind, first, last))

    def __iter__(self) -> Iterator[str]:
        sql = "SELECT tried FROM failures WHERE kind = ? ORDER BY last"
        return (str(row[0]) for row in self._database.execute(sql, (self._kind,)))

    def __len__(self) -> int:
        return number(self._database.execute("SELECT count(*) FROM failures WHERE kind = ?", (self._kind,))[0][0])
