"""What events of the cards do to the table."""

from collections.abc import Iterable

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.state import NOWHERE, Changes, Table


def _deal_started(table: Table, event: e.DealStarted) -> Table:
    if table.round.hands:
        round_ = replace(table.round, is_disturbed=False) if table.round.is_disturbed else table.round
        return replace(table, phase="dealing", queue=event.draws, forgot_burn=False, round=round_)
    return replace(
        table,
        phase="dealing",
        queue=event.draws,
        opening_burn=False,
        dealer_burns=0,
        was_vacant=False,
        forgot_burn=False,
    )


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
        last=event.box,
    )


def _card_burned(table: Table, event: e.CardBurned) -> Table:
    more: list[e.Draw] = ["opening_value"] * event.more
    place = e.DEALER if event.beside_dealer else NOWHERE
    last = None if event.card is None else NOWHERE
    queue = (*more, *table.queue[1:])
    if table.phase != "dealing":
        drawn = _draw_to_rack(table, NOWHERE, event.card)
        return replace(drawn, queue=queue, last=last, opening_burn=False, opening_burned=True)
    if event.burn in ("war", "war_banker"):
        table = replace(table, round=replace(table.round, war_burns=table.round.war_burns + 1))
    if event.burn == "opening":
        return replace(_draw_to_rack(table, place, event.card), queue=queue, last=last, opening_burned=True)
    return replace(_draw_to_rack(table, place, event.card), queue=queue, last=last)


def _card_discarded(table: Table, event: e.CardDiscarded) -> Table:
    return replace(_draw_to_rack(table, NOWHERE, event.card), round=replace(table.round, is_disturbed=True))


def _draw_to_rack(table: Table, place: int, card: Card | None) -> Table:
    """Move one card out of the shoe into the rack."""
    cut_in = None if table.cut_in is None else table.cut_in - 1
    rack = (*table.rack, (place, (card,)))
    return replace(table, shoe_left=table.shoe_left - 1, cut_in=cut_in, rack=rack, held=None, last=None)


def _card_held(table: Table, event: e.CardHeld) -> Table:
    return replace(table, held=event.card, last=None)


def _face_up_found(table: Table, event: e.FaceUpFound) -> Table:
    round_ = replace(table.round, face_up=table.round.face_up + 1)
    return replace(table, face_up=table.face_up + 1, round=round_)


def _cut_card_drawn(table: Table, event: e.CutCardDrawn) -> Table:
    shuffle = "cut_card" if event.shuffle != "none" else table.shuffle
    table = replace(table, cut_in=None, cut_card_at=event.box, shuffle=shuffle)
    if event.shuffle != "now":
        return table
    wagers = {where: laid for where, laid in table.round.wagers.items() if laid.outcome is None}
    return replace(table, phase="betting", queue=(), round=replace(table.round, wagers=wagers, boxes=(), bettors={}))


def _cut_card_reached(table: Table, event: e.CutCardReached) -> Table:
    return replace(table, cut_in=0)


def _cards_collected(table: Table, event: e.CardsCollected) -> Table:
    collected = table.round.collected | {box for box, _ in event.hands}
    return replace(table, rack=table.rack + event.hands, round=replace(table.round, collected=collected))


def _shoe_loaded(table: Table, event: e.ShoeLoaded) -> Table:
    return replace(
        table,
        shoe_left=event.cards,
        cut_in=event.cut_card,
        opening_burn=event.opening_burn,
        queue=event.draws + (table.queue if table.phase == "dealing" else ()),
        shuffle=event.shuffle,
        cut_made=False,
        cut_declined=(),
        cut_card_at=table.cut_card_at if event.shuffle == "cut_card" else None,
        marker=None,
        held=None,
        last=None,
        batch=event.batch,
        face_up=0,
        rack=(),
        prepared=(),
        inspected_by="",
        full_shuffle=False,
        opening_burned=False,
        is_short_ruled=False,
        round=replace(table.round, is_reloaded=True) if table.phase == "dealing" else table.round,
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
    return _start_shuffle(table, event.reason)


def _start_shuffle(table: Table, reason: str) -> Table:
    """The stack is made from the beginning. New cards that people have looked at are not looked at again.

    Whose cut it is stays as it was where the shuffle only failed.
    """
    is_new = table.shuffle in NEW and reason != "replacement"
    is_same_shuffle = reason in ("exposed_before_shoe", "shuffler_fault")
    return replace(
        table,
        shuffle=table.shuffle if is_new else reason,
        cut_card_at=table.cut_card_at if is_same_shuffle else None,
        cut_made=False,
        cut_declined=(),
        marker=None,
        prepared=tuple(step for step in table.prepared if is_new and step in LOOKED_AT),
    )


NEW = ("start", "replacement")
"""Why cards are shuffled that are new to the table."""

LOOKED_AT = ("inspect", "verify", "spread", "spread_2")


def _cards_replaced(table: Table, event: e.CardsReplaced) -> Table:
    if event.damaged:
        return replace(table, damaged=())
    return table if event.cards else _start_shuffle(table, "replacement")


def _dealer_changed(table: Table, event: e.DealerChanged) -> Table:
    return replace(table, dealer=event.dealer, dealer_burns=table.dealer_burns + event.burns)


CHANGES: Changes = {
    e.DealStarted: _deal_started,
    e.CardBurned: _card_burned,
    e.CardDiscarded: _card_discarded,
    e.CardHeld: _card_held,
    e.CutCardDrawn: _cut_card_drawn,
    e.CutCardReached: _cut_card_reached,
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

RUNS: Changes = {e.CardDealt: _cards_dealt}
