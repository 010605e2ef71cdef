"""What events of the wagers do to the table."""

from collections.abc import Iterable

from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.engine.state import Changes, Phase, Round, Spot, Table, Wager


def _wager_placed(table: Table, event: e.WagerPlaced) -> Table:
    round_ = table.round
    player, amount = event.player, event.amount
    if round_.is_over:
        laid = Wager(amount, amount, coupon=event.coupon, turn=1)
        round_ = Round(round_.number + 1, {(event.box, event.wager, player): laid})
    else:
        spot = (event.box, event.wager, player)
        before = round_.wagers.get(spot)
        total = amount if before is None else before.amount + amount
        coupon = event.coupon if before is None else before.coupon + event.coupon
        laid = Wager(total, total, coupon=coupon, turn=_next_turn(round_))
        round_ = replace(round_, wagers={**round_.wagers, spot: laid})
    return replace(
        table,
        players={**table.players, player: table.players[player] - amount},
        escrow=table.escrow + amount,
        round=round_,
    )


def _next_turn(round_: Round) -> int:
    return 1 + max([laid.turn for laid in round_.wagers.values()], default=0)


def _wager_amended(table: Table, event: e.WagerAmended) -> Table:
    spot = (event.box, event.wager, event.player)
    before = table.round.wagers[spot]
    more = event.amount - before.amount
    turn = _next_turn(table.round) if more > 0 else before.turn
    laid = replace(before, placed=event.amount, amount=event.amount, turn=turn)
    wagers = {**table.round.wagers, spot: laid}
    return replace(_stake_chips(table, event.player, more), round=replace(table.round, wagers=wagers))


def _wager_withdrawn(table: Table, event: e.WagerWithdrawn) -> Table:
    spot = (event.box, event.wager, event.player)
    wagers = {where: wager for where, wager in table.round.wagers.items() if where != spot}
    return replace(_stake_chips(table, event.player, -event.amount), round=replace(table.round, wagers=wagers))


def _wager_limited(table: Table, event: e.WagerLimited) -> Table:
    """What the bank had put beside the part that goes back is free again."""
    spot = (event.box, event.wager, event.player)
    laid = table.round.wagers[spot]
    freed = laid.match - min(laid.match, event.amount)
    wager = replace(laid, amount=event.amount, match=laid.match - freed)
    table = _stake_chips(table, event.player, event.amount - event.placed)
    if freed:
        table = replace(_bank_chips(table, freed, _left_when_freed(table, freed)), escrow=table.escrow - freed)
    return replace(table, round=replace(table.round, wagers={**table.round.wagers, spot: wager}))


def _match_limited(table: Table, event: e.MatchLimited) -> Table:
    spot = (event.box, "initial", event.player)
    wager = replace(table.round.wagers[spot], amount=event.amount)
    table = _stake_chips(table, event.player, event.amount - event.placed)
    return replace(table, round=replace(table.round, wagers={**table.round.wagers, spot: wager}))


def _stake_chips(table: Table, player: str, amount: int) -> Table:
    players = {**table.players, player: table.players[player] - amount}
    return replace(table, players=players, escrow=table.escrow + amount)


def _betting_closed(table: Table, event: e.BettingClosed) -> Table:
    banker = None if table.bank is None else table.bank.player
    round_ = replace(table.round, boxes=event.boxes, bettors=event.bettors, banker=banker)
    if not event.draws:
        return replace(table, phase="closed", round=round_)
    return replace(
        table,
        phase="dealing",
        queue=event.draws,
        opening_burn=False,
        dealer_burns=0,
        was_vacant=False,
        round=round_,
        forgot_burn=False,
    )


def _war_offered(table: Table, event: e.WarOffered) -> Table:
    asked = (*table.round.asked, (event.box, event.player))
    return replace(table, phase="deciding", round=replace(table.round, asked=asked))


def _war_declared(table: Table, event: e.WarDeclared) -> Table:
    round_ = table.round
    wager = Wager(event.amount, event.amount, match=event.match)
    round_ = replace(
        round_,
        wagers={**round_.wagers, (event.box, "war", event.player): wager},
        asked=_without_answer(round_.asked, event.box, event.player),
        at_war=round_.at_war | {event.box},
    )
    left = None if table.bank is None else table.bank.left - event.match
    table = _bank_chips(_stake_chips(table, event.player, event.amount), -event.match, left)
    return replace(
        table,
        phase=table.phase if round_.asked else "dealing",
        escrow=table.escrow + event.match,
        round=round_,
    )


def _without_answer(asked: tuple[tuple[int, str], ...], box: int, player: str) -> tuple[tuple[int, str], ...]:
    return tuple(one for one in asked if one != (box, player))


def _decisions_closed(table: Table, event: e.DecisionsClosed) -> Table:
    return replace(table, phase="war_betting")


