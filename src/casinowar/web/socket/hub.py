"""The hub of all sockets: who watches which table; every commit goes to each watcher as that viewer may see it."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice

from casinowar import protocol as f
from casinowar.engine.view import STAFF_VIEWS, Viewer
from casinowar.house.house import House
from casinowar.house.table.parts import TableParts
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import Change, can_look, frames_of, snapshot
from casinowar.store import Recalled, StoreFailed
from casinowar.web.http.limits import Limits
from casinowar.web.http.throttle import Throttle, network_key
from casinowar.web.metrics import Metrics
from casinowar.web.socket.outlet import Outlet, encode

log = logging.getLogger(__name__)
SLICE = 8
"""So many who only look on are sent to in one turn of the loop."""


class FloorWatch:
    """Tells whoever looks at the pit, at once, when something begins or ceases to wait for the floor at a table.

    It names the table and no more: what waits there is asked for, so that each sees what is theirs to see."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._outlets: set[Outlet] = set()
        self._waits: dict[str, object] = {}

    def __len__(self) -> int:
        """The number of tables of which it is kept what waits there."""
        return len(self._waits)

    def join(self, outlet: Outlet) -> None:
        self._outlets.add(outlet)

    def part(self, outlet: Outlet) -> None:
        self._outlets.discard(outlet)

    def note(self, table: str) -> None:
        """Tell the floor of a table where something has happened that changes what waits for the floor."""
        waits = _waits(self._house.tables[table])
        if self._waits.get(table) == waits:
            return
        if table not in self._waits:
            self._forget_gone()
        self._waits[table] = waits
        frame = encode(f.FloorChanged(table))
        for outlet in self._outlets:
            if can_look(self._house.roles(outlet.name), "auditor"):
                outlet.put(frame)

    def _forget_gone(self) -> None:
        """Forget tables that are gone: private ones come and go under names of their own."""
        for table in self._waits.keys() - self._house.tables.keys():
            del self._waits[table]


def _waits(live: LiveTable) -> object:
    """What waits for the floor at a table: signatures, an incident, a stop, a call, and who is away.

    Who comes and goes at a private table is no matter for the floor: anybody could hurry the pit with it.
    """
    is_private = live.settings.owner is not None
    away = () if is_private else tuple(player for player in live.humans if player not in live.present)
    return tuple(live.pending.waiting), live.table.incident, live.stopped, live.calls.open, away, live.table.is_closed


def _looks_on(outlet: Outlet) -> bool:
    """Whether a connection only looks on at tables."""
    return bool(outlet.watched) and all(viewer.role == "watcher" for viewer in outlet.watched.values())


