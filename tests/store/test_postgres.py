"""What holds of the store in PostgreSQL beside the contract: settings, schema, edits of rows, lost connections."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress

import asyncpg  # type: ignore[import-untyped]
import pytest

from casinowar.audit.database import AuditedDatabase
from casinowar.engine import events as e
from casinowar.house.house_writer import CHECKPOINT_MS, HouseWriter
from casinowar.store import (
    Answer,
    CommandReused,
    Overdrawn,
    StoreFailed,
    StoreFault,
    StoreInUse,
    ValueRefused,
    VersionConflict,
    audit,
    make_checkpoint,
    public_key,
)
from casinowar.store.chains import OldChains
from casinowar.store.checkpoints import Checkpoint
from casinowar.store.contract import LeaseLost
from casinowar.store.postgres import connection, group, medium, registry
from casinowar.store.postgres.connection import Connection, ConnectionLost, shown, split_durable
from casinowar.store.postgres.migrate import migrate_database, packaged_schema, schema_of, scripts
from casinowar.store.postgres.registry import DatabaseRegistry
from casinowar.store.postgres.store import PostgresStore
from tests.simulator.doors import DOORS
from tests.store.test_chains import KEY, night
from tests.store.test_store_contract import everything, fund, played, propose, write
from tests.support.postgres import Cluster

KILL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'casinowar'"


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(database)) as made:
        yield made


def name_of(url: str) -> str:
    return url.partition("@/")[2].partition("?")[0]


# Opening


def test_a_database_that_does_not_wait_for_the_disk_is_refused(database: str) -> None:
    with pytest.raises(StoreFault, match="fsync = off, and on is needed"):
        PostgresStore(database.replace("&durable=no", ""))


def test_a_commit_waits_for_the_disk(durable_cluster: Cluster) -> None:
    url = durable_cluster.new_house()
    assert "durable" not in url
    durable_cluster.run("ALTER ROLE casinowar SET synchronous_commit = off")
    with closing(PostgresStore(url)) as made:
        shows = [made._db.execute(f"SHOW {name}") for name in ("synchronous_commit", "fsync", "full_page_writes")]
    assert shows == [[("on",)]] * 3, "the role's own setting is not taken"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://ana:secret@127.0.0.1:1/house", r"ana@127\.0\.0\.1:1/house cannot be reached"),
        ("postgresql://ana:secret@/house?host=/nowhere", "ana@/nowhere/house cannot be reached"),
    ],
)
def test_a_database_that_is_not_there_is_one_line_without_the_password(url: str, says: str) -> None:
    with pytest.raises(StoreFailed, match=says) as told:
        PostgresStore(url)
    assert "secret" not in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "url",
    ["postgresql://ana:secret@127.0.0.1:999999/house", "postgresql://ana:secret@/house\udcff?host=/nowhere"],
)
def test_what_cannot_be_an_address_is_one_line_without_the_password(url: str) -> None:
    with pytest.raises(StoreFailed, match="this is no address of a database") as told:
        PostgresStore(url)
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("more", ["search_path=pg_temp", "options=-csearch_path=nowhere", "statement_timeout=1"])
def test_the_settings_of_a_url_do_not_stand_before_those_of_the_house(
    store: PostgresStore, database: str, more: str
) -> None:
    fund(store, "ana", 1000)
    with closing(PostgresStore(f"{database}&{more}")) as again:
        assert again.balance("purse:ana") == 1000
        assert again._db.execute("SHOW search_path") == [('"$user", public, pg_temp',)]
        assert again._db.execute("SHOW statement_timeout") == [("0",)]


def test_a_connection_that_sets_triggers_aside_is_refused(cluster: Cluster, database: str) -> None:
    """Which nobody may but a superuser; a role that serves is none, and cannot set what it has to its own value."""
    url = database.replace("casinowar@", "postgres@") + "&session_replication_role=replica"
    with pytest.raises(StoreFault, match="session_replication_role = replica, and origin is needed"):
        PostgresStore(url)
    with pytest.raises(StoreFailed, match="permission denied to set parameter"):
        PostgresStore(f"{database}&session_replication_role=replica")


def test_a_name_that_is_no_database_says_what_to_do(cluster: Cluster) -> None:
    with pytest.raises(StoreFailed, match="make it with createdb nowhere"):
        PostgresStore(cluster.url("nowhere"))


def test_the_address_is_told_without_its_secrets() -> None:
    url = "postgresql://ana:secret@db.example:5433/house?durable=no&sslmode=require"
    assert shown(url) == "postgresql://ana@db.example:5433/house"
    assert split_durable(url) == ("postgresql://ana:secret@db.example:5433/house?sslmode=require", False)


def test_the_packaged_schema_is_what_the_migrations_make(store: PostgresStore) -> None:
    assert schema_of(store._db) == packaged_schema()


def test_migrations_are_run_once_and_checked(cluster: Cluster) -> None:
    url = cluster.new_database()
    assert migrate_database(url, 0) == len(scripts())
    assert migrate_database(url, 0) == 0
    cluster.run("INSERT INTO migrations VALUES (99, '0099_later.sql', 'x', 0)", database=name_of(url))
    with pytest.raises(StoreFault, match="newer than this program"):
        PostgresStore(url)


@pytest.mark.parametrize(
    ("granted", "says"),
    [
        (None, "permission denied for table migrations: serve as the owner of the database, or let the owner grant"),
        ("SELECT", "its role may not write to the table account_changes: serve as the owner of the database"),
        ("SELECT, INSERT, UPDATE, DELETE", None),
    ],
)
def test_a_role_that_is_not_the_owner_needs_rights(
    cluster: Cluster, database: str, granted: str | None, says: str | None
) -> None:
    """With them it serves; without them it is told so before anything has begun, and no migration would help."""
    cluster.run("DROP ROLE IF EXISTS tenant", "CREATE ROLE tenant LOGIN")
    if granted:
        cluster.run(f"GRANT {granted} ON ALL TABLES IN SCHEMA public TO tenant", database=name_of(database))
    PostgresStore(database).close()
    url = database.replace("casinowar@", "tenant@")
    try:
        if says is not None:
            with pytest.raises(StoreFault, match=says):
                PostgresStore(url)
            return
        with closing(PostgresStore(url)) as made:
            played(made)
            assert made.head().events > 0
            assert audit(made) == []
    finally:
        cluster.run("DROP OWNED BY tenant", "DROP ROLE tenant", database=name_of(database))


def test_a_lone_server_has_its_database_to_itself(database: str) -> None:
    with closing(PostgresStore(database, is_alone=True)), pytest.raises(StoreInUse, match="another server works on"):
        PostgresStore(database, is_alone=True)
    PostgresStore(database, is_alone=True).close()


def test_it_is_the_same_store_when_opened_again(store: PostgresStore, database: str) -> None:
    played(store)
    make_checkpoint(store, KEY)
    with closing(PostgresStore(database)) as again:
        assert (everything(again), again.identity) == (everything(store), store.identity)
        write(again, "after", e.TimePassed(1))
    assert audit(store) == []


def test_a_server_that_comes_to_a_full_disk_says_so_in_one_line(simulated_database: str) -> None:
    database = DOORS[simulated_database].database
    DatabaseRegistry(simulated_database, 1).join("one", "secret", 1_000)
    database.disk = "full"
    with pytest.raises(StoreFailed, match="takes no server: no space left on device"):
        DatabaseRegistry(simulated_database, 2).join("two", "secret", 1_000)


@pytest.mark.parametrize("kind", ["database", "simulated_database"])
def test_a_server_that_leaves_is_known_to_leave_also_where_the_word_was_lost(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else tables would go on falling to it, and it would wait in vain to be rid of its own."""
    url = request.getfixturevalue(kind)
    with closing(PostgresStore(url, is_shared=True)) as store:
        looks = DatabaseRegistry(url, store.owner)
        looks.join("one", "s" * 32, 60_000)

        def fail(sql: str, values: tuple[object, ...] = ()) -> None:
            raise ConnectionLost("the database was away")

        with monkeypatch.context() as away:
            away.setattr(looks, "_execute", fail)
            looks.leave()
        looks.stay_awake(60_000)
        assert [one.is_leaving for one in looks.look().servers] == [True]
        looks.close()


