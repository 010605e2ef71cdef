"""The parts of a load: arithmetic of waits, commands that wait for no answer, the search for a pace, and verdicts."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.cli.bench.crowd import Crowd
from casinowar.cli.bench.generator import Generator, _besides
from casinowar.cli.bench.pace import offer
from casinowar.cli.bench.pace_search import held, largest_pace
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.player import winnings
from casinowar.cli.bench.report import Cpu, Money, Report, Stretch
from casinowar.cli.bench.samples import MachineTime, Samples, Spread, machine_seconds
from casinowar.cli.bench.tally import Tally
from casinowar.client import Ended, Refused

STRETCH = Stretch(
    pace=10,
    seconds=1,
    sent=10,
    done=10,
    unanswered=0,
    throttled=0,
    refused={},
    errors={},
    commands={"ready": 10},
    per_second=10,
    answers=Spread(10, 1, 5, 5, 5),
    news=None,
    server_cpu=None,
    generator_cpu=Cpu(0.5, 50),
)
RIGHT = Report(
    plan=Plan(),
    url=None,
    stretch=STRETCH,
    money=Money(100, 90, -10, [], []),
    differing_views=[],
    views=1,
    rounds={"a": 1},
    cards=1,
    reconnects=0,
    broken=[],
)


def test_percentiles_are_the_nearest_rank() -> None:
    """Of 1 to 1,000 ms half are at most 500, 99 % at most 990, and 999 of 1,000 at most 999."""
    assert Samples(n / 1000 for n in range(1000, 0, -1)).spread() == Spread(1000, 500, 990, 999, 1000)
    assert Samples([0.004]).spread() == Spread(1, 4, 4, 4, 4)
    assert Samples([0.001, 0.002, 0.003]).spread() == Spread(3, 2, 3, 3, 3)
    assert Samples().spread() == Spread(0)
    assert Samples([0.1, 0.2, 0.3]).count_from(0.2) == 2


class SlowPlayer:
    """A player whose answers come only when so many commands are under way."""

    def __init__(self, least: int) -> None:
        self.under_way = 0
        self._least = least
        self._are_all = asyncio.Event()

    async def do(self, command: msgspec.Struct) -> None:
        self.under_way += 1
        if self.under_way == self._least:
            self._are_all.set()
        await self._are_all.wait()

    def due(self) -> None:
        return None


class SlowCrowd:
    """A crowd of one slow player who always has something to send."""

    def __init__(self, least: int) -> None:
        self.tally = Tally()
        self._player = SlowPlayer(least)

    def next_player(self) -> tuple[Any, msgspec.Struct]:
        return self._player, f.Ready()

    def consider(self, player: object) -> None:
        pass


def test_a_command_is_sent_when_it_is_due_though_none_has_been_answered() -> None:
    """The first answer comes after the last of 20 commands: the first waited for 19 intervals of 10 ms."""

    async def story() -> Tally:
        crowd = SlowCrowd(20)
        async with asyncio.timeout(30):
            await offer(cast(Crowd, crowd), 100, 0.2)
        return crowd.tally

    tally = asyncio.run(story())
    spread = tally.answers.spread()
    assert (tally.sent, tally.done, spread.count) == (20, 20, 20)
    assert spread.max is not None
    assert spread.max >= 190


def test_a_load_that_is_lost_ends_early() -> None:
    async def story() -> int:
        crowd = SlowCrowd(1)
        async with asyncio.timeout(30):
            await offer(cast(Crowd, crowd), 10_000, 100, lambda: crowd.tally.sent >= 100)
        return crowd.tally.sent

    assert 100 <= asyncio.run(story()) < 300


class Answering:
    """A player whose commands meet this."""

    def __init__(self, error: Exception | None) -> None:
        self._error = error

    async def do(self, command: msgspec.Struct) -> None:
        if self._error is not None:
            raise self._error


@pytest.mark.parametrize(
    ("error", "counted"),
    [
        (None, "done"),
        (Refused("stale", ""), "refused"),
        (Refused("too_fast", ""), "throttled"),
        (Refused("out_of_service", ""), "errors"),
        (Ended("unreachable", "nobody"), "errors"),
    ],
)
def test_what_comes_of_a_command_is_counted_once(error: Exception | None, counted: str) -> None:
    tally = Tally()
    asyncio.run(tally.send(cast(Any, Answering(error)), f.Ready(), time.perf_counter()))
    counts = {
        "done": tally.done,
        "refused": sum(tally.refused.values()),
        "throttled": tally.throttled,
        "errors": sum(tally.errors.values()),
    }
    assert counts == {**dict.fromkeys(counts, 0), counted: 1}
    assert (tally.sent, tally.kinds, tally.waiting) == (1, {"ready": 1}, {})


def test_a_command_that_is_sent_late_has_waited_since_it_was_due() -> None:
    tally = Tally()
    asyncio.run(tally.send(cast(Any, Answering(None)), f.Ready(), time.perf_counter() - 2))
    assert (tally.late(2), tally.late(60)) == (1, 0)


@pytest.mark.parametrize(("most", "first"), [(317, 50), (3, 50), (50, 50), (1.6, 50)])
def test_the_search_ends_within_a_twentieth_below_the_largest_pace(most: float, first: float) -> None:
    tried = []

    async def holds(pace: float) -> bool:
        tried.append(pace)
        assert len(tried) < 20
        return pace <= most

    best = asyncio.run(largest_pace(holds, first))
    assert best is not None
    assert most / 1.05 <= best <= most
    assert len(tried) == len(set(tried))


def test_where_nothing_holds_no_pace_is_found() -> None:
    async def holds(pace: float) -> bool:
        return False

    assert asyncio.run(largest_pace(holds, 50)) is None


LATE = Spread(10, 1, 120, 120, 120)


@pytest.mark.parametrize(
    ("percent", "late", "is_held", "tries"),
    [(90, 0, True, 1), (90, 1, True, 2), (90, 2, False, 2), (8, 4, True, 5), (8, 5, False, 5), (None, 2, False, 2)],
)
def test_a_pace_is_tried_more_often_where_the_server_had_room(
    percent: float | None, late: int, is_held: bool, tries: int
) -> None:
    """A server at 8 % of its core that is late was kept waiting by the machine, and not by this pace."""
    cpu = None if percent is None else Cpu(percent / 100, percent)
    measured = 0

    async def measure() -> Stretch:
        nonlocal measured
        measured += 1
        return msgspec.structs.replace(STRETCH, server_cpu=cpu, answers=LATE if measured <= late else STRETCH.answers)

    assert asyncio.run(held(measure, 100)) is is_held
    assert measured == tries


@pytest.mark.parametrize(("percent", "is_told"), [(8, True), (90, False), (None, False)])
def test_steps_that_were_late_though_the_server_had_room_are_told(percent: float | None, is_told: bool) -> None:
    cpu = None if percent is None else Cpu(percent / 100, percent)
    generator = Generator("http://127.0.0.1:1", Plan())
    generator._steps = [
        msgspec.structs.replace(STRETCH, server_cpu=cpu, answers=one) for one in (LATE, STRETCH.answers)
    ]
    notes = [note for note in generator._notes(STRETCH, 100, 0) if note.startswith("1 of 2 steps were late")]
    assert bool(notes) is is_told


def test_winnings_are_of_ones_own_wagers_and_bank() -> None:
    wagers = (
        (1, "initial", "ana", 500, "won", 500, 500),
        (1, "tie", "ana", 100, "lost", 0, 0),
        (2, "initial", "ben", 500, "lost", 0, 0),
        (3, "initial", "cyd", 500, "surrendered", 0, 250),
    )
    line = f.RoundLine(1, 9, (), wagers, bank=("ben", 40))
    assert [winnings(line, name) for name in ("ana", "ben", "cyd", "dan")] == [400, -460, -250, 0]


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        ({"stretch": msgspec.structs.replace(STRETCH, unanswered=2)}, "2 commands got no answer"),
        ({"stretch": msgspec.structs.replace(STRETCH, errors={"oh": 1})}, "errors: oh"),
        ({"stretch": msgspec.structs.replace(STRETCH, done=0)}, "nothing was done"),
        ({"money": Money(100, 90, -10, ["ana has 1"], [])}, "money: ana has 1"),
        ({"money": Money(100, 90, -10, [], ["ledger: off"])}, "money: the audit found: ledger: off"),
        ({"broken": ["ana: gone"]}, "connections: ana: gone"),
        ({"differing_views": ["ana at a"]}, "views that are not the server's: ana at a"),
        ({"limit_ms": 5}, "p99 is not below 5 ms"),
        ({"limit_ms": 100, "steps": [STRETCH]}, "no pace was found with p99 below 100 ms"),
    ],
)
def test_each_thing_that_is_wrong_is_a_failure(change: dict[str, Any], failure: str) -> None:
    assert RIGHT.failures() == []
    assert msgspec.structs.replace(RIGHT, **change).failures() == [failure]
    assert msgspec.structs.replace(RIGHT, limit_ms=5.1).failures() == []


def test_a_pace_is_not_held_by_refusals() -> None:
    assert STRETCH.holds(100)
    assert not msgspec.structs.replace(STRETCH, done=9).holds(100)
    assert not msgspec.structs.replace(STRETCH, answers=Spread(10, 1, 100, 100, 100)).holds(100)


def test_a_busy_generator_is_the_limit() -> None:
    assert not STRETCH.is_generator_the_limit
    assert msgspec.structs.replace(STRETCH, generator_cpu=Cpu(0.91, 91)).is_generator_the_limit


def test_the_time_of_the_machine_is_read_without_idling_and_waiting_for_the_disk(tmp_path: Path) -> None:
    """The columns of proc(5): user, nice, system, idle, iowait, irq, softirq, steal, guest, in ticks."""
    stat = tmp_path / "stat"
    tick = os.sysconf("SC_CLK_TCK")
    stat.write_text(
        f"cpu  {1 * tick} {2 * tick} {4 * tick} 800 1600 {8 * tick} {16 * tick} {32 * tick} 7 9\ncpu0 1 2\n"
    )
    assert machine_seconds(stat) == MachineTime(busy=31, stolen=32)
    assert machine_seconds(tmp_path / "none") is None
    stat.write_text("something else")
    assert machine_seconds(stat) is None


def test_what_others_used_is_what_is_left_of_the_machine() -> None:
    before, after = MachineTime(100, 5), MachineTime(117, 6)
    assert _besides(before, after, 9.0, 4.0) == (4.0, 1)
    assert _besides(before, after, None, 4.0) == (None, 1)
    assert _besides(None, after, 9.0, 4.0) == (None, None)
