"""The file of the accounts: for several processes at once, readable by its owner alone, with numbered migrations."""

import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import apsw

from casinowar.store import StoreFailed, StoreFault, StoreInUse
from casinowar.store.sqlite.connection import BUSY_MS, Value, connect, execute
from casinowar.store.sqlite.migrate import schema_of

OWNER_ALONE = 0o600

LOOK_S = 0.01
"""How often it is looked whether another program has changed the file."""


def scripts() -> list[str]:
    """The migrations, in order; how many of them were run is the file's `user_version`."""
    folder = files("casinowar.web.accounts")
    found = [file for file in folder.iterdir() if re.fullmatch(r"accounts_\d{4}\.sql", file.name)]
    return [file.read_text(encoding="utf-8") for file in sorted(found, key=lambda file: file.name)]


def migrate(db: apsw.Connection, known: Sequence[str]) -> None:
    """Bring the file up to this program, in one transaction, since another process may be at it too."""
    with transaction(db):
        done = user_version(db)
        if done > len(known):
            raise StoreFault(f"it was written by a newer program: migration {done}, and this one knows {len(known)}")
        for text in known[done:]:
            execute(db, text)
        if done < len(known):
            execute(db, f"PRAGMA user_version = {len(known)}")


def user_version(db: apsw.Connection) -> int:
    return number(execute(db, "PRAGMA user_version")[0][0])


def number(value: Value) -> int:
    """The whole number that a column holds."""
    assert isinstance(value, int)
    return value


def check_schema(db: apsw.Connection, known: Sequence[str]) -> None:
    """Refuse a file whose schema was altered: without its triggers, rows that must not change could be changed."""
    fresh = apsw.Connection(":memory:")
    migrate(fresh, known)
    differing = sorted(f"{kind} {name}" for kind, name, _ in schema_of(fresh) ^ schema_of(db))
    fresh.close()
    if differing:
        raise StoreFault(f"it lacks or has changed the {differing[0]}")


@contextmanager
def transaction(db: apsw.Connection) -> Iterator[None]:
    """A transaction: all or nothing. It begins as a writer, since a reader that writes later may be refused at once."""
    execute(db, "BEGIN IMMEDIATE")
    try:
        yield
        execute(db, "COMMIT")
    except BaseException:
        if db.in_transaction:
            execute(db, "ROLLBACK")
        raise


class AccountsPlace(Protocol):
    """Where accounts are kept: a file, or a database. The SQL is the same but for what each has as attributes."""

    @property
    def path(self) -> object: ...

    @property
    def same_name(self) -> str:
        """The condition that an account has this name, in whatever capitals."""
        ...

    @property
    def digests(self) -> str:
        """The query that gives the digests in a list of JSON."""
        ...

    def execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]: ...

    def stamp(self) -> tuple[Value, int]: ...

    def transaction(self) -> AbstractContextManager[None]: ...

    def close(self) -> None: ...


class AccountsFile:
    """The open file of the accounts, for several threads. Errors of SQLite are raised as the store's own."""

    same_name = "name = ?"
    digests = "SELECT unhex(value) FROM json_each(?)"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._looked_at = -LOOK_S
        self._foreign: Value = None
        _make(path)
        with self._wrapped_errors():
            self._db = _connect(path)
            try:
                execute(self._db, "PRAGMA secure_delete = on")  # What is deleted is to be gone from the file too.
                known = scripts()
                migrate(self._db, known)
                check_schema(self._db, known)
            except BaseException:
                self._db.close()
                raise

    def execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
        """All rows of one statement, which is a transaction of its own outside of `transaction`."""
        with self._lock, self._wrapped_errors():
            return execute(self._db, sql, values)

    def stamp(self) -> tuple[Value, int]:
        """What is another after each change of the file, by this program at once, by another one within `LOOK_S`."""
        now = time.monotonic()
        with self._lock:
            if now - self._looked_at > LOOK_S:
                self._looked_at, self._foreign = now, self.execute("PRAGMA data_version")[0][0]
            return self._foreign, self._db.total_changes()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock, self._wrapped_errors(), transaction(self._db):
            yield

    @contextmanager
    def _wrapped_errors(self) -> Iterator[None]:
        """Raise SQLite's errors as the store's own, with the path. Their messages name columns, and no values."""
        try:
            yield
        except apsw.BusyError:
            raise StoreInUse(f"{self.path}: another program has held it for {BUSY_MS // 1000} s: try again") from None
        except (apsw.NotADBError, apsw.CorruptError, apsw.ConstraintError) as error:
            raise StoreFault(f"{self.path}: {error}") from None
        except apsw.Error as error:
            raise StoreFailed(f"{self.path}: {error}") from None
        except StoreFault as error:
            raise error if str(self.path) in str(error) else StoreFault(f"{self.path}: {error}") from None

    def close(self) -> None:
        with self._lock:
            self._db.close()


def _connect(path: Path) -> apsw.Connection:
    """Connect to the file, and wait while another program makes it: SQLite would refuse at once."""
    until = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            return connect(path)
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def _make(path: Path) -> None:
    """An empty file with the right mode before SQLite sees it; what SQLite puts beside it gets the same mode.

    A file that is there is not opened here: closing it would drop the locks that this process may hold on it.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ALONE))
    except FileExistsError:
        if path.stat().st_mode & 0o077:
            path.chmod(OWNER_ALONE)
