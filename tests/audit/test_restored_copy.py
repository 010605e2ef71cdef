"""A house puts an older copy of its data back, to have a shoe or a round once more: `verify --earlier` finds it."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from casinowar.fairness import promise
from casinowar.house.settings import HouseSettings, TableSettings
from tests.support.commandline import run
from tests.support.live_server import QUICK, Caller, LiveServer, running

BOX = 2
LATE = TableSettings(name="late", rulebook="nz", timers=replace(QUICK, entropy=60))
"""Promises and entropy are waited for until the player has given them."""

HOUSE = HouseSettings(tables=(LATE,))


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")


class Guest(Caller):
    """Somebody at the table, who is the same after the server has begun again."""

    def __init__(self, live: LiveServer, session: str | None) -> None:
        super().__init__(live)
        if session is None:
            self.guest()
        else:
            self.cookie = f"casinowar_session_{live.port}={session}"
        self.name = str(self.ask("GET", "/api/me").json["player"])
        self.looking = self.socket()
        self.seen = self.looking.watch("late")["view"]

    def act(self, **command: Any) -> None:
        done = self.command("late", command)
        assert done.status == 200, done.json

    def until(self, is_so: Callable[[Any], bool]) -> None:
        while not is_so(self.seen):
            self.seen = self.looking.next_of("events", "snapshot", timeout=30)["view"]

    def reach(self, stage: str) -> None:
        self.until(lambda seen: seen["seal"]["stage"] == stage)

    def seal(self, entropy: bytes) -> None:
        self.reach("promising")
        commitment = bytes.fromhex(self.seen["seal"]["commitment"])
        self.act(do="promise_entropy", promise=promise(commitment, BOX, entropy).hex())
        self.reach("showing")
        self.act(do="add_entropy", entropy=entropy.hex())
        self.reach("dealing")

    def play(self) -> None:
        """One round, given up where the first cards tie."""
        table = self.live.server.house.tables["late"]
        done = self.live.call(lambda: table.rounds_done)
        self.until_so(lambda: table.is_ready and table.table.phase == "betting")
        self.act(do="place_wager", player=self.name, box=BOX, wager="initial", amount=500)
        self.act(do="ready")
        self.until_so(lambda: table.rounds_done > done or table.table.phase == "deciding")
        if self.live.call(lambda: table.table.phase) == "deciding":
            self.act(do="surrender", player=self.name, box=BOX)
        self.until_so(lambda: table.rounds_done > done)

    def until_so(self, is_so: Callable[[], bool]) -> None:
        self.until(lambda _: self.live.call(is_so))


class House:
    """The data of a house in a folder, and a place beside it for a copy and for what a player keeps."""

    def __init__(self, folder: Path) -> None:
        self.data, self.copy, self.kept = folder / "data", folder / "copy", folder / "kept.json"
        self.data.mkdir()
        self.session: str | None = None

    @contextmanager
    def open(self) -> Iterator[Guest]:
        with running(self.data, HOUSE) as live:
            guest = Guest(live, self.session)
            self.session = (guest.cookie or "").partition("=")[2]
            try:
                yield guest
            finally:
                guest.looking.close()

    def set_aside(self) -> None:
        shutil.copytree(self.data, self.copy)

    def put_back(self) -> None:
        shutil.rmtree(self.data)
        shutil.copytree(self.copy, self.data)

    def keep(self, guest: Guest, *, of: str = "verdict") -> Any:
        if of == "list":
            self.kept.write_bytes(guest.ask("GET", "/api/tables/late/shoes").body)
        else:
            done = run("verify", f"{guest.live.address}/api/tables/late", "--json")
            assert done.status == 0, done
            self.kept.write_text(done.out, "utf-8")
        return json.loads(self.kept.read_text("utf-8"))

    def held(self, guest: Guest) -> tuple[int, list[str]]:
        address = f"{guest.live.address}/api/tables/late"
        done = run("verify", address, "--json", "--earlier", str(self.kept))
        return done.status, json.loads(done.out)["missing"]


@pytest.mark.parametrize("of", ["verdict", "list"])
def test_a_shoe_that_is_sealed_again_after_a_copy_was_put_back_has_another_seal(tmp_path: Path, of: str) -> None:
    house = House(tmp_path)
    with house.open() as guest:
        guest.act(do="sit", box=BOX)
        guest.reach("promising")
    house.set_aside()
    with house.open() as guest:
        guest.seal(b"the first entropy")
        first = guest.seen["seal"]
        guest.play()
        kept = house.keep(guest, of=of)
    [line] = kept["shoes"] if of == "verdict" else kept
    assert (line["commitment"], line["seal"]) == (first["commitment"], first["seal"])
    house.put_back()
    with house.open() as guest:
        guest.seal(b"and some other entropy")
        second = guest.seen["seal"]
        guest.play()
        status, missing = house.held(guest)
    assert (second["commitment"], second["root"] != first["root"]) == (first["commitment"], True)
    assert status == 1
    assert f"shoe late/1 was sealed as {first['seal']}, and its seal is {second['seal']} now" in missing


def sealed(house: House) -> None:
    with house.open() as guest:
        guest.act(do="sit", box=BOX)
        guest.seal(b"the only entropy")
    house.set_aside()


def test_a_round_that_is_undone_by_a_copy_leaves_fewer_cards_out(tmp_path: Path) -> None:
    """Only the opening burn, which comes before the wagers, was out when the copy was made."""
    house = House(tmp_path)
    sealed(house)
    with house.open() as guest:
        guest.reach("dealing")
        guest.play()
        [before] = house.keep(guest)["shoes"]
    house.put_back()
    with house.open() as guest:
        status, missing = house.held(guest)
    assert before["out"] >= 3
    assert (status, missing) == (1, [f"of shoe late/1 {before['out']} cards were out, and now only 1"])


def test_rounds_that_are_dealt_again_are_found_by_the_checkpoint_alone(tmp_path: Path) -> None:
    """The same shoe comes again, with other wagers on it, and as far as before."""
    house = House(tmp_path)
    sealed(house)
    with house.open() as guest:
        guest.reach("dealing")
        guest.play()
        guest.live.call(guest.live.server.house.checkpoint)
        last = house.keep(guest)["checkpoint"]
        assert house.held(guest) == (0, [])
    house.put_back()
    with house.open() as guest:
        guest.reach("dealing")
        for _ in range(2):
            guest.play()
        assert house.held(guest) == (1, [f"checkpoint {last['number']} of the house was kept, and it has none now"])
    with house.open() as guest:
        assert house.held(guest) == (1, [f"checkpoint {last['number']} of the house was kept, and it has another now"])


def test_twin_a_house_that_only_begins_again_is_not_accused(tmp_path: Path) -> None:
    house = House(tmp_path)
    with house.open() as guest:
        guest.act(do="sit", box=BOX)
        guest.reach("promising")
        kept = house.keep(guest)
        assert (kept["shoes"][0]["seal"], kept["shoes"][0]["out"]) == (None, 0)
        assert kept["checkpoint"]["number"] == 1
    with house.open() as guest:
        assert house.held(guest) == (0, [])
        guest.seal(b"the only entropy")
        guest.play()
        assert house.held(guest) == (0, [])
        house.keep(guest)
    with house.open() as guest:
        assert house.held(guest) == (0, [])
        guest.play()
        assert house.held(guest) == (0, [])


def test_what_was_kept_with_an_older_program_is_read_on(tmp_path: Path) -> None:
    house = House(tmp_path)
    sealed(house)
    with house.open() as guest:
        guest.reach("dealing")
        kept = house.keep(guest)
        for one in kept["shoes"]:
            del one["seal"], one["out"]
        del kept["checkpoint"]
        house.kept.write_text(json.dumps(kept), "utf-8")
        assert house.held(guest) == (0, [])
