"""Counting: how often, and by how much, the cards that are left favour whoever has seen all that went before.

After some cards have gone, every set of as many others is equally likely to be left. What a wager is then worth is one
number per set; its distribution is counted exactly, in whole numbers, wherever that is feasible. Nobody does better
than this counter, who sees every card, burned ones too, and bets only when the wager is worth more than nothing.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, floor, gcd, isqrt, lcm

import msgspec

from casinowar.odds.composition import CARDS, CompositionError
from casinowar.odds.figures import Study
from casinowar.odds.wagers import worth
from casinowar.rulebooks import Rulebook

COUNTED = ("tie", "a_bomb", "perfect_pairs")
MOST_WORK = 2 * 10**11
"""Bits that may be moved for an exact count, which is a second or two; beyond it there are bounds."""

Part = dict[tuple[int, int], int]
"""For cards that interact with no others: (how many are left, points that they make) with the ways for it."""


class Counting(msgspec.Struct, frozen=True):
    """One wager, with `left` cards in the shoe. Values are per unit wagered.

    `ev` and `variance` are of the wager's worth as the counter sees it, `best` is the most that it can be worth.
    `chance` is how often it is worth more than nothing, and `gain` what a unit wagered just then brings on average per
    round, counted over all rounds. Where `is_exact` is false, these two are not reached: the truth is between
    nothing and them.
    """

    wager: str
    left: int
    ev: Fraction
    variance: Fraction
    best: Fraction
    chance: Fraction
    gain: Fraction
    is_exact: bool


class Scale(msgspec.Struct, frozen=True):
    """A wager is worth `loss`, and `step` more for each point among the cards that are left."""

    parts: list[Part]
    loss: Fraction
    step: Fraction

    def worth(self, points: int) -> Fraction:
        return self.loss + self.step * points


def counting(study: Study, depth: int, most_work: int = MOST_WORK) -> dict[str, Counting]:
    """The wagers that can be counted, after `depth` cards have gone from the shoe."""
    left = study.composition.size - depth
    if depth < 0 or left < 2:
        raise CompositionError(f"{depth} of {study.composition.size} cards cannot be gone: at least 2 must be left")
    return {wager: _counting(study, wager, left, most_work) for wager in COUNTED if wager in study.wagers()}


def _counting(study: Study, wager: str, left: int, most_work: int) -> Counting:
    scale = _scale(study, wager, left)
    ev, variance = study.figures(wager).ev, edge_variance(study, wager, left)
    best = scale.worth(_most_points(scale.parts, left))
    if best <= 0:
        return Counting(wager, left, ev, variance, best, Fraction(0), Fraction(0), True)
    if _work(scale.parts, left) <= most_work:
        chance, gain = _above(scale, left)
        return Counting(wager, left, ev, variance, best, chance, gain, True)
    return Counting(wager, left, ev, variance, best, *_bounds(ev, variance), False)


def _scale(study: Study, wager: str, left: int) -> Scale:
    """Points are pairs by what they pay, or aces."""
    rules = study.rules
    loss = worth(rules.cells[wager, "on_loss"])
    gains = {kind: worth(rules.cells[wager, f"on_{kind}"]) - loss for kind in _kinds(wager)}
    whole = lcm(*(gain.denominator for gain in gains.values()))
    unit = Fraction(gcd(*(int(gain * whole) for gain in gains.values())) or 1, whole)
    points = {kind: int(gain / unit) for kind, gain in gains.items()}
    if min(points.values()) < 0:
        raise ValueError(f"{wager} pays less when it wins than when it loses: there is nothing to count")
    deals = left if wager == "a_bomb" else comb(left, 2)
    return Scale(list(_parts(study, wager, points)), loss, unit / deals)


def _kinds(wager: str) -> tuple[str, ...]:
    return ("perfect", "coloured", "mixed") if wager == "perfect_pairs" else ("win",)


def _parts(study: Study, wager: str, points: dict[str, int]) -> Iterator[Part]:
    ranks, cards = study.composition.ranks, study.composition.cards
    if wager == "a_bomb":
        yield {(aces, points["win"] * aces): comb(ranks[-1], aces) for aces in range(ranks[-1] + 1)}
        others = sum(ranks[:-1])
        yield {(left, 0): comb(others, left) for left in range(others + 1)}
        return
    if wager == "tie":
        for count in ranks:
            yield {(left, points["win"] * comb(left, 2)): comb(count, left) for left in range(count + 1)}
        return
    assert cards is not None
    for at in range(0, 52, 4):
        yield _rank_of_pairs(cards[at : at + 4], points)


def _rank_of_pairs(counts: tuple[int, ...], points: dict[str, int]) -> Part:
    part: Counter[tuple[int, int]] = Counter()
    for clubs, diamonds, hearts, spades in product(*(range(count + 1) for count in counts)):
        held = (clubs, diamonds, hearts, spades)
        made = points["perfect"] * sum(comb(count, 2) for count in held)
        made += points["coloured"] * (clubs * spades + diamonds * hearts)
        made += points["mixed"] * (clubs + spades) * (diamonds + hearts)
        ways = comb(counts[0], clubs) * comb(counts[1], diamonds) * comb(counts[2], hearts) * comb(counts[3], spades)
        part[sum(held), made] += ways
    return part


def _most_points(parts: list[Part], left: int) -> int:
    """The best case among all that can be left."""
    most = {0: 0}
    for part in parts:
        top: dict[int, int] = {}
        for cards, points in part:
            top[cards] = max(points, top.get(cards, 0))
        reached: dict[int, int] = {}
        for before, so_far in most.items():
            for cards, points in top.items():
                if before + cards <= left:
                    reached[before + cards] = max(so_far + points, reached.get(before + cards, 0))
        most = reached
    return most[left]


# The exact distribution: polynomials whose coefficients lie side by side in one long integer


def _work(parts: list[Part], left: int) -> int:
    """About how many bits are moved to multiply all parts out."""
    size = sum(max(cards for cards, _ in part) for part in parts)
    return sum(map(len, parts)) * left * _most_points(parts, left) * size


def _above(scale: Scale, left: int) -> tuple[Fraction, Fraction]:
    """How often the worth is above nothing, and how much it then comes to, over all sets of cards left."""
    bar = -scale.loss / scale.step
    first, second = _halves(scale.parts)
    tails = [_tail(row) for row in _multiply(second, left)]
    ways = total = 0
    least = floor(bar) + 1
    for cards, row in enumerate(_multiply(first, left)):
        counts, sums = tails[left - cards]
        for points, here in enumerate(row):
            rest = max(least - points, 0)
            if here and rest < len(counts):
                ways += here * counts[rest]
                total += here * (points * counts[rest] + sums[rest])
    size = sum(max(cards for cards, _ in part) for part in scale.parts)
    every = comb(size, left)
    return Fraction(ways, every), scale.step * (total - bar * ways) / every


def _halves(parts: list[Part]) -> tuple[list[Part], list[Part]]:
    middle = len(parts) // 2
    return parts[:middle], parts[middle:]


def _multiply(parts: list[Part], left: int) -> list[list[int]]:
    """Ways by cards left, then by points: no count exceeds the number of all subsets, which sets the spacing."""
    room = sum(max(cards for cards, _ in part) for part in parts) // 8 + 1
    rows = [1] + [0] * left
    for part in parts:
        further = [0] * (left + 1)
        for (cards, points), ways in part.items():
            for before in range(left + 1 - cards):
                if rows[before]:
                    further[before + cards] += rows[before] * ways << 8 * room * points
        rows = further
    return [_unpack(row, room) for row in rows]


def _unpack(row: int, room: int) -> list[int]:
    data = row.to_bytes((row.bit_length() + 7) // 8, "little")
    return [int.from_bytes(data[at : at + room], "little") for at in range(0, len(data), room)]


def _tail(row: list[int]) -> tuple[list[int], list[int]]:
    """For each number of points: the ways to have so many or more, and the sum of the points over those ways."""
    counts, sums = [0] * len(row), [0] * len(row)
    ways = total = 0
    for points in range(len(row) - 1, -1, -1):
        ways += row[points]
        total += points * row[points]
        counts[points], sums[points] = ways, total
    return counts, sums


# Variance and bounds


def edge_variance(study: Study, wager: str, left: int) -> Fraction:
    """The variance of the wager's worth to the counter, from how any two, three and four cards are left together."""
    size = study.composition.size
    if wager == "a_bomb":
        aces, gain = study.composition.ranks[-1], _gain(study.rules, wager, "win")
        return gain**2 * Fraction(aces * (size - aces) * (size - left), size**2 * left * (size - 1))
    squares = crossed = whole = Fraction(0)
    for count, others in _neighbours(study, wager):
        sum_here = sum((ways * gain for ways, gain in others), Fraction(0))
        square = sum((ways * gain**2 for ways, gain in others), Fraction(0))
        whole += count * sum_here
        squares += count * square
        crossed += count * (sum_here**2 - square)
    two, three, four = (Fraction(comb(left, out), comb(size, out)) if size >= out else Fraction(0) for out in (2, 3, 4))
    apart = whole**2 - 2 * squares - 4 * crossed
    mean = two * whole
    return (2 * two * squares + 4 * three * crossed + four * apart - mean**2) / (left * (left - 1)) ** 2


