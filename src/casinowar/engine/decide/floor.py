"""The floor: time, limits and notices, seats without a wager, and closing the table."""

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import is_mid_round
from casinowar.engine.events import Refusal
from casinowar.engine.signatures import signer
from casinowar.engine.state import Deciders, Table
from casinowar.rulebooks import Rulebook, clauses_in_case, with_decks

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
    clauses = clauses_in_case(rules, "limits.change", "notice")
    return [e.LimitsAnnounced(limit, by=signer(rules, command, "operator"), clauses=clauses)]


def players_present(rules: Rulebook, table: Table) -> set[str]:
    """Who is at the table: the seated, and where the book counts them those who bet from behind.

    They have chips on the layout now, or had some in the last round that is over and have not cashed out.
    """
    seated = set(table.seats.values())
    if rules.table.present == "seated":
        return seated
    betting = {player for _, _, player in table.round.wagers} if table.has_wagers else set()
    return seated | betting | table.patrons


def change_limits(rules: Rulebook, table: Table, command: c.ChangeLimits) -> list[e.Event] | Refusal:
    """Change the limits between rounds, so that a wager is played under the limits at which it was made."""
    clauses = clauses_in_case(rules, "limits.change", command.basis)
    limit = _limit(command)
    if isinstance(limit, Refusal):
        return limit
    if command.basis not in rules.limits.change:
        return Refusal("not_in_the_book", clauses)
    if table.has_wagers:
        return Refusal("round_in_progress", clauses)
    present = players_present(rules, table)
    if command.basis == "empty" and present:
        return Refusal("players_present", clauses)
    if command.basis == "agreed" and not present <= set(command.consents):
        return Refusal("consent_missing", clauses)
    if command.basis == "notice" and not _is_noticed(table, limit, 60 * rules.notice.limits):
        return Refusal("notice_too_short", rules.clauses["notice.limits"])
    return [e.LimitsChanged(limit, command.basis, by=signer(rules, command, "operator"), clauses=clauses)]


def _limit(command: c.AnnounceLimits | c.ChangeLimits) -> c.Limit | Refusal:
    if command.minimum < 0 or command.unit < 1 or (command.maximum or command.minimum) < command.minimum:
        return Refusal("no_limits")
    return c.Limit(minimum=command.minimum, maximum=command.maximum, unit=command.unit)


def _is_noticed(table: Table, limit: c.Limit, seconds: int) -> bool:
    if table.floor.limits_notice is None:
        return False
    announced, since = table.floor.limits_notice
    return announced == limit and table.floor.clock - since >= seconds


def announce_closing(rules: Rulebook, table: Table, command: c.AnnounceClosing) -> list[e.Event] | Refusal:
    """A sign with the time of closure, which lies at least as far off as the book wants."""
    clauses = rules.clauses.get("notice.close", ())
    minutes = rules.notice.close if command.minutes is None else command.minutes
    if rules.notice.close and minutes < rules.notice.close:
        return Refusal("notice_too_short", clauses)
    if not 0 <= minutes <= LONGEST // 60:
        return Refusal("amount_not_positive")
    return [e.ClosingAnnounced(minutes, by=signer(rules, command, "operator"), clauses=clauses)]


def closing_time(rules: Rulebook, table: Table) -> int | None:
    """The second of the floor's clock at which the table closes by its sign."""
    since = table.floor.closing_notice
    return None if since is None else since + 60 * (table.floor.closing_minutes or rules.notice.close)


def close_table(rules: Rulebook, table: Table, command: c.CloseTable) -> list[e.Event] | Refusal:
    """The floor's to do; a dealer may once the floor has announced it."""
    clauses = rules.clauses.get("notice.close", ())
    if table.has_wagers or table.bank is not None:
        return Refusal("round_in_progress", clauses)
    if (command.by or "").startswith("dealer:") and table.floor.closing_notice is None:
        return Refusal("notice_too_short", clauses)
    at = closing_time(rules, table)
    is_early = at is None or table.floor.clock < at
    if rules.notice.close and is_early and players_present(rules, table):
        return Refusal("notice_too_short", clauses)
    return [e.TableClosed(by=signer(rules, command, "operator"), clauses=clauses)]


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
        rounds, last = table.floor.sat_out.get(player, (0, 0))
        if last == number:
            continue
        rounds = rounds + 1 if last == number - 1 else 1
        events.append(e.RoundSatOut(player, rounds, clauses=clauses))
        if rounds >= most:
            events.append(e.AbstentionNoted(player, rounds, clauses=clauses))
    return events


