"""Two boxes at one table share the dealer's cards, so their results hang together: by how much, exactly."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from casinowar.cards import RANKS
from casinowar.odds.composition import Composition, CompositionError
from casinowar.odds.figures import Strategy, Study
from casinowar.odds.outcomes import Outcome, first_outcome
from casinowar.odds.wagers import SUITED, net
from casinowar.rulebooks.wagers import SIDE, WAR_DEAL

ON_RANKS = tuple(wager for wager in ("initial", *SIDE, *WAR_DEAL) if wager not in SUITED)
"""Wagers that depend on ranks alone."""

Pair = tuple[Outcome, Outcome]


def covariance(study: Study, one: str, two: str, strategy: Strategy = "war") -> Fraction:
    """The covariance of one unit on wager `one` of a box and one unit on wager `two` of another box at the table.

    A wager on the war deal is nothing in a round in which it cannot be placed.
    """
    for wager in (one, two):
        if wager not in ON_RANKS:
            raise ValueError(f"{wager} asks for suits: covariance is known for {', '.join(ON_RANKS)}")
    plan = study.plan(strategy)
    weights = pairs(study.composition, study.rules.cards.ranks)
    total = sum(weights.values())
    first = second = together = Fraction(0)
    for (mine, theirs), weight in weights.items():
        gain = net(study.rules, one, mine, plan(mine)) or Fraction(0)
        other = net(study.rules, two, theirs, plan(theirs)) or Fraction(0)
        first += weight * gain
        second += weight * other
        together += weight * gain * other
    return together / total - first * second / (total * total)


def total_variance(study: Study, boxes: int, strategy: Strategy = "war") -> Fraction:
    """The variance of several boxes together, with one unit on the initial wager of each."""
    alone = study.figures("initial", strategy).variance
    return boxes * alone + boxes * (boxes - 1) * covariance(study, "initial", "initial", strategy)


def pairs(composition: Composition, order: str = RANKS) -> dict[Pair, int]:
    """What two boxes come to together, with the number of ordered deals of six cards that lead there."""
    size = composition.size
    if size < 6:
        raise CompositionError(f"{size} cards are too few: two boxes at war take 6")
    counts = [composition.ranks[RANKS.index(rank)] for rank in order]
    rest = (size - 3) * (size - 4) * (size - 5)
    weights: dict[Pair, int] = {}
    for (one, two, dealer), weight in _triples(counts):
        mine, theirs = _first(order, one, dealer), _first(order, two, dealer)
        if mine.rank is None and theirs.rank is None:
            weights[mine, theirs] = weights.get((mine, theirs), 0) + weight * rest
            continue
        left = list(counts)
        for rank in (one, two, dealer):
            left[rank] -= 1
        for (again, other), ways in _seconds(left, dealer, mine.rank is not None, theirs.rank is not None).items():
            key = (_then(mine, again), _then(theirs, other))
            weights[key] = weights.get(key, 0) + weight * ways
    return weights


def _triples(counts: list[int]) -> Iterator[tuple[tuple[int, int, int], int]]:
    """Three cards in order, by rank, and in how many ways."""
    for one, two, three in product(range(13), repeat=3):
        ways = counts[one] * (counts[two] - (two == one)) * (counts[three] - (three == one) - (three == two))
        if ways > 0:
            yield (one, two, three), ways


def _first(order: str, card: int, dealer: int) -> Outcome:
    return first_outcome("tie" if card == dealer else "win" if card > dealer else "loss", order[card])


Second = tuple[str, bool] | None


def _then(lead: Outcome, second: Second) -> Outcome:
    return lead if second is None else replace(lead, second=second[0], is_same_rank=second[1])


def _seconds(left: list[int], tied: int, has_one: bool, has_two: bool) -> dict[tuple[Second, Second], int]:
    """The second cards of those at war and of the dealer; a box that is not at war leaves a card in the shoe."""
    ways: dict[tuple[Second, Second], int] = {}
    if has_one and has_two:
        for (one, two, dealer), weight in _triples(left):
            key: tuple[Second, Second] = (_compare(one, dealer, tied), _compare(two, dealer, tied))
            ways[key] = ways.get(key, 0) + weight
        return ways
    held = sum(left)
    alike = [count * (count - 1) for count in left]
    parted = held * (held - 1) - sum(alike)
    spare = held - 2
    found: list[tuple[Second, int]] = [
        (("win", False), parted // 2),
        (("loss", False), parted // 2),
        (("tie", True), alike[tied]),
        (("tie", False), sum(alike) - alike[tied]),
    ]
    return {((second, None) if has_one else (None, second)): weight * spare for second, weight in found if weight}


def _compare(card: int, dealer: int, tied: int) -> Second:
    if card == dealer:
        return "tie", card == tied
    return ("win" if card > dealer else "loss"), False
