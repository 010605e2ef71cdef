"""The stacks of a record, followed from the events that say which cards left the shoe."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

import msgspec

from casinowar.cards import Card
from casinowar.engine import Event, Table
from casinowar.engine import events as e
from casinowar.records.parse import Stack
from casinowar.rulebooks import Rulebook

Faces = tuple[Card | None, ...]
"""`None` is a face nobody saw."""

DRAWN = e.CardDealt | e.CardBurned | e.CardDiscarded | e.CardPlacedAhead
"""Events with which a card leaves the shoe."""

NEW_TABLE = Table()


def in_hands(table: Table) -> Faces:
    """The cards that lie before the boxes and the dealer, which a stack loaded in the middle of a round lacks."""
    round_ = table.round
    if round_.is_over:
        return ()
    return tuple(card for box, hand in round_.hands.items() if box not in round_.collected for card in hand)


def is_full(cards: Sequence[Card | None], face: Card | None, decks: int) -> bool:
    """Whether a stack of so many decks cannot have this card too."""
    return len(cards) >= 52 * decks or (face is not None and cards.count(face) >= decks)


class _Pile(msgspec.Struct):
    """What has left one stack of `size` cards so far; the cutting card lies behind `cut_card` of them."""

    size: int
    cut_card: int | None = None
    cards: list[Card | None] = []


class KeptPiles(msgspec.Struct, frozen=True):
    """What is known of a table's cards now: of its stacks the last two, since only those can still change."""

    coming: Faces
    out: Faces
    decks: int
    last: tuple[tuple[int, int | None, Faces], ...]


class Piles:
    """The stacks of one table; a burn that stayed sealed has no face here, whoever knew it.

    `coming` is what is known of the next cards: one drawn in error, or dealt before its time and taken back. `out` are
    the cards that have left the stack, with those that were in play when it was loaded; a continuous shuffler takes its
    discards back after each round. Its cards are parted where one would come more often than its decks hold it.
    """

    def __init__(self, rules: Rulebook, table: Table = NEW_TABLE) -> None:
        self.coming: Faces = () if table.held is None else (table.held,)
        self.out: Faces = ()
        self._is_continuous = rules.shoe.shuffler == "continuous"
        self._decks = rules.shoe.decks
        self._piles = [self._pile(table.shoe_left, table.cut_in)] if table.batch else []

    def keep(self) -> KeptPiles:
        """What is known of the cards now, for a snapshot."""
        last = tuple((one.size, one.cut_card, tuple(one.cards)) for one in self._piles[-2:])
        return KeptPiles(self.coming, self.out, self._decks, last)

    def resume(self, kept: KeptPiles) -> None:
        """Take up what was kept."""
        self.coming, self.out, self._decks = kept.coming, kept.out, kept.decks
        self._piles = [_Pile(size, cut_card, list(cards)) for size, cut_card, cards in kept.last]

    def _pile(self, cards: int, cut_card: int | None) -> _Pile:
        return _Pile(0 if self._is_continuous else cards, cut_card)

    def follow(self, events: Iterable[Event], table: Table) -> None:
        """Follow the events of one command. Cards of a missed offer that were drawn before are told by their return."""
        events = tuple(events)
        is_taken_back = any(isinstance(event, e.CardsReturned) for event in events)
        for event in events:
            if not (is_taken_back and isinstance(event, e.OfferMissed)):
                self._follow(event, table)

    def _follow(self, event: Event, table: Table) -> None:
        match event:
            case e.ShoeLoaded():
                for face in self.coming if self._piles else ():
                    self._draw(face)
                self.coming, self.out = (), in_hands(table)
                self._piles.append(self._pile(event.cards, event.cut_card))
            case e.DecksChanged():
                self._decks = event.decks
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                self._draw(event.card or next(iter(self.coming), None))
                self.coming = self.coming[1:]
            case e.CardCorrected():
                self._undraw()
                self._draw(event.card)
            case e.CardHeld():
                self.coming = (event.card or next(iter(self.coming), None), *self.coming[1:])
            case e.OfferMissed():
                self.coming = tuple(told or known for told, known in zip_longest(event.cards, self.coming))
            case e.DiscardsReturned():
                self.out = ()
            case e.CardsReturned():
                self.coming = (*reversed([self._undraw() for _ in range(event.cards)]), *self.coming)

    def _draw(self, face: Card | None) -> None:
        if self._is_continuous and is_full(self._piles[-1].cards, face, self._decks):
            self._piles.append(_Pile(0))
        self._piles[-1].cards.append(face)
        self.out = (*self.out, face)

    def _undraw(self) -> Card | None:
        if not self._piles[-1].cards:
            self._piles.pop()
        self.out = self.out[:-1]
        return self._piles[-1].cards.pop()

    def show_cut_card(self) -> None:
        """Note that the cutting card shows now."""
        self._piles[-1].cut_card = len(self._piles[-1].cards)

    def stacks(self) -> list[Stack]:
        """The whole stacks. A card that nobody saw has no face."""
        known = [pile.cards for pile in self._piles[:-1]] + [[*pile.cards, *self.coming] for pile in self._piles[-1:]]
        return [
            Stack((*cards, *(None,) * (pile.size - len(cards))), pile.cut_card)
            for pile, cards in zip(self._piles, known, strict=True)
        ]
