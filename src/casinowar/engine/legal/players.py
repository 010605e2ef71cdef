"""What one player may do now: each command is asked of its own decider, and amounts of the ladder of limits."""

from collections.abc import Iterable

from casinowar.engine import commands as c
from casinowar.engine.decide import DECIDERS, HELD_UP
from casinowar.engine.decide.betting import boxes_allowed, editable, is_offered, own_boxes, refuse_place, room_made
from casinowar.engine.decide.preparation import is_cut_due
from casinowar.engine.decide.shoe import cut_bounds
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.legal.amounts import moved, spot_totals
from casinowar.engine.legal.legal import Legal
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import FIRST_DEAL, SIDE, WAR_DEAL

CARD, COUPON, REASON = ("card",), ("coupon",), ("reason",)


def player_commands(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    """The commands that this player may give now, wagers first."""
    if table.is_closed:
        return []
    legal: list[Legal] = []
    if table.phase == "deciding" and table.incident is None:
        legal += _choices(rules, table, player)
    legal += _places(rules, table, player)
    if table.has_wagers:
        legal += _changes(rules, table, player)
    if rules.bank.by == "player":
        legal += _bank(rules, table, player)
    if is_cut_due(rules, table):
        legal += _cut(rules, table, player)
    legal += _seat(rules, table, player)
    return [*legal, *_rights(rules, table, player)]


def is_accepted(rules: Rulebook, table: Table, command: c.Command) -> bool:
    """Whether the command's decider has no objection. A table that waits for a ruling holds some commands up."""
    kind = type(command)
    is_held_up = table.incident is not None and kind in HELD_UP
    return not is_held_up and not isinstance(DECIDERS[kind](rules, table, command), Refusal)


def _choices(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    legal: list[Legal] = []
    for box, who in table.round.asked:
        if who == player:
            war, surrender = c.GoToWar(player=player, box=box), c.Surrender(player=player, box=box)
            legal += [Legal(war)] if is_accepted(rules, table, war) else []
            legal += [Legal(surrender, free=REASON)] if is_accepted(rules, table, surrender) else []
    return legal


def _places(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    """Wagers that can be put down on each box. Where no other wagers count, a kind has the same amounts on all."""
    phase = table.phase
    kinds = FIRST_DEAL if phase == "betting" else WAR_DEAL if phase in ("deciding", "war_betting") else ()
    if not kinds:
        return []
    laid = {} if table.round.is_over else table.round.wagers
    own = own_boxes(table.round, player)
    boxes = _boxes_open(rules, table, player, own)
    is_shared = rules.has_shared_limits or not table.floor.is_plain
    gives_way = rules.priority.full == "gives_way"
    is_coupon = rules.wager.match_play and phase == "betting"
    legal: list[Legal] = []
    for kind in kinds:
        if not is_offered(rules, kind):
            continue
        is_beside = kind in SIDE and not rules.wager.tie_only
        free = COUPON if is_coupon and kind == "initial" else ()
        alike: list[range] | None = None
        for box in boxes:
            # Most places are refused for want of an initial wager, and that is known without a question.
            if is_beside and (box, "initial", player) not in laid:
                continue
            asking = c.PlaceWager(player=player, box=box, wager=kind, amount=1)
            if refuse_place(rules, table, asking, own) is not None:
                continue
            spot = (box, kind, player)
            if (before := laid.get(spot)) is not None:
                ranges = moved(spot_totals(rules, table, spot, before.amount), before.amount)
            elif is_shared or gives_way:
                ranges = spot_totals(rules, evolve_all(table, room_made(rules, table, asking)), spot, 0)
            else:
                ranges = alike = spot_totals(rules, table, spot, 0) if alike is None else alike
            for amounts in ranges:
                least = amounts[0]
                command = asking if least == 1 else c.PlaceWager(player=player, box=box, wager=kind, amount=least)
                legal.append(Legal(command, "amount", amounts, free))
    return legal


def _boxes_open(rules: Rulebook, table: Table, player: str, own: frozenset[int]) -> Iterable[int]:
    """The boxes that are worth a question: those at war, or the player's own where no further one may be bet on."""
    if table.phase != "betting":
        return sorted(table.round.at_war)
    is_full = bool(own) and len(own) >= boxes_allowed(rules, table, player)
    return sorted(own) if is_full else range(1, rules.table.boxes + 1)


def _changes(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    """Wagers that can be changed or taken back."""
    legal: list[Legal] = []
    for (box, wager, who), laid in table.round.wagers.items():
        spot = (box, wager, who)
        if who != player or isinstance(editable(rules, table, spot), Refusal):
            continue
        kind: c.WagerName = wager  # type: ignore[assignment]
        for amounts in moved(spot_totals(rules, table, spot, laid.amount), 0, max(1, laid.coupon)):
            amended = c.AmendWager(player=player, box=box, wager=kind, amount=amounts[0])
            legal.append(Legal(amended, "amount", amounts))
        withdrawn = c.WithdrawWager(player=player, box=box, wager=kind)
        legal += [Legal(withdrawn)] if is_accepted(rules, table, withdrawn) else []
    return legal


def _bank(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    legal: list[Legal] = []
    if table.bank is None and table.players[player] > 0:
        stakes = range(1, table.players[player] + 1)
        takes = [c.AcceptBank(player=player, box=box, stake=1) for box in range(1, rules.table.boxes + 1)]
        legal += [Legal(take, "stake", stakes) for take in takes if is_accepted(rules, table, take)]
    others = (c.DeclineBank(player=player), c.RelinquishBank(player=player))
    return [*legal, *(Legal(one) for one in others if is_accepted(rules, table, one))]


def _cut(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    least, most = cut_bounds(rules)
    cut, passed = c.Cut(player=player, position=least), c.DeclineCut(player=player)
    legal = [Legal(cut, "position", range(least, most + 1))] if is_accepted(rules, table, cut) else []
    return [*legal, Legal(passed)] if is_accepted(rules, table, passed) else legal


def _seat(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    """Seats to take or to leave. A seat that somebody else has is not asked for."""
    seats = table.seats
    free = [box for box in range(1, rules.table.boxes + 1) if seats.get(box, player) == player]
    taken = [c.SeatPlayer(player=player, box=box) for box in free[:1]]
    if not taken or is_accepted(rules, table, taken[0]):
        taken += [c.SeatPlayer(player=player, box=box) for box in free[1:]]
    else:
        taken = []
    legal = [Legal(one) for one in taken]
    left = c.VacateSeat(player=player)
    return [*legal, Legal(left)] if is_accepted(rules, table, left) else legal


def _rights(rules: Rulebook, table: Table, player: str) -> list[Legal]:
    """What a player may ask for about the cards, where the book has such rights."""
    wishes: list[c.Command] = []
    if rules.open.player_rights:
        wishes += [c.PlayerRequestInspect(player=player), c.PlayerRequireFullShuffle(player=player)]
    if rules.open.idle_spread:
        wishes.append(c.PlayerRequestsSpread(player=player))
    legal = [Legal(one) for one in wishes if is_accepted(rules, table, one)]
    look = c.ViewInitialBurn(player=player)
    return [*legal, Legal(look, free=CARD)] if is_accepted(rules, table, look) else legal
