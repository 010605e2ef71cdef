"""Betting: who may put how much where, and what becomes of a wager when the betting closes."""

from collections.abc import Callable

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import refuse_wager
from casinowar.engine.decide.floor import refuse_excluded, sat_out
from casinowar.engine.decide.limits import limit_wagers, refuse_amount, remind
from casinowar.engine.decide.progressive import increments
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.state import Deciders, Round, Spot, Table, Wager
from casinowar.rulebooks import Rulebook, clauses_in_case
from casinowar.rulebooks.wagers import FIRST_DEAL, SIDE, WAR_DEAL

Draws = Callable[[Rulebook, Table, tuple[int, ...]], tuple[e.Draw, ...]]


def place_wager(rules: Rulebook, table: Table, command: c.PlaceWager) -> list[e.Event] | Refusal:
    if refusal := refuse_place(rules, table, command):
        return refusal
    spot = (command.box, command.wager, command.player)
    before = table.round.wagers.get(spot) if not table.round.is_over else None
    gone = room_made(rules, table, command) if before is None else []
    table = evolve_all(table, gone)
    total = command.amount + (before.amount if before else 0)
    if refusal := refuse_amount(rules, table, spot, total, command.amount):
        return refusal
    if command.coupon and command.coupon + (before.coupon if before else 0) > total:
        return Refusal("coupon_above_wager", rules.clauses["wager.match_play"])
    clauses = rules.clauses["betting.closes" if command.wager == "initial" else f"wager.{command.wager}"]
    if command.called:
        clauses = rules.clauses["wager.called"]
    placed = e.WagerPlaced(command.player, command.box, command.wager, command.amount, command.coupon, clauses=clauses)
    if command.box in table.seats and total >= table.limit_of(command.wager).minimum:
        return [*gone, placed]
    return [*gone, *_seat(table, command.player, command.box), *remind(rules, table, spot, total), placed]


def amend_wager(rules: Rulebook, table: Table, command: c.AmendWager) -> list[e.Event] | Refusal:
    spot = (command.box, command.wager, command.player)
    wager = editable(rules, table, spot)
    if isinstance(wager, Refusal):
        return wager
    if refusal := refuse_amount(rules, table, spot, command.amount, command.amount - wager.amount):
        return refusal
    if wager.coupon > command.amount:
        return Refusal("coupon_above_wager", rules.clauses["wager.match_play"])
    amended = e.WagerAmended(
        command.player, command.box, command.wager, command.amount, clauses=rules.clauses["wager.locked"]
    )
    return [*remind(rules, table, spot, command.amount), amended]


def withdraw_wager(rules: Rulebook, table: Table, command: c.WithdrawWager) -> list[e.Event] | Refusal:
    spot = (command.box, command.wager, command.player)
    wager = editable(rules, table, spot)
    if isinstance(wager, Refusal):
        return wager
    others = [where for where in table.round.wagers if where[0] == spot[0] and where[2] == spot[2] and where != spot]
    if command.wager == "initial" and others and not rules.wager.tie_only:
        case = "tie" if all(kind == "tie" for _, kind, _ in others) else "other"
        return Refusal("initial_required", clauses_in_case(rules, "wager.tie_only", case))
    return [
        e.WagerWithdrawn(
            command.player, command.box, command.wager, wager.amount, clauses=rules.clauses["wager.locked"]
        )
    ]


