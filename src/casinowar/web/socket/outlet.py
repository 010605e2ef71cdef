"""Outlets: what each connection is still to be sent, in its order."""

import asyncio

import msgspec

from casinowar import protocol as f
from casinowar.engine.view import Viewer
from casinowar.house.table.parts import Told
from casinowar.house.table.visibility import Change
from casinowar.web.http.errors import CODES

encode = msgspec.json.Encoder().encode


class Outlet:
    """What one connection is still to be sent: its own answers, and of each table it watches one frame at most.

    What happens at a table before a frame of it is sent goes in the same frame, so that neither a burst of others nor a
    slow line makes the queue longer. Who does not read their answers is not heard meanwhile, and is ended by the
    writer's patience. `told` says how far it has been told of the tables that it watches in parts. `ended` is the code
    of the goodbye, after which nothing more is queued.
    """

    def __init__(self, name: str, login_key: str, address: str, most: int) -> None:
        self.name = name
        self.login_key = login_key
        self.address = address
        self.watched: dict[str, Viewer] = {}
        self.told: dict[str, Told] = {}
        self.ended: str | None = None
        self._most = most
        self._queue: asyncio.Queue[bytes | list[Change] | None] = asyncio.Queue()
        self._news: dict[str, list[Change]] = {}
        self._released: set[str] = set()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, frame: bytes) -> None:
        """Queue a frame that goes out as it is."""
        if self.ended is None:
            self._queue.put_nowait(frame)
            if self._queue.qsize() >= self._most:
                self._room.clear()

    def note(self, table: str, change: Change) -> None:
        """Note a change to tell of a table, once it is released."""
        self._news.setdefault(table, []).append(change)

    def release(self, table: str) -> None:
        """Let what has been noted of a table take its place in the queue; what is noted until it is sent joins it."""
        if self.ended is None and table in self._news and table not in self._released:
            self._released.add(table)
            self._queue.put_nowait(self._news[table])

    def forget(self, table: str) -> None:
        """Drop all that has been noted of a table: a snapshot comes instead, or nothing."""
        self._news.pop(table, []).clear()
        self._released.discard(table)

    def end(self, code: str) -> None:
        """Say goodbye and hang up. A slow reader's backlog is dropped: what it missed comes in the next snapshot."""
        if self.ended is not None:
            return
        self.ended = code
        if code == "slow_reader":
            while not self._queue.empty():
                self._queue.get_nowait()
        self._room.set()
        self._queue.put_nowait(goodbye(code))
        self._queue.put_nowait(None)

    async def room(self) -> None:
        """Let everybody else have a turn, and wait until so much has been sent that another answer may be queued."""
        await asyncio.sleep(0)
        await self._room.wait()

    async def next(self) -> bytes | list[Change] | None:
        """The next frame to send, or what is to be told of a table; None when there will be no more."""
        item = await self._queue.get()
        if self._queue.qsize() < self._most:
            self._room.set()
        return item

    def begin(self, news: list[Change]) -> None:
        """Begin to tell these news: what happens from now on comes in another frame."""
        self._news.pop(news[0].live.name, None)
        self._released.discard(news[0].live.name)


def goodbye(code: str) -> bytes:
    return encode(f.Goodbye(code, CODES[code][1]))
