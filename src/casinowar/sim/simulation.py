"""The run of a plan: chunks of a fixed size over workers, in any order, with the same counts."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING

import msgspec

from casinowar.sim.run_result import Result
from casinowar.sim.table_plan import Plan

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

CHUNK_ROUNDS = 1 << 20
"""Rounds of a chunk. It is part of what a seed means: the histogram of a seed hangs on it."""


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

    Without an `executor`, `workers` threads play. A chunk whose worker was lost is played again. `stop` is asked after
    every chunk; `progress` is called after each, in the caller's thread. `seed` has 64 bits.
    """
    raise NotImplementedError


def run_chunk(flat: "NDArray[int64]", seed: int, chunk: int, rounds: int) -> "NDArray[int64]":
    """The counts of one chunk, laid out as `tallies.py` says. `rounds` is at most a whole chunk."""
    raise NotImplementedError
