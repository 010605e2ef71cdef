"""The result of a simulation: counts of outcomes, and the figures that follow from them exactly."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from os import PathLike
from pathlib import Path
from typing import Self

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.sim.outcome_cells import CELLS, VOID, WAGER_ORDER
from casinowar.sim.pay_table import PayTable
from casinowar.sim.planner import load_plan
from casinowar.sim.table_plan import Plan

FORMAT = "casinowar-simulation/1"
QUANTILES = tuple(Fraction(percent, 100) for percent in (1, 5, 25, 50, 75, 95, 99))


class MergeRefused(CasinoWarError, ValueError):
    """Two results that cannot be added up: of other plans or rulebooks, or of the same chunks of a seed."""


class WagerFigures(msgspec.Struct, frozen=True):
    """One wager over all boxes: how often it was settled, and its net results per unit of its own stake.

    `square` is the sum of their squares, and `total_variance` the variance of their sum: boxes of one round share the
    dealer's card. Where a meter has paid several prizes for the same outcome, the histogram has their mean.
    """

    wager: str
    count: int
    histogram: dict[Fraction, int]
    square: Fraction
    total_variance: Fraction

    @property
    def mean(self) -> Fraction:
        return _mean(self.histogram)

    @property
    def variance(self) -> Fraction:
        return self.square / self.count - self.mean**2 if self.count else Fraction(0)

    @property
    def standard_error(self) -> float:
        """Of the mean, with what boxes of one round share."""
        return sqrt(self.total_variance) / self.count if self.count else 0.0

    @property
    def hit_rate(self) -> Fraction:
        """How often the wager won something."""
        return Fraction(sum(count for net, count in self.histogram.items() if net > 0), self.count or 1)


class ShoeFigures(msgspec.Struct, frozen=True):
    """Shoes that were dealt to their end, what was dealt of them, and rounds for which the cards ran out.

    `dry` is how often a shoe ran dry in a round, `void` how many rounds were void for it.
    """

    shoes: int
    rounds_per_shoe: Fraction
    rounds_variance: Fraction
    cards_per_shoe: Fraction
    cards_variance: Fraction
    dry: int
    void: int


class BankFigures(msgspec.Struct, frozen=True):
    """What who banks has gained, in minor units, and in how many rounds the stake did not reach for everything."""

    rounds: int
    histogram: dict[int, int]
    short: int

    @property
    def mean(self) -> Fraction:
        return _mean(self.histogram)

    @property
    def variance(self) -> Fraction:
        square = sum((net * net * count for net, count in self.histogram.items()), 0)
        return Fraction(square, self.rounds) - self.mean**2 if self.rounds else Fraction(0)

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance / self.rounds) if self.rounds else 0.0


class NightFigures(msgspec.Struct, frozen=True):
    """Nights: how many, how many were ruined and after how many rounds, what they came to, and how deep they fell.

    `points` are rounds, and `quantiles` has for each share the bankroll at each point, exact to a bin of `bin` minor
    units; `fall_quantiles` is of the deepest fall from a peak.
    """

    nights: int
    ruined: int
    rounds_to_ruin: Fraction | None
    mean: Fraction
    variance: Fraction
    fall_mean: Fraction
    bin: int
    points: tuple[int, ...]
    quantiles: dict[Fraction, tuple[int, ...]]
    fall_quantiles: dict[Fraction, int]

    @property
    def standard_error(self) -> float:
        return sqrt(self.variance / self.nights) if self.nights else 0.0

    @property
    def ruin(self) -> Fraction:
        """The share of nights that were ruined."""
        return Fraction(self.ruined, self.nights or 1)


class Result(msgspec.Struct, kw_only=True):
    """What came of a plan. `chunks` has what was played in runs: a seed, its first chunk, how many, rounds of each."""

    plan: Plan
    chunks: list[tuple[int, int, int, int]] = []
    tallies: list[int] = []

    def add(self, seed: int, chunk: int, rounds: int, tallies: Iterable[int]) -> None:
        """Add the tallies of one chunk of a seed."""
        self.chunks = add_run(self.chunks, (seed, chunk, 1, rounds))
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
        chunks = self.chunks
        for run in other.chunks:
            chunks = add_run(chunks, run)
        merged = Result(plan=self.plan, chunks=chunks, tallies=[*self.tallies])
        merged._add_tallies(other.tallies)
        return merged

    @property
    def rounds(self) -> int:
        """Rounds that were played; of a night that was ruined, those before its ruin."""
        return self.tallies[tally.ROUNDS] if self.tallies else 0

    def section(self, name: str) -> list[int]:
        """One section of the tallies, as `tallies.py` names it."""
        begin, size = tally.sections(self.plan.numbers)[name]
        return self.tallies[begin : begin + size]

    def wager(self, name: str) -> WagerFigures:
        """The figures of a wager; those of the progressive have the meter in them."""
        return wager_figures(self, name)

    def covariance(self, one: str, two: str) -> Fraction:
        """Of two wagers on the same box, per unit of each; one that was not settled counts as nothing."""
        return covariance(self, one, two)

    def box_covariance(self, one: str, two: str) -> Fraction | None:
        """Of two wagers on different boxes of a round, per unit of each; none where one box plays."""
        return box_covariance(self, one, two)

    @property
    def shoe(self) -> ShoeFigures:
        """Figures of the shoes that were dealt to their end."""
        counts = self.tallies
        shoes = counts[tally.SHOES]
        rounds, rounds_variance = _moments(shoes, counts[tally.SHOE_ROUNDS], counts[tally.SHOE_ROUNDS_SQUARED])
        cards, cards_variance = _moments(shoes, counts[tally.SHOE_CARDS], counts[tally.SHOE_CARDS_SQUARED])
        dry, void = counts[tally.DRY_ROUNDS], counts[tally.VOID_ROUNDS]
        return ShoeFigures(shoes, rounds, rounds_variance, cards, cards_variance, dry, void)

    @property
    def bank(self) -> BankFigures | None:
        """What who banks gains in a round; none where the house banks."""
        if not self.plan.numbers[at.BANK]:
            return None
        least = self.plan.numbers[at.BANK_LEAST]
        histogram = {place + least: count for place, count in enumerate(self.section("banked")) if count}
        return BankFigures(self.tallies[tally.BANK_ROUNDS], histogram, self.tallies[tally.BANK_DRY])

    @property
    def nights(self) -> NightFigures | None:
        """Figures of the nights; none without a session."""
        return night_figures(self) if self.plan.session else None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result to a file of JSON."""
        Path(path).write_bytes(self.to_json())

    def to_json(self) -> bytes:
        """The result as JSON: the plan with its rulebook, its hashes, the chunks with their seeds, and the tallies."""
        told = {
            "format": FORMAT,
            "book_hash": self.plan.book_hash,
            "plan_hash": self.plan.hash,
            "chunks": [(str(seed), *run) for seed, *run in self.chunks],
            "tallies": [str(count) for count in self.tallies],
            "plan": msgspec.Raw(self.plan.to_json()),
        }
        return msgspec.json.encode(told)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The result in a file; `MergeRefused` where it is none, or was changed."""
        return cls.from_json(Path(path).read_bytes())

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        """The result that `to_json` wrote."""
        try:
            told = msgspec.json.decode(data, type=_Stored)
            plan = load_plan(bytes(told.plan))
            counts = [int(count) for count in told.tallies]
        except (ValueError, KeyError, TypeError) as error:
            raise MergeRefused(f"this is no result of a simulation: {error}") from None
        if told.format != FORMAT:
            raise MergeRefused(f"the result is of format {told.format}, and this is {FORMAT}")
        if (plan.book_hash, plan.hash) != (told.book_hash, told.plan_hash):
            raise MergeRefused("the result was changed, or another version of the kernel made it: its hash differs")
        if counts and len(counts) != tally.sections(plan.numbers)["end"][0]:
            raise MergeRefused("the result was changed: it has too many or too few tallies")
        runs = [(int(seed), *run) for seed, *run in told.chunks]
        return cls(
            plan=plan, chunks=[(seed, first, count, rounds) for seed, first, count, rounds in runs], tallies=counts
        )


class _Stored(msgspec.Struct):
    format: str
    book_hash: str
    plan_hash: str
    chunks: list[tuple[str, int, int, int]]
    tallies: list[str]
    plan: msgspec.Raw


Run = tuple[int, int, int, int]


def add_run(runs: list[Run], new: Run) -> list[Run]:
    """Runs of chunks with another one; runs that touch and have chunks of the same size become one."""
    seed, first, count, _ = new
    for other, begin, length, _ in runs:
        if seed == other and first < begin + length and begin < first + count:
            raise MergeRefused(f"chunk {max(first, begin)} of seed {seed} is in both")
    joined: list[Run] = []
    for run in [*runs, new] if runs and runs[-1] < new else sorted([*runs, new]):
        if joined and _is_next(joined[-1], run):
            joined[-1] = (*joined[-1][:2], joined[-1][2] + run[2], run[3])
        else:
            joined.append(run)
    return joined


def _is_next(run: Run, other: Run) -> bool:
    return run[0] == other[0] and run[1] + run[2] == other[1] and run[3] == other[3]


def _mean(histogram: Mapping[Fraction, int] | Mapping[int, int]) -> Fraction:
    count = sum(histogram.values())
    return Fraction(sum((net * times for net, times in histogram.items()), Fraction(0))) / (count or 1)


def _moments(count: int, total: int, square: int) -> tuple[Fraction, Fraction]:
    """Mean and variance out of sums."""
    mean = Fraction(total, count or 1)
    return mean, Fraction(square, count or 1) - mean**2


def _join(high: int, low: int) -> int:
    return (high << tally.LOW_BITS) + low


def _pay_table(result: Result) -> PayTable:
    return PayTable(result.plan.rules, result.plan.wagers, tuple(result.plan.counted))


Sums = list[tuple[int, int, int, int]]


def net_sums(result: Result, wager: str) -> list[tuple[Fraction, int, Fraction]]:
    """Nets of a wager in minor units, how often each was, and the sum of its squares; a meter's prizes are in it."""
    flat = result.plan.numbers
    if flat[at.BANK]:
        bins, kind = flat[at.NET_BINS], WAGER_ORDER.index(wager)
        nets = enumerate(result.section("net")[kind * bins : (kind + 1) * bins], flat[at.LEAST_NET])
        return [(Fraction(net), count, Fraction(net * net * count)) for net, count in nets if count]
    pays, counts = _pay_table(result), result.section("count")
    found = []
    for index, count in enumerate(counts):
        net = pays.net(wager, index) if count else None
        if net is None:
            continue
        paid, square = _prizes(result, index) if wager == "progressive" else (0, 0)
        mean = net + Fraction(paid, count)
        found.append((mean, count, Fraction(net * net * count + 2 * net * paid + square)))
    return found


