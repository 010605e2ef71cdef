"""The generator: a crowd at a house, one stretch of load or a search for the pace, and the checks at the end."""

import asyncio
import gc
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from urllib.parse import urlsplit

import msgspec

from casinowar.cli.bench.crowd import Crowd, NotAdmitted, free_places
from casinowar.cli.bench.onlookers import Onlookers, Summary, Watching
from casinowar.cli.bench.pace import Breaks, offer, think
from casinowar.cli.bench.pace_search import FIRST_PACE, held, largest_pace
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.report import Cpu, Money, Report, Stretch
from casinowar.cli.bench.samples import MachineTime, machine_seconds
from casinowar.cli.bench.tally import Tally
from casinowar.client import Client, Ended, Refused
from casinowar.web.http.address import is_loopback
from casinowar.web.http.door import allow_files

ServerCpu = Callable[[], float | None]
WARM_UP_S = 1.0
LATE_SHARE = 0.01
PATIENCE_S = 60.0
"""So long after the last command was due its answer may still come."""

Say = Callable[[str], None]


class Generator:
    """A load on the house at `url`, and at `others` where several servers share it.

    `server_cpu` tells the processor time of its servers, where that is known.
    """

    def __init__(
        self,
        url: str,
        plan: Plan,
        server_cpu: ServerCpu = lambda: None,
        say: Say = lambda text: None,
        others: Sequence[str] = (),
    ) -> None:
        self.url, self._others = url, others
        self.plan = plan
        self._server_cpu = server_cpu
        self._say = say
        self._is_one_clock = is_loopback(urlsplit(url).hostname or "")
        self._steps: list[Stretch] = []
        self._onlookers: Onlookers | None = None

    async def run(self, tables: tuple[str, ...], limit_ms: float | None, *, finds: bool) -> Report:
        """Do the whole load. `tables` are those of a house that is not ours, or none for the first that are free."""
        allow_files()
        async with AsyncExitStack() as stack:
            crowd = Crowd(self.url, self.plan.seed, self.plan.views, self._others)
            try:
                await self._gather(crowd, stack, tables)
                return await self._load_and_check(crowd, limit_ms, finds)
            finally:
                await crowd.leave()
                if self._onlookers is not None:
                    await self._onlookers.close()

    async def _load_and_check(self, crowd: Crowd, limit_ms: float | None, finds: bool) -> Report:
        breaks = Breaks(crowd, self.plan.reconnects * _share_of_players(self.plan))
        first = {player.live.table: player.live.view.view.round for player in crowd.players}
        breaking = asyncio.create_task(breaks.run())
        try:
            with _steady_memory():
                stretch, best = await self._load(crowd, limit_ms if finds else None)
        finally:
            breaking.cancel()
            await asyncio.gather(breaking, return_exceptions=True)
        await crowd.settle()
        differing = await crowd.differing_views()
        looked_on = await self._onlookers.sum_up() if self._onlookers is not None else Summary(0, [], [], 0, 0, 0)
        money = await self._money(crowd)
        await crowd.close()
        return Report(
            plan=self.plan,
            url=self.url,
            stretch=stretch,
            money=money,
            differing_views=[*differing, *looked_on.differing],
            views=len(crowd.viewers) + looked_on.views,
            rounds={one.live.table: one.live.view.view.round - first[one.live.table] for one in crowd.players},
            cards=crowd.cards + looked_on.cards,
            reconnects=breaks.done + looked_on.reconnects,
            broken=[*crowd.broken, *breaks.lost, *crowd.missed(), *looked_on.broken],
            limit_ms=limit_ms,
            steps=self._steps if finds else None,
            best=best,
            notes=self._notes(stretch, limit_ms, crowd.throttled + looked_on.throttled),
        )

    async def _gather(self, crowd: Crowd, stack: AsyncExitStack, tables: tuple[str, ...]) -> None:
        plan = self.plan
        async with Client.connect(self.url) as visitor:
            try:
                lobby = await crowd.patiently(visitor.lobby)
            except (OSError, msgspec.DecodeError, Refused, Ended) as error:
                raise NotAdmitted(f"no house answers: {error}") from None
        places = free_places(lobby, tables, plan.tables, plan.seats)
        self.plan = msgspec.structs.replace(plan, tables=len(places))
        self._say(f"{len(places)} tables: {len(places) * plan.seats} players and {plan.watchers} watchers come in")
        try:
            await crowd.arrive(stack, [(place.table, box) for place in places for box in place.boxes])
        except msgspec.DecodeError as error:
            raise NotAdmitted(f"the house says what this release does not know: {error}") from None
        if plan.watchers:
            self._onlookers = Onlookers(
                Watching(
                    url=self.url,
                    table=places[0].table,
                    watchers=plan.watchers,
                    reconnects=plan.reconnects * (1 - _share_of_players(self.plan)),
                    seed=plan.seed + 1,
                    views=plan.views,
                    settle_s=crowd.settle_s,
                )
            )
            await self._onlookers.arrive()

    async def _load(self, crowd: Crowd, limit_ms: float | None) -> tuple[Stretch, float | None]:
        """One stretch, or a search with many: then the stretch is the last that held, or the last."""
        for player in crowd.players:
            crowd.consider(player)
        if limit_ms is None:
            return await self._measure(crowd, self.plan.pace, None), None

        async def measure(pace: float) -> Stretch:
            step = await self._measure(crowd, pace, limit_ms)
            self._steps.append(step)
            self._say(f"{pace:g} a second: p99 {step.answers.p99} ms, generator {step.generator_cpu.percent:.0f} %")
            if not step.holds(limit_ms):
                await crowd.settle()
                for player in crowd.players:
                    crowd.consider(player)
            return step

        async def holds(pace: float) -> bool:
            return await held(lambda: measure(pace), limit_ms)

        best = await largest_pace(holds, self.plan.pace or FIRST_PACE)
        good = [step for step in self._steps if step.pace == best and step.holds(limit_ms)]
        return (good or self._steps)[-1], best

    async def _measure(self, crowd: Crowd, pace: float | None, limit_ms: float | None) -> Stretch:
        plan = self.plan
        if pace is not None:
            await _finish(offer(crowd, pace, min(WARM_UP_S, plan.seconds / 4)), PATIENCE_S, crowd.tally)
        if self._onlookers is not None:
            await self._onlookers.begin()
        tally = crowd.tally = Tally()
        machine, server, own, begin = machine_seconds(), self._server_cpu(), time.process_time(), time.perf_counter()

        def is_over() -> bool:
            """Whether so many have waited too long that p99 cannot be met any more."""
            return limit_ms is not None and tally.late(limit_ms / 1000) > LATE_SHARE * (pace or 0) * plan.seconds

        load = offer(crowd, pace, plan.seconds, is_over) if pace is not None else think(crowd, plan.seconds, plan.think)
        unanswered = await _finish(load, plan.seconds + PATIENCE_S, tally)
        took = time.perf_counter() - begin
        used, end = time.process_time() - own, self._server_cpu()
        served = None if server is None or end is None else end - server
        heard = await self._onlookers.heard() if self._onlookers is not None else None
        tally.news.extend(heard.news if heard is not None else ())
        looked_on = heard.cpu if heard is not None else 0.0
        others, stolen = _besides(machine, machine_seconds(), served, used + looked_on)
        return Stretch(
            pace=pace,
            seconds=round(took, 3),
            sent=tally.sent,
            done=tally.done,
            unanswered=unanswered,
            throttled=tally.throttled,
            refused=dict(tally.refused),
            errors=dict(tally.errors),
            commands=dict(tally.kinds),
            per_second=round(tally.done / took, 1),
            answers=tally.answers.spread(),
            news=tally.news.spread() if self._is_one_clock else None,
            server_cpu=None if served is None else _cpu(served, took),
            generator_cpu=_cpu(used, took),
            onlookers_cpu=None if heard is None else _cpu(looked_on, took),
            others_cpu=None if others is None else _cpu(others, took),
            stolen_cpu=None if stolen is None else _cpu(stolen, took),
        )

    async def _money(self, crowd: Crowd) -> Money:
        has, wrong = await crowd.money()
        won = sum(sum(player.rounds.values()) for player in crowd.players)
        return Money(sum(player.begin_with for player in crowd.players), has, won, wrong)

    def _notes(self, stretch: Stretch, limit_ms: float | None, throttled: int) -> list[str]:
        notes = []
        if any(step.is_generator_the_limit for step in (stretch, *self._steps)):
            notes.append(
                "this generator used more than 90 % of a core: it was a limit itself, and the house may hold more"
            )
        kept_waiting = sum(one.has_room and not one.holds(limit_ms or 0) for one in self._steps)
        if kept_waiting:
            notes.append(
                f"{kept_waiting} of {len(self._steps)} steps were late though the server had half of its core to spare:"
                " the disk or another program made it wait"
            )
        if stretch.server_cpu is None:
            notes.append("the server is not ours, or the system does not tell: its CPU is not known")
        if not self._is_one_clock:
            notes.append("the house has another clock: how old its news was is not known")
        if throttled:
            notes.append(f"the house was too busy for us {throttled} times while we came in or looked; we waited")
        return notes


async def _finish(load: Coroutine[None, None, None], seconds: float, tally: Tally) -> int:
    """Run the load, and give it up after so long: the number of commands that are without an answer then."""
    task = asyncio.create_task(load)
    await asyncio.wait({task}, timeout=seconds)
    unanswered = len(tally.waiting)
    if task.done():
        task.result()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return unanswered


def _besides(
    before: MachineTime | None, after: MachineTime | None, served: float | None, used: float
) -> tuple[float | None, float | None]:
    """The processor time of this machine that was neither the server's nor ours, and what its host took."""
    if before is None or after is None:
        return None, None
    others = None if served is None else max(0.0, after.busy - before.busy - served - used)
    return others, after.stolen - before.stolen


def _cpu(seconds: float, wall: float) -> Cpu:
    return Cpu(round(seconds, 3), round(100 * seconds / wall, 1))


def _share_of_players(plan: Plan) -> float:
    """The share of all connections that players have."""
    players = plan.tables * plan.seats
    return players / (players + plan.watchers)


@contextmanager
def _steady_memory() -> Iterator[None]:
    """Leave what is there out of the collector's rounds: they would stop the generator, and count as waits."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
