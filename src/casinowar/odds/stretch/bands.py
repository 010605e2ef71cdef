"""Bands: where the result of certain rounds lies after each of them, with which chance, whatever is wagered on each.

Every round is dealt from a fresh shoe. The results are found round by round; what lies so far out that all of it
together has less than one chance in 10^12 is left out on the way. Where there would be too much to go through, the
bands are those of the normal law, and say so.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import NormalDist

import msgspec

from casinowar.odds.figures import Figures
from casinowar.odds.stretch.results import divisor
from casinowar.odds.stretch.slots import (
    SLOT,
    SLOT_BYTES,
    WHOLE,
    Moves,
    cells,
    cut,
    depth_of,
    mask,
    moved,
    moves_of,
    quantiles,
)

SHARES = tuple(Fraction(percent, 100) for percent in (5, 25, 75, 95))
LEFT_OUT = WHOLE // 10**13
TRIMMED_AFTER = 8
"""Results far out are left out after so many rounds each time."""

MOST_WORK = 12_000_000
"""So many products of chances are worked out; it takes about a second."""


class Bands(msgspec.Struct, frozen=True):
    """Results after the rounds named in `after`: `expected`, and for each of `SHARES` what is not exceeded with it."""

    method: str
    after: tuple[int, ...]
    expected: tuple[float, ...]
    levels: tuple[tuple[float, ...], ...]


def bands(rounds: Sequence[Figures], after: Iterable[int]) -> Bands:
    """The bands of these rounds, one after the other; figures are in amounts, as `combined` gives them."""
    wanted = tuple(sorted({number for number in after if 1 <= number <= len(rounds)}))
    expected, total = [], Fraction(0)
    means = {id(one): one.ev for one in rounds}
    for number, one in enumerate(rounds, 1):
        total += means[id(one)]
        if number in wanted:
            expected.append(float(total))
    levels = _walk(rounds, wanted)
    method = "exact" if levels is not None else "normal"
    return Bands(method, wanted, tuple(expected), levels if levels is not None else _normal(rounds, wanted))


Levels = tuple[tuple[float, ...], ...]


def _walk(rounds: Sequence[Figures], wanted: Sequence[int]) -> Levels | None:
    """The levels by the walk over all results, or none where that is too much."""
    kinds = {id(one): one for one in rounds}
    nets = [net for one in kinds.values() for net in one.distribution]
    step = divisor(nets) or Fraction(1)
    moves: dict[int, Moves] = {key: moves_of(one, 1 / step) for key, one in kinds.items()}
    held, lowest, work = WHOLE, 0, 0
    levels: list[tuple[float, ...]] = []
    for number, one in enumerate(rounds, 1):
        here = moves[id(one)]
        work += len(here) * (held.bit_length() // SLOT + 1)
        if work > MOST_WORK:
            return None
        held, lowest = cut(moved(held, here)), lowest - depth_of(here)
        if number % TRIMMED_AFTER == 0:
            held, lowest = _trimmed(held, lowest)
        if number in wanted:
            found = quantiles(cells(held), SHARES)
            levels.append(tuple(float((lowest + at) * step) for at in found))
    return tuple(levels)


def _trimmed(held: int, lowest: int) -> tuple[int, int]:
    """The slots without those at both ends that together have next to no chance."""
    slots = held.bit_length() // SLOT + 1
    data = held.to_bytes(slots * SLOT_BYTES, "little")
    first = _light(data, range(slots))
    last = slots - _light(data, range(slots - 1, -1, -1))
    return held >> first * SLOT & mask(last - first), lowest + first


def _light(data: bytes, slots: Iterable[int]) -> int:
    """How many of the slots, in this order, have next to no chance together."""
    found = out = 0
    for at in slots:
        out += int.from_bytes(data[at * SLOT_BYTES : (at + 1) * SLOT_BYTES], "little")
        if out > LEFT_OUT:
            return found
        found += 1
    return found


def _normal(rounds: Sequence[Figures], wanted: Sequence[int]) -> Levels:
    spread = [NormalDist().inv_cdf(float(share)) for share in SHARES]
    known = {id(one): (float(one.ev), float(one.variance)) for one in rounds}
    levels: list[tuple[float, ...]] = []
    mean = variance = 0.0
    for number, one in enumerate(rounds, 1):
        ev, more = known[id(one)]
        mean, variance = mean + ev, variance + more
        if number in wanted:
            levels.append(tuple(mean + z * variance**0.5 for z in spread))
    return tuple(levels)
