"""The people of a simulated night: players with the shipped client, over simulated lines."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from casinowar import protocol as f
from casinowar.cli.bench.player import Player
from casinowar.client import connection
from casinowar.client.errors import Ended, Refused
from casinowar.client.proofs import Contribution
from casinowar.client.table import Live
from casinowar.engine import commands as c
from casinowar.fairness import Finding
from tests.simulator.network import Line

LONGEST_THOUGHT_S = 1.2
ODD_SHARE, PASTIME_SHARE, REPEAT_SHARE = 0.12, 0.1, 0.05
PATIENCE_S = 600.0
UNKNOWN = "out_of_service"
"""The refusal of a server whose store has failed: it does not know any more what was done."""

OpenLine = Callable[["Person"], Awaitable[Line]]


class SimulatedConnection(connection.Connection):
    """The client's connection, over a line that the night opens."""

    def __init__(self, open_line: Callable[[], Awaitable[Line]]) -> None:
        super().__init__(None, PATIENCE_S)  # type: ignore[arg-type]
        self._open_line = open_line

    async def _open(self) -> Any:
        line = await self._open_line()
        self.connections += 1
        return line


class Person:
    """Somebody who plays at one box, thinks before each command, and now and then does something odd.

    Some of what was answered is sent once more. `done` has each command that was acknowledged, with the version on
    which it was decided and its answer; `wishes` are commands that change nothing in the log.
    """

    def __init__(self, name: str, table: str, box: int, seed: str, open_line: OpenLine) -> None:
        self.name = name
        self.table = table
        self.box = box
        self.chance = random.Random(f"{seed} {name}")
        self.line: Line | None = None
        self.connection = SimulatedConnection(lambda: open_line(self))
        self._watch = f.Watch(table=table, views="parts" if self.chance.random() < 0.7 else "whole")
        self.live = self._new_live()
        self.player: Player | None = None
        self.sent = 0
        self.done: dict[str, tuple[msgspec.Struct, int, f.Done]] = {}
        self.wishes: set[str] = set()
        self.ids: set[str] = set()
        self.faults: list[str] = []
        self.is_leaving = False
        self.findings: list[Finding] = []
        self._following: asyncio.Task[None] | None = None

    def _new_live(self) -> Live:
        return Live(self.connection, self._watch, self.name, Contribution(self.chance.randbytes))

    async def play(self) -> None:
        """Come in, sit down and play until told to leave; then end the round and stop."""
        while (live := await self._watched()) is None:
            await asyncio.sleep(LONGEST_THOUGHT_S)
        self.live = live
        self.player = Player(None, self.live, self.box, self.chance)  # type: ignore[arg-type]
        self._following = asyncio.create_task(self._follow(self.player))
        await self._do(f.Sit(box=self.box))
        while not (self.is_leaving and not self.player.is_wagered):
            await asyncio.sleep(self.chance.uniform(0, LONGEST_THOUGHT_S))
            command = self._choose(self.player)
            if command is not None:
                await self._do(command)

    async def _follow(self, player: Player) -> None:
        while True:
            async for _ in self.live:
                player.note_view()
            if self.connection.ended is not None:
                return
            await asyncio.sleep(LONGEST_THOUGHT_S)
            live = await self._watched()
            if live is not None:
                self.findings += self.live.check_cards()
                self.live = player.live = live
                player.note_view()

    async def _watched(self) -> Live | None:
        """The table watched anew; none where the server takes nothing just then."""
        live = self._new_live()
        try:
            await self.connection.watch(live)
        except Refused:
            return None
        return live

    def _choose(self, player: Player) -> msgspec.Struct | None:
        if self.is_leaving:
            return player.due(may_bet=False)
        luck = self.chance.random()
        if luck < ODD_SHARE:
            return self._odd_act(player)
        if luck < ODD_SHARE + PASTIME_SHARE:
            return player.pastime()
        return player.due()

    def _odd_act(self, player: Player) -> msgspec.Struct:
        """Something that is not what the game waits for, and may be refused."""
        amount = self.chance.choice((-500, 0, 500, 700, 1_000, 60_000, 10**9))
        wager = self.chance.choice(("initial", "tie", "a_bomb", "perfect_pairs"))
        me, box = self.name, self.chance.choice((self.box, self.box, 1, 7))
        return self.chance.choice(
            (
                c.PlaceWager(player=me, box=box, wager=wager, amount=amount),  # type: ignore[arg-type]
                c.WithdrawWager(player=me, box=box, wager=wager),  # type: ignore[arg-type]
                c.Surrender(player=me, box=box),
                c.GoToWar(player=me, box=box),
                f.CashChips(amount=amount),
                f.BuyChips(amount=amount),
                f.Sit(box=box),
                f.Ready(),
            )
        )

    async def _do(self, command: msgspec.Struct) -> None:
        self.sent += 1
        id, expected = f"{self.name}-{self.sent}", self.live.view.version
        if self.chance.random() < REPEAT_SHARE and self.done:
            id, (command, expected, _) = self.chance.choice(list(self.done.items()))
        self.ids.add(id)
        if isinstance(command, f.Ready):
            self.wishes.add(id)
        try:
            answer = await self.live.do(command, id=id, expected=expected)
        except Refused as why:
            if id in self.done and why.code != UNKNOWN:
                self.faults.append(f"{id} was done, and is refused now: {why.code}")
            return
        except Ended as why:
            self.faults.append(f"{self.name} was ended: {why.code}")
            self.is_leaving = True
            return
        before = self.done.setdefault(id, (command, expected, answer))[2]
        if before != answer and id not in self.wishes:
            self.faults.append(f"{id} was answered {before} and then {answer}")

    async def leave(self) -> None:
        if self._following is not None:
            self._following.cancel()
        await self.connection.close()
