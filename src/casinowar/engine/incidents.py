"""Incidents: what goes wrong at a table, and what the book has the dealer do about it."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.bank import void_bank
from casinowar.engine.dealing import cut_card
from casinowar.engine.events import DEALER, Refusal
from casinowar.engine.progressive import unfeed, unpay
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook


def report_extra_draw(rules: Rulebook, table: Table, command: c.ReportExtraDraw) -> list[e.Event] | Refusal:
    """A card drawn in error is the next card, unless its face was seen and the book takes it out of play."""
    rule = rules.irreg.exposed_extra if command.exposed else rules.irreg.unexposed_extra
    clauses = rules.clauses["irreg.exposed_extra" if command.exposed else "irreg.unexposed_extra"]
    if not table.shoe_left:
        return Refusal("no_cards", clauses)
    if rule in ("next_card", "use_if_needed_else_burn"):
        return [e.CardHeld(command.card if command.exposed else None, clauses)]
    discarded = e.CardDiscarded(command.card, clauses)
    return [cut_card(rules, DEALER), discarded] if table.cut_in == 0 else [discarded]


def report_face_up_card(rules: Rulebook, table: Table, command: c.ReportFaceUpCard) -> list[e.Event] | Refusal:
    """A card that lies face up is not used; where the book says so, a second one voids all hands."""
    clauses = rules.clauses["irreg.face_up"]
    if not table.shoe_left:
        return Refusal("no_cards", clauses)
    if rules.irreg.face_up == "use":
        return [e.CardHeld(command.card, clauses)]
    in_round = 0 if table.round.is_over else table.round.face_up
    count = 1 + (table.face_up if rules.ma.face_up_scope == "shoe" else in_round)
    events: list[e.Event] = [cut_card(rules, DEALER)] if table.cut_in == 0 else []
    events += [e.CardDiscarded(command.card, clauses), e.FaceUpFound(count, clauses)]
    if count < 2 or rules.irreg.multi_face_up == "discard_each":
        return events
    several = rules.clauses["irreg.multi_face_up"]
    if not table.round.is_over:
        events += [*_reverse_all(table, several), *_put_away(table, several), *unfeed(rules, table)]
        events += [*void_bank(rules, table), e.RoundVoided(table.round.number, "face_up_cards", several)]
    return [*events, e.ShuffleOrdered("face_up_cards", "dealer", several)]


def _reverse_all(table: Table, clauses: tuple[str, ...]) -> list[e.Event]:
    return [
        e.WagerReversed(player, box, wager, laid.amount, clauses)
        for (box, wager, player), laid in table.round.wagers.items()
        if laid.outcome != "void"
    ]


def _put_away(table: Table, clauses: tuple[str, ...]) -> list[e.Event]:
    round_ = table.round
    if round_.is_over:
        return []
    hands = tuple((box, cards) for box, cards in round_.hands.items() if box not in round_.collected)
    return [e.CardsCollected(hands, clauses)] if hands else []


def invalidate_round(rules: Rulebook, table: Table, command: c.InvalidateRound) -> list[e.Event] | Refusal:
    """Every wager of the round goes back, those already settled too; possible until the next round's first wager."""
    if command.cause not in rules.irreg.invalidate:
        return Refusal("not_in_the_book", rules.clauses.get("irreg.invalidate", ()))
    clauses = rules.clauses["irreg.invalidate"]
    reversals = _reverse_all(table, clauses)
    has_begun = table.round.is_over or table.phase not in ("betting", "closed")
    if not reversals or not has_begun:
        return Refusal("no_round", clauses)
    cancelled = e.RoundInvalidated(table.round.number, command.cause, command.by or "operator", clauses)
    undone = [] if table.round.is_over else void_bank(rules, table)
    return [*reversals, *_put_away(table, clauses), *unpay(rules, table), *unfeed(rules, table), *undone, cancelled]
