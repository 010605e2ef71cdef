"""Frames go straight to connections that take them; a writer has what is left, in order; who looks on comes last."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import msgspec

from casinowar.engine.view import Viewer
from casinowar.web.http.limits import Limits
from casinowar.web.http.uvicorn_config import text_frame
from casinowar.web.metrics import Metrics
from casinowar.web.socket.hub import SLICE, Hub
from casinowar.web.socket.outlet import Outlet
from tests.support.live_night import FAST, Night, table

OFTEN = Limits(tells_per_second=1_000, tells_at_once=1_000)


class Line:
    """A connection that takes frames at once, unless it is `full`."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.outlet = Outlet(name, "key", "127.0.0.1", 64)
        self.taken: list[bytes] = []
        self.is_full = False
        self.outlet.write_now = self.write_now
        hub.join(self.outlet)

    def write_now(self, frames: list[bytes]) -> bool:
        if not self.is_full:
            self.taken += frames
        return not self.is_full

    @property
    def types(self) -> list[str]:
        return [msgspec.json.decode(frame)["type"] for frame in self.taken]


def evening(story: Coroutine[Any, Any, None]) -> None:
    async def told() -> None:
        async with asyncio.timeout(30):
            await story

    asyncio.run(told())


def begin() -> tuple[Night, Hub]:
    there = Night(table(timers=FAST))
    there.sit("ann")
    there.until_ready()
    return there, Hub(there.house, Metrics(), OFTEN, there.clock.tick)


async def turn() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def test_a_snapshot_and_what_follows_are_sent_without_a_writer() -> None:
    async def story() -> None:
        there, hub = begin()
        line = Line(hub, "ben")
        hub.watch(line.outlet, there.table, Viewer("player", "ben"), is_in_parts=True)
        await turn()
        assert line.types == ["snapshot"]
        there.must("ann", do="buy_chips", amount=1)
        await turn()
        assert line.types == ["snapshot", "events"]

    evening(story())


def test_nothing_is_sent_of_what_is_not_on_the_disk_and_all_of_it_behind() -> None:
    async def story() -> None:
        there, hub = begin()
        line = Line(hub, "ben")
        hub.watch(line.outlet, there.table, Viewer("player", "ben"), is_in_parts=True)
        await turn()
        there.must("ann", do="buy_chips", amount=1)  # It is to be sent in the next turn,
        there.house.gather()
        there.must("ann", do="buy_chips", amount=1)  # and this joins it.
        line.outlet.put(b'{"type":"pong"}')
        await turn()
        assert line.types == ["snapshot"]
        there.house.settle()
        await turn()
        assert line.types == ["snapshot", "events", "pong"]

    evening(story())


def test_what_a_full_line_does_not_take_is_the_writers_and_comes_in_order() -> None:
    async def story() -> None:
        _, hub = begin()
        line = Line(hub, "ben")
        line.is_full = True
        for number in range(3):
            line.outlet.put(b"%d" % number)
        await turn()
        line.outlet.put(b"3")
        line.is_full = False
        line.outlet.put(b"4")
        await turn()
        assert line.taken == [], "the writer is before whatever comes now"
        assert [await hub.next(line.outlet) for _ in range(5)] == [[b"%d" % number] for number in range(5)]
        waiting = asyncio.create_task(hub.next(line.outlet))
        await turn()
        line.outlet.put(b"5")
        await turn()
        assert line.taken == [b"5"], "the writer has written all, and is needed no more"
        line.outlet.end("draining")
        goodbye = await waiting
        assert goodbye is not None
        assert b"goodbye" in goodbye[0]
        assert await hub.next(line.outlet) is None

    evening(story())


def test_players_are_sent_to_first_and_those_who_look_on_in_slices() -> None:
    async def story() -> None:
        there, hub = begin()
        lookers = [Line(hub, f"w{number}") for number in range(3 * SLICE)]
        player = Line(hub, "ann")
        for line in lookers:
            hub.watch(line.outlet, there.table, Viewer("watcher"), is_in_parts=True)
        hub.watch(player.outlet, there.table, Viewer("player", "ann"), is_in_parts=True)
        for _ in range(8):
            await turn()
        assert {len(line.taken) for line in (player, *lookers)} == {1}
        there.house.gather()
        there.must("ann", do="buy_chips", amount=1)
        there.house.settle()
        hub.send()
        counts = []
        for _ in range(5):
            counts.append((len(player.taken) - 1, sum(len(line.taken) - 1 for line in lookers)))
            await asyncio.sleep(0)
        assert counts == [(1, 0), (1, SLICE), (1, 2 * SLICE), (1, 3 * SLICE), (1, 3 * SLICE)]

    evening(story())


def test_a_frame_has_the_bytes_of_the_protocol() -> None:
    """RFC 6455, 5.2 and 5.7: a single-frame unmasked text message; the length in 7, 16 or 64 bits."""
    assert text_frame(b"Hello") == bytes([0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    assert text_frame(bytes(125))[:2] == bytes([0x81, 0x7D])
    assert text_frame(bytes(126))[:4] == bytes([0x81, 0x7E, 0x00, 0x7E])
    assert text_frame(bytes(65_535))[:4] == bytes([0x81, 0x7E, 0xFF, 0xFF])
    assert text_frame(bytes(65_536))[:10] == bytes([0x81, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
    assert len(text_frame(bytes(65_536))) == 65_546