def refuse_place(
    rules: Rulebook, table: Table, command: c.PlaceWager, own: frozenset[int] | None = None
) -> Refusal | None:
    """The ladder of refusals that do not hang on the amount, in the order in which they are told.

    Who asks for many places at once hands in the boxes that the player has bet on.
    """
    wager = command.wager
    if command.player not in table.players:
        return Refusal("unknown_player")
    if not table.floor.is_plain and command.player in table.floor.excluded:
        return refuse_excluded(rules)
    if not 1 <= command.box <= rules.table.boxes:
        return Refusal("unknown_box", rules.clauses["table.boxes"])
    if command.called and not rules.wager.called:
        return Refusal("called_wager", rules.clauses["wager.called"])
    if wager == "war":
        return Refusal("war_is_declared", clauses_in_case(rules, "war.stake", "placed"))
    if wager != "initial" and not is_offered(rules, wager):
        return Refusal("wager_not_offered", rules.clauses.get(f"wager.{wager}", ()))
    if command.amount <= 0:
        return Refusal("amount_not_positive")
    if wager in WAR_DEAL:
        return _refuse_war_deal(rules, table, command, own)
    if table.phase != "betting":
        return Refusal("betting_closed", rules.clauses["betting.closes"])
    if command.coupon and (refusal := _refuse_coupon(rules, command)):
        return refusal
    if rules.bank.by == "player" and (refusal := refuse_wager(rules, table, command.player, command.box)):
        return refusal
    return _refuse_spot(rules, table, command, own)


def own_boxes(round_: Round, player: str) -> frozenset[int]:
    """The boxes that a player has bet on in the round that is on."""
    return frozenset() if round_.is_over else frozenset([box for box, _, who in round_.wagers if who == player])


def _refuse_coupon(rules: Rulebook, command: c.PlaceWager) -> Refusal | None:
    if not rules.wager.match_play or command.wager != "initial":
        return Refusal("coupon_not_taken", rules.clauses.get("wager.match_play", ()))
    return Refusal("amount_not_positive") if command.coupon < 0 else None


def is_offered(rules: Rulebook, wager: str) -> bool:
    if wager == "war_perfect_pairs":
        return rules.wager.war_perfect_pairs and rules.wager.perfect_pairs
    return wager == "initial" or bool(getattr(rules.wager, wager, False))


def _refuse_war_deal(
    rules: Rulebook, table: Table, command: c.PlaceWager, own: frozenset[int] | None
) -> Refusal | None:
    if table.phase not in ("deciding", "war_betting") or command.box not in table.round.at_war:
        return Refusal("no_war_wager", rules.clauses[f"wager.{command.wager}"])
    war = table.round.wagers.get((command.box, "war", command.player))
    is_at_war = war is not None and war.outcome is None
    if is_out(table.round, command.player):
        return Refusal("out_of_the_round", rules.clauses[f"wager.{command.wager}"])
    if command.wager == "war_tie" and not is_at_war:
        return Refusal("no_war_wager", rules.clauses["wager.war_tie"])
    if rules.priority.war_perfect_pairs == "war_only" and not is_at_war:
        return Refusal("no_war_wager", rules.clauses["priority.war_perfect_pairs"])
    if command.coupon:
        return _refuse_coupon(rules, command)
    return _refuse_spot(rules, table, command, own)


def is_out(round_: Round, player: str) -> bool:
    """Whether the player was put out of the round: wagers of theirs are void, or forfeited and so nobody's hand."""
    own = {where: laid for where, laid in round_.wagers.items() if where[2] == player}
    has_hand = any(player in stack for stack in round_.bettors.values())
    return any(laid.outcome == "void" or (kind in FIRST_DEAL and not has_hand) for (_, kind, _), laid in own.items())


def _refuse_spot(rules: Rulebook, table: Table, command: c.PlaceWager, own: frozenset[int] | None) -> Refusal | None:
    box, wager, player = command.box, command.wager, command.player
    wagers = {} if table.round.is_over else table.round.wagers
    if (box, wager, player) in wagers:
        return Refusal("wager_locked", rules.clauses["wager.locked"]) if rules.wager.locked == "when_placed" else None
    if wager in SIDE and not rules.wager.tie_only and (box, "initial", player) not in wagers:
        case = "tie" if wager == "tie" else "other"
        return Refusal("initial_required", clauses_in_case(rules, "wager.tie_only", case))
    if (box, "initial", player) not in wagers:
        boxes = own_boxes(table.round, player) if own is None else own
        if boxes and box not in boxes and len(boxes) >= boxes_allowed(rules, table, player):
            is_multi_box = rules.table.multi_box or player in table.grants
            key = "table.max_boxes_per_player" if is_multi_box else "table.multi_box"
            return Refusal("too_many_boxes", rules.clauses[key])
    if rules.table.bettors_counted_by == "box":
        return _refuse_box(rules, table, wagers, command)
    there = {
        who
        for (at, kind, who), laid in wagers.items()
        if at == box and kind == wager and who != player and laid.outcome is None
    }
    return _refuse_crowd(rules, table, there, command) if there or table.seats.get(box) != player else None


