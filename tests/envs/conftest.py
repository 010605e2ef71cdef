"""The kernels of the environments are compiled by one process at a time, and kept: the others wait for it."""

import fcntl
from pathlib import Path

import pytest

LOCK = Path(__file__).resolve().parents[2] / ".cache" / "kernel.lock"


@pytest.fixture(scope="session", autouse=True)
def compiled_steps() -> None:
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        from casinowar.envs.counter_vector import CounterVectorEnv
        from casinowar.envs.war_vector import WarVectorEnv

        for tables in (WarVectorEnv(1), CounterVectorEnv(1)):
            tables.reset(seed=1)
            tables.step([0])  # type: ignore[arg-type]
