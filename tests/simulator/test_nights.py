"""Simulated nights that keep every promise, and planted faults that are found and made smaller."""

import os
import shlex
import subprocess
import sys
import time

import msgspec
import pytest

from tests.simulator.night import simulated_time
from tests.simulator.plan import TROUBLES, Plan
from tests.simulator.run import broken, main, play, smaller
from tests.simulator.twins import TWINS

NIGHTS = int(os.environ.get("SIMULATED_NIGHTS", "200"))
SHARES = 8
MOST_FOR_TWIN = 1_000
FOUND = (966, 1_160, 2_249, 2_564, 4_792, 5_513)
"""Nights beyond the first that have found mistakes: a full disk that counted as a mistake of the server, a client that
stayed away after a goodbye, news of a table that were older than its last change of servers, and a table that went to a
server which could not show it, so that whoever watched heard of it no more."""


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_every_promise_is_kept(share: int) -> None:
    for seed in range(share, NIGHTS, SHARES):
        why = broken(Plan.of(seed))
        assert why is None, f"python -m tests.simulator.run --seed {seed}: {why}"


@pytest.mark.parametrize("seed", FOUND)
def test_a_night_that_once_broke_a_promise_keeps_it(seed: int) -> None:
    assert broken(Plan.of(seed)) is None


def test_a_night_is_as_large_as_it_should_be_and_the_same_every_time() -> None:
    plan = Plan.of(2)
    first, second = play(plan), play(plan)
    assert len(plan.books) == 3
    assert len(plan.faults) >= 5
    assert len(first.processes) == 2
    assert sum(person.sent for person in first.people) >= 300
    assert first.starts >= 2
    assert first.database.tables.events == second.database.tables.events
    assert first.database.tables.commands == second.database.tables.commands
    assert first.world.seconds == second.world.seconds


DIGEST = """
import hashlib, sys
from tests.simulator.plan import Plan
from tests.simulator.run import play
tables = [play(Plan.of(int(seed))).database.tables for seed in sys.argv[1:]]
print(hashlib.sha256(repr([(one.events, one.commands) for one in tables]).encode()).hexdigest())
"""


CLOCKS_GIVEN = {
    "house.house", "store.commit", "web.accounts.database", "web.accounts.file", "web.day_file", "web.http.headers",
    "web.http.throttle", "web.log_noise", "web.run",
}  # fmt: skip
"""Modules that name the machine's clock and are given another by the night, or have no part in it."""


def test_no_part_of_a_night_goes_by_the_clock_of_the_machine() -> None:
    """Where one did, a night was another each time."""
    night = play(Plan.of(2))
    parts = tuple(f"casinowar.{name}." for name in ("client", "house", "store", "web"))
    with simulated_time(night):
        modules = [(name, module) for name, module in sys.modules.items() if name.startswith(parts)]
        real = {name.removeprefix("casinowar.") for name, module in modules if getattr(module, "time", None) is time}
    assert real <= CLOCKS_GIVEN


def test_a_night_is_the_same_in_every_process() -> None:
    """Python orders sets of words otherwise in each: in the last of these nights two tables were lost at one moment."""
    words = [sys.executable, "-c", DIGEST, "2", "5", "17"]
    told = [
        subprocess.run(words, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True).stdout
        for seed in ("0", "2")
    ]
    assert told[0] == told[1]


def test_the_nights_meet_every_trouble_and_every_book() -> None:
    plans = [Plan.of(seed) for seed in range(NIGHTS)]
    assert {fault.trouble for plan in plans for fault in plan.faults} == set(TROUBLES)
    assert {book for plan in plans for book in plan.books} == {"nz", "wa", "ctg", "ma", "ca"}


@pytest.mark.slow
@pytest.mark.parametrize("name", TWINS)
def test_a_planted_fault_is_found(name: str) -> None:
    with TWINS[name]():
        found = next((seed for seed in range(MOST_FOR_TWIN) if broken(Plan.of(seed))), None)
    assert found is not None


def test_what_fails_is_made_smaller() -> None:
    plan = msgspec.structs.replace(Plan.of(1), commands=200)
    with TWINS["a unit out of nothing"]():
        least = smaller(plan)
        assert broken(least) is not None
    assert least.commands < plan.commands
    assert least.faults == ()


SMALL = ["--seed", "1", "--commands", "20", "--jobs", "1"]


def test_the_smaller_night_that_a_failure_prints_is_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    with TWINS["answers before the disk has it"](), pytest.raises(SystemExit, match="1"):
        main(SMALL)
    told = capsys.readouterr().out.splitlines()
    plan = shlex.split(told[-1])
    with TWINS["answers before the disk has it"](), pytest.raises(SystemExit, match="1"):
        main(plan)
    assert capsys.readouterr().out.splitlines() == [told[-2]]
    with pytest.raises(SystemExit, match="0"):
        main(plan)
    assert capsys.readouterr().out == "every promise was kept\n"


def test_nights_that_are_played_too_slowly_fail(capsys: pytest.CaptureFixture[str]) -> None:
    main([*SMALL, "--least", "1"])
    assert "every promise was kept" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="fewer than 1000000 nights a minute"):
        main([*SMALL, "--least", "1000000"])
