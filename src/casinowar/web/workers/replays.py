"""Replays step by step: of a round record, or of a round under another book."""

import re
from typing import Any

import msgspec

from casinowar.engine import Table, evolve
from casinowar.engine import events as e
from casinowar.history.log_walk import Moment
from casinowar.history.narrative import Settlement, ToldStep, Total, settlements, told_steps, totals
from casinowar.history.other_book import CannotPlay, play_under
from casinowar.records import RecordError, parse_record, read_json, read_toml, replay
from casinowar.records.narrative import tell_refusal
from casinowar.records.opening_state import restore_table
from casinowar.records.parse import Record
from casinowar.records.replay import Replay, Told
from casinowar.reports.differences import short_title
from casinowar.rulebooks import Rulebook, is_known, load_rulebook, sound_books
from casinowar.web.http.errors import WebError
from casinowar.web.http.limits import is_too_deep

DEPTH = 12
BOOK_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
MOST_TOLD = 2_000
"""So many events of a record are told; a longer one is for the command line."""

TOO_LONG = "the record is too long to be told here: use casinowar replay"


class RoundStory(msgspec.Struct, frozen=True, kw_only=True):
    """A round under a book, told step by step, and what came of it."""

    rulebook: str
    edition: int
    book_title: str
    number: int
    minor_digits: int
    steps: list[ToldStep]
    settlements: list[Settlement]
    totals: list[Total]


class Replayed(RoundStory, frozen=True, kw_only=True):
    """Amounts are in minor units, of which `minor_digits` stand behind the point; in the sentences they are written so.

    Under another book, `says` tells what was left out; of a record, `refusals` are the acts that were refused.
    """

    balances: dict[str, int]
    refusals: list[str] = []
    says: str = ""


def replay_under(other: Rulebook, rules: Rulebook, table: Table, digits: int) -> Replayed:
    try:
        played = play_under(other, rules, table.round)
    except CannotPlay as error:
        raise WebError("not_playable", str(error)) from None
    lines = settlements(other, played.round)
    return Replayed(
        rulebook=other.id,
        edition=other.edition,
        book_title=short_title(other),
        number=table.round.number,
        minor_digits=digits,
        steps=told_steps(played.story, digits),
        settlements=lines,
        totals=totals(lines, ()),
        balances={},
        says=played.says,
    )


def replay_record(text: str, rulebook: str | None) -> Replayed:
    """A record as it was played; with a rulebook its last round under that one."""
    try:
        record = parse_record(_read_record(text))
        if len(record.players) > MOST_TOLD:
            raise WebError("record_refused", TOO_LONG)
        done = replay(record, keeps_balances=True)
    except (RecordError, ValueError, RecursionError, OverflowError) as error:
        raise WebError("record_refused", str(error)[:300]) from None
    if len(done.story) > MOST_TOLD:
        raise WebError("record_refused", TOO_LONG)
    story = list(_moments(record, done))
    if rulebook is not None:
        ended = next((one.table for one in reversed(done.story) if isinstance(one.event, e.RoundEnded)), None)
        if ended is None:
            raise WebError("not_playable", "the record has no round that came to its end")
        return replay_under(load_rulebook(rulebook), done.rulebook, ended, record.minor_digits)
    lines = settlements(done.rulebook, done.table.round)
    return Replayed(
        rulebook=done.rulebook.id,
        edition=done.rulebook.edition,
        book_title=short_title(done.rulebook),
        number=done.table.round.number,
        minor_digits=record.minor_digits,
        steps=told_steps(story, record.minor_digits),
        settlements=lines,
        totals=totals(lines, story),
        balances={**done.table.players, "house": done.table.house},
        refusals=[tell_refusal(record, one, done.rulebook) for one in done.refusals],
    )


def _read_record(text: str) -> dict[str, Any]:
    """The data of a record, checked: a book that it names must not be looked for on the server's disk."""
    if is_too_deep(text.encode("utf-8", "surrogatepass"), DEPTH):
        raise RecordError("", "it is nested too deeply")
    is_json = text.lstrip().startswith("{")
    data = read_json(text) if is_json else read_toml(text)
    later = data.get("later_books") or []
    if not isinstance(later, list):
        raise RecordError("later_books", "this is a list")
    books = [data.get("book"), *later] if data.get("book") else []
    if not books and not is_known(str(data.get("rulebook"))):
        raise RecordError("rulebook", f"here it is one of {', '.join(sound_books())}, or the record holds its book")
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
            before = restore_table(before, record.before)
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
