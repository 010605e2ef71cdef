"""`casinowar bench serve`: a real load on a house of its own, houses that must be found wrong, and bad arguments."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.cli.bench.own_load import run_own, with_books
from casinowar.cli.bench.plan import Plan
from casinowar.cli.bench.temporary_house import NoHouse
from casinowar.engine.view import Viewer
from casinowar.history.narrative import RoundLines
from casinowar.house.house import House
from casinowar.house.table import visibility
from casinowar.house.table.parts import TableParts, Told
from casinowar.house.table.visibility import Change
from casinowar.web.http.limits import USUAL, Limits
from casinowar.web.routes import tables as table_routes
from casinowar.web.socket.frame_reader import FrameReader
from tests.support.commandline import run
from tests.support.live_server import LiveServer, running

SMALL = ("--seats", "2", "--seconds", "1", "--pace", "20", "--json")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[LiveServer]:
    with running(tmp_path) as live:
        yield live


ACTS = ("place_wager", "ready", "go_to_war", "buy_chips", "cash_chips")


def load(house: LiveServer, *options: str) -> tuple[int, dict[str, Any]]:
    done = run("bench", "serve", "--url", house.address, *SMALL, *options)
    assert done.out, done.err
    return done.status, json.loads(done.out)


def test_a_house_of_its_own_is_loaded_and_checked() -> None:
    options = ("--tables", "2", "--watchers", "1", "--open-tables", "1", "--reconnects", "120", "--seconds", "2")
    done = run("bench", "serve", *SMALL, *options)
    told = json.loads(done.out)
    assert (done.status, told["failures"]) == (0, [])
    assert told["format"] == "casinowar-bench-serve/1"
    assert {"tables", "seats", "watchers", "open_tables", "pace", "think", "books", "seed"} <= told["plan"].keys()
    assert told["url"] is None
    stretch = told["stretch"]
    assert stretch["sent"] == 2 * 20
    assert stretch["done"] + sum(stretch["refused"].values()) == 40
    assert sum(stretch["commands"].values()) == 40
    assert stretch["commands"]["place_wager"] > 0
    assert (stretch["errors"], stretch["throttled"], stretch["unanswered"]) == ({}, 0, 0)
    answers = stretch["answers"]
    assert answers["count"] == 40
    assert 0 < answers["p50"] <= answers["p99"] <= answers["p99_9"] <= answers["max"]
    assert stretch["news"]["count"] > 0
    assert stretch["generator_cpu"]["seconds"] > 0
    assert stretch["server_cpu"]["seconds"] > 0
    assert told["reconnects"] > 0
    assert (told["views"], told["differing_views"]) == (5, [])
    assert sum(told["rounds"].values()) > 0
    assert told["cards"] > 0
    money = told["money"]
    assert money["bought_in"] == 4 * 10**9
    assert money["has"] == money["bought_in"] + money["won"]
    assert (money["wrong"], money["audit"]) == ([], [])


def test_players_who_think_are_measured_too(house: LiveServer) -> None:
    done = run("bench", "serve", "--url", house.address, "--seats", "2", "--seconds", "1", "--think", "0.01")
    assert done.status == 0, done.out
    assert "players think 0.01 s" in done.out
    assert "views equal to the server's" in done.out


def test_a_running_house_is_found_right_and_its_cpu_unknown(house: LiveServer) -> None:
    status, told = load(house, "--watchers", "1")
    assert (status, told["failures"]) == (0, [])
    assert told["stretch"]["server_cpu"] is None
    assert told["money"]["audit"] is None
    assert any("CPU is not known" in note for note in told["notes"])
    assert list(told["rounds"]) == ["nz"]


def test_a_server_that_does_not_tell_is_found(house: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    right = TableParts.frames

    def frames(kept: TableParts, changes: list[Change], viewer: Viewer, told: Told) -> tuple[list[bytes], Told]:
        return ([], told) if viewer.role == "watcher" else right(kept, changes, viewer, told)

    monkeypatch.setattr(TableParts, "frames", frames)
    monkeypatch.setattr("casinowar.cli.bench.crowd.SETTLE_S", 1.0)
    status, told = load(house, "--watchers", "1")
    assert status == 1
    assert len(told["differing_views"]) == 1
    assert told["failures"][0].startswith("views that are not the server's")


def test_a_server_that_shows_another_table_than_it_told_is_found(
    house: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def live_view(live: Any, viewer: Viewer) -> f.LiveView:
        told = visibility.live_view(live, viewer)
        return msgspec.structs.replace(told, purse=(told.purse or 0) + 1)

    monkeypatch.setattr(table_routes, "live_view", live_view)
    monkeypatch.setattr("casinowar.cli.bench.crowd.SETTLE_S", 1.0)
    status, told = load(house)
    assert (status, len(told["differing_views"])) == (1, 2)


def test_a_command_that_is_never_answered_is_found(house: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    right = FrameReader._command
    acts = []

    def command(reader: FrameReader, frame: f.Command) -> None:
        """Of 40 acts and the few before them, the thirtieth is one that is counted."""
        is_act = msgspec.json.decode(frame.command)["do"] in ACTS
        acts.append(frame.id) if is_act else None
        if not is_act or len(acts) != 30:
            right(reader, frame)

    monkeypatch.setattr(FrameReader, "_command", command)
    monkeypatch.setattr("casinowar.cli.bench.generator.PATIENCE_S", 2.0)
    monkeypatch.setattr("casinowar.cli.bench.crowd.SETTLE_S", 2.0)
    status, told = load(house, "--pace", "40")
    assert status == 1
    assert told["stretch"]["unanswered"] == 1
    assert "1 commands got no answer" in told["failures"]


def test_money_that_is_missing_is_found(house: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    right = House.player
    looked: set[str] = set()

    def player(house: House, name: str) -> f.PlayerView:
        told = right(house, name)
        lost = 500 * (name in looked)
        looked.add(name)
        return msgspec.structs.replace(told, purse=told.purse - lost)

    monkeypatch.setattr(House, "player", player)
    status, told = load(house)
    assert status == 1
    assert len(told["money"]["wrong"]) == 2
    assert told["money"]["has"] == told["money"]["bought_in"] + told["money"]["won"] - 1000
    assert any(failure.startswith("money: guest-") for failure in told["failures"])


def test_a_round_of_which_nobody_hears_is_found(house: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    right = RoundLines.after

    def after(lines: RoundLines, *args: Any) -> f.RoundLine | None:
        line = right(lines, *args)
        return None if line is not None and line.number == 2 else line

    monkeypatch.setattr(RoundLines, "after", after)
    status, told = load(house, "--pace", "40", "--seconds", "3")
    assert status == 1
    assert sum("never heard of 1 rounds" in one for one in told["broken"]) == 2


def test_what_a_limit_refuses_is_counted_apart(tmp_path: Path) -> None:
    limits = Limits(messages_per_second=2, messages_at_once=6, refusals_at_once=1_000)
    with running(tmp_path, limits=limits) as house:
        status, told = load(house, "--pace", "40")
    assert (status, told["failures"]) == (0, [])
    stretch = told["stretch"]
    assert stretch["throttled"] > 0
    assert "too_fast" not in stretch["refused"]
    assert stretch["done"] + stretch["throttled"] + sum(stretch["refused"].values()) == stretch["sent"] == 40


def test_a_house_that_gives_fewer_seats_says_so_in_one_line(tmp_path: Path) -> None:
    with running(tmp_path, limits=USUAL) as house:
        error = run("bench", "serve", "--url", house.address, "--seats", "5", "--seconds", "1").err.splitlines()[-1]
        assert error.startswith(f"casinowar: {house.address}: the house refuses: too_many_seats")
        assert "--hall" in error
        named = run("bench", "serve", "--url", house.address, "--table", "hand")
        assert "hand is not open to guests" in named.error
        assert "no table nowhere" in run("bench", "serve", "--url", house.address, "--table", "nowhere").error
        assert (
            "1 tables are open" in run("bench", "serve", "--url", house.address, "--tables", "2").error
        )  # nobody sits any more


def test_no_pace_is_found_where_every_answer_is_late(house: LiveServer) -> None:
    status, told = load(house, "--find", "--limit-ms", "0.01", "--pace", "2", "--seconds", "1")
    assert (status, told["best"]) == (1, None)
    assert told["failures"] == ["no pace was found with p99 below 0.01 ms"]
    assert [step["pace"] for step in told["steps"]] == [2, 2, 1, 1]


def test_a_limit_that_is_missed_fails_without_a_search(house: LiveServer) -> None:
    status, told = load(house, "--limit-ms", "0.01")
    assert (status, told["failures"]) == (1, ["p99 is not below 0.01 ms"])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--url", "http://house.example:80"), "must be meant there: add --yes"),
        (("--url", "nowhere"), "is not the address of a server"),
        (("--url", "http://127.0.0.1:9"), "no house answers"),
        (("--url", "http://127.0.0.1:9", "--open-tables", "3"), "leave out --url"),
        (("--table", "nz"), "give its --url"),
        (("--pace", "3", "--think", "1"), "leave out --pace and --find"),
        (("--think", "1", "--find"), "leave out --pace and --find"),
        (("--pace", "0"), "--pace"),
        (("--pace", "inf"), "--pace"),
        (("--seconds", "nan"), "not a number"),
        (("--seats", "0"), "--seats"),
        (("--rulebook", "atlantis"), "atlantis"),
        (("--rulebook", "nz", "--seats", "9"), "7 boxes, and 9 are to be taken"),
    ],
)
def test_bad_arguments_are_one_line(options: tuple[str, ...], says: str) -> None:
    assert says in run("bench", "serve", *options).error


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_load_that_is_ended_leaves_no_house_behind(tmp_path: Path, ending: signal.Signals) -> None:
    command = [sys.executable, "-m", "casinowar", "bench", "serve", "--tables", "1", "--seats", "1", "--seconds", "600"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bench:
        assert bench.stderr is not None
        assert b"1 players" in bench.stderr.readline()
        (log,) = tmp_path.glob("casinowar-bench-*/server.log")
        address = urlsplit(log.read_text().split()[0])
        bench.send_signal(ending)
        assert bench.wait(60) == 128 + ending
    assert list(tmp_path.glob("casinowar-bench-*")) == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address.hostname, address.port))


def test_a_house_that_does_not_come_up_says_why() -> None:
    program = ("-c", "print('the roof leaks'); raise SystemExit(3)")
    with pytest.raises(NoHouse, match="no house came up: the roof leaks"):
        run_own(with_books(Plan(tables=1), False), None, finds=False, program=program)


def test_help_names_every_option() -> None:
    told = run("bench", "serve", "--help").out
    for option in ("url", "table", "yes", "tables", "seats", "watchers", "open-tables", "rulebook", "pace", "think"):
        assert f"--{option} " in told
    for option in ("seconds", "reconnects", "find", "limit-ms", "views", "seed", "json"):
        assert f"--{option} " in told
    assert run("bench", "sit").status == 2
