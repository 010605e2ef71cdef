"""What goes wrong in a simulated night."""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.simulator.plan import Fault
from tests.simulator.process import Process

if TYPE_CHECKING:
    from tests.simulator.night import Night

Spring = Callable[[Callable[[], object]], bool]
HOUR_MS = 3_600_000
LONGEST_PAUSE_S = 25.0
"""Longer than a lease lasts."""


class Troubles:
    """Brings a night's faults about. What is to happen in the middle of writing waits for the next statement there."""

    def __init__(self, night: "Night") -> None:
        self._night = night

    def begin(self, fault: Fault) -> None:
        night, chance = self._night, random.Random(fault.luck)
        process = chance.choice([one for _, one in sorted(night.processes.items()) if one.is_serving])
        lines = [person.line for person in night.people if person.line is not None]
        some = chance.sample(lines, min(len(lines), chance.randint(1, 4)))
        match fault.trouble:
            case "crash":
                night.crash(process)
            case "crash_while_writing":
                self._trap(process, chance, lambda do: self._crash_within(process, chance, do))
            case "database_crash":
                self._crash_database(chance)
            case "loss":
                self._trap(process, chance, lambda do: True, at=None)
            case "loss_while_writing":
                self._trap(process, chance, lambda do: True)
            case "partition":
                self._cut_off([process], chance.uniform(0.5, 15))
            case "pause":
                process.actor.pause(chance.uniform(1, LONGEST_PAUSE_S))
            case "pause_while_writing":
                self._trap(process, chance, lambda do: self._pause_within(process, chance))
            case "leave":
                process.actor.post(process.leave)
            case "peers_cut":
                night.world.pipes.cut()
            case "peers_silent":
                night.world.pipes.silent_until = night.world.seconds + chance.uniform(0.5, 10)
            case "peers_twice":
                night.world.pipes.twice_until = night.world.seconds + chance.uniform(0.5, 10)
            case "disk":
                night.database.disk = chance.choice(("full", "broken"))
                night.world.call_later(chance.uniform(0.1, 3), self._make_room)
            case "cut":
                for line in some:
                    line.cut()
            case "silence":
                for line in some:
                    line.fall_silent(chance.uniform(1, 15))
                    night.world.call_later(chance.uniform(5, 20), line.cut)
            case "clock":
                night.skew_ms += chance.choice((-HOUR_MS, HOUR_MS))
            case "database_clock":
                night.database_skew_ms += chance.choice((-HOUR_MS, HOUR_MS))

    def _trap(self, process: Process, chance: random.Random, spring: Spring, at: str | None = "COMMIT") -> None:
        """Have something happen at one of the next statements, or at one of a kind."""
        left = chance.randint(0, 20 if at is None else 2)

        def trap(sql: str, do: Callable[[], object]) -> bool:
            nonlocal left
            if at is None or sql == at:
                left -= 1
                if left < 0:
                    process.door.lay(None)
                    return spring(do)
            return False

        process.door.lay(trap)

    def _crash_within(self, process: Process, chance: random.Random, do: Callable[[], object]) -> bool:
        """Crash in the middle of a transaction: of its statement nothing is heard any more, done or not."""
        if chance.random() < 0.5:
            do()
        self._night.world.call_later(0, lambda: self._night.crash(process))
        self._night.world.sleep(1.0)
        return False

    def _pause_within(self, process: Process, chance: random.Random) -> bool:
        process.actor.pause(chance.uniform(1, LONGEST_PAUSE_S))
        self._night.world.sleep(0.001)
        return False

    def _crash_database(self, chance: random.Random) -> None:
        """Kill the database: what was not committed is gone, and nobody comes in until it has recovered."""
        self._night.database.end_all()
        self._cut_off(list(self._night.processes.values()), chance.uniform(0.2, 4))

    def _make_room(self) -> None:
        self._night.database.disk = "good"

    def _cut_off(self, processes: list[Process], seconds: float) -> None:
        for process in processes:
            process.door.is_cut = True
            self._night.world.call_later(seconds, process.door.mend)
