"""Decide: whether a command may be done now, and the events it leads to. Any command in any state has an answer."""

from casinowar.engine import betting, dealing, incidents, seats, shoe
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook

STAFF = ("dealer", "supervisor", "operator")
FLOOR = ("supervisor", "operator")


def decide(rules: Rulebook, table: Table, command: c.Command) -> list[e.Event] | Refusal:
    """The events that the command leads to, or why it is refused."""
    result = step(rules, table, command)
    return result if isinstance(result, Refusal) else result[0]


def step(rules: Rulebook, table: Table, command: c.Command) -> tuple[list[e.Event], Table] | Refusal:
    """Decide and evolve in one go: the events, and the table after them."""
    if command.by is not None and not _is_entitled(command):
        return Refusal("not_entitled")
    if isinstance(command, c.Deal):
        return dealing.deal(rules, table, command)
    events = _decide(rules, table, command)
    if isinstance(events, Refusal):
        return events
    for event in events:
        table = evolve(table, event)
    if isinstance(command, c.GoToWar | c.Surrender):
        following = dealing.after_decision(rules, table)
        for event in following:
            table = evolve(table, event)
        events = events + following
    return events, table


def _decide(rules: Rulebook, table: Table, command: c.Command) -> list[e.Event] | Refusal:
    match command:
        case c.PlaceWager():
            return betting.place_wager(rules, table, command)
        case c.GoToWar():
            return dealing.go_to_war(rules, table, command)
        case c.Surrender():
            return dealing.surrender(rules, table, command)
        case c.AmendWager():
            return betting.amend_wager(rules, table, command)
        case c.WithdrawWager():
            return betting.withdraw_wager(rules, table, command)
        case c.NoMoreBets():
            return betting.no_more_bets(rules, table, command)
        case _:
            return _decide_shoe(rules, table, command)


def _decide_shoe(rules: Rulebook, table: Table, command: c.Command) -> list[e.Event] | Refusal:
    match command:
        case c.LoadShoe():
            return shoe.load_shoe(rules, table, command)
        case c.Cut():
            return shoe.cut(rules, table, command)
        case c.DeclineCut():
            return shoe.decline_cut(rules, table, command)
        case c.SupervisorShuffle():
            return shoe.supervisor_shuffle(rules, table, command)
        case c.ReplaceCards():
            return shoe.replace_cards(rules, table, command)
        case c.ChangeDealer():
            return shoe.change_dealer(rules, table, command)
        case c.ReportExtraDraw():
            return incidents.report_extra_draw(rules, table, command)
        case c.InvalidateRound():
            return incidents.invalidate_round(rules, table, command)
        case _:
            return _decide_seats(rules, table, command)


def _decide_seats(rules: Rulebook, table: Table, command: c.Command) -> list[e.Event] | Refusal:
    match command:
        case c.OpenTable():
            return seats.open_table(rules, table, command)
        case c.ResumeTable():
            return seats.resume_table(rules, table, command)
        case c.BuyIn():
            return seats.buy_in(rules, table, command)
        case c.SeatPlayer():
            return seats.seat_player(rules, table, command)
        case c.VacateSeat():
            return seats.vacate_seat(rules, table, command)
        case c.GrantMultiBox():
            return seats.grant_multi_box(rules, table, command)
        case c.RevokeMultiBox():
            return seats.revoke_multi_box(rules, table, command)
        case _:
            raise TypeError(f"no such command: {command!r}")


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
        case c.NoMoreBets() | c.Deal() | c.LoadShoe():
            return role == "dealer"
        case c.ReportExtraDraw() | c.ChangeDealer():
            return role in STAFF
        case c.SupervisorShuffle() | c.GrantMultiBox() | c.RevokeMultiBox() | c.BuyIn():
            return role in FLOOR
        case c.ReplaceCards() | c.InvalidateRound() | c.OpenTable() | c.ResumeTable():
            return role == "operator"