def _prizes(result: Result, index: int) -> tuple[int, int]:
    """What the meter has paid at an index, and the sum of the squares of it."""
    prizes, indexes = result.section("prize"), result.plan.numbers[at.INDEXES]
    return prizes[index], _join(prizes[indexes + index], prizes[2 * indexes + index])


def wager_figures(result: Result, wager: str) -> WagerFigures:
    if wager not in result.plan.wagers:
        raise ValueError(f"{wager} is not on the table: {', '.join(result.plan.wagers)} are")
    stake = result.plan.wagers[wager]
    histogram: dict[Fraction, int] = {}
    square = Fraction(0)
    for net, count, squares in net_sums(result, wager):
        histogram[net / stake] = histogram.get(net / stake, 0) + count
        square += squares / stake**2
    count = sum(histogram.values())
    mean = _mean(histogram)
    total = square - count * mean**2
    if result.plan.boxes > 1:
        kind = WAGER_ORDER.index(wager)
        paired, settled = result.section("paired"), result.section("settled")[kind]
        own = _join(*paired[18 * kind : 18 * kind + 2])
        crossed = _join(*paired[16 * kind + 14 : 16 * kind + 16])
        total = Fraction(own, stake**2) - 2 * mean * Fraction(crossed, stake) + mean**2 * settled
    return WagerFigures(wager, count, dict(sorted(histogram.items())), square, total)


