"""The pit: every table at a glance for the floor, and the audit."""

from math import isqrt
from typing import Any

import msgspec

from casinowar import protocol as f
from casinowar.engine.commands import Limit
from casinowar.engine.roles import FLOOR
from casinowar.engine.view import Viewer
from casinowar.engine.view.procedure import Step
from casinowar.engine.view.signs import Notice
from casinowar.house.settings import TableSettings
from casinowar.house.table.floor_calls import Call
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import live_view
from casinowar.reports.differences import short_title
from casinowar.web.http.operations import ApiRequest, Reply, Role, get, post
from casinowar.web.http.replies import StaffReason, reply_of
from casinowar.web.workers.background_audit import AuditState
from casinowar.web.workers.hold import MOST_INCIDENTS, FloorPoint, Hold, IncidentLine
from casinowar.words.refusals import refused

CALLS_SHOWN = 12
PIT: tuple[Role, ...] = (*FLOOR, "auditor")


class PitTable(msgspec.Struct, frozen=True, kw_only=True, rename={"funds": "float"}):
    """A table as the floor sees it. `float` is the house's money there; where players bank there is none.

    `due` is the next step of the procedure where it is the floor's. `settings` are those of a table that is closed, so
    that it can be opened again as it was. `away` are those who sit there and are not connected, `call` is the dealer's
    call that is open, and `unsigned` counts who has asked for voids here that nobody signed. `roles` is what the book
    calls each role of staff.
    """

    name: str
    title: str
    rulebook: str
    book_title: str
    version: int
    phase: str
    timer: f.Timer | None
    round: int
    funds: int | None
    meter: int | None
    limit: Limit
    notices: tuple[Notice, ...]
    roles: dict[str, str]
    dealer_kind: str
    boxes: int
    taken: tuple[int, ...]
    seats: int
    players: tuple[str, ...]
    bots: tuple[str, ...]
    is_paused: bool
    is_closed: bool
    owner: str | None
    stopped: str | None
    incident: str | None
    signatures: tuple[f.SignatureDue, ...]
    due: Step | None
    settings: TableSettings | None
    hold: Hold
    away: tuple[f.SeatView, ...] = ()
    call: f.CallView | None = None
    unsigned: dict[str, int] = {}


class PastCall(Call, frozen=True, kw_only=True):
    """A call for the floor: when, who took it after how many milliseconds, and whether it is over."""

    table: str


class Pit(msgspec.Struct, frozen=True, kw_only=True):
    """All tables, the audit, and the state of the house: shoes not opened yet, the sum of all accounts."""

    tables: list[PitTable]
    audit: AuditState
    incidents: list[IncidentLine]
    floor: list[FloorPoint]
    unopened: int
    trial_balance: int
    out_of_service: str | None
    calls: list[PastCall] = []


class AuditWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: StaffReason


async def pit(request: ApiRequest) -> Pit:
    """All tables on the floor. A closed table of the house stays; a private one that is closed and empty goes."""
    server = request.server
    house, holds = server.house, server.holds
    there = [
        live
        for live in house.tables.values()
        if live.settings.owner is None or not live.table.is_closed or any(live.table.players.values())
    ]
    seen = [_pit_table(live) for live in there]
    names, calls = [live.name for live in there], _calls(there)
    balance = 0 if house.out_of_service is not None else house.store.total()
    unopened = sum(live.keeper.unopened for live in there)

    def floor() -> Pit:
        return Pit(
            tables=[msgspec.structs.replace(one, hold=holds.hold(one.name)) for one in seen],
            audit=server.audit.state,
            incidents=holds.incidents(names),
            floor=holds.floor(names),
            unopened=unopened,
            trial_balance=balance,
            out_of_service=house.out_of_service,
            calls=calls,
        )

    return await request.read(floor)


