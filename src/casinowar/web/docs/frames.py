"""The frames of the WebSocket for the documentation: each with its schema and an example from a real table."""

from functools import cache
from typing import Any

import msgspec

from casinowar import protocol as f
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.view import Viewer, view
from casinowar.rulebooks import load_rulebook
from casinowar.web.docs.openapi import for_others

REF = "#/components/schemas/{name}"
COMMANDS = "TableCommand"


class Frame(msgspec.Struct, frozen=True):
    """One kind of frame; `name` is that of its schema."""

    name: str
    is_from_client: bool
    example: dict[str, Any]


class FramesDoc(msgspec.Struct, frozen=True):
    """All frames in their order, and the schemas that they are made of, by name."""

    frames: tuple[Frame, ...]
    schemas: dict[str, dict[str, Any]]


@cache
def frames_doc() -> FramesDoc:
    (_, _, asked), schemas = msgspec.json.schema_components(
        [f.ClientFrame, f.ServerFrame, f.AnyCommand], ref_template=REF
    )
    schemas = for_others(schemas)
    commands: dict[str, Any] = {"description": "What somebody asks of a table.", **asked}
    schemas = {**schemas, COMMANDS: commands}
    schemas["Command"]["properties"]["command"] = {"$ref": REF.format(name=COMMANDS)}
    frames = tuple(Frame(type(one).__name__, isinstance(one, f.ClientFrame), _plain(one)) for one in _examples())
    return FramesDoc(frames, schemas)


def _examples() -> list[f.ClientFrame | f.ServerFrame]:
    """The example frames of a wager of 10.00, from the moment before it to what everybody is told of it."""
    events, table = _play(Table(), c.OpenTable(limit=c.Limit(minimum=500, maximum=50_000, unit=500)))
    events, table = _play(table, c.BuyIn(player="ana", amount=20_000))
    before = _live(table, 4)
    asked = {"do": "place_wager", "player": "ana", "box": 2, "wager": "initial", "amount": 1_000}
    events, table = _play(table, msgspec.convert(asked, c.PlaceWager))
    after, was = _plain(_live(table, 4 + len(events))), _plain(before)
    inner = {key: value for key, value in after["view"].items() if value != was["view"][key]}
    own = {"view": {"balance": inner.pop("balance")}}
    inner["boxes"] = [{"box": 2, "wagers": after["view"]["boxes"][1]["wagers"]}]
    changed = {"version": after["version"], "timer": after["timer"], "view": inner}
    return [
        f.Watch(table="nz", views="parts"),
        f.Unwatch(table="nz"),
        f.Command(id="b1946ac9-1", table="nz", expected=4, command=msgspec.Raw(msgspec.json.encode(asked))),
        f.Ping(),
        f.WatchFloor(),
        f.Snapshot("nz", before),
        f.Done("b1946ac9-1", "nz", after["version"]),
        f.Happened("nz", after["version"], [_plain(one) for one in events], (), changed, own),
        f.Refused("b1946ac9-2", "wager_off_unit", "the wager is not a multiple of the unit", ("NZ-5.1",)),
        f.Failed("malformed", "this is no JSON, or it is nested too deeply"),
        f.Goodbye("logged_out", "the session has ended"),
        f.Pong(),
        f.FloorChanged("nz"),
    ]


def _plain(value: object) -> Any:
    """The frame as it goes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _play(table: Table, command: c.Command) -> tuple[list[Event], Table]:
    done = step(load_rulebook("nz"), table, command)
    assert not isinstance(done, Refusal)
    return done


def _live(table: Table, version: int) -> f.LiveView:
    seats = (f.SeatView(2, "ana", is_present=True, is_leaving=False, is_ready=False, strategy=None),)
    return f.LiveView(
        table="nz",
        title="New Zealand",
        version=version,
        turn=4,
        view=view(load_rulebook("nz"), table, Viewer("player", "ana")),
        dealer_kind="automatic",
        timeout="surrender",
        timer=f.Timer("betting", 14_200),
        is_paused=False,
        stopped=None,
        seal=f.SealView("none_yet"),
        seats=seats,
        rounds=(),
        currency="play money",
        minor_digits=2,
        purse=80_000,
    )
