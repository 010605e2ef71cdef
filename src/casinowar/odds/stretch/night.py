"""A night: rounds at a flat stake out of a bankroll, exactly as the simulation plays it.

Every round is dealt from a fresh shoe. The night goes on until its rounds are over or the stake of a round is no longer
there; who cannot pay for a war gives up the hand instead. So the bankroll is a walk of few steps, and its chances are
found round by round. They lie beside one another in one long integer, a slot for each bankroll, each cut to 96 binary
places: what is missing in the end is how far any chance can be off.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

import msgspec

from casinowar.odds.figures import Figures
from casinowar.odds.stretch.results import Chance, chance_between

CUT = 96
SLOT_BYTES = 25
SLOT = 8 * SLOT_BYTES
WHOLE = 1 << CUT
SHARES = tuple(Fraction(percent, 100) for percent in (5, 25, 50, 75, 95))


class Night(msgspec.Struct, frozen=True):
    """A night that begins with `start` steps, of which `steps` are one unit.

    `quantiles` has for each share the steps after each round, the first one being round 1. `ends` are chances by the
    steps at the end, in `WHOLE` parts. `gone` is the chance that the stake of a round is no longer there.
    """

    steps: int
    start: int
    rounds: int
    quantiles: dict[Fraction, list[int]]
    ends: dict[int, int]
    gone: Chance

    @property
    def missing(self) -> Fraction:
        """What rounding has cut away: no chance is further off than this."""
        return Fraction(WHOLE - sum(self.ends.values()), WHOLE)

    @property
    def ahead(self) -> Chance:
        return self._chance(at for at in self.ends if at > self.start)

    @property
    def even(self) -> Chance:
        return self._chance(at for at in self.ends if at == self.start)

    @property
    def behind(self) -> Chance:
        return self._chance(at for at in self.ends if at < self.start)

    def _chance(self, places: Iterable[int]) -> Chance:
        found = Fraction(sum(self.ends[at] for at in places), WHOLE)
        return chance_between(found, found + self.missing)


def steps_of(*figures: Figures) -> int:
    """Into how many steps a unit falls, so that every result is a whole number of them; at least two."""
    return lcm(2, *(net.denominator for one in figures for net in one.distribution))


def night(usual: Figures, short: Figures, war_stake: Fraction, start: int, rounds: int) -> Night:
    """The night of a wager: `usual` is a round as it is played, `short` one in which no war can be paid for."""
    steps = steps_of(usual, short)
    if start < steps or rounds < 1:
        raise ValueError("a night has a round and the stake for it")
    in_full = steps + -(-war_stake.numerator * steps // war_stake.denominator)
    usual_moves, short_moves = _moves(usual, steps), _moves(short, steps)
    stake_mask, war_mask = _mask(steps), _mask(in_full)
    held, gone = WHOLE << start * SLOT, 0
    quantiles: dict[Fraction, list[int]] = {share: [] for share in SHARES}
    for _ in range(rounds):
        low = held & war_mask
        moved = _cut(_move(held - low, usual_moves) + _move(low, short_moves))
        gone += moved & stake_mask
        held = moved - (moved & stake_mask)
        for share, at in zip(SHARES, _quantiles(_cells(held + gone)), strict=True):
            quantiles[share].append(at)
    ends = {at: chance for at, chance in enumerate(_cells(held + gone)) if chance}
    is_gone = Fraction(sum(_cells(gone)), WHOLE)
    missing = Fraction(WHOLE - sum(ends.values()), WHOLE)
    return Night(steps, start, rounds, quantiles, ends, chance_between(is_gone, is_gone + missing))


Moves = list[tuple[int, int]]


def _moves(figures: Figures, steps: int) -> Moves:
    """Where a round leads to, in steps, and its chance in `WHOLE` parts, cut."""
    return [
        (int(net * steps), chance.numerator * WHOLE // chance.denominator)
        for net, chance in figures.distribution.items()
    ]


def _move(held: int, moves: Moves) -> int:
    """All bankrolls after a round. A slot holds a product of two chances; the lowest one is never left downwards."""
    deepest = max(0, -min(net for net, _ in moves))
    return sum(held * chance << (net + deepest) * SLOT for net, chance in moves) >> deepest * SLOT


def _cut(moved: int) -> int:
    """The products cut back to chances."""
    slots = moved.bit_length() // SLOT + 1
    kept = int.from_bytes((b"\xff" * (CUT // 8 + 1)).ljust(SLOT_BYTES, b"\0") * slots, "little")
    return moved >> CUT & kept


def _mask(slots: int) -> int:
    return (1 << slots * SLOT) - 1


def _cells(held: int) -> list[int]:
    """The chance of each bankroll, from no step on."""
    slots = held.bit_length() // SLOT + 1
    data = held.to_bytes(slots * SLOT_BYTES, "little")
    return [int.from_bytes(data[at : at + SLOT_BYTES], "little") for at in range(0, len(data), SLOT_BYTES)]


def _quantiles(cells: list[int]) -> list[int]:
    """Of each share the least bankroll that is not exceeded with it; what was cut away is taken to lie below."""
    found: list[int] = []
    reached, at = WHOLE - sum(cells) + cells[0], 0
    for share in SHARES:
        while reached * share.denominator < share.numerator * WHOLE and at + 1 < len(cells):
            at += 1
            reached += cells[at]
        found.append(at)
    return found
