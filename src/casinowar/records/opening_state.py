"""The table before a record's first act: taken from a live table, checked, and put back into a replayed one."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from casinowar.cards import Card, parse_written_card
from casinowar.engine import commands as c
from casinowar.engine.events import Preparation
from casinowar.engine.state import NOWHERE, Bank, BankTurn, Floor, Incident, Table
from casinowar.rulebooks import Rulebook

UNSEEN = "xx"
MANY = 1_000
"""Burns owed before a record begins are fewer."""

CARDS = 100_000
"""No table has so many."""

LONG = 10**18
"""Rounds and seconds before a record begins are fewer."""

MOST = 10**30
"""More money than any table has seen; beyond it a number is a slip."""

Fault = tuple[str, str]
"""Where, and what."""


class BankTurnBefore(BankTurn, frozen=True, forbid_unknown_fields=True):
    """Who banked last, from which box, and for how many rounds in a row."""


class BankBefore(Bank, frozen=True, forbid_unknown_fields=True):
    """Who has already taken the bank for the coming round: the stake, what lies there, and what it can still pay."""


class IncidentBefore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was reported and waits for a ruling."""

    kind: str
    box: int = 0
    player: str = ""
    cards: int = 0
    action: Literal["forward", "dealer_next", "burn"] | None = None
    card: str | None = None


class LimitsNotice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits on a sign, and the second since which it stands."""

    minimum: int
    maximum: int | None = None
    unit: int = 1
    since: int


class DecksNotice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number of decks on a sign, with its pay table of pairs, and the second since which it stands."""

    decks: int
    perfect_pairs: str | None = None
    since: int


class FloorBefore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The floor's clock in seconds, signs, and what it has directed; `sat_out` has rounds in a row and the last."""

    clock: int = 0
    limits_notice: LimitsNotice | None = None
    decks_notice: DecksNotice | None = None
    closing_notice: int | None = None
    closing_minutes: int = 0
    sat_out: dict[str, tuple[int, int]] = {}
    excluded: list[str] = []
    partners: list[list[str]] = []
    box_max: int = 0
    player_max: int = 0
    bettors: int = 0


