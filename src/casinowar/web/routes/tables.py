"""Tables: the lobby, opening one, looking at one, and commands to one."""

from typing import Annotated, Literal

import msgspec

from casinowar.engine.roles import FLOOR
from casinowar.engine.view import Viewer
from casinowar.house.house import LobbyLine
from casinowar.house.settings import TableSettings
from casinowar.house.table.preview import REASON, Preview
from casinowar.protocol import frames as f
from casinowar.rulebooks import RulebookError, is_known, load_rulebook
from casinowar.rulebooks.files import is_path
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import Asking, Operation, Reply, parse
from casinowar.web.http.replies import DONE, StaffReason, TablePath, check_table, reply_to, told
from casinowar.web.socket.command_list import Askable
from casinowar.web.socket.rights import can_look


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: f.Id
    settings: TableSettings
    reason: StaffReason


class NewPrivateTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: f.Id
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    bots: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Literal["player", "watcher", "dealer", "supervisor", "auditor"] = "player"


class TableAsk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"part": "as"}):
    """One command to the table of the address."""

    id: f.Id
    expected: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    command: msgspec.Raw
    part: f.Part = "player"
    reason: f.Reason = ""


class TableTry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"part": "as"}):
    """One command that shall not be done; without `expected` at the table as it is."""

    command: msgspec.Raw
    expected: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] | None = None
    part: f.Part = "player"
    reason: f.Reason = ""


def lobby(asking: Asking) -> list[LobbyLine]:
    """A private table is shown to its owner and to staff; others come in by its name."""
    house, name = asking.server.house, asking.caller.name if asking.caller else ""
    sees_all = bool(name and asking.server.roles(name))
    return [
        msgspec.structs.replace(line, own_box=house.tables[line.name].box_of(name) if name else None)
        for line in house.lobby()
        if line.owner in (None, name) or sees_all
    ]


def open_table(asking: Asking) -> Reply:
    house, body = asking.server.house, asking.body
    if not _is_named_book(body.settings.rulebook):
        _check_rulebook(asking, body.settings.rulebook)
    who = asking.server.who(asking.known.name)
    return reply_to(asking, house.open_table(who, body.id, body.settings, body.reason))


def open_private(asking: Asking) -> Reply:
    """What opens a table is a message, as a command is."""
    if not asking.server.allows_message(asking.known.name, asking.address):
        raise WebError("too_fast", retry_after=1)
    body = asking.body
    _check_rulebook(asking, body.rulebook)
    bots = ("war",) * body.bots
    house, player = asking.server.house, asking.known.name
    return reply_to(asking, house.open_private(player, body.id, body.rulebook, bots, asking.address))


def _is_named_book(rulebook: str) -> bool:
    """A house rulebook that lies under its name where this machine's user keeps them."""
    try:
        return not is_path(rulebook) and bool(load_rulebook(rulebook))
    except RulebookError:
        return False


def _check_rulebook(asking: Asking, rulebook: str) -> None:
    """A path must not come in over the web: the books on the shelf, and those that the operator's own tables have."""
    used = {one.settings.rulebook for one in asking.server.house.tables.values()}
    if not is_known(rulebook) and rulebook not in used:
        raise WebError("no_such_rulebook")


def look(asking: Asking) -> f.LiveView:
    check_table(asking)
    house, role, caller = asking.server.house, asking.query.role, asking.known
    if not can_look(asking.server.roles(caller.name), role):
        raise WebError("not_allowed")
    if not asking.server.snapshots.allows(asking.address):
        raise WebError("too_fast", retry_after=1)
    return house.tables[asking.path.table].view(Viewer(role, caller.name if role == "player" else ""))


def command(asking: Asking) -> Reply:
    """A command is a message, whichever way it comes."""
    check_table(asking)
    if not asking.server.allows_message(asking.known.name, asking.address):
        raise WebError("too_fast", retry_after=1)
    body = asking.body
    parse(bytes(body.command), Askable, asking.server.limits.depth)
    ask = f.Ask(
        id=body.id,
        table=asking.path.table,
        expected=body.expected,
        command=body.command,
        part=body.part,
        reason=body.reason,
    )
    return told(asking.server.act(asking.known.name, ask, asking.address))


def tried(asking: Asking) -> Preview:
    """A reason is asked for when it is done; one that is there stands in what is shown."""
    check_table(asking)
    if not asking.server.allows_preview(asking.known.name, asking.address):
        raise WebError("too_fast", retry_after=1)
    body, house = asking.body, asking.server.house
    command = parse(bytes(body.command), Askable, asking.server.limits.depth)
    version = house.tables[asking.path.table].version
    ask = f.Ask(
        id=REASON,
        table=asking.path.table,
        expected=version if body.expected is None else body.expected,
        command=body.command,
        part=body.part,
        reason=body.reason or REASON,
    )
    return house.preview(asking.server.who(asking.known.name), ask, command)


OPERATIONS = (
    Operation(
        method="GET",
        at="/api/tables",
        says="The lobby: every table with its book, limits and seats",
        roles=("anyone",),
        run=lobby,
        gives=list[LobbyLine],
    ),
    Operation(
        method="POST",
        at="/api/tables",
        says="Open a table",
        roles=FLOOR,
        run=open_table,
        body=NewTable,
        gives=f.Done,
        faults=("no_such_rulebook",),
        is_refusable=True,
        example_body={
            "id": "6f1c",
            "settings": {"name": "high", "rulebook": "nz", "limit": {"minimum": 10_000, "maximum": 100_000}},
            "reason": "Saturday night",
        },
        example={**DONE, "table": "high"},
    ),
    Operation(
        method="POST",
        at="/api/tables/private",
        says="Open a table of your own, with players that the house runs",
        roles=("player",),
        run=open_private,
        body=NewPrivateTable,
        gives=f.Done,
        faults=("no_such_rulebook",),
        is_refusable=True,
        example_body={"id": "6f1c", "rulebook": "nz", "bots": 3},
        example={**DONE, "table": "private-9c1f2ab34d"},
    ),
    Operation(
        method="GET",
        at="/api/tables/{table}",
        says="The table as you see it, in one of your roles",
        roles=("player",),
        run=look,
        path=TablePath,
        query=Look,
        gives=f.LiveView,
        faults=("no_such_table", "not_allowed"),
    ),
    Operation(
        method="POST",
        at="/api/tables/{table}/commands",
        says="One command to the table",
        roles=("player",),
        run=command,
        path=TablePath,
        body=TableAsk,
        gives=f.Done,
        faults=("no_such_table",),
        is_refusable=True,
        example_body={"id": "6f1c", "expected": 41, "command": {"do": "sit", "box": 2}},
        example=DONE,
    ),
    Operation(
        method="POST",
        at="/api/tables/{table}/preview",
        says="What a command would do, done nowhere",
        roles=("player",),
        run=tried,
        path=TablePath,
        body=TableTry,
        gives=Preview,
        faults=("no_such_table",),
        example_body={"command": {"do": "surrender", "player": "ana", "box": 2}, "as": "player"},
    ),
)
