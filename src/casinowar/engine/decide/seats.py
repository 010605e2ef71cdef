"""Seats, chips and grants: who is at the table, with how much, and on how many boxes."""

from fractions import Fraction

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.betting import is_offered
from casinowar.engine.decide.floor import refuse_excluded
from casinowar.engine.events import Refusal
from casinowar.engine.signatures import signer
from casinowar.engine.state import Deciders, Table
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import ON_WAR

# How the two cards of a war compare over 13 equally likely ranks each.
_HIGHER, _EQUAL, _LOWER = 6, 1, 6


def open_table(rules: Rulebook, table: Table, command: c.OpenTable) -> list[e.Event] | Refusal:
    if not isinstance(rules, Rulebook):
        raise TypeError(f"a table is opened with a Rulebook, and not with {rules!r}: load_rulebook has them")
    if table.players or table.round.number:
        return Refusal("table_is_open")
    limits = dict(command.limits)
    if not all(limit.unit >= 1 and limit.minimum >= 0 for limit in (command.limit, *limits.values())):
        return Refusal("no_limits")
    if command.meter is not None and command.meter < 0:
        return Refusal("amount_not_positive")
    maximum = command.limit.maximum
    if maximum is not None and rules.limits.area_total_max > maximum:
        return Refusal("area_maximum_above_table_maximum", rules.clauses["limits.area_total_max"])
    for kind, inherits in ON_WAR.items():
        if inherits in limits and is_offered(rules, kind):
            limits.setdefault(kind, limits[inherits])
    meter = rules.progressive.seed if command.meter is None else command.meter
    if not rules.wager.progressive:
        meter = 0
    events: list[e.Event] = [e.TableOpened(command.limit, limits, meter, decks=rules.shoe.decks)]
    if war_worth(rules) > 0:
        events.append(
            e.PlayerEdgeNoted(clauses=rules.clauses["payout.war.on_win"] + rules.clauses["payout.war.on_tie"])
        )
    if rules.limits.on_off_unit == "floor_to_unit":
        for wager, limit in {"initial": command.limit, **limits}.items():
            if limit.minimum > 1 and (limit.minimum % limit.unit or (limit.maximum or 0) % limit.unit):
                events.append(e.LimitsOffUnitNoted(wager, clauses=rules.clauses["limits.on_off_unit"]))
    return events


def war_worth(rules: Rulebook) -> Fraction:
    """What a war is worth to the player in initial wagers, over cards that come back."""
    worth = {"win": 1, "push": 0, "lose": -1}
    total = Fraction(0)
    for weight, result in ((_HIGHER, "win"), (_EQUAL, "tie"), (_LOWER, "loss")):
        for cell in (rules.cells["initial", f"on_war_{result}"], rules.cells["war", f"on_{result}"]):
            odds = cell.odds
            total += weight * (Fraction(odds.numerator, odds.denominator) if odds else worth[cell.outcome])
    return total / (_HIGHER + _EQUAL + _LOWER)


def resume_table(rules: Rulebook, table: Table, command: c.ResumeTable) -> list[e.Event] | Refusal:
    if table.round.number or table.escrow:
        return Refusal("table_is_open")
    if not 0 <= command.shoe_left <= 52 * rules.shoe.decks:
        return Refusal("wrong_number_of_cards", rules.clauses["shoe.decks"])
    if any(not 1 <= box <= rules.table.boxes for box in command.seats):
        return Refusal("unknown_box", rules.clauses["table.boxes"])
    if any(player not in table.players for player in _players_named(command)):
        return Refusal("unknown_player")
    return [
        e.TableResumed(
            command.rounds,
            command.shoe_left,
            command.cut_in,
            command.shuffle,
            command.dealer_burns,
            command.seats,
            command.reminded,
            command.bank_turn,
        )
    ]


def _players_named(command: c.ResumeTable) -> tuple[str, ...]:
    bank = command.bank_turn[:1] if command.bank_turn else ()
    return (*command.seats.values(), *command.reminded, *bank)


def buy_in(rules: Rulebook, table: Table, command: c.BuyIn) -> list[e.Event] | Refusal:
    if type(command.amount) is not int or command.amount < 0:
        return Refusal("amount_not_positive")
    if not command.player or command.player == "house":
        return Refusal("name_taken")
    return [e.BoughtIn(command.player, command.amount)]


def seat_player(rules: Rulebook, table: Table, command: c.SeatPlayer) -> list[e.Event] | Refusal:
    if command.player not in table.players:
        return Refusal("unknown_player")
    if command.player in table.floor.excluded:
        return refuse_excluded(rules)
    if not 1 <= command.box <= rules.table.boxes:
        return Refusal("unknown_box", rules.clauses["table.boxes"])
    if table.seats.get(command.box, command.player) != command.player:
        return Refusal("seat_taken")
    if _is_banking(table, command.player):
        return Refusal("bank_in_play", rules.clauses["bank.by"])
    leaves = tuple(box for box, player in table.seats.items() if player == command.player)
    return [e.PlayerSeated(command.player, command.box, leaves)]


def vacate_seat(rules: Rulebook, table: Table, command: c.VacateSeat) -> list[e.Event] | Refusal:
    if command.player not in table.players:
        return Refusal("unknown_player")
    boxes = tuple(box for box, player in table.seats.items() if player == command.player)
    if not boxes:
        return Refusal("not_seated")
    if _is_banking(table, command.player):
        return Refusal("bank_in_play", rules.clauses["bank.by"])
    return [e.SeatVacated(command.player, boxes)]


def _is_banking(table: Table, player: str) -> bool:
    return table.bank is not None and table.bank.player == player


def grant_multi_box(rules: Rulebook, table: Table, command: c.GrantMultiBox) -> list[e.Event] | Refusal:
    clauses = rules.clauses["table.multi_box"]
    if command.player not in table.players:
        return Refusal("unknown_player")
    if not rules.leaves["table.multi_box"].allowed:
        return Refusal("not_in_the_book", clauses)
    if not 1 < command.boxes <= rules.table.max_boxes_per_player:
        return Refusal("too_many_boxes", rules.clauses["table.max_boxes_per_player"])
    return [e.MultiBoxGranted(command.player, command.boxes, signer(rules, command, "supervisor"), clauses=clauses)]


def revoke_multi_box(rules: Rulebook, table: Table, command: c.RevokeMultiBox) -> list[e.Event] | Refusal:
    if command.player not in table.grants:
        return Refusal("no_grant", rules.clauses["table.multi_box"])
    return [
        e.MultiBoxRevoked(
            command.player, signer(rules, command, "supervisor"), clauses=rules.clauses["table.multi_box"]
        )
    ]


DECIDERS: Deciders = {
    c.OpenTable: open_table,
    c.ResumeTable: resume_table,
    c.BuyIn: buy_in,
    c.SeatPlayer: seat_player,
    c.VacateSeat: vacate_seat,
    c.GrantMultiBox: grant_multi_box,
    c.RevokeMultiBox: revoke_multi_box,
}
