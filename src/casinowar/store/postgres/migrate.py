"""Migrations of the database: numbered SQL files, each run once, and the schema compared with what they make."""

import re
from importlib.resources import files

import asyncpg  # type: ignore[import-untyped]

from casinowar.store.contract import StoreFault, StoreInUse
from casinowar.store.postgres.connection import Connection, shown
from casinowar.store.sqlite.migrate import check_scripts, digest_of, read_scripts

FOLDER = "casinowar.store.postgres"
LOCK = 0x63617369_6E6F0001
"""The number of the lock under which one program at a time migrates."""

TABLE = """
CREATE TABLE IF NOT EXISTS migrations (
    number BIGINT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, at BIGINT NOT NULL
);
CREATE OR REPLACE FUNCTION refuse_migration_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'migrations is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$;
CREATE OR REPLACE TRIGGER migrations_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON migrations
EXECUTE FUNCTION refuse_migration_change();
"""
TABLES = re.compile(r"^CREATE TABLE (?:IF NOT EXISTS )?(\w+)", re.MULTILINE)
FUNCTIONS = re.compile(r"^CREATE (?:OR REPLACE )?FUNCTION (\w+)", re.MULTILINE)
OURS = """
SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY (?1)
"""
SCHEMA = f"""
SELECT 'column', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull
    THEN ' not null' ELSE '' END || CASE WHEN a.attcollation = 'pg_catalog."C"'::regcollation THEN ' C' ELSE '' END
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.oid IN ({OURS})
UNION ALL
SELECT 'constraint', c.relname || '.' || o.conname, pg_get_constraintdef(o.oid)
    || CASE WHEN o.convalidated THEN '' ELSE ' not valid' END
FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE o.contype IN ('p', 'u', 'c', 'f') AND c.oid IN ({OURS})
UNION ALL
SELECT 'index', i.relname::text, (CASE WHEN x.indisunique THEN 'unique ' ELSE '' END)
    || regexp_replace(pg_get_indexdef(x.indexrelid), '^.* ON [^ ]+ ', '')
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indisvalid AND x.indrelid IN ({OURS})
UNION ALL
SELECT 'trigger', c.relname || '.' || t.tgname, t.tgtype || ' ' || t.tgenabled::text || ' ' || p.proname || ' '
    || coalesce(t.tgoldtable, '') || ' ' || coalesce(t.tgnewtable, '') || ' ' || coalesce(t.tgqual::text, '')
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.oid IN ({OURS})
UNION ALL
SELECT 'foreign key trigger', c.relname || '.' || p.proname, t.tgenabled::text
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE t.tgisinternal AND t.tgenabled <> 'O' AND c.oid IN ({OURS})
UNION ALL
SELECT 'rule', c.relname || '.' || r.rulename, pg_get_ruledef(r.oid)
FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.oid IN ({OURS})
UNION ALL
SELECT 'function', p.proname::text, encode(sha256(convert_to(p.prosrc, 'UTF8')), 'hex')
FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
    AND (p.proname = ANY (?2) OR p.oid IN (SELECT tgfoid FROM pg_trigger WHERE tgrelid IN ({OURS})))
"""
"""Of our tables all that the database holds itself to."""

CLOSED = f"""
SELECT relname::text FROM pg_class WHERE oid IN ({OURS}) AND NOT has_table_privilege(oid, 'INSERT') ORDER BY 1
"""
"""Those of our tables to which the role may not write."""

GRANTS = (
    "serve as the owner of the database, or let the owner grant SELECT, INSERT, UPDATE and DELETE on all its tables"
)


FOREIGN = """
SELECT relname::text FROM pg_class AS c WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND deptype = 'e') ORDER BY 1 LIMIT 4
"""
"""Some tables of the database, but for those of its extensions."""


def scripts() -> list[tuple[int, str, str]]:
    """Number, name and text of every packaged migration, in order."""
    return read_scripts(FOLDER)


def applied_migrations(db: Connection) -> list[tuple[int, str, str]]:
    if db.execute("SELECT to_regclass('migrations')::text") == [(None,)]:
        return []
    try:
        rows = db.execute("SELECT number, name, digest FROM migrations ORDER BY number")
    except asyncpg.UndefinedColumnError:  # Others have a table of this name, too.
        raise _of_something_else(db) from None
    return [(int(str(number)), str(name), str(digest)) for number, name, digest in rows]


