"""Decisions: war or surrender, and what follows a choice without any further card."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank_cover import cover, return_unmatched
from casinowar.engine.decide.dealing import advance
from casinowar.engine.decide.settlement import settle_surrender
from casinowar.engine.events import Refusal
from casinowar.engine.signatures import signer
from casinowar.engine.state import Deciders, Table
from casinowar.rulebooks import Rulebook, clauses_in_case


def put_away(rules: Rulebook, table: Table, box: int) -> list[e.Event]:
    """Collect a hand as soon as everybody on it has surrendered, where the book says so."""
    round_ = table.round
    is_out = box not in round_.at_war and not any(at == box for at, _ in round_.asked)
    if rules.discard.timing != "when_surrendered" or not is_out:
        return []
    return [e.CardsCollected(((box, round_.hands[box]),), clauses=rules.clauses["discard.timing"])]


def after_decision(rules: Rulebook, table: Table) -> list[e.Event]:
    """What follows a choice of war or surrender without any further card."""
    if table.phase == "dealing":
        return advance(rules, table)
    return return_unmatched(rules, table) if table.phase == "deciding" and table.bank is not None else []


def go_to_war(rules: Rulebook, table: Table, command: c.GoToWar) -> list[e.Event] | Refusal:
    if refusal := _refuse_decision(rules, table, command.player, command.box):
        return refusal
    initial = table.round.wagers[command.box, "initial", command.player].amount
    amount = initial * rules.war_stake.numerator // rules.war_stake.denominator
    if not amount:
        return Refusal("amount_not_positive", clauses_in_case(rules, "war.stake", "placed"))
    is_partly_matched = table.bank is not None and amount > table.bank.left
    if amount > table.players[command.player] and not is_partly_matched:
        return Refusal("insufficient_funds", clauses_in_case(rules, "war.stake", "placed"))
    maximum = table.limit_of("initial").maximum
    if not rules.war.exempt and maximum is not None and initial + amount > maximum:
        return Refusal("wager_above_maximum", rules.clauses["war.exempt"])
    match = amount if rules.war.method == "B" else 0
    clauses = clauses_in_case(rules, "war.stake", "placed") + (rules.clauses["war.method"] if match else ())
    if is_partly_matched:
        return _match_partly(rules, table, command, initial)
    return [e.WarDeclared(command.player, command.box, amount, match, clauses=clauses)]


def _match_partly(rules: Rulebook, table: Table, command: c.GoToWar, initial: int) -> list[e.Event] | Refusal:
    """The bank matches what it has left: initial and war play for that much, and the rest goes back."""
    match = table.bank.left if table.bank else 0
    clauses = rules.clauses["war.method"]
    if not match:
        return Refusal("no_match", clauses)
    if match > table.players[command.player] + initial - match:
        return Refusal("insufficient_funds", clauses_in_case(rules, "war.stake", "placed"))
    return [
        e.MatchLimited(command.player, command.box, initial, match, clauses=clauses),
        e.WarDeclared(
            command.player, command.box, match, match, clauses=clauses_in_case(rules, "war.stake", "placed") + clauses
        ),
    ]


def surrender(rules: Rulebook, table: Table, command: c.Surrender) -> list[e.Event] | Refusal:
    if refusal := _refuse_decision(rules, table, command.player, command.box):
        return refusal
    laid = table.round.wagers[command.box, "initial", command.player]
    settled = cover(rules, table, [settle_surrender(rules, command.box, command.player, laid)])
    if not command.reason:
        return settled
    by = signer(rules, command, "supervisor")
    return [
        e.SurrenderRuled(command.player, command.box, by, command.reason, clauses=rules.clauses["decision.timing"]),
        *settled,
    ]


def _refuse_decision(rules: Rulebook, table: Table, player: str, box: int) -> Refusal | None:
    if player not in table.players:
        return Refusal("unknown_player")
    if not 1 <= box <= rules.table.boxes:
        return Refusal("unknown_box", rules.clauses["table.boxes"])
    if table.phase != "deciding" or (box, player) not in table.round.asked:
        return Refusal("no_decision", rules.clauses["decision.timing"])
    if rules.decision.order != "any" and table.round.asked[0] != (box, player):
        return Refusal("not_asked_yet", rules.clauses["decision.order"])
    return None


def confirm_war_wager(rules: Rulebook, table: Table, command: c.ConfirmWarWager) -> list[e.Event] | Refusal:
    laid = table.round.wagers.get((command.box, "war", command.player))
    if laid is None or laid.outcome is not None or table.round.is_over:
        return Refusal("no_war_wager", clauses_in_case(rules, "war.stake", "placed"))
    clauses = clauses_in_case(rules, "war.stake", "confirmed")
    return [e.WarWagerConfirmed(command.player, command.box, laid.amount, clauses=clauses)]


DECIDERS: Deciders = {
    c.GoToWar: go_to_war,
    c.Surrender: surrender,
    c.ConfirmWarWager: confirm_war_wager,
}
