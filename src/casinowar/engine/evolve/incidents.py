"""What events of irregularities do to the table."""

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.evolve.wagers import leave_round, wars
from casinowar.engine.state import NOWHERE, Changes, Incident, Table


def _card_moved(table: Table, event: e.CardMoved) -> Table:
    hands = _without_last(table.round.hands, event.box)
    queue, rack = list(table.queue), table.rack
    if event.to == NOWHERE:
        rack = (*rack, (NOWHERE, (event.card,)))
    else:
        hands[event.to] = (*hands.get(event.to, ()), event.card)
        queue.remove(event.to)
    round_ = replace(table.round, hands=hands, is_misdelivered=True)
    return replace(table, queue=(event.box, *queue), rack=rack, round=round_, last=None)


def _without_last(hands: dict[int, tuple[Card, ...]], box: int) -> dict[int, tuple[Card, ...]]:
    left = {**hands, box: hands[box][:-1]}
    return {at: hand for at, hand in left.items() if hand}


def _card_placed_ahead(table: Table, event: e.CardPlacedAhead) -> Table:
    hands = {**table.round.hands, event.box: (*table.round.hands.get(event.box, ()), event.card)}
    queue = list(table.queue)
    queue.remove(event.box)
    return replace(
        table,
        shoe_left=table.shoe_left - 1,
        cut_in=None if table.cut_in is None else table.cut_in - 1,
        queue=tuple(queue),
        round=replace(table.round, hands=hands, is_disturbed=True),
        held=None,
        last=None,
    )


def _card_corrected(table: Table, event: e.CardCorrected) -> Table:
    if event.box == NOWHERE:
        more: list[e.Draw] = ["opening_value"] * event.more
        queue = tuple(draw for draw in table.queue if draw != "opening_value")
        return replace(table, rack=(*table.rack[:-1], (NOWHERE, (event.card,))), queue=(*more, *queue))
    hand = (*table.round.hands[event.box][:-1], event.card)
    return replace(table, round=replace(table.round, hands={**table.round.hands, event.box: hand}))


def _round_reconstructed(table: Table, event: e.RoundReconstructed) -> Table:
    rack = (*table.rack, *((NOWHERE, (card,)) for card in event.discards))
    return replace(table, queue=event.draws, rack=rack, round=replace(table.round, hands=dict(event.hands)), last=None)


def _cards_returned(table: Table, event: e.CardsReturned) -> Table:
    return replace(
        table,
        phase="war_betting",
        shoe_left=table.shoe_left + event.cards,
        cut_in=None if table.cut_in is None else table.cut_in + event.cards,
        queue=(),
        rack=table.rack[: len(table.rack) - event.burned],
        round=replace(table.round, hands=dict(event.hands), war_burns=0),
        last=None,
    )


def _burn_forgotten(table: Table, event: e.BurnForgotten) -> Table:
    if event.burn is None:
        return replace(table, forgot_burn=True)
    return replace(table, queue=tuple(draw for draw in table.queue if draw != event.burn))


def _cut_card_missed(table: Table, event: e.CutCardMissed) -> Table:
    return replace(table, cut_in=None)


def _damage_found(table: Table, event: e.DamageFound) -> Table:
    return replace(table, damaged=(*table.damaged, event.card))


def _hand_voided(table: Table, event: e.HandVoided) -> Table:
    round_ = table.round
    if table.incident is not None and table.incident.box == event.box:
        table = replace(table, incident=None)
    return leave_round(
        table,
        replace(
            round_,
            boxes=tuple(box for box in round_.boxes if box != event.box),
            bettors={box: who for box, who in round_.bettors.items() if box != event.box},
            asked=tuple(one for one in round_.asked if one[0] != event.box),
            at_war=round_.at_war - {event.box},
        ),
    )


def _player_voided(table: Table, event: e.PlayerVoided) -> Table:
    round_ = table.round
    if table.incident is not None and table.incident.player == event.player:
        table = replace(table, incident=None)
    if round_.is_over:
        return table
    bettors = {box: tuple(who for who in stack if who != event.player) for box, stack in round_.bettors.items()}
    return leave_round(
        table,
        replace(
            round_,
            bettors=bettors,
            asked=tuple(one for one in round_.asked if one[1] != event.player),
            at_war=wars(round_.wagers, round_.at_war),
        ),
    )


def _incident_reported(table: Table, event: e.IncidentReported) -> Table:
    incident = Incident(event.incident, event.box, event.player, event.cards, event.action, event.card)
    return replace(table, incident=incident, last=None)


def _ruling_given(table: Table, event: e.RulingGiven) -> Table:
    return replace(table, incident=None, is_short_ruled=table.is_short_ruled or event.action == "shuffle_discards")


CHANGES: Changes = {
    e.CardMoved: _card_moved,
    e.CardPlacedAhead: _card_placed_ahead,
    e.CardCorrected: _card_corrected,
    e.RoundReconstructed: _round_reconstructed,
    e.CardsReturned: _cards_returned,
    e.BurnForgotten: _burn_forgotten,
    e.CutCardMissed: _cut_card_missed,
    e.DamageFound: _damage_found,
    e.HandVoided: _hand_voided,
    e.PlayerVoided: _player_voided,
    e.IncidentReported: _incident_reported,
    e.RulingGiven: _ruling_given,
}
