"""The medium of a store in PostgreSQL: its connection, its transactions, and what is done where it is lost."""

import hashlib
import logging
import re
import secrets
import threading
import time

import asyncpg  # type: ignore[import-untyped]

from casinowar.store import contract as k
from casinowar.store.postgres.connection import Connection, ConnectionLost, shown
from casinowar.store.sqlite.connection import Value

log = logging.getLogger(__name__)
AGAIN_S = 20.0
"""So long a lost connection is tried again: a database that was killed recovers meanwhile."""

PAUSE_S = 0.05
ALONE = 0x63617369_6E6F0002
"""The number of the lock of a server that is the only one on its database."""

MEDIUM = re.compile(r"53100|58...|XX00[12]")
"""The codes of PostgreSQL for a disk that is full or fails, and for data that are damaged."""

COLUMNS = "is_free, answered, at_version, at_commands, at_fence, at_owner, accounts, held"
LOOK_UP = f"SELECT {COLUMNS} FROM look_up(?::bigint[], ?::text[], ?::boolean, ?, ?, ?)"


def lock_number(*names: str) -> int:
    """The number of the lock that stands for an id or a stream. Where two meet, one waits for nothing."""
    digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], signed=True)


class Medium:
    """A database behind one connection. After a failure that it cannot clear up it reads and writes nothing more.

    `owner` is the number of a lock that the connection holds as long as it lives: who gets it knows that the connection
    before it is over, and what it has written or not.
    """

    def __init__(self, url: str, *, for_reading: bool, is_alone: bool = False, is_shared: bool = False) -> None:
        self.url = url
        self.path = shown(url)
        self.owner = secrets.randbits(62)
        self._for_reading, self._is_alone, self._is_shared = for_reading, is_alone, is_shared
        self._lock = threading.RLock()
        self._failure: str | None = None
        self._is_together = False
        self._is_begun = False
        self._db = Connection(url, for_reading=for_reading)
        try:
            self._claim()
        except BaseException:
            self._db.close()
            raise

    @property
    def connection(self) -> int:
        """The number of the connection; after a loss there is another one."""
        return int(self._db.number)

    def _claim(self) -> None:
        if self._for_reading:
            return
        self._db.execute("SELECT pg_advisory_lock(?)", (self.owner,))
        if not self._is_admitted():
            raise k.StoreInUse(f"another server works on {self.path}, or a program that wants it alone: stop it first")

    def _is_admitted(self) -> bool:
        """Whether the lock could be had that lone servers and programs want for themselves, and other servers share."""
        kind = "" if self._is_alone else "_shared" if self._is_shared else None
        return kind is None or self._db.execute(f"SELECT pg_try_advisory_lock{kind}(?)", (ALONE,)) == [(True,)]

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """Rows that can be relied on, with all that an open group has done."""
        self._check_medium()
        while True:
            try:
                self._flush()
                return self._file_rows(sql, values)
            except ConnectionLost as error:
                self._reopen(error)

    def _file_rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Value, ...]]:
        """Rows of the database, but for what a group has in memory."""
        self._check_medium()
        try:
            return self._db.execute(sql, values)
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError, asyncpg.UndefinedFunctionError) as error:
            raise k.StoreFault(f"{self.path}: the schema is not that of a store: {error}") from error
        except asyncpg.InsufficientPrivilegeError as error:
            if not self._for_reading:
                raise
            raise k.StoreFailed(f"{self.path}: {error}: let the owner grant SELECT on all its tables") from None
        except asyncpg.PostgresError as error:
            if MEDIUM.match(error.sqlstate or ""):
                raise self._fail(error) from error
            raise

    def _flush(self) -> None:
        """Write what a group has in memory."""

    def _renew_group(self) -> None:
        """Go on with an open group after the connection has been opened again."""

    def _check_medium(self) -> None:
        if self._failure is not None:
            raise k.StoreFailed(self._failure)

    def _begin(self) -> None:
        """Begin a transaction, if none is open."""
        if not self._is_begun:
            self._db.execute("BEGIN")
            self._is_begun = True

    def _roll_back(self) -> None:
        if self._is_begun:
            self._is_begun = False
            try:
                self._db.execute("ROLLBACK")
            except (ConnectionLost, asyncpg.PostgresError):
                self._db.close(at_once=True)  # The database rolls back what its connection leaves open.

    def _reopen(self, error: ConnectionLost) -> None:
        """Open the lost connection again and go on with the group; the store has failed if that is not possible."""
        while True:
            self._connect_again(error)
            try:
                self._renew_group()
                return
            except ConnectionLost as again:
                error = again

    def _connect_again(self, error: Exception) -> None:
        """Connect, and wait for the end of the connection before: only then is it certain what that has written.

        A database that is a standby for the moment, or has a wrong setting, is tried again like one that is away.
        """
        begun = time.monotonic()
        until = begun + AGAIN_S
        log.warning("the connection to the database is lost", extra={"error": str(error)})
        self._is_begun = False
        before = self._db.number
        while True:
            try:
                self._db.close(at_once=True)
                self._db = Connection(self.url, for_reading=self._for_reading)
                if not self._for_reading:
                    self._end_former(before, until)
                    self._claim_again(until)
                away = round(time.monotonic() - begun, 3)
                log.warning("the database is there again", extra={"seconds": away})
                return
            except (ConnectionLost, k.StoreFault) as again:
                error = again
            if time.monotonic() > until:
                raise self._fail(error)
            time.sleep(PAUSE_S)

    def _end_former(self, number: int, until: float) -> None:
        """Get the lock that the connection before has held: then it is over."""
        while self._db.execute("SELECT pg_try_advisory_lock(?)", (self.owner,)) != [(True,)]:
            holds = "pid = ? AND locktype = 'advisory' AND granted AND (classid::bigint << 32) + objid::bigint = ?"
            ours = f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE {holds}"
            self._db.execute(ours, (number, self.owner))
            if time.monotonic() > until:
                raise self._fail(k.StoreInUse(f"{self.path}: the connection before is still there"))
            time.sleep(PAUSE_S)

    def _claim_again(self, until: float) -> None:
        """Be admitted again; the connection before lets go of its locks one after the other."""
        while not self._is_admitted():
            if time.monotonic() > until:
                raise self._fail(k.StoreInUse(f"another server works on {self.path} now"))
            time.sleep(PAUSE_S)

    def _part(self) -> None:
        """Let other threads in again after a group, however it ended."""
        if self._is_together:
            self._is_together = False
            self._lock.release()

    def _fail(self, error: Exception) -> k.StoreFailed:
        told = str(error)
        self._failure = told if told.startswith(self.path) else f"{self.path}: {type(error).__name__}: {told}"
        if not self._for_reading:
            log.critical("the store failed", extra={"error": self._failure})
        self._is_begun = False
        self._db.close(at_once=True)
        self._part()
        return k.StoreFailed(self._failure)
