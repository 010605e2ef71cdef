"""Who is connected, and who watches which table: every commit goes to each watcher as that viewer may see it."""

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from casinowar.engine.view import Viewer
from casinowar.store import Recalled
from casinowar.table import frames as f
from casinowar.web.errors import CODES
from casinowar.web.metrics import Metrics

if TYPE_CHECKING:
    from casinowar.table.house import House
    from casinowar.table.live import LiveTable

encode = msgspec.json.Encoder().encode


class Outlet:
    """What one connection is still to be sent: bounded, so that a reader who does not read costs no memory.

    `ended` is the code of the goodbye, after which nothing more is queued.
    """

    def __init__(self, name: str, session_key: str, address: str, most: int) -> None:
        self.name = name
        self.session_key = session_key
        self.address = address
        self.watched: dict[str, Viewer] = {}
        self.ended: str | None = None
        self._most = most
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def put(self, frame: bytes) -> None:
        """Queue a frame; beyond the most it is the reader who is too slow, and the connection ends."""
        if self.ended is not None:
            return
        if self._queue.qsize() >= self._most:
            self.end("slow_reader")
            return
        self._queue.put_nowait(frame)

    def end(self, code: str) -> None:
        """Say goodbye and hang up. A slow reader's backlog is dropped: what it missed comes in the next snapshot."""
        if self.ended is not None:
            return
        self.ended = code
        if code == "slow_reader":
            while not self._queue.empty():
                self._queue.get_nowait()
        self._queue.put_nowait(goodbye(code))
        self._queue.put_nowait(None)

    async def next(self) -> bytes | None:
        """The next frame to send; None when there will be no more."""
        return await self._queue.get()


def goodbye(code: str) -> bytes:
    return encode(f.Goodbye(code, CODES[code][1]))


class Hub:
    """All connections of the server. One thread."""

    def __init__(self, house: "House", metrics: Metrics) -> None:
        self._house = house
        self._metrics = metrics
        self.outlets: set[Outlet] = set()
        self._watchers: dict[str, set[Outlet]] = {}
        self._present: Counter[tuple[str, str]] = Counter()
        self._looked_at: dict[str, LiveTable] = {}
        house.on_commit = self.tell

    def count(self, *, name: str | None = None, address: str | None = None) -> int:
        return sum(name in (None, one.name) and address in (None, one.address) for one in self.outlets)

    def join(self, outlet: Outlet) -> None:
        self.outlets.add(outlet)
        self._metrics.sockets.set(len(self.outlets))

    def part(self, outlet: Outlet) -> None:
        for table in list(outlet.watched):
            self.unwatch(outlet, table)
        self.outlets.discard(outlet)
        self._metrics.sockets.set(len(self.outlets))

    def watch(self, outlet: Outlet, table: str, viewer: Viewer) -> None:
        """The snapshot first; all that is committed from now on follows it, since one thread does both."""
        self.unwatch(outlet, table)
        self._count_present(outlet, table, viewer, 1)
        outlet.watched[table] = viewer
        self._watchers.setdefault(table, set()).add(outlet)
        self._looked_at[table] = self._house.tables[table]
        outlet.put(encode(self._house.tables[table].snapshot(viewer)))

    def unwatch(self, outlet: Outlet, table: str) -> None:
        viewer = outlet.watched.pop(table, None)
        if viewer is not None:
            self._watchers[table].discard(outlet)
            self._count_present(outlet, table, viewer, -1)

    def _count_present(self, outlet: Outlet, table: str, viewer: Viewer, change: int) -> None:
        """A player is present at a table as long as one connection of theirs watches it as a player."""
        if viewer.role != "player":
            return
        key = (outlet.name, table)
        before = self._present[key]
        self._present[key] += change
        if bool(before) != bool(self._present[key]):
            self._house.present(outlet.name, table, self._present[key] > 0)
        if not self._present[key]:
            del self._present[key]

    def tell(self, table: str, recalled: list[Recalled]) -> None:
        """What was committed, to everybody who watches the table; viewers who see the same share the bytes."""
        self._metrics.note_events(recalled)
        watchers = self._watchers.get(table)
        if not watchers:
            return
        live = self._house.tables[table]
        if self._looked_at[table] is not live:
            self._look_again(table, watchers)
            return
        frames: dict[Viewer, bytes] = {}
        for outlet in watchers:
            viewer = outlet.watched[table]
            if viewer not in frames:
                frames[viewer] = encode(live.happened(recalled, viewer))
            outlet.put(frames[viewer])

    def _look_again(self, table: str, watchers: set[Outlet]) -> None:
        """Another table stands under this name: whoever watched the one that closed is shown it from the beginning."""
        live = self._looked_at[table] = self._house.tables[table]
        for outlet in watchers:
            outlet.put(encode(live.snapshot(outlet.watched[table])))
        for outlet in watchers:
            if outlet.watched[table].role == "player":
                self._house.present(outlet.name, table, True)

    def end_session(self, session_key: str) -> None:
        for outlet in self.outlets:
            if outlet.session_key == session_key:
                outlet.end("logged_out")

    def end_all(self, code: str) -> None:
        for outlet in self.outlets:
            outlet.end(code)
