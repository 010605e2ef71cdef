"""Complete stacks for tests that need every card of the decks."""

from casinowar.cards import DECK


def full_shoe(decks: int, start: str, marker: int | None) -> str:
    """Every card of the decks, those of `start` first, with the cutting card that many cards from the back."""
    first = start.split()
    rest = [str(card) for card in DECK] * decks
    for card in first:
        rest.remove(card)
    cards = first + rest
    if marker is not None:
        cards.insert(len(cards) - marker, "cut")
    return " ".join(cards)