def _of_something_else(db: Connection) -> StoreFault:
    found = [str(name) for (name,) in db.execute(FOREIGN)]
    told = ", ".join([*found[:3], *(["..."] if len(found) > 3 else [])])
    return StoreFault(
        f"{shown(db.url)} has tables of something else ({told}): give the house a database of its own, with createdb"
    )


def check_applied(db: Connection) -> int:
    """Count the migrations of the database, which must be this program's first ones."""
    return check_scripts(applied_migrations(db), scripts())


def migrate(db: Connection, at: int) -> int:
    """Bring the database up to this program, one program at a time; give how many migrations were run."""
    try:
        db.execute("SELECT pg_advisory_lock(?)", (LOCK,))
    except asyncpg.LockNotAvailableError:
        raise StoreInUse(f"{shown(db.url)}: another program brings it up to date: try again when it is done") from None
    try:
        known = scripts()
        done = check_applied(db)
        if not done and db.execute(FOREIGN):
            raise _of_something_else(db)
        for number, name, text in known[done:]:
            db.execute("BEGIN")
            try:
                db.run_script(TABLE)
                db.run_script(text)
                row = (number, name, digest_of(text), at)
                db.execute("INSERT INTO migrations VALUES (?, ?, ?, ?)", row)
                db.execute("COMMIT")
            except BaseException:
                if db.is_open:
                    db.execute("ROLLBACK")
                raise
        return len(known) - done
    except asyncpg.InsufficientPrivilegeError as error:
        is_closed = db.execute("SELECT has_table_privilege(to_regclass('migrations'), 'SELECT')") == [(False,)]
        advice = GRANTS if is_closed else "let the owner of the database run casinowar admin migrate"
        raise StoreFault(f"{shown(db.url)}: {error}: {advice}") from None
    finally:
        if db.is_open:
            db.execute("SELECT pg_advisory_unlock(?)", (LOCK,))


def check_rights(db: Connection) -> None:
    """Raise where this role may not write: the tables are another's, who has granted it nothing, or reading alone."""
    tables = sorted(set(TABLES.findall("\n".join(text for _, _, text in scripts()))))
    found = [str(table) for (table,) in db.execute(CLOSED, (tables,))]
    if found:
        raise StoreFault(f"{shown(db.url)}: its role may not write to the table {found[0]}: {GRANTS}")


def migrate_database(url: str, at: int) -> int:
    """Open the database for its migrations alone."""
    db = Connection(url)
    try:
        return migrate(db, at)
    finally:
        db.close()


def is_migrated(url: str) -> bool:
    """Whether the database has tables of ours, of any version. It is looked at, and nothing is made."""
    db = Connection(url, for_reading=True)
    try:
        return db.execute("SELECT 1 WHERE to_regclass('migrations') IS NULL AND to_regclass('events') IS NULL") == []
    finally:
        db.close()


def schema_of(db: Connection) -> set[tuple[str, str, str]]:
    """The kind, name and form of all that the database holds our tables to."""
    text = "\n".join(text for _, _, text in scripts()) + TABLE
    tables, functions = (sorted({found[1] for found in kind.finditer(text)}) for kind in (TABLES, FUNCTIONS))
    return {(str(kind), str(name), str(form)) for kind, name, form in db.execute(SCHEMA, (tables, functions))}


def packaged_schema() -> set[tuple[str, str, str]]:
    """The same as the migrations make it: the listing in `schema.txt`, which a test compares with them."""
    text = files(FOLDER).joinpath("schema.txt").read_text(encoding="utf-8")
    lines = (line.split("\t") for line in text.splitlines())
    return {(kind, name, form) for kind, name, form in lines}


def find_schema_faults(db: Connection) -> list[str]:
    """Tables, triggers, constraints, indexes and functions that are not as the migrations make them."""
    wanted, have = packaged_schema(), schema_of(db)
    return [f"the schema lacks or has changed {kind} {name}" for kind, name, _ in sorted(wanted - have)] + [
        f"the schema has a foreign or changed {kind} {name}" for kind, name, _ in sorted(have - wanted)
    ]
