"""The history of a table: rounds, their records, shoes, and the log as supervisors and auditors read it."""

from itertools import islice
from typing import Annotated, Any, Literal

import msgspec

from casinowar import protocol as f
from casinowar.engine.view import Viewer
from casinowar.fairness import ExportedShoe, ListedShoe, dump_shoe
from casinowar.history.log_walk import Start
from casinowar.history.narrative import settlements, told_steps, totals
from casinowar.history.round_record import ToldRound, told_round
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import seen_event
from casinowar.records.write import format_record
from casinowar.reports.differences import short_title
from casinowar.store import Posting
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ANYONE, JSON, PLAYER, ApiRequest, Reply, Role, get
from casinowar.web.http.replies import Number, NumberPath, TablePath, Version, reply_about_round, table_in_path
from casinowar.web.workers.replays import RoundStory
from casinowar.web.workers.round_index import last_round

TOML = "application/toml"
LOG_READERS: tuple[Role, ...] = ("supervisor", "manager", "auditor")


class RoundPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: Number | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 10


class LogPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Version = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100


class RecordForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["json", "toml"] = "json"


class RoundTold(RoundStory, frozen=True, kw_only=True):
    """A round's events in order, each with its clauses, as the viewer may see them; and step by step, as anybody could.

    `shoes` are the numbers of the shoes that it was dealt from, with which the proofs are.
    """

    table: str
    title: str
    events: list[dict[str, Any]]
    shoes: list[int]


class LogLine(msgspec.Struct, frozen=True):
    """An event of the log. `at` is milliseconds UTC and orders nothing; the version does."""

    position: int
    version: int
    at: int
    actor: str
    command: str
    postings: tuple[Posting, ...]
    event: dict[str, Any]


def rounds(request: ApiRequest) -> Any:
    table_in_path(request)
    query, index = request.query, request.server.index
    return request.read(lambda: index.lines(request.path.table, query.before, query.limit))


async def round_by_steps(request: ApiRequest) -> Reply:
    there, index = table_in_path(request), request.server.index
    table, number = request.path.table, request.path.number
    viewer, digits = Viewer("player", request.known.name), there.minor_digits

    def tell() -> RoundTold:
        story = index.moments(table, number)
        rules, ended = last_round(story)
        recalled = index.events(table, number)
        lines = settlements(rules, ended.round)
        return RoundTold(
            table=table,
            title=there.settings.called,
            number=number,
            rulebook=rules.id,
            edition=rules.edition,
            book_title=short_title(rules),
            minor_digits=digits,
            events=[seen for one in recalled if (seen := seen_event(one, viewer)) is not None],
            steps=told_steps(story, digits),
            settlements=lines,
            totals=totals(lines, story),
            shoes=there.keeper.listed.numbers(recalled[0].version, recalled[-1].version),
        )

    return await reply_about_round(request, there, ("told", viewer.player), tell)


async def record(request: ApiRequest) -> Reply:
    """The record of a round, for those who took part and for staff. Only staff see what chips others had."""
    there = table_in_path(request)
    name, is_staff = request.known.name, bool(request.server.roles(request.known.name))
    table, number = request.path.table, request.path.number
    index, digits = request.server.index, request.server.house.settings.minor_digits

    def write(start: Start) -> ToldRound:
        try:
            return told_round(index.log(table, start.version), number, start, digits)
        except LookupError:
            raise WebError("no_such_round") from None

    def text() -> str:
        span = index.span(table, number)
        start = index.start(table, span)
        key = ("record", there.stream, number, span.last)
        found = request.server.log_reader.recall(key, lambda: write(start))
        if not is_staff and not any(act.get("player") == name for act in found.record["acts"]):
            raise WebError("not_allowed", "the record of a round is for those who took part in it and for staff")
        return format_record(found.record if is_staff else found.for_player(name), f".{request.query.format}")

    return Reply(await request.read(text), media=JSON if request.query.format == "json" else TOML)


async def shoes(request: ApiRequest) -> Reply:
    there = table_in_path(request)
    return Reply(await request.read(lambda: msgspec.json.encode(there.shoes())))


async def shoe(request: ApiRequest) -> Reply:
    """A shoe of the table. The running one is known to the thread that deals; one that is over is read from the log.

    It is decided here which of the two it is: a shoe that ends meanwhile would be read half way, and kept so.
    """
    there, number, reading = table_in_path(request), request.path.number, request.server.log_reader
    if isinstance(there, LiveTable) and number > len(there.keeper.listed):
        raise WebError("no_such_shoe")
    if isinstance(there, LiveTable) and there.keeper.is_running(number):
        running = there.shoe(number)
        return Reply(await request.read(lambda: _dump(running)))
    key = ("shoe", there.stream, number)
    return Reply(await request.read(lambda: reading.recall(key, lambda: _dump(there.shoe(number)))))


def _dump(exported: ExportedShoe | None) -> str:
    if exported is None:
        raise WebError("no_such_shoe")
    return dump_shoe(exported)


async def log(request: ApiRequest) -> list[LogLine]:
    table_in_path(request)
    table, query, index = request.path.table, request.query, request.server.index
    recalled = await request.read(lambda: list(islice(index.log(table, query.after), query.limit)))
    viewer = Viewer("auditor")
    return [
        LogLine(one.position, one.version, one.at, one.actor, one.command, one.postings, event)
        for one in recalled
        if (event := seen_event(one, viewer)) is not None
    ]


OPERATIONS = (
    get(
        "/api/tables/{table}/rounds",
        "Rounds that are over, newest first",
        PLAYER,
        rounds,
        list[f.RoundLine],
        path=TablePath,
        query=RoundPage,
        faults=("no_such_table",),
    ),
    get(
        "/api/tables/{table}/rounds/{number}",
        "One round, event by event and step by step, with its clauses",
        PLAYER,
        round_by_steps,
        RoundTold,
        path=NumberPath,
        faults=("no_such_table", "no_such_round"),
    ),
    get(
        "/api/tables/{table}/rounds/{number}/record",
        "One round as a record that `casinowar replay` plays again",
        PLAYER,
        record,
        dict[str, Any],
        path=NumberPath,
        query=RecordForm,
        media=(JSON, TOML),
        faults=("no_such_table", "no_such_round"),
    ),
    get(
        "/api/tables/{table}/shoes",
        "Every shoe committed to under the table's name, through all its openings, and what became of it",
        ANYONE,
        shoes,
        tuple[ListedShoe, ...],
        path=TablePath,
        faults=("no_such_table",),
    ),
    get(
        "/api/tables/{table}/shoes/{number}",
        "A shoe as far as it is public, for `casinowar verify`",
        ANYONE,
        shoe,
        ExportedShoe,
        path=NumberPath,
        faults=("no_such_table", "no_such_shoe"),
    ),
    get(
        "/api/tables/{table}/log",
        "The table's log with its postings",
        LOG_READERS,
        log,
        list[LogLine],
        path=TablePath,
        query=LogPage,
        faults=("no_such_table",),
    ),
)
