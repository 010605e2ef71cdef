"""The risk of ruin: the chance of having lost a bankroll, ever and within so many rounds.

Without end it is certain where there is no edge for the player; with one, the roots of the round's polynomial give it.
Within so many rounds it is walked round by round where that is not too much, and bounded beyond that.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, exp, floor, sqrt
from statistics import NormalDist

import msgspec

from casinowar.odds.figures import Figures
from casinowar.odds.stretch.results import Chance, Results, chance_between, divisor, polynomial

MOST_WALKED = 80_000_000
"""Ruin within n rounds is walked where rounds, times capitals, times results of a round, are no more than this."""

POINT = 256
PLACES = 128
"""Binary places of a power, and of a root; a round with very many results has its root to fewer."""

NEVER, ALWAYS = Chance(Fraction(0), Fraction(0)), Chance(Fraction(1), Fraction(1))

CUT = 96
SLOT = 2 * CUT + 8

NORMAL = NormalDist()


class Ruin(msgspec.Struct, frozen=True):
    """The chance of having lost a bankroll, ever and within the stretch; the last war may be on credit.

    Of the chance ever, `bounds` are those of the martingale and `ever` is the value. Within the stretch it is `walked`,
    or `bounded` by the result at the end and by ruin ever, with an `estimate` by diffusion. Expected rounds to ruin,
    where it is certain, lie between two bounds.
    """

    bankroll: Fraction
    root: Chance | None
    bounds: Chance
    ever: Chance
    method: str
    within: Chance
    estimate: float
    rounds_to_ruin: tuple[Fraction, Fraction] | None


def ruin(figures: Figures, bankroll: Fraction, rounds: int, results: Results | None = None) -> Ruin:
    """The ruin of a player who bets on until `bankroll` units are lost.

    One who stops when a war could not be covered is ruined as with so much less: with one unit less where a round can
    take two.
    """
    step = divisor(list(figures.distribution)) or Fraction(1)
    start = ceil(bankroll / step)
    root, bounds, ever = _ever(figures, step, start)
    deepest = int(-min(figures.distribution) / step)
    spread = int(14 * sqrt(rounds * figures.variance) / step)
    estimate = _diffusion(float(figures.ev), figures.variance, float(start * step), rounds)
    widest = int((max(figures.distribution) - min(figures.distribution)) / step)
    if rounds * (start + spread + widest) * len(figures.distribution) <= MOST_WALKED or start > rounds * deepest:
        method, within = "walked", walk(figures, start, rounds)
    else:
        at_end = (
            results.between(0, floor((-bankroll - results.lowest) / results.step) + 1).low if results else Fraction(0)
        )
        method, within = "bounded", Chance(at_end, ever.high, min(max(Fraction(estimate), at_end), ever.high))
    to_ruin = None
    if figures.ev < 0:
        lost = start * step
        to_ruin = (lost / -figures.ev, (lost + (deepest - 1) * step) / -figures.ev)
    return Ruin(bankroll, root, bounds, ever, method, within, estimate, to_ruin)


def _diffusion(ev: float, variance: Fraction, bankroll: float, rounds: int) -> float:
    """A Brownian motion of the same drift and variance: the law of its first passage, without a bound on the error."""
    if not variance:
        return float(-ev * rounds >= bankroll)
    sd = sqrt(rounds * variance)
    exponent = -2 * ev * bankroll / float(variance)
    turned = NORMAL.cdf((rounds * ev - bankroll) / sd)
    mirrored = 0.0 if turned == 0 and exponent > 700 else exp(min(exponent, 700.0)) * turned
    return min(1.0, NORMAL.cdf((-bankroll - rounds * ev) / sd) + mirrored)


def _ever(figures: Figures, step: Fraction, start: int) -> tuple[Chance | None, Chance, Chance]:
    """Without end: certain without an edge. With one, the root R of E(z^X) = 1 between 0 and 1 gives a martingale:
    R^capital. It starts at R^start and, a loss of m steps being the deepest, ends between 1 and R^(1-m), so that
    R^(start+m-1) <= ruin <= R^start. With m = 1 these meet; with m = 2 a second, negative root gives the value.
    """
    if min(figures.distribution) >= 0:
        return None, NEVER, NEVER
    if figures.ev <= 0:
        return None, ALWAYS, ALWAYS
    one = polynomial(figures, step)
    deepest = int(-one.lowest / step)

    def sign(numerator: int, bits: int) -> int:
        """Of `z^m (E(z^X) - 1)` at `numerator / 2^bits`, exactly."""
        top = max(one.weights)
        value: int = sum(weight * numerator**at * 2 ** (bits * (top - at)) for at, weight in one.weights.items())
        value -= one.total * numerator**deepest << bits * (top - deepest)
        return (value > 0) - (value < 0)

    places = PLACES if max(one.weights) <= PLACES**2 else PLACES // 4
    root = _bisect(sign, places)
    bounds = chance_between(_power(root.low, start + deepest - 1, is_up=False), _power(root.high, start, is_up=True))
    if deepest == 1:
        return root, bounds, bounds
    return (
        root,
        bounds,
        _two_roots(root, _bisect(lambda at, bits: sign(-at, bits), places), start) if deepest == 2 else bounds,
    )


def _bisect(sign: Callable[[int, int], int], places: int) -> Chance:
    """The place between 0 and 1 up to which the sign is above nothing."""
    low = 0
    for bits in range(1, places + 1):
        low = 2 * low + (sign(2 * low + 1, bits) > 0)
    return Chance(Fraction(low, 2**places), Fraction(low + 1, 2**places))


def _power(base: Fraction, exponent: int, *, is_up: bool) -> Fraction:
    """The power, rounded down or up at every step."""
    one = 1 << POINT
    found, square = one, floor(base * one) if not is_up else ceil(base * one)
    while exponent:
        if exponent & 1:
            found = found * square + is_up * (one - 1) >> POINT
        square = square * square + is_up * (one - 1) >> POINT
        exponent >>= 1
    return Fraction(found, one)


def _two_roots(root: Chance, negative: Chance, start: int) -> Chance:
    """Ruin from u is A R^u + (1 - A) (-y)^u with 1 at u = 0 and u = -1.

    That is (R^(u+1) (1+y) + y^(u+1) (1-R) (-1)^u) / (R+y).
    """
    many = (
        _power(root.low, start + 1, is_up=False) * (1 + negative.low),
        _power(root.high, start + 1, is_up=True) * (1 + negative.high),
    )
    few = (
        _power(negative.low, start + 1, is_up=False) * (1 - root.high),
        _power(negative.high, start + 1, is_up=True) * (1 - root.low),
    )
    if start % 2:
        few = (-few[1], -few[0])
    return chance_between(
        (many[0] + few[0]) / (root.high + negative.high), (many[1] + few[1]) / (root.low + negative.low)
    )


def walk(figures: Figures, start: int, rounds: int) -> Chance:
    """Ruin within so many rounds, from `start` steps of capital, walked round by round.

    All capitals lie beside one another in one long integer, so that a round is one multiplication for each result.
    Chances are cut to 96 binary places; what is missing in the end is how far the answer can be off.
    """
    step = divisor(list(figures.distribution)) or Fraction(1)
    one = polynomial(figures, step)
    deepest = max(0, int(-one.lowest / step))
    if start > rounds * deepest:
        return NEVER
    moves = [(at * SLOT, (weight << CUT) // one.total) for at, weight in one.weights.items()]
    held, ruined, cell = (1 << CUT) << start * SLOT, 0, (1 << SLOT) - 1
    kept = _mask(2 * start + max(one.weights))
    for _ in range(rounds):
        moved = sum(held * chance << places for places, chance in moves)
        ruined += sum(moved >> at * SLOT & cell for at in range(deepest + 1))
        moved = moved >> (deepest + 1) * SLOT << SLOT
        if moved.bit_length() > kept.bit_length():
            kept = _mask(2 * moved.bit_length() // SLOT)
        held = moved >> CUT & kept
    alive = sum(held >> at & cell for at in range(0, held.bit_length(), SLOT))
    low = Fraction(ruined, 1 << 2 * CUT)
    return chance_between(low, 1 - Fraction(alive, 1 << CUT))


def _mask(slots: int) -> int:
    """The lower half of every slot."""
    return int.from_bytes((b"\xff" * (CUT // 8 + 1)).ljust(SLOT // 8, b"\0") * (slots + 1), "little")
