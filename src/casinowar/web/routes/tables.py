"""Tables: the lobby, opening one, looking at one, and commands to one."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec

from casinowar import protocol as f
from casinowar.engine.roles import FLOOR
from casinowar.engine.view import Viewer
from casinowar.house.house import LobbyLine
from casinowar.house.settings import TableSettings
from casinowar.house.table.command_kinds import ClientCommand
from casinowar.house.table.preview import REASON, Preview
from casinowar.house.table.visibility import can_look, live_view
from casinowar.rulebooks import RulebookError, is_known, load_rulebook
from casinowar.rulebooks.files import is_path
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ANYONE, PLAYER, ApiRequest, Reply, get, parse, post
from casinowar.web.http.replies import (
    DONE,
    Identified,
    StaffReason,
    TablePath,
    Version,
    check_allowed,
    live_table,
    reply_of,
    reply_to,
)


class NewTable(Identified, frozen=True, forbid_unknown_fields=True):
    settings: TableSettings
    reason: StaffReason


class NewPrivateTable(Identified, frozen=True, forbid_unknown_fields=True):
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    bots: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Literal["player", "watcher", "dealer", "supervisor", "auditor"] = "player"


class SentCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"part": "as"}):
    command: msgspec.Raw
    part: f.Part = "player"
    reason: f.Reason = ""


class TableAsk(SentCommand, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"part": "as"}):
    """One command to the table of the address."""

    id: f.Id
    expected: Version


class TableTry(SentCommand, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"part": "as"}):
    """One command that shall not be done; without `expected` at the table as it is."""

    expected: Version | None = None


def lobby(request: ApiRequest) -> list[LobbyLine]:
    """The lobby. A private table is shown to its owner and to staff; others come in by its name."""
    house, name = request.server.house, request.caller.name if request.caller else ""
    return [
        msgspec.structs.replace(line, own_box=house.tables[line.name].box_of(name) if name else None)
        for line in _shown_to(request, house.lobby())
    ]


def _shown_to(request: ApiRequest, lines: Iterable[LobbyLine]) -> Iterable[LobbyLine]:
    name = request.caller.name if request.caller else ""
    sees_all = bool(name and request.server.roles(name))
    return (line for line in lines if line.owner in (None, name) or sees_all)


def join_lobby(
    request: ApiRequest, own: list[dict[str, Any]], others: list[Any], missing: list[str]
) -> list[dict[str, Any]]:
    """The lines of all servers, in the order in which the tables were listed. A missing table cannot be played."""
    house = request.server.house
    order = {name: at for at, name in enumerate(house.listed)}
    kept = msgspec.to_builtins(list(_shown_to(request, house.undecided_lines(missing))))
    lines = {line["name"]: line for lines in (kept, *others, own) for line in lines}
    return sorted(lines.values(), key=lambda line: order.get(line["name"], len(order)))


def open_table(request: ApiRequest) -> Reply:
    house, body = request.server.house, request.body
    if not _is_named_book(body.settings.rulebook):
        _check_rulebook(request, body.settings.rulebook)
    return reply_to(request, house.open_table(request.who, body.id, body.settings, body.reason))


def open_private(request: ApiRequest) -> Reply:
    """Open a private table. It counts as a message, as a command does."""
    check_allowed(request.server.allows_message(request.known.name, request.address))
    body = request.body
    _check_rulebook(request, body.rulebook)
    bots = ("war",) * body.bots
    house, player = request.server.house, request.known.name
    return reply_to(request, house.open_private(player, body.id, body.rulebook, bots, request.address))


def _is_named_book(rulebook: str) -> bool:
    """Whether it is a house rulebook in the configuration folder of this machine's user, by its name."""
    try:
        return not is_path(rulebook) and bool(load_rulebook(rulebook))
    except RulebookError:
        return False


def _check_rulebook(request: ApiRequest, rulebook: str) -> None:
    """Refuse a rulebook that is neither packaged nor played at a table here: no path may come in over the web."""
    used = {one.settings.rulebook for one in request.server.house.tables.values()}
    if not is_known(rulebook) and rulebook not in used:
        raise WebError("no_such_rulebook")


def look(request: ApiRequest) -> f.LiveView:
    live, role, caller = live_table(request), request.query.role, request.known
    if not can_look(request.server.roles(caller.name), role):
        raise WebError("not_allowed")
    check_allowed(request.server.snapshots.allows(request.address))
    return live_view(live, Viewer(role, caller.name if role == "player" else ""))


def command(request: ApiRequest) -> Reply:
    """Send a command to a table. It counts as a message, whichever way it comes."""
    table = live_table(request).name
    check_allowed(request.server.allows_message(request.known.name, request.address))
    body = request.body
    parse(bytes(body.command), ClientCommand, request.server.limits.depth)
    frame = f.CommandFrame(
        id=body.id,
        table=table,
        expected=body.expected,
        command=body.command,
        part=body.part,
        reason=body.reason,
    )
    return reply_of(request.server.act(request.known.name, frame, request.address))


def try_command(request: ApiRequest) -> Preview:
    """What a command would do. The reason is needed only when it is done; one that is given is shown."""
    live = live_table(request)
    check_allowed(request.server.allows_preview(request.known.name, request.address))
    body = request.body
    command = parse(bytes(body.command), ClientCommand, request.server.limits.depth)
    frame = f.CommandFrame(
        id=REASON,
        table=live.name,
        expected=live.version if body.expected is None else body.expected,
        command=body.command,
        part=body.part,
        reason=body.reason or REASON,
    )
    return request.server.house.preview(request.who, frame, command)


OPERATIONS = (
    get(
        "/api/tables",
        "The lobby: every table with its book, limits and seats",
        ANYONE,
        lobby,
        list[LobbyLine],
        join=join_lobby,
    ),
    post(
        "/api/tables",
        "Open a table",
        FLOOR,
        open_table,
        f.Done,
        body=NewTable,
        faults=("no_such_rulebook",),
        is_refusable=True,
        example_body={
            "id": "6f1c",
            "settings": {"name": "high", "rulebook": "nz", "limit": {"minimum": 10_000, "maximum": 100_000}},
            "reason": "Saturday night",
        },
        example={**DONE, "table": "high"},
    ),
    post(
        "/api/tables/private",
        "Open a table of your own, with players that the house runs",
        PLAYER,
        open_private,
        f.Done,
        body=NewPrivateTable,
        faults=("no_such_rulebook",),
        is_refusable=True,
        example_body={"id": "6f1c", "rulebook": "nz", "bots": 3},
        example={**DONE, "table": "private-9c1f2ab34d"},
    ),
    get(
        "/api/tables/{table}",
        "The table as you see it, in one of your roles",
        PLAYER,
        look,
        f.LiveView,
        path=TablePath,
        query=Look,
        faults=("no_such_table", "not_allowed"),
    ),
    post(
        "/api/tables/{table}/commands",
        "One command to the table",
        PLAYER,
        command,
        f.Done,
        path=TablePath,
        body=TableAsk,
        faults=("no_such_table",),
        is_refusable=True,
        example_body={"id": "6f1c", "expected": 41, "command": {"do": "sit", "box": 2}},
        example=DONE,
    ),
    post(
        "/api/tables/{table}/preview",
        "What a command would do, done nowhere",
        PLAYER,
        try_command,
        Preview,
        path=TablePath,
        body=TableTry,
        faults=("no_such_table",),
        example_body={"command": {"do": "surrender", "player": "ana", "box": 2}, "as": "player"},
    ),
)