def boxes_allowed(rules: Rulebook, table: Table, player: str) -> int:
    if player in table.grants:
        return min(table.grants[player], rules.table.max_boxes_per_player)
    return rules.table.max_boxes_per_player if rules.table.multi_box else 1


def _refuse_box(rules: Rulebook, table: Table, wagers: dict[Spot, Wager], command: c.PlaceWager) -> Refusal | None:
    """Refuse a wager on a box that is taken, where the book counts bettors by the box and not by the area."""
    others = {who for at, _, who in wagers if at == command.box and who != command.player}
    seated = table.seats.get(command.box, command.player)
    if 0 < rules.table.bettors_per_area <= len(others | {seated} - {command.player}):
        return Refusal("box_taken", rules.clauses["table.bettors_per_area"])
    return None


def _refuse_crowd(rules: Rulebook, table: Table, there: set[str], command: c.PlaceWager) -> Refusal | None:
    """Refuse a wager on an area that is full, or whose last places are kept for those with a first right to it."""
    room = _room(rules, table)
    if not room:
        return None
    if len(there) >= room:
        is_full = rules.priority.full == "refused" or not _make_room(rules, table, command)
        case = "fewer" if table.floor.bettors else "usual"
        return Refusal("area_full", clauses_in_case(rules, "table.bettors_per_area", case)) if is_full else None
    for key, first in _first_rights(rules, table, command.box, command.wager):
        if command.player not in first and len(there | first) >= room:
            return Refusal("area_reserved", rules.clauses[key])
    return None


def _room(rules: Rulebook, table: Table) -> int:
    return table.floor.bettors or rules.table.bettors_per_area if rules.table.backline else 1


def room_made(rules: Rulebook, table: Table, command: c.PlaceWager) -> list[e.Event]:
    """Who gives way to a first wager on this spot, where the book has it so."""
    return _make_room(rules, table, command) if rules.priority.full == "gives_way" else []


def _make_room(rules: Rulebook, table: Table, command: c.PlaceWager) -> list[e.Event]:
    """Make room on a full area: the last bettor without a first right to it gives way to whoever has one."""
    wagers, box, kind = {} if table.round.is_over else table.round.wagers, command.box, command.wager
    room = _room(rules, table)
    if rules.table.bettors_counted_by == "box" or not room or len(wagers) < room:
        return []
    there = [where for where, laid in wagers.items() if where[0] == box and where[1] == kind and laid.outcome is None]
    if len(there) < room:
        return []
    for key, first in _first_rights(rules, table, command.box, command.wager):
        others = [where for where in there if where[2] not in first]
        if command.player in first and others:
            box, wager, player = others[-1]
            amount = wagers[others[-1]].amount
            return [e.WagerWithdrawn(player, box, wager, amount, command.player, clauses=rules.clauses[key])]
    return []


def _first_rights(rules: Rulebook, table: Table, box: int, wager: str) -> list[tuple[str, set[str]]]:
    rights: list[tuple[str, set[str]]] = []
    wagers = {} if table.round.is_over else table.round.wagers
    if rules.priority.area == "seated" and box in table.seats and wager not in WAR_DEAL:
        rights.append(("priority.area", {table.seats[box]}))
    if rules.priority.tie == "initial" and wager == "tie":
        rights.append(("priority.tie", {who for at, kind, who in wagers if at == box and kind == "initial"}))
    if rules.priority.war_perfect_pairs == "war" and wager == "war_perfect_pairs":
        wars = {who for (at, kind, who), laid in wagers.items() if (at, kind) == (box, "war") and laid.outcome is None}
        rights.append(("priority.war_perfect_pairs", wars))
    return rights


