"""The run of a plan: chunks of a fixed size over workers, in any order, with the same counts."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
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

from casinowar.errors import require_count
from casinowar.extras import require
from casinowar.rulebooks import Rulebook, load_rulebook
from casinowar.sim import parameters as at
from casinowar.sim.planner import make_plan
from casinowar.sim.result.run_result import Result
from casinowar.sim.table_plan import MOST_CHUNKS, MOST_SEED, Plan, Strategy, whole_chunk

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

IN_FLIGHT = 2
"""Tasks for each worker that are handed out and not back."""

OTHERS_IN_FLIGHT = 64
"""The same for an executor whose number of workers nobody tells."""

LOOKS = 16
"""The precision is looked at after each of the first so many chunks, then so often while they double, or less."""

MOST_LOSSES = 5
"""How often a task is played again after its worker was lost."""


class Until(msgspec.Struct, frozen=True):
    """Stop when the standard error of the wager's mean, per unit, is no more than so much.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("nz"), wagers=("initial",), fresh=True)
    >>> result = sim.run(plan, seed=7, rounds=10**9, until=sim.Until("initial", 0.002))
    >>> result.rounds < 10**7, result.wager("initial").standard_error <= 0.002
    (True, True)
    """

    wager: str
    standard_error: float


class Progress(msgspec.Struct, frozen=True):
    """How far a run is: rounds played of those wanted, the seconds since it began, and the result so far.

    >>> from casinowar import load_rulebook, sim
    >>> plan, told = sim.make_plan(load_rulebook("nz")), []
    >>> result = sim.run(plan, seed=7, rounds=1_000, progress=told.append)
    >>> told[-1].rounds, told[-1].wanted
    (1000, 1000)
    """

    rounds: int
    wanted: int
    seconds: float
    result: Result


def simulate(
    rules: Rulebook | str,
    rounds: int = 1_000_000,
    seed: int = 0,
    *,
    wagers: Mapping[str, int] | Iterable[str] | None = None,
    strategy: Strategy = "war",
    boxes: int = 1,
    fresh: bool = False,
    workers: int = 1,
) -> Result:
    """Play so many rounds of a rulebook in the compiled kernel; the same seed gives the same counts.

    `make_plan` and `run` have more choices: nights, counting, meters, clusters. It needs the extra `sim`.

    >>> import casinowar
    >>> result = casinowar.simulate("nz", 100_000, seed=7, wagers=["initial"], fresh=True)
    >>> result.rounds
    100000
    """
    book = load_rulebook(rules) if isinstance(rules, str) else rules
    plan = make_plan(book, boxes=boxes, wagers=wagers, strategy=strategy, fresh=fresh)
    return run(plan, seed, rounds, workers=workers)


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
    chunks_at_once: int = 1,
) -> Result:
    """Play so many rounds, or fewer where `until` is met or `stop` says so, and give what came of it.

    Without an `executor`, `workers` threads play; with one, `workers` says how many it has, where that is known. It is
    handed `run_chunk`, or `run_chunks` where a task may be so many `chunks_at_once`, and what was lost with its worker
    is played again. In the caller's thread and in the order of the chunks, `progress` is called and `stop` asked after
    each task, and `until` looked at after some: so it stops at the same round for any number of workers, and of chunks
    at once. A KeyboardInterrupt leaves through here; what was played so far came with `progress`. Where nights are
    played, the rounds are rounded up to whole nights.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("nz"), wagers=("initial",))
    >>> sim.run(plan, seed=7, rounds=1_000).tallies == sim.run(plan, seed=7, rounds=1_000, workers=2).tallies
    True
    """
    require("casinowar.sim", "sim", "numpy", "numba")
    require_count(0, MOST_SEED - 1, seed=seed)
    require_count(1, rounds=rounds, workers=workers, chunks_at_once=chunks_at_once)
    require_count(0, first_chunk=first_chunk)
    wanted = rounds if not plan.session else -(-rounds // plan.session) * plan.session
    if first_chunk + wanted // plan.chunk_rounds >= MOST_CHUNKS:
        raise ValueError(f"first chunk {first_chunk}: a seed has {MOST_CHUNKS} chunks")
    result = Result(plan=plan)
    began = monotonic()
    tasks = _tasks(plan, wanted, first_chunk, chunks_at_once, until)
    own = executor is None
    pool = ThreadPoolExecutor(workers) if executor is None else executor
    most = IN_FLIGHT * workers if own or workers > 1 or chunks_at_once > 1 else OTHERS_IN_FLIGHT
    hands = _Hands(pool, plan, seed, workers, run_chunk if chunks_at_once == 1 else run_chunks)
    played = 0
    try:
        for chunk, size, tallies in _in_order(hands, tasks, most):
            result.add(seed, chunk, size, tallies)
            played += size
            if progress is not None:
                progress(Progress(played, wanted, monotonic() - began, result))
            is_looked_at = until is not None and _to_look(-(-played // plan.chunk_rounds)) == 0
            if (stop is not None and stop()) or (is_looked_at and _is_met(result, until)):
                break
    finally:
        hands.close()
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
    return result


def _tasks(plan: Plan, rounds: int, first: int, at_once: int, until: Until | None) -> Iterator[tuple[int, int]]:
    """The first chunk and the rounds of each task. Where the precision is looked at, a task ends."""
    whole, done = plan.chunk_rounds, 0
    chunks = -(-rounds // whole)
    while done < chunks:
        count = min(at_once, chunks - done)
        if until is not None and count > 1:
            count = min(count, _to_look(done) or _look_step(done))
        yield first + done, min(count * whole, rounds - done * whole)
        done += count


def _look_step(chunks: int) -> int:
    """After how many chunks the precision is looked at again, when so many are done."""
    return 1 if chunks < LOOKS else max(LOOKS, 1 << (chunks // LOOKS).bit_length() - 1)


def _to_look(chunks: int) -> int:
    """How many chunks are missing until the precision is looked at; none where it is looked at now."""
    return -chunks % _look_step(chunks)


def _is_met(result: Result, until: Until | None) -> bool:
    if until is None:
        return False
    figures = result.wager(until.wager)
    return figures.count > 1 and figures.standard_error <= until.standard_error


Play = Callable[["NDArray[int64]", int, int, int], "NDArray[int64] | list[int]"]


class _Hands:
    """Tasks handed out to workers. Where an executor is broken for good, the rest is played here."""

    def __init__(self, pool: Executor, plan: Plan, seed: int, workers: int, play: Play) -> None:
        self.flat, self.seed, self.workers, self.play = plan.flat, seed, workers, play
        self.pool = pool
        self.own: ThreadPoolExecutor | None = None
        self.running: dict[Future[NDArray[int64] | list[int]], tuple[int, int]] = {}
        self.losses: dict[int, int] = {}

    def hand_out(self, chunk: int, size: int) -> None:
        try:
            future = self.pool.submit(self.play, self.flat, self.seed, chunk, size)
        except BrokenExecutor:
            self.pool = self.own = ThreadPoolExecutor(self.workers)
            future = self.pool.submit(self.play, self.flat, self.seed, chunk, size)
        self.running[future] = (chunk, size)

    def take_back(self) -> Iterator[tuple[int, int, list[int]]]:
        """Tasks that have been played; one whose worker was lost is handed out again."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            chunk, size = self.running.pop(future)
            try:
                found = future.result()
                tallies = found if isinstance(found, list) else found.tolist()
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


