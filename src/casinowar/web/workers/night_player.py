"""The player of nights: a spare process that plays runs in slices, so that many are played in turn and any can end.

It keeps the tallies of each run, and forgets those that the server no longer names. Only here is numba imported.
"""

import os
from collections.abc import Sequence
from time import monotonic
from typing import Any, Literal

import msgspec

from casinowar.extras import ExtraMissing
from casinowar.reports.explorer import SettingRefused, load_changed, parse_sets
from casinowar.reports.night_plot import MOST_STEPS
from casinowar.sim import PlanRefused, make_plan, run_chunk
from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.web.workers.spare_process import run_process

NICE = 10
"""The thread that deals comes first wherever both want the same core."""

CHUNK_ROUNDS = 100_000
"""Rounds of a chunk, in whole nights. It is a part of what a seed means, and between two chunks a run can end."""

POINTS = 32
PATHS = 48
SHARES = (5, 25, 50, 75, 95)


class NightTask(msgspec.Struct, frozen=True):
    """A run of nights: the book with its settings, the night in steps, how many, and the seed."""

    rulebook: str
    set: tuple[str, ...]
    strategy: Literal["war", "surrender"]
    rounds: int
    wager: int
    steps: int
    start: int
    nights: int
    seed: int


class Slice(msgspec.Struct, frozen=True):
    """Play a run for so many seconds; all runs but those in `known` are forgotten. The task comes with the first."""

    run: str
    seconds: float
    known: tuple[str, ...]
    task: NightTask | None = None


class PlayedEnd(msgspec.Struct, frozen=True):
    """A gain at the end of a night, and how many nights had it."""

    gain: int
    nights: int


class NightsPlayed(msgspec.Struct, frozen=True):
    """What was played so far. Amounts are gains in minor units.

    `ahead`, `even`, `behind` and `gone` are numbers of nights. `points` are rounds, and `bands` has for each share (5,
    25, 50, 75 and 95 of 100) the gain at each of them. `ends` are gains at the end with how many nights had each,
    ascending. `paths` are the first nights and `last` is the last one, at the same points.
    """

    nights: int
    ahead: int
    even: int
    behind: int
    gone: int
    points: list[int]
    bands: dict[str, list[int]]
    ends: list[PlayedEnd]
    paths: list[list[int]]
    last: list[int]


class Sliced(msgspec.Struct, frozen=True):
    """The answer to a slice: what was played so far, or in `refused` why nothing can be."""

    played: NightsPlayed | None = None
    refused: str = ""


