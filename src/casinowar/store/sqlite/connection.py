"""The connection to the database: one writer, a write-ahead log, and every commit on the disk before it counts."""

import os
from collections.abc import Sequence
from pathlib import Path

import apsw

from casinowar.store.contract import StoreFailed, StoreFault, StoreInUse, ValueRefused

MEDIUM = (apsw.IOError, apsw.FullError, apsw.ReadOnlyError)
"""The errors of a disk that does not write or read."""

DAMAGE = (apsw.CorruptError, apsw.NotADBError)
"""The errors of a file that is not what SQLite wrote."""

BUSY_MS = 5_000
OWNER_ONLY = 0o600
LOG_PAGES = 4_000
"""So many pages in the log are copied into the file."""

LEAST_SQLITE = (3, 51, 3)
"""Earlier ones can damage a write-ahead log that two connections write and checkpoint at once."""

Value = None | int | float | bytes | str
"""What a column can hold."""

FULL = 2
SETTINGS = {
    "synchronous": FULL,
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
    "foreign_keys": 1,
    "recursive_triggers": 1,
    "trusted_schema": 0,
    "cell_size_check": 1,
}


def sqlite_version() -> tuple[int, ...]:
    return tuple(int(part) for part in apsw.sqlite_lib_version().split("."))


def execute(db: apsw.Connection, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
    """Run a statement and fetch all its rows: apsw runs no further than what is fetched."""
    try:
        return db.execute(sql, values).fetchall()
    except (UnicodeEncodeError, OverflowError):  # Half a surrogate pair, or a number of more than 64 bits.
        raise ValueRefused("a value that SQLite cannot hold") from None


def execute_many(db: apsw.Connection, sql: str, rows: Sequence[tuple[Value, ...]]) -> list[tuple[Value, ...]]:
    """Run a statement for each of these rows of values, and fetch all that it gives."""
    return db.executemany(sql, rows).fetchall() if rows else []


def claim(path: Path) -> apsw.Connection:
    """Lock a file beside the database, so that this is the one writer.

    The lock ends with the process, however that ends.
    """
    lock = None
    try:
        lock = apsw.Connection(f"{path}.writer")
        execute(lock, "PRAGMA journal_mode = off")
        execute(lock, "BEGIN EXCLUSIVE")
    except apsw.BusyError:
        raise StoreInUse(f"another program writes to {path}") from None
    except (*MEDIUM, apsw.CantOpenError) as error:
        raise StoreFailed(f"{path} cannot be written to: {error}") from error
    return lock


def _keep_private(path: Path) -> None:
    """Make the file readable by its owner alone: it holds seeds of unopened shoes.

    SQLite's log gets the same rights.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
        os.chmod(path, OWNER_ONLY)
    except OSError as error:
        raise StoreFailed(f"{path} cannot be written to: {error.strerror}") from error


def connect(path: Path, *, for_reading: bool = False, vfs: str | None = None) -> apsw.Connection:
    """Open a connection and set its settings.

    They are read back, since SQLite ignores settings that it does not know.
    """
    if sqlite_version() < LEAST_SQLITE:
        raise StoreFault(f"SQLite {apsw.sqlite_lib_version()} may damage its log: 3.51.3 or later is needed")
    if not for_reading and vfs is None:
        _keep_private(path)
    flags = apsw.SQLITE_OPEN_READONLY if for_reading else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    try:
        return _open(str(path), flags, vfs)
    except (apsw.ReadOnlyError, apsw.CantOpenError):
        if not for_reading or not is_at_rest(path):
            raise
    return _open(f"{path.resolve().as_uri()}?immutable=1", flags | apsw.SQLITE_OPEN_URI, vfs, mode="delete")


def is_at_rest(path: Path) -> bool:
    """No write-ahead log lies beside the file, and none can be made there.

    SQLite can read such a file only where it is told that nobody writes to it. A server that has it open has a log.
    """
    file = path.resolve()
    return not os.path.lexists(f"{file}-wal") and not os.access(file.parent, os.W_OK)


def _open(name: str, flags: int, vfs: str | None, mode: str = "wal") -> apsw.Connection:
    db = apsw.Connection(name, flags=flags, vfs=vfs)
    db.set_busy_timeout(BUSY_MS)
    try:
        if flags & apsw.SQLITE_OPEN_READWRITE:
            begin_log(db, name)
        for setting, value in SETTINGS.items():
            execute(db, f"PRAGMA {setting} = {value}")
        check_settings(db, mode)
    except BaseException:
        db.close()
        raise
    return db


def begin_log(db: apsw.Connection, name: str) -> None:
    try:
        execute(db, "PRAGMA journal_mode = wal")
    except apsw.CantOpenError as error:
        raise StoreFailed(f"{name} cannot be written to: {error}") from error


def count_log(db: apsw.Connection) -> list[int]:
    """Count the log's pages after each commit: the list holds the one number.

    This switches off SQLite's own copying of the log, whose errors nobody would see.
    """
    pages = [0]

    def note(_: apsw.Connection, __: str, count: int) -> int:
        pages[0] = count
        return apsw.SQLITE_OK

    db.set_wal_hook(note)
    return pages


def harden(db: apsw.Connection) -> None:
    """Bring all that the log holds onto the disk.

    A process that was killed may have left a whole commit in the log which no sync has followed. SQLite shows it to
    whoever opens the file next; it must not be told to anybody before the power can no longer take it back.
    """
    try:
        db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.BusyError:
        raise StoreInUse("somebody reads the log that was left behind, so that it cannot be copied") from None


def leave_log(db: apsw.Connection) -> None:
    """Keep SQLite from copying the log when it closes: the disk has failed, and what is there must stay as it is."""
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


def check_settings(db: apsw.Connection, mode: str = "wal") -> None:
    """Raise where SQLite did not take a setting: without it a commit may be lost."""
    found = execute(db, "PRAGMA journal_mode")
    if found != [(mode,)]:
        raise StoreFault(f"the database is in journal mode {found}, not in {mode}")
    for name, value in SETTINGS.items():
        if execute(db, f"PRAGMA {name}") != [(value,)]:
            raise StoreFault(f"SQLite does not keep {name} = {value}")


def check_integrity(db: apsw.Connection) -> None:
    """Raise where SQLite itself finds a fault in the file."""
    found = execute(db, "PRAGMA integrity_check")
    if found != [("ok",)]:
        raise StoreFault(f"the database is damaged: {found[0][0]!r}")
    if execute(db, "PRAGMA foreign_key_check"):
        raise StoreFault("the database has postings without an event")
