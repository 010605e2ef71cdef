"""The medium of a store: its one connection, its transactions, and its end once the disk has failed."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from casinowar.store import commit as w
from casinowar.store import contract as k
from casinowar.store.sqlite.connection import DAMAGE, LOG_PAGES, MEDIUM, Value, execute, leave_log

log = logging.getLogger(__name__)


class Medium:
    """A file behind one connection. After an error of the medium it reads and writes nothing more."""

    _db: apsw.Connection
    _logged: list[int]
    _claim: apsw.Connection | None = None
    """The lock of the one writer; whoever only reads has none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._failure: str | None = None
        self._log_pages = LOG_PAGES
        self._is_together = False

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """Rows that can be relied on, with all that an open group has done."""
        self._check_medium()
        self._flush()
        return self._file_rows(sql, values)

    def _file_rows(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """Rows of the file, but for what a group has in memory. Once the medium has failed, nobody knows what is
        there."""
        self._check_medium()
        try:
            return execute(self._db, sql, values)
        except (*MEDIUM, *DAMAGE) as error:
            raise self._fail(error) from error
        except apsw.SQLError as error:
            raise k.StoreFault(f"{self.path}: the schema is not that of a store: {error}") from error

    def _flush(self) -> None:
        """Write what a group has in memory."""

    def _check_medium(self) -> None:
        if self._failure is not None:
            raise k.StoreFailed(self._failure)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing. After an error of the medium nothing more is written through this store.

        In a group it is a savepoint of the group's transaction, so that a member is undone alone.
        """
        self._check_medium()
        is_member = self._is_together
        if is_member:
            self._begin_group()
            execute(self._db, "SAVEPOINT member")
        else:
            self._begin()
        try:
            yield
            if is_member:
                execute(self._db, "RELEASE member")
            else:
                self._seal()
        except apsw.ConstraintError as error:
            self._roll_back(is_member)
            raise k.StoreFault(str(error)) from error
        except apsw.Error as error:
            self._roll_back(is_member)
            raise self._fail(error) from error
        except BaseException:
            self._roll_back(is_member)
            raise

    def _begin(self) -> None:
        try:
            execute(self._db, "BEGIN IMMEDIATE")
        except apsw.BusyError:
            raise k.StoreInUse(f"{self.path} is locked") from None
        except apsw.Error as error:
            raise self._fail(error) from error

    def _begin_group(self) -> None:
        """Begin the transaction of a group with the first thing that is written in it."""
        if not self._db.in_transaction:
            self._begin()

    def _seal(self) -> None:
        execute(self._db, "COMMIT")
        if self._logged[0] >= self._log_pages:
            self._copy_log(apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _copy_log(self, mode: int) -> None:
        """Bring the log into the file. A reader in the way is no fault: the log keeps everything until later."""
        with suppress(apsw.BusyError):
            self._db.wal_checkpoint(mode=mode)

    def _roll_back(self, is_member: bool) -> None:
        try:
            if is_member and self._is_together:
                execute(self._db, "ROLLBACK TO member")
                execute(self._db, "RELEASE member")
            elif self._db.in_transaction:
                execute(self._db, "ROLLBACK")
        except apsw.Error as error:
            self._fail(error)

    @w.locked
    def begin_together(self) -> None:
        """Open a group. Until it is finished, other threads wait for the lock and so never see a part of it."""
        if self._is_together:
            raise RuntimeError("a group of commits is open already")
        self._check_medium()
        self._lock.acquire()
        self._is_together = True

    @w.locked
    def finish_together(self) -> None:
        """Bring the group onto the disk. Only then may anything in it be acknowledged."""
        self._check_medium()
        if not self._is_together:
            raise RuntimeError("no group of commits is open")
        try:
            self._flush()
            if self._db.in_transaction:
                self._seal()
        except apsw.Error as error:
            self._roll_back(is_member=False)
            raise self._fail(error) from error
        finally:
            self._part()

    def _part(self) -> None:
        """Let other threads in again after a group, however it ended."""
        if self._is_together:
            self._is_together = False
            self._lock.release()

    def _fail(self, error: apsw.Error | k.StoreError) -> k.StoreFailed:
        self._failure = f"{self.path}: {type(error).__name__}: {error}"
        if self._claim is not None:
            log.critical("the store failed", extra={"error": self._failure})
        if hasattr(self, "_db"):
            leave_log(self._db)
        self._part()
        return k.StoreFailed(self._failure)
