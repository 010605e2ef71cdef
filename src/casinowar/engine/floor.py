"""The floor: time, limits and notices, seats without a wager, and closing the table."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook

LONGEST = 10**9
"""Seconds; more is no time that passes at a table."""


def tick(rules: Rulebook, table: Table, command: c.Tick) -> list[e.Event] | Refusal:
    if not 0 < command.seconds <= LONGEST:
        return Refusal("amount_not_positive")
    return [e.TimePassed(command.seconds)]


def announce_limits(rules: Rulebook, table: Table, command: c.AnnounceLimits) -> list[e.Event] | Refusal:
    limit = _limit(command)
    if isinstance(limit, Refusal):
        return limit
    return [e.LimitsAnnounced(limit, command.by or "operator", rules.clauses["limits.change"])]


def change_limits(rules: Rulebook, table: Table, command: c.ChangeLimits) -> list[e.Event] | Refusal:
    """Between rounds, so that a wager is played under the limits at which it was made."""
    clauses = rules.clauses["limits.change"]
    limit = _limit(command)
    if isinstance(limit, Refusal):
        return limit
    if command.basis not in rules.limits.change:
        return Refusal("not_in_the_book", clauses)
    if table.has_wagers:
        return Refusal("round_in_progress", clauses)
    if command.basis == "empty" and table.seats:
        return Refusal("players_present", clauses)
    if command.basis == "agreed" and not set(table.seats.values()) <= set(command.consents):
        return Refusal("consent_missing", clauses)
    if command.basis == "notice" and not _is_noticed(table, limit, 60 * rules.notice.limits):
        return Refusal("notice_too_short", rules.clauses["notice.limits"])
    return [e.LimitsChanged(limit, command.basis, command.by or "operator", clauses)]


def _limit(command: c.AnnounceLimits | c.ChangeLimits) -> c.Limit | Refusal:
    if command.minimum < 0 or command.unit < 1 or (command.maximum or command.minimum) < command.minimum:
        return Refusal("no_limits")
    return c.Limit(minimum=command.minimum, maximum=command.maximum, unit=command.unit)


def _is_noticed(table: Table, limit: c.Limit, seconds: int) -> bool:
    if table.limits_notice is None:
        return False
    announced, since = table.limits_notice
    return announced == limit and table.clock - since >= seconds


def announce_closing(rules: Rulebook, table: Table, command: c.AnnounceClosing) -> list[e.Event] | Refusal:
    return [e.ClosingAnnounced(command.by or "operator", rules.clauses.get("notice.close", ()))]


def close_table(rules: Rulebook, table: Table, command: c.CloseTable) -> list[e.Event] | Refusal:
    clauses = rules.clauses.get("notice.close", ())
    if table.has_wagers:
        return Refusal("round_in_progress", clauses)
    seconds = 60 * rules.notice.close
    since = table.closing_notice
    if table.seats and seconds and (since is None or table.clock - since < seconds):
        return Refusal("notice_too_short", clauses)
    return [e.TableClosed(command.by or "operator", clauses)]


def sat_out(rules: Rulebook, table: Table) -> list[e.Event]:
    """Seated players without a wager when the betting closes, where the book counts them; once a round."""
    most = rules.seat.abstain_rounds
    if not most:
        return []
    number = table.round.number
    betting = {player for _, _, player in table.round.wagers}
    clauses = rules.clauses["seat.abstain_rounds"]
    events: list[e.Event] = []
    for player in dict.fromkeys(table.seats.values()):
        if player in betting:
            continue
        rounds, last = table.sat_out.get(player, (0, 0))
        if last == number:
            continue
        rounds = rounds + 1 if last == number - 1 else 1
        events.append(e.RoundSatOut(player, rounds, clauses))
        if rounds >= most:
            events.append(e.AbstentionNoted(player, rounds, clauses))
    return events
