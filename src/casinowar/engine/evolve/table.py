"""What events of seats, chips, the bank, the meter and the round's end do to the table."""

from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.engine.state import Bank, BankTurn, Changes, Round, Table


def _round_ended(table: Table, event: e.RoundEnded) -> Table:
    round_ = replace(table.round, is_over=True)
    patrons = _patrons(table)
    return replace(table, phase="betting", queue=(), round=round_, rack=table.rack + event.hands, patrons=patrons)


def _patrons(table: Table) -> frozenset[str]:
    """Who had chips on the layout in the round, and has some left; who is excluded plays here no more."""
    bettors = {player for _, _, player in table.round.wagers}
    return frozenset(player for player in bettors - table.floor.excluded if table.players[player])


def _round_cancelled(table: Table, event: e.RoundInvalidated | e.RoundVoided) -> Table:
    """Burns that the dealer had not come to are still owed."""
    round_ = replace(table.round, asked=(), is_over=True)
    patrons = table.patrons if table.round.is_over else _patrons(table)
    turn = table.bank_turn
    if table.round.is_over and table.round.banker and turn is not None:
        turn = replace(turn, rounds=turn.rounds - 1)
    burns = table.dealer_burns + table.queue.count("new_dealer")
    opening = table.opening_burn or "opening" in table.queue
    return replace(
        table,
        phase="betting",
        queue=(),
        round=round_,
        patrons=patrons,
        bank_turn=turn,
        dealer_burns=burns,
        opening_burn=opening,
        incident=None,
        last=None,
        forgot_burn=False,
    )


def _bank_accepted(table: Table, event: e.BankAccepted) -> Table:
    players = {**table.players, event.player: table.players[event.player] - event.stake}
    bank = Bank(event.player, event.box, event.stake, event.stake, event.stake)
    return replace(table, players=players, bank=bank, bank_declined=frozenset())


def _bank_declined(table: Table, event: e.BankDeclined) -> Table:
    """Who declines a second time has had the offer come round again."""
    again = event.player in table.bank_declined
    return replace(table, bank_declined=frozenset({event.player}) if again else table.bank_declined | {event.player})


def _bank_relinquished(table: Table, event: e.BankRelinquished) -> Table:
    players = table.players
    if table.bank is not None:
        players = {**players, event.player: players[event.player] + table.bank.chips}
    return replace(table, players=players, bank=None, bank_declined=table.bank_declined | {event.player})


def _bank_returned(table: Table, event: e.BankReturned) -> Table:
    bank, turn = table.bank, table.bank_turn
    assert bank is not None
    players = {**table.players, event.player: table.players[event.player] + event.amount}
    if not event.counted:
        return replace(table, players=players, bank=None)
    rounds = turn.rounds + 1 if turn is not None and turn.player == event.player else 1
    return replace(table, players=players, bank=None, bank_turn=BankTurn(event.player, bank.box, rounds))


def _bank_rotated(table: Table, event: e.BankRotated) -> Table:
    return replace(table, bank_declined=table.bank_declined | {event.player})


def _meter_fed(table: Table, event: e.MeterFed) -> Table:
    return replace(table, meter=table.meter + event.amount)


def _meter_paid(table: Table, event: e.MeterPaid) -> Table:
    return replace(table, meter=table.meter - event.amount + event.seed)


def _table_opened(table: Table, event: e.TableOpened) -> Table:
    floor = replace(table.floor, decks=event.decks)
    return replace(table, limit=event.limit, limits=event.limits, meter=event.meter, floor=floor)


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


def carry_chips_away(table: Table, player: str, amount: int) -> Table:
    """The table without chips that a player has cashed; who has none left is no longer there."""
    left = table.players[player] - amount
    patrons = table.patrons if left else table.patrons - {player}
    return replace(table, players={**table.players, player: left}, bought_in=table.bought_in - amount, patrons=patrons)


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


CHANGES: Changes = {
    e.TableOpened: _table_opened,
    e.TableResumed: _table_resumed,
    e.BoughtIn: _bought_in,
    e.PlayerSeated: _player_seated,
    e.SeatVacated: _seat_vacated,
    e.MultiBoxGranted: _multi_box_granted,
    e.MultiBoxRevoked: _multi_box_revoked,
    e.RoundEnded: _round_ended,
    e.RoundInvalidated: _round_cancelled,
    e.RoundVoided: _round_cancelled,
    e.BankAccepted: _bank_accepted,
    e.BankDeclined: _bank_declined,
    e.BankRelinquished: _bank_relinquished,
    e.BankReturned: _bank_returned,
    e.BankRotated: _bank_rotated,
    e.MeterFed: _meter_fed,
    e.MeterPaid: _meter_paid,
}
