"""Events of the opening and of the making of a stack, and of what players asked for."""

from typing import Literal

from casinowar.cards import Card
from casinowar.engine.events.values import Clauses, EventStruct

Preparation = Literal["inspect", "verify", "spread", "spread_2", "wash", "pre_load", "shuffle", "swap_batch"]


class CardsPrepared(EventStruct, frozen=True):
    """One step on the way into the shoe: who did it, how, and who looked on."""

    step: Preparation
    by: str
    second: str | None = None
    steps: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    batch: int = 1
    clauses: Clauses = ()


class CutOffered(EventStruct, frozen=True):
    player: str
    clauses: Clauses = ()


class InspectionRequested(EventStruct, frozen=True):
    player: str
    clauses: Clauses = ()


class FullShuffleRequired(EventStruct, frozen=True):
    """Cards that came shuffled are inspected, shuffled and cut like fresh ones."""

    player: str
    clauses: Clauses = ()


class SpreadRequested(EventStruct, frozen=True):
    player: str
    clauses: Clauses = ()


class BurnViewed(EventStruct, frozen=True):
    """The burned card was shown to the player who asked; its face is in nobody else's view."""

    player: str
    card: Card | None = None
    clauses: Clauses = ()


class DiscardsReturned(EventStruct, frozen=True):
    """The rack goes back into the continuous shuffler, each card at a random depth."""

    cards: int
    clauses: Clauses = ()


PreparationEvent = (
    CardsPrepared
    | CutOffered
    | InspectionRequested
    | FullShuffleRequired
    | SpreadRequested
    | BurnViewed
    | DiscardsReturned
)
