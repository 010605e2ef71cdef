"""A round record, version 1, read from TOML or JSON. Whatever cannot be understood is an error with its place."""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, get_args

import msgspec

from casinowar.cards import Card, excess, parse_written_card
from casinowar.engine import commands as c
from casinowar.engine.fields import is_text
from casinowar.errors import CasinoWarError
from casinowar.records.format import WRITTEN_ACTS, DamagedAct, ReconstructAct, ReplaceAct, place_of
from casinowar.records.opening_state import MOST, Before, find_fault
from casinowar.rulebooks import WAGERS, Rulebook, RulebookError, load_rulebook
from casinowar.rulebooks.editions import FIRST, book_id
from casinowar.rulebooks.frozen import FrozenBook, thaw
from casinowar.rulebooks.toml_files import parse_toml
from casinowar.rulebooks.wagers import UNLIMITED

if TYPE_CHECKING:
    from casinowar.records.format import Act
else:
    # The union would be spelled out in the signature that `help` shows.
    Act = msgspec.Struct

__all__ = [
    "FORMAT",
    "MOST",
    "TWO_SIGNED",
    "Before",
    "Record",
    "RecordError",
    "Stack",
    "parse_act",
    "parse_record",
    "read_json",
    "read_toml",
]

FORMAT = "casinowar-record/1"
MOST_PLAYERS = 20_000
"""A round of a served table tells everybody who ever had chips there."""

MOST_ACTS = 200_000
"""More than any night has."""


class RecordError(CasinoWarError, ValueError):
    """A record that cannot be understood: where, and why.

    >>> import casinowar
    >>> try:
    ...     record = casinowar.parse_record({"rulebook": "nz"})
    ... except casinowar.RecordError as error:
    ...     print(error)
    object missing required field `format`
    """

    def __init__(self, place: str, reason: str) -> None:
        text = f"{place}: {reason}" if place else reason
        super().__init__(text.encode("utf-8", "backslashreplace").decode("utf-8"))


class Stack(msgspec.Struct, frozen=True):
    """Cards in the order in which they leave the shoe; `None` is a face nobody saw."""

    cards: tuple[Card | None, ...]
    cut_card: int | None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A record that has been understood. `self_signed` are acts that one person signed twice.

    `later_books` are the rules for other numbers of decks, where the record holds its rulebook itself. Of every amount
    `minor_digits` stand behind the point where it is told to people.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round()
    >>> record = casinowar.records.parse(session.record())
    >>> record.rulebook.id, record.players, len(record.acts)
    ('nz', {'ana': 10000}, 5)
    """

    rulebook: Rulebook
    stacks: tuple[Stack, ...]
    limit: c.Limit
    limits: dict[str, c.Limit]
    players: dict[str, int]
    acts: tuple[Act, ...]
    before: Before | None = None
    meter: int | None = None
    self_signed: frozenset[int] = frozenset()
    later_books: tuple[Rulebook, ...] = ()
    minor_digits: int = 0


class _Header(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    format: str
    rulebook: str
    edition: Annotated[int, msgspec.Meta(ge=FIRST)] | None = None
    shoe: str | list[str]
    later_shoes: list[str | list[str]] = []
    meter: int | None = None
    minor_digits: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    options: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    players: dict[str, int] = {}
    before: Before | None = None
    book: FrozenBook | None = None
    later_books: list[FrozenBook] = []
    acts: list[dict[str, Any]] = []


def read_json(text: str) -> dict[str, Any]:
    """A record's data from JSON; `RecordError` where it is none.

    >>> from casinowar import records
    >>> records.read_json('{"rulebook": "nz"}')
    {'rulebook': 'nz'}
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError("", f"broken JSON: {error}") from None
    except RecursionError:
        raise RecordError("", "broken JSON: it is nested too deeply") from None
    except ValueError:  # What Python says of it is for programmers.
        raise RecordError("", "broken JSON: a number in it has too many digits") from None
    if not isinstance(data, dict):
        raise RecordError("", "a record is an object with format, rulebook, shoe, players and acts")
    return data


def read_toml(text: str) -> dict[str, Any]:
    """A record's data from TOML; `RecordError` where it is none.

    >>> from casinowar import records
    >>> records.read_toml('rulebook = "nz"')
    {'rulebook': 'nz'}
    """
    try:
        return parse_toml(text)
    except (ValueError, RecursionError) as error:
        raise RecordError("", f"broken TOML: {error}") from None


