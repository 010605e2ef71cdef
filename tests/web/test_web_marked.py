"""Marked cards on the wire: whatever the running server sends, counts or writes, no seed, salt or next card is in it.

The same as `test_marked_cards.py`, with every byte that leaves the process: frames, answers, errors, metrics and logs.
"""

import json
import logging
import time
from functools import partial
from pathlib import Path

import pytest

from casinowar.house.settings import HouseSettings, TableSettings
from tests.support.live_server import QUICK, Caller, LiveServer, Socket, running

HOUSE = HouseSettings(tables=(TableSettings(name="nz", rulebook="nz", timers=QUICK),))


def secrets(live: LiveServer) -> set[str]:
    """The seed of the shoe in play, and the salts of the cards that have not been turned."""
    shoe = live.server.house.tables["nz"].keeper.shoe
    if shoe is None:
        return set()
    shown = {one.proof.salt for one in shoe.dealt if getattr(one, "proof", None) is not None}  # type: ignore[union-attr]
    return {shoe.keep().seed.hex(), *(salt.hex() for salt in shoe._salts if salt not in shown)}


class Tap:
    """Everything that was sent so far."""

    def __init__(self, live: LiveServer) -> None:
        self.live = live
        self.sent: list[str] = []
        self.sockets: list[Socket] = []

    def watch(self, caller: Caller, role: str) -> None:
        socket = caller.socket()
        self.sent.append(json.dumps(socket.watch("nz", role)))
        self.sockets.append(socket)

    def drain(self) -> None:
        for socket in self.sockets:
            while True:
                try:
                    self.sent.append(str(socket.connection.recv(0.02)))
                except TimeoutError:
                    break

    def ask(self, caller: Caller, method: str, path: str, body: object = None) -> None:
        answer = caller.ask(method, path, body)
        self.sent.append(answer.body.decode() + str(answer.headers))

    def check(self, logged: str) -> None:
        kept = self.live.call(partial(secrets, self.live))
        assert kept
        everything = "\n".join([*self.sent, logged])
        told = [one for one in kept if one in everything]
        assert not told, f"{len(told)} secrets were told"


def play(live: LiveServer, tap: Tap, guest: Caller, auditor: Caller, rounds: int) -> None:
    guest.command("nz", {"do": "sit", "box": 1})
    done = 0
    until = time.monotonic() + 60
    while done < rounds and time.monotonic() < until:
        wager = {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": 500}
        for command in (wager, {"do": "go_to_war", "player": guest.name, "box": 1}, {"do": "view_initial_burn"}):
            answer = guest.command("nz", command)
            tap.sent.append(answer.body.decode())
        guest.command("nz", {"do": "view_initial_burn", "player": guest.name})
        for path in ("", "/rounds", "/shoes", "/shoes/1", "/log", f"/rounds/{done}", f"/rounds/{done}/record"):
            tap.ask(auditor, "GET", f"/api/tables/nz{path}")
        tap.ask(guest, "GET", "/api/tables/nz/shoes/99")
        tap.ask(guest, "POST", "/api/tables/nz/commands", {"id": "x", "nonsense": 1})
        tap.ask(guest, "GET", "/metrics")
        tap.drain()
        done = live.call(lambda: live.server.house.tables["nz"].rounds_done)


def tapped(folder: Path, caplog: pytest.LogCaptureFixture, rounds: int) -> None:
    for logger in (None, "casinowar"):  # A server in this process may have set a level of its own.
        caplog.set_level(logging.DEBUG, logger=logger)
    with running(folder, HOUSE) as live:
        guest, auditor = Caller(live).guest(), live.staff("una", "auditor", "supervisor", "dealer")
        tap = Tap(live)
        tap.watch(guest, "player")
        tap.watch(Caller(live).guest(), "watcher")
        for role in ("dealer", "supervisor", "auditor"):
            tap.watch(auditor, role)
        play(live, tap, guest, auditor, rounds)
        assert len(tap.sent) > 50
        tap.check(caplog.text)
        for socket in tap.sockets:
            socket.close()


def test_nothing_that_leaves_the_server_holds_a_secret_of_the_shoe(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tapped(tmp_path, caplog, rounds=6)


def test_a_log_line_with_the_shoe_in_it_is_found(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from casinowar.house.shoes.keeper import Keeper

    faces = Keeper.faces

    def careless(keeper: Keeper, drawn: int, cards: int) -> object:
        assert keeper.shoe is not None
        logging.getLogger("casinowar.dealers").debug("dealing from %s", keeper.shoe.keep().seed.hex())
        return faces(keeper, drawn, cards)

    monkeypatch.setattr(Keeper, "faces", careless)
    with pytest.raises(AssertionError, match="secrets were told"):
        tapped(tmp_path, caplog, rounds=1)
