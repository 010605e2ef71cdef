"""Races over real sockets: copies of one command, and more wagers than a purse can pay."""

import asyncio
import json
from pathlib import Path

from websockets.asyncio.client import connect

from casinowar.store import CommandTaken
from casinowar.table.settings import HouseSettings, TableSettings, Timers
from tests.live_server import Caller, LiveServer, running

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


def seated(live: LiveServer) -> Caller:
    """A guest at box 1 of both tables, the shoes sealed and wagers open."""
    guest = Caller(live).guest()
    for table in ("one", "two"):
        assert guest.command(table, {"do": "sit", "box": 1}).status == 200
        live.call(live.server.house.advance)
        assert live.call(lambda table=table: live.server.house.tables[table].is_ready)  # type: ignore[misc]
    return guest


def test_a_hundred_copies_of_one_command_have_one_effect_and_one_answer(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live:
        guest = seated(live)
        before = live.version("one")
        wager = {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": 500}
        frames = [command("one", "copy", before, **wager)] * COPIES
        answers = asyncio.run(sent_at_once(live, [guest.ticket() for _ in frames], frames))
        placed = [
            one.event
            for one in live.call(lambda: list(live.server.house.store.read("one")))
            if isinstance(one.event, CommandTaken) and one.event.command.__struct_config__.tag == "place_wager"
        ]
        balance = live.call(lambda: live.server.house.store.balance(f"purse:{guest.name}"))
    assert len(set(answers)) == 1
    assert json.loads(answers[0])["type"] == "done"
    assert len(placed) == 1
    assert balance == PURSE - 500


def test_of_two_hundred_wagers_for_one_wagers_money_exactly_one_is_taken(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live:
        guest = seated(live)
        frames = []
        for number in range(WAGERS):
            table = ("one", "two")[number % 2]
            wager = {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": PURSE}
            frames.append(command(table, f"race-{number}", live.version(table), **wager))
        half = WAGERS // 2
        tickets = [guest.ticket() for _ in range(half)]
        answers = asyncio.run(sent_at_once(live, tickets, frames[:half]))
        answers += asyncio.run(sent_at_once(live, [guest.ticket() for _ in range(half)], frames[half:]))
        held = live.call(lambda: live.server.house.store.balances())
    told = [json.loads(answer) for answer in answers]
    assert sum(answer["type"] == "done" for answer in told) == 1
    assert {answer["code"] for answer in told if answer["type"] == "refused"} == {"insufficient_funds"}
    assert held[f"purse:{guest.name}"] == 0
    assert held.get("escrow:one", 0) + held.get("escrow:two", 0) == PURSE
