"""Runs of chunks: which chunks of a seed a result has, so that no chunk is counted twice."""

from itertools import pairwise

from casinowar.errors import CasinoWarError

Run = tuple[int, int, int, int]
"""A seed, its first chunk, how many chunks, and the rounds of each."""


class MergeRefused(CasinoWarError, ValueError):
    """Two results that cannot be added up: of other plans or rulebooks, or of the same chunks of a seed.

    >>> from casinowar import sim
    >>> result = sim.simulate("nz", 1_000, seed=7, wagers=["initial"])
    >>> try:
    ...     twice = result.merge(result)
    ... except sim.MergeRefused as refused:
    ...     print(refused)
    chunk 0 of seed 7 is in both
    """


def runs_of(seed: int, first: int, rounds: int, whole: int) -> list[Run]:
    """The runs that so many rounds are from the beginning of a chunk on; a whole chunk has `whole` rounds."""
    count, rest = divmod(rounds, whole)
    runs = [(seed, first, count, whole)] if count else []
    return [*runs, (seed, first + count, 1, rest)] if rest else runs


def add_runs(runs: list[Run], others: list[Run]) -> list[Run]:
    """The runs of two results as one, each in its order: the cost is of sorting, however many there are."""
    together = sorted([*runs, *others])
    for (seed, first, count, _), (other, begin, _, _) in pairwise(together):
        if seed == other and begin < first + count:
            raise MergeRefused(f"chunk {begin} of seed {seed} is in both")
    return _join(together)


def _join(runs: list[Run]) -> list[Run]:
    joined: list[Run] = []
    for run in runs:
        if joined and _is_next(joined[-1], run):
            joined[-1] = (*joined[-1][:2], joined[-1][2] + run[2], run[3])
        else:
            joined.append(run)
    return joined


def _is_next(run: Run, other: Run) -> bool:
    return run[0] == other[0] and run[1] + run[2] == other[1] and run[3] == other[3]
