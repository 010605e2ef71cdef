"""Races over real sockets: copies of one command, and more wagers than a purse can pay."""

import asyncio
import itertools
import json
import time
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect

from casinowar.engine import Refusal
from casinowar.engine.commands import Command, PlaceWager
from casinowar.engine.events import WagerPlaced
from casinowar.house.settings import HouseSettings, TableSettings, Timers
from casinowar.house.table.desk import Desk
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable
from tests.support.live_server import Caller, LiveServer, running

COPIES, WAGERS = 100, 200
SLOW = Timers(betting=600, decision=600, war_betting=0, cut=0, entropy=0, bank=0, pause=0, card=0, absent=600)
PURSE = 1_000
HOUSE = HouseSettings(
    guest_purse=PURSE,
    tables=tuple(TableSettings(name=name, rulebook="nz", timers=SLOW) for name in ("one", "two")),
)


def command(table: str, id: str, expected: int, **fields: object) -> str:
    return json.dumps({"type": "command", "id": id, "table": table, "expected": expected, "command": fields})


async def sent_at_once(live: LiveServer, tickets: list[str], frames: list[str]) -> list[str]:
    """Every frame over a socket of its own, all at the same moment, and the answers in the order of the frames."""
    address = f"ws://127.0.0.1:{live.port}/api/socket?ticket="
    sockets = [await connect(address + ticket, compression=None) for ticket in tickets]

    async def say(socket: object, frame: str) -> str:
        await socket.send(frame)  # type: ignore[attr-defined]
        while True:
            answer = str(await socket.recv())  # type: ignore[attr-defined]
            if json.loads(answer)["type"] in ("done", "refused"):
                return answer

    try:
        return list(await asyncio.gather(*(say(*pair) for pair in zip(sockets, frames, strict=True))))
    finally:
        for socket in sockets:
            await socket.close()


def is_ready(live: LiveServer, table: str) -> bool:
    return live.server.house.tables[table].is_ready


def seated(live: LiveServer) -> Caller:
    """A guest at box 1 of both tables, the shoes sealed and wagers open."""
    guest = Caller(live).guest()
    for table in ("one", "two"):
        assert guest.command(table, {"do": "sit", "box": 1}).status == 200
        until = time.monotonic() + 10
        while not live.call(partial(is_ready, live, table)):
            assert time.monotonic() < until
            time.sleep(0.01)
    return guest


def copied(live: LiveServer) -> tuple[list[str], int, int]:
    """The answers to so many copies of one wager, how often it was placed, and what the purse still has."""
    guest = seated(live)
    wager = {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": 500}
    frames = [command("one", "copy", live.version("one"), **wager)] * COPIES
    answers = asyncio.run(sent_at_once(live, [guest.ticket() for _ in frames], frames))
    recalled = live.call(lambda: list(live.server.house.store.read("one")))
    placed = sum(isinstance(one.event, WagerPlaced) for one in recalled)
    return answers, placed, live.call(lambda: live.server.house.store.balance(f"purse:{guest.name}"))


def test_a_hundred_copies_of_one_command_have_one_effect_and_one_answer(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live:
        answers, placed, purse = copied(live)
    assert len(set(answers)) == 1
    assert json.loads(answers[0])["type"] == "done"
    assert (placed, purse) == (1, PURSE - 500)


def test_a_server_that_does_not_know_a_copy_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: every copy comes in under an id of its own."""
    count = itertools.count()
    act = Desk.act
    monkeypatch.setattr(Desk, "act", lambda desk, who, ask: act(desk, who, replace(ask, id=f"{ask.id}-{next(count)}")))
    with running(tmp_path, HOUSE) as live:
        answers, placed, _ = copied(live)
    assert placed > 1
    assert len(set(answers)) > 1


def raced(live: LiveServer) -> tuple[list[dict[str, str]], dict[str, int], str]:
    """The answers to so many wagers over two tables, each of all that the purse holds, and the balances after."""
    guest = seated(live)
    frames = []
    for number in range(WAGERS):
        table = ("one", "two")[number % 2]
        wager = {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": PURSE}
        frames.append(command(table, f"race-{number}", live.version(table), **wager))
    half = WAGERS // 2
    answers = asyncio.run(sent_at_once(live, [guest.ticket() for _ in range(half)], frames[:half]))
    answers += asyncio.run(sent_at_once(live, [guest.ticket() for _ in range(half)], frames[half:]))
    held = live.call(lambda: live.server.house.store.balances())
    return [json.loads(answer) for answer in answers], held, guest.name


def test_of_two_hundred_wagers_for_one_wagers_money_exactly_one_is_taken(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live:
        told, held, name = raced(live)
    assert sum(answer["type"] == "done" for answer in told) == 1
    assert {answer["code"] for answer in told if answer["type"] == "refused"} == {"insufficient_funds"}
    assert held[f"purse:{name}"] == 0
    assert held.get("escrow:one", 0) + held.get("escrow:two", 0) == PURSE


def test_a_server_that_lends_what_the_purse_lacks_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: money comes from nowhere whenever a wager needs it."""
    funded = LiveTable.do_funded

    def generous(live: LiveTable, draft: Draft, asked: Command, reason: str = "") -> Refusal | None:
        if isinstance(asked, PlaceWager):
            live.fund(asked.player, asked.amount)
        return funded(live, draft, asked, reason)

    monkeypatch.setattr(LiveTable, "do_funded", generous)
    with running(tmp_path, HOUSE) as live:
        told, _, _ = raced(live)
    assert sum(answer["type"] == "done" for answer in told) > 1
