"""One sentence for each event of a live table, with amounts as money of the house."""

import re
from typing import Any

import msgspec

from casinowar.cards import Card
from casinowar.engine import events as e
from casinowar.engine.commands import Limit
from casinowar.engine.state import Wager
from casinowar.rulebooks import Rulebook
from casinowar.store import (
    BotDismissed,
    BotSeated,
    CashedOut,
    FloorCalled,
    FloorCallEnded,
    FloorCallTaken,
    Recorded,
    SeatGivenUp,
    SignatureAsked,
    SignatureClosed,
    StaffActed,
)
from casinowar.store.ledger_events import OWN
from casinowar.words.events import dealer_name, signed_by, tell_event, tell_settled, wager_name
from casinowar.words.phrases import BURNS, place, plain, words
from casinowar.words.silence import cite_event, is_silent, silence

SUITS = str.maketrans({"c": "♣", "d": "♦", "h": "♥", "s": "♠"})
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
SIGNATURE = re.compile(r"\b(dealer|supervisor|manager|operator):(?=\S)")
MONEY = (
    "amount",
    "paid",
    "returned",
    "placed",
    "stake",
    "match",
    "seed",
    "net",
    "bank_left",
    "noted",
    "coupon",
    "taken_back",
)
"""The fields of events that hold money."""

VOID_ANSWERS = {
    "refused": "was refused",
    "taken_back": "was taken back",
    "lapsed": "was not signed in time and has lapsed",
}


