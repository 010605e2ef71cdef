"""The result of a simulation: counts of outcomes, and the figures that follow from them exactly."""

from fractions import Fraction
from os import PathLike
from typing import Self

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.sim.table_plan import Plan


class MergeRefused(CasinoWarError, ValueError):
    """Two results that cannot be added up: of other plans or rulebooks, of another seed, or of the same chunks."""


class WagerFigures(msgspec.Struct, frozen=True):
    """One wager over all boxes: how often it was settled, and its net results per unit of its own stake."""

    wager: str
    count: int
    histogram: dict[Fraction, int]

    @property
    def mean(self) -> Fraction:
        raise NotImplementedError

    @property
    def variance(self) -> Fraction:
        raise NotImplementedError

    @property
    def standard_error(self) -> float:
        """Of the mean; boxes of one round share the dealer's card, which is taken into account."""
        raise NotImplementedError

    @property
    def hit_rate(self) -> Fraction:
        """How often the wager won something."""
        raise NotImplementedError


class ShoeFigures(msgspec.Struct, frozen=True):
    """Shoes that were dealt to their end, what was dealt of them, and rounds for which the cards ran out."""

    shoes: int
    rounds_per_shoe: Fraction
    cards_per_shoe: Fraction
    dry: int
    void: int


class NightFigures(msgspec.Struct, frozen=True):
    """Nights: how many, how many were ruined, what they came to, and quantiles of the bankroll along the way."""

    nights: int
    ruined: int
    mean: Fraction
    standard_error: float
    drawdown_mean: Fraction
    points: tuple[int, ...]
    quantiles: dict[Fraction, tuple[int, ...]]


class Result(msgspec.Struct, kw_only=True):
    """What came of a plan: the counts of the chunks that were played."""

    plan: Plan
    seed: int
    chunks: list[tuple[int, int]]
    tallies: list[int]

    @property
    def rounds(self) -> int:
        raise NotImplementedError

    def wager(self, name: str) -> WagerFigures:
        raise NotImplementedError

    def covariance(self, one: str, two: str) -> Fraction:
        """Of two wagers on the same box, per unit of each, over the rounds in which both were settled."""
        raise NotImplementedError

    def box_covariance(self, one: str, two: str) -> Fraction | None:
        """Of two wagers on different boxes of a round; none unless the plan asks for `covariance`."""
        raise NotImplementedError

    @property
    def shoe(self) -> ShoeFigures:
        raise NotImplementedError

    @property
    def bank(self) -> WagerFigures | None:
        """What who banks gains in a round in minor units; none where the house banks."""
        raise NotImplementedError

    @property
    def nights(self) -> NightFigures | None:
        raise NotImplementedError

    def merge(self, other: "Result") -> "Result":
        """Both results as one; `MergeRefused` where they are not of the same plan, or share a chunk."""
        raise NotImplementedError

    def save(self, path: str | PathLike[str]) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        raise NotImplementedError
