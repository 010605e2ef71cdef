"""Plain `casinowar bench`: the rates of engine, odds and simulation on this machine."""

import json

import pytest

from casinowar.cli.bench.rates import EngineTable
from casinowar.rulebooks import load_rulebook
from tests.support.commandline import run

pytest.importorskip("numba")


@pytest.mark.slow
def test_the_rates_of_this_machine() -> None:
    done = run("bench", "--seconds", "0.05", "--workers", "2", "--json")
    assert done.status == 0, done.err
    told = json.loads(done.out)
    assert told["format"] == "casinowar-bench/1"
    rates = {one["what"]: one for one in told["rates"]}
    for one in rates.values():
        assert one["per_second"] == pytest.approx(one["count"] / one["seconds"])
        assert one["seconds"] >= 0.05
    engine, simulation = rates["engine, 1 box, events included"], rates["simulation, initial and tie, 1 thread"]
    assert simulation["per_second"] > 100 * engine["per_second"]
    assert rates["exact odds, all wagers of wa"]["per"] == "studies"
    assert "simulation, 7 boxes of wa, 2 threads" in rates


def test_the_table_that_is_measured_plays() -> None:
    """Each round is settled, no chip comes or goes, and the shoe is shuffled at the cutting card."""
    table = EngineTable(load_rulebook("nz"))
    table.play(100)
    table.play(100)
    found = table.table
    assert (found.round.number, found.round.is_over, found.escrow) == (200, True, 0)
    assert sum(found.players.values()) + found.house == found.bought_in
    assert table.at < 312


def test_options_stand_behind_the_name() -> None:
    assert "options of serve stand behind its name" in run("bench", "--seconds", "1", "serve").error
    assert "serve" in run("bench", "--help").out
    assert "is not in the range" in run("bench", "--seconds", "0").error
