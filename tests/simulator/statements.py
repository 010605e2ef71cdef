"""The statements of the shipped store on PostgreSQL, each by its own text, over the simulated tables.

A statement that is not here is an error, so that the nights fail where the store learns a new one.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from casinowar.store import sql_reader as r
from casinowar.store.postgres import commit_rows, migrate, store
from casinowar.store.postgres import group as g
from casinowar.store.postgres import leases as l
from casinowar.store.postgres.medium import LOOK_UP
from casinowar.store.sqlite.migrate import digest_of
from tests.simulator.database import SNAPSHOT, Session, Statement
from tests.simulator.tables import Row, extend, put

LOG = "log"
"""The lock of the row that whoever writes to the log takes first."""

STATEMENTS: dict[str, Statement] = {}
Do = Callable[..., Iterable[Row] | None]


def statement_of(sql: str) -> Statement:
    """What a statement does."""
    found = STATEMENTS.get(sql)
    if found is None:
        found = STATEMENTS.get(" ".join(sql.split()))
        if found is None:
            raise NotImplementedError(f"the simulated database does not know: {sql}")
        STATEMENTS[sql] = found
    return found


def does(*texts: str) -> Callable[[Do], Do]:
    """The function does what these statements say; its arguments are the session and the values."""

    def note(do: Do) -> Do:
        def run(session: Session, values: tuple[Any, ...]) -> list[Row]:
            return list(do(session, *values) or ())

        STATEMENTS.update({" ".join(text.split()): run for text in texts})
        return do

    return note


def rows_of(columns: Sequence[Sequence[Any]]) -> list[Row]:
    return list(zip(*columns, strict=True))


# Transactions, locks, sessions.


@does("BEGIN")
def begin(session: Session) -> None:
    session.database.begin(session)


@does("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
def begin_at_one_moment(session: Session) -> None:
    session.database.begin(session, at_one_moment=True)


@does("COMMIT")
def commit(session: Session) -> None:
    session.database.commit(session)


@does("ROLLBACK")
def roll_back(session: Session) -> None:
    session.database.roll_back(session)


@does("SAVEPOINT member")
def savepoint(session: Session) -> None:
    session.mark = len(session.changes)


@does("RELEASE member")
def release(session: Session) -> None:
    session.mark = 0


@does("ROLLBACK TO member")
def roll_back_to_member(session: Session) -> None:
    session.roll_back_to(session.mark)
    session.has_failed = False


@does("SELECT pg_advisory_lock(?)")
def advisory_lock(session: Session, number: int) -> list[Row]:
    session.database.lock(session, number, of_session=True)
    return [(None,)]


@does("SELECT pg_advisory_unlock(?)")
def advisory_unlock(session: Session, number: int) -> list[Row]:
    session.database.unlock(session, number)
    return [(True,)]


@does("SELECT pg_try_advisory_lock(?)")
def try_advisory_lock(session: Session, number: int) -> list[Row]:
    return [(session.database.try_lock(session, number, of_session=True),)]


@does("SELECT pg_try_advisory_lock_shared(?)")
def try_shared_lock(session: Session, number: int) -> list[Row]:
    return [(session.database.try_lock(session, number, is_shared=True, of_session=True),)]


@does("SELECT pg_notify(?, ?)")
def notify(session: Session, channel: str, words: str) -> list[Row]:
    session.notices.append((channel, words))
    return [(None,)]


@does("SELECT pg_try_advisory_xact_lock(?)")
def try_transaction_lock(session: Session, number: int) -> list[Row]:
    return [(session.database.try_lock(session, number),)]


@does(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE pid = ? AND locktype = 'advisory' AND granted "
    "AND (classid::bigint << 32) + objid::bigint = ?"
)
def terminate(session: Session, number: int, lock: int) -> list[Row]:
    other = session.database.sessions.get(number)
    if other is None:
        return []
    session.database.end(other)
    return [(True,)]


def take_locks(session: Session, numbers: Sequence[int], purses: Sequence[str], waits: bool) -> bool:
    database, tables = session.database, session.database.tables
    for number in numbers:
        if waits:
            database.lock(session, number)
        elif not database.try_lock(session, number):
            return False
    for account in sorted(purses):
        if account not in tables.balances:
            continue
        if waits:
            database.lock(session, ("balance", account))
        elif not database.try_lock(session, ("balance", account)):
            return False
    return True


@does("SELECT take_locks(?::bigint[], ?::text[], true)")
def take_locks_waiting(session: Session, numbers: Sequence[int], purses: Sequence[str]) -> list[Row]:
    return [(take_locks(session, numbers, purses, True),)]


@does(LOOK_UP)
def look_up(
    session: Session, numbers: Sequence[int], purses: Sequence[str], waits: bool, actor: str, command: str, stream: str
) -> list[Row]:
    if not take_locks(session, numbers, purses, waits):
        return [(False, *(None,) * 7)]
    database, tables = session.database, session.database.tables
    if stream in tables.leases:
        database.lock(session, ("lease", stream), is_shared=True)
    stored, head = tables.ids.get((actor, command)), tables.heads.get(stream)
    fence, owner, _ = tables.leases.get(stream, (None, None, None))
    there = [account for account in purses if account in tables.balances]
    held = [tables.balances[account] for account in there]
    version, commands = (None, None) if head is None else (head[1], head[3])
    return [(True, stored and stored[3], version, commands, fence, owner, there or None, held or None)]


@does(g.PATIENCE)
def wait_longer(session: Session, patience: str) -> list[Row]:
    session.patience = int(patience)
    return [(patience,)]


@does(g.LOCK_LOG)
def lock_log(session: Session) -> list[Row]:
    session.database.lock(session, LOG)
    tables = session.database.tables
    return [(_total(session), len(tables.events), len(tables.commands))]


@does("SELECT held FROM lock_log()")
def lock_log_alone(session: Session) -> list[Row]:
    session.database.lock(session, LOG)
    return [(_total(session),)]


def _total(session: Session) -> int:
    return int(cast(Row, session.database.tables.single["trial_balance"])[0])


# What the store writes.


@does(commit_rows.COMMAND)
def add_commands(session: Session, *columns: Sequence[Any]) -> None:
    session.change(session.database.tables.add_commands(rows_of(columns)))


@does(commit_rows.EVENT)
def add_events(session: Session, *columns: Sequence[Any]) -> None:
    session.change(session.database.tables.add_events(rows_of(columns)))


@does(commit_rows.POSTING)
def add_postings(session: Session, *columns: Sequence[Any]) -> None:
    session.change([extend(session.database.tables.postings, rows_of(columns))])


@does(commit_rows.SEED)
def add_seeds(session: Session, *columns: Sequence[Any]) -> None:
    seeds = session.database.tables.seeds
    session.change([put(seeds, commitment, seed) for commitment, seed in rows_of(columns)])


@does(commit_rows.STREAM_HEAD)
def move_heads(session: Session, *columns: Sequence[Any]) -> list[Row]:
    heads, moved = session.database.tables.heads, 0
    for stream, version, events_head, commands, commands_head, was_version, was_commands in rows_of(columns):
        there = heads.get(stream)
        if (there is None and was_commands == 0) or (there and (there[1], there[3]) == (was_version, was_commands)):
            covered = there[5] if there else 0
            session.change([put(heads, stream, (stream, version, events_head, commands, commands_head, covered))])
            moved += 1
    return [(moved,)]


@does(commit_rows.MOVE)
def move(session: Session, *columns: Sequence[Any]) -> list[Row]:
    database, moved = session.database, rows_of(columns)
    for account, _ in moved:
        database.lock(session, ("balance", account))
    for account, amount in moved:
        session.change(database.tables.move(account, amount))
    session.change(database.tables.add_to_total(sum(amount for _, amount in moved)))
    return [(account, database.tables.balances[account]) for account, _ in moved]


@does("INSERT INTO checkpoints VALUES (?, ?)")
def add_checkpoint(session: Session, *row: Any) -> None:
    tables = session.database.tables
    session.change(tables.add_numbered(tables.checkpoints, [row]))


@does(commit_rows.LEAF)
def add_leaves(session: Session, *columns: Sequence[Any]) -> None:
    tables = session.database.tables
    session.change(tables.add_numbered(tables.leaves, rows_of(columns)))


@does(commit_rows.COVERED)
def cover(session: Session, *columns: Sequence[Any]) -> None:
    heads = session.database.tables.heads
    there = [(stream, covered) for stream, covered in rows_of(columns) if stream in heads]
    session.change([put(heads, stream, (*heads[stream][:5], covered)) for stream, covered in there])


@does("UPDATE tree SET size = ?, parts = ?")
def set_tree(session: Session, *row: Any) -> None:
    session.change([put(session.database.tables.single, "tree", row)])


@does(
    f"INSERT INTO snapshots ({r.SNAPSHOT}) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (stream, version, format) DO UPDATE SET events_head = excluded.events_head, "
    "layout = excluded.layout, body = excluded.body, digest = excluded.digest"
)
def save_snapshot(session: Session, *row: Any) -> None:
    session.change([put(session.database.tables.snapshots, (row[0], row[2], row[1]), row)])


@does(
    "DELETE FROM snapshots WHERE stream = ?1 AND format = ?2 AND version NOT IN "
    "(SELECT version FROM snapshots WHERE stream = ?1 AND format = ?2 ORDER BY version DESC LIMIT ?3)"
)
def drop_snapshots(session: Session, stream: str, format: str, kept: int) -> None:
    snapshots = session.database.tables.snapshots
    there = sorted((key for key in snapshots if (key[0], key[2]) == (stream, format)), reverse=True)
    session.change([put(snapshots, key, None) for key in there[kept:]])


# Leases.


@does(f"INSERT INTO leases VALUES (?, 1, ?, {l.UNTIL}) ON CONFLICT DO NOTHING RETURNING fence")
def new_lease(session: Session, stream: str, owner: int, lasts: int) -> list[Row]:
    database = session.database
    if stream in database.tables.leases:
        return []
    database.lock(session, ("lease", stream))
    if stream in database.tables.leases:
        return []
    session.change(database.tables.set_lease(stream, 1, owner, database.now() + lasts))
    return [(1,)]


@does(l.SEEN)
def see_lease(session: Session, stream: str) -> list[Row]:
    database = session.database
    if stream not in database.tables.leases or not database.try_lock(session, ("lease", stream)):
        return []
    fence, owner, until = database.tables.leases[stream]
    return [(fence, owner, until <= database.now())]


@does(f"UPDATE leases SET fence = fence + ?, owner = ?, until = {l.UNTIL} WHERE stream = ?")
def take_lease(session: Session, grows: int, owner: int, lasts: int, stream: str) -> None:
    database = session.database
    database.lock(session, ("lease", stream))
    fence = database.tables.leases[stream][0]
    session.change(database.tables.set_lease(stream, fence + grows, owner, database.now() + lasts))


@does(f"UPDATE leases SET until = {l.UNTIL} WHERE owner = ? AND stream = ANY (?::text[]) RETURNING stream, fence")
def renew_leases(session: Session, lasts: int, owner: int, of: Sequence[str]) -> list[Row]:
    database, renewed = session.database, []
    for stream in (one for one in _owned(session, owner) if one in of):
        fence, there, _ = database.tables.leases[stream]
        session.change(database.tables.set_lease(stream, fence, there, database.now() + lasts))
        renewed.append((stream, fence))
    return renewed


@does("UPDATE leases SET owner = NULL WHERE stream = ? AND owner = ? AND fence = ?")
def release_lease(session: Session, stream: str, owner: int, fence: int) -> None:
    if stream in _owned(session, owner) and session.database.tables.leases[stream][0] == fence:
        _release(session, stream)


@does("UPDATE leases SET owner = NULL WHERE owner = ?")
def release_leases(session: Session, owner: int) -> None:
    for stream in _owned(session, owner):
        _release(session, stream)


def _owned(session: Session, owner: int) -> list[str]:
    """The streams of an owner, locked; what has another owner behind the wait is left out."""
    database, found = session.database, []
    for stream in sorted(database.tables.leases):
        if database.tables.leases[stream][1] == owner:
            database.lock(session, ("lease", stream))
            if database.tables.leases[stream][1] == owner:
                found.append(stream)
    return found


def _release(session: Session, stream: str) -> None:
    tables = session.database.tables
    fence, _, until = tables.leases[stream]
    session.change(tables.set_lease(stream, fence, None, until))


# The schema and the names of the store.


@does("SELECT to_regclass('migrations')::text")
def find_migrations(session: Session) -> list[Row]:
    return [("migrations",)]


@does("SELECT number, name, digest FROM migrations ORDER BY number")
def read_migrations(session: Session) -> list[Row]:
    return [(number, name, digest_of(text)) for number, name, text in migrate.scripts()]


@does(migrate.SCHEMA)
def read_schema(session: Session, *names: Any) -> list[Row]:
    return list(migrate.packaged_schema())


@does(migrate.CLOSED)
def find_closed_tables(session: Session, names: Any) -> list[Row]:
    """Everybody may write."""
    return []


@does(store.NEW_STORE)
def make_store(session: Session, identity: str) -> None:
    single = session.database.tables.single
    if single["identity"] is None:
        session.change([put(single, "identity", (identity,)), put(single, "old_chains", (0, b"", 0, b""))])


__all__ = ["LOG", "SNAPSHOT", "STATEMENTS", "does", "statement_of"]