def parse_record(data: Mapping[str, Any]) -> Record:
    """Check every part of a record's data and give it its types.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> casinowar.parse_record(session.record()).players
    {'ana': 10000}
    """
    if not isinstance(data, Mapping):
        raise TypeError(f"the data of a record are a mapping, and not {data!r}: `records.parse` reads text"[:200])
    _check_text(data, "")
    header = _convert(dict(data), _Header, "")
    if header.format != FORMAT:
        raise RecordError("format", f"{header.format!r} is unknown: this reads {FORMAT!r}")
    _check_length(header)
    rulebook, *later_books = _rulebooks(header)
    fault = find_fault(header.before, rulebook, header.players) if header.before else None
    if fault:
        raise RecordError(*fault)
    limit, limits = _parse_limits(header.limits)
    _check_money(header)
    acts = tuple(parse_act(act, f"acts[{i}]") for i, act in enumerate(header.acts))
    decks = max([rulebook.shoe.decks, *_decks_to_come(header.before, acts)])
    first = _parse_stack("shoe", header.shoe, rulebook, rulebook.shoe.decks)
    later = [(f"later_shoes[{i}]", shoe) for i, shoe in enumerate(header.later_shoes)]
    return Record(
        rulebook=rulebook,
        stacks=(first, *(_parse_stack(place, shoe, rulebook, decks) for place, shoe in later)),
        limit=limit,
        limits=limits,
        players=header.players,
        acts=acts,
        before=header.before,
        meter=header.meter,
        self_signed=frozenset(i for i, act in enumerate(header.acts) if _is_self_signed(act)),
        later_books=tuple(later_books),
        minor_digits=header.minor_digits,
    )


def _rulebooks(header: _Header) -> list[Rulebook]:
    """The rules that the record names, or those that it holds."""
    if header.book is None and header.later_books:
        raise RecordError("later_books", "they follow a book that the record holds")
    if header.book is not None and header.options:
        raise RecordError("options", "the book that the record holds has them already")
    try:
        if header.book is None:
            if book_id(header.rulebook) != header.rulebook:
                raise RulebookError(f"unknown rulebook {header.rulebook!r}: write {book_id(header.rulebook)}")
            return [load_rulebook(header.rulebook, header.options, header.edition)]
        if header.edition not in (None, header.book.edition):
            raise RecordError("edition", f"the book that the record holds is of edition {header.book.edition}")
        return [thaw(book) for book in (header.book, *header.later_books)]
    except RulebookError as error:
        raise RecordError("" if header.book is None else "book", str(error)) from None


def _decks_to_come(before: Before | None, acts: Iterable[Act]) -> list[int]:
    floor = before.floor if before else None
    announced = [act.decks for act in acts if isinstance(act, c.AnnounceDecks)]
    return [*announced, *([floor.decks_notice.decks] if floor and floor.decks_notice else [])]