def unreachable(url: str) -> Connection:
    raise ConnectionLost("the database was away")


def test_a_registry_without_a_connection_fails_and_one_that_gets_it_again_does_not(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its server went on, unseen by the others, and nobody reached its tables through them."""
    with closing(PostgresStore(database, is_shared=True)) as store:
        looks = DatabaseRegistry(database, store.owner)
        looks.join("one", "s" * 32, 60_000)
        monkeypatch.setattr(registry, "PAUSE_S", 0.0)
        looks.look()
        for _ in range(2):  # The second time begins anew.
            with monkeypatch.context() as away:
                away.setattr(registry, "AGAIN_S", 0.2)
                away.setattr(registry, "Connection", unreachable)
                cluster.run(f"SELECT pg_terminate_backend({looks._db.number})")
                assert [one.number for one in looks.look().servers] == [store.owner], "what the last look has shown"
                time.sleep(0.3)
                with pytest.raises(StoreFailed, match="no connection to look for the other servers"):
                    looks.look()
            assert [one.number for one in looks.look().servers] == [store.owner]
        looks.close()


def test_a_registry_tries_a_connection_that_is_not_to_be_had_once_for_all_that_is_said_in_a_moment(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each try may take ten seconds, in which the server answers nobody."""
    tries = list[str]()

    def connect(url: str) -> Connection:
        tries.append(url)
        return unreachable(url)

    with closing(PostgresStore(database, is_shared=True)) as store:
        looks = DatabaseRegistry(database, store.owner)
        looks.join("one", "s" * 32, 60_000)
        monkeypatch.setattr(registry, "PAUSE_S", 60.0)
        monkeypatch.setattr(registry, "Connection", connect)
        cluster.run(f"SELECT pg_terminate_backend({looks._db.number})")
        looks.look()
        looks.people(["t1"])
        looks.stay_awake(60_000)
        looks.tell("tables")
        assert len(tries) == 1
        monkeypatch.undo()
        looks.close()


def test_a_registry_whose_ear_was_refused_listens_when_it_comes_again(
    database: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = list[str]()
    with closing(PostgresStore(database, is_shared=True)) as store:
        looks = DatabaseRegistry(database, store.owner)
        looks.join("one", "s" * 32, 60_000)
        looks.listen(heard.append)
        monkeypatch.setattr(registry, "PAUSE_S", 0.0)
        with monkeypatch.context() as deaf:

            def refuse(*_: object) -> None:
                raise asyncpg.OutOfMemoryError("out of memory")

            deaf.setattr(Connection, "listen", refuse)
            cluster.run(f"SELECT pg_terminate_backend({looks._db.number})")
            looks.look()
        looks.look()
        heard.clear()
        looks.tell("tables")
        until = time.monotonic() + 20
        while not heard:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert heard == ["tables"]
        looks.close()


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ("customers (id BIGINT)", "customers"),
        ("events (id BIGINT)", "events"),
        ("migrations (id BIGINT, migration TEXT)", "migrations"),
    ],
)
def test_a_database_of_something_else_is_left_alone(cluster: Cluster, table: str, named: str) -> None:
    """It put its tables beside them without a word, or ended in a traceback."""
    url = cluster.new_database()
    with closing(Connection(url)) as other:
        other.run_script(f"CREATE TABLE {table}")
    said = rf"has tables of something else \({named}\): give the house a database of its own"
    with pytest.raises(StoreFault, match=said):
        PostgresStore(url)
    with closing(Connection(url, for_reading=True)) as seen:
        assert seen.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(1,)]


