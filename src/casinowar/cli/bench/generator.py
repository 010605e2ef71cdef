"""The generator: a crowd at a house, one stretch of load or a search for the pace, and the checks at the end."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from urllib.parse import urlsplit

import msgspec

from casinowar.cli.bench.crowd import Crowd, NotAdmitted, free_places
from casinowar.cli.bench.pace import Breaks, offer, think
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.report import Cpu, Money, Report, Stretch
from casinowar.cli.bench.samples import MachineTime, machine_seconds
from casinowar.cli.bench.tally import Tally
from casinowar.client import Client, Ended, Refused
from casinowar.web.http.address import is_loopback
from casinowar.web.http.door import allow_files

ServerCpu = Callable[[], float | None]
WARM_UP_S = 1.0
FIRST_PACE, LARGEST_PACE, LEAST_PACE = 50.0, 50_000.0, 1.0
FINE = 0.05
"""A search ends when the pace that holds and the one that does not are so near."""

LATE_SHARE = 0.01
PATIENCE_S = 60.0
"""So long after the last command was due its answer may still come."""

Say = Callable[[str], None]


class Generator:
    """A load on the house at `url`. `server_cpu` tells the processor time of its server, where that is known."""

    def __init__(
        self, url: str, plan: Plan, server_cpu: ServerCpu = lambda: None, say: Say = lambda text: None
    ) -> None:
        self.url = url
        self.plan = plan
        self._server_cpu = server_cpu
        self._say = say
        self._is_one_clock = is_loopback(urlsplit(url).hostname or "")
        self._steps: list[Stretch] = []

    async def run(self, tables: tuple[str, ...], limit_ms: float | None, *, finds: bool) -> Report:
        """Do the whole load. `tables` are those of a house that is not ours, or none for the first that are free."""
        allow_files()
        async with AsyncExitStack() as stack:
            crowd = Crowd(self.url, self.plan.seed, self.plan.views)
            try:
                await self._gather(crowd, stack, tables)
                return await self._load_and_check(crowd, limit_ms, finds)
            finally:
                await crowd.leave()

    async def _load_and_check(self, crowd: Crowd, limit_ms: float | None, finds: bool) -> Report:
        breaks = Breaks(crowd, self.plan.reconnects)
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
        money = await self._money(crowd)
        await crowd.close()
        return Report(
            plan=self.plan,
            url=self.url,
            stretch=stretch,
            money=money,
            differing_views=differing,
            views=len(crowd.viewers),
            rounds={one.live.table: one.live.view.view.round - first[one.live.table] for one in crowd.players},
            cards=sum(viewer.live.notes.checked for viewer in crowd.viewers),
            reconnects=breaks.done,
            broken=[*crowd.broken, *breaks.lost, *_missed(crowd)],
            limit_ms=limit_ms,
            steps=self._steps if finds else None,
            best=best,
            notes=self._notes(crowd, stretch),
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
            await crowd.arrive(stack, places, plan.watchers)
        except msgspec.DecodeError as error:
            raise NotAdmitted(f"the house says what this release does not know: {error}") from None

    async def _load(self, crowd: Crowd, limit_ms: float | None) -> tuple[Stretch, float | None]:
        """One stretch, or a search with many: then the stretch is the last that held, or the last."""
        for player in crowd.players:
            crowd.consider(player)
        if limit_ms is None:
            return await self._measure(crowd, self.plan.pace, None), None

        async def holds(pace: float) -> bool:
            """Whether this pace holds; one that does not is tried once more, for a machine is never all ours."""
            for _ in range(2):
                step = await self._measure(crowd, pace, limit_ms)
                self._steps.append(step)
                self._say(f"{pace:g} a second: p99 {step.answers.p99} ms, generator {step.generator_cpu.percent:.0f} %")
                if step.holds(limit_ms):
                    return True
                await crowd.settle()
                for player in crowd.players:
                    crowd.consider(player)
            return False

        best = await largest_pace(holds, self.plan.pace or FIRST_PACE)
        held = [step for step in self._steps if step.pace == best and step.holds(limit_ms)]
        return (held or self._steps)[-1], best

    async def _measure(self, crowd: Crowd, pace: float | None, limit_ms: float | None) -> Stretch:
        plan = self.plan
        if pace is not None:
            await _finish(offer(crowd, pace, min(WARM_UP_S, plan.seconds / 4)), PATIENCE_S, crowd.tally)
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
        others, stolen = _besides(machine, machine_seconds(), served, used)
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
            others_cpu=None if others is None else _cpu(others, took),
            stolen_cpu=None if stolen is None else _cpu(stolen, took),
        )

    async def _money(self, crowd: Crowd) -> Money:
        has, wrong = await crowd.money()
        won = sum(sum(player.rounds.values()) for player in crowd.players)
        return Money(sum(player.begin_with for player in crowd.players), has, won, wrong)

    def _notes(self, crowd: Crowd, stretch: Stretch) -> list[str]:
        notes = []
        if any(step.is_generator_the_limit for step in (stretch, *self._steps)):
            notes.append(
                "this generator used more than 90 % of a core: it was a limit itself, and the house may hold more"
            )
        if stretch.server_cpu is None:
            notes.append("the server is not ours, or the system does not tell: its CPU is not known")
        if not self._is_one_clock:
            notes.append("the house has another clock: how old its news was is not known")
        if crowd.throttled:
            notes.append(f"the house was too busy for us {crowd.throttled} times while we came in or looked; we waited")
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


def _missed(crowd: Crowd) -> list[str]:
    """What a viewer has not heard of, though a view, a proof or the next round shows that it was there to hear."""
    told = []
    for viewer in crowd.viewers:
        who = f"{viewer.live.player or 'a watcher'} at {viewer.live.table}"
        if viewer.gaps():
            told.append(f"{who} never heard of {viewer.gaps()} rounds")
        if viewer.setbacks:
            told.append(f"{who} was shown an older table {viewer.setbacks} times")
        told += [f"{who}: {finding.what}" for finding in viewer.live.check_cards()]
    return told


@contextmanager
def _steady_memory() -> Iterator[None]:
    """Leave what is there out of the collector's rounds: they would stop the generator, and count as waits."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def largest_pace(holds: Callable[[float], Awaitable[bool]], first: float) -> float | None:
    """The largest pace that holds: twice as much until one does not, then half the step each time."""
    good, pace = 0.0, first
    while await holds(pace):
        good, pace = pace, 2 * pace
        if pace > LARGEST_PACE:
            return good
    bad = pace
    while not good:
        pace = bad / 2
        if pace < LEAST_PACE:
            return None
        if await holds(pace):
            good = pace
        else:
            bad = pace
    while bad - good > FINE * good:
        pace = float(f"{(good + bad) / 2:.3g}")
        if await holds(pace):
            good = pace
        else:
            bad = pace
    return good
