"""Nights played by the simulation beside their exact figures: a run is started, looked at, paused and stopped."""

from typing import Annotated, Literal

import msgspec

from casinowar.reports.night_plot import NightPlot
from casinowar.web.http.operations import ANYONE, ApiRequest, Reply, get, post
from casinowar.web.http.replies import check_book
from casinowar.web.routes.odds import ChangedBook, Money
from casinowar.web.workers.night_player import NightTask
from casinowar.web.workers.night_runs import Act, NightsTold
from casinowar.web.workers.reckoner import Sum

NightRounds = Annotated[int, msgspec.Meta(ge=1, le=400)]
NightCount = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Seed = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{4}-[0-9a-f]{4}\Z")]
RunId = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class NightOf(ChangedBook, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A night of the initial wager. Bankroll and wager are in minor units."""

    strategy: Literal["war", "surrender"] = "war"
    rounds: NightRounds = 200
    bankroll: Money = 100_000
    wager: Money = 2_500


class NightsWanted(NightOf, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same seed plays the same nights."""

    nights: NightCount = 1_000
    seed: Seed = "0000-0000"


class RunPath(msgspec.Struct, frozen=True):
    run: RunId


class NightsAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    act: Act


async def night(request: ApiRequest) -> Reply:
    return Reply(await _exact(request, request.query))


async def start(request: ApiRequest) -> NightsTold:
    asked: NightsWanted = request.body
    request.server.night_runs.check_room(request.address)
    fields = {name: getattr(asked, name) for name in NightOf.__struct_fields__}
    exact = msgspec.json.decode(await _exact(request, NightOf(**fields)), type=NightPlot)
    task = NightTask(
        rulebook=asked.rulebook,
        set=asked.set,
        strategy=asked.strategy,
        rounds=asked.rounds,
        wager=asked.wager,
        steps=exact.steps,
        start=exact.start,
        nights=asked.nights,
        seed=int(asked.seed.replace("-", ""), 16),
    )
    return request.server.night_runs.start(task, request.address)


def look(request: ApiRequest) -> NightsTold:
    return request.server.night_runs.look(request.path.run)


def act(request: ApiRequest) -> NightsTold:
    return request.server.night_runs.act(request.path.run, request.body.act)


async def _exact(request: ApiRequest, asked: NightOf) -> bytes:
    check_book(asked.rulebook)
    return await request.server.reckoner.work_out(Sum("night", msgspec.to_builtins(asked)), request.address)


FAULTS = ("no_such_rulebook", "setting_refused", "too_long")
OPERATIONS = (
    get(
        "/api/odds/night",
        "A night out of a bankroll, exactly: bands after each round, and where it ends",
        ANYONE,
        night,
        NightPlot,
        query=NightOf,
        faults=FAULTS,
    ),
    post(
        "/api/nights",
        "Play nights: one run at a time for an address",
        ANYONE,
        start,
        NightsTold,
        body=NightsWanted,
        example_body={
            "rulebook": "nz",
            "strategy": "war",
            "rounds": 200,
            "wager": 2500,
            "bankroll": 100000,
            "nights": 1000,
            "seed": "7f3a-91c2",
        },
        faults=(*FAULTS, "no_simulation", "nights_running", "nights_busy"),
    ),
    get(
        "/api/nights/{run}",
        "How a run of nights is going; a run that nobody looks at is ended",
        ANYONE,
        look,
        NightsTold,
        path=RunPath,
        faults=("no_such_run",),
    ),
    post(
        "/api/nights/{run}",
        "Pause a run of nights, go on with it, or stop it",
        ANYONE,
        act,
        NightsTold,
        path=RunPath,
        body=NightsAct,
        example_body={"act": "stop"},
        faults=("no_such_run",),
    ),
)
