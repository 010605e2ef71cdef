"""Runs: the same seed gives the same tallies whoever plays the chunks, and a lost worker's chunks are played again."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, partial
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from casinowar.errors import ArgumentRefused
from casinowar.rulebooks import load_rulebook, load_with
from casinowar.sim import CHUNK_ROUNDS, Plan, Progress, Result, Until, make_plan, run, run_chunk
from casinowar.sim.kernel.chunks import play_chunk, play_general
from casinowar.sim.kernel.one_box import is_one_box
from casinowar.sim.simulation import _tasks, _to_look, simulate

ROUNDS = 5 * CHUNK_ROUNDS - 12345
SEED = 2**64 - 59


@cache
def plan() -> Plan:
    return make_plan(load_rulebook("nz"))


@cache
def alone() -> Result:
    return run(plan(), SEED, ROUNDS)


class Lossy(Executor):
    """Workers that are lost now and then, each in a way of its own; it counts how many chunks are out at once."""

    def __init__(self, errors: list[BaseException]) -> None:
        self.errors = errors
        self.out: list[Future[Any]] = []
        self.most = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.out = [one for one in self.out if not one.done()] + [future]
        self.most = max(self.most, len(self.out))
        if self.errors:
            future.set_exception(self.errors.pop())
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_threads_gives_the_same(workers: int) -> None:
    result = run(plan(), SEED, ROUNDS, workers=workers)
    assert result.tallies == alone().tallies
    assert result.chunks == [(SEED, 0, 4, CHUNK_ROUNDS), (SEED, 4, 1, CHUNK_ROUNDS - 12345)]
    assert result.rounds == ROUNDS


def test_processes_give_the_same() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert run(plan(), SEED, ROUNDS, executor=pool, workers=2).tallies == alone().tallies


def test_a_lost_worker_changes_nothing() -> None:
    lost: list[BaseException] = [BrokenProcessPool("gone"), CancelledError(), ConnectionResetError(), EOFError()]
    assert run(plan(), SEED, ROUNDS, executor=Lossy(lost)).tallies == alone().tallies


def test_a_pool_that_is_broken_for_good_leaves_the_rest_to_this_process() -> None:
    """A worker that is killed breaks a pool of processes: nothing can be handed to it any more."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(BrokenProcessPool):
            pool.submit(os.kill, pool.submit(os.getpid).result(), signal.SIGKILL).result()
        assert run(plan(), SEED, ROUNDS, executor=pool, workers=2).tallies == alone().tallies


def test_a_chunk_that_is_lost_again_and_again_is_given_up() -> None:
    with pytest.raises(ConnectionResetError):
        run(plan(), SEED, 10, executor=Lossy([ConnectionResetError() for _ in range(20)]))


def test_a_fault_of_the_chunk_itself_is_not_tried_again() -> None:
    executor = Lossy([ZeroDivisionError()])
    with pytest.raises(ZeroDivisionError):
        run(plan(), SEED, 10, executor=executor)


def test_few_chunks_are_out_at_once() -> None:
    """Futures that nobody finishes are handed out up to a bound, and no further."""

    class Slow(ThreadPoolExecutor):
        def __init__(self) -> None:
            super().__init__(1)
            self.submitted = 0
            self.finished = 0
            self.most = 0

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            self.submitted += 1
            self.most = max(self.most, self.submitted - self.finished)
            future = super().submit(fn, *args, **kwargs)
            future.add_done_callback(lambda _: setattr(self, "finished", self.finished + 1))
            return future

    small = make_plan(load_rulebook("nz"), session=CHUNK_ROUNDS, bankroll=200)
    with Slow() as pool:
        run(small, 1, 40 * CHUNK_ROUNDS, executor=pool, workers=3)
    assert pool.submitted == 40
    assert pool.most <= 6


def test_chunks_of_one_seed_add_up() -> None:
    first = run(plan(), SEED, 2 * CHUNK_ROUNDS)
    rest = run(plan(), SEED, ROUNDS - 2 * CHUNK_ROUNDS, first_chunk=2)
    assert first.merge(rest).tallies == alone().tallies
    assert first.tallies != run(plan(), SEED, 2 * CHUNK_ROUNDS, first_chunk=2).tallies


@pytest.mark.parametrize("at_once", [2, 3, 100])
def test_tasks_of_many_chunks_give_the_same(at_once: int) -> None:
    done: list[int] = []
    result = run(plan(), SEED, ROUNDS, workers=2, chunks_at_once=at_once, progress=lambda one: done.append(one.rounds))
    assert (result.tallies, result.chunks) == (alone().tallies, alone().chunks)
    assert done == [*range(at_once * CHUNK_ROUNDS, ROUNDS, at_once * CHUNK_ROUNDS), ROUNDS]


def test_a_lost_task_of_many_chunks_changes_nothing() -> None:
    lossy = Lossy([BrokenProcessPool("gone"), EOFError()])
    assert run(plan(), SEED, ROUNDS, executor=lossy, chunks_at_once=2).tallies == alone().tallies