def hands(result: Result) -> int:
    """Boxes with a hand, over all rounds that were not void."""
    counts = result.section("count")
    return sum(counts) - sum(counts[VOID::CELLS])


def _products(result: Result, one: str, two: str) -> Fraction:
    """The sum of products of two wagers' nets on the same box, in minor units."""
    first, second = sorted((WAGER_ORDER.index(one), WAGER_ORDER.index(two)))
    if result.plan.numbers[at.BANK]:
        place = 16 * first + 2 * second
        return Fraction(_join(*result.section("short")[place : place + 2]))
    if one == two:
        return sum((square for _, _, square in net_sums(result, one)), Fraction(0))
    pays, total = _pay_table(result), 0
    for index, count in enumerate(result.section("count")):
        nets = [pays.net(wager, index) for wager in (one, two)] if count else [None]
        if None in nets:
            continue
        paid = _prizes(result, index)[0] if "progressive" in (one, two) else 0
        other = nets[0] if two == "progressive" else nets[1]
        total += count * nets[0] * nets[1] + paid * other  # type: ignore[operator]
    return Fraction(total)


def _sum(result: Result, wager: str) -> Fraction:
    return sum((net * count for net, count, _ in net_sums(result, wager)), Fraction(0))


def covariance(result: Result, one: str, two: str) -> Fraction:
    stakes, count = result.plan.wagers[one] * result.plan.wagers[two], hands(result) or 1
    together = _products(result, one, two) / count
    return (together - _sum(result, one) * _sum(result, two) / count**2) / stakes


