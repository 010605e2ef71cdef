"""The crowd of a load: everybody who plays or looks on, with a connection of their own, in one process."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from itertools import cycle
from typing import TypeVar

import msgspec

from casinowar import protocol as f
from casinowar.cli.bench.player import Player, Viewer, news_age
from casinowar.cli.bench.tally import TOO_FAST, Tally
from casinowar.client import Client, Ended, Refused
from casinowar.client.client import Views
from casinowar.errors import CasinoWarError

T = TypeVar("T")
AT_ONCE = 8
"""So many arrive, or look at the end, at the same time."""

THROTTLED_S, MOST_THROTTLED = 0.5, 240
MOST_TABLES = 20
SETTLE_S = 30.0
"""So long everything under way may take to be answered and every round to end, once nothing new is sent."""


class NotAdmitted(CasinoWarError):
    """The house does not take this load: no guests, no table that is free, or a limit."""


class Place(msgspec.Struct, frozen=True):
    """A table with the boxes that are taken by the load."""

    table: str
    boxes: tuple[int, ...]


def free_places(lobby: Iterable[f.LobbyLine], names: Sequence[str], tables: int, seats: int) -> list[Place]:
    """Tables that deal by themselves and have so many free boxes: those that are named, or the first of the lobby.

    Without a number of tables they are as many as there are, and not more than 20.
    """
    lines = {line.name: line for line in lobby}
    if strange := [name for name in names if name not in lines]:
        raise NotAdmitted(f"there is no table {strange[0]} in the lobby")
    wanted = [lines[name] for name in names] or [line for line in lines.values() if _is_open(line)]
    places = []
    for line in wanted:
        free = [box for box in range(1, line.boxes + 1) if box not in line.taken]
        if names and not _is_open(line):
            raise NotAdmitted(f"the table {line.name} is not open to guests, or is not dealt by the house")
        if len(free) >= seats:
            places.append(Place(line.name, tuple(free[:seats])))
        elif names:
            raise NotAdmitted(f"the table {line.name} has {len(free)} free boxes, and {seats} are to be taken")
    if len(places) < max(1, tables):
        raise NotAdmitted(f"{len(places)} tables are open to guests with {seats} free boxes each")
    return places[: tables or MOST_TABLES]


def _is_open(line: f.LobbyLine) -> bool:
    is_stopped = line.is_closed or line.is_stopped or line.is_paused
    return line.dealer == "automatic" and line.owner is None and not is_stopped


class Crowd:
    """Everybody of a load. `ready` are the players for whom the game has something to do, those first who wait longest.

    `tally` is the one of the present stretch. Where there are `others`, servers of the same house, people come by turns
    to each.
    """

    def __init__(self, url: str, seed: int, views: Views = "parts", others: Sequence[str] = ()) -> None:
        self.url, self.views, self.settle_s = url, views, SETTLE_S
        self._urls = cycle((url, *others))
        self.chance = random.Random(seed)
        self.players: list[Player] = []
        self.watchers: list[Viewer] = []
        self.ready: dict[Player, None] = {}
        self.tally = Tally()
        self.throttled = 0
        self.broken: list[str] = []
        self._following: list[asyncio.Task[None]] = []
        self._gate = asyncio.Semaphore(AT_ONCE)

    @property
    def viewers(self) -> list[Viewer]:
        return [*self.players, *self.watchers]

    @property
    def cards(self) -> int:
        """The number of cards whose proofs were checked."""
        return sum(viewer.live.notes.checked for viewer in self.viewers)

    async def arrive(self, stack: AsyncExitStack, seats: Sequence[tuple[str, int]], looks: Sequence[str] = ()) -> None:
        """Let everybody come in, sit down at a box or look on at a table, and follow their tables."""
        arriving = [self._seat(stack, table, box) for table, box in seats]
        arriving += [self._look_on(stack, table) for table in looks]
        for failed in await asyncio.gather(*arriving, return_exceptions=True):
            if isinstance(failed, Refused):
                raise NotAdmitted(f"the house refuses: {failed.code}: {failed.says}")
            if isinstance(failed, Ended | OSError):
                raise NotAdmitted(f"the house does not answer: {failed}")
            if failed is not None:
                raise failed
        for player in self.players:
            told = await self.patiently(player.client.me)
            player.begin_with = worth(told)
        self._following = [asyncio.create_task(self._follow(viewer)) for viewer in self.viewers]

    async def _seat(self, stack: AsyncExitStack, table: str, box: int) -> None:
        async with self._gate:
            client = await self._enter(stack)
            live = await client.watch(table, views=self.views)
            await self.patiently(lambda: live.do(f.Sit(box=box)))
            self.players.append(Player(client, live, box, random.Random(self.chance.random())))

    async def _look_on(self, stack: AsyncExitStack, table: str) -> None:
        async with self._gate:
            client = await self._enter(stack)
            self.watchers.append(Viewer(client, await client.watch(table, "watcher", views=self.views)))

    async def _enter(self, stack: AsyncExitStack) -> Client:
        client = await stack.enter_async_context(Client.connect(next(self._urls)))
        await self.patiently(client.guest)
        return client

    async def patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call, and again a moment later as long as the house says that it was too fast."""
        for _ in range(MOST_THROTTLED):
            try:
                return await call()
            except Refused as why:
                if why.code != TOO_FAST:
                    raise
                self.throttled += 1
                await asyncio.sleep(THROTTLED_S)
        return await call()

    async def _follow(self, viewer: Viewer) -> None:
        """Take the news of one viewer. News of the own command is no news from others."""
        player = viewer if isinstance(viewer, Player) else None
        live = viewer.live
        async for happened in live:
            if player is None or not player.under_way:
                age = news_age(happened)
                if age is not None:
                    self.tally.news.add(age)
            viewer.note_view()
            if player is not None:
                self.consider(player)
        if viewer.client.ended is not None and viewer.client.ended.code != "closed":
            self.broken.append(f"{live.player} at {live.table}: {viewer.client.ended}")

    def consider(self, player: Player) -> None:
        """Note whether the game waits for this player now."""
        if not player.is_playing and player not in self.ready and player.due() is not None:
            self.ready[player] = None
            player.wake()

    def next_player(self) -> tuple[Player, msgspec.Struct]:
        """The player who acts next, and the command: that of the game, or a pastime where it waits for nobody."""
        while self.ready:
            player = next(iter(self.ready))
            del self.ready[player]
            command = None if player.is_playing else player.due()
            if command is not None:
                return player, command
        idle = self.chance.choice(self.players)
        return idle, idle.pastime()

    # The end.

    async def settle(self) -> None:
        """Let all that is under way be answered and every round end; nobody bets any more."""
        finishing = Tally()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settle_s):
                while any(player.under_way or player.is_wagered for player in self.players):
                    waiting = [player for player in self.players if not player.under_way]
                    due = [
                        (player, command) for player in waiting if (command := player.due(may_bet=False)) is not None
                    ]
                    acts = (finishing.send(player, command, time.perf_counter()) for player, command in due)
                    are_done = await asyncio.gather(*acts)
                    await asyncio.sleep(0.05 if all(are_done) else THROTTLED_S)

    async def differing_views(self) -> list[str]:
        """The viewers whose view is not the one that the server has of their table; news on its way may still come."""
        deadline = time.monotonic() + self.settle_s
        left = self.viewers
        while left:
            told = await asyncio.gather(*(self._differs(viewer) for viewer in left))
            left = [viewer for viewer, differs in zip(left, told, strict=True) if differs]
            if time.monotonic() > deadline or not left:
                break
            await asyncio.sleep(0.3)
        return [f"{viewer.live.player or 'a watcher'} at {viewer.live.table}" for viewer in left]

    async def _differs(self, viewer: Viewer) -> bool:
        async with self._gate:
            watching = viewer.live.watching
            there = await self.patiently(lambda: viewer.client.look(watching.table, watching.role))
            return timeless(there) != timeless(viewer.live.view)

    def missed(self) -> list[str]:
        """What a viewer has not heard of, though a view, a proof or the next round shows that it was there to hear."""
        told = []
        for viewer in self.viewers:
            who = f"{viewer.live.player or 'a watcher'} at {viewer.live.table}"
            if viewer.gaps():
                told.append(f"{who} never heard of {viewer.gaps()} rounds")
            if viewer.setbacks:
                told.append(f"{who} was shown an older table {viewer.setbacks} times")
            told += [f"{who}: {finding.what}" for finding in viewer.live.check_cards()]
        return told

    async def money(self) -> tuple[int, list[str]]:
        """What all players have now, and those whose purse, chips and wagers do not come to what their rounds say."""
        total, wrong = 0, []
        for player in self.players:
            has = worth(await self.patiently(player.client.me))
            should = player.begin_with + sum(player.rounds.values())
            total += has
            if has != should:
                wrong.append(f"{player.live.player} at {player.live.table} has {has}, and should have {should}")
        return total, wrong

    async def leave(self) -> None:
        """Give up every seat, so that the house is as it was before; a connection that is gone gives it up later."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settle_s):
                await asyncio.gather(*(self._stand_up(player) for player in self.players))

    async def _stand_up(self, player: Player) -> None:
        with suppress(Refused, Ended):
            await self.patiently(lambda: player.live.do(f.Leave()))

    async def close(self) -> None:
        for task in self._following:
            task.cancel()
        for ended in await asyncio.gather(*self._following, return_exceptions=True):
            if isinstance(ended, Exception):
                self.broken.append(repr(ended))


def worth(told: f.PlayerView) -> int:
    return told.purse + sum(told.chips.values()) + sum(told.on_layout.values())


def timeless(view: f.LiveView) -> f.LiveView:
    """The view without what only the clock changes."""
    seats = tuple(msgspec.structs.replace(seat, away=None) for seat in view.seats)
    return msgspec.structs.replace(view, timer=None, seats=seats, seat_left=None, claim=None, void=None, call=None)
