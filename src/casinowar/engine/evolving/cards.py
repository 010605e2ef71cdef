"""What events of the cards do to the table."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.state import NOWHERE, Table


def _deal_started(table: Table, event: e.DealStarted) -> Table:
    if table.round.hands:
        return replace(table, phase="dealing", queue=event.draws)
    return replace(table, phase="dealing", queue=event.draws, opening_burn=False, dealer_burns=0, was_vacant=False)


def _card_dealt(table: Table, event: e.CardDealt) -> Table:
    return _cards_dealt(table, (event,))


def _cards_dealt(table: Table, events: Iterable[e.CardDealt]) -> Table:
    round_ = table.round
    hands = {**round_.hands}
    count = 0
    for event in events:
        hand = hands.get(event.box)
        hands[event.box] = (event.card,) if hand is None else (*hand, event.card)
        count += 1
    return replace(
        table,
        shoe_left=table.shoe_left - count,
        cut_in=None if table.cut_in is None else table.cut_in - count,
        queue=table.queue[count:],
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


def _face_up_found(table: Table, event: e.FaceUpFound) -> Table:
    round_ = replace(table.round, face_up=table.round.face_up + 1)
    return replace(table, face_up=table.face_up + 1, round=round_)


def _cut_card_drawn(table: Table, event: e.CutCardDrawn) -> Table:
    shuffle = "cut_card" if event.shuffle != "none" else table.shuffle
    table = replace(table, cut_in=None, cut_card_at=event.box, shuffle=shuffle)
    if event.shuffle != "now":
        return table
    return replace(table, phase="betting", queue=(), round=replace(table.round, boxes=(), bettors={}))


def _cards_collected(table: Table, event: e.CardsCollected) -> Table:
    collected = table.round.collected | {box for box, _ in event.hands}
    return replace(table, rack=table.rack + event.hands, round=replace(table.round, collected=collected))


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


CHANGES: dict[type, Callable[[Table, Any], Table]] = {
    e.DealStarted: _deal_started,
    e.CardDealt: _card_dealt,
    e.CardBurned: _card_burned,
    e.CardDiscarded: _card_discarded,
    e.CardHeld: _card_held,
    e.CutCardDrawn: _cut_card_drawn,
    e.CardsCollected: _cards_collected,
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

RUNS: dict[type, Callable[[Table, Any], Table]] = {e.CardDealt: _cards_dealt}
