"""Events of the cards: dealt, burned, cut, collected, shuffled. A burn shows its face only where the book turns it."""

from typing import Literal

from casinowar.cards import Card
from casinowar.engine.events.values import Burn, Draw, EventStruct, PlayerEvent, StaffEvent


class DealStarted(EventStruct, frozen=True):
    """What the dealer will draw, in order: burns by name, boxes by number, the dealer as 0."""

    draws: tuple[Draw, ...]


class CardDealt(EventStruct, frozen=True):
    box: int
    card: Card


class CardBurned(EventStruct, frozen=True):
    """`more` cards are burned next because of this one's face. It lies in the rack or beside the dealer's card."""

    burn: Burn
    card: Card | None = None
    more: int = 0
    beside_dealer: bool = False


class CardDiscarded(EventStruct, frozen=True):
    """A card left the shoe and play because of an incident."""

    card: Card | None
    by: str | None = None


class CardHeld(EventStruct, frozen=True):
    """A card drawn in error waits to be used as the next one."""

    card: Card | None
    by: str | None = None


class FaceUpFound(EventStruct, frozen=True):
    """A card lay face up in the shoe; `count` of them so far in what the book counts over."""

    count: int
    by: str | None = None


class CutCardDrawn(EventStruct, frozen=True):
    """The cutting card came out where a card was due to `box` (0: the dealer's hand, burns included).

    `shuffle` says when the cards are shuffled for it: before the round, after it, or not at all.
    """

    box: int
    shuffle: Literal["now", "after_round", "none"]


class CutCardReached(EventStruct, frozen=True):
    """The cutting card lies at the mouth of the shoe."""


class CardsCollected(EventStruct, frozen=True):
    """Hands put into the rack, in an order from which each can be rebuilt: box (0: dealer), then its cards."""

    hands: tuple[tuple[int, tuple[Card, ...]], ...]


class CutMade(EventStruct, frozen=True):
    """The stack was cut. Without a player, `by` is the member of staff who cut it."""

    player: str | None
    position: int
    by: str | None = None


class MarkerPlaced(EventStruct, frozen=True):
    """The cutting card goes into the stack with `from_back` cards behind it."""

    from_back: int


class CutDeclined(PlayerEvent, frozen=True):
    """The player did not want to cut."""


class ShoeLoaded(EventStruct, frozen=True):
    """`draws` are burned at once, in the middle of a round, and `shuffle` is then still due after it.

    `end_card`: a second cutting card covers the last one. `batch` tells which set of cards it is, by its back.
    """

    cards: int
    cut_card: int | None
    opening_burn: bool
    draws: tuple[Draw, ...] = ()
    end_card: bool = False
    shuffle: str | None = None
    batch: int = 0


class BurnSkipped(EventStruct, frozen=True):
    """Too few cards were left for a burn that was due."""

    burn: Burn


class ShuffleOrdered(StaffEvent, frozen=True):
    reason: str


class CardsReplaced(StaffEvent, frozen=True):
    """The named cards, or all of them where none is named; `damaged` of them for damage, with faces where known."""

    cards: tuple[Card, ...]
    damaged: int = 0


class DealerChanged(EventStruct, frozen=True):
    dealer: str
    burns: int


CardEvent = (
    DealStarted
    | CardDealt
    | CardBurned
    | CardDiscarded
    | CardHeld
    | FaceUpFound
    | CutCardDrawn
    | CutCardReached
    | CardsCollected
    | CutMade
    | MarkerPlaced
    | CutDeclined
    | ShoeLoaded
    | BurnSkipped
    | ShuffleOrdered
    | CardsReplaced
    | DealerChanged
)
