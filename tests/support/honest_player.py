"""An honest player of a server under attack, and how long each command waits for its answer."""

import json
import time
from http.client import HTTPConnection
from typing import Any, NamedTuple

from tests.support.live_server import fresh_id

ROOMY = [
    word
    for whose in ("", "address_")
    for what in ("per_second", "at_once")
    for word in ("--limit", f"{whose}messages_{what}=1000")
]
"""Options of `casinowar serve` that leave the player room for this pace."""


class Waits(NamedTuple):
    """Milliseconds from command to answer of an honest player, sorted."""

    ms: list[float]

    def share(self, share: float) -> float:
        return self.ms[min(len(self.ms) - 1, int(share * len(self.ms)))]

    def __str__(self) -> str:
        return f"{len(self.ms)} commands: p50 {self.share(0.5):.1f} ms, p99 {self.share(0.99):.1f} ms"


class Honest:
    """A player at the table who puts a wager down and takes it away again."""

    def __init__(self, port: int, table: str) -> None:
        self.table = table
        self.line = HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookie = ""
        self.ask("POST", "/api/guest", {})
        self.command({"do": "sit", "box": self.free_box()})

    def ask(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        self.line.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.line.getresponse()
        self.cookie = (answer.headers.get("Set-Cookie") or self.cookie).partition(";")[0]
        return json.loads(answer.read())

    def waits(self, seconds: float) -> Waits:
        """`buy_chips` and `cash_chips` need no turn: each is one commit."""
        found, until = list[float](), time.monotonic() + seconds
        while time.monotonic() < until:
            for command in ({"do": "buy_chips", "amount": 500}, {"do": "cash_chips", "amount": 500}):
                began = time.perf_counter()
                answer = self.command(command)
                found.append(1000 * (time.perf_counter() - began))
                assert answer.get("type") == "done", answer
                time.sleep(0.02)
        return Waits(sorted(found))

    def free_box(self) -> int:
        taken = next(one for one in self.ask("GET", "/api/tables") if one["name"] == self.table)["taken"]
        return next(box for box in range(1, 8) if box not in taken)

    def command(self, command: dict[str, Any]) -> Any:
        body = {"id": fresh_id(), "expected": 0, "command": command}
        return self.ask("POST", f"/api/tables/{self.table}/commands", body)
