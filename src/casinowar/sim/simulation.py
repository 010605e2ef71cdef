"""The run of a plan: chunks of a fixed size over workers, in any order, with the same counts."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from casinowar.extras import require
from casinowar.sim.run_result import Result
from casinowar.sim.table_plan import Plan

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

MOST_SEED = 1 << 64
MOST_CHUNKS = 1 << 62
IN_FLIGHT = 2
"""Chunks for each worker that are handed out and not back."""

OTHERS_IN_FLIGHT = 64
"""The same for an executor whose number of workers nobody tells."""

MOST_LOOKS = 16
"""The precision is looked at after each of so many chunks, and after every so many behind them: that takes time too."""

MOST_LOSSES = 5
"""How often one chunk is played again after its worker was lost."""


class Until(msgspec.Struct, frozen=True):
    """Stop when the standard error of the wager's mean, per unit, is no more than so much."""

    wager: str
    standard_error: float


class Progress(msgspec.Struct, frozen=True):
    """How far a run is: rounds played of those wanted, the seconds since it began, and the result so far."""

    rounds: int
    wanted: int
    seconds: float
    result: Result


def run(
    plan: Plan,
    seed: int,
    rounds: int,
    *,
    executor: Executor | None = None,
    workers: int = 1,
    until: Until | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    first_chunk: int = 0,
) -> Result:
    """Play so many rounds, or fewer where `until` is met or `stop` says so, and give what came of it.

    Without an `executor`, `workers` threads play; with one, `workers` says how many it has, where that is known. A
    chunk whose worker was lost is played again. In the caller's thread and in the order of the chunks, `progress` is
    called and `stop` asked after each, and `until` looked at after some: so it stops at the same round for any number
    of workers. A KeyboardInterrupt leaves through here; what was played so far came with `progress`. Where nights are
    played, the rounds are rounded up to whole nights.
    """
    require("casinowar.sim", "sim", "numpy", "numba")
    if not 0 <= seed < MOST_SEED:
        raise ValueError(f"seed {seed}: it has 64 bits, from 0 to {MOST_SEED - 1}")
    if rounds < 1 or workers < 1 or first_chunk < 0:
        raise ValueError("rounds and workers are 1 or more, and chunks are counted from 0")
    wanted = rounds if not plan.session else -(-rounds // plan.session) * plan.session
    result = Result(plan=plan)
    began = monotonic()
    sizes = _chunks(plan, wanted, first_chunk)
    own = executor is None
    pool = ThreadPoolExecutor(workers) if executor is None else executor
    most = IN_FLIGHT * workers if own or workers > 1 else OTHERS_IN_FLIGHT
    hands = _Hands(pool, plan, seed, workers)
    played = done = 0
    try:
        for chunk, size, tallies in _in_order(hands, sizes, most):
            result.add(seed, chunk, size, tallies)
            played += size
            if progress is not None:
                progress(Progress(played, wanted, monotonic() - began, result))
            done += 1
            is_looked_at = until is not None and (done < MOST_LOOKS or done % MOST_LOOKS == 0)
            if (stop is not None and stop()) or (is_looked_at and _is_met(result, until)):
                break
    finally:
        hands.close()
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
    return result


def _chunks(plan: Plan, rounds: int, first: int) -> Iterator[tuple[int, int]]:
    """The chunks with their rounds; the last one may have fewer."""
    whole = plan.chunk_rounds
    for chunk in range(first, first + -(-rounds // whole)):
        yield chunk, min(whole, rounds - (chunk - first) * whole)


def _is_met(result: Result, until: Until | None) -> bool:
    if until is None:
        return False
    figures = result.wager(until.wager)
    return figures.count > 1 and figures.standard_error <= until.standard_error


class _Hands:
    """Chunks handed out to workers. Where an executor is broken for good, the rest is played here."""

    def __init__(self, pool: Executor, plan: Plan, seed: int, workers: int) -> None:
        self.flat, self.seed, self.workers = plan.flat, seed, workers
        self.pool = pool
        self.own: ThreadPoolExecutor | None = None
        self.running: dict[Future[NDArray[int64]], tuple[int, int]] = {}
        self.losses: dict[int, int] = {}

    def hand_out(self, chunk: int, size: int) -> None:
        try:
            future = self.pool.submit(run_chunk, self.flat, self.seed, chunk, size)
        except BrokenExecutor:
            self.pool = self.own = ThreadPoolExecutor(self.workers)
            future = self.pool.submit(run_chunk, self.flat, self.seed, chunk, size)
        self.running[future] = (chunk, size)

    def take_back(self) -> Iterator[tuple[int, int, list[int]]]:
        """Chunks that have been played; one whose worker was lost is handed out again."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            chunk, size = self.running.pop(future)
            try:
                tallies = future.result().tolist()
            except (CancelledError, Exception) as error:
                self.losses[chunk] = self.losses.get(chunk, 0) + 1
                if not _is_loss(error) or self.losses[chunk] > MOST_LOSSES:
                    raise
                self.hand_out(chunk, size)
            else:
                self.losses.pop(chunk, None)
                yield chunk, size, tallies

    def close(self) -> None:
        for future in self.running:
            future.cancel()
        if self.own is not None:
            self.own.shutdown(wait=True, cancel_futures=True)


def _in_order(hands: _Hands, sizes: Iterator[tuple[int, int]], most: int) -> Iterator[tuple[int, int, list[int]]]:
    """Tallies of the chunks in their order, with a bounded number of them handed out or waiting for one before them."""
    ready: dict[int, tuple[int, list[int]]] = {}
    due: deque[int] = deque()
    while True:
        while len(due) < most and (following := next(sizes, None)) is not None:
            due.append(following[0])
            hands.hand_out(*following)
        if not due:
            return
        while due[0] not in ready:
            for chunk, size, tallies in hands.take_back():
                ready[chunk] = size, tallies
        chunk = due.popleft()
        yield chunk, *ready.pop(chunk)


def _is_loss(error: BaseException) -> bool:
    """Whether a worker was lost, rather than the chunk at fault: Dask has errors of its own for it."""
    lost = (CancelledError, BrokenExecutor, OSError, EOFError)
    return isinstance(error, lost) or type(error).__name__ in ("KilledWorker", "FutureCancelledError")


def run_chunk(flat: "NDArray[int64]", seed: int, chunk: int, rounds: int) -> "NDArray[int64]":
    """The counts of one chunk, laid out as `tallies.py` says. `rounds` is at most a whole chunk."""
    from casinowar.sim.kernel.chunks import play_chunk

    return play_chunk(flat, seed, chunk, rounds)
