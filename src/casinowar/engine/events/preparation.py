"""Events of the opening and of the making of a stack, and of what players asked for."""

from typing import Literal

from casinowar.cards import Card
from casinowar.engine.events.values import EventStruct, PlayerEvent, StaffEvent

Preparation = Literal["inspect", "verify", "spread", "spread_2", "wash", "pre_load", "shuffle", "swap_batch"]


class CardsPrepared(StaffEvent, frozen=True):
    """One step on the way into the shoe: who did it, how, and who looked on."""

    step: Preparation
    second: str | None = None
    steps: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    batch: int = 1


class CutOffered(PlayerEvent, frozen=True):
    """The dealer held the cutting card out to the player."""


class InspectionRequested(PlayerEvent, frozen=True):
    """The player asked to inspect the cards."""


class FullShuffleRequired(PlayerEvent, frozen=True):
    """Cards that came shuffled are inspected, shuffled and cut like fresh ones."""


class SpreadRequested(PlayerEvent, frozen=True):
    """The player asked to see the cards spread."""


class BurnViewed(PlayerEvent, frozen=True):
    """The burned card was shown to the player who asked; its face is in nobody else's view."""

    card: Card | None = None


class DiscardsReturned(EventStruct, frozen=True):
    """The rack goes back into the continuous shuffler, each card at a random depth."""

    cards: int


PreparationEvent = (
    CardsPrepared
    | CutOffered
    | InspectionRequested
    | FullShuffleRequired
    | SpreadRequested
    | BurnViewed
    | DiscardsReturned
)