class Hub:
    """The hub: all connections of the server. One thread.

    Of one table everybody is told at a pace of its own: what happens faster is told together, a moment later. Staff,
    who are few, follow it act by act.
    """

    def __init__(self, house: House, metrics: Metrics, limits: Limits, tick: Callable[[], int]) -> None:
        self._house = house
        self._metrics = metrics
        self.outlets: dict[Outlet, None] = {}
        self._watchers: dict[str, dict[Outlet, None]] = {}
        self._present: Counter[tuple[str, str]] = Counter()
        self._looked_at: dict[str, LiveTable] = {}
        self._pace = Throttle(limits.tells_per_second, limits.tells_at_once, tick)
        self._gap_s = 1 / limits.tells_per_second
        self._held: set[str] = set()
        self._changes = 0
        self._frames: dict[str, dict[tuple[Viewer, int], list[bytes]]] = {}
        self._parts: dict[str, TableParts] = {}
        self._untold: dict[str, None] = {}
        self._waiting: list[tuple[Outlet, list[Change], asyncio.Future[list[bytes]]]] = []
        self._unsent: dict[Outlet, None] = {}
        self._onlookers: dict[Outlet, None] = {}
        self._is_sending = self._is_slicing = False
        self.floor = FloorWatch(house)
        house.on_commit, house.on_settled = self.on_commit, self._on_settled

    def count(self, *, name: str | None = None, address: str | None = None, network: str | None = None) -> int:
        """The connections of this server's own clients, not those that other servers have let in."""
        return sum(
            one.send_back is None
            and name in (None, one.name)
            and address in (None, one.address)
            and (network is None or network_key(one.address) == network)
            for one in self.outlets
        )

    def watchers(self, table: str) -> list[Outlet]:
        return list(self._watchers.get(table, ()))

    def join(self, outlet: Outlet) -> None:
        self.outlets[outlet] = None
        outlet.on_queued = self._on_queued
        if outlet.send_back is None:
            self._metrics.sockets.inc()

    def part(self, outlet: Outlet) -> None:
        for table in list(outlet.watched):
            self.unwatch(outlet, table)
        self.floor.part(outlet)
        if outlet in self.outlets and outlet.send_back is None:
            self._metrics.sockets.dec()
        self.outlets.pop(outlet, None)
        self._unsent.pop(outlet, None)
        self._onlookers.pop(outlet, None)

    def watch(self, outlet: Outlet, table: str, viewer: Viewer, *, is_in_parts: bool = False) -> None:
        """Watch a table: the snapshot first; all that is committed from now on follows it, since one
        thread does both."""
        before = outlet.watched.get(table)
        self._count_present(outlet, table, viewer, 1)
        if before is not None:
            self._count_present(outlet, table, before, -1)
        outlet.watched[table] = viewer
        outlet.told.pop(table, None)
        self._forget_own(table, before)
        self._watchers.setdefault(table, {})[outlet] = None
        self._looked_at[table] = self._house.tables[table]
        self._show(outlet, table, is_in_parts=is_in_parts)

    def _show(self, outlet: Outlet, table: str, *, is_in_parts: bool) -> None:
        live, viewer = self._house.tables[table], outlet.watched[table]
        outlet.forget(table)
        outlet.put(encode(snapshot(live, viewer)))
        if is_in_parts:
            outlet.told[table] = self._parts.setdefault(table, TableParts(live)).begin(viewer)

    def _forget_own(self, table: str, viewer: Viewer | None) -> None:
        """Follow the own part of a player no more whom no connection shows the table to in this way."""
        is_shown = any(outlet.watched[table] == viewer for outlet in self._watchers.get(table, ()))
        if viewer is not None and table in self._parts and not is_shown:
            self._parts[table].forget(viewer)

    def unwatch(self, outlet: Outlet, table: str) -> None:
        viewer = outlet.watched.pop(table, None)
        if viewer is not None:
            outlet.forget(table)
            outlet.told.pop(table, None)
            self._watchers[table].pop(outlet, None)
            self._count_present(outlet, table, viewer, -1)
            self._forget_own(table, viewer)
            if not self._watchers[table]:
                for kept in (self._watchers, self._looked_at, self._frames, self._parts):
                    kept.pop(table, None)

    def _count_present(self, outlet: Outlet, table: str, viewer: Viewer, change: int) -> None:
        """Count who is present: a player is so as long as one connection of theirs watches it as a player."""
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
        """Note what was done, for everybody who watches the table; they are told once it is on the disk."""
        self._metrics.note_events(recalled)
        self._untold[table] = None
        watchers = self._watchers.get(table)
        live = self._house.tables[table]
        if watchers and self._looked_at[table] is live:
            self._changes += 1
            self._frames.pop(table, None)
            change = Change.of(live, self._changes, recalled)
            for outlet in watchers:
                outlet.note(table, change)
        if not self._house.is_gathering:
            self.tell()

    def tell(self) -> None:
        """Tell what has been noted, now or together with what comes after it. All of it is on the disk."""
        untold, self._untold = self._untold, {}
        for table in [one for one in untold if one in self._house.tables]:  # Others decide the rest by now.
            try:
                self._tell_of(table)
            except StoreFailed as error:
                self._fail(error)
            except Exception:  # A mistake at one table keeps no other from being told.
                self._metrics.faults.inc()
                log.exception("a table could not be told of", extra={"table": table})

    def _tell_of(self, table: str) -> None:
        self.floor.note(table)
        watchers = self._watchers.get(table)
        if not watchers:
            return
        if self._looked_at[table] is not self._house.tables[table]:
            self._look_again(table, watchers)
            return
        for outlet in watchers:
            if outlet.watched[table].role in STAFF_VIEWS:
                outlet.release(table)
        if table not in self._held:
            self._release(table)

    def _on_settled(self) -> None:
        """Tell what was written together. Where it may not be on the disk, nobody is told, and nobody is shown more."""
        waiting, self._waiting = self._waiting, []
        if self._house.is_uncertain:
            self._untold = {}
            asyncio.get_running_loop().call_soon(self.end_all, "out_of_service")  # Behind the answers.
        for outlet, news, frames in waiting:
            if not frames.done():
                self._answer(frames, outlet, news)
        if not self._house.is_uncertain:
            self.tell()
        self._send_soon()

    def _answer(self, frames: "asyncio.Future[list[bytes]]", outlet: Outlet, news: list[Change]) -> None:
        """Hand a sender its frames. A mistake in making them ends that connection and no other."""
        try:
            frames.set_result(self._put_into_words(outlet, news))
        except Exception as error:
            frames.set_exception(error)

    def _release(self, table: str) -> None:
        """Tell everybody what there is, or let all wait until it is time."""
        self._held.discard(table)
        if not self._pace.allows(table):
            self._held.add(table)
            asyncio.get_running_loop().call_later(self._gap_s, self._release, table)
            return
        for outlet in self._watchers.get(table, ()):
            outlet.release(table)

    # Sending.

    def _on_queued(self, outlet: Outlet) -> None:
        """Note that there is something to send, which is done in the next turn, or when all that was done is on the
        disk."""
        self._unsent[outlet] = None
        self._send_soon()

    def _send_soon(self) -> None:
        if self._unsent and not self._is_sending and not self._house.is_gathering:
            self._is_sending = True
            asyncio.get_running_loop().call_soon(self.send)

    def send(self) -> None:
        """Send at once whatever the connections take: to players first, and to those who look on in slices, so that
        commands come between."""
        self._is_sending = False
        if self._house.is_gathering:
            return
        unsent, self._unsent = self._unsent, {}
        try:
            with self._house.seen_purses({outlet.name for outlet in unsent if outlet.has_news}):
                self._send_to(unsent)
        except StoreFailed as error:
            self._fail(error)
        self._send_later()

    def _send_to(self, unsent: Iterable[Outlet]) -> None:
        for outlet in unsent:
            try:
                outlet.put_into_words(partial(self._put_into_words, outlet))
            except (
                Exception
            ):  # A mistake in one view is met again by its writer, and ends that connection and no other.
                outlet.leave_to_writer()
            if _looks_on(outlet):
                self._onlookers[outlet] = None
            else:
                outlet.send()

    def _send_later(self) -> None:
        if self._onlookers and not self._is_slicing:
            self._is_slicing = True
            asyncio.get_running_loop().call_soon(self._send_slice)

    def _send_slice(self) -> None:
        """Send to a few who look on."""
        self._is_slicing = False
        for outlet in list(islice(self._onlookers, SLICE)):
            del self._onlookers[outlet]
            outlet.send()
        self._send_later()

    async def next(self, outlet: Outlet) -> list[bytes] | None:
        """The frames to send next; None when there will be no more.

        What happened is put into words when its turn comes, with the view as it is then. While something is done that
        is not on the disk yet, that is when it is there.
        """
        item = await outlet.next()
        if not isinstance(item, list):
            return None if item is None else [item]
        try:
            if not self._house.is_gathering:
                return self._put_into_words(outlet, item)
            frames: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()
            self._waiting.append((outlet, item, frames))
            return await frames
        except StoreFailed as error:  # The view hangs on a purse that cannot be read any more.
            self._fail(error)
            return []

    def _put_into_words(self, outlet: Outlet, news: list[Change]) -> list[bytes]:
        """The frames of what is to be told of a table; viewers who see the same share the bytes."""
        if not news or self._house.is_uncertain:  # A snapshot has come instead, or nobody knows what is on the disk.
            return []
        outlet.begin(news)
        live, first = news[0].live, news[0].number
        viewer, told = outlet.watched[live.name], outlet.told.get(live.name)
        if told is not None:
            in_parts, outlet.told[live.name] = self._parts[live.name].frames(news, viewer, told)
            return in_parts
        frames = self._frames.setdefault(live.name, {})
        if (viewer, first) not in frames:
            frames[viewer, first] = [encode(frame) for frame in frames_of(news, viewer)]
        return frames[viewer, first]

    def _look_again(self, table: str, watchers: Iterable[Outlet]) -> None:
        """Show another table that stands under this name: whoever watched the one that closed is shown it from the
        beginning."""
        self._looked_at[table] = self._house.tables[table]
        self._parts.pop(table, None)
        for outlet in watchers:
            try:
                self._show(outlet, table, is_in_parts=table in outlet.told)
            except StoreFailed:
                raise
            except Exception:  # A mistake in one view ends that connection and no other.
                self._metrics.faults.inc()
                log.exception("a table could not be shown", extra={"table": table, "player": outlet.name})
                outlet.end("internal")
        for outlet in watchers:
            if outlet.watched[table].role == "player":
                self._house.present(outlet.name, table, True)

    def _fail(self, error: StoreFailed) -> None:
        """Take no more commands, and show nothing more: what there is to see cannot be read."""
        self._house.fail(error)
        self.end_all("out_of_service")

    def end_login(self, login_key: str) -> None:
        for outlet in self.outlets:
            if outlet.login_key == login_key:
                outlet.end("logged_out")

    def end_all(self, code: str, *, is_silent: bool = False) -> None:
        """End all connections of this server's own clients. Those whom other servers have let in go on elsewhere."""
        for outlet in self.outlets:
            if outlet.send_back is None:
                outlet.end(code, is_silent=is_silent)
