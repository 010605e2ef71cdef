"""Nights over HTTP: exact figures, runs to their end, caps, one run for an address, every way in which one ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any

import pytest

from casinowar.web.workers import night_runs
from tests.support.live_server import Answer, Caller, LiveServer, running

PATIENCE_S = 100.0
"""The kernel may have to be compiled, beside whatever else this machine does."""

NIGHT: dict[str, object] = {"rulebook": "nz", "rounds": 50, "wager": 2_500, "bankroll": 50_000}
LONG = {**NIGHT, "rounds": 400, "nights": 1_000_000}
PLAYED = ("ahead", "even", "behind", "gone")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("nights")) as live:
        yield live


_addresses = iter(range(2, 250))


@pytest.fixture
def ann(live: LiveServer) -> Iterator[Caller]:
    """Somebody with an address of their own; what is left of their runs is stopped."""
    yield stranger(live)
    live.call(live.server.night_runs._runs.clear)


def stranger(live: LiveServer) -> Caller:
    caller = Caller(live)
    caller.address = f"127.0.3.{next(_addresses)}"
    return caller


def start(caller: Caller, **asked: object) -> Answer:
    return caller.ask("POST", "/api/nights", {**NIGHT, **asked})


def look(caller: Caller, run: str) -> Any:
    return caller.ask("GET", f"/api/nights/{run}").json


def act(caller: Caller, run: str, what: str) -> Any:
    return caller.ask("POST", f"/api/nights/{run}", {"act": what}).json


def until(caller: Caller, run: str, is_so: Callable[[Any], bool]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        told = look(caller, run)
        if is_so(told):
            return told
        time.sleep(0.02)
    raise AssertionError(told)


def is_playing(told: Any) -> bool:
    return told["state"] == "playing" and told["played"] is not None


def to_the_end(caller: Caller, **asked: object) -> Any:
    answer = start(caller, **asked)
    assert answer.status == 200, answer.json
    told = until(caller, answer.json["run"], lambda told: told["state"] not in night_runs.OPEN)
    assert told["state"] == "done", told
    return told["played"]


def exact(caller: Caller, **asked: object) -> Any:
    given = {**NIGHT, **asked}
    query = "&".join(f"{name}={given[name]}" for name in ("rulebook", "rounds", "wager", "bankroll"))
    return caller.ask("GET", f"/api/odds/night?{query}").json


def test_one_round_is_the_law_of_one_round(ann: Caller) -> None:
    tie, again = 23 / 311, (22 * 21 + 12 * 24 * 23) / (310 * 309)
    won, lost = tie * (1 - again) / 2, (1 - tie) / 2
    told = exact(ann, rounds=1)
    assert {end["gain"]: end["chance"] for end in told["ends"]} == pytest.approx(
        {-5_000: won, -2_500: lost, 2_500: lost + won, 5_000: tie * again}
    )
    assert (told["ahead"], told["gone"]) == pytest.approx((lost + won + tie * again, 0), abs=1e-12)
    assert told["bands"]["5"][0] == 0


@pytest.mark.parametrize("book", ["nz", "ctg"])
def test_what_is_played_lies_about_what_is_exact(ann: Caller, book: str) -> None:
    """A kernel that paid another amount in one round of a thousand would lie some 30 standard errors off."""
    nights = 40_000
    played, told = to_the_end(ann, rulebook=book, nights=nights), exact(ann, rulebook=book)
    for row in PLAYED:
        error = sqrt(told[row] * (1 - told[row]) / nights)
        assert abs(played[row] / nights - told[row]) < 4.5 * error, row
    assert played["ahead"] + played["even"] + played["behind"] == nights
    assert sum(end["nights"] for end in played["ends"]) == nights
    assert played["points"][-1] == 50
    assert len(played["paths"]) == 48
    assert abs(played["bands"]["50"][-1] - told["bands"]["50"][-1]) <= 2_500


def test_the_same_seed_plays_the_same_nights(ann: Caller) -> None:
    first = to_the_end(ann, seed="7f3a-91c2")
    assert to_the_end(ann, seed="7f3a-91c2") == first
    assert to_the_end(ann, seed="7f3a-91c3") != first


def test_a_night_of_which_paths_are_shown_is_one_of_those_that_were_counted(ann: Caller) -> None:
    played = to_the_end(ann, nights=48)
    ends = sorted(path[-1] for path in played["paths"])
    assert ends == sorted(end["gain"] for end in played["ends"] for _ in range(end["nights"]))
    assert played["last"] == played["paths"][-1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 401},
        {"rounds": 0},
        {"nights": 1_000_001},
        {"seed": "xyz"},
        {"strategy": "best"},
        {"more": 1},
        {"wager": 0},
        {"wager": 10**9 + 1},
        {"bankroll": 10**30},
        {"wager": 2.5},
        {"bankroll": "all"},
    ],
)
def test_what_is_beyond_the_caps_is_refused(ann: Caller, wrong: dict[str, object]) -> None:
    answer = start(ann, **wrong)
    assert (answer.status, answer.json["code"]) == (422, "invalid")
    assert 10 < len(answer.json["says"]) < 200
    assert "\n" not in answer.json["says"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"rulebook": "ca"}, "Players bank in this book"),
        ({"bankroll": 2_000}, "bring at least one wager"),
        ({"set": ["shoe.decks=9"]}, "write 4, 5, 6, 7 or 8"),
        ({"set": ["payout.initial.on_win=100:1"]}, "lie too far apart"),
        # One round in 180 would win 500 steps, and the simulation tells 511 apart.
        ({"set": ["payout.war.on_tie=250:1"], "rounds": 1}, "play fewer, or set smaller payouts"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(ann: Caller, wrong: dict[str, object], says: str) -> None:
    answer = start(ann, **wrong)
    assert (answer.status, answer.json["code"]) == (409, "setting_refused")
    assert says in answer.json["says"]


def test_a_bankroll_that_cannot_go_is_played_as_a_smaller_one(ann: Caller) -> None:
    played = to_the_end(ann, bankroll=10**9)
    assert played["gone"] == 0
    assert exact(ann, bankroll=10**9)["ahead"] == pytest.approx(exact(ann, bankroll=10**6)["ahead"], abs=1e-9)


def test_a_run_ends_after_so_many_seconds_with_what_it_has(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(night_runs, "MOST_SECONDS", 0.1)
    run = start(ann, **LONG).json["run"]
    told = until(ann, run, lambda told: told["state"] not in night_runs.OPEN)
    assert told["state"] == "stopped"
    assert "seconds" in told["says"]
    assert 0 < told["played"]["nights"] < 1_000_000


def test_an_address_has_one_run_at_a_time_and_others_have_theirs(live: LiveServer, ann: Caller) -> None:
    run = start(ann, **LONG).json["run"]
    answer = start(ann)
    assert (answer.status, answer.json["code"]) == (429, "nights_running")
    assert answer.headers["Retry-After"]
    assert start(stranger(live)).status == 200
    act(ann, run, "stop")
    assert start(ann).status == 200


def test_when_many_play_another_is_told_so(live: LiveServer, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(night_runs, "MOST_RUNS", 2)
    assert start(ann, **LONG).status == 200
    assert start(stranger(live), **LONG).status == 200
    answer = start(stranger(live))
    assert (answer.status, answer.json["code"]) == (429, "nights_busy")


def test_a_short_run_does_not_wait_for_a_long_one(live: LiveServer, ann: Caller) -> None:
    run = start(ann, **LONG).json["run"]
    until(ann, run, is_playing)
    ben = stranger(live)
    short = start(ben).json["run"]
    end = time.monotonic() + PATIENCE_S
    while look(ben, short)["state"] != "done" and time.monotonic() < end:
        # The long one is looked at too, or it would be given up.
        assert look(ann, run)["state"] == "playing"
        time.sleep(0.02)
    assert look(ben, short)["state"] == "done"
    assert 0 < look(ann, run)["played"]["nights"] < 1_000_000


def is_idle(live: LiveServer) -> bool:
    task = live.server.night_runs._task
    return live.call(lambda: task is None or task.done())


def until_idle(live: LiveServer) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_idle(live):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_stopped_run_is_played_no_further(live: LiveServer, ann: Caller) -> None:
    run = start(ann, **LONG).json["run"]
    until(ann, run, is_playing)
    began = time.monotonic()
    assert act(ann, run, "stop")["state"] == "stopped"
    until_idle(live)
    # Half a second here; a busy machine has longer, and the whole run takes more than a minute.
    assert time.monotonic() - began < 20
    nights = look(ann, run)["played"]["nights"]
    assert 0 < nights < 1_000_000
    assert act(ann, run, "go_on")["state"] == "stopped"
    assert look(ann, run)["played"]["nights"] == nights


def test_a_paused_run_stands_still_and_goes_on(live: LiveServer, ann: Caller) -> None:
    run = start(ann, **LONG).json["run"]
    until(ann, run, is_playing)
    assert act(ann, run, "pause")["state"] == "paused"
    until_idle(live)
    nights = look(ann, run)["played"]["nights"]
    assert look(ann, run)["state"] == "paused"
    assert act(ann, run, "go_on")["state"] == "playing"
    until(ann, run, lambda told: told["played"]["nights"] > nights)


def test_a_run_that_is_paused_for_too_long_is_ended(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(ann, **LONG).json["run"]
    act(ann, run, "pause")
    monkeypatch.setattr(night_runs, "PAUSED_S", -1.0)
    told = look(ann, run)
    assert told["state"] == "stopped"
    assert "paused" in told["says"]


def test_a_run_that_nobody_looks_at_is_given_up(live: LiveServer, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(ann, **LONG).json["run"]
    until(ann, run, is_playing)
    monkeypatch.setattr(night_runs, "LOST_S", 0.2)
    until_idle(live)
    answer = ann.ask("GET", f"/api/nights/{run}")
    assert (answer.status, answer.json["code"]) == (404, "no_such_run")
    assert start(ann).status == 200


def test_a_killed_process_is_a_clear_error_and_the_next_run_works(live: LiveServer, ann: Caller) -> None:
    run = start(ann, **LONG).json["run"]
    until(ann, run, is_playing)
    process = live.call(lambda: live.server.night_runs.pid)
    assert process is not None
    assert process != os.getpid()
    os.kill(process, signal.SIGKILL)
    told = until(ann, run, lambda told: told["state"] not in night_runs.OPEN)
    assert told["state"] == "failed"
    assert "has ended" in told["says"]
    assert to_the_end(ann)["nights"] == 1_000


def test_a_process_that_hangs_is_ended(live: LiveServer, ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(night_runs, "LONGEST_SLICE_S", 0.01)
        patch.setattr(night_runs, "SLICE_S", 5.0)
        run = start(ann, **LONG).json["run"]
        told = until(ann, run, lambda told: told["state"] not in night_runs.OPEN)
    assert (told["state"], "too long" in told["says"]) == ("failed", True)
    assert to_the_end(ann)["nights"] == 1_000


def test_where_the_extra_is_missing_nothing_is_offered(
    live: LiveServer, ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ann.ask("GET", "/api/house").json["plays_nights"] is True
    monkeypatch.setattr(live.server.night_runs, "_is_there", False)
    assert ann.ask("GET", "/api/house").json["plays_nights"] is False
    answer = start(ann)
    assert (answer.status, answer.json["code"]) == (503, "no_simulation")
    monkeypatch.setattr(night_runs, "find_spec", lambda module: None if module == "numba" else object())
    assert not night_runs.has_simulation()


def test_the_server_itself_imports_nothing_of_the_extra() -> None:
    """Nor does it need it: numba takes a second and half a hundred megabytes."""
    code = "import sys, casinowar.web.app; sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