def editable(rules: Rulebook, table: Table, spot: Spot) -> Wager | Refusal:
    """The wager on this spot that its player may still change, or why it stands."""
    box, wager, player = spot
    if player not in table.players:
        return Refusal("unknown_player")
    if not 1 <= box <= rules.table.boxes:
        return Refusal("unknown_box", rules.clauses["table.boxes"])
    laid = None if table.round.is_over else table.round.wagers.get(spot)
    if laid is None or laid.outcome is not None:
        return Refusal("no_wager")
    if rules.wager.locked == "when_placed":
        return Refusal("wager_locked", rules.clauses["wager.locked"])
    is_open = table.phase in ("deciding", "war_betting") if wager in WAR_DEAL else table.phase == "betting"
    if not is_open or wager == "war":
        return Refusal("betting_closed", rules.clauses["wager.locked"])
    return laid


def _seat(table: Table, player: str, box: int) -> list[e.Event]:
    """Whoever bets first on a box takes its seat, and leaves one where nothing of theirs lies."""
    if box in table.seats or table.phase != "betting":
        return []
    wagers = {} if table.round.is_over else table.round.wagers
    if any(where[0] == box for where in wagers):
        return []
    leaves = tuple(
        at
        for at, who in table.seats.items()
        if who == player and not any(where[0] == at and where[2] == player for where in wagers)
    )
    return [e.PlayerSeated(player, box, leaves)]


def close_betting(rules: Rulebook, table: Table, draws: Draws | None = None) -> list[e.Event]:
    """The call: the limits are applied as the book has it, and the boxes that get a card are known.

    `draws` tells what the dealer will draw for those boxes, where the deal begins at once.
    """
    wagers = table.round.wagers
    events = limit_wagers(rules, table, FIRST_DEAL)
    if rules.seat.abstain_rounds:
        events += sat_out(rules, table)
    stacks: dict[int, tuple[str, ...]] = {}
    for box, _, player in wagers:
        stack = stacks.get(box)
        if stack is None:
            stacks[box] = (player,)
        elif player not in stack:
            stacks[box] = (player, *stack) if table.seats.get(box) == player else (*stack, player)
    boxes = tuple(sorted(stacks))
    if rules.deal.to == "initial":
        boxes = tuple(box for box in boxes if any((box, "initial", player) in wagers for player in stacks[box]))
    bettors = {box: stacks[box] for box in boxes}
    if rules.wager.progressive:
        events += increments(rules, table)
    clauses = rules.clauses["betting.closes"]
    if draws is None:
        events.append(e.BettingClosed(boxes, bettors, (), clauses=clauses))
    else:
        clauses += rules.clauses["deal.first"]
        events.append(e.BettingClosed(boxes, bettors, draws(rules, table, boxes), clauses=clauses))
    return events


def no_more_bets(rules: Rulebook, table: Table, command: c.NoMoreBets) -> list[e.Event] | Refusal:
    """The call closes the betting, save where the book closes it only with the first card."""
    if table.phase != "betting":
        return Refusal("betting_closed", rules.clauses["betting.closes"])
    if table.round.is_over or not table.round.wagers:
        return Refusal("no_wager", rules.clauses["deal.to"])
    if rules.betting.closes == "first_card":
        return [e.BettingCalled(clauses=rules.clauses["betting.closes"])]
    return close_betting(rules, table)


def open_betting(rules: Rulebook, table: Table, command: c.OpenBetting) -> list[e.Event] | Refusal:
    if table.phase != "betting":
        return Refusal("round_in_progress", rules.clauses["betting.closes"])
    return [e.BettingOpened(clauses=rules.clauses.get("betting.opens", rules.clauses["betting.closes"]))]


DECIDERS: Deciders = {
    c.PlaceWager: place_wager,
    c.AmendWager: amend_wager,
    c.WithdrawWager: withdraw_wager,
    c.NoMoreBets: no_more_bets,
    c.OpenBetting: open_betting,
}
