"""The result of a simulation: counts of outcomes, which add up, and the figures that follow from them exactly."""

from collections.abc import Iterable
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Self

import msgspec

from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.sim.result.chunk_runs import MergeRefused, Run, add_runs, runs_of
from casinowar.sim.result.night_figures import NightFigures, night_figures
from casinowar.sim.result.plan_tallies import PlanTallies
from casinowar.sim.result.result_file import format_result, parse_result, read_result_file
from casinowar.sim.result.table_figures import BankFigures, ShoeFigures, bank_figures, shoe_figures
from casinowar.sim.result.wager_figures import WagerFigures, box_covariance, covariance, wager_figures
from casinowar.sim.table_plan import Plan


class Result(msgspec.Struct, kw_only=True):
    """What came of a plan. `chunks` has what was played in runs: a seed, its first chunk, how many, rounds of each.

    >>> from casinowar import sim
    >>> one, two = (sim.simulate("nz", 1_000, seed=seed, wagers=["initial"]) for seed in (7, 8))
    >>> both = one.merge(two)
    >>> both.rounds, both.seeds, both.wager("initial").count
    (2000, (7, 8), 2000)
    """

    plan: Plan
    chunks: list[Run] = []
    tallies: list[int] = []

    def add(self, seed: int, chunk: int, rounds: int, tallies: Iterable[int]) -> None:
        """Add the tallies of so many rounds from the beginning of a chunk on, which may be many chunks."""
        self.chunks = add_runs(self.chunks, runs_of(seed, chunk, rounds, self.plan.chunk_rounds))
        self._add_tallies(list(tallies))

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of all that was added up."""
        return tuple(dict.fromkeys(seed for seed, *_ in self.chunks))

    def _add_tallies(self, new: list[int]) -> None:
        self.tallies = [one + other for one, other in zip(self.tallies, new, strict=True)] if self.tallies else new

    def merge(self, other: "Result") -> "Result":
        """Both results as one; `MergeRefused` where they are not of the same plan, or share a chunk of a seed."""
        if self.plan.book_hash != other.plan.book_hash:
            raise MergeRefused(
                f"the rulebooks differ: {self.plan.rules.id} {self.plan.book_hash[:12]}, "
                f"{other.plan.rules.id} {other.plan.book_hash[:12]}"
            )
        if self.plan.hash != other.plan.hash:
            raise MergeRefused("the plans differ: other boxes, wagers, stakes or strategies")
        merged = Result(plan=self.plan, chunks=add_runs(self.chunks, other.chunks), tallies=[*self.tallies])
        if other.tallies:
            merged._add_tallies(other.tallies)
        return merged

    @property
    def rounds(self) -> int:
        """Rounds that were played; of a night that was ruined, those before its ruin."""
        return self.tallies[tally.ROUNDS] if self.tallies else 0

    def section(self, name: str) -> list[int]:
        """One section of the tallies, as `tallies.py` names it."""
        return self._counted.section(name)

    @property
    def _counted(self) -> PlanTallies:
        return PlanTallies(self.plan, self.tallies)

    def wager(self, name: str) -> WagerFigures:
        """The figures of a wager; those of the progressive have the meter in them."""
        return wager_figures(self._counted, name)

    def covariance(self, one: str, two: str) -> Fraction:
        """Of two wagers on the same box, per unit of each; one that was not settled counts as nothing."""
        return covariance(self._counted, one, two)

    def box_covariance(self, one: str, two: str) -> Fraction | None:
        """Of two wagers on different boxes of a round, per unit of each; none where one box plays."""
        return box_covariance(self._counted, one, two)

    @property
    def shoe(self) -> ShoeFigures:
        """Figures of the shoes that were dealt to their end."""
        return shoe_figures(self._counted)

    @property
    def bank(self) -> BankFigures | None:
        """What who banks gains in a round; none where the house banks."""
        return bank_figures(self._counted) if self.plan.numbers[at.BANK] else None

    @property
    def nights(self) -> NightFigures | None:
        """Figures of the nights; none without a session."""
        return night_figures(self._counted) if self.plan.session else None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result to a file of JSON."""
        Path(path).write_bytes(self.to_json())

    def to_json(self) -> bytes:
        """The result as JSON: the plan with its rulebook, its hashes, the chunks with their seeds, and the tallies."""
        return format_result(self.plan, self.chunks, self.tallies)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The result in a file; `MergeRefused` where it is none, or was changed."""
        return cls.from_json(read_result_file(path))

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        """The result that `to_json` wrote; `MergeRefused` where no play can have come to it."""
        plan, chunks, tallies = parse_result(data)
        result = cls(plan=plan, chunks=chunks, tallies=tallies)
        spreads = [result.shoe.rounds_variance, result.shoe.cards_variance]
        spreads += [result.nights.variance] if result.nights is not None else []
        for wager in plan.wagers:
            figures = result.wager(wager)
            spreads += [figures.variance, figures.total_variance]
        if min(spreads) < 0:
            raise MergeRefused("the result was changed: its sums and its squares do not go together")
        return result
