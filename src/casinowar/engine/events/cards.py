"""Events of the cards: dealt, burned, cut, collected, shuffled. A burn shows its face only where the book turns it."""

from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine.events.values import Burn, Clauses, Draw


class DealStarted(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="deal_started"):
    """What the dealer will draw, in order: burns by name, boxes by number, the dealer as 0."""

    draws: tuple[Draw, ...]
    clauses: Clauses = ()


class CardDealt(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_dealt"):
    box: int
    card: Card
    clauses: Clauses = ()


class CardBurned(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_burned"):
    """`more` cards are burned next because of this one's face. It lies in the rack or beside the dealer's card."""

    burn: Burn
    card: Card | None = None
    more: int = 0
    beside_dealer: bool = False
    clauses: Clauses = ()


class CardDiscarded(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_discarded"):
    """A card left the shoe and play because of an incident."""

    card: Card | None
    clauses: Clauses = ()
    by: str | None = None


class CardHeld(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="card_held"):
    """A card drawn in error waits to be used as the next one."""

    card: Card | None
    clauses: Clauses = ()
    by: str | None = None


class FaceUpFound(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="face_up_found"):
    """A card lay face up in the shoe; `count` of them so far in what the book counts over."""

    count: int
    clauses: Clauses = ()
    by: str | None = None


class CutCardDrawn(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_card_drawn"):
    """The cutting card came out where a card was due to `box` (0: the dealer's hand, burns included).

    `shuffle` says when the cards are shuffled for it: before the round, after it, or not at all.
    """

    box: int
    shuffle: Literal["now", "after_round", "none"]
    clauses: Clauses = ()


class CutCardReached(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_card_reached"):
    """The cutting card lies at the mouth of the shoe."""

    clauses: Clauses = ()


class CardsCollected(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cards_collected"):
    """Hands put into the rack, in an order from which each can be rebuilt: box (0: dealer), then its cards."""

    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    clauses: Clauses = ()


class CutMade(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_made"):
    """Without a player it is `by`, the member of staff who cuts when no player does."""

    player: str | None
    position: int
    by: str | None = None
    clauses: Clauses = ()


class MarkerPlaced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="marker_placed"):
    """The cutting card goes into the stack with `from_back` cards behind it."""

    from_back: int
    clauses: Clauses = ()


class CutDeclined(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_declined"):
    player: str
    clauses: Clauses = ()


class ShoeLoaded(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="shoe_loaded"):
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
    clauses: Clauses = ()


class BurnSkipped(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="burn_skipped"):
    """Too few cards were left for a burn that was due."""

    burn: Burn
    clauses: Clauses = ()


class ShuffleOrdered(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="shuffle_ordered"):
    reason: str
    by: str
    clauses: Clauses = ()


class CardsReplaced(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cards_replaced"):
    """The named cards, or all of them where none is named; `damaged` of them for damage, with faces where known."""

    cards: tuple[Card, ...]
    by: str
    clauses: Clauses = ()
    damaged: int = 0


class DealerChanged(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="dealer_changed"):
    dealer: str
    burns: int
    clauses: Clauses = ()
