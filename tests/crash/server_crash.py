"""A real server under load, killed at random moments and started again, and what its clients were told.

The clients live in this process and outlive every server. `python -m tests.crash.server_crash 200` does it as often.
"""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from casinowar.store import SqliteStore, Store, audit

ROOT = Path(__file__).resolve().parents[2]
RECOVERY = 5.0
"""Seconds within which the server must serve again."""

TABLES = """
[[tables]]
name = "nz"
rulebook = "nz"
[tables.timers]
betting = 0.1
decision = 0.1
cut = 0
entropy = 0
pause = 0
card = 0
absent = 3600
[[tables]]
name = "ma"
rulebook = "ma"
[tables.timers]
betting = 0.1
decision = 0.1
cut = 0
entropy = 0
pause = 0
card = 0
absent = 3600
"""
ROOMY = (
    "requests_per_second=100000",
    "requests_at_once=100000",
    "arrivals_at_once=100",
    "seats_per_address=100",
    "messages_per_second=100000",
    "messages_at_once=100000",
    "address_messages_per_second=100000",
    "address_messages_at_once=100000",
    "snapshots_per_second=100000",
    "snapshots_at_once=100000",
)


BUSY_S = 60.0
"""So long a client tries again that is told to."""


class Down(Exception):
    """The server is not there."""