class Money(int):
    """Minor units that are written as whole ones: 2500 as 25 and 1250 as 12.50, by the digits behind the point."""

    digits: int

    def __new__(cls, minor: int, digits: int) -> "Money":
        made = super().__new__(cls, minor)
        made.digits = digits
        return made

    def __format__(self, spec: str) -> str:
        return money_words(int(self), self.digits, spec.replace(",", ""))

    def __sub__(self, other: int) -> "Money":
        return Money(int(self) - int(other), self.digits)

    def __neg__(self) -> "Money":
        return Money(-int(self), self.digits)

    def __mul__(self, other: int) -> "Money":
        return Money(int(self) * int(other), self.digits)

    def __floordiv__(self, other: int) -> "Money":
        return Money(int(self) // int(other), self.digits)


def money_words(minor: int, digits: int, sign: str = "") -> str:
    whole, rest = divmod(abs(minor), 10**digits)
    before = "−" if minor < 0 else "+" if sign and minor else ""
    return f"{before}{whole:,}" + (f".{rest:0{digits}d}" if rest else "")


def card_words(card: Card | None) -> str:
    """`7♣`; a card that nobody saw has no face."""
    return "a card face down" if card is None else card[0].replace("T", "10") + card[1].translate(SUITS)


def say_event(rules: Rulebook, event: Recorded, digits: int) -> str | None:
    """What happened, without its clauses, or that the book has none; none for what tells a person nothing."""
    match event:
        case BotSeated():
            return f"{plain(event.player)}, of the house, plays at box {event.box}"
        case BotDismissed():
            return f"{plain(event.player)}, of the house, goes"
        case CashedOut():
            return f"{plain(event.player)} takes {money_words(event.amount, digits)} from the table"
        case SeatGivenUp():
            unused = f"{event.rounds} rounds" if event.rounds > 1 else f"{event.seconds} seconds"
            return f"{plain(event.player)} gives up the seat: no wager for {unused}, and somebody waits for one"
        case StaffActed():
            return f"{words(event.act).capitalize()}, by {_signed(rules, event.by)}: {plain(event.reason)}"
        case FloorCalled():
            about = f": {plain(event.about)}" if event.about else ""
            return f"The floor is called, by {_signed(rules, event.by)}{about}"
        case FloorCallTaken():
            return f"{_signed(rules, event.by)} is coming"
        case FloorCallEnded():
            return f"The call for the floor is over, by {_signed(rules, event.by)}"
        case SignatureAsked() if event.moves_chips:
            minutes = -(-event.lapses // 60_000)
            return f"A void of round {event.round} waits for its second signature, for at most {minutes} minutes"
        case SignatureClosed() if event.moves_chips and event.how in VOID_ANSWERS:
            return f"The void of round {event.round} {VOID_ANSWERS[event.how]}: what came of the round stands"
        case e.DealStarted() | e.TableOpened() | e.TableResumed() | e.PlayerEdgeNoted() | e.LimitsOffUnitNoted():
            return None
        case _ if isinstance(event, OWN):
            return None
        case e.BoughtIn() if not event.amount:
            return None
    try:
        told = _said(rules, in_money(event, digits))
    except TypeError:
        # An event without a sentence of its own is told by its fields, which have to be plain.
        told = tell_event(rules, event)
    told = SIGNATURE.sub(r"\1 ", told).replace("a card nobody saw", "a card, its face not noted")
    # A player may go by the name of a card.
    told = told if hasattr(event, "player") else CARD.sub(lambda card: card_words(Card(card[0])), told)
    return f"{told} ({silence(rules, event)})" if is_silent(event) else told


def _said(rules: Rulebook, event: e.Event) -> str:
    dealer = f"The {dealer_name(rules)}"
    match event:
        case e.CardDealt():
            return f"{place(event.box, dealer).capitalize()} receives {card_words(event.card)}"
        case e.CardBurned():
            shown = "face down" if event.card is None else f"{card_words(event.card)}, face up"
            beside = f", beside the {dealer_name(rules)}'s card" if event.beside_dealer else ""
            return f"{BURNS[event.burn]}: one card, {shown}{beside}"
        case e.WagerSettled() if event.outcome != "surrender":
            told = tell_settled(rules, event).removesuffix(cite_event(rules, event))
            return told[:1].upper() + told[1:]
        case e.ShoeLoaded() if event.cut_card is None and rules.shoe.cut_cards and rules.shoe.shuffler != "continuous":
            # Of real cards nobody counts how many lie before it.
            return f"Shuffled, cut and in the shoe: {event.cards} cards, the cutting card where it was put"
        case e.RoundEnded():
            return "Cards to the rack"
        case e.RoundInvalidated():
            return f"The round is invalid, by {_signed(rules, event.by, event.second)}: {words(event.cause)}"
        case e.RoundVoided():
            by = f", by {_signed(rules, event.by, event.second)}" if event.by else ""
            return f"All hands are void{by}: {plain(words(event.reason))}"
        case e.BoughtIn():
            return f"{plain(event.player)} brings {event.amount:,} to the table"
        case _:
            return tell_event(rules, event)


def say_reversed(rules: Rulebook, event: e.WagerReversed, laid: Wager, digits: int) -> str:
    """What becomes of a wager that would be void, by what has come of it so far."""
    what = f"{plain(event.player)}'s {wager_name(rules, event.wager)} of {money_words(event.amount, digits)}"
    net = 0 if laid.outcome is None else laid.paid + laid.returned - laid.amount
    had = f"it had {'won' if net > 0 else 'lost'} {money_words(abs(net), digits)}, which"
    if laid.outcome is None:
        follows = "it goes back"
    elif net == 0:
        follows = "it had come out even, nothing moves"
    else:
        follows = f"{had} {'is taken back' if net > 0 else 'goes back'}"
    return f"{what}, box {event.box}, is void: {follows}"


def _signed(rules: Rulebook, by: str, second: str | None = None) -> str:
    return SIGNATURE.sub(r"\1 ", signed_by(rules, by, second))


def in_money(event: e.Event, digits: int) -> Any:
    """The event with its amounts as money; the engine's own events stay plain numbers."""
    changed: dict[str, Any] = {
        name: Money(value, digits)
        for name in MONEY
        if isinstance(value := getattr(event, name, None), int) and name in event.__struct_fields__
    }
    limit = getattr(event, "limit", None)
    if isinstance(limit, Limit):
        top = None if limit.maximum is None else Money(limit.maximum, digits)
        changed["limit"] = Limit(minimum=Money(limit.minimum, digits), maximum=top, unit=Money(limit.unit, digits))
    if isinstance(event, e.WagerSettled) and event.items:
        changed["items"] = tuple(
            msgspec.structs.replace(item, amount=Money(item.amount, digits)) for item in event.items
        )
    return msgspec.structs.replace(event, **changed) if changed else event
