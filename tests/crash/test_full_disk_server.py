"""A real server whose disk fills up: nothing acknowledged is lost, and nothing is taken any more, with a word.

`casinowar serve` runs on a small file system of its own. Guests buy chips one unit at a time until the disk is full.
Then its files are carried to a larger one, where a server goes on.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from casinowar.store import SqliteStore, audit
from tests.crash.server_crash import ROOMY, ROOT, Down, Place
from tests.crash.test_disk_errors import needs_mounts

SIZE = os.environ.get("DISK", "4m")
SCRIPT = 'mount -t tmpfs -o size="$0" none "$1" && small="$1" && out="$2" && shift 2 && "$@"; cp -a "$small"/. "$out"/'
GUESTS = 3


class SmallDisk(Place):
    """The server on a file system of its own, which goes with its process; before that it is copied to `out`."""

    def __init__(self, folder: Path, *, is_early: bool = False) -> None:
        folder.mkdir()
        super().__init__(folder, is_early=is_early)
        self.small, self.out = folder / "small", folder / "out"
        self.small.mkdir()
        self.out.mkdir()

    def start(self) -> float:
        serve = [sys.executable, "-m", self.program, "serve", "--no-open", "--port", str(self.port)]
        serve += ["--data", str(self.small), "--tables", str(self.folder / "tables.toml")]
        serve += ["--log-file", str(self.small / "server.log"), "--log-level", "info", "--log-format", "json"]
        serve += [word for limit in ROOMY for word in ("--limit", limit)]
        command = [
            "unshare",
            "-rm",
            "sh",
            "-c",
            f"trap '' TERM; {SCRIPT}",
            SIZE,
            str(self.small),
            str(self.out),
            *serve,
        ]
        begun = time.monotonic()
        with (self.folder / "log.txt").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
        while True:
            with contextlib.suppress(Down):
                if self.ask("GET", "/readyz")[0] == 200:
                    return time.monotonic() - begun
            assert self.process.poll() is None, (self.folder / "log.txt").read_text()
            assert time.monotonic() - begun < 60
            time.sleep(0.05)

    def end(self) -> None:
        """End the server in order; the shell behind it, which does not hear the signal, then copies what it left."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(60)


class Guest(threading.Thread):
    """Somebody who buys one unit of chips again and again until the server says that it takes nothing more."""

    def __init__(self, place: SmallDisk, box: int) -> None:
        super().__init__(daemon=True)
        self.place, self.box = place, box
        _, body, self.cookie = place.ask("POST", "/api/guest", {})
        self.name: str = json.loads(body)["player"]
        self.told: dict[str, tuple[Any, bytes]] = {}
        self.last: tuple[int, bytes] = (0, b"")

    def run(self) -> None:
        self.send(f"{self.name}-sit", {"do": "sit", "box": self.box})
        for number in range(100_000):
            if not self.send(f"{self.name}-{number}", {"do": "buy_chips", "amount": 1}):
                return

    def send(self, id: str, command: Any) -> bool:
        asked = {"id": id, "expected": 0, "command": command}
        for _ in range(50):
            status, view, _ = self.place.ask("GET", "/api/tables/nz", cookie=self.cookie)
            if status == 200:
                asked["expected"] = json.loads(view)["version"]
            self.last = self.post(asked)
            if self.last[0] == 200:
                self.told[id] = (asked, self.last[1])
                return True
            if self.last[0] == 503:
                return False
        return False

    def post(self, asked: Any) -> tuple[int, bytes]:
        return self.place.ask("POST", "/api/tables/nz/commands", asked, self.cookie)[:2]


def filled(folder: Path, *, is_early: bool = False) -> tuple[SmallDisk, list[Guest], dict[str, Any]]:
    """A server that was served until its disk was full, and what it said then."""
    place = SmallDisk(folder, is_early=is_early)
    place.start()
    guests = [Guest(place, box) for box in range(1, GUESTS + 1)]
    for guest in guests:
        guest.start()
    for guest in guests:
        guest.join(120)
    ready = place.ask("GET", "/readyz")
    said = {"ready": ready[0], "code": json.loads(ready[1]).get("code"), "metrics": place.ask("GET", "/metrics")[1]}
    said["alive"] = place.ask("GET", "/healthz")[0]
    place.end()
    return place, guests, said


def lost(place: SmallDisk, guests: list[Guest]) -> list[str]:
    """What a server on a larger disk does not acknowledge in the same words."""
    larger = Place(place.folder)
    (place.out / "tables.toml").write_text((place.folder / "tables.toml").read_text())
    larger.folder = place.out
    larger.start()
    found = []
    try:
        for guest in guests:
            guest.place = larger  # type: ignore[assignment]
            guest.cookie = f"casinowar_session_{larger.port}={guest.cookie.partition('=')[2]}"
            for id, (asked, answer) in list(guest.told.items())[-60:]:
                again = guest.post(asked)
                if again != (200, answer):
                    found.append(f"{id}: {answer!r} and then {again!r}")
            if not guest.send(f"{guest.name}-again", {"do": "buy_chips", "amount": 1}):
                found.append(f"{guest.name} cannot go on: {guest.last}")
    finally:
        larger.kill(signal.SIGTERM)
    return found


@needs_mounts
@pytest.mark.slow
def test_a_disk_that_fills_up_under_the_server_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    place, guests, said = filled(tmp_path / "house")
    told = sum(len(guest.told) for guest in guests)
    assert told > 50
    assert {guest.last[0] for guest in guests} == {503}
    assert all(b"out_of_service" in guest.last[1] for guest in guests)
    assert (said["ready"], said["code"], said["alive"]) == (503, "out_of_service", 200)
    assert b"casinowar_out_of_service 1.0" in said["metrics"]
    assert lost(place, guests) == []
    store = SqliteStore(place.out / "war.db", for_reading=True)
    assert audit(store) == []
    store.close()
    print(f"\na disk of {SIZE} was full after {told} commands: 0 lost")


@needs_mounts
@pytest.mark.slow
def test_a_server_that_answers_before_the_disk_has_it_is_found(tmp_path: Path) -> None:
    """The twin that must fail."""
    place, guests, _ = filled(tmp_path / "house", is_early=True)
    try:
        assert lost(place, guests)
    except (AssertionError, RuntimeError):
        raise
    except Down:
        pass