def _gain(rules: Rulebook, wager: str, kind: str) -> Fraction:
    return worth(rules.cells[wager, f"on_{kind}"]) - worth(rules.cells[wager, "on_loss"])


def _neighbours(study: Study, wager: str) -> Iterator[tuple[int, list[tuple[int, Fraction]]]]:
    """For each kind of card how many there are, and with how many others it makes what."""
    if wager == "tie":
        gain = _gain(study.rules, wager, "win")
        for count in study.composition.ranks:
            yield count, [(count - 1, gain)]
        return
    assert study.composition.cards is not None
    gains = {kind: _gain(study.rules, wager, kind) for kind in _kinds(wager)}
    held = dict(zip(CARDS, study.composition.cards, strict=True))
    for card, count in held.items():
        mate = card[0] + {"c": "s", "s": "c", "d": "h", "h": "d"}[card[1]]
        mixed = sum(held[card[0] + suit] for suit in "cdhs") - count - held[mate]
        yield count, [(count - 1, gains["perfect"]), (held[mate], gains["coloured"]), (mixed, gains["mixed"])]


def _bounds(ev: Fraction, variance: Fraction) -> tuple[Fraction, Fraction]:
    """What no distribution with this mean, below nothing, and this variance can exceed (Cantelli), rounded up."""
    if ev >= 0:
        return Fraction(1), ev + _root(variance)
    square = variance + ev**2
    return variance / square, (_root(square) + ev) / 2


def _root(value: Fraction) -> Fraction:
    """The square root rounded up, by less than a millionth of a millionth."""
    fine = 10**12
    return Fraction(isqrt(value.numerator * fine**2 // value.denominator) + 1, fine)
