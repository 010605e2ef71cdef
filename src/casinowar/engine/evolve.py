"""Evolve: what each event does to the table. It takes only what `decide` can produce and raises on anything else."""

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.state import NOWHERE, Round, Spot, Table, Wager


def evolve(table: Table, event: e.Event) -> Table:
    """The table after the event. The most frequent events come first."""
    match event:
        case e.CardDealt():
            return _card_dealt(table, event)
        case e.WagerSettled():
            return _wager_settled(table, event)
        case e.WagerPlaced():
            return _wager_placed(table, event)
        case e.BettingClosed():
            round_ = replace(table.round, boxes=event.boxes, bettors=event.bettors)
            return replace(table, phase="closed", round=round_)
        case e.DealStarted():
            return replace(table, phase="dealing", queue=event.draws, opening_burn=False, dealer_burns=0)
        case e.RoundEnded():
            round_ = replace(table.round, is_over=True)
            return replace(table, phase="betting", queue=(), round=round_, rack=table.rack + event.hands)
        case _:
            return _evolve_choice(table, event)


def _evolve_choice(table: Table, event: e.Event) -> Table:
    match event:
        case e.CardBurned():
            return _card_burned(table, event)
        case e.WarOffered():
            asked = (*table.round.asked, (event.box, event.player))
            return replace(table, phase="deciding", round=replace(table.round, asked=asked))
        case e.WarDeclared():
            return _war_declared(table, event)
        case e.DecisionsClosed():
            return replace(table, phase="war_betting")
        case e.CardsCollected():
            collected = table.round.collected | {box for box, _ in event.hands}
            round_ = replace(table.round, collected=collected)
            return replace(table, rack=table.rack + event.hands, round=round_)
        case e.WagerAmended():
            return _wager_amended(table, event)
        case e.WagerWithdrawn():
            return _wager_withdrawn(table, event)
        case e.WagerLimited():
            return _wager_limited(table, event)
        case e.WagerReversed():
            return _wager_reversed(table, event)
        case e.RoundInvalidated():
            round_ = replace(table.round, asked=(), is_over=True)
            return replace(table, phase="betting", queue=(), round=round_)
        case _:
            return _evolve_shoe(table, event)


def _evolve_shoe(table: Table, event: e.Event) -> Table:
    match event:
        case e.CutCardDrawn():
            shuffle = "cut_card" if event.shuffle != "none" else table.shuffle
            phase = "betting" if event.shuffle == "now" else table.phase
            return replace(table, cut_in=None, cut_card_at=event.box, shuffle=shuffle, phase=phase)
        case e.CardDiscarded():
            return _drawn(table, NOWHERE, event.card)
        case e.CardHeld():
            return replace(table, held=event.card)
        case e.ShoeLoaded():
            return replace(
                table,
                shoe_left=event.cards,
                cut_in=event.cut_card,
                opening_burn=event.opening_burn,
                queue=event.draws + table.queue,
                shuffle=None,
                was_vacant=False,
                cut_made=False,
                cut_declined=(),
                cut_card_at=None,
                rack=(),
            )
        case e.BurnSkipped():
            return replace(table, queue=tuple(draw for draw in table.queue if draw != event.burn))
        case e.CutMade():
            return replace(table, cut_made=True)
        case e.CutDeclined():
            return replace(table, cut_declined=(*table.cut_declined, event.player))
        case e.ShuffleOrdered():
            return replace(table, shuffle=event.reason, cut_card_at=None)
        case e.CardsReplaced():
            return table if event.cards else replace(table, shuffle="replacement", cut_card_at=None)
        case e.DealerChanged():
            return replace(table, dealer=event.dealer, dealer_burns=table.dealer_burns + event.burns)
        case _:
            return _evolve_table(table, event)


