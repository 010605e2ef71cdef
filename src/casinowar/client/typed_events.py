"""Typed events: what a frame tells, in the types that the server itself has."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from casinowar import protocol as f
from casinowar.engine.events import Event
from casinowar.engine.events.values import EventStruct

_ENGINES = frozenset(str(kind.__struct_config__.tag) for kind in get_args(Event))
_AROUND = ("version", "at", "says", "name")


class HouseEvent(msgspec.Struct, frozen=True):
    """What the house does around the game, by its name and with its fields: seals, seats, stops, signatures.

    >>> from casinowar.client import HouseEvent
    >>> HouseEvent("table_stopped", {"reason": "ended"}).name
    'table_stopped'
    """

    name: str
    fields: dict[str, Any]


if TYPE_CHECKING:
    AnyEvent = Event | HouseEvent
else:
    # The union would be spelled out in the signature that `help` shows.
    AnyEvent = EventStruct | HouseEvent


class TypedEvent(msgspec.Struct, frozen=True):
    """An event with its place in the log, the millisecond at which it was written, and the server's sentence for it.

    >>> from casinowar.client import TypedEvent
    >>> from casinowar.engine.events import BettingCalled
    >>> TypedEvent(BettingCalled(clauses=("NZ-5.15",)), version=7, at=0).event.clauses
    ('NZ-5.15',)
    """

    event: AnyEvent
    version: int
    at: int
    says: str = ""


def typed_events(happened: f.Happened) -> Iterator[TypedEvent]:
    """The events of a frame, the engine's in its own types.

    >>> from casinowar.protocol import Happened
    >>> told = {"name": "betting_called", "version": 7, "at": 0, "clauses": ["NZ-5.15"]}
    >>> [one.event for one in typed_events(Happened("nz", 7, [told], (), {}))]
    [BettingCalled(clauses=('NZ-5.15',))]
    """
    for told in happened.events:
        name = str(told["name"])
        event: Event | HouseEvent
        if name in _ENGINES:
            event = msgspec.convert(told, Event, str_keys=True)
        else:
            event = HouseEvent(name, {key: value for key, value in told.items() if key not in _AROUND})
        yield TypedEvent(event, told["version"], told["at"], told.get("says", ""))
