"""The player's own account: purse, limits, breaks, refills and last rounds."""

from typing import Annotated

import msgspec

from casinowar import protocol as f
from casinowar.house.house import PlayerView
from casinowar.web.http.operations import ANYONE, PLAYER, ApiRequest, Reply, get, post, put
from casinowar.web.http.replies import DONE, Identified, reply_to
from casinowar.web.workers.round_index import RoundOfTable, last_rounds

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


def whose(request: ApiRequest) -> dict[str, object]:
    return {"me": None if request.caller is None else me(request)}


def set_limits(request: ApiRequest) -> Reply:
    body = request.body
    return reply_to(request, request.server.house.set_limits(request.known.name, body.id, body.loss, body.minutes))


def take_break(request: ApiRequest) -> Reply:
    return reply_to(request, request.server.house.take_break(request.known.name, request.body.id, request.body.minutes))


def refill(request: ApiRequest) -> Reply:
    return reply_to(request, request.server.house.refill(request.known.name, request.body.id))


def rounds(request: ApiRequest) -> list[RoundOfTable]:
    return last_rounds(request.server.house, request.known.name, request.query.limit)


OPERATIONS = (
    get("/api/me", "Purse, chips, own limits and roles", PLAYER, me, Me),
    get(
        "/api/session",
        "Whose session this is: as /api/me, and null where there is none",
        ANYONE,
        whose,
        Whose,
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
    get("/api/me/rounds", "Your last rounds, newest first", PLAYER, rounds, list[RoundOfTable], query=LastRounds),
)
