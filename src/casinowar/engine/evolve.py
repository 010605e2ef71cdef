"""Evolve: what each event does to the table. It takes only what `decide` can produce and raises on anything else.

Events are looked up by type rather than matched one after the other: this is the innermost loop of every simulation
and replay, and `bench/engine.py` shows the difference.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.state import NOWHERE, Bank, BankTurn, Round, Table, Wager


def evolve(table: Table, event: e.Event) -> Table:
    """The table after the event."""
    try:
        change = _CHANGES[type(event)]
    except KeyError:
        raise TypeError(f"no such event: {event!r}") from None
    return change(table, event)


def _card_dealt(table: Table, event: e.CardDealt) -> Table:
    round_ = table.round
    box = event.box
    hand = round_.hands.get(box)
    hands = {**round_.hands, box: (event.card,) if hand is None else (*hand, event.card)}
    return replace(
        table,
        shoe_left=table.shoe_left - 1,
        cut_in=None if table.cut_in is None else table.cut_in - 1,
        queue=table.queue[1:],
        round=replace(round_, hands=hands),
        held=None,
    )


def _card_burned(table: Table, event: e.CardBurned) -> Table:
    more: list[e.Draw] = ["opening_value"] * event.more
    place = e.DEALER if event.beside_dealer else NOWHERE
    return replace(_drawn(table, place, event.card), queue=(*more, *table.queue[1:]))


def _card_discarded(table: Table, event: e.CardDiscarded) -> Table:
    return _drawn(table, NOWHERE, event.card)


def _drawn(table: Table, place: int, card: Card | None) -> Table:
    """One card out of the shoe and into the rack."""
    cut_in = None if table.cut_in is None else table.cut_in - 1
    rack = (*table.rack, (place, (card,)))
    return replace(table, shoe_left=table.shoe_left - 1, cut_in=cut_in, rack=rack, held=None)


def _card_held(table: Table, event: e.CardHeld) -> Table:
    return replace(table, held=event.card)


def _cut_card_drawn(table: Table, event: e.CutCardDrawn) -> Table:
    shuffle = "cut_card" if event.shuffle != "none" else table.shuffle
    phase = "betting" if event.shuffle == "now" else table.phase
    return replace(table, cut_in=None, cut_card_at=event.box, shuffle=shuffle, phase=phase)


def _wager_placed(table: Table, event: e.WagerPlaced) -> Table:
    round_ = table.round
    player, amount = event.player, event.amount
    if round_.is_over:
        laid = Wager(amount, amount, coupon=event.coupon)
        round_ = Round(round_.number + 1, {(event.box, event.wager, player): laid})
    else:
        spot = (event.box, event.wager, player)
        before = round_.wagers.get(spot)
        total = amount if before is None else before.amount + amount
        coupon = event.coupon if before is None else before.coupon + event.coupon
        round_ = replace(round_, wagers={**round_.wagers, spot: Wager(total, total, coupon=coupon)})
    return replace(
        table,
        players={**table.players, player: table.players[player] - amount},
        escrow=table.escrow + amount,
        round=round_,
    )


def _wager_amended(table: Table, event: e.WagerAmended) -> Table:
    spot = (event.box, event.wager, event.player)
    more = event.amount - table.round.wagers[spot].amount
    wagers = {**table.round.wagers, spot: Wager(event.amount, event.amount)}
    return replace(_staked(table, event.player, more), round=replace(table.round, wagers=wagers))


def _wager_withdrawn(table: Table, event: e.WagerWithdrawn) -> Table:
    spot = (event.box, event.wager, event.player)
    wagers = {where: wager for where, wager in table.round.wagers.items() if where != spot}
    return replace(_staked(table, event.player, -event.amount), round=replace(table.round, wagers=wagers))


def _wager_limited(table: Table, event: e.WagerLimited) -> Table:
    spot = (event.box, event.wager, event.player)
    wager = replace(table.round.wagers[spot], amount=event.amount)
    table = _staked(table, event.player, event.amount - event.placed)
    return replace(table, round=replace(table.round, wagers={**table.round.wagers, spot: wager}))


def _staked(table: Table, player: str, amount: int) -> Table:
    players = {**table.players, player: table.players[player] - amount}
    return replace(table, players=players, escrow=table.escrow + amount)


def _betting_closed(table: Table, event: e.BettingClosed) -> Table:
    round_ = replace(table.round, boxes=event.boxes, bettors=event.bettors)
    return replace(table, phase="closed", round=round_)


def _deal_started(table: Table, event: e.DealStarted) -> Table:
    if table.round.hands:
        return replace(table, phase="dealing", queue=event.draws)
    return replace(table, phase="dealing", queue=event.draws, opening_burn=False, dealer_burns=0, was_vacant=False)


def _war_offered(table: Table, event: e.WarOffered) -> Table:
    asked = (*table.round.asked, (event.box, event.player))
    return replace(table, phase="deciding", round=replace(table.round, asked=asked))


def _war_declared(table: Table, event: e.WarDeclared) -> Table:
    round_ = table.round
    wager = Wager(event.amount, event.amount, match=event.match)
    round_ = replace(
        round_,
        wagers={**round_.wagers, (event.box, "war", event.player): wager},
        asked=_answered(round_, event.box, event.player),
        at_war=round_.at_war | {event.box},
    )
    left = None if table.bank is None else table.bank.left - event.match
    table = _banked(_staked(table, event.player, event.amount), -event.match, left)
    return replace(
        table,
        phase=table.phase if round_.asked else "dealing",
        escrow=table.escrow + event.match,
        round=round_,
    )


def _answered(round_: Round, box: int, player: str) -> tuple[tuple[int, str], ...]:
    return tuple(one for one in round_.asked if one != (box, player))


def _decisions_closed(table: Table, event: e.DecisionsClosed) -> Table:
    return replace(table, phase="war_betting")


def _wager_settled(table: Table, event: e.WagerSettled) -> Table:
    round_ = table.round
    player, paid, returned = event.player, event.paid, event.returned
    spot = (event.box, event.wager, player)
    wager = round_.wagers[spot]
    settled = Wager(wager.placed, wager.amount, wager.match, event.outcome, event.odds, paid, returned, event.clauses)
    back = paid + returned
    stake = wager.amount + wager.match
    phase = table.phase
    if event.outcome == "surrender" or (event.outcome == "returned" and phase == "deciding"):
        asked = _answered(round_, event.box, player)
        round_ = replace(round_, wagers={**round_.wagers, spot: settled}, asked=asked)
        phase = phase if asked else "dealing"
    else:
        round_ = replace(round_, wagers={**round_.wagers, spot: settled})
    if table.bank is not None:
        table = _banked(table, stake - back, event.bank_left)
    else:
        table = replace(table, house=table.house + stake - back)
    return replace(
        table,
        phase=phase,
        players={**table.players, player: table.players[player] + back},
        escrow=table.escrow - stake,
        round=round_,
    )


def _banked(table: Table, gain: int, left: int | None) -> Table:
    """Chips to or from whoever banks: a player where there is one, else the float."""
    bank = table.bank
    if bank is None:
        return replace(table, house=table.house + gain)
    return replace(table, bank=replace(bank, chips=bank.chips + gain, left=bank.left if left is None else left))


def _wager_reversed(table: Table, event: e.WagerReversed) -> Table:
    spot = (event.box, event.wager, event.player)
    wager = table.round.wagers[spot]
    void = replace(wager, outcome="void", odds=None, paid=0, returned=wager.amount, match=0, clauses=event.clauses)
    escrow, due = table.escrow, wager.amount
    if wager.outcome is None:
        escrow -= wager.amount + wager.match
        table = _banked(table, wager.match, None)
    else:
        due = wager.amount - wager.paid - wager.returned
        table = _banked(table, -due, None)
    players = {**table.players, event.player: table.players[event.player] + due}
    round_ = replace(table.round, wagers={**table.round.wagers, spot: void})
    return replace(table, players=players, escrow=escrow, round=round_)


def _cards_collected(table: Table, event: e.CardsCollected) -> Table:
    collected = table.round.collected | {box for box, _ in event.hands}
    return replace(table, rack=table.rack + event.hands, round=replace(table.round, collected=collected))


def _round_ended(table: Table, event: e.RoundEnded) -> Table:
    round_ = replace(table.round, is_over=True)
    return replace(table, phase="betting", queue=(), round=round_, rack=table.rack + event.hands)


def _round_cancelled(table: Table, event: e.RoundInvalidated | e.RoundVoided) -> Table:
    round_ = replace(table.round, asked=(), is_over=True)
    return replace(table, phase="betting", queue=(), round=round_)


def _bank_accepted(table: Table, event: e.BankAccepted) -> Table:
    players = {**table.players, event.player: table.players[event.player] - event.stake}
    bank = Bank(event.player, event.box, event.stake, event.stake, event.stake)
    return replace(table, players=players, bank=bank, bank_declined=frozenset())


def _bank_declined(table: Table, event: e.BankDeclined) -> Table:
    return replace(table, bank_declined=table.bank_declined | {event.player})


def _bank_relinquished(table: Table, event: e.BankRelinquished) -> Table:
    players = table.players
    if table.bank is not None:
        players = {**players, event.player: players[event.player] + table.bank.chips}
    declined = table.bank_declined | {event.player}
    return replace(table, players=players, bank=None, bank_declined=declined)


def _bank_returned(table: Table, event: e.BankReturned) -> Table:
    bank, turn = table.bank, table.bank_turn
    assert bank is not None
    players = {**table.players, event.player: table.players[event.player] + event.amount}
    if not event.counted:
        return replace(table, players=players, bank=None)
    rounds = turn.rounds + 1 if turn is not None and turn.player == event.player else 1
    return replace(table, players=players, bank=None, bank_turn=BankTurn(event.player, bank.box, rounds))


def _match_limited(table: Table, event: e.MatchLimited) -> Table:
    spot = (event.box, "initial", event.player)
    wager = replace(table.round.wagers[spot], amount=event.amount)
    table = _staked(table, event.player, event.amount - event.placed)
    return replace(table, round=replace(table.round, wagers={**table.round.wagers, spot: wager}))


def _meter_fed(table: Table, event: e.MeterFed) -> Table:
    return replace(table, meter=table.meter + event.amount)


def _meter_paid(table: Table, event: e.MeterPaid) -> Table:
    return replace(table, meter=event.seed)


def _face_up_found(table: Table, event: e.FaceUpFound) -> Table:
    round_ = replace(table.round, face_up=table.round.face_up + 1)
    return replace(table, face_up=table.face_up + 1, round=round_)


def _shoe_loaded(table: Table, event: e.ShoeLoaded) -> Table:
    return replace(
        table,
        shoe_left=event.cards,
        cut_in=event.cut_card,
        opening_burn=event.opening_burn,
        queue=event.draws + table.queue,
        shuffle=event.shuffle,
        cut_made=False,
        cut_declined=(),
        cut_card_at=None,
        marker=None,
        held=None,
        batch=event.batch,
        face_up=0,
        rack=(),
    )


def _burn_skipped(table: Table, event: e.BurnSkipped) -> Table:
    return replace(table, queue=tuple(draw for draw in table.queue if draw != event.burn))


def _cut_made(table: Table, event: e.CutMade) -> Table:
    return replace(table, cut_made=True)


def _marker_placed(table: Table, event: e.MarkerPlaced) -> Table:
    return replace(table, marker=event.from_back)


def _cut_declined(table: Table, event: e.CutDeclined) -> Table:
    return replace(table, cut_declined=(*table.cut_declined, event.player))


def _shuffle_ordered(table: Table, event: e.ShuffleOrdered) -> Table:
    return replace(table, shuffle=event.reason, cut_card_at=None)


def _cards_replaced(table: Table, event: e.CardsReplaced) -> Table:
    return table if event.cards else replace(table, shuffle="replacement", cut_card_at=None)


def _dealer_changed(table: Table, event: e.DealerChanged) -> Table:
    return replace(table, dealer=event.dealer, dealer_burns=table.dealer_burns + event.burns)


def _table_opened(table: Table, event: e.TableOpened) -> Table:
    return replace(table, limit=event.limit, limits=event.limits, meter=event.meter)


def _table_resumed(table: Table, event: e.TableResumed) -> Table:
    return replace(
        table,
        round=Round(event.rounds, is_over=True),
        shoe_left=event.shoe_left,
        cut_in=event.cut_in,
        shuffle=event.shuffle,
        dealer_burns=event.dealer_burns,
        seats=event.seats,
        arrivals=tuple(event.seats.values()),
        was_vacant=not event.seats,
        reminded=frozenset(event.reminded),
        bank_turn=None if event.bank_turn is None else BankTurn(*event.bank_turn),
    )


def _bought_in(table: Table, event: e.BoughtIn) -> Table:
    players = {**table.players, event.player: table.players.get(event.player, 0) + event.amount}
    return replace(table, players=players, bought_in=table.bought_in + event.amount)


def _player_seated(table: Table, event: e.PlayerSeated) -> Table:
    seats = {box: player for box, player in table.seats.items() if box not in event.leaves}
    arrivals = table.arrivals if event.player in table.arrivals else (*table.arrivals, event.player)
    return replace(table, seats={**seats, event.box: event.player}, arrivals=arrivals)


def _seat_vacated(table: Table, event: e.SeatVacated) -> Table:
    seats = {box: player for box, player in table.seats.items() if player != event.player}
    arrivals = tuple(player for player in table.arrivals if player != event.player)
    return replace(table, seats=seats, arrivals=arrivals, was_vacant=table.was_vacant or not seats)


def _multi_box_granted(table: Table, event: e.MultiBoxGranted) -> Table:
    return replace(table, grants={**table.grants, event.player: event.boxes})


def _multi_box_revoked(table: Table, event: e.MultiBoxRevoked) -> Table:
    return replace(table, grants={player: boxes for player, boxes in table.grants.items() if player != event.player})


def _limits_advised(table: Table, event: e.LimitsAdvised) -> Table:
    return replace(table, reminded=table.reminded | {event.player})


def _noted(table: Table, event: e.Event) -> Table:
    """Said for the log; the table stands as before."""
    return table


_CHANGES: dict[type, Callable[[Table, Any], Table]] = {
    e.TableOpened: _table_opened,
    e.TableResumed: _table_resumed,
    e.PlayerEdgeNoted: _noted,
    e.LimitsOffUnitNoted: _noted,
    e.BoughtIn: _bought_in,
    e.PlayerSeated: _player_seated,
    e.SeatVacated: _seat_vacated,
    e.MultiBoxGranted: _multi_box_granted,
    e.MultiBoxRevoked: _multi_box_revoked,
    e.WagerPlaced: _wager_placed,
    e.WagerAmended: _wager_amended,
    e.WagerWithdrawn: _wager_withdrawn,
    e.WagerLimited: _wager_limited,
    e.LimitsAdvised: _limits_advised,
    e.BettingCalled: _noted,
    e.BettingClosed: _betting_closed,
    e.DealStarted: _deal_started,
    e.CardDealt: _card_dealt,
    e.CardBurned: _card_burned,
    e.CardDiscarded: _card_discarded,
    e.CardHeld: _card_held,
    e.CutCardDrawn: _cut_card_drawn,
    e.WarOffered: _war_offered,
    e.SurrenderRuled: _noted,
    e.WarDeclared: _war_declared,
    e.DecisionsClosed: _decisions_closed,
    e.WagerSettled: _wager_settled,
    e.WagerReversed: _wager_reversed,
    e.CardsCollected: _cards_collected,
    e.RoundEnded: _round_ended,
    e.RoundInvalidated: _round_cancelled,
    e.RoundVoided: _round_cancelled,
    e.BankAccepted: _bank_accepted,
    e.BankDeclined: _bank_declined,
    e.BankRelinquished: _bank_relinquished,
    e.BankReturned: _bank_returned,
    e.MatchLimited: _match_limited,
    e.MeterFed: _meter_fed,
    e.MeterPaid: _meter_paid,
    e.FaceUpFound: _face_up_found,
    e.CutMade: _cut_made,
    e.CutDeclined: _cut_declined,
    e.MarkerPlaced: _marker_placed,
    e.ShoeLoaded: _shoe_loaded,
    e.BurnSkipped: _burn_skipped,
    e.ShuffleOrdered: _shuffle_ordered,
    e.CardsReplaced: _cards_replaced,
    e.DealerChanged: _dealer_changed,
}
