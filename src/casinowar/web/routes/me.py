"""The player's own account: purse, limits, breaks, refills and last rounds."""

from typing import Annotated

import msgspec

from casinowar import protocol as f
from casinowar.house.house import PlayerView
from casinowar.web.http.operations import ApiRequest, Operation, Reply
from casinowar.web.http.replies import DONE, Identified, reply_to
from casinowar.web.workers.round_index import RoundOfTable, last_rounds

Minutes = Annotated[int, msgspec.Meta(ge=1, le=1_440)]
LongMinutes = Annotated[int, msgspec.Meta(ge=1, le=525_600)]
Loss = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class OwnLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Most to lose and to play in a day of UTC; null is no limit. A looser one counts from a day later on."""

    id: f.Id
    loss: Loss | None
    minutes: Minutes | None


class Break(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: f.Id
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
    Operation(
        method="GET", at="/api/me", says="Purse, chips, own limits and roles", roles=("player",), run=me, gives=Me
    ),
    Operation(
        method="GET",
        at="/api/session",
        says="Whose session this is: as /api/me, and null where there is none",
        roles=("anyone",),
        run=whose,
        gives=Whose,
        example={"me": None},
    ),
    Operation(
        method="PUT",
        at="/api/me/limits",
        says="Limit what you can lose and how long you play in a day",
        roles=("player",),
        run=set_limits,
        body=OwnLimits,
        gives=f.Done,
        is_refusable=True,
        example_body={"id": "6f1c", "loss": 20_000, "minutes": 60},
        example=DONE,
    ),
    Operation(
        method="POST",
        at="/api/me/break",
        says="Take no part for so many minutes; it cannot be ended earlier",
        roles=("player",),
        run=take_break,
        body=Break,
        gives=f.Done,
        is_refusable=True,
        example_body={"id": "6f1d", "minutes": 60},
        example=DONE,
    ),
    Operation(
        method="POST",
        at="/api/me/refill",
        says="More play money, when it has run low",
        roles=("player",),
        run=refill,
        body=Identified,
        gives=f.Done,
        is_refusable=True,
        example_body={"id": "6f1e"},
        example=DONE,
    ),
    Operation(
        method="GET",
        at="/api/me/rounds",
        says="Your last rounds, newest first",
        roles=("player",),
        run=rounds,
        query=LastRounds,
        gives=list[RoundOfTable],
    ),
)