class NightRun:
    """One run in this process: its flat plan, its tallies, and the next chunk."""

    def __init__(self, task: NightTask) -> None:
        self.task = task
        rules = load_changed(task.rulebook, parse_sets(task.set))
        plan = make_plan(
            rules,
            wagers={"initial": task.steps},
            strategy=task.strategy,
            fresh=True,
            session=task.rounds,
            bankroll=task.start,
        )
        self._flat = _with_points(plan.flat, task.rounds)
        self._whole = max(1, CHUNK_ROUNDS // task.rounds)
        self._tallies = self._chunk(0, 0)
        self._chunks = 0
        self._paths: list[list[int]] = []
        self.nights = 0

    def _chunk(self, chunk: int, nights: int) -> Any:
        return run_chunk(self._flat, self.task.seed, chunk, nights * self.task.rounds)

    @property
    def is_over(self) -> bool:
        return self.nights >= self.task.nights

    def play(self, seconds: float) -> None:
        """Play chunk by chunk until the time is over; at least one."""
        until = monotonic() + seconds
        while not self.is_over:
            nights = min(self._whole, self.task.nights - self.nights)
            self._tallies = self._tallies + self._chunk(self._chunks, nights)
            self._chunks += 1
            self.nights += nights
            if monotonic() >= until:
                break

    def tell(self) -> NightsPlayed:
        rows = self._rows(self._tallies)
        ends = [PlayedEnd(self._gain(place), count) for place, count in enumerate(rows[-1]) if count]
        courses = {str(share): [self._gain(_quantile(row, share)) for row in rows] for share in SHARES}
        if len(self._paths) < min(PATHS, self.nights):
            self._paths = self._nights(0, 0, min(PATHS, self.nights, self._whole))
        return NightsPlayed(
            nights=self.nights,
            ahead=sum(end.nights for end in ends if end.gain > 0),
            even=sum(end.nights for end in ends if end.gain == 0),
            behind=sum(end.nights for end in ends if end.gain < 0),
            gone=int(self._tallies[tally.RUINED]),
            points=self._flat[at.POINT : at.POINT + self._flat[at.POINTS]].tolist(),
            bands=courses,
            ends=ends,
            paths=self._paths,
            last=self._last(),
        )

    def _last(self) -> list[int]:
        """The last night that was played."""
        last = self.nights - (self._chunks - 1) * self._whole
        return self._nights(self._chunks - 1, last - 1, last)[0]

    def _nights(self, chunk: int, first: int, end: int) -> list[list[int]]:
        """Single nights of a chunk at the points: what each adds to the nights before it. Chunks can be repeated."""
        before = self._rows(self._chunk(chunk, first))
        paths = []
        for nights in range(first + 1, end + 1):
            rows = self._rows(self._chunk(chunk, nights))
            paths.append([self._gain(_added(*both)) for both in zip(before, rows, strict=True)])
            before = rows
        return paths

    def _rows(self, tallies: Any) -> list[list[int]]:
        """Bankrolls in steps at each point: how many nights had each."""
        begin, _ = tally.sections(self._flat[: at.HEAD].tolist())["night"]
        points = int(self._flat[at.POINTS])
        rows: list[list[int]] = (
            tallies[begin : begin + points * tally.NIGHT_BINS].reshape(points, tally.NIGHT_BINS).tolist()
        )
        return rows

    def _gain(self, place: int) -> int:
        """The gain of a bankroll in steps, in minor units; half a unit is rounded to the even one, as the exact one."""
        return round((place - self.task.start) * self.task.wager / self.task.steps)


def _with_points(flat: Any, rounds: int) -> Any:
    """The plan with more points than usual, and one bin for each step."""
    points = min(rounds, POINTS)
    flat[at.BIN], flat[at.BIN_BEGIN] = 1, 0
    flat[at.POINTS] = points
    for place in range(points):
        flat[at.POINT + place] = rounds * (place + 1) // points
    assert MOST_STEPS < tally.NIGHT_BINS
    return flat


def _added(before: Sequence[int], after: Sequence[int]) -> int:
    """The one place that has one more."""
    return next(place for place, counts in enumerate(zip(before, after, strict=True)) if counts[0] != counts[1])


def _quantile(row: Sequence[int], share: int) -> int:
    """The first place up to which so large a share lies."""
    below, total = 0, sum(row)
    for place, count in enumerate(row):
        below += count
        if below and 100 * below >= share * total:
            return place
    return 0


class NightPlayer:
    """The process's side: it plays the slices that it is sent."""

    def __init__(self) -> None:
        self.runs: dict[str, NightRun] = {}

    def answer(self, request: bytes) -> bytes:
        return msgspec.msgpack.encode(self.play(msgspec.msgpack.decode(request, type=Slice)))

    def play(self, wanted: Slice) -> Sliced:
        self.runs = {name: run for name, run in self.runs.items() if name in wanted.known}
        try:
            if wanted.task is not None:
                self.runs[wanted.run] = NightRun(wanted.task)
            run = self.runs[wanted.run]
            run.play(wanted.seconds)
            return Sliced(run.tell())
        except (SettingRefused, PlanRefused, ExtraMissing) as error:
            return Sliced(refused=str(error)[:300])


if __name__ == "__main__":
    os.nice(NICE)
    run_process(NightPlayer().answer)
