"""A simulated night: server processes on a database, people on lines, and what goes wrong.

Clock, database, its disk and the network are simulated, and a seed decides them. The rest is what is shipped: engine,
house, server, hub and socket, the client, and the store on PostgreSQL with its leases.
"""

import asyncio
import contextlib
import itertools
import logging
import random
from collections.abc import Iterator
from types import SimpleNamespace
from unittest import mock

import msgspec

from casinowar.fairness import practice_bytes
from tests.simulator.doors import DOORS, Door, new_database, stand_ins
from tests.simulator.network import Line
from tests.simulator.people import Person
from tests.simulator.plan import SEATS, Plan
from tests.simulator.process import Process
from tests.simulator.promises import BrokenPromise, Promises
from tests.simulator.troubles import Troubles
from tests.simulator.world import Actor, World
from tests.support.live_server import ROOMY

NOON = 1_700_049_600_000
LONGEST_S, SETTLE_S = 400.0, 100.0
LOOK_S = 0.05
PROCESSES = ("a", "b")
AUDITOR = "postgresql://auditor@simulated/house"


class Night:
    """One night. `play` plays it and raises `BrokenPromise` with what was not kept."""

    limits = msgspec.structs.replace(ROOMY, tells_per_second=5, tells_at_once=10)

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.world = World(random.Random(f"pipes {plan.seed}"))
        self.settings = plan.settings()
        self.chance = random.Random(f"night {plan.seed}")
        self.source = practice_bytes(f"night {plan.seed}")
        self.skew_ms = self.database_skew_ms = 0
        self.database = new_database(lambda: self.tick() + self.database_skew_ms)
        self.database.pause = lambda ms: self.world.sleep(ms / 1000)
        DOORS.clear()  # Those of the night before, which would be kept with it.
        DOORS[AUDITOR] = Door(self.database)
        self.people: list[Person] = []
        self.people_actor: Actor
        self.welcomed: set[str] = set()
        self.processes: dict[str, Process] = {}
        self.starts = 0
        self.promises = Promises(self)
        self.troubles = Troubles(self)
        self._lines = 0

    def tick(self) -> int:
        return int(self.world.seconds * 1000)

    def now(self) -> int:
        """The wall's clock, which may be set to anything."""
        return NOON + self.tick() + self.skew_ms

    def play(self) -> None:
        with simulated_time(self):
            self.people_actor = self.world.start("people", self._play)
            self.world.run(until=self.people_actor)
            self.promises.check_end()

    async def _play(self) -> None:
        for name in PROCESSES:
            self.start(name)
        for number in range(1, len(self.plan.books) + 1):
            for box in range(1, SEATS + 1):
                name = f"guest-{number}{box}"
                self.people.append(Person(name, f"t{number}", box, str(self.plan.seed), self.open_line))
        playing = [asyncio.create_task(person.play()) for person in self.people]
        watch = asyncio.create_task(self._keep_open())
        try:
            async with asyncio.timeout(LONGEST_S):
                await self._go_wrong(playing)
            for person in self.people:
                person.is_leaving = True
            await asyncio.wait(playing, timeout=LONGEST_S)
            waiting = [person.name for person, task in zip(self.people, playing, strict=True) if not task.done()]
            if waiting:
                raise BrokenPromise(f"the night does not come to its end: {', '.join(waiting)} wait")
            await self._check_views()
        except TimeoutError:
            raise BrokenPromise("nobody plays any more") from None
        finally:
            for task in (*playing, watch):
                task.cancel()
            await asyncio.gather(*playing, watch, return_exceptions=True)
            for person in self.people:
                await person.leave()

    async def _go_wrong(self, playing: list["asyncio.Task[None]"]) -> None:
        faults = list(self.plan.faults)
        while (answered := sum(person.sent for person in self.people)) < self.plan.commands:
            await asyncio.sleep(LOOK_S)
            for task in playing:
                if task.done():
                    task.result()
            self.promises.raise_first()
            while faults and faults[0].after <= answered and any(one.is_serving for one in self.processes.values()):
                self.troubles.begin(faults.pop(0))

    async def _check_views(self) -> None:
        """Check that everybody comes to see what the server has."""
        until = self.world.seconds + SETTLE_S
        while differing := [person.name for person in self.people if self.promises.differs(person)]:
            if self.world.seconds > until:
                raise BrokenPromise(f"another view than the server's: {', '.join(differing)}")
            await asyncio.sleep(0.3)

    # The processes.

    def start(self, name: str) -> None:
        self.starts += 1
        self.processes[name] = Process(self, name, self.starts)

    def crash(self, process: Process) -> None:
        """End a process as `kill -9` does; it is started again a little later."""
        if self.processes.get(process.name) is process:
            del self.processes[process.name]
            process.kill()
            self.people_actor.post(self.start, process.name, after=self.chance.uniform(0.2, 3))

    async def _keep_open(self) -> None:
        """Be the operator: a process that has ended, or takes nothing more, is started again."""
        while True:
            await asyncio.sleep(LOOK_S)
            for process in list(self.processes.values()):
                if process.has_failed:
                    self.promises.note_error(process)
                    self.crash(process)

    # The network.

    async def open_line(self, person: Person) -> Line:
        serving = [one for _, one in sorted(self.processes.items()) if one.is_serving]
        if not serving:
            raise ConnectionRefusedError("nobody answers")
        process = person.chance.choice(serving)
        self._lines += 1
        chance = random.Random(f"line {self.plan.seed} {self._lines}")
        told = lambda text: self.promises.check_told(process, person, text)  # noqa: E731
        line = Line(self.people_actor, process.actor, chance, told)
        await process.open_line(person.name, line)
        person.line = line
        return line


@contextlib.contextmanager
def simulated_time(night: Night) -> Iterator[None]:
    """Let processes and people go by the night's clock, and by its chance."""
    world, chance = night.world, random.Random(f"secrets {night.plan.seed}")
    clock = SimpleNamespace(
        monotonic=lambda: world.seconds, perf_counter=lambda: world.seconds, sleep=lambda s: world.sleep(s)
    )
    secrets = SimpleNamespace(
        randbits=chance.getrandbits, token_bytes=chance.randbytes, token_hex=lambda n: chance.randbytes(n).hex(),
        token_urlsafe=lambda n=32: chance.randbytes(n).hex(),
    )  # fmt: skip
    with contextlib.ExitStack() as stack:
        log = logging.getLogger("casinowar")
        stack.callback(log.setLevel, log.level)
        log.setLevel(logging.CRITICAL + 1)  # What goes wrong is told by the promises.
        for module in (
            "web.server",
            "client.connection",
            "store.postgres.medium",
            "store.postgres.registry",
            "web.peers.links",
            "web.peers.peers",
        ):
            stack.enter_context(mock.patch(f"casinowar.{module}.time", clock))
        for module in ("store.postgres.medium", "store.postgres.store", "web.accounts.logins"):
            stack.enter_context(mock.patch(f"casinowar.{module}.secrets", secrets))
        for name, stand_in in stand_ins():
            stack.enter_context(mock.patch(name, stand_in))
        stack.enter_context(mock.patch("casinowar.web.server.load_page", dict))
        stack.enter_context(mock.patch("casinowar.client.connection.random", random.Random(night.plan.seed)))
        names = map("own-{}".format, itertools.count(1))
        stack.enter_context(mock.patch("casinowar.client.table.uuid4", names.__next__))
        yield
