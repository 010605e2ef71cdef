"""Everything that can come of one box against the dealer, with how many ordered deals lead to each.

A deal is four cards in order: the player's and the dealer's first, then the player's and the dealer's second. Burned
cards and other hands lie between them and change nothing: unseen, every card left in the shoe is equally likely next.
So each outcome's weight counts ordered choices of four cards, and all weights add up to `total`.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from casinowar.cards import RANKS
from casinowar.odds.composition import Composition, CompositionError

LEAST = 4
"""Cards that a war needs, burns apart."""


class Outcome(msgspec.Struct, frozen=True):
    """An outcome: one way that the cards can fall, as far as any wager depends on it.

    `first` and `second` compare the player's card with the dealer's. `pair` and `second_pair` are what two cards of one
    rank make, none where suits are not known. `rank` is the rank of a first tie. The rest is about two ties.
    """

    first: str
    is_ace: bool = False
    rank: str | None = None
    pair: str | None = None
    second: str | None = None
    second_pair: str | None = None
    is_same_rank: bool = False
    is_one_suit: bool = False
    is_identical: bool = False


def first_outcome(first: str, rank: str, pair: str | None = None) -> Outcome:
    """The outcome of the first cards, by the rank of the player's card: what side wagers know of that card is here."""
    return Outcome(first, rank == "A", rank if first == "tie" else None, pair)


class Outcomes(msgspec.Struct, frozen=True):
    """Weights of all outcomes; `has_suits` is whether pairs are told apart.

    `merged` has them without the rank of a tie, for what does not depend on it.
    """

    weights: dict[Outcome, int]
    merged: dict[Outcome, int]
    total: int
    has_suits: bool


def outcomes(composition: Composition, order: str = RANKS, spent: int = 0) -> Outcomes:
    """Every outcome of a composition, under an order of the ranks from low to high.

    `spent` is how many further cards the round takes out unseen, for which there must be room.
    """
    size = composition.size
    if size < LEAST + spent:
        raise CompositionError(f"{size} cards are too few: a round with a war takes {LEAST + spent}")
    weights: dict[Outcome, int] = {}
    rest = (size - 2) * (size - 3)
    for outcome, weight in _untied(composition, order):
        _add(weights, outcome, weight * rest)
    ties = _card_ties(composition) if composition.cards is not None else _rank_ties(composition)
    for outcome, weight in ties:
        _add(weights, outcome, weight)
    total = size * (size - 1) * rest
    weights = {one: weight for one, weight in weights.items() if weight}
    merged: dict[Outcome, int] = {}
    for outcome, weight in weights.items():
        _add(merged, replace(outcome, rank=None), weight)
    return Outcomes(weights, merged, total, composition.cards is not None)


def _add(weights: dict[Outcome, int], outcome: Outcome, weight: int) -> None:
    weights[outcome] = weights.get(outcome, 0) + weight


def _untied(composition: Composition, order: str) -> Iterator[tuple[Outcome, int]]:
    counts = dict(zip(RANKS, composition.ranks, strict=True))
    below = 0
    above = composition.size
    for rank in order:
        above -= counts[rank]
        yield first_outcome("win", rank), counts[rank] * below
        yield first_outcome("loss", rank), counts[rank] * above
        below += counts[rank]


def _rank_ties(composition: Composition) -> Iterator[tuple[Outcome, int]]:
    """Without suits: a first tie at each rank, then win, loss or tie among what is left."""
    size = composition.size
    tied = sum(count * (count - 1) for count in composition.ranks)
    rest = (size - 2) * (size - 3)
    for rank, count in zip(RANKS, composition.ranks, strict=True):
        first = count * (count - 1)
        same = (count - 2) * (count - 3)
        other = tied - first
        lead = first_outcome("tie", rank)
        if not first:
            continue
        parted = rest - same - other
        yield _then(lead, "win"), first * parted // 2
        yield _then(lead, "loss"), first * parted // 2
        yield _then(lead, "tie"), first * other
        yield _then(lead, "tie", is_same_rank=True), first * same