class Place:
    """Where the server runs: a folder, a port that stays, and the process of the moment.

    Its log may be in a database.
    """

    def __init__(self, folder: Path, *, is_early: bool = False, database: str | None = None) -> None:
        self.folder, self.database = folder, database
        self.program = "tests.crash.early_ack" if is_early else "casinowar"
        (folder / "tables.toml").write_text(TABLES)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Seconds until the server is ready."""
        command = [sys.executable, "-m", self.program, "serve", "--no-open", "--port", str(self.port)]
        command += ["--data", str(self.folder), "--tables", str(self.folder / "tables.toml")]
        for limit in ROOMY:
            command += ["--limit", limit]
        begun = time.monotonic()
        named = {} if self.database is None else {"CASINOWAR_DATABASE": self.database}
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ, **named})
        while True:
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    return time.monotonic() - begun
            except Down:
                pass
            if self.process.poll() is not None or time.monotonic() - begun > 60:
                raise RuntimeError((self.folder / "log.txt").read_text()[-2000:])
            time.sleep(0.02)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(30)

    def open_log(self) -> Store:
        """The log for reading."""
        if self.database is None:
            return SqliteStore(self.folder / "war.db", for_reading=True)
        from casinowar.store.postgres.store import PostgresStore

        return PostgresStore(self.database, for_reading=True)

    def ask(self, method: str, path: str, body: object = None, cookie: str = "") -> tuple[int, bytes, str]:
        """The answer, also after having been told to try again."""
        until = time.monotonic() + BUSY_S
        while True:
            answer = self._ask(method, path, body, cookie)
            if b'"code":"busy"' not in answer[1] or time.monotonic() > until:
                return answer
            time.sleep(0.05)

    def _ask(self, method: str, path: str, body: object, cookie: str) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Content-Type": "application/json", **({"Cookie": cookie} if cookie else {})}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), (answer.headers.get("Set-Cookie") or "").partition(";")[0]
        except (OSError, http.client.HTTPException):
            raise Down from None
        finally:
            connection.close()


class Client(threading.Thread):
    """A guest at one box. A `buyer` buys one unit of chips again and again; a `player` bets and decides.

    `told` is every answer that came, by the command's id; `open` is the one command whose answer has not come.
    """

    def __init__(self, place: Place, table: str, box: int, *, is_buyer: bool) -> None:
        super().__init__(daemon=True)
        self.place, self.table, self.box, self.is_buyer = place, table, box, is_buyer
        status, body, self.cookie = place.ask("POST", "/api/guest", {})
        assert status == 200, body
        self.name: str = json.loads(body)["player"]
        self.told: dict[str, tuple[dict[str, Any], int, bytes]] = {}
        self.open: tuple[str, dict[str, Any]] | None = None
        self.count = 0
        self.is_up = threading.Event()
        self.is_over = False
        self.fault: str | None = None

    def run(self) -> None:
        while not self.is_over:
            self.is_up.wait()
            try:
                if self.open is None:
                    self.open = self.choose()
                if self.open is not None:
                    self.say(*self.open)
                    self.open = None
            except Down:
                self.is_up.clear()
            except Exception as error:
                self.fault = f"{type(error).__name__}: {error}"
                return

    def view(self) -> Any:
        status, body, _ = self.place.ask("GET", f"/api/tables/{self.table}", cookie=self.cookie)
        if status != 200:
            raise RuntimeError(f"{status} {body!r}")
        return json.loads(body)

    def choose(self) -> tuple[str, dict[str, Any]] | None:
        self.count += 1
        view = self.view()
        seen = view["view"]
        seated = [box["box"] for box in seen["boxes"] if box["player"] == self.name]
        command: dict[str, Any]
        if not seated:
            command = {"do": "sit", "box": self.box}
        elif self.is_buyer:
            command = {"do": "buy_chips", "amount": 1}
        elif [self.box, self.name] in seen["asked"]:
            command = {"do": "go_to_war", "player": self.name, "box": self.box}
        elif seen["phase"] == "betting" and view["seal"]["stage"] == "dealing":
            command = {"do": "place_wager", "player": self.name, "box": self.box, "wager": "initial", "amount": 500}
        else:
            time.sleep(0.02)
            return None
        return f"{self.name}-{self.count}", {"expected": view["version"], "command": command}

    def say(self, id: str, asked: dict[str, Any]) -> None:
        status, body, _ = self.place.ask(
            "POST", f"/api/tables/{self.table}/commands", {"id": id, **asked}, cookie=self.cookie
        )
        if status not in (200, 409):
            raise RuntimeError(f"{status} {body!r}")
        if status == 200:
            self.told[id] = (asked, status, body)

    def recheck(self, chance: random.Random) -> list[str]:
        """What was acknowledged before is acknowledged again, in the same words."""
        found = []
        ids = list(self.told)
        for id in {*ids[-20:], *chance.sample(ids, min(20, len(ids)))}:
            asked, status, body = self.told[id]
            again = self.place.ask(
                "POST", f"/api/tables/{self.table}/commands", {"id": id, **asked}, cookie=self.cookie
            )
            if again[:2] != (status, body):
                found.append(f"lost: {self.name} {id} was told {body!r} and then {again[:2]!r}")
        return found


class Outcome:
    def __init__(self) -> None:
        self.kills = self.acknowledged = self.in_flight = self.events = self.ended = 0
        self.recovery: list[float] = []
        self.faults: list[str] = []

    def __str__(self) -> str:
        slowest = max(self.recovery)
        return (
            f"{self.kills} kills, {self.acknowledged} commands acknowledged, {self.in_flight} in flight when killed, "
            f"{self.events} events, recovery at most {slowest:.2f} s, {len(self.faults)} faults"
        )


def crash(folder: Path, kills: int, seed: int = 1, *, is_early: bool = False) -> Outcome:
    """Kill the server so often under load. Everything that is wrong is in the outcome."""
    chance, outcome, place = random.Random(seed), Outcome(), Place(folder, is_early=is_early)
    place.start()
    clients = [Client(place, table, box, is_buyer=box == 1) for table in ("nz", "ma") for box in (1, 2, 3)]
    for client in clients:
        client.is_up.set()
        client.start()
    for _ in range(kills):
        time.sleep(chance.uniform(0.2, 0.9))
        place.kill()
        time.sleep(0.05)
        outcome.kills += 1
        outcome.in_flight += sum(client.open is not None for client in clients)
        outcome.recovery.append(place.start())
        for client in clients:
            outcome.faults += client.recheck(chance)
            client.is_up.set()
        outcome.faults += [client.fault for client in clients if client.fault is not None]
        if outcome.faults:
            break
    wind_up(place, clients, outcome)
    return outcome


def wind_up(place: Place, clients: list[Client], outcome: Outcome) -> None:
    deadline = time.monotonic() + 10
    for client in clients:
        client.is_over = True
        client.is_up.set()
        client.join(max(0.1, deadline - time.monotonic()))
    status = place.kill(signal.SIGTERM)
    if status != 0 and place.program == "casinowar":
        outcome.faults.append(f"the server ended with {status}")
    outcome.acknowledged = sum(len(client.told) for client in clients)
    if place.program == "casinowar":
        outcome.faults += _count(place, clients, outcome)


def _count(place: Place, clients: list[Client], outcome: Outcome) -> list[str]:
    """The store against what the clients know: each command once, each buyer's chips to the unit."""
    found = []
    store = place.open_log()
    try:
        outcome.events = store.head().events
        found += audit(store)
        found += [f"all accounts hold {total}" for total in [sum(store.balances().values())] if total]
        for client in clients:
            if client.is_buyer:
                bought = sum(asked["command"]["do"] == "buy_chips" for asked, _, _ in client.told.values())
                held = store.balance(f"chips:{client.table}:{client.name}")
                if held != bought:
                    found.append(f"{client.name} was told of {bought} units and holds {held}")
    finally:
        store.close()
    return found


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as scratch:
        result = crash(Path(scratch), wanted, seed=int(os.environ.get("SEED", "1")))
    print(result)
    print("\n".join(result.faults))
    sys.exit(bool(result.faults) or max(result.recovery) >= RECOVERY)
