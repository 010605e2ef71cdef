"""Migrations: numbered SQL files, each run once in its own transaction, and checked to be the ones that were run."""

import hashlib
from importlib.resources import files

import apsw

from casinowar.store.contract import StoreFault

TABLE = """
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS migrations_are_kept BEFORE UPDATE ON migrations
BEGIN SELECT RAISE(ABORT, 'migrations is append-only'); END;
CREATE TRIGGER IF NOT EXISTS migrations_stay BEFORE DELETE ON migrations
BEGIN SELECT RAISE(ABORT, 'migrations is append-only'); END;
"""


def scripts() -> list[tuple[int, str, str]]:
    """Number, name and text of every packaged migration, in order."""
    return read_scripts("casinowar.store.sqlite")


def read_scripts(package: str) -> list[tuple[int, str, str]]:
    """The migrations of a package, in order."""
    found = [file for file in files(package).joinpath("migrations").iterdir() if file.name.endswith(".sql")]
    read = sorted((int(file.name[:4]), file.name, file.read_text(encoding="utf-8")) for file in found)
    if [number for number, _, _ in read] != list(range(1, len(read) + 1)):
        raise StoreFault(f"migrations are not numbered from 1 without a gap: {[name for _, name, _ in read]}")
    return read


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def applied_migrations(db: apsw.Connection) -> list[tuple[int, str, str]]:
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchall():
        return []
    return [(int(n), str(name), str(d)) for n, name, d in db.execute("SELECT number, name, digest FROM migrations")]


def check_applied(db: apsw.Connection) -> int:
    """Count the migrations of the database, which must be this program's first ones."""
    return check_scripts(applied_migrations(db), scripts())


def check_scripts(done: list[tuple[int, str, str]], scripts: list[tuple[int, str, str]]) -> int:
    """Count the migrations that were run, by number, name and digest: they must be the first of these."""
    known = [(number, name, digest_of(text)) for number, name, text in scripts]
    if len(done) > len(known):
        raise StoreFault(f"the database has migration {done[-1][1]}, which is newer than this program")
    for have, want in zip(done, known, strict=False):
        if have != want:
            raise StoreFault(f"migration {have[1]} in the database is not this program's {want[1]}")
    return len(done)


def migrate(db: apsw.Connection, at: int, until: int | None = None) -> None:
    """Bring the database up to this program; apsw runs statements lazily, so every result is fetched."""
    for number, name, text in scripts()[check_applied(db) : until]:
        db.execute("BEGIN EXCLUSIVE").fetchall()
        try:
            db.execute(TABLE).fetchall()
            db.execute(text).fetchall()
            db.execute("INSERT INTO migrations VALUES (?, ?, ?, ?)", (number, name, digest_of(text), at)).fetchall()
            db.execute("COMMIT").fetchall()
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK").fetchall()
            raise


def schema_of(db: apsw.Connection) -> set[tuple[str, str, str]]:
    rows = db.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
    return {(str(kind), str(name), str(sql)) for kind, name, sql in rows}


def find_schema_faults(db: apsw.Connection) -> list[str]:
    """Tables, triggers and indexes that are not as the migrations of the database make them."""
    fresh = apsw.Connection(":memory:")
    migrate(fresh, 0, check_applied(db))
    wanted, have = schema_of(fresh), schema_of(db)
    fresh.close()
    return [f"the schema lacks or has changed {kind} {name}" for kind, name, _ in sorted(wanted - have)] + [
        f"the schema has a foreign or changed {kind} {name}" for kind, name, _ in sorted(have - wanted)
    ]
