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
from casinowar.odds.stretch.slots import SLOT, WHOLE, Moves, cells, cut, depth_of, mask, moved, moves_of, quantiles

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
    usual_moves, short_moves = moves_of(usual, steps), moves_of(short, steps)
    stake_mask, war_mask = mask(steps), mask(in_full)
    held, gone = WHOLE << start * SLOT, 0
    by_share: dict[Fraction, list[int]] = {share: [] for share in SHARES}
    for _ in range(rounds):
        low = held & war_mask
        after = cut(_walked(held - low, usual_moves) + _walked(low, short_moves))
        gone += after & stake_mask
        held = after - (after & stake_mask)
        for share, at in zip(SHARES, quantiles(cells(held + gone), SHARES), strict=True):
            by_share[share].append(at)
    ends = {at: chance for at, chance in enumerate(cells(held + gone)) if chance}
    is_gone = Fraction(sum(cells(gone)), WHOLE)
    missing = Fraction(WHOLE - sum(ends.values()), WHOLE)
    return Night(steps, start, rounds, by_share, ends, chance_between(is_gone, is_gone + missing))


def _walked(held: int, moves: Moves) -> int:
    """All bankrolls after a round; none is ever led below nothing."""
    return moved(held, moves) >> depth_of(moves) * SLOT
