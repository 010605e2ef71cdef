"""Evolve: what each event does to the table. It takes only what `decide` can produce and raises on anything else.

Events are looked up by type rather than matched one after the other: this is the innermost loop of every simulation
and replay, and `bench/engine.py` shows the difference.
"""

from casinowar.engine import events as e
from casinowar.engine.evolve import cards, floor, incidents, preparation, wagers
from casinowar.engine.evolve import table as tables
from casinowar.engine.state import Table

CHANGES = {
    **wagers.CHANGES,
    **cards.CHANGES,
    **tables.CHANGES,
    **preparation.CHANGES,
    **floor.CHANGES,
    **incidents.CHANGES,
}
RUNS = {**wagers.RUNS, **cards.RUNS}


def evolve(table: Table, event: e.Event) -> Table:
    """The table after the event."""
    return CHANGES.get(type(event), _unknown)(table, event)


def _unknown(table: Table, event: object) -> Table:
    raise TypeError(f"no such event: {event!r}")


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
