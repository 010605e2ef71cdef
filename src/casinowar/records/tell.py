"""A replay told in plain text, as a person at the table would tell it, with the clauses behind each ruling."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.commands import Limit
from casinowar.engine.state import Round
from casinowar.records.parse import Act, Record
from casinowar.records.replay import Refused, Replay, Told
from casinowar.rulebooks import Rulebook

WIDTH = 80

REASONS = {
    "amount_not_positive": "the amount is not above zero",
    "area_above_maximum": "the wagers on the area would exceed its maximum",
    "area_full": "the area has all the bettors it may have",
    "area_maximum_above_table_maximum": "the area's maximum is above the table's",
    "area_reserved": "the last place on the area is kept for a player with first right to it",
    "bank_box": "the box is the bank's",
    "bank_may_not_bet": "the bank may not bet against itself",
    "bank_must_pass": "the bank has been held as long as it may be and passes on",
    "bank_not_offered": "the bank is offered to another player first",
    "bank_taken": "the bank is taken",
    "betting_begun": "wagers already lie on the layout",
    "betting_closed": "betting is closed",
    "box_taken": "another player has the box",
    "coupon_not_taken": "coupons are not taken there",
    "no_match": "the bank has nothing left to match a war",
    "too_few_seated": "too few players are seated",
    "called_wager": "wagers are not taken by call",
    "card_unseen": "the face of the card that is due is not known",
    "cards_due": "no card was given for what is due",
    "cut_due": "the cards have not been cut",
    "cut_out_of_bounds": "the cut is too near to an end of the stack",
    "decision_open": "a player has yet to choose between war and surrender",
    "house_cannot_bank": "the house may not bank",
    "initial_required": "the opening wager must come first",
    "insufficient_funds": "the player's chips do not cover it",
    "marker_due": "the cutting card has not been put into the stack",
    "marker_moved": "the cutting card does not lie where it was put",
    "marker_out_of_bounds": "the cutting card lies where it may not",
    "no_bank": "nobody has taken the bank",
    "no_cards": "no card is left in the shoe",
    "no_cut": "no cut is due",
    "no_decision": "this player is not being asked for a decision",
    "no_grant": "the player holds no grant",
    "no_round": "there is no round to act on",
    "no_shoe": "a shuffle is due and the record holds no further shoe",
    "no_shuffle_due": "no shuffle is due",
    "no_wager": "there is no such wager on the table",
    "no_war_wager": "there is no war wager for it to go with",
    "not_asked_yet": "another player is asked first",
    "not_entitled": "whoever acts is not entitled to",
    "not_in_the_book": "the rulebook does not provide for it",
    "not_seated": "the player has no seat",
    "not_the_bank": "the player does not hold the bank",
    "not_the_cutter": "the cut is another person's",
    "player_above_maximum": "the player's wagers on the box would exceed the maximum",
    "round_in_progress": "a round is in progress",
    "seat_taken": "another player has the seat",
    "shoe_is_short": "the shoe cannot be refilled in the middle of a round",
    "shuffle_due": "a shuffle is due first",
    "table_is_open": "the table is already open",
    "table_not_vacant": "the table was not vacant",
    "too_many_boxes": "the player may not bet on so many boxes",
    "too_many_cards": "more cards were given than are due",
    "unknown_box": "there is no such box",
    "unknown_player": "there is no such player",
    "wager_above_maximum": "the wager is above the maximum",
    "wager_below_minimum": "the wager is below the minimum",
    "wager_locked": "the wager may no longer be touched",
    "wager_not_offered": "this wager is not offered",
    "wager_odd": "the wager must be an even amount",
    "wager_off_unit": "the wager is not a multiple of the unit",
    "war_is_declared": "a war wager is made by going to war",
    "wrong_number_of_cards": "the decks do not hold that many cards",
}
"""Why a command was refused, in words."""

BURNS = {
    "opening": "Opening burn",
    "opening_value": "Burned for the value of that card",
    "midround": "Burn of the new stack",
    "new_dealer": "New dealer's burn",
    "round": "Burn before the round",
    "war": "Burned before the war",
    "war_banker": "Burned before the bank's card",
}


def tell(record: Record, replayed: Replay) -> str:
    """The whole replay, at most 80 columns wide. Amounts are in minor units."""
    rules = replayed.rulebook
    opening, chapters = _chapters(replayed)
    lines = [*_heading(rules, opening), ""]
    for title, chapter in chapters:
        lines += [title, *_wrap(_sentences(rules, chapter), "  "), ""]
    if replayed.refusals:
        refused = (tell_refusal(record, refusal) for refusal in replayed.refusals)
        lines += ["Refused, with nothing changed (acts count from 0)", *_wrap(refused, "  "), ""]
    lines += ["At the close", *_wrap(_closing(replayed), "  ")]
    cited = dict.fromkeys(re.findall(r"HOUSE-[a-z_.]*[a-z_]", "\n".join(lines)))
    if cited:
        lines += ["", "House rules", *_wrap((f"{clause}: {rules.notes[clause].text}" for clause in cited), "  ")]
    return "\n".join(lines)


def tell_refusal(record: Record, refusal: Refused) -> str:
    """`act 3, place wager (player ben, ...): the wager is below the minimum [clauses]`."""
    what = _in_fields(record.acts[refusal.act])
    return f"act {refusal.act}, {what}: {reason_in_words(refusal.reason)}{_cite(refusal.clauses)}"


def reason_in_words(reason: str) -> str:
    return REASONS.get(reason, reason.replace("_", " "))


def _chapters(replayed: Replay) -> tuple[list[Told], list[tuple[str, list[Told]]]]:
    """The opening of the table, then all that led up to the end of each round, under its title."""
    told = list(replayed.story)
    begin = next((i for i, one in enumerate(told) if not isinstance(one.event, _OPENING)), len(told))
    chapters: list[tuple[str, list[Told]]] = []
    chapter: list[Told] = []
    last = 0
    for one in told[begin:]:
        chapter.append(one)
        match one.event:
            case e.RoundEnded() | e.RoundInvalidated():
                again = ", invalidated after its end" if one.event.number == last else ""
                last = one.event.number
                chapters.append((f"Round {last}{again}", chapter))
                chapter = []
    if chapter:
        is_round = any(isinstance(one.event, e.WagerPlaced) for one in chapter)
        number = replayed.table.round.number
        chapters.append((f"Round {number}, not finished" if is_round else "After the last round", chapter))
    return told[:begin], chapters


_OPENING = (e.TableOpened, e.TableResumed, e.BoughtIn, e.PlayerEdgeNoted, e.LimitsOffUnitNoted)


def _heading(rules: Rulebook, opening: list[Told]) -> list[str]:
    lines = [f"{rules.title} ({rules.id}): {rules.version}"]
    if rules.options:
        options = ", ".join(f"{key} = {_option(value)}" for key, value in rules.options.items())
        lines.append(f"Options: {options}")
    chips: list[str] = []
    for told in opening:
        match told.event:
            case e.TableOpened():
                own = {w: limit for w, limit in told.event.limits.items() if getattr(rules.wager, w, True)}
                kinds = {"every wager": told.event.limit} | {_wager(rules, w): limit for w, limit in own.items()}
                limits = "; ".join(f"{kind} {_limit(limit)}" for kind, limit in kinds.items())
                lines.append(f"Limits, in minor units as all amounts: {limits}")
            case e.BoughtIn():
                chips.append(f"{_plain(told.event.player)} {told.event.amount:,}")
            case e.PlayerEdgeNoted():
                lines.append(f"Note: going to war favours the player under these payouts{_cite(told.event.clauses)}")
            case e.LimitsOffUnitNoted():
                wager = _wager(rules, told.event.wager)
                lines.append(f"Note: the limits of {wager} are no multiples of the unit{_cite(told.event.clauses)}")
            case e.TableResumed():
                lines.append(f"The table is taken up after round {told.event.rounds}.")
    lines.append(f"Players: {', '.join(chips) or 'none'}")
    return list(_wrap(lines, ""))


def _closing(replayed: Replay) -> Iterator[str]:
    table = replayed.table
    bought: dict[str, int] = {}
    for told in replayed.story:
        if isinstance(told.event, e.BoughtIn):
            bought[told.event.player] = bought.get(told.event.player, 0) + told.event.amount
    for player, balance in table.players.items():
        yield f"{_plain(player)} {balance:,} ({_signed(balance - bought.get(player, 0))})"
    yield f"house {table.house:,}"
    if not table.round.is_over:
        for (box, wager, player), laid in table.round.wagers.items():
            if laid.outcome is None:
                name = _wager(replayed.rulebook, wager)
                yield f"still on the layout: {_plain(player)}'s {name} of {laid.amount:,} on box {box}"


def _sentences(rules: Rulebook, chapter: list[Told]) -> Iterator[str]:
    """Runs of cards and of settlements are told together, everything else by itself."""
    is_war = False
    order: tuple[str, ...] = ()
    for _, run in groupby(enumerate(chapter), key=lambda one: _run(one[0], one[1].event)):
        events = [told for _, told in run]
        first = events[0].event
        match first:
            case e.CardDealt():
                yield f"{'War cards' if is_war else 'Cards'}: {_hands(events)}{_cite_all(events, order)}"
            case e.CardBurned():
                yield _burned(first, events)
            case e.WagerSettled() if first.outcome != "surrender":
                yield "The dealer settles:"
                yield from (f"  {_settled(rules, told.event)}" for told in events)
            case e.DealStarted():
                order = first.clauses
                is_war = any(isinstance(told.event, e.WarDeclared) for told in chapter[: chapter.index(events[0])])
            case e.RoundEnded():
                yield f"To the rack: {_rack(first.hands)}{_cite(first.clauses)}"
                yield f"Result: {_net(events[0].table.round)}"
            case e.RoundInvalidated():
                yield f"The round is invalid, by {_plain(first.by)}: {_words(first.cause)}{_cite(first.clauses)}"
                yield f"Result: {_net(events[0].table.round)}"
            case _:
                yield _sentence(rules, first) + _cite(first.clauses)


def _run(index: int, event: e.Event) -> object:
    match event:
        case e.CardDealt():
            return "dealt"
        case e.CardBurned():
            return event.burn
        case e.WagerSettled() if event.outcome != "surrender":
            return "settled"
        case _:
            return index


def _hands(run: list[Told]) -> str:
    return ", ".join(
        f"{told.event.card} to {_place(told.event.box) if told.event.box else 'the dealer'}"
        for told in run
        if isinstance(told.event, e.CardDealt)
    )


def _burned(first: e.CardBurned, run: list[Told]) -> str:
    faces = " ".join(told.face or "xx" for told in run)
    shown = "face down" if first.card is None else f"face up, so {first.more} more" if first.more else "face up"
    beside = ", beside the dealer's card" if first.beside_dealer else ""
    return f"{BURNS[first.burn]}: {faces} {shown}{beside}{_cite_all(run)}"


def _settled(rules: Rulebook, event: e.Event) -> str:
    assert isinstance(event, e.WagerSettled)
    what = f"box {event.box}, {_plain(event.player)}: {_wager(rules, event.wager)} {event.amount:,}"
    match event.outcome:
        case "win":
            how = f"wins {event.paid:,} at {event.odds}" if event.odds else f"wins {event.paid:,}"
            how += "" if event.returned == event.amount else f", {event.returned:,} of the stake back"
        case "lose":
            how = "loses"
        case "push":
            how = "pushes, stake back"
        case _:
            how = f"is {event.outcome}, {event.returned:,} back"
    return f"{what} {how}{_cite(event.clauses)}"


def _sentence(rules: Rulebook, event: e.Event) -> str:
    """One event that stands for itself, without its clauses."""
    match event:
        case e.WagerPlaced():
            return f"{_plain(event.player)} bets {event.amount:,} on {_wager(rules, event.wager)}, box {event.box}"
        case e.WagerAmended():
            whose = f"{_plain(event.player)} changes {_wager(rules, event.wager)}, box {event.box},"
            return f"{whose} to {event.amount:,} in all"
        case e.WagerWithdrawn():
            return f"{_plain(event.player)} takes back {_wager(rules, event.wager)} {event.amount:,}, box {event.box}"
        case e.WagerLimited():
            whose = f"{_plain(event.player)}'s {_wager(rules, event.wager)} of {event.placed:,}, box {event.box},"
            return f"{whose} plays for {event.amount:,}; {event.placed - event.amount:,} goes back"
        case e.LimitsAdvised():
            return f"{_plain(event.player)} is told the limits of {_wager(rules, event.wager)}: {_limit(event.limit)}"
        case e.BettingClosed():
            stacks = (f"; on box {box} {_list(who)} in that order" for box, who in event.bettors.items() if who[1:])
            return f"Betting closes: cards for {_list(f'box {box}' for box in event.boxes)}{''.join(stacks)}"
        case e.WarOffered():
            return f"{_plain(event.player)} ties on box {event.box}: war or surrender?"
        case e.WarDeclared():
            beside = f"; the dealer puts {event.match:,} beside it" if event.match else ""
            return f"{_plain(event.player)} goes to war on box {event.box} with {event.amount:,}{beside}"
        case e.WagerSettled():
            back = f"{event.returned:,} of {event.amount:,} back"
            return f"{_plain(event.player)} surrenders on box {event.box}, {back}"
        case e.WagerReversed():
            what = f"{_plain(event.player)}'s {_wager(rules, event.wager)} of {event.amount:,}, box {event.box},"
            return f"{what} is void: what it won is taken back and the stake returned"
        case e.CardsCollected():
            return f"To the rack: {_rack(event.hands)}"
        case _:
            return _shoe_sentence(event)


def _shoe_sentence(event: e.Event) -> str:
    match event:
        case e.CutMade():
            return f"{_plain(event.player or event.by or 'staff')} cuts {event.position} cards from the front"
        case e.MarkerPlaced():
            return f"The cutting card goes in with {event.from_back} cards behind it"
        case e.ShoeLoaded():
            marker = "no cutting card" if event.cut_card is None else f"the cutting card after {event.cut_card}"
            return f"Shuffled, cut and in the shoe: {event.cards} cards, {marker}"
        case e.CutCardDrawn():
            where = f"where box {event.box}'s card is due" if event.box else "where the dealer is to draw"
            when = {"now": "shuffle at once", "after_round": "shuffle after this round", "none": "play goes on"}
            return f"The cutting card shows {where}: {when[event.shuffle]}"
        case e.CardDiscarded():
            return f"Out of play: {event.card or 'a card nobody saw'}"
        case e.CardHeld():
            return f"Drawn in error, to be used next: {event.card or 'a card nobody saw'}"
        case e.BurnSkipped():
            return f"{BURNS[event.burn]}: left out, too few cards"
        case e.CardsReplaced():
            return f"Cards replaced, by {_plain(event.by)}: {' '.join(event.cards) or 'all'}"
        case e.ShuffleOrdered():
            return f"A shuffle is ordered, by {_plain(event.by)}: {_words(event.reason)}"
        case e.DealerChanged():
            return f"{_plain(event.dealer)} is the dealer now"
        case _:
            return _seat_sentence(event)


def _seat_sentence(event: e.Event) -> str:
    match event:
        case e.PlayerSeated():
            left = f", leaving {_list(f'box {box}' for box in event.leaves)}" if event.leaves else ""
            return f"{_plain(event.player)} sits at box {event.box}{left}"
        case e.SeatVacated():
            return f"{_plain(event.player)} leaves {_list(f'box {box}' for box in event.boxes)}"
        case e.CutDeclined():
            return f"{_plain(event.player)} does not want to cut"
        case e.MultiBoxGranted():
            return f"{_plain(event.by)} grants {_plain(event.player)} {event.boxes} boxes"
        case e.MultiBoxRevoked():
            return f"{_plain(event.by)} takes back {_plain(event.player)}'s grant of several boxes"
        case e.SurrenderRuled():
            return f"{_plain(event.by)} surrenders for {_plain(event.player)}, box {event.box}: {_plain(event.reason)}"
        case e.BettingCalled():
            return "The dealer calls for last bets"
        case e.DecisionsClosed():
            return "Everybody has chosen"
        case _:
            return _in_fields(event)


def _in_fields(event: e.Event | Act) -> str:
    """Whatever has no sentence of its own: its name, and what it says of whom."""
    fields = msgspec.to_builtins(event)
    unsaid = {
        "clauses",
        *(field.name for field in msgspec.structs.fields(event) if fields[field.name] == field.default),
    }
    name = str(fields.pop("name", None) or fields.pop("do", ""))
    told = [f"{_words(key)} {_field(value)}" for key, value in fields.items() if key not in unsaid and _is_said(value)]
    return f"{_words(name)} ({', '.join(told)})" if told else _words(name)


def _is_said(value: object) -> bool:
    return value is not None and value is not False and value not in ("", [], {})


def _field(value: object) -> str:
    return " ".join(_plain(str(one)) for one in value) if isinstance(value, list) else _plain(str(value))


def _net(round_: Round) -> str:
    net: dict[str, int] = {}
    for (_, _, player), wager in round_.wagers.items():
        net[player] = net.get(player, 0) + wager.paid + wager.returned - wager.amount
    told = [f"{_plain(player)} {_signed(gain)}" for player, gain in net.items()]
    return ", ".join([*told, f"house {_signed(-sum(net.values()))}"])


def _rack(hands: Iterable[tuple[int, tuple[Card, ...]]]) -> str:
    return ", ".join(f"{_place(box)} {' '.join(cards)}" for box, cards in hands)


def _place(box: int) -> str:
    return f"box {box}" if box else "dealer"


def _wager(rules: Rulebook, wager: str) -> str:
    """The wager's name on the layout; where a war-deal wager shares it, the deal is added."""
    name: str = getattr(rules.names, wager, None) or _words(wager)
    first = wager.removeprefix("war_")
    return f"{name} on the war" if first != wager and name == getattr(rules.names, first) else name


