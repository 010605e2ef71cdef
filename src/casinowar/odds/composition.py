"""What is left in a shoe, as counts: by card, or by rank where the suits are not known."""

from collections.abc import Mapping

import msgspec

from casinowar.cards import RANKS
from casinowar.errors import CasinoWarError

SUITS = "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Every card, four of a rank together, in the order of the ranks from 2 to the ace."""


class CompositionError(CasinoWarError, ValueError):
    """Counts that no shoe of these decks can have, or too few cards for a round.

    >>> from casinowar import odds
    >>> try:
    ...     left = odds.parse_composition("K:25", decks=6)
    ... except odds.CompositionError as error:
    ...     print(error)
    25 times K: 6 decks hold 24
    """


class Composition(msgspec.Struct, frozen=True):
    """Counts by rank in the order of `RANKS`, and by card in the order of `CARDS` where the suits are known.

    >>> from casinowar import odds
    >>> odds.fresh(6).ranks
    (24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24)
    """

    ranks: tuple[int, ...]
    cards: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self.ranks)

    def without(self, card: str) -> "Composition":
        """The composition with one card fewer, by its rank and suit."""
        if self.cards is None:
            raise CompositionError("the suits of this composition are not known")
        at = CARDS.index(card)
        return by_card(tuple(count - (i == at) for i, count in enumerate(self.cards)))


def fresh(decks: int) -> Composition:
    """The composition of a new shoe of so many decks.

    >>> from casinowar import odds
    >>> sum(odds.fresh(6).ranks)
    312
    """
    if type(decks) is not int:
        raise TypeError(f"a number of decks is an int, such as 6, and not {decks!r}")
    if decks < 1:
        raise CompositionError(f"{decks} decks: a new shoe has one deck or more")
    return by_card((decks,) * 52)


def by_card(counts: tuple[int, ...]) -> Composition:
    """A composition from the counts of the 52 cards, in the order of the deck.

    >>> from casinowar import odds
    >>> odds.by_card((6,) * 52) == odds.fresh(6)
    True
    """
    if len(counts) != 52 or any(count < 0 for count in counts):
        raise CompositionError("there are 52 cards, each 0 times or more")
    return Composition(tuple(sum(counts[at : at + 4]) for at in range(0, 52, 4)), counts)


def by_rank(counts: tuple[int, ...]) -> Composition:
    """A composition from the counts of the 13 ranks, two to ace; it has no suits.

    >>> from casinowar import odds, rulebooks
    >>> left = odds.by_rank((4,) * 13)
    >>> float(odds.study(rulebooks.load_rulebook("nz"), left).figures("tie").house_edge)
    0.35294117647058826
    """
    if len(counts) != 13 or any(count < 0 for count in counts):
        raise CompositionError("there are 13 ranks, each 0 times or more")
    return Composition(counts)


def parse_composition(text: str, decks: int) -> Composition:
    """`2:24 3:23 ...` by rank, `Ah:5` by card; what is not named is not there.

    >>> from casinowar import odds
    >>> odds.parse_composition("2:24 K:20", decks=6).ranks
    (24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0)
    """
    named: dict[str, int] = {}
    for part in text.split():
        card, colon, count = part.rpartition(":")
        key = _key(card)
        if key is not None and count.startswith("-"):
            raise CompositionError(f"{part!r}: a count is 0 or more")
        if not colon or key is None or not count.isascii() or not count.isdecimal():
            raise CompositionError(f"{part!r}: write a rank or a card and a count, as in 10:24 or Ah:5")
        if key in named:
            raise CompositionError(f"{card} is named twice")
        named[key] = int(count)
    ranks = {key: count for key, count in named.items() if len(key) == 1}
    cards = {key: count for key, count in named.items() if len(key) == 2}
    if both := [key for key in cards if key[0] in ranks]:
        raise CompositionError(f"{both[0]} and {both[0][0]} are both named: name the rank or its cards")
    _check_held(ranks, 4 * decks, decks)
    _check_held(cards, decks, decks)
    if any(count not in (0, 4 * decks) for count in ranks.values()):
        return _by_named_ranks(ranks, cards)
    whole = {rank + suit: count // 4 for rank, count in ranks.items() for suit in SUITS}
    return by_card(tuple({**whole, **cards}.get(card, 0) for card in CARDS))


def _by_named_ranks(ranks: Mapping[str, int], cards: Mapping[str, int]) -> Composition:
    def count(rank: str) -> int:
        return ranks.get(rank, sum(cards.get(rank + suit, 0) for suit in SUITS))

    return by_rank(tuple(count(rank) for rank in RANKS))


def _check_held(named: Mapping[str, int], most: int, decks: int) -> None:
    for key, count in named.items():
        if count > most:
            raise CompositionError(f"{count} times {key}: {decks} decks hold {most}")


def _key(text: str) -> str | None:
    """`10` is `T`, and letters may be small; none where it is no rank and no card."""
    short = text.upper().replace("10", "T")
    if len(short) == 1 and short in RANKS:
        return short
    if len(short) == 2 and short[0] in RANKS and short[1] in SUITS.upper():
        return short[0] + short[1].lower()
    return None