def box_covariance(result: Result, one: str, two: str) -> Fraction | None:
    boxes = result.plan.boxes - (result.plan.numbers[at.BANK] > 0)
    if boxes < 2:
        return None
    stakes, count = result.plan.wagers[one] * result.plan.wagers[two], hands(result) or 1
    first, second = sorted((WAGER_ORDER.index(one), WAGER_ORDER.index(two)))
    place = 16 * first + 2 * second
    totals = _join(*result.section("paired")[place : place + 2])
    apart = (totals - _products(result, one, two)) / (count * (boxes - 1))
    return (apart - _sum(result, one) * _sum(result, two) / count**2) / stakes


def night_figures(result: Result) -> NightFigures:
    flat, counts = result.plan.numbers, result.tallies
    nights, ruined = counts[tally.NIGHTS], counts[tally.RUINED]
    square = _join(counts[tally.NIGHT_SQUARE], counts[tally.NIGHT_SQUARE + 1])
    mean, variance = _moments(nights, counts[tally.NIGHT_SUM], square)
    points, bins = flat[at.POINTS], result.section("night")
    rows = [bins[tally.NIGHT_BINS * place : tally.NIGHT_BINS * (place + 1)] for place in range(points + 1)]
    return NightFigures(
        nights,
        ruined,
        Fraction(counts[tally.RUIN_ROUNDS], ruined) if ruined else None,
        mean,
        variance,
        Fraction(counts[tally.FALL_SUM], nights or 1),
        flat[at.BIN],
        tuple(flat[at.POINT : at.POINT + points]),
        {share: tuple(_quantile(row, share) * flat[at.BIN] for row in rows[:-1]) for share in QUANTILES},
        {share: _quantile(rows[-1], share) * flat[at.BIN] for share in QUANTILES},
    )


def _quantile(row: list[int], share: Fraction) -> int:
    """The first bin up to which so large a share lies."""
    below, total = 0, sum(row)
    for place, count in enumerate(row):
        below += count
        if below >= share * total and below:
            return place
    return 0