def _limit(limit: Limit) -> str:
    top = f"to {limit.maximum:,}" if limit.maximum is not None else "or more"
    return f"{limit.minimum:,} {top}" + (f" in units of {limit.unit:,}" if limit.unit > 1 else "")


def _option(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _signed(amount: int) -> str:
    return f"{amount:+,}" if amount else "0"


def _list(names: Iterable[str]) -> str:
    *most, last = [_plain(name) for name in names] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def _words(name: str) -> str:
    return name.replace("_", " ")


def _plain(name: str) -> str:
    """A name that cannot break the line or steer the terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in name)


def _cite(clauses: Iterable[str]) -> str:
    ids = ", ".join(dict.fromkeys(clauses))
    return f" [{ids}]" if ids else ""


def _cite_all(run: list[Told], first: tuple[str, ...] = ()) -> str:
    return _cite((*first, *(clause for told in run for clause in told.event.clauses)))


def _wrap(sentences: Iterable[str], indent: str) -> Iterator[str]:
    for sentence in sentences:
        text = sentence.lstrip(" ")
        own = indent + " " * (len(sentence) - len(text))
        yield from textwrap.wrap(
            text, WIDTH, initial_indent=own, subsequent_indent=own + "    ", break_on_hyphens=False
        ) or [own.rstrip()]
