"""Outlets: what each connection is still to be sent, in its order."""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from casinowar import protocol as f
from casinowar.engine.view import Viewer
from casinowar.house.table.parts import Told
from casinowar.house.table.visibility import Change
from casinowar.web.http.errors import CODES

encode = msgspec.json.Encoder().encode
WriteNow = Callable[[list[bytes]], bool]


SLOWEST = 16
"""So many times the usual number of answers may wait. Only what other servers send can come to that."""

MOST_BEHIND = 1 << 20
"""So many bytes may wait where more than the usual number of answers does: news of whole tables may be long."""


class Outlet:
    """What one connection is still to be sent: its own answers, and of each table it watches one frame at most.

    What happens at a table before a frame of it is sent goes in the same frame, so that neither a burst of others nor a
    slow line makes the queue longer. Who does not read their answers is not heard meanwhile, and is ended by the
    writer's patience. `write_now` writes to a connection that takes frames at once; `on_queued` is called where there
    is something for it. `told` says how far it has been told of tables that it watches in parts. `ended` is the code of
    the goodbye, after which nothing more is queued. `send_back` is there where another server has let the client in;
    `take_here` takes a frame again, for a table that this server decides by now.
    """

    def __init__(self, name: str, login_key: str, address: str, most: int) -> None:
        self.name = name
        self.login_key = login_key
        self.address = address
        self.watched: dict[str, Viewer] = {}
        self.told: dict[str, Told] = {}
        self.ended: str | None = None
        self.write_now: WriteNow | None = None
        self.on_queued: Callable[[Outlet], None] = lambda outlet: None
        self.send_back: Callable[[f.ClientFrame], None] | None = None
        self.take_here: Callable[[f.ClientFrame], None] = lambda frame: None
        self._most = most
        self._queue: deque[bytes | list[Change] | None] = deque()
        self._is_slow = False
        self._behind = 0
        self._for_writer = asyncio.Event()
        self._news: dict[str, list[Change]] = {}
        self._released: set[str] = set()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, frame: bytes) -> None:
        """Queue a frame that goes out as it is."""
        if self.ended is None and self._is_behind:
            self.end("slow_reader")
        elif self.ended is None:
            self._add(frame)
            if len(self._queue) >= self._most:
                self._room.clear()

    @property
    def _is_behind(self) -> bool:
        waiting, is_late = len(self._queue), self._is_slow or self.write_now is None
        return waiting >= SLOWEST * self._most or (is_late and waiting > self._most and self._behind > MOST_BEHIND)

    def _add(self, item: bytes | list[Change] | None) -> None:
        self._queue.append(item)
        if isinstance(item, bytes):
            self._behind += len(item)
        if self.write_now is None or self._is_slow:
            self._for_writer.set()
        else:
            self.on_queued(self)

    def note(self, table: str, change: Change) -> None:
        """Note a change to tell of a table, once it is released."""
        self._news.setdefault(table, []).append(change)

    def release(self, table: str) -> None:
        """Let what has been noted of a table take its place in the queue; what is noted until it is sent joins it."""
        if self.ended is None and table in self._news and table not in self._released:
            self._released.add(table)
            self._add(self._news[table])

    def forget(self, table: str) -> None:
        """Drop all that has been noted of a table: a snapshot comes instead, or nothing."""
        self._news.pop(table, []).clear()
        self._released.discard(table)

    def end(self, code: str, *, is_silent: bool = False) -> None:
        """Say goodbye and hang up. A slow reader's backlog is dropped: what it missed comes in the next snapshot.

        A silent end is like a lost line: clients come again by themselves.
        """
        if self.ended is not None:
            return
        self.ended = code
        if code == "slow_reader":
            self._queue.clear()
            self._behind = 0
        self._room.set()
        self._queue += (None,) if is_silent else (goodbye(code), None)
        self.leave_to_writer()

    async def room(self) -> None:
        """Let everybody else have a turn, and wait until so much has been sent that another answer may be queued."""
        await asyncio.sleep(0)
        await self._room.wait()

    async def next(self) -> bytes | list[Change] | None:
        """The next frame for the writer, or what is to be told of a table; None when there will be no more.

        The writer has what the connection does not take at once. It asks again when it has written that, and is done
        when nothing more has come meanwhile.
        """
        if not self._queue:
            self._is_slow = False
        if not self._queue or not (self._is_slow or self.write_now is None):
            self._for_writer.clear()
            await self._for_writer.wait()
        item = self._take()
        self._make_room()
        return item

    def _take(self) -> bytes | list[Change] | None:
        item = self._queue.popleft()
        if isinstance(item, bytes):
            self._behind -= len(item)
        return item

    @property
    def has_news(self) -> bool:
        """Whether something is to be told of a table that is not in words yet."""
        return any(isinstance(item, list) for item in self._queue)

    def put_into_words(self, words: Callable[[list[Change]], list[bytes]]) -> None:
        """Make frames of what is to be told of tables."""
        if self.has_news:
            told = [words(item) if isinstance(item, list) else [item] for item in self._queue]
            self._queue = deque(frame for frames in told for frame in frames)
            self._behind = sum(len(frame) for frame in self._queue if frame is not None)

    def send(self) -> None:
        """Write all frames that are ready to a connection that takes them at once, or else leave them to the writer."""
        if self.write_now is None or self._is_slow:
            return
        frames: list[bytes] = []
        while self._queue and isinstance(self._queue[0], bytes):
            frames.append(self._take())  # type: ignore[arg-type]
        if frames and not self.write_now(frames):
            self._queue.extendleft(reversed(frames))
            self._behind += sum(map(len, frames))
            self.leave_to_writer()
        self._make_room()

    def leave_to_writer(self) -> None:
        """Leave all that is queued to the writer, until it has written it."""
        self._is_slow = True
        self._for_writer.set()

    def _make_room(self) -> None:
        if len(self._queue) < self._most:
            self._room.set()

    def begin(self, news: list[Change]) -> None:
        """Begin to tell these news: what happens from now on comes in another frame."""
        self._news.pop(news[0].live.name, None)
        self._released.discard(news[0].live.name)


def goodbye(code: str) -> bytes:
    return encode(f.Goodbye(code, CODES[code][1]))