def _evolve_table(table: Table, event: e.Event) -> Table:
    match event:
        case e.TableOpened():
            return replace(table, limit=event.limit, limits=event.limits)
        case e.TableResumed():
            return replace(
                table,
                round=Round(event.rounds, is_over=True),
                shoe_left=event.shoe_left,
                cut_in=event.cut_in,
                shuffle=event.shuffle,
                dealer_burns=event.dealer_burns,
                seats=event.seats,
                was_vacant=not event.seats,
                reminded=frozenset(event.reminded),
            )
        case e.BoughtIn():
            players = {**table.players, event.player: table.players.get(event.player, 0) + event.amount}
            return replace(table, players=players, bought_in=table.bought_in + event.amount)
        case e.PlayerSeated():
            seats = {box: player for box, player in table.seats.items() if box not in event.leaves}
            return replace(table, seats={**seats, event.box: event.player})
        case e.SeatVacated():
            seats = {box: player for box, player in table.seats.items() if player != event.player}
            return replace(table, seats=seats, was_vacant=table.was_vacant or not seats)
        case e.MultiBoxGranted():
            return replace(table, grants={**table.grants, event.player: event.boxes})
        case e.MultiBoxRevoked():
            return replace(table, grants={who: n for who, n in table.grants.items() if who != event.player})
        case e.LimitsAdvised():
            return replace(table, reminded=table.reminded | {event.player})
        case e.PlayerEdgeNoted() | e.LimitsOffUnitNoted() | e.BettingCalled():
            return table
        case _:
            raise TypeError(f"no such event: {event!r}")


def _drawn(table: Table, place: int, card: Card | None) -> Table:
    """One card out of the shoe and into the rack."""
    cut_in = None if table.cut_in is None else table.cut_in - 1
    rack = (*table.rack, (place, (card,)))
    return replace(table, shoe_left=table.shoe_left - 1, cut_in=cut_in, rack=rack, held=None)


def _card_dealt(table: Table, event: e.CardDealt) -> Table:
    round_ = table.round
    hands = {**round_.hands, event.box: (*round_.hands.get(event.box, ()), event.card)}
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


def _wager_placed(table: Table, event: e.WagerPlaced) -> Table:
    round_ = table.round
    if round_.is_over:
        round_ = Round(round_.number + 1)
    spot = (event.box, event.wager, event.player)
    before = round_.wagers.get(spot)
    amount = event.amount if before is None else before.amount + event.amount
    return replace(
        table,
        players={**table.players, event.player: table.players[event.player] - event.amount},
        escrow=table.escrow + event.amount,
        round=replace(round_, wagers={**round_.wagers, spot: Wager(amount, amount)}),
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


def _war_declared(table: Table, event: e.WarDeclared) -> Table:
    round_ = table.round
    wager = Wager(event.amount, event.amount, match=event.match)
    round_ = replace(
        round_,
        wagers={**round_.wagers, (event.box, "war", event.player): wager},
        asked=_answered(round_, event.box, event.player),
        at_war=round_.at_war | {event.box},
    )
    table = _staked(table, event.player, event.amount)
    return replace(
        table,
        phase=table.phase if round_.asked else "dealing",
        house=table.house - event.match,
        escrow=table.escrow + event.match,
        round=round_,
    )


def _answered(round_: Round, box: int, player: str) -> tuple[tuple[int, str], ...]:
    return tuple(one for one in round_.asked if one != (box, player))


def _wager_settled(table: Table, event: e.WagerSettled) -> Table:
    round_ = table.round
    spot: Spot = (event.box, event.wager, event.player)
    wager = round_.wagers[spot]
    settled = Wager(
        wager.placed, wager.amount, wager.match, event.outcome, event.odds, event.paid, event.returned, event.clauses
    )
    back = event.paid + event.returned
    stake = wager.amount + wager.match
    phase = table.phase
    if event.outcome == "surrender":
        asked = _answered(round_, event.box, event.player)
        round_ = replace(round_, wagers={**round_.wagers, spot: settled}, asked=asked)
        phase = phase if asked else "dealing"
    else:
        round_ = replace(round_, wagers={**round_.wagers, spot: settled})
    return replace(
        table,
        phase=phase,
        players={**table.players, event.player: table.players[event.player] + back},
        house=table.house + stake - back,
        escrow=table.escrow - stake,
        round=round_,
    )


def _wager_reversed(table: Table, event: e.WagerReversed) -> Table:
    spot = (event.box, event.wager, event.player)
    wager = table.round.wagers[spot]
    void = replace(wager, outcome="void", odds=None, paid=0, returned=wager.amount, match=0, clauses=event.clauses)
    house, escrow, due = table.house, table.escrow, wager.amount
    if wager.outcome is None:
        house, escrow = house + wager.match, escrow - wager.amount - wager.match
    else:
        due = wager.amount - wager.paid - wager.returned
        house -= due
    players = {**table.players, event.player: table.players[event.player] + due}
    round_ = replace(table.round, wagers={**table.round.wagers, spot: void})
    return replace(table, players=players, house=house, escrow=escrow, round=round_)