def _in_order(hands: _Hands, tasks: Iterator[tuple[int, int]], most: int) -> Iterator[tuple[int, int, list[int]]]:
    """Tallies of the tasks in their order, with a bounded number of them handed out or waiting for one before them."""
    ready: dict[int, tuple[int, list[int]]] = {}
    due: deque[int] = deque()
    while True:
        while len(due) < most and (following := next(tasks, None)) is not None:
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
    """Whether a worker was lost, rather than the task at fault: Dask has errors of its own for it."""
    lost = (CancelledError, BrokenExecutor, OSError, EOFError)
    return isinstance(error, lost) or type(error).__name__ in ("KilledWorker", "FutureCancelledError")


def run_chunk(flat: "NDArray[int64]", seed: int, chunk: int, rounds: int) -> "NDArray[int64]":
    """The counts of one chunk, laid out as `tallies.py` says. `rounds` is at most a whole chunk.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("nz"), wagers=("initial",))
    >>> sim.run_chunk(plan.flat, 7, 0, 1_000).tolist() == sim.run(plan, seed=7, rounds=1_000).tallies
    True
    """
    from casinowar.sim.kernel.chunks import play_chunk

    return play_chunk(flat, seed, chunk, rounds)


def run_chunks(flat: "NDArray[int64]", seed: int, first: int, rounds: int) -> list[int]:
    """The counts of so many rounds from the beginning of chunk `first` on, added up chunk by chunk.

    >>> from casinowar import load_rulebook, sim
    >>> plan = sim.make_plan(load_rulebook("nz"), wagers=("initial",))
    >>> rounds = plan.chunk_rounds + 1_000
    >>> sim.run_chunks(plan.flat, 7, 0, rounds) == sim.run(plan, seed=7, rounds=rounds).tallies
    True
    """
    whole, sums = whole_chunk(int(flat[at.SESSION])), list[int]()
    for begin in range(0, rounds, whole):
        counts = run_chunk(flat, seed, first + begin // whole, min(whole, rounds - begin)).tolist()
        sums = [one + two for one, two in zip(sums, counts, strict=True)] if sums else counts
    return sums
