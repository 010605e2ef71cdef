"""Decide: whether a command may be done now, and the events it leads to. Any command in any state has an answer."""

from collections.abc import Callable
from typing import Any

from casinowar.engine import bank, betting, dealing, decisions, floor, incidents, seats, shoe
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook

STAFF = ("dealer", "supervisor", "operator")
FLOOR = ("supervisor", "operator")
DECISIONS = (c.GoToWar, c.Surrender)


def decide(rules: Rulebook, table: Table, command: c.Command) -> list[e.Event] | Refusal:
    """The events that the command leads to, or why it is refused."""
    result = step(rules, table, command)
    return result if isinstance(result, Refusal) else result[0]


def step(rules: Rulebook, table: Table, command: c.Command) -> tuple[list[e.Event], Table] | Refusal:
    """Decide and evolve in one go: the events, and the table after them."""
    if command.by is not None and not _is_entitled(command):
        return Refusal("not_entitled")
    if table.is_closed:
        return Refusal("table_closed")
    kind = type(command)
    if isinstance(command, c.Deal):
        return dealing.deal(rules, table, command)
    try:
        answer = _ANSWERS[kind]
    except KeyError:
        raise TypeError(f"no such command: {command!r}") from None
    events = answer(rules, table, command)
    if isinstance(events, Refusal):
        return events
    table = evolve_all(table, events)
    if isinstance(command, DECISIONS):
        following = decisions.put_away(rules, table, command.box)
        while True:
            table = evolve_all(table, following)
            events = events + following
            following = decisions.after_decision(rules, table)
            if not following:
                break
    return events, table


def _is_entitled(command: c.Command) -> bool:
    """Whether the role, and the person where it is a player's own act, may give this command."""
    role, _, person = (command.by or "").partition(":")
    match command:
        case c.PlaceWager():
            return role == "dealer" if command.called else (role, person) == ("player", command.player)
        case c.AmendWager() | c.WithdrawWager() | c.GoToWar() | c.DeclineCut():
            return (role, person) == ("player", command.player)
        case c.Surrender():
            is_own = (role, person) == ("player", command.player)
            return is_own or (role == "supervisor" and bool(command.reason))
        case c.Cut():
            return role in STAFF if command.player is None else (role, person) == ("player", command.player)
        case c.SeatPlayer() | c.VacateSeat():
            return role in FLOOR or (role, person) == ("player", command.player)
        case c.NoMoreBets() | c.Deal() | c.PlaceMarker() | c.LoadShoe():
            return role == "dealer"
        case c.ReportExtraDraw() | c.ReportFaceUpCard() | c.ChangeDealer():
            return role in STAFF
        case c.AcceptBank() | c.DeclineBank() | c.RelinquishBank():
            return (role, person) == ("player", command.player)
        case c.SupervisorShuffle() | c.GrantMultiBox() | c.RevokeMultiBox() | c.BuyIn():
            return role in FLOOR
        case c.ReplaceCards() | c.InvalidateRound() | c.OpenTable() | c.ResumeTable():
            return role == "operator"
        case c.Tick():
            return role in STAFF
        case c.AnnounceLimits() | c.ChangeLimits() | c.AnnounceClosing() | c.CloseTable():
            return role in FLOOR


_ANSWERS: dict[type, Callable[[Rulebook, Table, Any], list[e.Event] | Refusal]] = {
    c.OpenTable: seats.open_table,
    c.ResumeTable: seats.resume_table,
    c.BuyIn: seats.buy_in,
    c.SeatPlayer: seats.seat_player,
    c.VacateSeat: seats.vacate_seat,
    c.GrantMultiBox: seats.grant_multi_box,
    c.RevokeMultiBox: seats.revoke_multi_box,
    c.PlaceWager: betting.place_wager,
    c.AmendWager: betting.amend_wager,
    c.WithdrawWager: betting.withdraw_wager,
    c.NoMoreBets: betting.no_more_bets,
    c.GoToWar: decisions.go_to_war,
    c.Surrender: decisions.surrender,
    c.Cut: shoe.cut,
    c.DeclineCut: shoe.decline_cut,
    c.PlaceMarker: shoe.place_marker,
    c.LoadShoe: shoe.load_shoe,
    c.SupervisorShuffle: shoe.supervisor_shuffle,
    c.ReplaceCards: shoe.replace_cards,
    c.ChangeDealer: shoe.change_dealer,
    c.AcceptBank: bank.accept_bank,
    c.DeclineBank: bank.decline_bank,
    c.RelinquishBank: bank.relinquish_bank,
    c.ReportFaceUpCard: incidents.report_face_up_card,
    c.ReportExtraDraw: incidents.report_extra_draw,
    c.InvalidateRound: incidents.invalidate_round,
    c.Tick: floor.tick,
    c.AnnounceLimits: floor.announce_limits,
    c.ChangeLimits: floor.change_limits,
    c.AnnounceClosing: floor.announce_closing,
    c.CloseTable: floor.close_table,
}
