"""Opening the database: the one writer, write-ahead log, and every commit on the disk before it counts."""

from pathlib import Path

import apsw

from casinowar.store.contract import StoreFault, StoreInUse

BUSY_MS = 5_000
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


def ask(db: apsw.Connection, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Value, ...]]:
    """All rows of a statement: apsw runs no further than what is fetched."""
    return db.execute(sql, values).fetchall()


def claim(path: Path) -> apsw.Connection:
    """Be the one writer: a lock on a file beside the database, which goes with the process however it ends."""
    lock = apsw.Connection(f"{path}.writer")
    try:
        ask(lock, "PRAGMA journal_mode = off")
        ask(lock, "BEGIN EXCLUSIVE")
    except apsw.BusyError:
        lock.close()
        raise StoreInUse(f"another program writes to {path}") from None
    return lock


def connect(path: Path, *, for_reading: bool = False, vfs: str | None = None) -> apsw.Connection:
    """A connection with every setting set, and asked for again, since SQLite ignores what it does not know."""
    if sqlite_version() < LEAST_SQLITE:
        raise StoreFault(f"SQLite {apsw.sqlite_lib_version()} may damage its log: 3.51.3 or later is needed")
    flags = apsw.SQLITE_OPEN_READONLY if for_reading else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    db = apsw.Connection(str(path), flags=flags, vfs=vfs)
    db.set_busy_timeout(BUSY_MS)
    try:
        if not for_reading:
            ask(db, "PRAGMA journal_mode = wal")
        for name, value in SETTINGS.items():
            ask(db, f"PRAGMA {name} = {value}")
        check_settings(db)
    except BaseException:
        db.close()
        raise
    return db


def check_settings(db: apsw.Connection) -> None:
    """A commit that may be lost, or a log that is none, must not pass for a store."""
    mode = ask(db, "PRAGMA journal_mode")
    if mode != [("wal",)]:
        raise StoreFault(f"the database is in journal mode {mode}, not in wal")
    for name, value in SETTINGS.items():
        if ask(db, f"PRAGMA {name}") != [(value,)]:
            raise StoreFault(f"SQLite does not keep {name} = {value}")


def check_integrity(db: apsw.Connection) -> None:
    """What SQLite itself finds wrong with the file."""
    found = ask(db, "PRAGMA integrity_check")
    if found != [("ok",)]:
        raise StoreFault(f"the database is damaged: {found[0][0]!r}")
    if ask(db, "PRAGMA foreign_key_check"):
        raise StoreFault("the database has postings without an event")
