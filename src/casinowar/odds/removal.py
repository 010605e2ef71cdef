"""Effects of removal: what a wager is worth once some cards are known to have gone, less what it was worth before.

From a fresh shoe one card by itself changes nothing for any wager but A Bomb, exactly, whatever the number of decks:

- A card that goes unseen changes nothing, since all that are left are still equally likely in every place. So the
  effects, averaged over the cards that could have gone, come to zero.
- No wager but A Bomb tells one card from another. Winning and losing are equally likely in every shoe, because the
  player and the dealer may swap their cards; all else asks whether two cards share a rank, a suit or a colour, and the
  ranks, the colours and the suits of a colour can be swapped for each other. So the effects of all cards are equal.

Equal effects whose average is zero are all zero. Two cards may share something, and so their effects differ.
"""

from fractions import Fraction

from casinowar.odds.composition import CARDS, Composition
from casinowar.odds.figures import Strategy, Study, study

TWO = {
    "card": ("Kh", "Kh"),
    "rank and colour": ("Kh", "Kd"),
    "rank": ("Kh", "Ks"),
    "suit": ("Kh", "Qh"),
    "nothing": ("Kh", "Qs"),
    "ace and other": ("Ah", "Qs"),
    "two aces": ("Ah", "As"),
}
"""Two cards by what they share, and by how many of them are aces, each with an example."""


def effect(found: Study, wager: str, *cards: str, strategy: Strategy = "war") -> Fraction:
    """The effect of these cards together on the wager's expected value."""
    left: Composition = found.composition
    for card in cards:
        left = left.without(card)
    return study(found.rules, left).figures(wager, strategy).ev - found.figures(wager, strategy).ev


def effects(found: Study, wager: str, strategy: Strategy = "war") -> dict[str, Fraction]:
    """The effect of each card that is there, taken out alone."""
    assert found.composition.cards is not None
    held = zip(CARDS, found.composition.cards, strict=True)
    return {card: effect(found, wager, card, strategy=strategy) for card, count in held if count}


def second_effects(found: Study, wager: str, strategy: Strategy = "war") -> dict[str, Fraction]:
    """The effect of two cards taken out of a fresh shoe, by what they share; one deck has no card twice."""
    assert found.composition.cards is not None
    held = dict(zip(CARDS, found.composition.cards, strict=True))
    return {
        shared: effect(found, wager, *cards, strategy=strategy)
        for shared, cards in TWO.items()
        if all(held[card] >= cards.count(card) for card in cards)
    }
