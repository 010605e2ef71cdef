"""The pace of a load: commands at fixed moments, players who think, and connections that break on the way."""

import asyncio
import time
from collections.abc import Callable

from casinowar.cli.bench.crowd import Crowd
from casinowar.cli.bench.player import Player
from casinowar.cli.bench.tally import Tally

RECONNECT_S = 30.0


async def offer(crowd: Crowd, pace: float, seconds: float, is_over: Callable[[], bool] = lambda: False) -> None:
    """Send commands at fixed moments, whether or not the earlier ones have been answered, and wait for the answers.

    It ends early when `is_over`.
    """
    tally, sending = crowd.tally, set[asyncio.Task[None]]()
    begin = time.perf_counter()
    for number in range(int(pace * seconds)):
        due = begin + number / pace
        while (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        if number % 64 == 63:
            await asyncio.sleep(0)
            if is_over():
                break
        task = asyncio.create_task(_send(crowd, tally, due))
        sending.add(task)
        task.add_done_callback(sending.discard)
    await asyncio.gather(*sending)


async def _send(crowd: Crowd, tally: Tally, due: float) -> None:
    player, command = crowd.next_player()
    await tally.send(player, command, due)
    crowd.consider(player)


async def think(crowd: Crowd, seconds: float, thought: float) -> None:
    """Let every player play for so long, and think before each command, up to twice as long as `thought`."""
    until = time.perf_counter() + seconds
    await asyncio.gather(*(_play(crowd, player, until, thought) for player in crowd.players))


async def _play(crowd: Crowd, player: Player, until: float, thought: float) -> None:
    news = asyncio.Event()
    player.wake = news.set
    while (left := until - time.perf_counter()) > 0:
        command = player.due()
        if command is None:
            crowd.ready.pop(player, None)
            news.clear()
            try:
                await asyncio.wait_for(news.wait(), left)
            except TimeoutError:
                break
            continue
        await asyncio.sleep(min(left, player.chance.uniform(0, 2 * thought)))
        if player.due() != command or time.perf_counter() >= until:
            continue
        if not await crowd.tally.send(player, command, time.perf_counter()):
            await asyncio.sleep(0.05)


class Breaks:
    """Connections that are broken off at a rate, each taken up again by its client before it counts as done."""

    def __init__(self, crowd: Crowd, per_minute: float) -> None:
        self._crowd = crowd
        self._per_minute = per_minute
        self.done = 0
        self.lost: list[str] = []

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            while self._per_minute:
                await asyncio.sleep(60 / self._per_minute)
                group.create_task(self._break_off())

    async def _break_off(self) -> None:
        viewer = self._crowd.chance.choice(self._crowd.viewers)
        before, deadline = viewer.live.snapshots, time.monotonic() + RECONNECT_S
        viewer.client.drop()
        while viewer.live.snapshots == before:
            if time.monotonic() > deadline:
                self.lost.append(f"{viewer.live.player} at {viewer.live.table} did not come back")
                return
            await asyncio.sleep(0.01)
        self.done += 1