class Before(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table before the first act, for a record that starts in the middle of a shoe.

    `shoe_loaded`: the shoe is what is left of one already opened. `cut_card_seen`: a shuffle is due before the next
    round. `dealer_burns`: burns that a new dealer still owes. `reminded`: who has had the reminder of the limits.
    `patrons`: who had chips on the layout in the round before and has not cashed out.
    `shoe_left`: how many cards a continuous shuffler holds, of which the record has only those that come out.
    """

    rounds: int = 0
    shoe_loaded: bool = False
    cut_card_seen: bool = False
    dealer_burns: int = 0
    seats: dict[str, str] = {}
    reminded: list[str] = []
    bank_turn: BankTurnBefore | None = None
    bank: BankBefore | None = None
    bank_declined: list[str] = []
    arrivals: list[str] | None = None
    patrons: list[str] = []
    was_vacant: bool | None = None
    grants: dict[str, int] = {}
    dealer: str = ""
    shuffle: str | None = None
    prepared: list[Preparation] = []
    full_shuffle: bool = False
    cut_made: bool = False
    cut_declined: list[str] = []
    cut_card_at: int | None = None
    marker: int | None = None
    batch: int = 0
    shoe_left: int | None = None
    opening_burn: bool = False
    opening_burned: bool = False
    discards: int = 0
    held: str | None = None
    face_up: int = 0
    last: int | None = None
    damaged: list[str] = []
    forgot_burn: bool = False
    incident: IncidentBefore | None = None
    floor: FloorBefore | None = None


SAME = (
    "grants",
    "dealer",
    "full_shuffle",
    "cut_made",
    "cut_card_at",
    "marker",
    "batch",
    "opening_burn",
    "opening_burned",
    "face_up",
    "last",
    "forgot_burn",
)
"""What is called the same and looks the same at the table."""


def before_of(table: Table, *, is_continuous: bool) -> dict[str, Any]:
    """The table between two rounds as a record's `before`. Fields with their default are left out."""
    turn, bank, incident = table.bank_turn, table.bank, table.incident
    return plain_fields(
        Before(
            rounds=table.round.number,
            shoe_loaded=table.batch > 0,
            cut_card_seen=table.shuffle == "cut_card",
            dealer_burns=table.dealer_burns,
            seats={str(box): player for box, player in table.seats.items()},
            reminded=sorted(table.reminded),
            bank_turn=None if turn is None else BankTurnBefore(player=turn.player, box=turn.box, rounds=turn.rounds),
            bank=None if bank is None else msgspec.convert(bank, BankBefore, from_attributes=True),
            bank_declined=sorted(table.bank_declined),
            arrivals=list(table.arrivals),
            patrons=sorted(table.patrons),
            was_vacant=table.was_vacant,
            shuffle=table.shuffle,
            prepared=list(table.prepared),
            cut_declined=list(table.cut_declined),
            shoe_left=table.shoe_left if is_continuous else None,
            discards=sum(len(cards) for _, cards in table.rack),
            held=table.held,
            damaged=[card or UNSEEN for card in table.damaged],
            incident=None if incident is None else msgspec.convert(incident, IncidentBefore, from_attributes=True),
            floor=_floor_before(table.floor),
            **{name: getattr(table, name) for name in SAME},
        )
    )


def plain_fields(value: msgspec.Struct) -> dict[str, Any]:
    """The struct as plain data without the fields that have their default, so that TOML can hold it."""
    pairs = {}
    for field in fields_of(type(value)):
        part = getattr(value, field.name)
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        if part is not None and part != default and (data := plain(part)) != {}:
            pairs[field.encode_name] = data
    return pairs


@cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a struct, read once for each kind: reading them takes longer than writing them."""
    return msgspec.structs.fields(kind)


def plain(part: Any) -> Any:
    """The value as a file has it: tuples are lists, keys are text, structs lack fields with their default."""
    if isinstance(part, msgspec.Struct):
        return plain_fields(part)
    if isinstance(part, dict):
        return {str(key): plain(value) for key, value in part.items()}
    return msgspec.json.decode(msgspec.json.encode(part))


def _floor_before(floor: Floor) -> FloorBefore:
    limits, decks = floor.limits_notice, floor.decks_notice
    return FloorBefore(
        clock=floor.clock,
        limits_notice=None if limits is None else LimitsNotice(**msgspec.structs.asdict(limits[0]), since=limits[1]),
        decks_notice=None if decks is None else DecksNotice(decks=decks[0], perfect_pairs=decks[1], since=decks[2]),
        closing_notice=floor.closing_notice,
        closing_minutes=floor.closing_minutes,
        sat_out=floor.sat_out,
        excluded=sorted(floor.excluded),
        partners=[sorted(group) for group in floor.partners],
        box_max=floor.box_max,
        player_max=floor.player_max,
        bettors=floor.bettors,
    )


def restore_table(table: Table, before: Before) -> Table:
    """The replayed table with everything of `before` that the command `resume_table` does not hold."""
    bank = None if before.bank is None else Bank(*(getattr(before.bank, name) for name in Bank.__struct_fields__))
    return replace(
        table,
        bank=bank,
        bought_in=table.bought_in + (bank.chips if bank else 0),
        bank_declined=frozenset(before.bank_declined),
        arrivals=table.arrivals if before.arrivals is None else tuple(before.arrivals),
        patrons=frozenset(before.patrons),
        was_vacant=table.was_vacant if before.was_vacant is None else before.was_vacant,
        shuffle=before.shuffle or table.shuffle,
        prepared=tuple(before.prepared),
        cut_declined=tuple(before.cut_declined),
        shoe_left=table.shoe_left if before.shoe_left is None else before.shoe_left,
        rack=((NOWHERE, (None,)),) * before.discards,
        held=None if before.held is None else Card(before.held),
        damaged=tuple(_face(card) for card in before.damaged),
        incident=None if before.incident is None else _incident(before.incident),
        floor=table.floor if before.floor is None else _floor(table.floor, before.floor),
        **{name: getattr(before, name) for name in SAME},
    )


def _face(text: str | None) -> Card | None:
    return None if text in (None, UNSEEN) else Card(text)


def _incident(told: IncidentBefore) -> Incident:
    return Incident(told.kind, told.box, told.player, told.cards, told.action, _face(told.card))


def _floor(floor: Floor, told: FloorBefore) -> Floor:
    limits, decks = told.limits_notice, told.decks_notice
    return replace(
        floor,
        clock=told.clock,
        limits_notice=None if limits is None else (_limit(limits), limits.since),
        decks_notice=None if decks is None else (decks.decks, decks.perfect_pairs, decks.since),
        closing_notice=told.closing_notice,
        closing_minutes=told.closing_minutes,
        sat_out=told.sat_out,
        excluded=frozenset(told.excluded),
        partners=tuple(frozenset(group) for group in told.partners),
        box_max=told.box_max,
        player_max=told.player_max,
        bettors=told.bettors,
        is_plain=not (told.excluded or told.partners or told.box_max or told.player_max),
    )


def _limit(notice: LimitsNotice) -> c.Limit:
    return c.Limit(minimum=notice.minimum, maximum=notice.maximum, unit=notice.unit)


def find_fault(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Fault | None:
    """Find the first fault of the table before a record: names, boxes, counts."""
    for find in (_seats, _names, _faces, _bank_held, _floor_kept):
        for fault in find(before, rulebook, players):
            return fault
    cards = (before.discards, before.face_up, before.batch, before.marker or 0, before.shoe_left or 0)
    if not all(0 <= count < CARDS for count in cards):
        return "before", "cards are counted from none, and fewer than 100,000"
    if not (0 <= before.rounds < MOST and 0 <= before.dealer_burns < MANY):
        return "before", "rounds and burns are counts"
    return None


def _seats(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    for box, player in before.seats.items():
        if not (box.isdecimal() and 1 <= int(box) <= rulebook.table.boxes):
            yield "before.seats", f"{box!r} is no box: they are 1 to {rulebook.table.boxes}"
        if player not in players:
            yield "before.seats", f"{player!r} is not among the players"
    if before.arrivals is not None and sorted(before.arrivals) != sorted(set(before.seats.values())):
        yield "before.arrivals", "everybody who is seated, once"


def _names(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    named = {
        "reminded": before.reminded,
        "bank_declined": before.bank_declined,
        "cut_declined": before.cut_declined,
        "grants": before.grants,
    }
    for place, names in named.items():
        for player in names:
            if player not in players:
                yield f"before.{place}", f"{player!r} is not among the players"


def _faces(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    incident = before.incident.card if before.incident else None
    for card in (before.held, incident, *before.damaged):
        try:
            parse_written_card(card) if card not in (None, UNSEEN) else None
        except ValueError as error:
            yield "before", str(error)
    if before.held == UNSEEN:
        yield "before.held", "a card that nobody saw is not held"


def _bank_held(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    turn, bank = before.bank_turn, before.bank
    if turn and (turn.player not in players or not 1 <= turn.box <= rulebook.table.boxes or turn.rounds < 0):
        yield "before.bank_turn", "a player, the box they banked from, and rounds from 1"
    if bank is None:
        return
    if rulebook.bank.by != "player" or bank.player not in players or not 1 <= bank.box <= rulebook.table.boxes:
        yield "before.bank", "a player who banks, and the box, where the book has players bank"
    if not (0 < bank.stake <= MOST and 0 <= bank.left <= bank.chips <= MOST):
        yield "before.bank", "a stake, and no more to pay with than lies there"


def _floor_kept(before: Before, rulebook: Rulebook, players: dict[str, int]) -> Iterator[Fault]:
    floor = before.floor
    if floor is None:
        return
    for player in (*floor.sat_out, *floor.excluded, *(one for group in floor.partners for one in group)):
        if player not in players:
            yield "before.floor", f"{player!r} is not among the players"
    notice = floor.decks_notice
    choices = rulebook.deck_choices.get(notice.decks) if notice else ()
    pairs = notice.perfect_pairs if notice else None
    is_offered = choices is not None and (pairs in choices if rulebook.wager.perfect_pairs and notice else not pairs)
    if not is_offered:
        yield "before.floor.decks_notice", "decks that the book has, with the pay table of pairs that goes with them"
    counts = (
        floor.clock,
        floor.closing_notice or 0,
        floor.closing_minutes,
        floor.box_max,
        floor.player_max,
        floor.bettors,
    )
    if not all(0 <= count < LONG for count in counts):
        yield "before.floor", "seconds and amounts are not negative"