def test_who_may_not_read_the_tables_is_told_in_a_line(cluster: Cluster, database: str) -> None:
    """An audit ended in a traceback, with the exit status of a house in which something is wrong."""
    cluster.run("CREATE ROLE stranger LOGIN")
    try:
        with pytest.raises(StoreFailed, match=r"permission denied .* let the owner grant SELECT on all its tables"):
            PostgresStore(database.replace("://casinowar@", "://stranger@"), for_reading=True)
    finally:
        cluster.run("DROP ROLE stranger")


def test_an_address_with_an_at_sign_in_its_password_is_told_how_to_write_it() -> None:
    with pytest.raises(StoreFailed, match=r"cannot be reached: .*%40 for @"):
        Connection("postgresql://ana:s3cr@tpw@127.0.0.1:5432/house")


def test_the_log_says_when_the_database_went_and_when_it_came_back(
    store: PostgresStore, cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    cluster.run(KILL)
    fund(store, "ana", 1000)
    told = [one.message for one in caplog.records]
    assert told == ["the connection to the database is lost", "the database is there again"]
    assert caplog.records[1].__dict__["seconds"] >= 0


# What the database itself refuses


@pytest.mark.parametrize("table", ["events", "commands", "postings", "checkpoints", "identity", "migrations", "seeds"])
def test_the_database_itself_refuses_to_change_what_is_written(
    store: PostgresStore, cluster: Cluster, database: str, table: str
) -> None:
    night(store)
    sql = "SELECT column_name::text FROM information_schema.columns WHERE table_name = ? LIMIT 1"
    column = str(store._db.execute(sql, (table,))[0][0])
    for sql in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
        with pytest.raises(asyncpg.PostgresError, match="is append-only"):
            cluster.run(sql, database=name_of(database))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE balances SET balance = -1 WHERE account = 'purse:ana'",
        "DELETE FROM balances",
        "INSERT INTO events SELECT position + 2, stream, version + 1, name, entry, hash FROM events LIMIT 1",
        "INSERT INTO events SELECT position + 1, stream, version + 2, name, entry, hash FROM events LIMIT 1",
        "INSERT INTO commands SELECT number + 2, actor, 'x', entry, hash FROM commands LIMIT 1",
        "INSERT INTO commands SELECT number + 1, actor, command, entry, hash FROM commands LIMIT 1",
    ],
)
def test_the_database_itself_refuses_debts_gaps_and_repeated_ids(
    store: PostgresStore, cluster: Cluster, database: str, sql: str
) -> None:
    fund(store, "ana", 1000)
    with pytest.raises(asyncpg.IntegrityConstraintViolationError):
        cluster.run(sql, database=name_of(database))


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("DROP TRIGGER events_are_kept ON events", "trigger events.events_are_kept"),
        ("ALTER TABLE events DISABLE TRIGGER events_are_kept", "trigger events.events_are_kept"),
        ("ALTER TABLE balances DROP CONSTRAINT nobody_owes", "constraint balances.nobody_owes"),
        ("CREATE RULE quiet AS ON DELETE TO events DO INSTEAD NOTHING", "rule events.quiet"),
        ("ALTER TABLE postings DISABLE TRIGGER ALL", "trigger postings.postings_are_kept"),
        (
            "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "function refuse_change",
        ),
    ],
)
def test_a_changed_schema_is_found(store: PostgresStore, cluster: Cluster, database: str, sql: str, says: str) -> None:
    cluster.run(sql, database=name_of(database))
    assert any(says in fault for fault in store.form_faults())
    with pytest.raises(StoreFault, match="the schema"):
        PostgresStore(database)


