"""Tables that several servers share, with real houses on one database and without sockets."""

import time
from contextlib import ExitStack

from casinowar.fairness import practice_bytes
from casinowar.house.house import House
from casinowar.protocol import Done
from casinowar.store.postgres.registry import DatabaseRegistry
from casinowar.store.postgres.store import PostgresStore
from tests.house.test_live_limits import QUICK, wager
from tests.support.live_night import Clock, Night, table
from tests.support.postgres import Cluster


class Shared(Night):
    """A night of one of several houses on a database."""

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


def test_what_is_lost_at_a_table_that_was_taken_away_is_counted(database: str, cluster: Cluster) -> None:
    """It was taken for one's own still when others were followed: a player could lose more than the limit."""
    clock = Clock()
    with ExitStack() as stack:
        first = Shared(database, stack, clock)
        assert first.house.shared is not None
        first.house.shared.look()
        for name in ("t", "u"):
            first.sit("ann", table=name)
            first.until_ready(name)
        assert isinstance(first.house.set_limits("ann", "l", 50_000, None), Done)
        second = Shared(database, stack, clock)
        second.house.follow_others()
        assert second.house.shared is not None
        assert isinstance(first.store, PostgresStore)
        cluster.run(f"SELECT pg_terminate_backend({first.store.connection})")
        until = time.monotonic() + 30
        while not second.house.shared._take_up(second.house.listed["u"], is_new_start=False):
            assert time.monotonic() < until
        assert isinstance(second.act("ann", **wager(2_000), table="u"), Done)
        assert second.house.player("ann").lost_today == 2_000
        assert isinstance(first.act("ann", **wager(500), table="t"), Done)
        first.house.shared.renew()
        assert set(first.house.tables) == {"t"}
        first.house.shared.follow(None)
        assert first.house.player("ann").lost_today == 2_500
        assert isinstance(second.act("ann", **wager(500), table="u"), Done)
        first.house.shared.follow(None)
        assert first.house.player("ann").lost_today == 3_000, "each once"
