"""The memory of a server does not grow with the rounds, commands and connections that have been.

Blocks of memory are counted, so that one kept object for each round, command or connection shows. The wall's clock
stands still: what is kept for each minute of a player's day is no matter here.
"""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from casinowar.engine.view import Viewer
from casinowar.house.table.table import LiveTable
from casinowar.store import Recalled, SqliteStore
from casinowar.store.sqlite.connection import execute
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.http.limits import Limits
from casinowar.web.server import Server
from casinowar.web.socket.outlet import Outlet
from tests.support.live_night import FAST, Clock, Night, table

TIMERS = msgspec.structs.replace(FAST, war_betting=0, cut=0, entropy=0)
OFTEN = Limits(tells_per_second=1_000, tells_at_once=1_000)
PLAYERS = ("ann", "ben")
Role = Literal["player", "watcher", "dealer"]
ROLES: tuple[Role, ...] = ("player", "watcher", "dealer")
SHOE_BLOCKS = 12
"""The list of shoes keeps a line for each: its name, its commitment, its root, where it begins."""

NOISE = 200
"""Blocks: the last rounds that are shown differ in their cards, and what is kept of a few books is kept once."""


class Floor:
    """A server over a file, a table with two players, and a watcher; everybody takes their news."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        store = SqliteStore(folder / "war.db", self.clock.now)
        execute(store._db, "PRAGMA synchronous = off")
        self.night = Night(table(timers=msgspec.to_builtins(TIMERS)), store=store, clock=self.clock, guest_purse=10**9)
        self.accounts = Accounts(folder / "accounts.db")
        self.server = Server(self.night.house, self.accounts, OFTEN, tick=self.clock.tick)
        self.live = self.night.live
        self.senders: dict[Outlet, asyncio.Task[None]] = {}
        self.told = 0

    def come(self, name: str, role: Role, *, is_in_parts: bool) -> Outlet:
        outlet = Outlet(name, "key", "127.0.0.1", 64)
        self.server.hub.join(outlet)
        viewer = Viewer(role, name if role == "player" else "")
        self.server.hub.watch(outlet, "t", viewer, is_in_parts=is_in_parts)
        self.senders[outlet] = asyncio.create_task(self._send(outlet))
        return outlet

    async def _send(self, outlet: Outlet) -> None:
        while (frames := await self.server.hub.next(outlet)) is not None:
            self.told += len(frames)

    def go(self, outlet: Outlet) -> None:
        self.server.hub.part(outlet)
        self.senders.pop(outlet).cancel()

    async def turn(self) -> None:
        """A turn of the loop: everybody does what the game waits for, and is told."""
        night, live = self.night, self.live
        night.house.gather()
        for box, player in enumerate(PLAYERS, start=1):
            if live.table.phase == "betting" and live.is_ready:
                night.act(player, do="place_wager", player=player, box=box, wager="initial", amount=1000)
                night.act(player, do="ready")
            elif live.table.phase == "deciding" and (box, player) in live.table.round.asked:
                night.act(player, do="surrender", player=player, box=box)
        night.house.settle()
        await self.pass_time(night.house.advance())

    async def pass_time(self, ms: int | None = None) -> None:
        self.clock.ticks += max(ms or 100, 1)
        for _ in range(3):
            await asyncio.sleep(0)

    async def blocks(self) -> int:
        """The blocks of memory in use, somebody having asked for what is counted when it is asked for."""
        self.night.house.lobby()
        self.server.metrics.text()
        await self.pass_time()
        gc.collect()
        return sys.getallocatedblocks()

    # What may not grow.

    async def play_shoe(self) -> None:
        """Play until a round of the next shoe is over, where the table is always the same."""
        live, shoes = self.live, len(self.live.shoes())
        while len(live.shoes()) == shoes or not live.table.round.is_over:
            await self.turn()

    async def give_commands(self) -> None:
        for _ in range(100):
            self.night.act("ann", do="buy_chips", amount=500)
            self.night.act("ann", do="cash_chips", amount=500)
            self.night.act("ben", do="go_to_war", player="ben", box=2)
            await self.pass_time()

    async def connect(self) -> None:
        for number in range(100):
            outlet = self.come("ann", ROLES[number % 3], is_in_parts=bool(number % 2))
            await self.pass_time()
            self.go(outlet)


Doing = Callable[[Floor], Awaitable[None]]


@asynccontextmanager
async def open_floor(folder: Path) -> AsyncIterator[Floor]:
    floor = Floor(folder)
    floor.night.sit(*PLAYERS)
    outlets = [floor.come("ann", "player", is_in_parts=True), floor.come("ben", "player", is_in_parts=False)]
    outlets.append(floor.come("cas", "watcher", is_in_parts=True))
    yield floor
    for outlet in outlets:
        floor.go(outlet)
    await floor.server.close()
    floor.accounts.close()
    floor.night.store.close()


def growth(folder: Path, do: Doing, times: int) -> tuple[int, Floor]:
    """The blocks that are in use after doing something so often, beyond those after a third of it."""

    async def measure() -> tuple[int, Floor]:
        async with open_floor(folder) as floor:
            for _ in range(times // 3):
                await do(floor)
            before = await floor.blocks()
            for _ in range(times - times // 3):
                await do(floor)
            return await floor.blocks() - before, floor

    return asyncio.run(measure())


def test_the_memory_does_not_grow_with_the_rounds(tmp_path: Path) -> None:
    """Eight shoes of 78 rounds behind the first four keep their lines in the list of shoes, and nothing of a round."""
    grown, floor = growth(tmp_path, Floor.play_shoe, 12)
    assert floor.live.rounds_done > 900
    assert floor.told > floor.live.rounds_done
    assert grown < 8 * SHOE_BLOCKS + NOISE


@pytest.mark.parametrize("do", [Floor.give_commands, Floor.connect])
def test_the_memory_does_not_grow_with(tmp_path: Path, do: Doing) -> None:
    """400 turns with commands or connections behind the first 200 keep nothing of each."""
    grown, floor = growth(tmp_path, do, 6)
    assert floor.told > 300
    assert grown < NOISE


def test_the_twin_that_keeps_one_number_of_each_round_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    tell = LiveTable.tell

    def keep(live: LiveTable, recalled: list[Recalled]) -> None:
        if live.rounds and live.rounds[-1].version == live.version:
            kept.append(live.version)
        tell(live, recalled)

    monkeypatch.setattr(LiveTable, "tell", keep)
    grown, floor = growth(tmp_path, Floor.play_shoe, 12)
    assert len(kept) == floor.live.rounds_done
    assert grown > 8 * SHOE_BLOCKS + NOISE
