"""The odds explorer: exact figures of a book with some rules changed, stretches of rounds, and PAR sheets."""

from typing import Annotated, Any, Literal

import msgspec

from casinowar.rulebooks.wagers import PricedWager
from casinowar.web.http.operations import ANYONE, JSON, ApiRequest, Reply, get
from casinowar.web.http.replies import check_book
from casinowar.web.workers.reckoner import Sum

Setting = Annotated[str, msgspec.Meta(min_length=3, max_length=120)]
Settings = Annotated[tuple[Setting, ...], msgspec.Meta(max_length=40)]
BookId = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Strategy = Literal["war", "surrender", "best"]
Rounds = Annotated[int, msgspec.Meta(ge=1, le=5_000)]
Money = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MEDIA = {"html": "text/html", "xlsx": XLSX, "json": JSON}


class ChangedBook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rulebook: BookId = "nz"
    set: Settings = ()


class OddsOf(ChangedBook, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`set` may come several times, each as KEY=VALUE: `payout.war.on_tie=3:1`."""

    strategy: Strategy = "war"


class SessionOf(OddsOf, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bankroll and wager are in minor units; `kind` is the wager that is played, `pace` is rounds an hour."""

    rounds: Rounds = 200
    bankroll: Money = 100_000
    wager: Money = 2_500
    kind: PricedWager = "initial"
    pace: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 60


class ParOf(ChangedBook, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: Literal["html", "xlsx", "json"] = "html"


async def odds(request: ApiRequest) -> Reply:
    return Reply(await _work_out(request, "odds"))


async def stretch(request: ApiRequest) -> Reply:
    return Reply(await _work_out(request, "session"))


async def par(request: ApiRequest) -> Reply:
    form = request.query.format
    name = f"casinowar-{request.query.rulebook}-par.{form}"
    # The browser saves the file and does not show it: the file's own style would break our content policy.
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Reply(await _work_out(request, "par"), media=MEDIA[form], headers=headers)


async def _work_out(request: ApiRequest, what: str) -> bytes:
    check_book(request.query.rulebook)
    return await request.server.reckoner.work_out(Sum(what, msgspec.to_builtins(request.query)), request.address)


FAULTS = ("no_such_rulebook", "setting_refused", "too_long")
OPERATIONS = (
    get(
        "/api/odds",
        "Exact odds of a book, with some of its rules changed",
        ANYONE,
        odds,
        dict[str, Any],
        query=OddsOf,
        faults=FAULTS,
    ),
    get(
        "/api/odds/session",
        "What so many rounds may bring: chances of every result, an hour, ruin",
        ANYONE,
        stretch,
        dict[str, Any],
        query=SessionOf,
        faults=FAULTS,
    ),
    get(
        "/api/par",
        "The PAR sheet of a book, as a file",
        ANYONE,
        par,
        Any,
        query=ParOf,
        media=tuple(MEDIA.values()),
        faults=FAULTS,
    ),
)
