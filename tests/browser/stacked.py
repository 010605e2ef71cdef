"""Shoes whose cards lie as a test wants them. They are sealed and proved like any other, and not shuffled."""

from functools import cache

from casinowar.cards import Card
from casinowar.fairness import derivation as d
from casinowar.fairness.sealed import SealedShoe

RANKS = "AKQJT98765432"
TIES, NO_TIES = "stacked-ties-", "stacked-"
"""How the name of a table begins whose cards all tie at first, or never do."""


def no_ties(stack: tuple[Card, ...]) -> list[Card]:
    """Rank after rank, so that thirteen cards in a row have thirteen ranks."""
    by_rank = {rank: sorted(card for card in stack if card[0] == rank) for rank in RANKS}
    return [by_rank[rank].pop() for _ in stack for rank in RANKS if by_rank[rank]]


def all_tie(stack: tuple[Card, ...]) -> list[Card]:
    """The nines lie first, so that the first rounds tie whatever is burned."""
    nines = sorted(card for card in stack if card[0] == "9")
    return [*nines, *no_ties(tuple(card for card in stack if card[0] != "9"))]


@cache
def stack_shoes() -> None:
    """Arrange the shoes of tables with such a name from the house's own cut on; all others are shuffled as ever."""
    usual = SealedShoe._fix_order

    def fix_order(shoe: SealedShoe) -> None:
        usual(shoe)
        name = shoe.header.shoe
        if not name.startswith(NO_TIES):
            return
        wanted = (all_tie if name.startswith(TIES) else no_ties)(shoe.header.stack)
        cut = d.house_cut(shoe.header.cut_bounds, shoe._key("cut")) if shoe.header.cut_bounds else 0
        laid = (*wanted[-cut:], *wanted[:-cut]) if cut else tuple(wanted)
        before, d.order = d.order, lambda stack, key: laid
        try:
            usual(shoe)
        finally:
            d.order = before

    SealedShoe._fix_order = fix_order  # type: ignore[method-assign, assignment]