EDITS = {
    "an entry": "UPDATE events SET entry = set_byte(entry, 40, get_byte(entry, 40) # 1) WHERE position = 5",
    "an event taken out": "DELETE FROM events WHERE position = 5",
    "two entries swapped": (
        "UPDATE events AS a SET entry = b.entry FROM events AS b "
        "WHERE a.position IN (4, 5) AND b.position = 9 - a.position"
    ),
    "the tail cut off": "DELETE FROM commands WHERE number = (SELECT max(number) FROM commands)",
    "a command": "UPDATE commands SET actor = 'player:zoe' WHERE number = 3",
    "a posting": "UPDATE postings SET amount = amount + 7 WHERE position = 1 AND line = 0",
    "a balance": "UPDATE balances SET balance = balance + 1 WHERE account = 'purse:ana'",
    "a leaf": "UPDATE leaves SET version = version - 1 WHERE number = 2",
    "a head": "UPDATE heads SET commands = commands - 1 WHERE stream = 'a'",
}


@pytest.mark.parametrize("what", [*EDITS, "nothing"])
def test_every_edit_of_rows_is_found(store: PostgresStore, cluster: Cluster, database: str, what: str) -> None:
    """By somebody who may set triggers aside; and nothing is found where nothing was changed."""
    made = night(store)
    if what in EDITS:
        aside = "SET session_replication_role = replica"
        cluster.run(f"DO $$ BEGIN {aside}; {EDITS[what]}; END $$", database=name_of(database))
    with closing(AuditedDatabase(database)) as audited:
        assert bool(audit(audited, public_key(KEY), made)) == (what in EDITS)


# The connection


def test_a_lost_connection_is_opened_again(store: PostgresStore, cluster: Cluster) -> None:
    fund(store, "ana", 5000)
    cluster.run(KILL)
    assert store.balance("purse:ana") == 5000
    cluster.run(KILL)
    write(store, "1", e.BoughtIn("ana", 3000))
    assert store.balance("purse:ana") == 2000


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.answer_to("player:ana", "1", b"{}"),
        lambda store: store.version("t1"),
        lambda store: list(store.read("t1")),
        lambda store: store.known_balance("purse:ana"),
        lambda store: store.stopped("t1"),
        lambda store: store.growth(),
        lambda store: store.snapshots("t1", "table/1"),
        lambda store: store.begin_together(),
    ],
)
def test_a_lost_connection_is_met_first_by_any_question(
    store: PostgresStore, cluster: Cluster, ask: Callable[[PostgresStore], object]
) -> None:
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 3000))
    cluster.run(KILL)
    with suppress(CommandReused):
        ask(store)
    write(store, "2", e.BoughtIn("ana", 1000))
    if store._is_together:
        store.finish_together()
    assert store.balance("purse:ana") == 1000