@pytest.mark.parametrize(("chunks", "at_once"), [(3, 2), (16, 5), (17, 50), (300, 1000), (1000, 7), (5000, 10**6)])
def test_the_precision_is_looked_at_after_the_same_chunks(chunks: int, at_once: int) -> None:
    """After each of 16, after every 16th up to 512, then after every 32nd, 64th: never more than a 16th too late."""
    looks, done = [], 0
    while done < chunks:
        done += 1 if done < 16 else max(16, 2 ** ((done // 16).bit_length() - 1))
        looks.append(min(done, chunks))
    stop = Until("tie", 1e-9)
    ends = [
        first - 4 + -(-size // CHUNK_ROUNDS) for first, size in _tasks(plan(), chunks * CHUNK_ROUNDS, 4, at_once, stop)
    ]
    assert set(looks) <= {*ends, chunks}
    assert looks[:17] == [*range(1, min(chunks, 16) + 1), *([min(chunks, 32)] if chunks > 16 else [])]
    assert all(later - sooner <= max(16, sooner // 8) for sooner, later in pairwise(looks))
    assert all(_to_look(one) == 0 for one in looks[:-1])
    assert sum(_to_look(one) == 0 for one in range(1, chunks)) == len(looks) - 1


def test_a_run_stops_when_it_is_told_to() -> None:
    seen: list[Progress] = []
    result = run(plan(), SEED, ROUNDS, progress=seen.append, stop=lambda: len(seen) == 2, workers=2)
    assert result.rounds == 2 * CHUNK_ROUNDS
    assert [one.rounds for one in seen] == [CHUNK_ROUNDS, 2 * CHUNK_ROUNDS]
    assert seen[-1].wanted == ROUNDS


def test_a_run_stops_at_its_precision() -> None:
    """The tie wager has a standard deviation near 2.88, so 0.0016 takes some 3.2 million rounds: four chunks."""
    for at_once in (1, 50):
        result = run(plan(), SEED, 10**9, until=Until("tie", 0.0016), workers=2, chunks_at_once=at_once)
        assert result.rounds == 4 * CHUNK_ROUNDS
        assert result.wager("tie").standard_error <= 0.0016


@pytest.mark.parametrize(
    ("wrong", "bounds"),
    [
        ({"seed": -1}, "from 0 to 18,446,744,073,709,551,615"),
        ({"seed": 2**64}, "from 0 to 18,446,744,073,709,551,615"),
        ({"seed": "7"}, "from 0 to 18,446,744,073,709,551,615"),
        ({"rounds": 0}, "1 or more"),
        ({"rounds": 1000.5}, "1 or more"),
        ({"workers": 0}, "1 or more"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any], bounds: str) -> None:
    (name, value), *_ = wrong.items()
    given = {"seed": 1, "rounds": 1} | wrong
    for simulated in (partial(simulate, "nz"), partial(run, plan())):
        with pytest.raises(ArgumentRefused, match=f"^{name} = {value!r}: it is a whole number, {bounds}$"):
            simulated(**given)


def test_a_seed_has_so_many_chunks() -> None:
    with pytest.raises(ValueError, match="chunks"):
        run(plan(), 1, 10**7, first_chunk=2**62 - 3)


ONE_BOX: list[tuple[str, dict[str, object], dict[str, Any]]] = [
    ("nz", {}, {}),
    ("nz", {}, {"fresh": True}),
    ("nz", {"shoe.shuffler": "continuous"}, {}),
    ("nz", {"war.burn": 0, "shoe.decks": 4, "shoe.initial_burn": "none"}, {"strategy": "surrender"}),
    ("wa", {"shoe.round_burn": 1}, {"wagers": ("initial", "tie")}),
    ("wa", {}, {"wagers": ("initial",), "fresh": True}),
    (
        "ctg",
        {"shoe.cut_first_card": "shuffle_now"},
        {"strategy": dict.fromkeys("23456789TJQK", "war") | {"A": "surrender"}},
    ),
    ("ma", {}, {"wagers": ("initial", "tie")}),
    ("wa", {}, {}),
    ("wa", {}, {"fresh": True, "wagers": ("initial", "a_bomb", "war_perfect_pairs")}),
    ("wa", {"cards.ranks": "23A456789TJQK"}, {"strategy": dict.fromkeys("23456789TJQK", "war") | {"A": "surrender"}}),
    ("ma", {"wager.progressive": True, "progressive.suited_four": "suited_ties"}, {"meter": 987_654}),
]


@pytest.mark.parametrize(("book", "options", "choices"), ONE_BOX)
def test_the_kernel_for_one_box_counts_as_the_general_one(
    book: str, options: dict[str, object], choices: dict[str, Any]
) -> None:
    flat = make_plan(load_with(book, options), **choices).flat
    assert is_one_box(flat)
    for chunk, rounds in ((0, 300_001), (2**40 + 5, 4097)):
        assert np.array_equal(play_chunk(flat, SEED, chunk, rounds), play_general(flat, SEED, chunk, rounds))


def test_rejected_words_are_replaced_alike() -> None:
    """A stack of 100 decks rejects one word in 160, so that both kernels replace thousands of them."""
    rules = load_with("nz", {"shoe.decks": 100}, any_decks=True)
    for choices in ({}, {"fresh": True}):
        flat = make_plan(rules, **choices).flat  # type: ignore[arg-type]
        assert is_one_box(flat)
        assert np.array_equal(play_chunk(flat, 3, 1, 200_000), play_general(flat, 3, 1, 200_000))


def test_a_plan_that_the_small_kernel_cannot_play_goes_to_the_general_one() -> None:
    running = make_plan(load_with("ma", {"wager.progressive": True}), meter_runs=True)
    assert not is_one_box(running.flat)
    for choices in ({"boxes": 2}, {"wagers": ("tie",)}, {"session": 10, "bankroll": 5000}):
        assert not is_one_box(make_plan(load_rulebook("nz"), **choices).flat)
    deep = make_plan(load_with("nz", {"shoe.marker_from_back": 0})).flat
    assert not is_one_box(deep)
    assert run_chunk(deep, 1, 0, 10_000)[6] > 0, "shoes run dry, and it counts them"
