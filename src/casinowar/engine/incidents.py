"""Incidents: what goes wrong at a table, and what the book has the dealer do about it."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.dealing import cut_card
from casinowar.engine.events import DEALER, Refusal
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook


def report_extra_draw(rules: Rulebook, table: Table, command: c.ReportExtraDraw) -> list[e.Event] | Refusal:
    """A card drawn in error is the next card, unless its face was seen and the book takes it out of play."""
    rule = rules.irreg.exposed_extra if command.exposed else rules.irreg.unexposed_extra
    clauses = rules.clauses["irreg.exposed_extra" if command.exposed else "irreg.unexposed_extra"]
    if not table.shoe_left:
        return Refusal("no_cards", clauses)
    if rule != "discard":
        return [e.CardHeld(command.card if command.exposed else None, clauses)]
    discarded = e.CardDiscarded(command.card, clauses)
    return [cut_card(rules, DEALER), discarded] if table.cut_in == 0 else [discarded]


def invalidate_round(rules: Rulebook, table: Table, command: c.InvalidateRound) -> list[e.Event] | Refusal:
    """Every wager of the round goes back, those already settled too; in force until the next round's first wager."""
    if command.cause not in rules.irreg.invalidate:
        return Refusal("not_in_the_book", rules.clauses.get("irreg.invalidate", ()))
    clauses = rules.clauses["irreg.invalidate"]
    round_ = table.round
    spots = [spot for spot, wager in round_.wagers.items() if wager.outcome != "void"]
    has_begun = round_.is_over or table.phase not in ("betting", "closed")
    if not spots or not has_begun:
        return Refusal("no_round", clauses)
    reversals: list[e.Event] = [
        e.WagerReversed(player, box, wager, round_.wagers[box, wager, player].amount, clauses)
        for box, wager, player in spots
    ]
    hands = (
        ()
        if round_.is_over
        else tuple((box, cards) for box, cards in round_.hands.items() if box not in round_.collected)
    )
    collected = [e.CardsCollected(hands, clauses)] if hands else []
    return [*reversals, *collected, e.RoundInvalidated(round_.number, command.cause, command.by or "operator", clauses)]