def test_a_group_goes_on_behind_a_lost_connection(store: PostgresStore, cluster: Cluster) -> None:
    fund(store, "ana", 5000)
    store.begin_together()
    write(store, "1", e.BoughtIn("ana", 3000))
    cluster.run(KILL)
    write(store, "2", e.WagerPlaced("ana", 1, "initial", 1000))
    cluster.run(KILL)
    with pytest.raises(Overdrawn):
        write(store, "3", e.WagerPlaced("ana", 1, "initial", 2001))
    cluster.run(KILL)
    store.finish_together()
    assert [one.command for one in store.read("t1")] == ["1", "2"]
    assert audit(store) == []


@pytest.mark.parametrize("written", [0, 1, 2])
def test_a_snapshot_of_a_group_is_there_though_the_connection_was_lost(
    store: PostgresStore, cluster: Cluster, database: str, written: int
) -> None:
    """The house counts it as saved; without it a start would read more, and the night's pages would be missing."""
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 3000))
    store.begin_together()
    if written:
        write(store, "2", e.BoughtIn("ana", 1000))
    version = store.version("t1")
    store.save_snapshot("t1", version, "test/1", b"first")
    if written == 2:
        cluster.run(KILL)
        write(store, "3", e.WagerPlaced("ana", 1, "initial", 100))
        store.save_snapshot("t1", version + 1, "test/1", b"second")
    cluster.run(KILL)
    with closing(PostgresStore(database)) as other:
        fund(other, "ben", 1000, "fund ben")  # What the group has written gets another place in the log.
    store.finish_together()
    saved = [(one.version, one.body) for one in store.snapshots("t1", "test/1")]
    assert saved == [(version + 1, b"second"), (version, b"first")][2 - max(written, 1) :]
    assert audit(store) == []


@pytest.mark.parametrize("is_together", [False, True])
def test_a_snapshot_is_saved_of_what_somebody_else_has_written_last(
    store: PostgresStore, database: str, is_together: bool
) -> None:
    """A server that had once written to the house's stream saved no snapshot of it any more after another one wrote."""
    write(store, "1", e.PlayerSeated("ana", 1))
    store.save_snapshot("t1", 1, "test/1", b"first")
    with closing(PostgresStore(database)) as other:
        write(other, "2", e.PlayerSeated("ben", 2))
    if is_together:
        store.begin_together()
    with pytest.raises(VersionConflict, match="t1 is at version 2, not 1"):
        store.save_snapshot("t1", 1, "test/1", b"late")
    store.save_snapshot("t1", 2, "test/1", b"second")
    if is_together:
        store.finish_together()
    assert [one.body for one in store.snapshots("t1", "test/1")] == [b"second", b"first"]
    assert audit(store) == []


def test_two_who_save_a_snapshot_of_the_house_at_once_wait_for_nothing(store: PostgresStore, database: str) -> None:
    """The one had the log and waited for the other's row, and the other waited for the log: one of them ended."""
    for name in ("ana", "ben"):
        fund(store, name, 1000, f"fund {name}")
    version = store.version("cage")
    with closing(PostgresStore(database)) as other, ThreadPoolExecutor(1) as another:
        another.submit(other.begin_together).result(30)
        another.submit(other.save_snapshot, "cage", version, "house/1", b"theirs").result(30)
        another.submit(write, other, "b", e.BoughtIn("ben", 100), stream="b").result(30)
        another.submit(time.sleep, 1.5)
        ended = another.submit(other.finish_together)
        store.begin_together()
        write(store, "a", e.BoughtIn("ana", 100), stream="a")
        store.head()  # The end of the log is locked from here on.
        with pytest.raises(StoreInUse, match="another server writes a snapshot of cage just now"):
            store.save_snapshot("cage", version, "house/1", b"ours")
        store.finish_together()
        ended.result(30)
    assert [one.body for one in store.snapshots("cage", "house/1")] == [b"theirs"]
    assert audit(store) == []


