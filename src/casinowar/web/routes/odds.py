"""The odds explorer: exact figures of a book with some rules changed, stretches of rounds, and PAR sheets."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from starlette.responses import Response

from casinowar.rulebooks.load import is_known
from casinowar.rulebooks.wagers import PricedWager
from casinowar.web.http.errors import WebError
from casinowar.web.http.operations import JSON, ApiRequest, Operation, Reply
from casinowar.web.workers.reckoner import Sum

Setting = Annotated[str, msgspec.Meta(min_length=3, max_length=120)]
Settings = Annotated[tuple[Setting, ...], msgspec.Meta(max_length=40)]
BookId = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Strategy = Literal["war", "surrender", "best"]
Rounds = Annotated[int, msgspec.Meta(ge=1, le=5_000)]
Money = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MEDIA = {"html": "text/html", "xlsx": XLSX, "json": JSON}


class OddsOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`set` may come several times, each as KEY=VALUE: `payout.war.on_tie=3:1`."""

    rulebook: BookId = "nz"
    set: Settings = ()
    strategy: Strategy = "war"


class SessionOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bankroll and wager are in minor units; `kind` is the wager that is played, `pace` is rounds an hour."""

    rulebook: BookId = "nz"
    set: Settings = ()
    rounds: Rounds = 200
    bankroll: Money = 100_000
    wager: Money = 2_500
    kind: PricedWager = "initial"
    strategy: Strategy = "war"
    pace: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 60


class ParOf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: BookId = "nz"
    set: Settings = ()
    format: Literal["html", "xlsx", "json"] = "html"


async def odds(request: ApiRequest) -> Reply:
    return Reply(await _work_out(request, "odds"))


async def stretch(request: ApiRequest) -> Reply:
    return Reply(await _work_out(request, "session"))


async def par(request: ApiRequest) -> Reply:
    form = request.query.format
    name = f"casinowar-{request.query.rulebook}-par.{form}"
    return Reply(await _work_out(request, "par"), media=MEDIA[form], dress=_as_file(name))


def _as_file(name: str) -> Callable[[Response], None]:
    """A reply that the browser saves and does not show: the file's own style would break our content policy."""

    def dress(response: Response) -> None:
        response.headers["content-disposition"] = f'attachment; filename="{name}"'

    return dress


async def _work_out(request: ApiRequest, what: str) -> bytes:
    if not is_known(request.query.rulebook):
        raise WebError("no_such_rulebook")
    return await request.server.reckoner.work_out(Sum(what, msgspec.to_builtins(request.query)), request.address)


FAULTS = ("no_such_rulebook", "setting_refused", "too_long")
OPERATIONS = (
    Operation(
        method="GET",
        at="/api/odds",
        says="Exact odds of a book, with some of its rules changed",
        roles=("anyone",),
        run=odds,
        query=OddsOf,
        gives=dict[str, Any],
        faults=FAULTS,
    ),
    Operation(
        method="GET",
        at="/api/odds/session",
        says="What so many rounds may bring: chances of every result, an hour, ruin",
        roles=("anyone",),
        run=stretch,
        query=SessionOf,
        gives=dict[str, Any],
        faults=FAULTS,
    ),
    Operation(
        method="GET",
        at="/api/par",
        says="The PAR sheet of a book, as a file",
        roles=("anyone",),
        run=par,
        query=ParOf,
        gives=Any,
        media=tuple(MEDIA.values()),
        faults=FAULTS,
    ),
)
