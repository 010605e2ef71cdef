"""Two servers on one database under load, killed in turn, and what their clients were told.

The clients live in this process and outlive every server; each asks again at the other server where one is gone.
`python -m tests.crash.peers.peer_crash 200` does it as often.
"""

import http.client
import json
import os
import random
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from casinowar.store import audit
from casinowar.store.postgres.store import PostgresStore
from tests.crash.server_crash import Client, Down, Outcome
from tests.support.commandline import run
from tests.support.postgres import Cluster
from tests.support.shared_house import ServerProcess, SharedHouse, tables_text

ANSWER_S = float(os.environ.get("ANSWER_S", "60"))
"""Whoever has no answer after so long was left alone: a silent maybe."""

TABLES = {"nz": "nz", "ma": "ma"}
EVERY_MS = (0.3, 1.5)


class NoAnswer(Exception):
    """Nobody answered, at any server."""


class Ways:
    """The servers as a client sees them that may come by any of them, as behind a balancer.

    One that `asks_again` takes an error of a server for no answer: it sends the same id once more.
    """

    def __init__(self, servers: list[ServerProcess], *, asks_again: bool = False) -> None:
        self.servers, self.asks_again = servers, asks_again
        self._turn = threading.local()

    def ask(self, method: str, path: str, body: object = None, cookie: str = "") -> tuple[int, bytes, str]:
        """One request, sent again with the same id until somebody answers. The cookie is a program's token."""
        until = time.monotonic() + ANSWER_S
        while time.monotonic() < until:
            turn = self._turn.number = getattr(self._turn, "number", -1) + 1
            server = self.servers[turn % len(self.servers)]
            try:
                answer = self._ask(server, method, path, body, cookie)
                if not (self.asks_again and answer[0] >= 500):
                    return answer
                time.sleep(0.05)
            except Down:
                time.sleep(0.01)
        raise NoAnswer(f"{method} {path}")

    @staticmethod
    def _ask(server: ServerProcess, method: str, path: str, body: object, token: str) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_S)
        headers = {"Content-Type": "application/json", "X-Casinowar-Client": "1"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            told = answer.read()
        except (OSError, http.client.HTTPException):
            raise Down from None
        finally:
            connection.close()
        arrived = json.loads(told).get("token", "") if path == "/api/guest" else ""
        return answer.status, told, arrived


def crash(
    folder: Path,
    cluster: Cluster,
    kills: int,
    seed: int = 1,
    *,
    program: str = "casinowar",
    is_database_killed: bool = False,
) -> Outcome:
    """Kill one of two servers so often, or their database. Everything that is wrong is in the outcome."""
    chance, outcome = random.Random(seed), Outcome()
    with SharedHouse(folder, cluster.new_house(), tables_text(TABLES), program=program) as house:
        ways = Ways(house.servers, asks_again=is_database_killed)
        clients = [
            Client(ways, table, box, is_buyer=box == 1)  # type: ignore[arg-type]
            for table in TABLES
            for box in (1, 2, 3)
        ]
        for client in clients:
            client.is_up.set()
            client.start()
        for _ in range(kills):
            time.sleep(chance.uniform(*EVERY_MS))
            server = chance.choice(house.servers)
            if is_database_killed:
                cluster.kill()
                time.sleep(chance.uniform(0, 1))
                cluster.start()
            else:
                server.kill()
            outcome.in_flight += sum(client.open is not None for client in clients)
            outcome.kills += 1
            outcome.recovery.append(_until_told(clients))
            if chance.random() < 0.7:
                time.sleep(chance.uniform(0, 0.5))
            for server in house.servers:
                if server.process is not None and server.process.poll() is not None:
                    outcome.ended += is_database_killed
                    server.start()
            for client in clients:
                outcome.faults += client.recheck(chance)
            outcome.faults += [client.fault for client in clients if client.fault is not None]
            if outcome.faults:
                break
        for client in clients:
            client.is_over = True
        for client in clients:
            client.join(ANSWER_S)
        outcome.acknowledged = sum(len(client.told) for client in clients)
        for server in house.servers:
            server.kill()
    if program == "casinowar":
        outcome.faults += _count(house.url, clients, outcome)
    return outcome


def _until_told(clients: list[Client]) -> float:
    """Seconds until somebody at each table has been told of another command."""
    begun, before = time.monotonic(), [len(client.told) for client in clients]
    while time.monotonic() - begun < ANSWER_S:
        told = {one.table for one, had in zip(clients, before, strict=True) if len(one.told) > had}
        if told == set(TABLES) or any(client.fault for client in clients):
            break
        time.sleep(0.005)
    return time.monotonic() - begun


def whole_audit(url: str) -> list[str]:
    """What `casinowar audit` finds: rounds, shoes and snapshots too, which it makes again."""
    told = run("audit", "--database", url)
    return [] if told.status == 0 else [told.out + told.err]


def _count(url: str, clients: list[Client], outcome: Outcome) -> list[str]:
    """The store against what the clients know: each command once, each buyer's chips to the unit."""
    with closing(PostgresStore(url, for_reading=True)) as store:
        outcome.events = store.head().events
        found = [*audit(store), *whole_audit(url)]
        found += [f"all accounts hold {total}" for total in [sum(store.balances().values())] if total]
        for client in clients:
            if client.is_buyer:
                bought = sum(asked["command"]["do"] == "buy_chips" for asked, _, _ in client.told.values())
                held = store.balance(f"chips:{client.table}:{client.name}")
                if held != bought:
                    found.append(f"{client.name} was told of {bought} units and holds {held}")
    return found


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    made = Cluster(is_durable=True)
    try:
        with tempfile.TemporaryDirectory() as place:
            result = crash(Path(place), made, count)
    finally:
        made.close()
    print(result, *result.faults, sep="\n")
