"""Shoes whose cards lie as a test wants them. They are sealed and proved like any other: only the shuffle is not one."""

from collections.abc import Callable

from casinowar.cards import Card
from casinowar.fairness import derivation as d
from casinowar.fairness.sealed import SealedShoe

Arrange = Callable[[list[Card]], list[Card]]
RANKS = "AKQJT98765432"


def no_ties(stack: list[Card]) -> list[Card]:
    """Rank after rank, so that thirteen cards in a row have thirteen ranks."""
    by_rank = {rank: sorted(card for card in stack if card[0] == rank) for rank in RANKS}
    return [by_rank[rank].pop() for _ in range(len(stack)) for rank in RANKS if by_rank[rank]]


def all_tie(stack: list[Card]) -> list[Card]:
    """The nines lie first, both at the front and where `middle` cuts, so that the first rounds tie whatever is burned."""
    nines = sorted(card for card in stack if card[0] == "9")
    others = no_ties([card for card in stack if card[0] != "9"])
    half, rest = len(nines) // 2, len(stack) // 2 - len(nines) // 2
    return [*nines[:half], *others[:rest], *nines[half:], *others[rest:]]


def middle(bounds: tuple[int, int], key: bytes) -> int:
    """A cut where nobody chooses one: in the middle, where `all_tie` has laid its nines."""
    return sum(bounds) // 2


def stack_shoes() -> None:
    """From here on tables whose name begins with `tie` deal ties, and all others none."""

    def fix_order(shoe: SealedShoe) -> None:
        arrange: Arrange = all_tie if shoe.header.shoe.startswith("tie") else no_ties
        wanted = tuple(arrange(list(shoe.header.stack)))
        assert sorted(wanted) == sorted(shoe.header.stack)
        before, d.order = d.order, lambda stack, key: wanted
        try:
            usual(shoe)
        finally:
            d.order = before

    usual = SealedShoe._fix_order
    SealedShoe._fix_order = fix_order  # type: ignore[method-assign]
    d.house_cut = middle
