"""One game that comes out the same each time: one player, a shoe that a seed fixes, no timer that runs out.

Whatever befalls the line or the clock, its ledger must be that of a game that nothing befell.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from casinowar import protocol as f
from casinowar.audit.database import AuditedDatabase
from casinowar.audit.snapshot import AuditedStore
from casinowar.client import Client, Live, Refused
from casinowar.engine import commands as c
from casinowar.fairness import practice_bytes
from casinowar.house.house import House
from casinowar.house.settings import HouseSettings, TableSettings, Timers
from casinowar.store import audit
from casinowar.web.metrics import MeasuredStore
from tests.support.live_server import LiveServer, running

NAME, PASSWORD = "ana", "correct horse battery"
TIMERS = Timers(betting=600, decision=600, war_betting=0, cut=0, entropy=0, pause=0, card=0, absent=3_600, idle=0)
HOUSE = HouseSettings(tables=(TableSettings(name="nz", rulebook="nz", timers=TIMERS),))
ROUNDS = 3
LONGEST_S = 120.0
Ledger = list[tuple[str, int]]


@contextlib.contextmanager
def house(
    folder: Path,
    settings: HouseSettings = HOUSE,
    now: Callable[[], int] | None = None,
    database: str | None = None,
    **options: Any,
) -> Iterator[LiveServer]:
    """A server with the shoe of the game, and with this wall's clock; `options` are for the house."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("casinowar.web.run.House", partial(House, source=practice_bytes("a scripted game"), **options))
        if now is not None:
            patch.setattr("casinowar.web.run.MeasuredStore", lambda path: MeasuredStore(path, now))
        with running(folder, settings, database=database) as live:
            yield live


def play(url: str, at_round: Callable[[int], None] = lambda number: None) -> None:
    """Play the game, whatever it takes; `at_round` is called before each round."""
    asyncio.run(asyncio.wait_for(_play(url, at_round), LONGEST_S))


async def _play(url: str, at_round: Callable[[int], None]) -> None:
    async with Client.connect(url, adds_entropy=False) as client:
        await _arrive(client)
        live = await client.watch("nz")
        await _do(live, lambda view: not any(seat.player == NAME for seat in view.seats), f.Sit(box=1))
        for number in range(1, ROUNDS + 1):
            at_round(number)
            await _play_round(live, number)


async def _play_round(live: Live, number: int) -> None:
    """Buy as many units of chips as the number says, bet, and go to war at a tie."""
    await _until(live, _is_open)
    await _do(live, None, f.BuyChips(amount=number))
    await _do(live, None, _wager())
    await _do(live, lambda view: _is_open(view) and _has_bet(view), f.Ready())
    await _until(live, lambda view: _is_asked(view) or (_is_open(view) and not _has_bet(view)))
    await _do(live, _is_asked, c.GoToWar(player=NAME, box=1))
    await _until(live, lambda view: _is_open(view) and not _has_bet(view))


def _is_open(view: f.LiveView) -> bool:
    return view.view.phase == "betting" and view.seal.stage == "dealing"


def _wager() -> c.PlaceWager:
    return c.PlaceWager(player=NAME, box=1, wager="initial", amount=500)


def _has_bet(view: f.LiveView) -> bool:
    return any(box.box == 1 and box.wagers for box in view.view.boxes)


def _is_asked(view: f.LiveView) -> bool:
    return (1, NAME) in [tuple(one) for one in view.view.asked]


async def _arrive(client: Client) -> None:
    """Register; whose answer was lost logs in with what may have been registered."""
    while True:
        try:
            await client.register(NAME, PASSWORD)
            return
        except OSError:
            pass
        except Refused as refused:
            if refused.code not in ("name_taken", "busy"):
                raise
            with contextlib.suppress(OSError, Refused):
                await client.login(NAME, PASSWORD)
                return
        await asyncio.sleep(0.05)


async def _until(live: Live, is_so: Callable[[f.LiveView], bool]) -> None:
    while not is_so(live.view):
        await asyncio.sleep(0.005)


async def _do(live: Live, is_due: Callable[[f.LiveView], bool] | None, command: Any) -> None:
    """Send the command, if it is due, until it is done once. One that is refused did nothing."""
    while is_due is None or is_due(live.view):
        try:
            done = await live.do(command)
        except Refused:
            await asyncio.sleep(0.02)
            continue
        while live.view.version < done.version:
            await asyncio.sleep(0.005)
        return


def ledger(place: Path | str) -> Ledger:
    """Every posting in order, with its account; the log must be sound. The place is a data folder, or a database."""
    with closing(AuditedStore(place / "war.db") if isinstance(place, Path) else AuditedDatabase(place)) as store:
        assert audit(store) == []
        return [(account, amount) for _, _, account, amount in store.posting_rows()]