def _convert(data: Any, kind: Any, place: str) -> Any:
    try:
        return msgspec.convert(data, kind, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        where = (place + path.rstrip("`")).lstrip(".")
        raise RecordError(where, reason[:1].lower() + reason[1:]) from None


def _check_length(header: _Header) -> None:
    if len(header.acts) > MOST_ACTS:
        raise RecordError("acts", f"{len(header.acts):,} acts: a record has at most {MOST_ACTS:,}")
    coming = {str(act.get("player")) for act in header.acts if act.get("do") == "buy_in"}
    players = len(coming | header.players.keys())
    if players > MOST_PLAYERS:
        raise RecordError("players", f"{players:,} players: a record has at most {MOST_PLAYERS:,}")


def _check_money(header: _Header) -> None:
    for player, balance in header.players.items():
        if player == "house" or not player:
            raise RecordError("players", f"{player!r} cannot be a player's name")
        if not 0 <= balance <= MOST:
            raise RecordError(f"players.{player}", "an opening balance is not negative, and at most 10^30")
    if header.meter is not None and not 0 <= header.meter <= MOST:
        raise RecordError("meter", "a meter is not negative, and at most 10^30")


def _check_text(data: Any, place: str) -> None:
    """Refuse text with half a character, which JSON lets through and nothing can write again."""
    if isinstance(data, str) and not is_text(data):
        raise RecordError(place, "the text holds half a character")
    if isinstance(data, dict):
        for key, entry in data.items():
            if not is_text(str(key)):
                raise RecordError(place, "an unknown name with half a character")
            _check_text(entry, f"{place}.{key}".lstrip("."))
    if isinstance(data, list):
        for number, entry in enumerate(data):
            _check_text(entry, f"{place}[{number}]")


def _parse_limits(data: dict[str, Any]) -> tuple[c.Limit, dict[str, c.Limit]]:
    base = {key: value for key, value in data.items() if not isinstance(value, dict)}
    limit = _parse_limit(base, "limits")
    limits: dict[str, c.Limit] = {}
    for wager, own in data.items():
        if isinstance(own, dict):
            if wager not in WAGERS or wager in UNLIMITED:
                bound = ", ".join(name for name in WAGERS if name not in UNLIMITED)
                raise RecordError(f"limits.{wager}", f"no wager with limits of its own: those are {bound}")
            limits[wager] = _parse_limit({**base, **own}, f"limits.{wager}")
    return limit, limits


def _parse_limit(data: dict[str, Any], place: str) -> c.Limit:
    limit: c.Limit = _convert(data, c.Limit, place)
    if limit.minimum < 0 or limit.unit < 1 or (limit.maximum is not None and limit.maximum < limit.minimum):
        raise RecordError(place, "minimum and unit are positive, and maximum is not below minimum")
    return limit


def _parse_stack(place: str, shoe: str | list[str], rulebook: Rulebook, decks: int) -> Stack:
    texts = shoe.split() if isinstance(shoe, str) else shoe
    if texts.count("cut") > 1:
        raise RecordError(place, "the cutting card shows once")
    cut_card = texts.index("cut") if "cut" in texts else None
    cards = tuple(_parse_face(place, text) for text in texts if text != "cut")
    if cut_card is not None and rulebook.shoe.shuffler == "continuous":
        raise RecordError(place, "a continuous shuffler has no cutting card")
    for card, count in excess((card for card in cards if card is not None), decks).items():
        raise RecordError(place, f"{count} times {card}: {decks} decks hold {decks}")
    if len(cards) > 52 * decks:
        raise RecordError(place, f"{len(cards)} cards: {decks} decks hold {52 * decks}")
    return Stack(cards, cut_card)


def _parse_face(place: str, text: str) -> Card | None:
    if text == "xx":
        return None
    try:
        return parse_written_card(text)
    except ValueError as error:
        raise RecordError(place, str(error)) from None


def parse_act(data: dict[str, Any], place: str) -> Act:
    """Parse one act. `by` and `second` are a role and a person."""
    for signature in ("by", "second"):
        if signature in data:
            _check_signature(data[signature], f"{place}.{signature}")
    act: Act = _convert(_drop_second(data), KINDS.get(str(data.get("do")), WRITTEN_ACTS), place)
    if isinstance(act, ReplaceAct) and act.cards != "all":
        for text in act.cards:
            if _parse_face(place, text) is None:
                raise RecordError(place, "xx is no card to replace: name it")
    if isinstance(act, DamagedAct) and act.card is not None:
        _parse_face(place, act.card)
    if isinstance(act, ReconstructAct):
        for move in act.moves:
            if place_of(move.origin) is None or place_of(move.to) is None:
                raise RecordError(f"{place}.moves", "a card moves from and to 'box 2', 'dealer' or 'discard'")
    return act


def _drop_second(data: dict[str, Any]) -> dict[str, Any]:
    """The act without a second signature that it does not take. That two persons signed is checked all the same."""
    takes_two = str(data.get("do")) in TWO_SIGNED
    return {key: value for key, value in data.items() if key != "second" or takes_two}


KINDS = {str(kind.__struct_config__.tag): kind for kind in get_args(WRITTEN_ACTS)}
"""To look an act's class up is quicker than to let all of them be tried for each act."""

TWO_SIGNED = frozenset(tag for tag, kind in KINDS.items() if "second" in kind.__struct_fields__)


def _is_self_signed(act: dict[str, Any]) -> bool:
    persons = [str(act[key]).partition(":")[2].strip().casefold() for key in ("by", "second") if act.get(key)]
    return len(persons) == 2 and persons[0] == persons[1]


def _check_signature(signature: Any, place: str) -> None:
    role, separator, person = signature.partition(":") if isinstance(signature, str) else ("", "", "")
    if role not in c.ROLES or not separator or not person.strip():
        raise RecordError(place, f"write a role and a person, as in supervisor:s1; roles are {', '.join(c.ROLES)}")
