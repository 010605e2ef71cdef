"""Evolve: what each event does to the table. It takes only what `decide` can produce and raises on anything else.

Events are looked up by type rather than matched one after the other: this is the innermost loop of every simulation
and replay, and `bench/engine.py` shows the difference.
"""

from __future__ import annotations  # Else `help` spells out all that an event can be.

from casinowar.engine import events as e
from casinowar.engine.events import Event
from casinowar.engine.evolve import cards, floor, incidents, preparation, wagers
from casinowar.engine.evolve import table as tables
from casinowar.engine.state import Changes, Table

NOTED = (
    e.AbstentionNoted,
    e.BankOffered,
    e.BettingCalled,
    e.BettingOpened,
    e.BurnViewed,
    e.ContraventionReported,
    e.CutOffered,
    e.HandMissed,
    e.InspectionRequested,
    e.LimitsOffUnitNoted,
    e.OfferMissed,
    e.PlayerEdgeNoted,
    e.RoundAmended,
    e.ShufflerFailed,
    e.SurrenderRuled,
    e.WarWagerConfirmed,
)
"""Events that stand in the log alone: the table stays as it was."""


def _stay(table: Table, event: e.Event) -> Table:
    return table


CHANGES: Changes = {
    **dict.fromkeys(NOTED, _stay),
    **wagers.CHANGES,
    **cards.CHANGES,
    **tables.CHANGES,
    **preparation.CHANGES,
    **floor.CHANGES,
    **incidents.CHANGES,
}
"""What an event of each type does to the table."""

RUNS = {**wagers.RUNS, **cards.RUNS}
"""What a run of events of one type does to the table, for the types that come in runs."""


def evolve(table: Table, event: Event) -> Table:
    """The table after the event.

    >>> import casinowar
    >>> from casinowar.engine.events import BoughtIn
    >>> casinowar.evolve(casinowar.Table(), BoughtIn("ana", 500)).players
    {'ana': 500}
    """
    kind = type(event)
    if kind in RUNS:
        return RUNS[kind](table, (event,))
    if kind not in CHANGES:
        raise TypeError(f"no such event: {event!r}")
    return CHANGES[kind](table, event)


def evolve_all(table: Table, events: list[e.Event]) -> Table:
    """The table after the events: what folding `evolve` gives, with one copy of the table for a run of like events."""
    at, end = 0, len(events)
    while at < end:
        kind = type(events[at])
        start = at
        at += 1
        if kind in RUNS:
            while at < end and type(events[at]) is kind:
                at += 1
            table = RUNS[kind](table, events[start:at])
        else:
            table = CHANGES[kind](table, events[start])
    return table