def announce_decks(rules: Rulebook, table: Table, command: c.AnnounceDecks) -> list[e.Event] | Refusal:
    """Announce another number of decks. With pairs on offer, the pay table for it is chosen at the same time."""
    clauses = rules.clauses.get("notice.decks", ())
    if not rules.notice.decks:
        return Refusal("not_in_the_book", clauses)
    if command.decks not in rules.deck_choices or command.decks == rules.shoe.decks:
        return Refusal("wrong_number_of_decks", rules.clauses["shoe.decks"])
    pairs = command.perfect_pairs
    is_legal = pairs in rules.deck_choices[command.decks] if rules.wager.perfect_pairs else pairs is None
    if not is_legal:
        return Refusal("pay_table_due", rules.clauses.get("perfect_pairs.table", clauses))
    return [e.DecksAnnounced(command.decks, pairs, by=signer(rules, command, "supervisor"), clauses=clauses)]


def is_deck_change_due(rules: Rulebook, table: Table) -> bool:
    notice = table.floor.decks_notice
    is_between_rounds = not is_mid_round(table)
    return notice is not None and is_between_rounds and table.floor.clock - notice[2] >= 60 * rules.notice.decks


def decks_due(rules: Rulebook, table: Table) -> int:
    """How many decks the next stack has: what the table opened with, or what a notice that has stood says."""
    notice = table.floor.decks_notice
    if notice is not None and is_deck_change_due(rules, table):
        return notice[0]
    return table.floor.decks or rules.shoe.decks


def rules_due(rules: Rulebook, table: Table) -> Rulebook:
    """The rules for the next stack: a notice of other decks that has stood brings the book for that number."""
    return _with_decks(rules, table, decks_due(rules, table))


def rules_after(rules: Rulebook, table: Table, event: object) -> Rulebook:
    """The rules after an event that happened at this table: with a stack of other decks comes the book for them."""
    return _with_decks(rules, table, event.decks) if isinstance(event, e.DecksChanged) else rules


def _with_decks(rules: Rulebook, table: Table, decks: int) -> Rulebook:
    notice = table.floor.decks_notice
    return rules if notice is None or decks == rules.shoe.decks else with_decks(rules, decks, notice[1])


def direct_box_max(rules: Rulebook, table: Table, command: c.DirectBoxMax) -> list[e.Event] | Refusal:
    refusal = _refuse_direction(rules, table, "limits.area_total_max", command.amount)
    clauses = rules.clauses.get("limits.area_total_max", ())
    return refusal or [e.BoxMaxDirected(command.amount, by=signer(rules, command, "operator"), clauses=clauses)]


def direct_player_max(rules: Rulebook, table: Table, command: c.DirectPlayerMax) -> list[e.Event] | Refusal:
    refusal = _refuse_direction(rules, table, "limits.player_box_max", command.amount)
    clauses = rules.clauses.get("limits.player_box_max", ())
    return refusal or [e.PlayerMaxDirected(command.amount, by=signer(rules, command, "operator"), clauses=clauses)]


def _refuse_direction(rules: Rulebook, table: Table, key: str, amount: int) -> Refusal | None:
    clauses = rules.clauses.get(key, ())
    if key not in rules.leaves or not rules.leaves[key].allowed:
        return Refusal("not_in_the_book", clauses)
    if amount < 0:
        return Refusal("amount_not_positive")
    if table.has_wagers:
        return Refusal("round_in_progress", clauses)
    maximum = table.limit.maximum
    return Refusal("area_maximum_above_table_maximum", clauses) if maximum is not None and amount > maximum else None


def refuse_excluded(rules: Rulebook) -> Refusal:
    """Refuse an excluded player by the clause that excludes; a record may bring one to a book without such a clause."""
    is_known = "irreg.contravention" in rules.leaves
    return Refusal("player_excluded", clauses_in_case(rules, "irreg.contravention", "exclude") if is_known else ())


def set_bettors_per_area(rules: Rulebook, table: Table, command: c.SetBettorsPerArea) -> list[e.Event] | Refusal:
    """The floor may lower what the book allows, and raise it again up to that; 0 where the book has no limit."""
    if not rules.leaves["table.bettors_per_area"].allowed:
        return Refusal("not_in_the_book", rules.clauses["table.bettors_per_area"])
    clauses = clauses_in_case(rules, "table.bettors_per_area", "fewer")
    if table.has_wagers:
        return Refusal("round_in_progress", clauses)
    most = rules.table.bettors_per_area
    if command.bettors < 0 or (most and not 1 <= command.bettors <= most):
        return Refusal("too_many_bettors", clauses_in_case(rules, "table.bettors_per_area", "usual"))
    return [e.BettorsPerAreaSet(command.bettors, by=signer(rules, command, "supervisor"), clauses=clauses)]


DECIDERS: Deciders = {
    c.AnnounceDecks: announce_decks,
    c.DirectBoxMax: direct_box_max,
    c.DirectPlayerMax: direct_player_max,
    c.SetBettorsPerArea: set_bettors_per_area,
    c.Tick: tick,
    c.AnnounceLimits: announce_limits,
    c.ChangeLimits: change_limits,
    c.AnnounceClosing: announce_closing,
    c.CloseTable: close_table,
}
