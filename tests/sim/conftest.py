"""The kernel is compiled by one process at a time, and kept: the others wait for it instead of doing the same."""

import fcntl
from fractions import Fraction
from pathlib import Path

import pytest

from casinowar.rulebooks import load_rulebook
from casinowar.sim import make_plan

LOCK = Path(__file__).resolve().parents[2] / ".cache" / "kernel.lock"


@pytest.fixture(scope="session", autouse=True)
def compiled_kernel() -> None:
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        from casinowar.sim.kernel.chunks import play_chunk, play_general

        plan = make_plan(load_rulebook("nz"), counted={"tie": Fraction(0)})
        play_general(plan.flat, 0, 0, 1)
        play_chunk(make_plan(load_rulebook("nz")).flat, 0, 0, 1)