def _then(lead: Outcome, second: str, pair: str | None = None, is_same_rank: bool = False) -> Outcome:
    return replace(lead, second=second, second_pair=pair, is_same_rank=is_same_rank)


def _card_ties(composition: Composition) -> Iterator[tuple[Outcome, int]]:
    """With suits: what a first tie of each rank and kind of pair leaves for the second; counted first, named last."""
    assert composition.cards is not None
    rest = (composition.size - 2) * (composition.size - 3)
    by_rank = [composition.cards[at : at + 4] for at in range(0, 52, 4)]
    made = [_pairs(counts) for counts in by_rank]
    whole = [sum(kinds) for kinds in zip(*made, strict=True)]
    suited = [sum(counts[suit] * (counts[suit] - 1) for counts in by_rank) for suit in range(4)]
    for rank, counts, own in zip(RANKS, by_rank, made, strict=True):
        others = [every - mine for every, mine in zip(whole, own, strict=True)]
        for pair, suits in FIRST_PAIRS.items():
            first, same, alike, in_suit = 0, [0, 0, 0], 0, 0
            for one, two in suits:
                ways = counts[one] * (counts[two] - (one == two))
                if not ways:
                    continue
                first += ways
                left = list(counts)
                left[one] -= 1
                left[two] -= 1
                same = [so_far + ways * more for so_far, more in zip(same, _pairs(tuple(left)), strict=True)]
                if one == two:
                    alike += ways * left[one] * (left[one] - 1)
                    in_suit += ways * (suited[one] - counts[one] * (counts[one] - 1))
            if first:
                lead = first_outcome("tie", rank, pair)
                yield from _seconds(lead, first * rest, [first * count for count in others], same, alike, in_suit)


PAIRS = ("perfect", "coloured", "mixed")


def _pairs(counts: tuple[int, ...]) -> tuple[int, int, int]:
    """Ordered pairs of one rank: of one suit, of one colour and two suits, of two colours."""
    clubs, diamonds, hearts, spades = counts
    perfect = clubs * (clubs - 1) + diamonds * (diamonds - 1) + hearts * (hearts - 1) + spades * (spades - 1)
    coloured = 2 * (clubs * spades + diamonds * hearts)
    return perfect, coloured, 2 * (clubs + spades) * (diamonds + hearts)


FIRST_PAIRS = {
    "perfect": ((0, 0), (1, 1), (2, 2), (3, 3)),
    "coloured": ((0, 3), (3, 0), (1, 2), (2, 1)),
    "mixed": ((0, 1), (0, 2), (3, 1), (3, 2), (1, 0), (2, 0), (1, 3), (2, 3)),
}
"""The suits of two cards, as places in `cdhs`, by the pair that they make."""


def _seconds(
    lead: Outcome, total: int, others: list[int], same: list[int], alike: int, in_suit: int
) -> Iterator[tuple[Outcome, int]]:
    """A first tie and all that may follow: `others` and `same` are second pairs of another rank and of the same.

    `alike` of the same are all four one card, `in_suit` of the others are two suited ties in one suit.
    """
    parted = (total - sum(others) - sum(same)) // 2
    yield _then(lead, "win"), parted
    yield _then(lead, "loss"), parted
    others_apart = [others[0] - in_suit, *others[1:]]
    same_apart = [same[0] - alike, *same[1:]]
    for at, pair in enumerate(PAIRS):
        yield _then(lead, "tie", pair), others_apart[at]
        yield _then(lead, "tie", pair, is_same_rank=True), same_apart[at]
    if in_suit:
        yield replace(_then(lead, "tie", "perfect"), is_one_suit=True), in_suit
    if alike:
        yield replace(_then(lead, "tie", "perfect", is_same_rank=True), is_one_suit=True, is_identical=True), alike
