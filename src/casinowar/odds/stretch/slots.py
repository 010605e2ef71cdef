"""Chances beside one another in one long integer, a slot for each result, each cut to 96 binary places.

A round moves all of them at once: one product for each result of the round. Cutting only takes away, so that what is
missing from one in all is how far any chance can be off.
"""

from collections.abc import Iterable
from fractions import Fraction

from casinowar.odds.figures import Figures

CUT = 96
SLOT_BYTES = 25
SLOT = 8 * SLOT_BYTES
WHOLE = 1 << CUT

Moves = list[tuple[int, int]]
"""Where a round leads to, in steps, and its chance in `WHOLE` parts."""


def moves_of(figures: Figures, steps: Fraction | int) -> Moves:
    """The moves of a round, of which so many steps are one unit; chances are cut."""
    return [
        (int(net * steps), chance.numerator * WHOLE // chance.denominator)
        for net, chance in figures.distribution.items()
    ]


def depth_of(moves: Moves) -> int:
    """How many steps a round can lead down."""
    return max(0, -min(net for net, _ in moves))


def moved(held: int, moves: Moves) -> int:
    """All slots after a round, higher by as many as the round can lead down. A slot holds a product of two chances."""
    deepest = depth_of(moves)
    return sum(held * chance << (net + deepest) * SLOT for net, chance in moves)


def cut(moved: int) -> int:
    """The products cut back to chances."""
    slots = moved.bit_length() // SLOT + 1
    kept = int.from_bytes((b"\xff" * (CUT // 8 + 1)).ljust(SLOT_BYTES, b"\0") * slots, "little")
    return moved >> CUT & kept


def mask(slots: int) -> int:
    """All bits of the first slots."""
    return (1 << slots * SLOT) - 1


def cells(held: int) -> list[int]:
    """The chance in each slot, from the first one on."""
    slots = held.bit_length() // SLOT + 1
    data = held.to_bytes(slots * SLOT_BYTES, "little")
    return [int.from_bytes(data[at : at + SLOT_BYTES], "little") for at in range(0, len(data), SLOT_BYTES)]


def quantiles(chances: list[int], shares: Iterable[Fraction]) -> list[int]:
    """Of each share, in ascending order, the least slot that is not exceeded with it.

    What was cut away is taken to lie below.
    """
    found: list[int] = []
    reached, at = WHOLE - sum(chances) + chances[0], 0
    for share in shares:
        while reached * share.denominator < share.numerator * WHOLE and at + 1 < len(chances):
            at += 1
            reached += chances[at]
        found.append(at)
    return found
