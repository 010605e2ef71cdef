"""Honest players at a table, and ten strangers from ten addresses who have nights played without end."""

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec

from tests.crash.burst import CALM, SEATED, Honest, Outcome, Served, Web, _until_cut, serving

STRANGERS = 10
LOOK_S = 0.25
LONGEST_S = 120.0
"""Until all strangers play: the kernel may have to be compiled first."""

NIGHTS = {"rulebook": "wa", "rounds": 400, "nights": 1_000_000, "seed": "7f3a-91c2"}


class Stranger:
    """Somebody who looks at their run as the page does, and begins another when it is over."""

    def __init__(self, web: Web, outcome: Outcome) -> None:
        self.web, self.outcome = web, outcome
        self.nights = 0
        self.run = ""

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        status, content = await self.web.ask(method, path, body)
        told = msgspec.json.decode(content)
        self.outcome.answers[str(told.get("state") or told.get("code") or status)] += 1
        return told if status == 200 else None

    async def play(self) -> None:
        while True:
            if not self.run:
                told = await self.ask("POST", "/api/nights", NIGHTS)
            else:
                told = await self.ask("GET", f"/api/nights/{self.run}")
            is_open = told is not None and told["state"] in ("waiting", "playing")
            self.run = told["run"] if told is not None and is_open else ""
            if told is not None and told["played"] is not None:
                self.nights = told["played"]["nights"]
            await asyncio.sleep(LOOK_S)


async def crowd(
    server: Served, table: str, seconds: float, is_enough: Callable[[Outcome], bool] = lambda outcome: False
) -> tuple[Outcome, list[Stranger]]:
    """The honest play while the strangers come; measured until all of these have played for so many seconds."""
    outcome = Outcome()
    async with asyncio.TaskGroup() as group, AsyncExitStack() as stack:
        honest: list[Honest] = []
        for at in range(SEATED):
            web = Web(server.port, f"127.5.0.{at + 1}")
            stack.callback(web.close)
            honest.append(Honest(web, table, await web.guest(), at + 1, outcome))
        tasks = [group.create_task(one.read()) for one in honest]
        tasks += [group.create_task(_until_cut(work)) for one in honest for work in (one.play(), one.probe())]
        async with asyncio.timeout(60):
            while not all(one.view and max(one.rounds) >= 1 for one in honest):
                await asyncio.sleep(0.05)
        strangers = []
        for at in range(STRANGERS):
            web = Web(server.port, f"127.6.0.{at + 1}")
            stack.callback(web.close)
            strangers.append(Stranger(web, outcome))
        outcome.is_on, begin, cpu = True, time.monotonic(), server.cpu_seconds()
        runs = [asyncio.create_task(stranger.play()) for stranger in strangers]
        all_since: float | None = None
        while not is_enough(outcome) and time.monotonic() - begin < LONGEST_S:
            await asyncio.sleep(0.1)
            if all_since is None and all(stranger.nights for stranger in strangers):
                all_since = time.monotonic()
            if all_since is not None and time.monotonic() - all_since >= seconds:
                break
        outcome.is_on, outcome.seconds = False, time.monotonic() - begin
        outcome.cpu = server.cpu_seconds() - cpu
        ended = list(outcome.ended)
        for task in (*tasks, *runs):
            task.cancel()
        for result in await asyncio.gather(*runs, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        for player in honest:
            if player.socket is not None:
                await player.socket.close()
    outcome.ended = ended
    return outcome, strangers


def main() -> None:
    """`python -m tests.crash.night_strangers SECONDS` prints what the honest had of it."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), [CALM]) as server:
        outcome, strangers = asyncio.run(crowd(server, CALM.name, float(sys.argv[1])))
    print(f"{outcome}; nights of the strangers: {[stranger.nights for stranger in strangers]}")


if __name__ == "__main__":
    main()
