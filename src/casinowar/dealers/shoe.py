"""The shoe of an automatic dealer: the cards that the engine must not know, in their order."""

from collections import Counter
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from casinowar.cards import Card, composition
from casinowar.engine import Event, Table
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_mid_round
from casinowar.records.parse import Stack
from casinowar.records.piles import DRAWN, is_full
from casinowar.rulebooks import Rulebook

Shuffle = Callable[[Iterable[Any]], tuple[Any, ...]]
"""A function that gives cards in another order: `shuffled` for play, `practice_shuffles` to deal the same again."""

NO_CARDS = Stack((), None)


class Shoe:
    """What lies in the shoe or the continuous shuffler, and the stacks that a record of it has.

    The record of a continuous shuffler has the cards as they came out, parted where more of a card would have come than
    the decks hold.
    """

    def __init__(self, shuffle: Shuffle, rules: Rulebook) -> None:
        self.rules = rules
        self.stacks: list[Stack] = []
        self._shuffle = shuffle
        self._left: list[Card] = []
        self._out: list[Card] = []
        self._cut_at: int | None = None

    def __copy__(self) -> "Shoe":
        """The same cards in the same order, and the shuffle where it stands, if it is one that can be copied."""
        twin = object.__new__(Shoe)
        own = {"stacks": [*self.stacks], "_left": [*self._left], "_out": [*self._out]}
        vars(twin).update(vars(self) | own | {"_shuffle": deepcopy(self._shuffle)})
        return twin

    @property
    def is_continuous(self) -> bool:
        return self.rules.shoe.shuffler == "continuous"

    def cut(self, position: int) -> None:
        self._cut_at = position

    def load(self, decks: tuple[Card, ...], table: Table, cut_card: int | None) -> None:
        """Load a shuffled and cut stack: all cards, or in the middle of a round those not in play."""
        cards = self._shuffled(self._discards(table) if is_mid_round(table) else decks)
        if self._cut_at is not None:
            at = self._cut_at * len(cards) // len(decks)
            cards = cards[at:] + cards[:at]
        self._left, self._out, self._cut_at = list(cards), [], None
        self.stacks.append(Stack(() if self.is_continuous else cards, cut_card))

    def _shuffled(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        given: object = self._shuffle(cards)
        if not isinstance(given, tuple | list) or len(given) != len(cards):
            count = f"{len(given)} of them" if isinstance(given, tuple | list) else f"{given!r}"
            raise TypeError(f"a shuffle gives back all {len(cards)} cards in another order, and not {count}")
        return tuple(given)

    def _discards(self, table: Table) -> tuple[Card, ...]:
        """The cards in the rack: with the shoe empty, every card that is in no hand of this round."""
        round_ = table.round
        in_play = Counter(card for box, hand in round_.hands.items() if box not in round_.collected for card in hand)
        return tuple((composition(self.rules.shoe.decks) - in_play).elements())

    def next_card(self) -> Card:
        return self._left[0]

    def coming(self, count: int) -> tuple[Card, ...]:
        """The next cards, as many as that."""
        return tuple(self._left[:count])

    def reorder(self, shuffle: Shuffle, is_next_seen: bool) -> None:
        """Put the cards that nobody has seen into another order, and shuffle so from now on."""
        seen = 1 if is_next_seen else 0
        self._shuffle = shuffle
        self._left[seen:] = shuffle(self._left[seen:])
        if self.stacks and self.stacks[-1].cards and not self.is_continuous:
            last = self.stacks[-1]
            out = last.cards[: len(last.cards) - len(self._left)]
            self.stacks[-1] = Stack((*out, *self._left), last.cut_card)

    def follow(self, events: list[Event]) -> None:
        """Follow the events: cards that leave the shoe, and cards that come back to it."""
        for event in events:
            if isinstance(event, DRAWN):
                self._draw()
            elif isinstance(event, e.CardsReturned):
                self._left = self._out[len(self._out) - event.cards :] + self._left
                del self._out[len(self._out) - event.cards :]
            elif isinstance(event, e.DiscardsReturned):
                self._reinsert()

    def _draw(self) -> None:
        card = self._left.pop(0)
        self._out.append(card)
        if self.is_continuous:
            last = self.stacks.pop() if not is_full(self.stacks[-1].cards, card, self.rules.shoe.decks) else NO_CARDS
            self.stacks.append(Stack((*last.cards, card), None))

    def _reinsert(self) -> None:
        """Each card that was out goes back in at a random depth; the order of the others stays."""
        coming = list(self._shuffle(self._out))
        waiting = list(self._left)
        order = self._shuffle([True] * len(coming) + [False] * len(waiting))
        self._left = [coming.pop() if is_back else waiting.pop(0) for is_back in order]
        self._out = []
