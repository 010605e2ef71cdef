"""What events are made of: places, burns, outcomes, the parts of a progressive's pay, and refusals."""

from typing import Literal

import msgspec

from casinowar.engine.commands.values import tag_of

DEALER = 0
"""The dealer's place where a box number stands."""

Clauses = tuple[str, ...]
Burn = Literal["opening", "opening_value", "midround", "new_dealer", "round", "war", "war_banker"]
Draw = int | Burn
Outcome = Literal["win", "lose", "push", "surrender", "void", "returned"]


class EventStruct(msgspec.Struct, frozen=True, gc=False, tag_field="name", tag=tag_of):
    """What all events have in common."""


class Item(msgspec.Struct, frozen=True, gc=False):
    """One part of a progressive's pay: `of` is the line that was hit, or whose hand the envy is for."""

    item: Literal["odds", "meter", "envy"]
    amount: int
    of: str = ""
    odds: str | None = None


class Refusal(msgspec.Struct, frozen=True):
    """Why a command was not done. `takes` is the role of staff that it takes, where that is why."""

    reason: str
    clauses: Clauses = ()
    takes: str = ""
