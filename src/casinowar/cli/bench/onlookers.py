"""The onlookers of a load: all who only watch, in a process of their own, so that no answer to a player waits for them.

The generator starts the process and writes orders to it, one JSON line each; the process answers each with a line.
"""

import asyncio
import gc
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import AsyncExitStack, suppress

import msgspec

from casinowar.cli.bench.crowd import Crowd, NotAdmitted
from casinowar.cli.bench.pace import Breaks
from casinowar.cli.bench.tally import Tally
from casinowar.client.client import Views
from casinowar.web.http.door import allow_files

BEHIND = 5
"""By so much the process is nicer than the generator: on one core, players come first."""

LONGEST_LINE = 1 << 26
END_S = 10.0


class Watching(msgspec.Struct, frozen=True, kw_only=True):
    """What the process is to do: so many look on at one table of a house, and so many connections break a minute.

    At the end their views have `settle_s` to become those of the server.
    """

    url: str
    table: str
    watchers: int
    reconnects: float
    seed: int
    views: Views
    settle_s: float


class Arrived(msgspec.Struct, frozen=True):
    """Whether all are there; `refused` says why not."""

    refused: str | None = None


class Heard(msgspec.Struct, frozen=True):
    """What was heard since the last order to begin: how old the news was, in seconds, and the processor time."""

    news: list[float]
    cpu: float


class Summary(msgspec.Struct, frozen=True):
    """What the onlookers have seen in all, and what was wrong with it."""

    views: int
    differing: list[str]
    broken: list[str]
    cards: int
    reconnects: int
    throttled: int


class Onlookers:
    """The generator's end: starts the process, gives it orders, and ends it."""

    def __init__(self, watching: Watching) -> None:
        self._watching = watching
        self._process: Process | None = None

    async def arrive(self) -> None:
        """Let all come in. Raises `NotAdmitted` where the house does not take them."""
        command = (sys.executable, "-m", "casinowar.cli.bench.onlookers")
        self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE)
        arrived = msgspec.json.decode(await self._order(msgspec.json.encode(self._watching)), type=Arrived)
        if arrived.refused is not None:
            raise NotAdmitted(arrived.refused)

    async def begin(self) -> None:
        await self._order(b'"begin"')

    async def heard(self) -> Heard:
        return msgspec.json.decode(await self._order(b'"heard"'), type=Heard)

    async def sum_up(self) -> Summary:
        """What was seen in all; their views must be the server's within a while."""
        return msgspec.json.decode(await self._order(b'"sum_up"'), type=Summary)

    async def _order(self, line: bytes) -> bytes:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):  # Where it is gone, so is its answer.
            process.stdin.write(line + b"\n")
            await process.stdin.drain()
        answer = await process.stdout.readline()
        if not answer:
            raise NotAdmitted("the process of those who look on has ended by itself")
        return answer

    async def close(self) -> None:
        """End the process: it ends by itself once nobody writes to it, or else is killed."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), END_S)
        except TimeoutError:
            process.kill()
            await process.wait()


class OnlookerProcess:
    """The other end: a crowd without players."""

    def __init__(self, watching: Watching) -> None:
        self._watching = watching
        self._crowd = Crowd(watching.url, watching.seed, watching.views)
        self._crowd.settle_s = watching.settle_s
        self._breaks = Breaks(self._crowd, watching.reconnects)
        self._breaking: asyncio.Task[None] | None = None
        self._begun = 0.0

    async def arrive(self, stack: AsyncExitStack) -> Arrived:
        try:
            await self._crowd.arrive(stack, [], [self._watching.table] * self._watching.watchers)
        except (NotAdmitted, msgspec.DecodeError) as error:
            return Arrived(str(error))
        gc.collect()
        gc.freeze()
        return Arrived()

    async def follow(self, order: str) -> Heard | Summary:
        """Do what is ordered, and give the answer."""
        if order == "sum_up":
            return await self._sum_up()
        heard = Heard(self._crowd.tally.news.seconds(), time.process_time() - self._begun)
        if order == "begin":
            self._crowd.tally, self._begun = Tally(), time.process_time()
            self._breaking = self._breaking or asyncio.create_task(self._breaks.run())
        return heard

    async def _sum_up(self) -> Summary:
        crowd = self._crowd
        if self._breaking is not None:
            self._breaking.cancel()
            await asyncio.gather(self._breaking, return_exceptions=True)
        differing = await crowd.differing_views()
        await crowd.close()
        broken = [*crowd.broken, *self._breaks.lost, *crowd.missed()]
        return Summary(len(crowd.viewers), differing, broken, crowd.cards, self._breaks.done, crowd.throttled)


async def _serve() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    process = OnlookerProcess(msgspec.json.decode(await reader.readline(), type=Watching))
    async with AsyncExitStack() as stack:
        _answer(await process.arrive(stack))
        while line := await reader.readline():
            _answer(await process.follow(msgspec.json.decode(line, type=str)))


def _answer(what: Arrived | Heard | Summary) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(what) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    allow_files()
    with suppress(OSError, AttributeError):
        os.nice(BEHIND)
    with suppress(KeyboardInterrupt):  # An interrupt of the terminal is for the generator.
        asyncio.run(_serve())


if __name__ == "__main__":
    main()
