"""Commits together: one transaction for a group, and each member of it all or nothing for itself."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.store import (
    CashedOut,
    CommandReused,
    Imbalance,
    MemoryStore,
    Overdrawn,
    Proposal,
    Recorded,
    SqliteStore,
    Store,
    StoreFailed,
    StoreFault,
    StreamStopped,
    VersionConflict,
    audit,
    make_checkpoint,
)
from casinowar.store.sqlite.connection import execute
from tests.store.test_store_contract import everything, fund, write
from tests.support.stores import KINDS, new_store

COMMITTED = "a" * 64


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    clock = iter(range(1, 10**9))
    made = new_store(request, tmp_path / "war.db", lambda: next(clock))
    yield made
    made.close()


def test_what_was_written_together_is_read_in_between_and_behind(store: Store) -> None:
    store.begin_together()
    fund(store, "ana", 5000)
    assert (store.balance("purse:ana"), store.version("cage")) == (5000, 1)
    write(store, "1", e.BoughtIn("ana", 3000))
    again = store.answer_to("player:ana", "1", b"1")
    assert again is not None
    assert [one.event for one in store.read("t1")] == [e.BoughtIn("ana", 3000)]
    store.finish_together()
    assert (store.balance("purse:ana"), store.balance("chips:t1:ana")) == (2000, 3000)
    assert audit(store) == []


def test_a_command_of_before_is_known_as_often_as_it_comes_again_in_a_group(store: Store) -> None:
    """The second copy would be done once more, and the database refuse all of the group for it."""
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 1000))
    store.begin_together()
    write(store, "2", e.BoughtIn("ana", 1000))
    for _ in range(3):
        assert store.answer_to("player:ana", "1", b"1") is not None
        assert write(store, "1", e.BoughtIn("ana", 1000)).is_repeated
    store.finish_together()
    assert (store.version("t1"), store.balance("purse:ana")) == (2, 3000)


def test_a_group_is_the_same_as_its_members_one_by_one(tmp_path: Path) -> None:
    """The rows are the same bytes: a group leaves no trace in the log."""

    def play(store: Store) -> None:
        fund(store, "ana", 5000)
        write(store, "1", e.BoughtIn("ana", 3000))
        with pytest.raises(Overdrawn):
            write(store, "2", e.WagerPlaced("ana", 1, "initial", 3001))
        write(store, "3", e.WagerPlaced("ana", 1, "initial", 3000))
        make_checkpoint(store, key)

    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    alone, grouped = MemoryStore(lambda: 7), MemoryStore(lambda: 7)
    grouped.identity = alone.identity
    play(alone)
    grouped.begin_together()
    play(grouped)
    grouped.finish_together()
    assert everything(alone) == everything(grouped)


def _stale(store: Store) -> None:
    write(store, "x", e.PlayerSeated("ben", 2), expected=7)


def _overdrawn(store: Store) -> None:
    write(store, "x", e.BoughtIn("ana", 5001), stream="t2")


def _late_overdrawn(store: Store) -> None:
    write(store, "x", e.BoughtIn("ana", 1000), e.WagerPlaced("ana", 1, "initial", 1001), stream="t2")


def _reused(store: Store) -> None:
    write(store, "1", e.PlayerSeated("ana", 2), body=b"other")


def _bad_seed(store: Store) -> None:
    write(store, "x", e.PlayerSeated("ben", 2), seeds=((COMMITTED, b"short"),))


REFUSALS: dict[str, tuple[Callable[[Store], None], type[Exception]]] = {
    "stale version": (_stale, VersionConflict),
    "overdrawn": (_overdrawn, Overdrawn),
    "overdrawn by its last event": (_late_overdrawn, Overdrawn),
    "id reused": (_reused, CommandReused),
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refused_member_leaves_nothing_and_harms_no_other(store: Store, kind: str) -> None:
    refused, error = REFUSALS[kind]
    store.begin_together()
    fund(store, "ana", 5000)
    write(store, "1", e.BoughtIn("ana", 1000))
    before = everything(store)
    with pytest.raises(error):
        refused(store)
    assert everything(store) == before
    assert write(store, "2", e.BoughtIn("ana", 4000)).version == 2
    store.finish_together()
    assert (store.balance("purse:ana"), store.balance("chips:t1:ana")) == (0, 5000)
    assert audit(store) == []


def test_a_member_that_the_database_refuses_harms_no_other(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        store.begin_together()
        write(store, "1", e.PlayerSeated("ana", 1))
        with pytest.raises(StoreFault):
            _bad_seed(store)
        write(store, "2", e.PlayerSeated("ben", 2))
        store.finish_together()
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        assert [one.command for one in store.read("t1")] == ["1", "2"]
        assert audit(store) == []


def test_an_imbalance_stops_its_table_and_no_other_in_the_group(store: Store) -> None:
    store.begin_together()
    fund(store, "ana", 5000)
    with pytest.raises(Imbalance):
        write(store, "1", e.BoughtIn("ana", 3000), table=Table(players={"ana": 3001}, bought_in=3001))
    with pytest.raises(StreamStopped):
        write(store, "2", e.PlayerSeated("ana", 1))
    assert write(store, "2", e.PlayerSeated("ana", 1), stream="t2").version == 1
    store.finish_together()
    assert store.stopped("t1")
    assert (store.balance("purse:ana"), store.version("t2")) == (5000, 1)
    store.begin_together()
    store.clear("t1", "operator:o1", "the cause was found")
    assert write(store, "3", e.PlayerSeated("ana", 1)).version == 3
    store.finish_together()
    assert store.stopped("t1") is None
    assert audit(store) == []


def test_a_repeated_id_in_a_group_has_one_effect(store: Store) -> None:
    fund(store, "ana", 5000)
    store.begin_together()
    first = write(store, "1", e.BoughtIn("ana", 3000))
    again = write(store, "1", e.BoughtIn("ana", 3000))
    store.finish_together()
    assert (first.is_repeated, again.is_repeated) == (False, True)
    assert store.balance("chips:t1:ana") == 3000


def test_a_group_begins_once_and_ends_once(store: Store) -> None:
    with pytest.raises(RuntimeError, match="no group"):
        store.finish_together()
    store.begin_together()
    with pytest.raises(RuntimeError, match="already"):
        store.begin_together()
    fund(store, "ana", 1)
    store.finish_together()
    with pytest.raises(RuntimeError, match="no group"):
        store.finish_together()
    assert store.balance("purse:ana") == 1
    store.begin_together()
    store.finish_together()


def test_other_threads_wait_for_the_end_of_a_group(store: Store) -> None:
    """They read and write through the same store, and never see an unfinished group."""
    asked = threading.Event()

    def read() -> int:
        asked.set()
        return store.balance("purse:ana")

    with ThreadPoolExecutor(1) as pool:
        store.begin_together()
        fund(store, "ana", 5000)
        told = pool.submit(read)
        assert asked.wait(10)
        assert not told.done()
        write(store, "1", e.BoughtIn("ana", 3000))
        store.finish_together()
        assert told.result(10) == 2000


def test_two_threads_that_group_their_commits_take_turns(store: Store) -> None:
    """Every thread spends what it has read in its own group: none of it twice."""
    fund(store, "ana", 10_000)

    def spend(thread: int) -> int:
        taken = 0
        for number in range(15):
            store.begin_together()
            for part in range(3):
                try:
                    write(store, f"{thread}-{number}-{part}", e.BoughtIn("ana", 100), stream=f"t{thread}")
                    taken += 1
                except Overdrawn:
                    pass
            store.finish_together()
        return taken

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(spend, range(4))) == 100
    assert store.balance("purse:ana") == 0
    assert audit(store) == []


# The file


def test_a_reader_of_the_file_sees_a_group_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "war.db"
    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 5000)
        with closing(SqliteStore(file, for_reading=True)) as reader:
            store.begin_together()
            write(store, "1", e.BoughtIn("ana", 3000))
            write(store, "2", e.PlayerSeated("ana", 1))
            assert (reader.balance("purse:ana"), reader.version("t1")) == (5000, 0)
            assert reader.answer_to("player:ana", "1", b"1") is None
            store.finish_together()
            assert (reader.balance("purse:ana"), reader.version("t1")) == (2000, 2)


def test_a_group_that_is_open_at_the_close_is_rolled_back(tmp_path: Path) -> None:
    file = tmp_path / "war.db"
    store = SqliteStore(file)
    fund(store, "ana", 5000)
    store.begin_together()
    write(store, "1", e.BoughtIn("ana", 3000))
    store.close()
    with closing(SqliteStore(file)) as store:
        assert (store.balance("purse:ana"), store.version("t1")) == (5000, 0)
        assert audit(store) == []


def test_a_group_whose_end_fails_ends_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: SqliteStore) -> None:
        raise apsw.IOError("the disk is gone")

    file = tmp_path / "war.db"
    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 1000)
        store.begin_together()
        fund(store, "ana", 1000, "2")
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "_seal", broken)
            with pytest.raises(StoreFailed):
                store.finish_together()
        for ask in (store.begin_together, store.finish_together, lambda: store.balance("purse:ana")):
            with pytest.raises(StoreFailed):
                ask()
        with ThreadPoolExecutor(1) as pool, pytest.raises(StoreFailed):
            pool.submit(store.balance, "purse:ana").result(10)
    with closing(SqliteStore(file)) as store:
        assert store.balance("purse:ana") == 1000


def test_balances_in_memory_do_not_hide_what_the_file_holds(tmp_path: Path) -> None:
    """A balance is changed behind the store's back; the next commit and the audit see it."""
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        fund(store, "ana", 5000)
        write(store, "1", e.BoughtIn("ana", 3000), table=Table(players={"ana": 3000}, bought_in=3000))
        execute(store._db, "UPDATE balances SET balance = balance + 7 WHERE account = 'purse:ana'")
        execute(store._db, "UPDATE balances SET balance = balance - 7 WHERE account = 'chips:t1:ana'")
        assert store.balance("purse:ana") == 2007
        found = audit(store)
        assert [one.partition(":")[0] for one in found] == ["chips", "purse"], found
        with pytest.raises(Imbalance, match="chips:t1:ana holds 3093 by the ledger and 3100 by the table"):
            write(store, "2", e.BoughtIn("ana", 100), table=Table(players={"ana": 3100}, bought_in=3100))


