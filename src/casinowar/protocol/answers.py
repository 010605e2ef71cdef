"""Answers of the server to a command, and the frames that it sends over the WebSocket."""

from typing import Any

import msgspec

from casinowar.engine.commands.values import tag_of
from casinowar.protocol.views import CardShown, LiveView


class ServerStruct(msgspec.Struct, frozen=True, tag_field="type", tag=tag_of):
    """What all frames of the server have in common."""


class Done(ServerStruct, frozen=True):
    """The command was done and is on the disk; the table is at `version` after it.

    >>> from casinowar.client import Done
    >>> Done("1", "nz", 8).version
    8
    """

    id: str
    table: str
    version: int


class Refused(ServerStruct, frozen=True):
    """Nothing changed. `code` is stable, `says` is for people, `clauses` are the rules behind it.

    `request` is what another member of staff can countersign: that it waits is in the log.
    """

    id: str
    code: str
    says: str
    clauses: tuple[str, ...] = ()
    request: str | None = None


Answer = Done | Refused


class Snapshot(ServerStruct, frozen=True):
    """How the table stands, and what has been told of the round that is on."""

    table: str
    view: LiveView
    events: list[dict[str, Any]] = []


class Happened(ServerStruct, frozen=True, tag="events"):
    """What happened up to `version`, the proofs of the cards turned, and the view.

    A view may come in parts. Each part takes the place of the one before it, with three exceptions: the parts of the
    inner `view` do so one by one, its `boxes` by their number and each part of a box by itself, and of `rounds` those
    that are new come behind the others, or in the place of the one of their number, and the last 20 are kept. `own`
    are further parts, which are the viewer's alone; they come after those of `view`.

    >>> from casinowar.client import Happened, typed_events
    >>> happened = Happened("nz", 7, [{"name": "betting_called", "version": 7, "at": 0}], (), {})
    >>> [type(one.event).__name__ for one in typed_events(happened)]
    ['BettingCalled']
    """

    table: str
    version: int
    events: list[dict[str, Any]]
    proofs: tuple[CardShown, ...]
    view: dict[str, Any]
    own: dict[str, Any] = {}


class Failed(ServerStruct, frozen=True, tag="error"):
    """A frame that could not be taken; `id` and `table` where it had them."""

    code: str
    says: str
    id: str | None = None
    table: str | None = None


class Goodbye(ServerStruct, frozen=True):
    """The server ends the connection, and why."""

    code: str
    says: str


class Pong(ServerStruct, frozen=True):
    """The answer to a ping."""


class FloorChanged(ServerStruct, frozen=True, tag="floor"):
    """What waits for the floor at this table has changed: the pit has it."""

    table: str


ServerFrame = Done | Refused | Snapshot | Happened | Failed | Goodbye | Pong | FloorChanged
