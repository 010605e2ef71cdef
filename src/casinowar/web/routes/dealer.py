"""The dealer's console after a break: every act since the last round ended, with what was due after each."""

from itertools import groupby, takewhile
from typing import Any

import msgspec

from casinowar.engine import Table
from casinowar.engine.view import Viewer
from casinowar.engine.view.procedure import Step, procedure
from casinowar.history.log_walk import walk
from casinowar.history.round_spans import Span
from casinowar.house.table.visibility import CONSOLE, seen_event
from casinowar.rulebooks import Rulebook
from casinowar.web.http.operations import ApiRequest, get
from casinowar.web.http.replies import TablePath, live_table
from casinowar.web.workers.round_index import RoundIndex

DEALER = Viewer("dealer")


class ActDone(msgspec.Struct, frozen=True):
    """What one command brought, what was due then, and how many cards lay before each hand, the dealer's as 0."""

    events: list[dict[str, Any]]
    procedure: tuple[Step, ...]
    held: dict[int, int]


class ActsDone(msgspec.Struct, frozen=True):
    """Where a round has ended before, the first of the acts is the table as it stood then, and has no events."""

    version: int
    acts: list[ActDone]


def acts_done(index: RoundIndex, table: str) -> ActsDone:
    """The acts from the end of the last round on, or from the opening of the table."""
    last = max((span.last for span in index.spans(table).values()), default=0)
    start = at = index.start(table, Span(0, last + 1, last + 1, False))
    for _, after in walk(takewhile(lambda one: one.version <= last, index.log(table, start.version)), start):
        at = after
    acts = [_act([], at.rules, at.table)] if at.rules is not None else []
    for _, together in groupby(walk(index.log(table, at.version), at), key=lambda pair: pair[0].command):
        pairs = list(together)
        seen = [seen_event(one, DEALER) for one, _ in pairs]
        at = pairs[-1][1]
        if at.rules is not None:
            acts.append(_act([event for event in seen if event is not None], at.rules, at.table))
    return ActsDone(at.version, acts)


def _act(events: list[dict[str, Any]], rules: Rulebook, table: Table) -> ActDone:
    round_ = table.round
    hands = {} if round_.is_over else {box: cards for box, cards in round_.hands.items() if box not in round_.collected}
    return ActDone(events, procedure(rules, table), {box: len(cards) for box, cards in hands.items()})


async def acts(request: ApiRequest) -> ActsDone:
    table, index = live_table(request).name, request.server.index
    return await request.read(lambda: acts_done(index, table))


OPERATIONS = (
    get(
        "/api/tables/{table}/acts",
        "Every act since the last round ended, and what was due after it",
        CONSOLE,
        acts,
        ActsDone,
        path=TablePath,
        faults=("no_such_table",),
    ),
)
