"""Commands that come together are written together: each is answered, and told, only when the disk has it."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.engine.view import Viewer
from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.store import SqliteStore, StoreFailed, StoreInUse
from casinowar.web import server
from casinowar.web.http.limits import Limits
from casinowar.web.metrics import Metrics
from casinowar.web.socket.frame_reader import FrameReader
from casinowar.web.socket.hub import Hub
from casinowar.web.socket.outlet import Outlet
from tests.support.live_night import FAST, Night, table
from tests.support.live_server import QUICK, LiveServer, running

HANDS = HouseSettings(
    tables=tuple(TableSettings(name=f"hand-{n}", rulebook="nz", dealer="human", timers=QUICK) for n in (1, 2, 3)),
)
Disk = list[str]


class Person:
    """Somebody with a socket of their own, as far as the server knows."""

    def __init__(self, live: LiveServer, name: str, disk: Disk) -> None:
        self.live, self.disk, self.name = live, disk, name
        live.server.house.welcome(name)
        self.outlet = Outlet(name, "key", "127.0.0.1", 64)
        self.queue = self.outlet.put
        self.outlet.put = self.put  # type: ignore[method-assign]
        live.server.hub.join(self.outlet)
        self.reader = FrameReader(live.server, self.outlet)

    def put(self, frame: bytes) -> None:
        if self.outlet.ended is not None:
            return
        self.queue(frame)
        told = msgspec.json.decode(frame)
        self.disk.append(f"{self.name}: {told['type']}{' ' + told['code'] if 'code' in told else ''}")

    def send(self, id: str, table: str, **command: Any) -> None:
        frame = {"type": "command", "id": id, "table": table, "expected": 0, "command": command}
        self.reader.take(msgspec.json.encode(frame).decode())

    def watch(self, table: str) -> None:
        self.reader.take(msgspec.json.encode({"type": "watch", "table": table, "role": "watcher"}).decode())


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Every transaction that has reached the disk, among what people were told, in order."""
    noted: Disk = []
    finish = SqliteStore.finish_together

    def finished(store: SqliteStore) -> None:
        finish(store)
        noted.append("disk")

    monkeypatch.setattr(SqliteStore, "finish_together", finished)
    return noted


def at_once(tmp_path: Path, disk: Disk, do: Callable[[list[Person], LiveServer], None]) -> None:
    """Let three people act in one turn of the server's loop, and wait until it is settled, and for the next turns."""
    with running(tmp_path, HANDS) as live:
        live.server.accounts.use_login = lambda key: object()  # type: ignore[method-assign,assignment,return-value]

        def act() -> None:
            people = [Person(live, name, disk) for name in ("ann", "ben", "cas")]
            disk.clear()
            do(people, live)

        live.call(act)
        deadline = time.monotonic() + 30
        while live.call(lambda: live.server.house.is_gathering):
            assert time.monotonic() < deadline, "it is never brought to the disk"
        for _ in range(5):
            live.call(lambda: None)


def test_three_commands_of_one_turn_reach_the_disk_once_and_are_answered_behind_it(tmp_path: Path, disk: Disk) -> None:
    def do(people: list[Person], live: LiveServer) -> None:
        for number, person in enumerate(people, start=1):
            person.send(f"c{number}", f"hand-{number}", do="sit", box=1)
        assert disk == [], "nobody is answered in the turn itself"

    at_once(tmp_path, disk, do)
    assert disk[:4] == ["disk", "ann: done", "ben: done", "cas: done"]


