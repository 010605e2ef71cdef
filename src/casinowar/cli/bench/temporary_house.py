"""A house for one load: `casinowar serve` in a process of its own, over a folder that is gone afterwards."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.samples import cpu_seconds, resident_bytes
from casinowar.errors import CasinoWarError

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
START_S, STOP_S = 600.0, 60.0
REPLAYED = 300
"""Rounds that the audit at the end replays; the money, the chains and all commands it checks in full."""

SERVE = ("-m", "casinowar")
GUEST_PURSE = 10**9
LIMIT = {"minimum": 500, "maximum": 50_000, "unit": 500}
AS_COMMANDED = {
    "betting": 30,
    "decision": 30,
    "war_betting": 0,
    "cut": 10,
    "entropy": 2,
    "bank": 10,
    "pause": 0,
    "card": 0,
}
"""Timers of a table that is as fast as its players."""

AS_PEOPLE_PLAY = {"betting": 4, "decision": 4, "war_betting": 0.5, "cut": 4, "entropy": 0.5, "pause": 2, "card": 0.3}
"""Timers for a round about every five seconds."""

NO_LIMIT = 1_000_000
UNLIMITED = (
    *("messages_per_second", "messages_at_once", "address_messages_per_second", "address_messages_at_once"),
    *("snapshots_per_second", "snapshots_at_once", "requests_per_second", "requests_at_once"),
    *("arrivals_per_second", "arrivals_at_once", "seats_per_address"),
    *("sockets_per_address", "sockets_per_network", "sockets_of_guests", "sockets"),
    *("connections_per_address", "connections_per_network", "connections"),
)
"""Limits by account and address: here everybody comes from one. How often viewers are told stays as it is."""


class NoHouse(CasinoWarError):
    """The house for the load did not come up, or did not close in order."""


class TemporaryHouse:
    """A running house. `audit` is for when it has closed."""

    def __init__(self, folder: Path, program: Sequence[str], env: Mapping[str, str]) -> None:
        self.folder = folder
        self.url = ""
        self._command = (sys.executable, *program)
        self._env = {**os.environ, **env}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, plan: Plan, core: int | None) -> None:
        file, log = self.folder / "tables.toml", self.folder / "server.log"
        file.write_text(tables_file(plan))
        options = ["--no-open", "--port", "0", "--data", str(self.folder), "--tables", str(file)]
        options += [word for key in UNLIMITED for word in ("--limit", f"{key}={NO_LIMIT}")]
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                [*self._command, "serve", *options],
                stdout=out,
                stderr=subprocess.STDOUT,
                env=self._env,
                start_new_session=True,  # An interrupt is for us: we close the house.
            )
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        self.url = self._address(log)

    def _address(self, log: Path) -> str:
        assert self._process is not None
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and self._process.poll() is None:
            if there := ADDRESS.search(log.read_text(errors="replace")):
                return there.group()
            time.sleep(0.02)
        raise NoHouse(f"no house came up: {_last_line(log)}")

    def cpu_seconds(self) -> float | None:
        return None if self._process is None else cpu_seconds(self._process.pid)

    def resident_bytes(self) -> int | None:
        return None if self._process is None else resident_bytes(self._process.pid)

    def check_open(self) -> None:
        """Raise where the house has ended by itself."""
        if self._process is not None and self._process.poll() is not None:
            self.close()
            raise NoHouse("the house closed by itself")

    def close(self) -> None:
        """Close the house, which must go in order."""
        status = self.end()
        if status:
            raise NoHouse(f"the house ended with status {status}: {_last_line(self.folder / 'server.log')}")

    def end(self) -> int:
        """End the house, and give its exit status; one that does not close in time is killed."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def audit(self) -> list[str]:
        """What `casinowar audit` finds in the database of the closed house."""
        options = ["audit", "--data", str(self.folder), "--rounds", str(REPLAYED), "--json"]
        done = subprocess.run([*self._command, *options], capture_output=True, env=self._env)
        try:
            verdict: dict[str, Any] = msgspec.json.decode(done.stdout)
        except msgspec.DecodeError:
            return [f"the audit could not be done: {done.stderr.decode(errors='replace').strip()}"]
        return [f"{one['where']}: {one['what']}" for one in verdict["findings"]]


ENDING = tuple(one for name in ("SIGTERM", "SIGHUP") if (one := getattr(signal, name, None)) is not None)
"""Signals by which a process is asked to end, the one of a closed terminal among them."""


@contextmanager
def temporary_house(
    plan: Plan, program: Sequence[str] = SERVE, env: Mapping[str, str] | None = None, core: int | None = None
) -> Iterator[TemporaryHouse]:
    """A house for this plan. `program` is what Python runs, in the environment with `env`, on this core."""
    with _ended_in_order(), tempfile.TemporaryDirectory(prefix="casinowar-bench-") as folder:
        house = TemporaryHouse(Path(folder), program, env or {})
        try:
            house.start(plan, core)
            yield house
        finally:
            house.end()


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a signal to end be an exit like any other, so that no house is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.signal(one, lambda number, frame: sys.exit(128 + number)) for one in ENDING}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def tables_file(plan: Plan) -> str:
    """The tables of the plan, by turns of its books, and those besides that nobody uses."""
    timers = AS_PEOPLE_PLAY if plan.pace is None else AS_COMMANDED
    names = [f"load-{number}" for number in range(1, plan.tables + 1)]
    names += [f"open-{number}" for number in range(1, plan.open_tables + 1)]
    tables = [
        {"name": name, "rulebook": plan.books[number % len(plan.books)], "limit": LIMIT, "timers": timers}
        for number, name in enumerate(names)
    ]
    return tomli_w.dumps({"guest_purse": GUEST_PURSE, "tables": tables})


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").split("\n") if log.exists() else []
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