def send(store: Store, command: str, version: int, event: Recorded, stream: str = "t1") -> None:
    """Commit behind a version that the sender knows, so that nothing is read."""
    store.commit(
        Proposal(
            stream=stream, expected=version, actor="player:ana", command=command, body=b"", answer="", events=(event,)
        )
    )


def test_a_group_that_the_file_does_not_bear_out_ends_the_store(tmp_path: Path) -> None:
    """What is in memory until the end of a group is compared with the file there, and none of it is acknowledged."""
    file = tmp_path / "war.db"
    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 5000)
        assert [store.stopped(stream) for stream in ("t1", "t2")] == [None, None]
        execute(store._db, "UPDATE balances SET balance = balance + 7 WHERE account = 'purse:ana'")
        execute(store._db, "UPDATE balances SET balance = balance - 7 WHERE account = 'issuance'")
        store.begin_together()
        send(store, "0", 0, e.PlayerSeated("ben", 2), "t2")
        send(store, "1", 0, e.BoughtIn("ana", 3000))
        with pytest.raises(StoreFailed, match="purse:ana holds 2007"):
            store.finish_together()
        with pytest.raises(StoreFailed):
            store.balance("purse:ana")
    with closing(SqliteStore(file, for_reading=True)) as store:
        assert (store.version("t1"), store.version("t2"), store.balance("purse:ana")) == (0, 0, 5007)


