"""A rolling upgrade: two servers are stopped and started again in turn under load, and no command is refused.

`ROLLING_MINUTES=10` does it for as long, for the figure in docs/reliability.md.
"""

import asyncio
import json
import os
import signal
import time
from contextlib import closing
from pathlib import Path

from casinowar import protocol as f
from casinowar.client import Client, Ended, Refused
from casinowar.store import audit
from casinowar.store.postgres.store import PostgresStore
from tests.crash.peers.peer_crash import whole_audit
from tests.support.balancer import Balancer
from tests.support.postgres import Cluster
from tests.support.shared_house import SharedHouse, tables_text

MINUTES = float(os.environ.get("ROLLING_MINUTES", "0"))
TABLES = {"nz": "nz", "ma": "ma", "wa": "wa", "ca": "ca"}
PLAYERS = 2
PAUSE_S = 0.02


class Outcome:
    """What all clients were told, and the longest that one waited for an answer, coming again included."""

    def __init__(self) -> None:
        self.done = self.stops = 0
        self.refused: list[str] = []
        self.slowest = 0.0
        self.bought: dict[tuple[str, str], int] = {}

    def __str__(self) -> str:
        return (
            f"{self.stops} servers stopped and started again under load, {self.done} commands done, "
            f"{len(self.refused)} refused, the slowest answer after {self.slowest:.2f} s"
        )


async def buy(url: str, table: str, box: int, outcome: Outcome, is_over: asyncio.Event) -> None:
    """A player who buys one unit of chips again and again."""
    async with Client.connect(url, adds_entropy=False, patience=120) as client:
        name = (await client.guest()).player
        live = await client.watch(table)
        outcome.bought[table, name] = 0
        try:
            await live.do(f.Sit(box=box))
            while not is_over.is_set():
                begun = time.monotonic()
                await live.do(f.BuyChips(amount=1))
                outcome.slowest = max(outcome.slowest, time.monotonic() - begun)
                outcome.done += 1
                outcome.bought[table, name] += 1
                await asyncio.sleep(PAUSE_S)
        except (Refused, Ended) as error:
            outcome.refused.append(f"{name} at {table}: {error}")


async def upgrade(house: SharedHouse, url: str, seconds: float) -> Outcome:
    """Stop each server in turn and start it again, at least twice each and for so many seconds."""
    outcome, is_over = Outcome(), asyncio.Event()
    players = [
        asyncio.create_task(buy(url, table, box, outcome, is_over)) for table in TABLES for box in range(1, PLAYERS + 1)
    ]
    begun = time.monotonic()
    while not outcome.refused and (outcome.stops < 2 or time.monotonic() - begun < seconds):
        server = house.servers[outcome.stops % 2]
        before = outcome.done
        while outcome.done < before + 50 and not outcome.refused:
            await asyncio.sleep(0.02)
        status = await asyncio.to_thread(server.kill, signal.SIGTERM)
        assert status == 0
        outcome.stops += 1
        await asyncio.to_thread(server.start)
        await asyncio.to_thread(house.await_spread, [2, 2])
    is_over.set()
    await asyncio.gather(*players)
    return outcome


def rolled(folder: Path, cluster: Cluster, seconds: float, program: str = "casinowar") -> tuple[Outcome, list[str]]:
    """What a rolling upgrade came to, and what is wrong in the books after it."""
    with SharedHouse(folder, cluster.new_house(), tables_text(TABLES), program=program) as house:
        house.await_spread([2, 2])
        with Balancer([one.port for one in house.servers]) as balancer:
            outcome = asyncio.run(upgrade(house, balancer.url, seconds))
        logs = [line for one in house.servers for line in one.log.read_text().splitlines() if "ERROR" in line]
    with closing(PostgresStore(house.url, for_reading=True)) as store:
        faults = [*audit(store), *whole_audit(house.url), *logs]
        for (table, name), bought in outcome.bought.items():
            held = store.balance(f"chips:{table}:{name}")
            if held != bought:
                faults.append(f"{name} was told of {bought} units and holds {held}")
    return outcome, faults


def test_no_command_is_refused_while_servers_are_replaced(tmp_path: Path, cluster: Cluster) -> None:
    outcome, faults = rolled(tmp_path, cluster, 60 * MINUTES)
    print(f"\n{outcome}")
    assert outcome.refused == []
    assert faults == []
    assert outcome.stops >= 2


def test_a_server_that_keeps_its_tables_until_it_ends_is_found(tmp_path: Path, cluster: Cluster) -> None:
    """The twin: it refuses what comes while it drains, as a lone server has to."""
    outcome, _ = rolled(tmp_path, cluster, 0, "tests.operations.lone_drain")
    assert any("draining" in one or "stopped" in one for one in outcome.refused), json.dumps(outcome.refused)
