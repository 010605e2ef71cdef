"""The result after many rounds: the power of one round's polynomial, exact or with every coefficient cut.

- `exact`: the n-th power in integers, coefficient by coefficient (Miller's recurrence).
- `rounded`: repeated squaring with every coefficient cut to 36 digits. Cutting only takes away, so that what is missing
  from one in all is how far any chance can be off.
"""

from decimal import MAX_EMAX, Context, Decimal
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm, sqrt

import msgspec

from casinowar.odds.figures import Figures

EXACT_ROUNDS = 1_000
EXACT_BITS = 200_000_000
"""An exact distribution of so many rounds, and of so many bits in all, is worked out."""

DIGITS = 36
MOST_RESULTS = 60_000
"""A rounded distribution has at most so many results; for the initial wager that is several million rounds."""


class Chance(msgspec.Struct, frozen=True):
    """Not less than `low` and not more than `high`; exact where they are one. `likely` is an estimate between them."""

    low: Fraction
    high: Fraction
    likely: Fraction | None = None

    @property
    def middle(self) -> Fraction:
        return self.likely if self.likely is not None else (self.low + self.high) / 2

    @property
    def error(self) -> Fraction:
        return max(self.high - self.middle, self.middle - self.low)


def chance_between(low: Fraction, high: Fraction, likely: Fraction | None = None) -> Chance:
    return Chance(max(low, Fraction(0)), min(high, Fraction(1)), likely)


class Results(msgspec.Struct, frozen=True):
    """The result after some rounds: `lowest + i * step` has the weight `weights[i]` of `total`."""

    method: str
    lowest: Fraction
    step: Fraction
    weights: list[int]
    total: int

    @property
    def missing(self) -> Fraction:
        """What rounding has cut away: no chance is further off than this."""
        return Fraction(self.total - sum(self.weights), self.total)

    def between(self, first: int, last: int) -> Chance:
        found = Fraction(sum(self.weights[max(first, 0) : max(last, 0)]), self.total)
        return chance_between(found, found + self.missing)

    def quantile(self, share: Fraction) -> Fraction:
        """The least result that is not exceeded with this chance; what was cut away is taken to lie below."""
        wanted = share * self.total - (self.total - sum(self.weights))
        for at, reached in enumerate(accumulate(self.weights)):
            if reached >= wanted:
                return self.lowest + at * self.step
        return self.lowest + (len(self.weights) - 1) * self.step


class Polynomial(msgspec.Struct, frozen=True):
    """A round as a polynomial: `lowest + i * step` has `weights[i]` of `total`; only weights above nothing are kept."""

    lowest: Fraction
    step: Fraction
    weights: dict[int, int]
    total: int


def polynomial(figures: Figures, step: Fraction | None = None) -> Polynomial:
    """A round as a polynomial, on the widest lattice that holds every result, or with the step that is given."""
    nets = sorted(figures.distribution)
    chances = [figures.distribution[net] for net in nets]
    total = lcm(*(chance.denominator for chance in chances))
    wide = step or divisor([net - nets[0] for net in nets]) or Fraction(1)
    weights = {int((net - nets[0]) / wide): int(chance * total) for net, chance in zip(nets, chances, strict=True)}
    return Polynomial(nets[0], wide, {at: weight for at, weight in weights.items() if weight}, total)


def divisor(values: list[Fraction]) -> Fraction:
    """The greatest number that divides all of these."""
    denominator = lcm(*(value.denominator for value in values))
    return Fraction(gcd(*(int(value * denominator) for value in values)), denominator)


def results_after(figures: Figures, rounds: int) -> Results | None:
    """The results after so many rounds: exact, rounded where that is too much, or none for the normal law."""
    one = polynomial(figures)
    bits = rounds * one.total.bit_length() * (rounds * max(one.weights) + 1)
    if rounds <= EXACT_ROUNDS and bits <= EXACT_BITS:
        return exact_results(figures, rounds)
    return rounded_results(figures, rounds)


def exact_results(figures: Figures, rounds: int) -> Results:
    """Each coefficient of the power follows from the few before it, and the division comes out even."""
    one = polynomial(figures)
    first = one.weights[0]
    others = [(at, weight) for at, weight in one.weights.items() if at]
    power = [first**rounds]
    for place in range(1, rounds * max(one.weights) + 1):
        sum_ = sum(((rounds + 1) * at - place) * weight * power[place - at] for at, weight in others if at <= place)
        power.append(sum_ // (place * first))
    return Results("exact", rounds * one.lowest, one.step, power, one.total**rounds)


def rounded_results(figures: Figures, rounds: int) -> Results | None:
    """The results by repeated squaring; none where they are too many."""
    one = polynomial(figures)
    if max(max(one.weights), 20 * sqrt(rounds * figures.variance) / one.step) > MOST_RESULTS:
        return None
    scale = 10**DIGITS
    base = [one.weights.get(at, 0) * scale // one.total for at in range(max(one.weights) + 1)]
    low, power = 0, base
    for bit in bin(rounds)[3:]:
        low, power = _trim(2 * low, _product(power, power))
        if bit == "1":
            low, power = _trim(low, _product(power, base))
        if len(power) > MOST_RESULTS:
            return None
    return Results("rounded", rounds * one.lowest + low * one.step, one.step, power, scale)


def _product(one: list[int], two: list[int]) -> list[int]:
    """Two polynomials as two long decimal numbers, whose product `decimal` finds by a number-theoretic transform."""
    slot = 2 * DIGITS + 1
    length = len(one) + len(two) - 1
    context = Context(prec=slot * (length + 1), Emax=MAX_EMAX)
    long = context.multiply(_pack(one, slot), _pack(two, slot))
    text = format(long, "f").zfill(slot * length)
    text = text[-slot * length :]
    return [int(text[at : at + DIGITS + 1]) for at in range(0, slot * length, slot)]


def _pack(weights: list[int], slot: int) -> Decimal:
    return Decimal("".join(str(weight).zfill(slot) for weight in weights))


def _trim(low: int, weights: list[int]) -> tuple[int, list[int]]:
    first = next(at for at, weight in enumerate(weights) if weight)
    last = next(at for at in range(len(weights), 0, -1) if weights[at - 1])
    return low + first, weights[first:last]
