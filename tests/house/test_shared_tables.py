"""Tables that several servers share, with real houses on one database and without sockets."""

import logging
import time
from contextlib import ExitStack, closing

import pytest

from casinowar.audit import Audit
from casinowar.audit.database import AuditedDatabase
from casinowar.fairness import practice_bytes
from casinowar.house.house import House
from casinowar.house.shared_tables import SharedTables
from casinowar.protocol import Done
from casinowar.store import StoreFault, StoreInUse
from casinowar.store.postgres.connection import Connection
from casinowar.store.postgres.registry import DatabaseRegistry
from casinowar.store.postgres.store import PostgresStore
from tests.house.test_live_limits import QUICK, wager
from tests.support.live_night import Clock, Night, table
from tests.support.postgres import Cluster


class Shared(Night):
    """A night of one of several houses on a database."""

    store: PostgresStore

    def __init__(self, url: str, stack: ExitStack, clock: Clock) -> None:
        store = PostgresStore(url, clock.now, is_shared=True)
        stack.callback(store.close)
        self.registry = DatabaseRegistry(url, store.owner)
        stack.callback(self.registry.close)
        self.registry.join("127.0.0.1:1", "0" * 96, 10_000)
        tables = (table("t", "nz", timers=QUICK), table("u", "nz", timers=QUICK))
        super().__init__(*tables, store=store, clock=clock, source=practice_bytes("limits"))

    def open(self) -> House:
        return House(self.store, self.settings, tick=self.clock.tick, source=self.source, registry=self.registry)

    @property
    def shared(self) -> SharedTables:
        assert self.house.shared is not None
        return self.house.shared


def test_what_is_lost_at_a_table_that_was_taken_away_is_counted(database: str, cluster: Cluster) -> None:
    """It was taken for one's own still when others were followed: a player could lose more than the limit."""
    clock = Clock()
    with ExitStack() as stack:
        first = Shared(database, stack, clock)
        first.shared.look()
        for name in ("t", "u"):
            first.sit("ann", table=name)
            first.until_ready(name)
        assert isinstance(first.house.set_limits("ann", "l", 50_000, None), Done)
        second = Shared(database, stack, clock)
        second.house.follow_others()
        cluster.run(f"SELECT pg_terminate_backend({first.store.connection})")
        until = time.monotonic() + 30
        while not second.shared._take_up(second.house.listed["u"], is_new_start=False):
            assert time.monotonic() < until
        assert isinstance(second.act("ann", **wager(2_000), table="u"), Done)
        assert second.house.player("ann").lost_today == 2_000
        assert isinstance(first.act("ann", **wager(500), table="t"), Done)
        first.shared.renew()
        assert set(first.house.tables) == {"t"}
        first.shared.follow(None)
        assert first.house.player("ann").lost_today == 2_500
        assert isinstance(second.act("ann", **wager(500), table="u"), Done)
        first.shared.follow(None)
        assert first.house.player("ann").lost_today == 3_000, "each once"


def two_houses(database: str, stack: ExitStack) -> tuple[Shared, Shared]:
    """Two houses on a database, with ann and ben at both tables: the first decides `t`, and the second `u`."""
    clock = Clock()
    first = Shared(database, stack, clock)
    first.shared.look()
    for name in ("t", "u"):
        first.sit("ann", "ben", table=name)
        first.until_ready(name)
    second = Shared(database, stack, clock)
    second.house.follow_others()
    first.shared.give([first.house.tables["u"].stream])
    assert second.shared._take_up(second.house.listed["u"], is_new_start=False)
    return first, second


def lose_connection(night: Shared, cluster: Cluster) -> None:
    cluster.run(f"SELECT pg_terminate_backend({night.store.connection})")


BEN = wager(500) | {"player": "ben", "box": 2}
TIE = wager(500, "tie") | {"player": "ben", "box": 2}


