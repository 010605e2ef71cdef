"""Shoes whose cards lie as a test wants them. They are sealed and proved like any other, and not shuffled."""

import re
from functools import cache

from casinowar.cards import Card
from casinowar.fairness import derivation as d
from casinowar.fairness.sealed import SealedShoe

RANKS = "AKQJT98765432"
TIES, NO_TIES = "stacked-ties-", "stacked-"
"""How the name of a table begins whose cards all tie at first, or never do."""

LAID = "laid-"
"""And of one whose name goes on with its first cards, as "laid-x9h9d.nz": x is any card, and a dot ends them."""


def no_ties(stack: tuple[Card, ...]) -> list[Card]:
    """Rank after rank, so that thirteen cards in a row have thirteen ranks."""
    by_rank = {rank: sorted(card for card in stack if card[0] == rank) for rank in RANKS}
    return [by_rank[rank].pop() for _ in stack for rank in RANKS if by_rank[rank]]


def all_tie(stack: tuple[Card, ...]) -> list[Card]:
    """The nines lie first, so that the first rounds tie whatever is burned."""
    nines = sorted(card for card in stack if card[0] == "9")
    return [*nines, *no_ties(tuple(card for card in stack if card[0] != "9"))]


def as_named(name: str, stack: tuple[Card, ...]) -> list[Card]:
    """The cards that the table's name gives, then the others; the last of these are those that do not matter."""
    wanted = re.findall("x|[A-Z0-9][a-z]", re.split(r"[./]", name.removeprefix(LAID))[0])
    others = list(stack)
    for card in wanted:
        if card != "x":
            others.remove(Card(card))
    others = no_ties(tuple(others))
    return [*(others.pop() if card == "x" else Card(card) for card in wanted), *others]


@cache
def stack_shoes() -> None:
    """Arrange the shoes of tables with such a name from the house's own cut on; all others are shuffled as ever."""
    usual = SealedShoe._fix_order

    def fix_order(shoe: SealedShoe) -> None:
        usual(shoe)
        name = shoe.header.shoe
        stack = shoe.header.stack
        if name.startswith(LAID):
            wanted = as_named(name, stack)
        elif name.startswith(NO_TIES):
            wanted = (all_tie if name.startswith(TIES) else no_ties)(stack)
        else:
            return
        cut = d.house_cut(shoe.header.cut_bounds, shoe._key("cut")) if shoe.header.cut_bounds else 0
        laid = (*wanted[-cut:], *wanted[:-cut]) if cut else tuple(wanted)
        before, d.order = d.order, lambda stack, key: laid
        try:
            usual(shoe)
        finally:
            d.order = before

    SealedShoe._fix_order = fix_order  # type: ignore[method-assign, assignment]