def test_a_group_moves_each_balance_once_and_opens_the_same_accounts(tmp_path: Path) -> None:
    """Chips that come and go within a group leave an account with nothing, as they do one by one."""

    def play(store: SqliteStore) -> None:
        fund(store, "ana", 5000)
        for version in range(0, 16, 4):
            send(store, f"{version}a", version, e.BoughtIn("ana", 100))
            send(store, f"{version}b", version + 1, e.WagerPlaced("ana", 1, "initial", 100))
            send(store, f"{version}c", version + 2, e.WagerWithdrawn("ana", 1, "initial", 100))
            send(store, f"{version}d", version + 3, CashedOut("ana", 100))

    told = []
    for name in ("alone", "grouped"):
        with closing(SqliteStore(tmp_path / f"{name}.db")) as store:
            execute(store._db, "CREATE TEMP TABLE moves (account)")
            execute(
                store._db,
                "CREATE TEMP TRIGGER moved AFTER UPDATE ON balances BEGIN INSERT INTO moves VALUES (NEW.account); END",
            )
            if name == "grouped":
                store.begin_together()
            play(store)
            if name == "grouped":
                store.finish_together()
            told.append((store.balances(), len(list(store.posting_rows())), audit(store)))
            moves = int(str(execute(store._db, "SELECT count(*) FROM moves")[0][0]))
            assert moves < 10 if name == "grouped" else moves > 20, "a first look at an account writes what is there"
    assert told[0] == told[1]


def test_what_the_writer_knows_is_what_the_file_holds(tmp_path: Path) -> None:
    """After each commit, refused or not, the writer's events and balances are those of whoever opens the file."""
    with (
        closing(SqliteStore(tmp_path / "war.db")) as store,
        closing(SqliteStore(tmp_path / "war.db", for_reading=True)) as other,
    ):

        def compare(after: int) -> None:
            assert list(store.read("t1", after)) == list(other.read("t1", after))
            for account in ("purse:ana", "chips:t1:ana", "escrow:t1", "purse:nobody"):
                assert store.known_balance(account) == other.balance(account)

        fund(store, "ana", 5000)
        compare(0)
        write(store, "1", e.BoughtIn("ana", 3000))
        compare(0)
        with pytest.raises(Overdrawn):
            write(store, "2", e.WagerPlaced("ana", 1, "initial", 3001))
        compare(1)
        write(store, "3", e.WagerPlaced("ana", 1, "initial", 2000))
        compare(1)
        compare(0)
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        assert [store.known_balance(account) for account in ("purse:ana", "chips:t1:ana")] == [2000, 1000]


def test_few_balances_are_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casinowar.store.sqlite.store.BALANCES_KEPT", 10)
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        for number in range(50):
            fund(store, f"p{number}", 100, str(number))
            assert len(store._balances) <= 12
        assert store.total() == 0
        assert audit(store) == []
