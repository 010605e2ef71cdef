"""Events: what happened at the table, each with the clauses it applies, and refusals, which change nothing.

An event is declared in the module of its concern, and in the union at the end of that module.
"""

from __future__ import annotations  # Else `help` spells out all that an event can be.

import msgspec

from casinowar.engine.events.cards import *
from casinowar.engine.events.floor import *
from casinowar.engine.events.incidents import *
from casinowar.engine.events.preparation import *
from casinowar.engine.events.table import *
from casinowar.engine.events.values import *
from casinowar.engine.events.wagers import *

Event = TableEvent | WagerEvent | CardEvent | PreparationEvent | FloorEvent | IncidentEvent
"""Everything that can happen at a table."""


def name(event: Event) -> str:
    """What the event is called in the log, such as `wager_settled`.

    >>> import casinowar
    >>> casinowar.name(casinowar.Session("nz").opening[0])
    'table_opened'
    """
    if not isinstance(event, msgspec.Struct):
        raise TypeError(f"an event is one such as CardDealt, and not {event!r}")
    return str(type(event).__struct_config__.tag)