@pytest.mark.parametrize(("together", "is_paused"), [(1, False), (2, True)])
def test_only_behind_commands_that_came_together_the_next_transaction_waits(
    tmp_path: Path, disk: Disk, together: int, is_paused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pause gathers commands that come faster than they are written. At a quiet house it would only cost time."""
    monkeypatch.setattr(server, "SHARE", 10**9)
    monkeypatch.setattr(server, "LONGEST_PAUSE_S", 3_600.0)
    left: list[float] = []

    def do(people: list[Person], live: LiveServer) -> None:
        settle = live.server.settle

        def settled() -> None:
            settle()
            left.append(live.server._pause_ends - time.monotonic())
            live.server._pause_ends = 0.0

        live.server.settle = settled  # type: ignore[method-assign]
        for number, person in enumerate(people[:together], start=1):
            person.send(f"c{number}", f"hand-{number}", do="sit", box=1)

    at_once(tmp_path, disk, do)
    assert (left[0] > 0) is is_paused


def test_one_that_is_refused_harms_no_other(tmp_path: Path, disk: Disk) -> None:
    def do(people: list[Person], live: LiveServer) -> None:
        ann, ben, cas = people
        ann.send("c1", "hand-1", do="sit", box=1)
        ben.send("c2", "hand-1", do="sit", box=1)
        cas.send("c3", "hand-1", do="sit", box=2)

    at_once(tmp_path, disk, do)
    assert disk[0] == "disk"
    assert disk[1] == "ann: done"
    assert disk[2].startswith("ben: refused")
    assert disk[3] == "cas: done"


def test_who_begins_to_watch_in_the_same_turn_is_shown_what_is_on_the_disk(tmp_path: Path, disk: Disk) -> None:
    def do(people: list[Person], live: LiveServer) -> None:
        ann, ben, _ = people
        ann.send("c1", "hand-1", do="sit", box=1)
        ben.watch("hand-1")

    at_once(tmp_path, disk, do)
    assert disk.index("disk") < disk.index("ben: snapshot")


def test_a_disk_that_fails_acknowledges_nobody_and_nothing_more_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: Disk = []

    def fail(store: SqliteStore) -> None:
        store._roll_back(is_member=False)
        raise store._fail(apsw.IOError("the disk is gone"))

    def do(people: list[Person], live: LiveServer) -> None:
        ann, ben, cas = people
        cas.watch("hand-1")
        told.clear()
        monkeypatch.setattr(SqliteStore, "finish_together", fail)
        ann.send("c1", "hand-1", do="sit", box=1)
        ben.send("c2", "hand-2", do="sit", box=1)

    at_once(tmp_path, told, do)
    assert not [line for line in told if line.endswith("done")]
    assert told.count("ann: refused out_of_service") == told.count("ben: refused out_of_service") == 1
    assert "cas: events" not in told


def test_the_twin_that_answers_at_once_is_found(tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    from casinowar.web.server import Server

    monkeypatch.setattr(Server, "once_settled", lambda self, tell: tell())

    def do(people: list[Person], live: LiveServer) -> None:
        people[0].send("c1", "hand-1", do="sit", box=1)

    at_once(tmp_path, disk, do)
    assert disk.index("ann: done") < disk.index("disk")


def test_who_looks_on_is_told_although_something_is_done_in_every_turn() -> None:
    """In each turn of the loop a group is open when a sender would have its turn: none may wait for a quiet one."""
    there = Night(table(timers=FAST))
    there.sit("ann")
    there.until_ready()

    async def night() -> int:
        hub = Hub(there.house, Metrics(), Limits(tells_per_second=1_000, tells_at_once=1_000), there.clock.tick)
        outlet = Outlet("ben", "key", "127.0.0.1", 64)
        hub.join(outlet)
        hub.watch(outlet, there.table, Viewer("watcher"), is_in_parts=True)
        told = 0

        async def send() -> None:
            nonlocal told
            while (frames := await hub.next(outlet)) is not None:
                told += len(frames)

        sending = asyncio.create_task(send())
        for _ in range(40):
            there.house.gather()
            there.must("ann", do="buy_chips", amount=1)
            asyncio.get_running_loop().call_soon(there.house.settle)
            await asyncio.sleep(0)
            there.house.gather()
        there.house.settle()
        sending.cancel()
        return told

    assert asyncio.run(night()) > 10


def test_what_waits_for_one_who_reads_nothing_is_bounded_by_its_size() -> None:
    """Another server sends whole frames: some thousand may wait that are short, and fewer that are long."""

    async def story(length: int) -> int:
        outlet, put = Outlet("ben", "key", "127.0.0.1", 64), 0
        while outlet.ended is None:
            outlet.put(b" " * length)
            put += 1
        assert outlet.ended == "slow_reader"
        return put

    assert asyncio.run(story(100)) == 16 * 64 + 1
    assert asyncio.run(story(16_384)) == 64 + 2


def test_one_who_takes_everything_at_once_is_no_slow_reader() -> None:
    """A hundred tables may go over to another server together, and all are shown anew."""

    async def story() -> None:
        outlet, sent = Outlet("ben", "key", "127.0.0.1", 64), list[bytes]()

        def write(frames: list[bytes]) -> bool:
            sent.extend(frames)
            return True

        outlet.write_now = write
        for _ in range(200):
            outlet.put(b" " * 16_384)
        outlet.send()
        assert (outlet.ended, len(sent)) == (None, 200)

    asyncio.run(story())


def test_one_who_reads_as_fast_as_is_told_is_not_behind() -> None:
    async def story() -> None:
        outlet = Outlet("ben", "key", "127.0.0.1", 64)
        for _ in range(70):
            outlet.put(b" " * 8_192)
        for _ in range(2_000):
            await outlet.next()
            outlet.put(b" " * 8_192)
        assert outlet.ended is None

    asyncio.run(story())


def test_news_of_a_group_that_the_disk_refused_are_told_to_nobody() -> None:
    """A watcher of two tables has both released when the next group begins, joins them, and fails."""
    there = Night(table("a", timers=FAST), table("b", timers=FAST))
    for name in "ab":
        there.sit("ann", table=name)
        there.until_ready(name)

    async def night() -> list[bytes]:
        hub = Hub(there.house, Metrics(), Limits(), there.clock.tick)
        outlet = Outlet("ben", "key", "127.0.0.1", 64)
        hub.join(outlet)
        for name in "ab":
            hub.watch(outlet, name, Viewer("watcher"))
        for _ in "ab":
            await hub.next(outlet)
        there.house.gather()
        for name in "ab":
            there.act("ann", table=name, do="buy_chips", amount=1)
        there.house.settle()
        there.house.gather()
        for name in "ab":
            there.act("ann", table=name, do="leave")
        sent: list[bytes] = []

        async def send() -> None:
            while (frames := await hub.next(outlet)) is not None:
                sent.extend(frames)

        sending = asyncio.create_task(send())
        await asyncio.sleep(0)
        there.house.fail(StoreFailed("the disk is gone"))
        there.house.settle()
        await asyncio.wait_for(sending, 5)
        return sent

    sent = asyncio.run(night())
    assert [msgspec.json.decode(frame)["type"] for frame in sent] == ["goodbye"]


def test_checkpoints_are_signed_although_a_group_is_open_whenever_the_clock_looks() -> None:
    there = Night(table(timers=FAST))
    there.house._key = Ed25519PrivateKey.generate()
    there.sit("ann")
    for _ in range(5):
        there.house.gather()
        there.must("ann", do="buy_chips", amount=1)
        there.clock.pass_(61_000)
        there.house.advance()
        there.house.settle()
    assert len(there.store.checkpoints()) >= 4


def test_what_was_due_is_done_later_where_the_store_cannot_begin_now(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Night(table(timers=FAST))
    there.sit("ann")
    there.until_ready()
    there.bet("ann")

    def locked() -> None:
        raise StoreInUse("the file is locked")

    with monkeypatch.context() as patch:
        patch.setattr(there.store, "begin_together", locked)
        there.clock.pass_(20_000)
        there.house.advance()
    assert there.live.rounds_done + there.live.table.round.number >= 1
    there.wait(60_000)
    assert there.live.rounds_done == 1