@pytest.mark.parametrize("is_lost", [False, True], ids=["kept", "lost"])
def test_places_that_a_group_loses_with_its_connection_are_read_when_others_have_them(
    database: str, cluster: Cluster, is_lost: bool
) -> None:
    """They had been passed by: what somebody lost there was counted for no limit."""
    with ExitStack() as stack:
        first, second = two_houses(database, stack)
        assert isinstance(first.house.set_limits("ann", "l", 8_000, None), Done)
        assert isinstance(first.house.set_limits("ben", "lb", 90_000, None), Done)
        second.house.follow_others()
        first.house.gather()
        assert isinstance(first.act("ben", **BEN, table="t"), Done)
        assert isinstance(first.act("ben", **TIE, table="t"), Done)
        if is_lost:
            lose_connection(first, cluster)
        else:
            first.house.settle()
        assert isinstance(second.act("ann", **wager(2_000), table="u"), Done)
        first.house.settle()
        assert first.house.out_of_service is None
        for one in (first, second):
            one.shared.follow(None)
            assert [one.house.player(name).lost_today for name in ("ann", "ben")] == [2_000, 1_000]


@pytest.mark.parametrize("others_write", [False, True], ids=["alone", "others"])
def test_a_snapshot_of_the_house_is_of_its_place_in_the_log_or_there_is_none(
    database: str, cluster: Cluster, others_write: bool
) -> None:
    """It was written again as it was when its group had got other places: the audit found it, and no backup with it
    could be restored."""
    with ExitStack() as stack:
        first, second = two_houses(database, stack)
        first.house.gather()
        assert isinstance(first.act("ben", **BEN, table="t"), Done)
        first.house._snapshots._save_house(first.house.tables.values())
        lose_connection(first, cluster)
        if others_write:
            assert isinstance(second.act("ann", **wager(2_000), table="u"), Done)
        first.house.settle()
        assert first.house.out_of_service is None
        assert len(first.store.snapshots("house", "house/1")) == (0 if others_write else 1)
        with closing(AuditedDatabase(database)) as store:
            assert list(Audit(store).findings()) == []


def test_a_table_whose_lease_cannot_be_given_back_is_left_all_the_same(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever watched it was passed on to nobody."""
    with ExitStack() as stack:
        first, _ = two_houses(database, stack)
        shared, moved = first.shared, list[str]()
        shared.on_moved = moved.append

        def keep(stream: str) -> None:
            raise StoreInUse("another server was in the way")

        monkeypatch.setattr(first.store, "release_lease", keep)
        shared.give([first.house.tables["t"].stream])
        assert (list(first.house.tables), moved) == ([], ["t"])
        assert shared.owner("t") is None


def test_a_table_that_the_store_refuses_is_told_in_a_line(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with ExitStack() as stack:
        first, second = two_houses(database, stack)
        first.shared.give([first.house.tables["t"].stream])

        def take_up(*_: object, is_new_start: bool) -> None:
            raise StoreFault("the seed of t/1 is gone")

        monkeypatch.setattr(second.house, "take_up", take_up)
        with caplog.at_level(logging.ERROR):
            assert not second.shared._take_up(second.house.listed["t"], is_new_start=False)
        assert [(one.message, one.__dict__["error"], one.exc_info) for one in caplog.records] == [
            ("a table could not be taken up", "the seed of t/1 is gone", None)
        ]


def test_nothing_is_kept_of_a_stream_that_is_given_away(database: str) -> None:
    """Private tables come and go, each under a name of its own."""
    with ExitStack() as stack:
        first, _ = two_houses(database, stack)
        store, shared = first.store, first.shared
        stream = first.house.tables["t"].stream
        assert isinstance(first.act("ben", **BEN, table="t"), Done)
        assert stream in store._layouts.keys() & store._chains.keys()
        shared.give([stream])
        known = (store._layouts, store._chains, store._checked, store._behind)
        assert not any(stream in one for one in known)


def test_a_server_that_sees_its_lease_at_another_one_asks_for_it_at_once(database: str) -> None:
    """The clock of the database had leapt: until the next renewal it showed the table as it was when it went over."""

    def run_out(stream: str) -> None:
        with closing(Connection(database)) as clock:
            clock.execute("UPDATE leases SET until = clock_timestamp() WHERE stream = ?", (stream,))

    with ExitStack() as stack:
        first, second = two_houses(database, stack)
        stream = first.house.tables["t"].stream
        run_out(stream)
        first.shared.look()
        assert list(first.house.tables) == ["t"]
        assert first.registry.look().owner(stream) == first.shared.me, "nobody has taken it, and it is renewed"
        run_out(stream)
        assert second.shared._take_up(second.house.listed["t"], is_new_start=False)
        first.shared.look()
        assert list(first.house.tables) == []
