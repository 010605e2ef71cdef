"""Playing cards as values: rank, suit, card, composition.

A card is its two-character text, rank then suit: `Kh`, `Tc`. What a rank is worth is a rulebook's business, so a card
knows no order here.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NewType

Card = NewType("Card", str)
"""A card in two characters, rank and suit: `Kh`."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RED = "dh"
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)

_KNOWN = {str(card).lower(): card for card in DECK}
_KNOWN |= {"10" + suit: Card("T" + suit) for suit in SUITS}
_SYMBOLS = str.maketrans("♣♦♥♠", "cdhs")


def parse_card(text: str) -> Card:
    """Read `Kh` however it is typed: `kh`, `KH` and `K♥` are the same, and `10h` is `Th`.

    >>> import casinowar
    >>> casinowar.parse_card("10♥"), casinowar.parse_card("kh")
    ('Th', 'Kh')
    """
    try:
        return _KNOWN[text.translate(_SYMBOLS).lower()]
    except (KeyError, AttributeError, TypeError):
        raise _no_card(text) from None


def parse_written_card(text: str) -> Card:
    """Read a card as files have it: `Kh` and no other spelling, but for `10h`."""
    card = parse_card(text)
    if text not in (card, f"10{card[1]}"):
        raise _no_card(text)
    return card


def _no_card(text: str) -> ValueError:
    return ValueError(f"{text!r} is not a card: write a rank {' '.join(RANKS)} and a suit c d h s, as in Kh")


def rank(card: Card) -> str:
    return card[0]


def suit(card: Card) -> str:
    return card[1]


def colour(card: Card) -> str:
    return "red" if card[1] in RED else "black"


def composition(decks: int) -> Counter[Card]:
    """How many of each card a stack of that many decks holds."""
    return Counter(dict.fromkeys(DECK, decks))


def excess(cards: Iterable[Card], decks: int) -> dict[Card, int]:
    """The cards of which there are more than the decks hold, with their counts."""
    return {card: count for card, count in Counter(cards).items() if count > decks}