def join_pit(request: ApiRequest, own: dict[str, Any], others: list[Any], missing: list[str]) -> dict[str, Any]:
    """The pit with the tables of all servers, in the order in which they were listed."""
    order = {name: at for at, name in enumerate(request.server.house.listed)}
    all_of = [own, *others]
    tables = {one["name"]: one for pit in reversed(all_of) for one in pit["tables"]}
    return {
        **own,
        "tables": sorted(tables.values(), key=lambda one: order.get(one["name"], len(order))),
        "incidents": _newest(all_of, "incidents", MOST_INCIDENTS),
        "calls": _newest(all_of, "calls", CALLS_SHOWN),
        "floor": _join_floor([pit["floor"] for pit in all_of]),
        "unopened": sum(pit["unopened"] for pit in all_of),
    }


def _newest(pits: list[Any], part: str, most: int) -> list[Any]:
    return sorted((one for pit in pits for one in pit[part]), key=lambda one: one["at"], reverse=True)[:most]


def _join_floor(floors: list[list[dict[str, int]]]) -> list[dict[str, int]]:
    """The points of all servers: the rounds of one behind those of the other, and variances add up."""
    found, before = list[dict[str, int]](), {"rounds": 0, "actual": 0, "expected": 0, "low": 0, "high": 0}
    for floor in (one for one in floors if one):
        start = before
        for point in floor:
            sums = {name: start[name] + point[name] for name in ("rounds", "actual", "expected")}
            band = isqrt((start["high"] - start["expected"]) ** 2 + (point["high"] - point["expected"]) ** 2)
            before = {**sums, "low": sums["expected"] - band, "high": sums["expected"] + band}
            found.append(before)
    return found


def _pit_table(live: LiveTable) -> PitTable:
    """A table for the pit. The next step is due from the floor only where a role is named and real cards are dealt."""
    whole = live_view(live, Viewer("supervisor"))
    view, table = whole.view, live.table
    return PitTable(
        name=live.name,
        title=whole.title,
        rulebook=live.rules.id,
        book_title=short_title(live.rules),
        version=live.version,
        phase=table.phase,
        timer=whole.timer,
        round=table.round.number,
        funds=None if view.is_player_banked else table.house,
        meter=view.signs.meter,
        limit=table.limit,
        notices=view.signs.notices,
        roles=view.signs.roles,
        dealer_kind=live.settings.dealer,
        boxes=live.rules.table.boxes,
        taken=tuple(sorted(table.seats)),
        seats=len(table.seats),
        players=tuple(live.humans),
        bots=tuple(live.bots),
        is_paused=live.is_paused,
        is_closed=table.is_closed,
        owner=live.settings.owner,
        stopped=live.stopped,
        incident=view.incident,
        signatures=whole.signatures,
        due=next((step for step in view.procedure[:1] if step.role is not None and not live.is_sealed), None),
        settings=live.settings if table.is_closed and live.settings.owner is None else None,
        hold=Hold(0, 0, 0),
        away=tuple(seat for seat in whole.seats if seat.away is not None),
        call=whole.call,
        unsigned={person: count for person, count in live.pending.unsigned.items() if count},
    )


def _calls(tables: list[LiveTable]) -> list[PastCall]:
    """The last calls of all tables, the newest first."""
    calls = [
        msgspec.convert({"table": live.name, **msgspec.structs.asdict(one)}, PastCall)
        for live in tables
        for one in live.calls.kept
    ]
    return sorted(calls, key=lambda one: one.at, reverse=True)[:CALLS_SHOWN]


def start_audit(request: ApiRequest) -> AuditState | Reply:
    """Start the audit. One that runs already is not started again, and leaves no second note."""
    server, who = request.server, request.who
    if server.audit.state.state == "running":
        return server.audit.state
    part = next(role for role in PIT if role in who.roles)
    refusal = server.house.note_audit(f"{part}:{who.name}", request.body.reason)
    if refusal is not None:
        return reply_of(refused("", refusal))
    return server.audit.start(server.house.store.now())


OPERATIONS = (
    get(
        "/api/pit",
        "Every table at a glance, what it holds against what it should, incidents, the audit",
        PIT,
        pit,
        Pit,
        join=join_pit,
    ),
    post(
        "/api/pit/audit",
        "Audit the house in the background; how it stands is in the pit",
        PIT,
        start_audit,
        AuditState,
        body=AuditWanted,
        is_refusable=True,
        example_body={"reason": "before the night begins"},
        example={"state": "running", "at": 1_760_000_000_000, "findings": [], "counts": {}},
    ),
)
