"""Who is connected, and who watches which table: every commit goes to each watcher as that viewer may see it."""

import asyncio
from collections import Counter
from collections.abc import Callable

from casinowar.engine.view import STAFF_VIEWS, Viewer
from casinowar.house.house import House
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import Change, frames_of, snapshot
from casinowar.store import Recalled
from casinowar.web.http.limits import Limits
from casinowar.web.http.throttle import Throttle, network_key
from casinowar.web.metrics import Metrics
from casinowar.web.socket.floor_watch import FloorWatch
from casinowar.web.socket.outlet import Outlet, encode


class Hub:
    """All connections of the server. One thread.

    Of one table everybody is told at a pace of its own: what happens faster is told together, a moment later. Staff,
    who are few, follow it act by act.
    """

    def __init__(self, house: House, metrics: Metrics, limits: Limits, tick: Callable[[], int]) -> None:
        self._house = house
        self._metrics = metrics
        self.outlets: set[Outlet] = set()
        self._watchers: dict[str, set[Outlet]] = {}
        self._present: Counter[tuple[str, str]] = Counter()
        self._looked_at: dict[str, LiveTable] = {}
        self._pace = Throttle(limits.tells_per_second, limits.tells_at_once, tick)
        self._gap_s = 1 / limits.tells_per_second
        self._held: set[str] = set()
        self._changes = 0
        self._frames: dict[str, dict[tuple[Viewer, int], list[bytes]]] = {}
        self.floor = FloorWatch(house)
        house.on_commit = self.on_commit

    def count(self, *, name: str | None = None, address: str | None = None, network: str | None = None) -> int:
        return sum(
            name in (None, one.name)
            and address in (None, one.address)
            and (network is None or network_key(one.address) == network)
            for one in self.outlets
        )

    def join(self, outlet: Outlet) -> None:
        self.outlets.add(outlet)
        self._metrics.sockets.set(len(self.outlets))

    def part(self, outlet: Outlet) -> None:
        for table in list(outlet.watched):
            self.unwatch(outlet, table)
        self.floor.part(outlet)
        self.outlets.discard(outlet)
        self._metrics.sockets.set(len(self.outlets))

    def watch(self, outlet: Outlet, table: str, viewer: Viewer) -> None:
        """The snapshot first; all that is committed from now on follows it, since one thread does both."""
        before = outlet.watched.get(table)
        self._count_present(outlet, table, viewer, 1)
        if before is not None:
            self._count_present(outlet, table, before, -1)
        outlet.watched[table] = viewer
        self._watchers.setdefault(table, set()).add(outlet)
        self._looked_at[table] = self._house.tables[table]
        self._show(outlet, table)

    def _show(self, outlet: Outlet, table: str) -> None:
        outlet.forget(table)
        outlet.put(encode(snapshot(self._house.tables[table], outlet.watched[table])))

    def unwatch(self, outlet: Outlet, table: str) -> None:
        viewer = outlet.watched.pop(table, None)
        if viewer is not None:
            outlet.forget(table)
            self._watchers[table].discard(outlet)
            self._count_present(outlet, table, viewer, -1)
            if not self._watchers[table]:
                for kept in (self._watchers, self._looked_at, self._frames):
                    kept.pop(table, None)

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

    def on_commit(self, table: str, recalled: list[Recalled]) -> None:
        """What was committed, to everybody who watches the table, now or together with what comes after it."""
        self._metrics.note_events(recalled)
        self.floor.note(table)
        watchers = self._watchers.get(table)
        if not watchers:
            return
        live = self._house.tables[table]
        if self._looked_at[table] is not live:
            self._look_again(table, watchers)
            return
        self._changes += 1
        self._frames.pop(table, None)
        change = Change.of(live, self._changes, recalled)
        for outlet in watchers:
            outlet.note(table, change)
            if outlet.watched[table].role in STAFF_VIEWS:
                outlet.release(table)
        if table not in self._held:
            self._release(table)

    def _release(self, table: str) -> None:
        """Everybody is told what there is, or all wait until it is time."""
        self._held.discard(table)
        if not self._pace.allows(table):
            self._held.add(table)
            asyncio.get_running_loop().call_later(self._gap_s, self._release, table)
            return
        for outlet in self._watchers.get(table, ()):
            outlet.release(table)

    async def next(self, outlet: Outlet) -> list[bytes] | None:
        """What to send next. What happened is put into words when its turn comes, with the view as it is then; viewers
        who see the same share the bytes."""
        item = await outlet.next()
        if not isinstance(item, list):
            return None if item is None else [item]
        live, first = item[0].live, item[0].number
        frames = self._frames.setdefault(live.name, {})
        viewer = outlet.watched[live.name]
        if (viewer, first) not in frames:
            frames[viewer, first] = [encode(frame) for frame in frames_of(item, viewer)]
        return frames[viewer, first]

    def _look_again(self, table: str, watchers: set[Outlet]) -> None:
        """Another table stands under this name: whoever watched the one that closed is shown it from the beginning."""
        self._looked_at[table] = self._house.tables[table]
        for outlet in watchers:
            self._show(outlet, table)
        for outlet in watchers:
            if outlet.watched[table].role == "player":
                self._house.present(outlet.name, table, True)

    def end_login(self, login_key: str) -> None:
        for outlet in self.outlets:
            if outlet.login_key == login_key:
                outlet.end("logged_out")

    def end_all(self, code: str) -> None:
        for outlet in self.outlets:
            outlet.end(code)
