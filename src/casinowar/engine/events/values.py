"""What events are made of: the bases that they share, places, burns, outcomes, parts of a pay, and refusals."""

from typing import Literal

import msgspec

from casinowar.engine.commands.values import tag_of

DEALER = 0
"""The dealer's place where a box number stands."""

Clauses = tuple[str, ...]
Burn = Literal["opening", "opening_value", "midround", "new_dealer", "round", "war", "war_banker"]
Draw = int | Burn
Outcome = Literal["win", "lose", "push", "surrender", "void", "returned"]


class TaggedEvent(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag=tag_of):
    """An event in JSON has its tag under `name`. Those of the store have no more in common with the engine's own."""


class EventStruct(TaggedEvent, frozen=True, kw_only=True):
    """All events of the engine have the clauses that they apply."""

    clauses: Clauses = ()


class StaffEvent(EventStruct, frozen=True, kw_only=True):
    """An event of staff: `by` is who signed for it, as `role:person`."""

    by: str


class PlayerEvent(EventStruct, frozen=True):
    """An event about one player."""

    player: str


class HandEvent(PlayerEvent, frozen=True):
    """An event about the hand of a player at a box."""

    box: int


class SpotEvent(HandEvent, frozen=True):
    """An event about a player's chips on one spot."""

    wager: str


class Item(msgspec.Struct, frozen=True, gc=False):
    """One part of a progressive's pay: `of` is the line that was hit, or whose hand the envy is for."""

    item: Literal["odds", "meter", "envy"]
    amount: int
    of: str = ""
    odds: str | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not done. `takes` is the role of staff that it takes, where that is why.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> session.do(casinowar.GoToWar(player="ana", box=1))
    Refusal(reason='no_decision', clauses=('NZ-8.5.2c',), takes='')
    """

    reason: str
    clauses: Clauses = ()
    takes: str = ""
