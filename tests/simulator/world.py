"""A world of several processes under one clock: each has a loop of asyncio of its own, and can be held up anywhere.

A process runs until its loop has nothing to do, or until it waits for the database or sleeps in the middle of its work;
then whoever is next runs. Nothing is waited for in truth, and nothing hangs on anything but the seed.
"""

import asyncio
import contextlib
import heapq
import itertools
import random
import selectors
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet  # type: ignore[import-untyped]

from tests.simulator.pipes import Pipes

NEVER = float("inf")
LAST_TURNS = 20
"""So many turns a loop has to end its tasks after it was killed. Nothing that they do then reaches anybody."""


class WorldSelector(selectors.SelectSelector):
    """The place where a loop would wait for the outside: here it lets others run."""

    def __init__(self, actor: "Actor") -> None:
        super().__init__()
        self._actor = actor

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        actor = self._actor
        if actor.is_over:
            actor.last_turns -= 1
            if actor.last_turns < 0:
                raise GreenletExit
            return []
        wake = NEVER if timeout is None else actor.world.seconds + max(0.0, timeout)
        if wake > actor.world.seconds or actor.paused_until > wake or actor.world.is_due():
            actor.is_idle = True
            actor.give_way(wake)
            actor.is_idle = False
        return []


class WorldLoop(asyncio.SelectorEventLoop):
    """A loop that goes by the clock of its world. Nothing in it may use threads, whose order nobody could repeat."""

    def __init__(self, actor: "Actor") -> None:
        self._actor = actor
        super().__init__(WorldSelector(actor))

    def time(self) -> float:
        return self._actor.world.seconds

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:  # type: ignore[override]
        handle = self.call_soon(callback, *args, context=context)
        self._actor.wake()
        return handle

    async def create_server(self, protocol_factory: Any, *args: Any, sock: Any = None, **named: Any) -> Any:
        return self._actor.world.pipes.open_entrance(self._actor, protocol_factory, sock)

    async def create_connection(self, protocol_factory: Any, host: Any = None, port: Any = None, **named: Any) -> Any:
        return await self._actor.world.pipes.connect(self._actor, protocol_factory, f"{host}:{port}")

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        raise RuntimeError("a thread in a simulated night")


class Actor:
    """A process of the world, or the people outside of it. After its end nothing reaches it."""

    def __init__(self, world: "World", name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.world = world
        self.name = name
        self.loop = WorldLoop(self)
        self.is_idle = self.is_over = False
        self.wake_at = self.paused_until = 0.0
        self.since = next(world.numbers)
        self.last_turns = 0
        self.error: BaseException | None = None
        self._work = work
        self._green = greenlet(self._run, parent=world.hub)

    def _run(self) -> None:
        try:
            self.loop.run_until_complete(self._work())
        except GreenletExit:
            pass  # It was killed.
        except BaseException as error:
            self.error = error
        finally:
            self.is_over = True

    @property
    def is_current(self) -> bool:
        return self._green is getcurrent()

    def step(self) -> None:
        """Run until it waits for something."""
        self.wake_at = NEVER
        self._green.switch()

    def give_way(self, wake_at: float) -> None:
        """Let others run until then; called in the middle of its own work."""
        if self.is_over:
            raise GreenletExit
        self.wake_at = wake_at
        self.since = next(self.world.numbers)
        hooks = sys.get_asyncgen_hooks()
        asyncio._set_running_loop(None)
        try:
            self.world.hub.switch()
        finally:
            asyncio._set_running_loop(self.loop)
            sys.set_asyncgen_hooks(*hooks)

    def post(self, do: Callable[..., object], *args: object, after: float = 0.0) -> None:
        """Have something done on its loop, so many seconds later."""
        self.world.call_later(after, lambda: self._take(do, args))

    def _take(self, do: Callable[..., object], args: tuple[object, ...]) -> None:
        if not self.is_over:
            self.loop.call_soon(do, *args)
            self.wake()

    def wake(self) -> None:
        """Let the loop look for work, unless it is in the middle of some."""
        if self.is_idle:
            self.wake_at = min(self.wake_at, self.world.seconds)

    def pause(self, seconds: float) -> None:
        """Hold it up, wherever it is."""
        self.paused_until = max(self.paused_until, self.world.seconds + seconds)

    def kill(self) -> None:
        """End it where it stands. What it would have done next is not done."""
        if not self.is_over:
            self.is_over = True
            self.world.call_later(0, self.unwind)

    def unwind(self) -> None:
        """Leave the place where it was ended; only from the hub, to which its end comes back."""
        self.is_over = True
        self.loop.set_exception_handler(lambda *_: None)
        if self._green.gr_frame is not None:
            self._green.throw(GreenletExit)
        self.close()

    def close(self) -> None:
        """Cancel what is left, as far as it lets itself be cancelled, and close the loop."""
        if self.loop.is_closed():
            return
        self.loop.set_exception_handler(lambda *_: None)
        for _ in range(LAST_TURNS):
            tasks = asyncio.all_tasks(self.loop)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            self.last_turns = LAST_TURNS
            with contextlib.suppress(GreenletExit, RuntimeError):  # The loop may have been stopping already.
                self.loop.run_until_complete(_wait(tasks))
        else:
            raise RuntimeError(f"{self.name} does not end: {tasks}")
        self.loop.close()


async def _wait(tasks: set["asyncio.Task[Any]"]) -> None:
    await asyncio.wait(tasks)


class World:
    """The clock, and who runs next: whoever is due first, in the order in which they came to wait."""

    def __init__(self, chance: random.Random) -> None:
        self.seconds = 0.0
        self.pipes = Pipes(self, chance)
        self.hub = getcurrent()
        self.actors: list[Actor] = []
        self.all: list[Actor] = []
        self.numbers = itertools.count()
        self._due: list[tuple[float, int, Callable[[], object]]] = []

    def start(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> Actor:
        made = Actor(self, name, work)
        self.actors.append(made)
        self.all.append(made)
        return made

    def call_later(self, seconds: float, do: Callable[[], object]) -> None:
        """Do something that belongs to no process."""
        heapq.heappush(self._due, (self.seconds + seconds, next(self.numbers), do))

    def is_due(self) -> bool:
        """Whether somebody beside the one who runs could run now."""
        now = self.seconds
        return bool(self._due and self._due[0][0] <= now) or any(
            one.wake_at <= now and one.paused_until <= now and not one.is_over for one in self.actors
        )

    def sleep(self, seconds: float) -> None:
        """Let time pass for whoever calls, as if the thread slept."""
        for actor in self.actors:
            if actor.is_current:
                actor.give_way(self.seconds + seconds)
                return
        self.seconds += seconds

    def run(self, until: Actor) -> None:
        """Run all until this one is over; then end the others."""
        try:
            while not until.is_over:
                self._step()
        finally:
            for actor in self.all:
                actor.unwind()
        if until.error is not None:
            raise until.error

    def _step(self) -> None:
        self.actors = [one for one in self.actors if not one.is_over]
        actor = min(self.actors, key=lambda one: (max(one.wake_at, one.paused_until), one.since))
        due = max(actor.wake_at, actor.paused_until)
        if self._due and self._due[0][0] <= due:
            when, _, do = heapq.heappop(self._due)
            self.seconds = max(self.seconds, when)
            do()
            return
        if due == NEVER:
            raise RuntimeError("everybody waits for somebody else: nothing can happen any more")
        self.seconds = max(self.seconds, due)
        actor.step()
        if actor.is_over:
            actor.close()
