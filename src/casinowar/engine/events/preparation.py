"""Events of the opening and of the making of a stack, and of what players asked for."""

from typing import Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine.events.values import Clauses

Preparation = Literal["inspect", "verify", "spread", "spread_2", "wash", "pre_load", "shuffle", "swap_batch"]


class CardsPrepared(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cards_prepared"):
    """One step on the way into the shoe: who did it, how, and who looked on."""

    step: Preparation
    by: str
    second: str | None = None
    steps: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    batch: int = 1
    clauses: Clauses = ()


class CutOffered(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="cut_offered"):
    player: str
    clauses: Clauses = ()


class InspectionRequested(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="inspection_requested"):
    player: str
    clauses: Clauses = ()


class FullShuffleRequired(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="full_shuffle_required"):
    """Cards that came shuffled are inspected, shuffled and cut like fresh ones."""

    player: str
    clauses: Clauses = ()


class SpreadRequested(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="spread_requested"):
    player: str
    clauses: Clauses = ()


class BurnViewed(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="burn_viewed"):
    """The burned card was shown to the player who asked; its face is in nobody else's view."""

    player: str
    card: Card | None = None
    clauses: Clauses = ()


class DiscardsReturned(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag="discards_returned"):
    """The rack goes back into the continuous shuffler, each card at a random depth."""

    cards: int
    clauses: Clauses = ()
