"""Settling by hand: the dealer takes and pays one wager after the other, in the order that the book has."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.dealing import advance
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.state import Deciders, Table
from casinowar.rulebooks import Rulebook

ACTS = (e.WagerSettled, e.WagerLimited, e.MatchLimited)
"""What begins an act of the dealer with one wager: what a bank does not cover goes back before the rest is settled."""


def next_act(rules: Rulebook, table: Table) -> list[e.Event]:
    """What the dealer does next where no card is due: one wager, or all that follows the last of them."""
    events = advance(rules, table)
    if isinstance(events[0], ACTS):
        return events[: 2 if isinstance(events[0], e.WagerLimited) else 1]
    for at, event in enumerate(events):
        if isinstance(event, ACTS):
            return events[:at]
    return events


def settle(rules: Rulebook, table: Table, command: c.Settle) -> list[e.Event] | Refusal:
    """Settle wagers as far as neither a card nor a choice is needed; the end of the round is an act of its own."""
    if refusal := _refuse(rules, table):
        return refusal
    if command.wagers is not None and command.wagers < 1:
        return Refusal("amount_not_positive")
    events: list[e.Event] = []
    count = 0
    while table.phase == "dealing" and count != command.wagers:
        following = next_act(rules, table)
        if _ends(following):
            break
        count += isinstance(following[0], ACTS)
        table = evolve_all(table, following)
        events += following
    return events or Refusal("nothing_to_settle", rules.clauses["settle.first"])


def end_round(rules: Rulebook, table: Table, command: c.EndRound) -> list[e.Event] | Refusal:
    if refusal := _refuse(rules, table):
        return refusal
    following = next_act(rules, table)
    return following if _ends(following) else Refusal("settlement_due", rules.clauses["settle.first"])


def _refuse(rules: Rulebook, table: Table) -> Refusal | None:
    if table.incident is not None:
        return Refusal("ruling_due", rules.clauses["irreg.arbiter"])
    if table.phase == "deciding":
        return Refusal("decision_open", rules.clauses["decision.timing"])
    if table.phase != "dealing":
        return Refusal("nothing_to_settle", rules.clauses["settle.first"])
    return Refusal("cards_due", rules.clauses["deal.to"]) if table.queue else None


def _ends(events: list[e.Event]) -> bool:
    return any(isinstance(event, e.RoundEnded) for event in events)


DECIDERS: Deciders = {
    c.Settle: settle,
    c.EndRound: end_round,
}
