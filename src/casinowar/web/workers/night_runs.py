"""Runs of nights: they are played in turn by one spare process, so that the thread that deals never waits for them.

A run is kept by whoever asks how it is going. Nobody asking for some seconds ends it, as does a stop; it is then not
given another slice. So no run outlives its page, and one that is stopped costs at most the slice that is on.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from typing import Literal

import msgspec

from casinowar.web.http.errors import WebError
from casinowar.web.http.throttle import monotonic_ms
from casinowar.web.workers.night_player import NightsPlayed, NightTask, Slice, Sliced
from casinowar.web.workers.spare_process import SpareProcess

SLICE_S = 0.2
LONGEST_SLICE_S = 120.0
"""A slice may take so long: the first one compiles the kernel. A process that needs longer is ended."""

MOST_RUNS = 16
"""So many runs are played in turn; whoever comes then is told to come back."""

MOST_SECONDS = 120.0
"""A run is played for so long in all; what others are played meanwhile does not count."""

LOST_S = 6.0
PAUSED_S = 300.0
State = Literal["waiting", "playing", "paused", "done", "stopped", "failed"]
Act = Literal["pause", "go_on", "stop"]
OPEN = ("waiting", "playing", "paused")


class NightsTold(msgspec.Struct, frozen=True):
    """How a run is going. `seconds` are those in which it was played; `says` tells people why it has ended early.

    While it is `waiting`, the spare process is being started, or compiles the kernel for the first time.
    """

    run: str
    state: State
    wanted: int
    seconds: float
    says: str = ""
    played: NightsPlayed | None = None


class _Run(msgspec.Struct):
    task: NightTask
    address: str
    seen: float
    state: State = "waiting"
    seconds: float = 0
    paused_at: float = 0
    says: str = ""
    is_begun: bool = False
    played: NightsPlayed | None = None


def has_simulation() -> bool:
    """Whether the extra `sim` is there. Nothing of it is imported in this process."""
    return all(find_spec(module) is not None for module in ("numba", "numpy"))


class NightRuns:
    """All runs of the server. `most_each` of one address are open at a time; all are played in turn, slice by slice."""

    def __init__(self, most_each: int, tick: Callable[[], int] = monotonic_ms) -> None:
        self._most_each = most_each
        self._tick = tick
        self._runs: dict[str, _Run] = {}
        self._process = SpareProcess("casinowar.web.workers.night_player")
        self._task: asyncio.Task[None] | None = None
        self._is_there = has_simulation()

    @property
    def is_there(self) -> bool:
        """Whether nights can be played here at all."""
        return self._is_there

    @property
    def pid(self) -> int | None:
        """The process that plays now."""
        return self._process.pid

    def check_room(self, address: str) -> None:
        """Refuse a run for which there is no room: of this address, or at all."""
        if not self._is_there:
            raise WebError("no_simulation")
        self._forget()
        each = Counter(run.address for run in self._runs.values() if run.state in OPEN)
        if each[address] >= self._most_each:
            raise WebError("nights_running", retry_after=int(LOST_S))
        if each.total() >= MOST_RUNS:
            raise WebError("nights_busy", retry_after=int(LOST_S))

    def start(self, task: NightTask, address: str) -> NightsTold:
        self.check_room(address)
        name = secrets.token_urlsafe(16)
        self._runs[name] = _Run(task, address, self._now())
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._play())
        return self._tell(name)

    def look(self, name: str) -> NightsTold:
        """How a run is going. Looking keeps it."""
        self._forget()
        if name not in self._runs:
            raise WebError("no_such_run")
        self._runs[name].seen = self._now()
        return self._tell(name)

    def act(self, name: str, act: Act) -> NightsTold:
        self.look(name)
        run = self._runs[name]
        if run.state not in OPEN:
            return self._tell(name)
        match act:
            case "stop":
                run.state = "stopped"
            case "pause":
                run.state, run.paused_at = "paused", self._now()
            case "go_on":
                run.state = "playing" if run.is_begun else "waiting"
                if self._task is None or self._task.done():
                    self._task = asyncio.get_running_loop().create_task(self._play())
        return self._tell(name)

    async def close(self) -> None:
        """End the process and all runs."""
        self._runs.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._process.close()

    def _now(self) -> float:
        return self._tick() / 1000

    def _tell(self, name: str) -> NightsTold:
        run = self._runs[name]
        return NightsTold(name, run.state, run.task.nights, run.seconds, run.says, run.played)

    def _forget(self) -> None:
        """Forget each run that nobody looks at; end one that was paused for too long."""
        now = self._now()
        for name, run in list(self._runs.items()):
            if now - run.seen > LOST_S:
                del self._runs[name]
            elif run.state == "paused" and now - run.paused_at > PAUSED_S:
                run.state, run.says = "stopped", f"It was paused for more than {PAUSED_S / 60:.0f} minutes."

    async def _play(self) -> None:
        """Play all runs in turn, until none is left to be played."""
        turn = 0
        while True:
            self._forget()
            due = [name for name, run in self._runs.items() if run.state in ("waiting", "playing")]
            if not due:
                return
            turn += 1
            await self._play_slice(due[turn % len(due)])

    async def _play_slice(self, name: str) -> None:
        run = self._runs[name]
        wanted = Slice(name, SLICE_S, tuple(self._runs), None if run.is_begun else run.task)
        run.is_begun = True
        begin = self._now()
        try:
            answer = await asyncio.wait_for(self._process.exchange(msgspec.msgpack.encode(wanted)), LONGEST_SLICE_S)
            told = msgspec.msgpack.decode(answer, type=Sliced)
        except TimeoutError:
            self._fail("The nights took too long to be played, and were given up. Play them again.")
            return
        except (OSError, EOFError, msgspec.MsgspecError):
            self._fail("The process that plays the nights has ended. Play them again.")
            return
        is_first = run.state == "waiting"
        run.seconds += min(self._now() - begin, SLICE_S) if is_first else self._now() - begin
        self._note(run, told)

    def _note(self, run: _Run, told: Sliced) -> None:
        if told.refused:
            run.state, run.says = "failed", told.refused
            return
        run.played = told.played
        assert told.played is not None
        if run.state not in OPEN:
            return
        if told.played.nights >= run.task.nights:
            run.state = "done"
        elif run.seconds >= MOST_SECONDS:
            run.state = "stopped"
            run.says = f"It was ended after {MOST_SECONDS:.0f} seconds: so long is one run played here."
        elif run.state == "waiting":
            run.state = "playing"

    def _fail(self, says: str) -> None:
        """All that was played lies in the process, so that its end is the end of every run."""
        self._process.stop()
        for run in self._runs.values():
            if run.state in OPEN and run.is_begun:
                run.state, run.says = "failed", says