def _wagers_settled(table: Table, events: Iterable[e.WagerSettled]) -> Table:
    round_, phase, escrow = table.round, table.phase, table.escrow
    wagers, players, asked = {**round_.wagers}, {**table.players}, round_.asked
    gain, left = 0, None
    is_war_left = False
    for event in events:
        box, player, outcome, paid, returned = event.box, event.player, event.outcome, event.paid, event.returned
        spot = (box, event.wager, player)
        laid = wagers[spot]
        wagers[spot] = Wager(
            laid.placed,
            laid.amount,
            laid.match,
            outcome,
            event.odds,
            paid,
            returned,
            event.clauses,
            event.items,
            laid.coupon,
        )
        if laid.outcome is None:
            stake, back = laid.amount + laid.match, paid + returned
        else:
            stake, back = 0, -event.taken_back
        players[player] += back
        gain += stake - back
        escrow -= stake
        if event.bank_left is not None:
            left = event.bank_left
        if outcome == "surrender" or (outcome == "returned" and phase == "deciding"):
            asked = _without_answer(asked, box, player)
            phase = phase if asked else "dealing"
        is_war_left = is_war_left or (outcome == "returned" and event.wager == "war")
    round_ = replace(round_, wagers=wagers, asked=asked)
    if round_.is_over and round_.banker is not None:
        players[round_.banker] += gain
        gain = 0
    if table.bank is None:
        house = table.house + gain
        after = replace(table, phase=phase, players=players, house=house, escrow=escrow, round=round_, last=None)
    else:
        banked = _bank_chips(table, gain, left)
        after = replace(banked, phase=phase, players=players, escrow=escrow, round=round_, last=None)
    return leave_round(after, replace(round_, at_war=wars(wagers, round_.at_war))) if is_war_left else after


def _bank_chips(table: Table, gain: int, left: int | None) -> Table:
    """Move chips to or from the bank: the player who banks, or else the float."""
    bank = table.bank
    if bank is None:
        return replace(table, house=table.house + gain)
    return replace(table, bank=replace(bank, chips=bank.chips + gain, left=bank.left if left is None else left))


def _wager_reversed(table: Table, event: e.WagerReversed) -> Table:
    spot = (event.box, event.wager, event.player)
    wager = table.round.wagers[spot]
    void = Wager(wager.placed, wager.amount, 0, "void", None, 0, wager.amount, event.clauses, (), wager.coupon)
    banker = table.round.banker if table.round.is_over else None
    escrow, due = table.escrow, wager.amount
    if wager.outcome is None:
        escrow -= wager.amount + wager.match
        table = _bank_chips(table, wager.match, event.bank_left)
    else:
        due = wager.amount - wager.paid - wager.returned
        table = _bank_chips(table, -due, event.bank_left) if banker is None else table
    players = {**table.players, event.player: table.players[event.player] + due}
    if banker is not None:
        players[banker] -= due
    round_ = replace(table.round, wagers={**table.round.wagers, spot: void})
    return replace(table, players=players, escrow=escrow, round=round_)


def _left_when_freed(table: Table, amount: int) -> int | None:
    """What a player's bank can pay out once this much of it is free again; none where the house banks."""
    return None if table.bank is None else table.bank.left + amount


def _limits_advised(table: Table, event: e.LimitsAdvised) -> Table:
    return replace(table, reminded=table.reminded | {event.player})


def _wager_found(table: Table, event: e.WagerFound) -> Table:
    spot = (event.box, event.wager, event.player)
    laid = replace(table.round.wagers[spot], placed=event.amount, amount=event.amount)
    wagers = {**table.round.wagers, spot: laid}
    return replace(
        _stake_chips(table, event.player, event.amount - event.noted), round=replace(table.round, wagers=wagers)
    )


def _decision_reopened(table: Table, event: e.DecisionReopened) -> Table:
    round_ = table.round
    match = round_.wagers[event.box, "war", event.player].match
    wagers = {where: w for where, w in round_.wagers.items() if where != (event.box, "war", event.player)}
    round_ = replace(
        round_,
        wagers=wagers,
        asked=(*round_.asked, (event.box, event.player)),
        at_war=wars(wagers, round_.at_war),
    )
    table = _bank_chips(_stake_chips(table, event.player, -event.amount), match, _left_when_freed(table, match))
    return replace(table, phase="deciding", escrow=table.escrow - match, round=round_)


def wars(wagers: dict[Spot, Wager], boxes: frozenset[int]) -> frozenset[int]:
    """Those of the boxes on which an open war wager lies."""
    at_war = {box for (box, wager, _), laid in wagers.items() if wager == "war" and laid.outcome is None}
    return boxes & at_war


def leave_round(table: Table, round_: Round) -> Table:
    """Hands that are out of the round are dealt no further card, and a war that is left by everybody is over."""
    is_war_over = bool(table.round.at_war) and not round_.at_war
    out = table.round.at_war - round_.at_war | (set(table.round.boxes) - set(round_.boxes))
    queue = () if is_war_over or not round_.boxes else tuple(draw for draw in table.queue if draw not in out)
    phase: Phase = table.phase
    if (phase == "deciding" and not round_.asked) or (phase == "war_betting" and not round_.at_war):
        phase = "dealing"
    if phase == "closed" and not round_.boxes:
        phase = "dealing"
    return replace(table, phase=phase, queue=queue, round=round_, last=None)


CHANGES: Changes = {
    e.WagerPlaced: _wager_placed,
    e.WagerAmended: _wager_amended,
    e.WagerWithdrawn: _wager_withdrawn,
    e.WagerLimited: _wager_limited,
    e.LimitsAdvised: _limits_advised,
    e.BettingClosed: _betting_closed,
    e.WarOffered: _war_offered,
    e.WarDeclared: _war_declared,
    e.DecisionsClosed: _decisions_closed,
    e.WagerReversed: _wager_reversed,
    e.MatchLimited: _match_limited,
    e.WagerFound: _wager_found,
    e.DecisionReopened: _decision_reopened,
}

RUNS: Changes = {e.WagerSettled: _wagers_settled}
