"""The player's own account: purse, limits, breaks, refills and last rounds."""

from typing import Annotated, Any

import msgspec

from casinowar import protocol as f
from casinowar.house.house import PlayerView
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import ANYONE, PLAYER, ApiRequest, Reply, get, post, put
from casinowar.web.http.replies import DONE, Identified, reply_to
from casinowar.web.peers.messages import Return
from casinowar.web.server import OtherServers, Server
from casinowar.web.workers.round_index import RoundOfTable, last_rounds

REFILL_TURNS = 3
"""So often other servers are asked for a player's chips."""

Minutes = Annotated[int, msgspec.Meta(ge=1, le=1_440)]
LongMinutes = Annotated[int, msgspec.Meta(ge=1, le=525_600)]
Loss = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class OwnLimits(Identified, frozen=True, forbid_unknown_fields=True):
    """Most to lose and to play in a day of UTC; null is no limit. A looser one counts from a day later on."""

    loss: Loss | None
    minutes: Minutes | None


class Break(Identified, frozen=True, forbid_unknown_fields=True):
    minutes: LongMinutes


class LastRounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 10


Me = msgspec.defstruct(
    "Me",
    [*((one.name, one.type) for one in msgspec.structs.fields(PlayerView)), ("roles", list[str]), ("is_guest", bool)],
)
"""The player's account, with the roles of the login."""

Whose = msgspec.defstruct("Whose", [("me", Me | None)])
"""The player whose login a request came with. None is no fault: a page need not know before."""


def me(request: ApiRequest) -> dict[str, object]:
    server, caller = request.server, request.known
    view = msgspec.to_builtins(server.house.player(caller.name))
    return {**view, "roles": sorted(server.roles(caller.name)), "is_guest": caller.account.is_guest}


def join_me(request: ApiRequest, own: dict[str, Any], others: list[Any], missing: list[str]) -> dict[str, Any]:
    """The account with its chips at the tables of all servers, and at those that are missing as the log has them."""
    shared, settings = request.server.house.shared, request.server.house.settings
    assert shared is not None
    found = shared.held_by(own["player"], missing)
    in_log = [{table: amounts[at] for table, amounts in found.items() if any(amounts)} for at in (0, 1)]
    joined = {
        part: {table: held for one in (kept, *(told[part] for told in (*others, own))) for table, held in one.items()}
        for part, kept in zip(("chips", "on_layout"), in_log, strict=True)
    }
    has = own["purse"] + sum(sum(held.values()) for held in joined.values())
    return {**own, **joined, "can_refill": settings.refill > 0 and has < settings.refill_below}


def join_whose(request: ApiRequest, own: dict[str, Any], others: list[Any], missing: list[str]) -> dict[str, Any]:
    there = [one["me"] for one in others if one["me"] is not None]
    return own if own["me"] is None else {"me": join_me(request, own["me"], there, missing)}


def whose(request: ApiRequest) -> dict[str, object]:
    return {"me": None if request.caller is None else me(request)}


async def set_limits(request: ApiRequest) -> Reply:
    body = request.body
    reply = reply_to(request, request.server.house.set_limits(request.known.name, body.id, body.loss, body.minutes))
    await _tell_others(request)
    return reply


async def take_break(request: ApiRequest) -> Reply:
    reply = reply_to(
        request, request.server.house.take_break(request.known.name, request.body.id, request.body.minutes)
    )
    await _tell_others(request)
    return reply


async def _tell_others(request: ApiRequest) -> None:
    """Have every server know what was written, by asking it something: only then is it told to the player."""
    if request.server.peers is not None:
        await request.server.peers.call_all(request.http, "/api/me")


async def refill(request: ApiRequest) -> Reply:
    """Refill the purse. Chips at tables of other servers count as well."""
    house, peers = request.server.house, request.server.peers
    elsewhere, purse = (0, None) if peers is None else await _chips_elsewhere(request, peers)
    return reply_to(request, house.refill(request.known.name, request.body.id, elsewhere, purse))


async def _chips_elsewhere(request: ApiRequest, peers: OtherServers) -> tuple[int, int]:
    """The chips at tables that are not decided here, and what the purse held meanwhile. Where a server does not answer
    nobody knows, nor where something went from the purse or into it meanwhile, so that the same money might be in
    neither place when it was looked for."""
    server, name = request.server, request.known.name
    shared = server.house.shared
    assert shared is not None
    for _ in range(REFILL_TURNS):
        server.settle()
        since, asked = server.house.store.head().events, len(list(peers.peers()))
        purse = server.house.store.balance(f"purse:{name}")
        told = await peers.call_all(request.http, "/api/me")
        server.settle()
        held = _held_elsewhere(server, name, told)
        if len(told) >= asked and not shared.has_moved(f"purse:{name}", since):
            return held, purse
    raise WebError("busy", retry_after=1)


def _held_elsewhere(server: Server, name: str, told: list[Return]) -> int:
    """The chips that others have told of, and those at tables of which nobody has, as the log has them: a table may go
    from one server to the next meanwhile."""
    house = server.house
    assert house.shared is not None
    known = set(house.tables).union(*(one.tables for one in told))
    missing = [table for table in house.listed if table not in known and house.shared.is_open(table)]
    parts = [msgspec.json.decode(one.body)[part] for one in told for part in ("chips", "on_layout")]
    there: list[int] = [held for part in parts for table, held in part.items() if table not in house.tables]
    return sum(there) + sum(map(sum, house.shared.held_by(name, missing).values()))


def join_rounds(
    request: ApiRequest, own: list[dict[str, Any]], others: list[Any], missing: list[str]
) -> list[dict[str, Any]]:
    """The last rounds at the tables of all servers."""
    lines = [line for lines in (own, *others) for line in lines]
    return sorted(lines, key=lambda line: line["at"], reverse=True)[: request.query.limit]


def rounds(request: ApiRequest) -> list[RoundOfTable]:
    return last_rounds(request.server.house, request.known.name, request.query.limit)


OPERATIONS = (
    get("/api/me", "Purse, chips, own limits and roles", PLAYER, me, Me, join=join_me),
    get(
        "/api/session",
        "Whose session this is: as /api/me, and null where there is none",
        ANYONE,
        whose,
        Whose,
        join=join_whose,
        example={"me": None},
    ),
    put(
        "/api/me/limits",
        "Limit what you can lose and how long you play in a day",
        PLAYER,
        set_limits,
        f.Done,
        body=OwnLimits,
        is_refusable=True,
        example_body={"id": "6f1c", "loss": 20_000, "minutes": 60},
        example=DONE,
    ),
    post(
        "/api/me/break",
        "Take no part for so many minutes; it cannot be ended earlier",
        PLAYER,
        take_break,
        f.Done,
        body=Break,
        is_refusable=True,
        example_body={"id": "6f1d", "minutes": 60},
        example=DONE,
    ),
    post(
        "/api/me/refill",
        "More play money, when it has run low",
        PLAYER,
        refill,
        f.Done,
        body=Identified,
        is_refusable=True,
        example_body={"id": "6f1e"},
        example=DONE,
    ),
    get(
        "/api/me/rounds",
        "Your last rounds, newest first",
        PLAYER,
        rounds,
        list[RoundOfTable],
        query=LastRounds,
        join=join_rounds,
    ),
)
