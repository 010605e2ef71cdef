"""Replay and dispute: a round under another book, and any record, step by step."""

import re
from typing import Annotated, Any

import msgspec

from casinowar.engine import Table, evolve
from casinowar.engine import events as e
from casinowar.records import RecordError, parse_record, read_json, read_toml, replay
from casinowar.records.before import resumed
from casinowar.records.parse import Record
from casinowar.records.replay import Replay, Told
from casinowar.records.tell import tell_refusal
from casinowar.reports.differences import short_title
from casinowar.rulebooks import BOOKS, Rulebook, load_rulebook
from casinowar.table.round_steps import Moment, Settlement, ToldStep, Total, settlements, told_steps, totals
from casinowar.table.under import CannotPlay, play_under
from casinowar.web.answering import NumberPath, check_table
from casinowar.web.errors import WebError
from casinowar.web.limits import is_too_deep
from casinowar.web.operations import Asking, Operation, Reply
from casinowar.web.rounds_told import last_round, read, round_moments, round_over_at

DEPTH = 12
BOOK_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
MOST_BYTES = 65_536
"""A record may hold its whole book."""

MOST_TOLD = 2_000
"""So many events of a record are told; a longer one is for the command line."""

BookId = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class OtherBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: BookId


class RecordText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round record, as JSON or TOML; with a rulebook its last round is told under that one."""

    record: Annotated[str, msgspec.Meta(min_length=2, max_length=50_000)]
    rulebook: BookId | None = None


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """Amounts are in minor units, of which `minor_digits` stand behind the point; in the sentences they are written so.

    Under another book, `says` tells what was left out; of a record, `refusals` are the acts that were refused.
    """

    rulebook: str
    book_title: str
    number: int
    minor_digits: int
    steps: list[ToldStep]
    settlements: list[Settlement]
    totals: list[Total]
    balances: dict[str, int]
    refusals: list[str] = []
    says: str = ""


async def under(asking: Asking) -> Reply:
    check_table(asking)
    table, number = asking.path.table, asking.path.number
    other, digits = _book(asking.query.rulebook), asking.server.house.settings.minor_digits

    server = asking.server
    stream = server.house.tables[table].stream

    def made() -> Replayed:
        return _under(other, *last_round(round_moments(server.index, table, number)), digits)

    def told() -> Reply:
        key = ("under", stream, number, round_over_at(server.index, table, number), other.id)
        return Reply(server.reading.kept(key, lambda: msgspec.json.encode(made())))

    return await read(asking, told)


async def replayed(asking: Asking) -> Replayed:
    body = asking.body
    other = None if body.rulebook is None else _book(body.rulebook)
    return await read(asking, lambda: _replayed(body.record, other))


def _book(id: str) -> Rulebook:
    if id not in BOOKS:
        raise WebError("no_such_rulebook")
    return load_rulebook(id)


def _under(other: Rulebook, rules: Rulebook, table: Table, digits: int) -> Replayed:
    try:
        played = play_under(other, rules, table.round)
    except CannotPlay as error:
        raise WebError("not_playable", str(error)) from None
    lines = settlements(other, played.round)
    return Replayed(
        rulebook=other.id,
        book_title=short_title(other),
        number=table.round.number,
        minor_digits=digits,
        steps=told_steps(played.story, digits),
        settlements=lines,
        totals=totals(lines, ()),
        balances={},
        says=played.says,
    )


def _replayed(text: str, other: Rulebook | None) -> Replayed:
    try:
        record = parse_record(_checked(text))
        done = replay(record)
    except (RecordError, ValueError, RecursionError, OverflowError) as error:
        raise WebError("record_refused", str(error)[:300]) from None
    if len(done.story) > MOST_TOLD:
        raise WebError("record_refused", "the record is too long to be told here: use casinowar replay")
    story = list(_moments(record, done))
    if other is not None:
        ended = next((one.table for one in reversed(done.story) if isinstance(one.event, e.RoundEnded)), None)
        if ended is None:
            raise WebError("not_playable", "the record has no round that came to its end")
        return _under(other, done.rulebook, ended, 0)
    lines = settlements(done.rulebook, done.table.round)
    return Replayed(
        rulebook=done.rulebook.id,
        book_title=short_title(done.rulebook),
        number=done.table.round.number,
        minor_digits=0,
        steps=told_steps(story, 0),
        settlements=lines,
        totals=totals(lines, story),
        balances={**done.table.players, "house": done.table.house},
        refusals=[tell_refusal(record, one) for one in done.refusals],
    )


def _checked(text: str) -> dict[str, Any]:
    """The record's data. What it names must not be looked for on the server's disk."""
    if is_too_deep(text.encode("utf-8", "surrogatepass"), DEPTH):
        raise RecordError("", "it is nested too deeply")
    data = read_json(text) if text.lstrip().startswith("{") else read_toml(text)
    books = [data.get("book"), *(data.get("later_books") or [])] if data.get("book") else []
    if not books and data.get("rulebook") not in BOOKS:
        raise RecordError("rulebook", f"here it is one of {', '.join(BOOKS)}, or the record holds its book")
    for book in books:
        named = [book.get("id"), book.get("extends")] if isinstance(book, dict) else [None]
        if any(name is not None and not BOOK_ID.fullmatch(str(name)) for name in named):
            raise RecordError("book", "its id is a plain name")
    return data


def _moments(record: Record, done: Replay) -> list[Moment]:
    """Every event with the table right after it. A replay knows the table after each command."""
    found: list[Moment] = []
    before = Table()
    for group in _groups(done.story):
        table = group[-1].table
        if record.before is not None and found and isinstance(found[-1][1], e.TableResumed):
            before = resumed(before, record.before)
        at = before
        for one in group[:-1]:
            at = evolve(at, one.event)
            found.append((done.rulebook, one.event, at))
        found.append((done.rulebook, group[-1].event, table))
        before = table
    return found


def _groups(story: tuple[Told, ...]) -> list[list[Told]]:
    groups: list[list[Told]] = []
    for one in story:
        if groups and groups[-1][-1].table is one.table:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


OPERATIONS = (
    Operation(
        method="GET",
        at="/api/tables/{table}/rounds/{number}/under",
        says="The cards, wagers and choices of one round under another book",
        roles=("player",),
        run=under,
        path=NumberPath,
        query=OtherBook,
        gives=Replayed,
        faults=("no_such_table", "no_such_round", "no_such_rulebook", "not_playable"),
    ),
    Operation(
        method="POST",
        at="/api/replay",
        says="A round record, step by step",
        roles=("player",),
        run=replayed,
        body=RecordText,
        most_bytes=MOST_BYTES,
        gives=Replayed,
        faults=("no_such_rulebook", "record_refused", "not_playable"),
        example_body={
            "record": '{"format": "casinowar-record/1", "rulebook": "nz", "shoe": "Kh 9s", "players": {"ana": 100}, '
            '"before": {"shoe_loaded": true}, "acts": [{"do": "place_wager", "player": "ana", "box": 1, '
            '"wager": "initial", "amount": 10}, {"do": "deal"}]}'
        },
    ),
)
