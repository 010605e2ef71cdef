"""The walk along a table's log: the rules and the table after each event, and the log command by command."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from casinowar.engine import Event, Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.floor import rules_after
from casinowar.rulebooks import Rulebook
from casinowar.store import OWN, BookResolved, CashedOut, CommandTaken, Recalled, Recorded, rules_of, stand


class Start(msgspec.Struct, frozen=True):
    """A table as it stood after a version, with its rules: a walk can begin there."""

    version: int = 0
    rules: Rulebook | None = None
    table: Table = Table()


BEGINNING = Start()
VOIDS = (e.RoundVoided, e.RoundInvalidated)
ENDS = (e.RoundEnded, e.RoundAmended, *VOIDS)
"""Events with which a round is over; it can be voided or amended after its end."""

Moment = tuple[Rulebook, Recorded, Table]
"""An event, the rules by which it was decided, and the table after it."""


class Step(msgspec.Struct, frozen=True):
    """A command that was taken, or chips carried away, with the rules it was decided by and the table around it."""

    command: c.Command | CashedOut
    events: tuple[Event, ...]
    rules: Rulebook
    before: Table
    table: Table


def walk(log: Iterable[Recalled], start: Start = BEGINNING) -> Iterator[tuple[Recalled, Start]]:
    """Each event of the log behind the start, with rules and table after it."""
    rules, table = start.rules, start.table
    for one in log:
        if isinstance(one.event, BookResolved):
            rules = rules_of(one.event)
        elif rules is not None:
            rules = rules_after(rules, table, one.event)
        table = stand(table, one.event)
        yield one, Start(one.version, rules, table)


def moments(log: Iterable[Recalled], first: int, last: int, start: Start = BEGINNING) -> Iterator[Moment]:
    """The events between two versions of the log, which is read from its beginning or from behind the start."""
    for one, at in walk(log, start):
        if one.version > last:
            return
        if one.version >= first and at.rules is not None:
            yield at.rules, one.event, at.table


def steps(log: Iterable[Recalled], start: Start = BEGINNING) -> Iterator[Step]:
    """The log command by command, each with the events that came of it."""
    taken: Step | None = None
    was = start
    for one, at in walk(log, start):
        event = one.event
        if not isinstance(event, OWN):
            if taken is None:
                raise LookupError(f"{one.stream}: the log does not tell the command behind version {one.version}")
            taken = replace(taken, events=(*taken.events, event), table=at.table)
        else:
            if taken is not None:
                yield taken
                taken = None
            if isinstance(event, CommandTaken | CashedOut):
                if was.rules is None:
                    raise LookupError(f"{one.stream}: no rules stand in the log before version {one.version}")
                command = event.command if isinstance(event, CommandTaken) else event
                taken = Step(command, (), was.rules, was.table, at.table)
        was = at
    if taken is not None:
        yield taken
