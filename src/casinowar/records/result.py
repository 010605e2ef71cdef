"""The result of a replay, version 1, as plain data for JSON."""

from collections import Counter
from typing import Any

import msgspec

from casinowar.engine import events as e
from casinowar.engine.state import Spot, Table, Wager
from casinowar.records.replay import Replay, Told
from casinowar.words.refusals import is_silent_reason
from casinowar.words.silence import ambiguity_of, is_silent

FORMAT = "casinowar-result/1"
SAYS = {"silent": True}
"""What is said of an event or a refusal in the place of its clauses: the book is silent, and it is a house default."""


def result(replayed: Replay) -> dict[str, Any]:
    """Rounds that are finished, balances, what is still open, refusals and events.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round()
    >>> casinowar.result(casinowar.replay(casinowar.parse_record(session.record())))["balances"]
    {'ana': 10001, 'house': -1}
    """
    if not isinstance(replayed, Replay):
        raise TypeError(f"a result is of what `casinowar.replay` gives, and not of {replayed!r}"[:200])
    table = replayed.table
    data = {
        "format": FORMAT,
        "rulebook": replayed.rulebook.id,
        "edition": replayed.rulebook.edition,
        "rounds": finished_rounds(replayed),
        "balances": {**table.players, "house": table.house},
        "meter": table.meter if replayed.rulebook.wager.progressive else None,
        "open": _open_stakes(table),
        "refusals": replayed.refusals,
        "events": [told.event for told in replayed.story],
    }
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(data))
    events = [told.event for told in replayed.story]
    for place_in_story, (one, event) in enumerate(zip(plain["events"], events, strict=True), start=1):
        one |= SAYS if is_silent(event) else {}
        ambiguity = ambiguity_of(replayed.rulebook, event, events[place_in_story : place_in_story + 1])
        one |= {"ambiguity": ambiguity} if ambiguity else {}
    for one, refused in zip(plain["refusals"], replayed.refusals, strict=True):
        one |= SAYS if is_silent_reason(refused.reason, refused.clauses) else {}
    return plain


def finished_rounds(replayed: Replay) -> list[dict[str, Any]]:
    rounds: dict[int, dict[str, Any]] = {}
    dealt: list[dict[str, Any]] = []
    order: list[Spot] = []
    banked: dict[str, int] = {}
    for told in replayed.story:
        match told.event:
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                dealt.append({"to": place(told.event), "card": told.face or "xx"})
            case e.CardMoved() | e.CardsReturned() | e.RoundReconstructed():
                dealt = _move_cards(dealt, told.event)
            case e.WagerSettled() | e.WagerReversed():
                spot = (told.event.box, told.event.wager, told.event.player)
                order = [*order, spot] if spot not in order else order
            case e.BankReturned():
                banked = {told.event.player: told.event.net}
            case e.RoundEnded() | e.RoundInvalidated() | e.RoundVoided() | e.RoundAmended():
                rounds[told.event.number] = _round(told, rounds.get(told.event.number), dealt, order, banked)
                dealt, banked = [], {}
            case e.BettingClosed():
                order = []
    return list(rounds.values())


def _move_cards(
    dealt: list[dict[str, Any]], event: e.CardMoved | e.CardsReturned | e.RoundReconstructed
) -> list[dict[str, Any]]:
    """Move cards that were dealt elsewhere first. A card that went back into the shoe counts as not dealt."""
    if isinstance(event, e.CardsReturned):
        return dealt[: len(dealt) - event.cards]
    if isinstance(event, e.CardMoved):
        return _place_card(dealt, event.card, event.box, event.to)
    before, after = dict(event.before), dict(event.hands)
    coming = [(card, at) for at in after for card in (Counter(after[at]) - Counter(before.get(at, ()))).elements()]
    coming += [(card, -1) for card in event.discards]
    for origin in before:
        for card in (Counter(before[origin]) - Counter(after.get(origin, ()))).elements():
            to = next(at for other, at in coming if other == card)
            coming.remove((card, to))
            dealt = _place_card(dealt, card, origin, to)
    return dealt


def _place_card(dealt: list[dict[str, Any]], card: str, origin: int, to: int) -> list[dict[str, Any]]:
    at = max(i for i, one in enumerate(dealt) if (one["to"], one["card"]) == (_name(origin), card))
    return [*dealt[:at], {"to": _name(to), "card": card}, *dealt[at + 1 :]]


def _name(box: int) -> str:
    return "discard" if box < 0 else f"box {box}" if box else "dealer"


def place(event: e.CardDealt | e.CardBurned | e.CardDiscarded | e.CardPlacedAhead) -> str:
    match event:
        case e.CardDealt() | e.CardPlacedAhead():
            return _name(event.box)
        case e.CardBurned():
            return "burn"
        case e.CardDiscarded():
            return "discard"


def _round(
    told: Told,
    before: dict[str, Any] | None,
    dealt: list[dict[str, Any]],
    order: list[Spot],
    banked: dict[str, int],
) -> dict[str, Any]:
    round_ = told.table.round
    lines = [settlement(spot, round_.wagers[spot]) for spot in order if spot in round_.wagers]
    net = dict(banked)
    for line in lines:
        net[line["player"]] = net.get(line["player"], 0) + line["net"]
    net["house"] = -sum(net.values())
    return {
        "number": round_.number,
        "dealt": [*(before or {"dealt": []})["dealt"], *dealt],
        "settlements": lines,
        "net": net,
    }


def settlement(spot: Spot, wager: Wager) -> dict[str, Any]:
    """What a wager came to; what was placed is told where not all of it was in play."""
    box, name, player = spot
    return {
        "player": player,
        "box": box,
        "wager": name,
        "amount": wager.amount,
        **({"placed": wager.placed} if wager.placed != wager.amount else {}),
        **({"items": wager.items} if wager.items else {}),
        "outcome": wager.outcome,
        "odds": wager.odds,
        "paid": wager.paid,
        "returned": wager.returned,
        "net": wager.paid + wager.returned - wager.amount,
        "clauses": list(wager.clauses),
        **({"silent": True} if wager.outcome and not wager.clauses else {}),
    }


def _open_stakes(table: Table) -> list[dict[str, Any]]:
    """All that has left the balances: wagers, what lies before a bank, and what the bank put beside a war."""
    stakes = []
    banker = "house"
    if table.bank is not None:
        banker = table.bank.player
        stakes.append({"player": banker, "box": table.bank.box, "wager": "bank", "amount": table.bank.chips})
    for (box, name, player), wager in table.round.wagers.items():
        if wager.outcome is None and not table.round.is_over:
            stakes.append({"player": player, "box": box, "wager": name, "amount": wager.amount})
            if wager.match:
                stakes.append({"player": banker, "box": box, "wager": "match", "amount": wager.match})
    return stakes
