"""A drain at SIGTERM: nothing acknowledged is lost, an open decision comes back, and it takes seconds.

`DRAINS=20` drains as often; docs/operations.md has the figure of a run.
"""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from casinowar.house.settings import HouseSettings, TableSettings
from casinowar.store import StoreFault
from tests.crash.server_crash import Client, Down, Place
from tests.support.live_server import QUICK, Caller, LiveServer, running

DRAINS = int(os.environ.get("DRAINS", "2"))
MOST_S = 20.0 if DRAINS < 10 else 6.0
"""Beside other tests the machine is busy; alone a drain is a goodbye of two seconds at most, and what uvicorn waits."""


class Waiting(Place):
    """The server as clients see it who come back later where they are told that it is being stopped."""

    def ask(self, method: str, path: str, body: object = None, cookie: str = "") -> tuple[int, bytes, str]:
        answer = super().ask(method, path, body, cookie)
        if answer[0] == 503 and b'"draining"' in answer[1]:
            raise Down
        return answer


def drained(folder: Path, drains: int, *, is_early: bool = False) -> tuple[list[str], int, float]:
    """So many drains under load: what was lost or went wrong, how many commands were acknowledged, and the longest."""
    place, took, faults = Waiting(folder, is_early=is_early), list[float](), list[str]()
    place.start()
    clients = [Client(place, table, box, is_buyer=box == 1) for table in ("nz", "ma") for box in (1, 2)]
    for client in clients:
        client.is_up.set()
        client.start()
    try:
        for _ in range(drains):
            before = sum(len(client.told) for client in clients)
            end = time.monotonic() + 180
            while sum(len(client.told) for client in clients) < before + 20:
                assert time.monotonic() < end
                time.sleep(0.02)
            begun = time.monotonic()
            status = place.kill(signal.SIGTERM)
            faults += [f"the server ended with {status}"] * bool(status)
            took.append(time.monotonic() - begun)
            place.start()
            for client in clients:
                faults += client.recheck(random.Random(1))
            faults += [client.fault for client in clients if client.fault is not None]
            if faults:
                break
            for client in clients:
                client.is_up.set()
    finally:
        for client in clients:
            client.is_over = True
            client.is_up.set()
            client.join(30)
        place.kill(signal.SIGTERM)
    return faults, sum(len(client.told) for client in clients), max(took)


@pytest.mark.slow
def test_what_was_acknowledged_before_a_drain_is_so_after_it(tmp_path: Path) -> None:
    faults, told, longest = drained(tmp_path, DRAINS)
    assert faults == []
    print(f"\n{DRAINS} drains under load, {told} commands acknowledged, 0 lost; at most {longest:.2f} s each")
    assert longest < MOST_S
    assert "Traceback" not in (tmp_path / "log.txt").read_text()


@pytest.mark.slow
def test_a_server_that_answers_before_the_disk_has_it_is_found(tmp_path: Path) -> None:
    """The twin: what it gathered last is not on the disk when it has ended."""
    faults, _, _ = drained(tmp_path, 10, is_early=True)
    assert any(one.startswith("lost") for one in faults), faults


HOUSE = HouseSettings(tables=(TableSettings(name="nz", rulebook="nz", timers=QUICK),))


def asked_now(live: LiveServer) -> list[tuple[int, str]]:
    table = live.server.house.tables["nz"].table
    return list(table.round.asked) if table.phase == "deciding" else []


def until_somebody_is_asked(live: LiveServer, guests: list[Caller]) -> list[tuple[int, str]]:
    """Play until a round waits for a decision, and give whose it is."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        asked = live.call(lambda: asked_now(live))
        if asked:
            return asked
        for box, guest in enumerate(guests, start=1):
            wager = {"do": "place_wager", "player": guest.name, "box": box, "wager": "initial", "amount": 500}
            guest.command("nz", wager)
        time.sleep(0.05)
    raise AssertionError("no tie in two minutes")


def test_an_open_decision_comes_back_and_is_taken(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live:
        guests = [Caller(live).guest() for _ in range(6)]
        for box, guest in enumerate(guests, start=1):
            assert guest.command("nz", {"do": "sit", "box": box}).status == 200
        box, name = until_somebody_is_asked(live, guests)[0]
        player = next(one for one in guests if one.name == name)
        before = player.ask("GET", "/api/tables/nz").json["view"]
    with running(tmp_path, HOUSE, port=live.port) as live:
        player.live = live
        after = player.ask("GET", "/api/tables/nz").json["view"]
        for part in ("phase", "round", "asked", "boxes"):
            assert after[part] == before[part], part
        answer = player.command("nz", {"do": "go_to_war", "player": name, "box": box})
        assert answer.status == 200, answer.json


def test_while_it_drains_commands_are_refused_with_a_word_and_readyz_says_so(tmp_path: Path) -> None:
    with running(tmp_path, HOUSE) as live:
        guest = Caller(live).guest()
        live.call(lambda: setattr(live.server, "is_closing", True))
        refused = guest.command("nz", {"do": "sit", "box": 1})
        assert (refused.status, refused.json["code"]) == (503, "draining")
        ready = guest.ask("GET", "/readyz")
        assert (ready.status, ready.json["code"]) == (503, "draining")
        live.call(lambda: setattr(live.server, "is_closing", False))


def test_a_drain_that_fails_ends_the_server_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As where the last checkpoint cannot be written. `running` asserts that the server ends."""
    with running(tmp_path, HOUSE) as live:
        house = live.server.house
        closes = [StoreFault("no room for the last checkpoint")]
        close = house.close

        def fail_once() -> None:
            if closes:
                raise closes.pop()
            close()

        live.call(lambda: setattr(house, "close", fail_once))
    assert closes == []
    assert "the drain has failed" in caplog.text
