"""Replies and checks that several operations share: parts of addresses, refusals, and the answer of the house."""

from collections.abc import Callable
from typing import Annotated

import msgspec

from casinowar import protocol as f
from casinowar.house.table.table import LiveTable
from casinowar.house.tables import ClosedTable
from casinowar.rulebooks import is_known
from casinowar.web.http.errors import Fault, WebError, status_of
from casinowar.web.http.operations import ApiRequest, Reply

Number = Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
Version = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
PlayerName = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.-]+\Z")]
StaffReason = Annotated[str, msgspec.Meta(min_length=3, max_length=200)]


class TablePath(msgspec.Struct, frozen=True):
    table: f.TableName


class NumberPath(msgspec.Struct, frozen=True):
    table: f.TableName
    number: Number


class PlayerPath(msgspec.Struct, frozen=True):
    player: PlayerName


class Identified(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`id` is the client's own; the same id again is the same request, and gets the same answer."""

    id: f.Id


def check_allowed(is_allowed: bool) -> None:
    """Refuse what comes too fast."""
    if not is_allowed:
        raise WebError("too_fast", retry_after=1)


def check_book(id: str) -> None:
    """Refuse a book that is not on the shelf."""
    if not is_known(id):
        raise WebError("no_such_rulebook")


def live_table(request: ApiRequest) -> LiveTable:
    """The live table named in the path."""
    live = request.server.house.tables.get(request.path.table)
    if live is None:
        raise WebError("no_such_table")
    return live


def table_in_path(request: ApiRequest) -> LiveTable | ClosedTable:
    """The live or closed table named in the path."""
    found = request.server.house.table_or_closed(request.path.table)
    if found is None:
        raise WebError("no_such_table")
    return found


async def reply_about_round(
    request: ApiRequest, there: LiveTable | ClosedTable, what: tuple[object, ...], tell: Callable[[], object]
) -> Reply:
    """The reply about the round in the path, told in the thread that reads the log and kept until the round changes."""
    server, table, number = request.server, request.path.table, request.path.number

    def reply() -> Reply:
        key = (*what, there.stream, number, server.index.span(table, number).last)
        return Reply(server.log_reader.recall(key, lambda: msgspec.json.encode(tell())))

    return await request.read(reply)


def reply_to(request: ApiRequest, answer: f.Done | f.Refused) -> Reply:
    """The reply to a command: what the house answered, counted in the metrics."""
    return reply_of(request.server.note_answer(answer))


def reply_of(answer: f.Done | f.Refused) -> Reply:
    """The reply that an answer of the house becomes."""
    if isinstance(answer, f.Done):
        return Reply(answer)
    return Reply(Fault(answer.code, answer.says, answer.clauses, answer.request), status_of(answer.code))


DONE = {"type": "done", "id": "6f1c", "table": "nz", "version": 42}
