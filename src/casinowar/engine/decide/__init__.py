"""Decide: whether a command may be done now, and the events it leads to. Any command in any state has an answer."""

from __future__ import annotations  # Else `help` spells out all that a command can be.

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.commands import Command
from casinowar.engine.decide import (
    bank,
    betting,
    dealing,
    decisions,
    floor,
    incidents,
    manual_settlement,
    preparation,
    rulings,
    seats,
    shoe,
    voids,
)
from casinowar.engine.decide.draw_order import is_short_ruling_due
from casinowar.engine.events import Event, Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.fields import check_fields
from casinowar.engine.signatures import SIGNED, refuse_signatures
from casinowar.engine.state import Deciders, Table
from casinowar.rulebooks import Rulebook

DECISIONS = (c.GoToWar, c.Surrender)
TWO_SIGNED = frozenset(SIGNED)
HELD_UP = frozenset(
    (
        c.GoToWar,
        c.Surrender,
        c.LoadShoe,
        c.InitialBurn,
        *c.CARD_REPORTS,
        c.ReportShufflerFault,
    )
)
"""Commands that wait while a ruling is due."""

DECIDERS: Deciders = {
    **seats.DECIDERS,
    **bank.DECIDERS,
    **betting.DECIDERS,
    **decisions.DECIDERS,
    **dealing.DECIDERS,
    **manual_settlement.DECIDERS,
    **shoe.DECIDERS,
    **preparation.DECIDERS,
    **floor.DECIDERS,
    **incidents.DECIDERS,
    **rulings.DECIDERS,
    **voids.DECIDERS,
}
"""The decider of each command but `Deal`, which decides and evolves card by card."""


def decide(rules: Rulebook, table: Table, command: Command) -> list[Event] | Refusal:
    """The events that the command leads to, or why it is refused.

    >>> import casinowar
    >>> rules = casinowar.load_rulebook("nz")
    >>> casinowar.decide(rules, casinowar.Table(), casinowar.GoToWar(player="ana", box=1)).reason
    'unknown_player'
    """
    result = step(rules, table, command)
    return result if isinstance(result, Refusal) else result[0]


def step(rules: Rulebook, table: Table, command: Command) -> tuple[list[Event], Table] | Refusal:
    """Decide and evolve in one go: the events, and the table after them. A shoe that has run dry may need a ruling.

    >>> import casinowar
    >>> from casinowar.engine.commands import BuyIn, OpenTable
    >>> rules = casinowar.load_rulebook("nz")
    >>> _, table = casinowar.step(rules, casinowar.Table(), OpenTable())
    >>> events, table = casinowar.step(rules, table, BuyIn(player="ana", amount=500))
    >>> casinowar.name(events[0]), table.players
    ('bought_in', {'ana': 500})
    """
    done = _step(rules, table, command)
    if isinstance(done, Refusal) or done[1].incident is not None or not is_short_ruling_due(rules, done[1]):
        return done
    called = incidents.short_shoe(rules)
    return [*done[0], *called], evolve_all(done[1], called)


def _step(rules: Rulebook, table: Table, command: Command) -> tuple[list[Event], Table] | Refusal:
    kind = type(command)
    check_fields(command)
    is_signed = command.by is not None or kind in TWO_SIGNED
    if is_signed and (refusal := refuse_signatures(rules, table, command)):
        return refusal
    if table.is_closed:
        return Refusal("table_closed")
    if isinstance(command, c.Deal):
        return dealing.deal(rules, table, command)
    try:
        decider = DECIDERS[kind]
    except KeyError:
        raise TypeError(f"no such command: {command!r}") from None
    if table.incident is not None and kind in HELD_UP:
        return Refusal("ruling_due", rules.clauses["irreg.arbiter"])
    events = decider(rules, table, command)
    if isinstance(events, Refusal):
        return events
    before, table = table, evolve_all(table, events)
    if kind in TWO_SIGNED and min(table.players.values(), default=0) < 0:
        return Refusal("chips_gone")
    following: list[e.Event] = []
    if isinstance(command, DECISIONS):
        following = decisions.put_away(rules, table, command.box)
    elif not _goes_on(before, table):
        return events, table
    while True:
        table = evolve_all(table, following)
        events = events + following
        following = decisions.after_decision(rules, table)
        if not following:
            return events, table


def _goes_on(before: Table, table: Table) -> bool:
    """Whether something follows at once: nobody is left to choose, or a bank may not cover all of whoever is next."""
    if table.phase == "deciding":
        return table.bank is not None
    return before.phase in ("deciding", "war_betting") and table.phase == "dealing" and not table.queue
