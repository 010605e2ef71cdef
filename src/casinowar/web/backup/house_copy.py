"""A house copied from a data folder to a PostgreSQL database or back: every table, whole or not at all."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from casinowar.errors import CasinoWarError
from casinowar.store import SqliteStore, Store, StoreFault, audit
from casinowar.store.commit import wall_clock
from casinowar.store.postgres.connection import Connection, is_postgres, shown
from casinowar.store.postgres.migrate import applied_migrations, check_applied, migrate_database, scripts
from casinowar.store.postgres.store import PostgresStore
from casinowar.store.sqlite.connection import Value, connect, execute, execute_many
from casinowar.store.sqlite.migrate import migrate
from casinowar.web.accounts.file import AccountsFile
from casinowar.web.backup.owned_files import sync_folder
from casinowar.web.run import Place

# isort: split
# The store says which extra is missing.
import apsw
import asyncpg  # type: ignore[import-untyped]

Row = tuple[Value, ...]
BATCH = 2_000


class CopyRefused(CasinoWarError, ValueError):
    """There is nothing to copy, no place for it, or one of the two is not sound."""


class Kept(NamedTuple):
    """A table, its columns, and how many of the first of them are the key by whose order it is copied."""

    table: str
    columns: str
    keys: int = 1
    is_there: bool = False

    @property
    def names(self) -> list[str]:
        return self.columns.split(", ")


LOG = (
    Kept("identity", "one, identity"),
    Kept("old_chains", "one, events, events_head, commands, commands_head", is_there=True),
    Kept("events", "position, stream, version, name, entry, hash"),
    Kept("commands", "number, actor, command, entry, hash"),
    Kept("postings", "position, line, account, amount", 2),
    Kept("balances", "account, balance"),
    Kept("checkpoints", "number, document"),
    Kept("seeds", "commitment, seed"),
    Kept("heads", "stream, version, events_head, commands, commands_head, covered"),
    Kept("leaves", "number, stream, version, events_head, commands, commands_head"),
    Kept("tree", "one, size, parts", is_there=True),
    Kept("snapshots", "stream, version, format, events_head, layout, body, digest", 3),
)
"""The tables of the log. Where a row is there from the start, it is put in its place."""

ACCOUNTS = (
    Kept("accounts", "name, password_hash, created_at, seen_at"),
    Kept("sessions", "digest, account, opened_at, ends_at"),
    Kept("role_requests", "number, account, role, is_granted, requested_by, reason, at"),
)
MADE_ANEW = {"migrations", "trial_balance"}
"""What the other side makes by itself: its own migrations, and the total by its triggers."""

OF_THE_MOMENT = {"leases", "failures", "account_changes", "servers", "table_people", "tickets"}
"""What a database has besides, of servers that run and of wrong passwords of the last half an hour: not copied."""

Query = Callable[[str, Row], list[Row]]


def rows_of(query: Query, kept: Kept) -> Iterator[list[Row]]:
    """The rows of a table in the order of its key, many at a time."""
    key = ", ".join(kept.names[: kept.keys])
    marks = ", ".join("?" * kept.keys)
    rows = query(f"SELECT {kept.columns} FROM {kept.table} ORDER BY {key} LIMIT {BATCH}", ())
    while rows:
        yield rows
        after = f"WHERE ({key}) > ({marks}) ORDER BY {key} LIMIT {BATCH}"
        rows = query(f"SELECT {kept.columns} FROM {kept.table} {after}", rows[-1][: kept.keys])


def copy_house(source: str, target: str) -> Iterator[str]:
    """Copy, and tell what was done."""
    is_url = ["://" in place for place in (source, target)]
    if is_url != [is_postgres(source), is_postgres(target)] or is_url[0] == is_url[1]:
        raise CopyRefused("name a data folder and a postgresql:// URL: the house is copied from one to the other")
    if is_postgres(source):
        _check_house(source)
        with closing(PostgresStore(source, is_alone=True)) as store:
            _check_sound(store, shown(source))
            counts = _copy_to_folder(Path(target), store)
    else:
        place = Place.in_folder(Path(source))
        if not place.store.exists():
            raise CopyRefused(f"{place.store}: there is no house to copy")
        with closing(SqliteStore(place.store)) as store:
            _check_sound(store, str(place.store))
            counts = fill_database(target, store, place.accounts)
    yield f"copied {', '.join(f'{count} {table}' for table, count in counts.items() if count)}"
    yield "both sides are sound; the key of the checkpoints is a file and was not copied"


def _check_house(url: str) -> None:
    """Raise where there is no house in the database: to open its store would make one, and then it is not empty."""
    with _errors_in_one_line(url), closing(Connection(url, for_reading=True)) as db:
        if not applied_migrations(db) or not db.execute("SELECT 1 FROM identity"):
            raise CopyRefused(f"{shown(url)}: there is no house to copy")


@contextmanager
def _errors_in_one_line(url: str) -> Iterator[None]:
    """Tell what the database refuses in one line."""
    try:
        yield
    except asyncpg.PostgresError as error:
        raise StoreFault(f"{shown(url)}: {error}") from None


def _check_sound(store: Store, name: str) -> None:
    findings = audit(store)
    if findings:
        raise CopyRefused(f"{name} is not sound, and nothing was copied: {findings[0]}")


def _check_same(source: Store, copied: Store, name: str) -> None:
    """Raise where the copy is not sound, or not of the same log and the same money."""
    told = [(one.identity, one.head(), one.balances(), one.last_checkpoint(), one.tree()) for one in (source, copied)]
    if told[0] != told[1]:
        raise CopyRefused(f"{name}: the copy is not what was copied: use it for nothing")
    _check_sound(copied, name)


def fill_database(url: str, source: SqliteStore, accounts: Path) -> dict[str, int]:
    """Copy into the database in one transaction: it is there whole, or not at all."""
    migrate_database(url, wall_clock())
    counts: dict[str, int] = {}
    with _errors_in_one_line(url), closing(Connection(url)) as db:
        db.execute("BEGIN")
        for kept in (*LOG, *ACCOUNTS):
            db.execute(f"LOCK TABLE {kept.table} IN EXCLUSIVE MODE")
            if not kept.is_there and db.execute(f"SELECT 1 FROM {kept.table} LIMIT 1"):
                raise CopyRefused(f"{shown(url)} is not empty, it holds a house: nothing was copied")

        def put(kept: Kept, rows: Sequence[Row]) -> None:
            if kept.table == "tree":
                db.execute("UPDATE tree SET size = ?, parts = ?", rows[0][1:])
            else:
                db.copy_rows(kept.table, kept.names, rows)

        _copy(lambda sql, values: execute(source._db, sql, values), LOG, put, counts)
        if accounts.exists():
            with closing(AccountsFile(accounts)) as file:
                _copy(file.execute, ACCOUNTS, put, counts)
        db.execute("COMMIT")
    with closing(PostgresStore(url)) as copied:
        _check_same(source, copied, shown(url))
    return counts


def _copy(
    query: Query, tables: Sequence[Kept], put: Callable[[Kept, Sequence[Row]], None], counts: dict[str, int]
) -> None:
    for kept in tables:
        counts[kept.table] = 0
        for rows in rows_of(query, kept):
            put(kept, rows)
            counts[kept.table] += len(rows)


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """A folder beside the target that takes its name in one step, when all is in it."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise CopyRefused(f"{target} is not empty: nothing was copied")
    folder = target.with_name(f".{target.name}.{os.getpid()}.partial")
    folder.mkdir(mode=0o700, parents=True)
    try:
        yield folder
        sync_folder(folder)
        folder.rename(target)
        sync_folder(target.parent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_to_folder(target: Path, source: PostgresStore) -> dict[str, int]:
    with _new_folder(target.absolute()) as folder:
        place = Place.in_folder(folder)
        counts = fill_files(source.url, place.store, place.accounts)
        with closing(SqliteStore(place.store)) as copied:
            _check_same(source, copied, str(target))
    return counts


def fill_files(url: str, log: Path, accounts: Path) -> dict[str, int]:
    """Copy a database, whose server may run, to new files as it stands at one moment. Nobody waits for it."""
    counts: dict[str, int] = {}
    with _errors_in_one_line(url), closing(Connection(url, for_reading=True)) as source:
        source.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if check_applied(source) < len(scripts()):
            raise StoreFault(f"{shown(url)} holds no house of this version: see casinowar admin migrate")
        if not source.execute("SELECT 1 FROM identity"):
            raise StoreFault(f"{shown(url)} holds no house yet")
        with closing(connect(log)) as db:
            migrate(db, wall_clock())
            execute(db, "BEGIN IMMEDIATE")
            _copy(source.execute, LOG, lambda kept, rows: _put_in_file(db, kept, rows), counts)
            execute(db, "COMMIT")
        with closing(AccountsFile(accounts)) as file, file.transaction():

            def put(kept: Kept, rows: Sequence[Row]) -> None:
                for row in rows:
                    file.execute(f"INSERT INTO {kept.table} ({kept.columns}) VALUES ({_marks(row)})", row)

            _copy(source.execute, ACCOUNTS, put, counts)
    return counts


def _put_in_file(db: apsw.Connection, kept: Kept, rows: Sequence[Row]) -> None:
    if kept.is_there:  # The trigger keeps the ends of old chains; these are the first that the file gets.
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        columns = ", ".join(f"{name} = ?" for name in kept.names)
        execute(db, f"UPDATE {kept.table} SET {columns}", rows[0])
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
    else:
        execute_many(db, f"INSERT INTO {kept.table} ({kept.columns}) VALUES ({_marks(rows[0])})", rows)


def _marks(row: Row) -> str:
    return ", ".join("?" * len(row))