def test_a_group_that_is_ended_by_a_lock_keeps_its_snapshots(store: PostgresStore, database: str) -> None:
    """A lock that is not free ends the group early, also where nothing but a snapshot waits in it."""
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 3000))
    with closing(PostgresStore(database)) as other, ThreadPoolExecutor(1) as another:
        another.submit(other.begin_together).result(30)
        another.submit(other.known_balance, "purse:ana").result(30)
        store.begin_together()
        store.save_snapshot("t1", store.version("t1"), "test/1", b"body")
        another.submit(time.sleep, 0.3)
        letting_go = another.submit(other.finish_together)
        assert store.known_balance("purse:ana") == 2000
        store.finish_together()
        letting_go.result(30)
    assert [one.body for one in store.snapshots("t1", "test/1")] == [b"body"]


def test_a_checkpoint_in_a_group_is_of_one_moment_though_others_write(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group that has begun and has nothing to write yet: two servers of a new house came to it at their start."""
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 3000))
    with closing(PostgresStore(database)) as other, ThreadPoolExecutor(1) as another:
        writing = list[Future[Answer]]()

        def old_chains() -> OldChains:
            if not writing:
                writing.append(another.submit(fund, other, "ben", 1000, "2"))
                wait(writing, timeout=0.5)  # It is done by then, or waits for the group.
            return PostgresStore.old_chains(store)

        monkeypatch.setattr(store, "old_chains", old_chains)
        store.begin_together()
        assert write(store, "1", e.BoughtIn("ana", 3000)).is_repeated
        make_checkpoint(store, KEY)
        store.finish_together()
        assert not writing[0].result(30).is_repeated
    assert audit(store) == []


def test_of_two_who_sign_at_one_moment_one_is_told_that_the_other_has(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers that began together on a new house: the second to sign took the first one's tree for a wrong log."""
    fund(store, "ana", 5000)
    with closing(PostgresStore(database)) as other:
        signed = list[Checkpoint]()

        def last_checkpoint() -> Checkpoint | None:
            last = PostgresStore.last_checkpoint(store)
            if not signed:
                signed.append(make_checkpoint(other, KEY))
            return last

        monkeypatch.setattr(store, "last_checkpoint", last_checkpoint)
        with pytest.raises(VersionConflict):
            make_checkpoint(store, KEY)
        assert store.checkpoints() == signed
        fund(store, "ana", 1000, "2")
        make_checkpoint(store, KEY)
    assert audit(store, public_key(KEY)) == []


def test_a_group_is_not_written_behind_the_back_of_another(
    store: PostgresStore, cluster: Cluster, database: str
) -> None:
    """While the connection was lost somebody else has taken the stream on: that is told, and nothing is written."""
    write(store, "1", e.PlayerSeated("ana", 1))
    store.begin_together()
    store.commit(propose(store, "2", e.PlayerSeated("ana", 3), expected=1))
    cluster.run(KILL)
    with closing(PostgresStore(database)) as other:
        write(other, "3", e.PlayerSeated("ben", 2))
        with pytest.raises(StoreFailed, match="was not written, and t1 has gone on"):
            store.finish_together()
        with pytest.raises(StoreFailed):
            store.balance("purse:ana")
        assert [one.command for one in other.read("t1")] == ["1", "3"]
        assert audit(other) == []


@pytest.mark.parametrize("odd", ["a\0", "\ud800", "é\0"])
def test_what_a_database_cannot_hold_is_refused_alone(store: PostgresStore, odd: str) -> None:
    """The group that it was to be a part of goes on, on the same connection, and so does whoever reads."""
    fund(store, "ana", 5000)
    connection = store.connection
    store.begin_together()
    write(store, "1", e.BoughtIn("ana", 3000))
    for event, actor in ((e.BoughtIn("ana", 1), odd), (e.BoughtIn(odd, 1), "player:ana")):
        with pytest.raises(ValueRefused):
            store.commit(propose(store, "odd", event, actor=actor))
    write(store, "2", e.BoughtIn("ana", 1000))
    store.finish_together()
    with pytest.raises(ValueRefused):
        store.balance(f"purse:{odd}")
    assert (store.balance("purse:ana"), store.connection) == (1000, connection)
    assert audit(store) == []


# Two at once


def test_whoever_meets_a_purse_that_is_held_waits_and_is_told(store: PostgresStore, database: str) -> None:
    with closing(PostgresStore(database)) as other, ThreadPoolExecutor(2) as pool:
        fund(store, "ana", 1000)
        fund(store, "ben", 1000, "fund ben")
        store.begin_together()
        write(store, "1", e.BoughtIn("ana", 100), stream="a")
        started = pool.submit(_second_group, other)
        assert started.result(30) == "waits"
        write(store, "2", e.BoughtIn("ben", 100), stream="a")
        store.finish_together()
        assert (store.balance("purse:ana"), store.balance("purse:ben")) == (900, 900)
        assert audit(store) == []


def _second_group(other: PostgresStore) -> str:
    """Its purse is held: the id and the stream were free, and it gives up when the wait is over."""
    other._db.execute("SET lock_timeout = 200")
    with pytest.raises(StoreInUse, match="try again"):
        write(other, "3", e.BoughtIn("ana", 100), stream="b")
    return "waits"


@pytest.mark.parametrize("is_patient", [True, False])
def test_a_group_waits_for_another_server_whose_flush_is_slow(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch, is_patient: bool
) -> None:
    """Where the disk of the database stood still for some seconds, all servers but one would end."""
    fund(store, "ana", 1000)
    monkeypatch.setitem(connection.SETTINGS, "lock_timeout", "100")
    if not is_patient:
        monkeypatch.setattr(group, "AGAIN_S", 0)

    def write_together(other: PostgresStore) -> None:
        other.begin_together()
        write(other, "1", e.BoughtIn("ana", 600))
        other.finish_together()

    with (
        closing(PostgresStore(database)) as other,
        ThreadPoolExecutor(1) as pool,
        closing(Connection(database)) as slow,
    ):
        slow.run_script("BEGIN; SELECT lock_log()")
        written = pool.submit(write_together, other)
        if is_patient:
            time.sleep(0.6)
            assert not written.done()
        else:
            with pytest.raises(StoreFailed, match="lock timeout"):
                written.result(20)
        slow.run_script("COMMIT")
        if is_patient:
            written.result(20)
    assert store.balance("purse:ana") == (400 if is_patient else 1000)
    assert audit(store) == []


def test_a_store_whose_database_is_away_names_it_once(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(PostgresStore(database)) as store:
        monkeypatch.setattr(medium, "AGAIN_S", 0)
        store.url = "postgresql://ana@127.0.0.1:1/house"
        store.path = shown(store.url)
        store._db.close(at_once=True)
        with pytest.raises(StoreFailed) as told:
            store.head()
    assert str(told.value).count("127.0.0.1:1") == 1


def test_who_waits_for_the_end_of_the_log_keeps_what_it_rests_on(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third server, which waited for the same purse, took it meanwhile, and the one that waited longest ended."""
    fund(store, "ana", 1000)
    monkeypatch.setitem(connection.SETTINGS, "lock_timeout", "1000")

    def together(of: PostgresStore, stream: str) -> bool:
        of.begin_together()
        try:
            of.known_balance("purse:ana")
            write(of, stream, e.BoughtIn("ana", 100), stream=stream)
        except StoreInUse:
            return False
        finally:
            of.finish_together()
        return True

    with (
        closing(PostgresStore(database)) as second,
        closing(PostgresStore(database)) as third,
        ThreadPoolExecutor(2) as pool,
        closing(Connection(database)) as slow,
    ):
        slow.run_script("BEGIN; SELECT lock_log()")
        first = pool.submit(together, second, "b")
        wait([first], timeout=0.5)
        other = pool.submit(together, third, "c")
        wait([other], timeout=1.2)
        slow.run_script("COMMIT")
        assert first.result(30)
        spent = 100 * (1 + other.result(30))
    assert store.balance("purse:ana") == 1000 - spent
    assert audit(store) == []


def test_a_group_whose_connection_was_lost_waits_for_its_locks_as_long_as_others_may_hold_them(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another group may wait for the end of the log with them."""
    fund(store, "ana", 1000)
    monkeypatch.setitem(connection.SETTINGS, "lock_timeout", "100")
    with (
        closing(PostgresStore(database)) as other,
        closing(Connection(database)) as slow,
        ThreadPoolExecutor(1) as pool,
    ):
        pool.submit(other.begin_together).result(20)
        pool.submit(write, other, "1", e.BoughtIn("ana", 600)).result(20)
        other._db.close(at_once=True)
        slow.run_script("BEGIN; SELECT * FROM balances WHERE account = 'purse:ana' FOR UPDATE")
        written = pool.submit(other.finish_together)
        time.sleep(0.6)
        assert not written.done()
        slow.run_script("COMMIT")
        written.result(20)
    assert store.balance("purse:ana") == 400


def test_a_checkpoint_waits_for_another_minute_where_another_server_is_slow(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It came out of the settling of what clients had done, and ended the connection of one of them."""
    monkeypatch.setitem(connection.SETTINGS, "lock_timeout", "100")
    now = [0]
    with closing(PostgresStore(database)) as store, closing(Connection(database)) as slow:
        fund(store, "ana", 1000)
        writer = HouseWriter(store, lambda: now[0], KEY)
        now[0] = CHECKPOINT_MS
        writer.gather()
        slow.run_script("BEGIN; SELECT lock_log()")
        writer.settle()
        assert (writer.out_of_service, store.checkpoints()) == (None, [])
        slow.run_script("COMMIT")
        now[0] += CHECKPOINT_MS
        writer.check()
        assert len(store.checkpoints()) == 1


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("CONNECTION LIMIT 0", "CONNECTION LIMIT -1"),
        ("SET session_replication_role = replica", "RESET session_replication_role"),
    ],
)
def test_a_database_that_is_not_as_it_should_be_for_a_moment_is_tried_again(
    store: PostgresStore, cluster: Cluster, database: str, worse: str, better: str
) -> None:
    """It has no connection left after a loss, or another setting: the house went out of service at once."""
    fund(store, "ana", 1000)
    alter = f"ALTER DATABASE {name_of(database)}"
    store.begin_together()
    write(store, "1", e.BoughtIn("ana", 100))
    with ThreadPoolExecutor(1) as pool:
        cluster.run(f"{alter} {worse}", KILL)
        pool.submit(time.sleep, 0.5)
        mended = pool.submit(cluster.run, f"{alter} {better}")
        store.finish_together()
        mended.result(30)
    assert store.balance("purse:ana") == 900
    assert audit(store) == []


def test_a_lease_has_one_owner_and_a_fence_that_grows(store: PostgresStore, database: str) -> None:
    with closing(PostgresStore(database)) as other:
        assert store.take_lease("t1") == 1
        with pytest.raises(StoreInUse, match="t1 is decided by another server"):
            other.take_lease("t1")
        with pytest.raises(LeaseLost):
            write(other, "1", e.PlayerSeated("ana", 1))
        write(store, "2", e.PlayerSeated("ana", 1))
        assert store.renew_leases() == set()
        store.release_lease("t1")
        assert other.take_lease("t1") == 2
        write(other, "3", e.PlayerSeated("ben", 2))
        with pytest.raises(LeaseLost):
            write(store, "4", e.PlayerSeated("cat", 3))
        assert write(store, "5", e.PlayerSeated("cat", 3), stream="t2").version == 1, "others go on"
        assert [one.command for one in store.read("t1")] == ["2", "3"]


def test_a_lease_that_somebody_else_has_written_down_runs_out(store: PostgresStore, database: str) -> None:
    """Otherwise a server that knows nothing of it would renew it, and nobody would decide the table."""
    with closing(PostgresStore(database)) as other:
        assert other.take_lease("t1") == 1
        over = "clock_timestamp() - interval '1 hour'"
        other._db.execute(f"UPDATE leases SET owner = ?, fence = 2, until = {over} WHERE stream = 't1'", (store.owner,))
        assert store.renew_leases() == set()
        assert other.take_lease("t1") == 3


def test_the_database_ends_an_owner_that_pauses_within_a_transaction(
    store: PostgresStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long before its lease has run out: it holds locks for which others wait."""
    assert connection.IDLE_MS < connection.LOCK_MS
    fund(store, "ana", 1000)
    monkeypatch.setattr(connection, "IDLE_MS", 300)
    with closing(PostgresStore(database)) as owner:
        owner.lease_ms = 3_600_000
        owner.take_lease("t1")
        owner.begin_together()
        write(owner, "1", e.BoughtIn("ana", 1000))
        with pytest.raises(StoreInUse):
            store.take_lease("t1")
        until = time.monotonic() + 20
        while "t1" not in store.leases:
            assert time.monotonic() < until, "it holds its locks for good"
            with suppress(StoreInUse):
                store.take_lease("t1")
        write(store, "2", e.BoughtIn("ana", 600))
        with pytest.raises((LeaseLost, StoreFailed)):
            owner.finish_together()
        assert [one.command for one in store.read("t1")] == ["2"]
        assert store.balance("purse:ana") == 400
        assert audit(store) == []


def test_the_lease_of_an_owner_that_is_gone_is_free_at_once(database: str) -> None:
    first, second = PostgresStore(database), PostgresStore(database)
    first.lease_ms = 3_600_000  # It would not end by itself.
    first.take_lease("t1")
    first._db.close(at_once=True)
    taken, until = None, time.monotonic() + 30  # The database sees a closed connection when it comes to it.
    while taken is None:
        try:
            taken = second.take_lease("t1")
        except StoreInUse:
            assert time.monotonic() < until
    assert taken == 2
    second.close()
