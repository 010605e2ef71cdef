"""What has been: rounds, their records, shoes, and the log as supervisors and auditors read it."""

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from casinowar.engine.view import Viewer
from casinowar.fairness import ExportedShoe, dump_shoe
from casinowar.store import Posting
from casinowar.table import format_record
from casinowar.table import frames as f
from casinowar.table.keeper import ListedShoe
from casinowar.table.rounds import round_record
from casinowar.table.sight import seen_event
from casinowar.web.answering import Number, NumberPath, TablePath, Version, check_table
from casinowar.web.errors import WebError
from casinowar.web.operations import JSON, Asking, Operation, Reply, Role

T = TypeVar("T")
TOML = "application/toml"
LOG_READERS: tuple[Role, ...] = ("supervisor", "auditor")


class RoundPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: Number | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 10


class LogPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    after: Version = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100


class RecordForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["json", "toml"] = "json"


class RoundTold(msgspec.Struct, frozen=True):
    """A round's events in order, each with its clauses, as the viewer may see them; proofs are with the shoe."""

    table: str
    number: int
    events: list[dict[str, Any]]


class LogLine(msgspec.Struct, frozen=True):
    """An event of the log. `at` is milliseconds UTC and orders nothing; the version does."""

    position: int
    version: int
    at: int
    actor: str
    command: str
    postings: tuple[Posting, ...]
    event: dict[str, Any]


def rounds(asking: Asking) -> Any:
    check_table(asking)
    query, index = asking.query, asking.server.index
    return _read(asking, lambda: index.lines(asking.path.table, query.before, query.limit))


async def round_told(asking: Asking) -> RoundTold:
    check_table(asking)
    table, number = asking.path.table, asking.path.number
    recalled = await _read(asking, lambda: asking.server.index.events(table, number))
    if not recalled:
        raise WebError("no_such_round")
    viewer = Viewer("player", asking.known.name)
    return RoundTold(table, number, [told for one in recalled if (told := seen_event(one, viewer)) is not None])


async def record(asking: Asking) -> Reply:
    check_table(asking)
    table, number = asking.path.table, asking.path.number
    index = asking.server.index

    def made() -> str:
        if number not in index.spans(table):
            raise WebError("no_such_round")
        try:
            return format_record(round_record(index.log(table), number), f".{asking.query.format}")
        except LookupError:
            raise WebError("no_such_round") from None

    return Reply(await _read(asking, made), media=JSON if asking.query.format == "json" else TOML)


def shoes(asking: Asking) -> tuple[ListedShoe, ...]:
    check_table(asking)
    return asking.server.house.tables[asking.path.table].shoes()


def shoe(asking: Asking) -> Reply:
    check_table(asking)
    exported = asking.server.house.tables[asking.path.table].shoe(asking.path.number)
    if exported is None:
        raise WebError("no_such_shoe")
    return Reply(dump_shoe(exported))


async def log(asking: Asking) -> list[LogLine]:
    check_table(asking)
    table, query, index = asking.path.table, asking.query, asking.server.index
    recalled = await _read(asking, lambda: list(islice(index.log(table, query.after), query.limit)))
    viewer = Viewer("auditor")
    return [
        LogLine(one.position, one.version, one.at, one.actor, one.command, one.postings, event)
        for one in recalled
        if (event := seen_event(one, viewer)) is not None
    ]


async def _read(asking: Asking, work: Callable[[], T]) -> T:
    """One reading at a time, beside the thread that deals."""
    return await asyncio.get_running_loop().run_in_executor(asking.server.reading, work)


OPERATIONS = (
    Operation(
        method="GET",
        at="/api/tables/{table}/rounds",
        says="Rounds that are over, newest first",
        roles=("player",),
        run=rounds,
        path=TablePath,
        query=RoundPage,
        gives=list[f.RoundLine],
        faults=("no_such_table",),
    ),
    Operation(
        method="GET",
        at="/api/tables/{table}/rounds/{number}",
        says="One round, event by event, with its clauses",
        roles=("player",),
        run=round_told,
        path=NumberPath,
        gives=RoundTold,
        faults=("no_such_table", "no_such_round"),
    ),
    Operation(
        method="GET",
        at="/api/tables/{table}/rounds/{number}/record",
        says="One round as a record that `casinowar replay` plays again",
        roles=("player",),
        run=record,
        path=NumberPath,
        query=RecordForm,
        gives=dict[str, Any],
        media=(JSON, TOML),
        faults=("no_such_table", "no_such_round"),
    ),
    Operation(
        method="GET",
        at="/api/tables/{table}/shoes",
        says="Every shoe that the table has committed to, and what became of it",
        roles=("anyone",),
        run=shoes,
        path=TablePath,
        gives=tuple[ListedShoe, ...],
        faults=("no_such_table",),
    ),
    Operation(
        method="GET",
        at="/api/tables/{table}/shoes/{number}",
        says="A shoe as far as it is public, for `casinowar verify`",
        roles=("anyone",),
        run=shoe,
        path=NumberPath,
        gives=ExportedShoe,
        faults=("no_such_table", "no_such_shoe"),
    ),
    Operation(
        method="GET",
        at="/api/tables/{table}/log",
        says="The table's log with its postings",
        roles=LOG_READERS,
        run=log,
        path=TablePath,
        query=LogPage,
        gives=list[LogLine],
        faults=("no_such_table",),
    ),
)
