"""`casinowar simulate --cluster`: two Dask workers on loopback, one of them killed: the same histogram."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import pytest

from tests.support.commandline import run

pytestmark = pytest.mark.slow
pytest.importorskip("distributed")
pytest.importorskip("numba")

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS, RUN_SECONDS = 90, 240
SEED, CHUNKS, CHUNK = 11, 24, 2**20
PLAIN = {"DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false", "DASK_LOGGING__DISTRIBUTED": "warning"}


@contextmanager
def started(log: Path, *args: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process in a session of its own, which writes to a file, and is ended with all that it has started."""
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", *args],
            cwd=ROOT,
            env={**os.environ, **PLAIN},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)


class Cluster(NamedTuple):
    url: str
    workers: dict[str, "subprocess.Popen[bytes]"]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler with two workers of one thread each, without nannies, which would start a lost one again."""
    told = tmp_path / "scheduler.json"
    local = ("--no-dashboard", "--host", "127.0.0.1")
    with ExitStack() as stack:
        stack.enter_context(
            started(
                tmp_path / "scheduler.log",
                "distributed.cli.dask_scheduler",
                *local,
                *("--port", "0", "--scheduler-file", str(told)),
            )
        )
        url = scheduler_address(told)
        workers = {
            name: stack.enter_context(
                started(
                    tmp_path / f"{name}.log",
                    "distributed.cli.dask_worker",
                    url,
                    *local,
                    *("--no-nanny", "--nthreads", "1", "--name", name, "--local-directory", str(tmp_path / name)),
                )
            )
            for name in ("one", "two")
        }
        yield Cluster(url, workers)


def scheduler_address(told: Path) -> str:
    """The address that the scheduler writes to its file once it listens."""
    deadline = monotonic() + START_SECONDS
    while monotonic() < deadline:
        try:
            return str(json.loads(told.read_text("utf-8"))["address"])
        except (OSError, ValueError):
            sleep(0.05)
    raise AssertionError((told.parent / "scheduler.log").read_text("utf-8"))


def alone() -> dict[str, Any]:
    """What this process comes to by itself."""
    done = run("simulate", "--rulebook", "wa", "--rounds", str(CHUNKS * CHUNK), "--seed", str(SEED), "--json")
    assert done.status == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_a_killed_worker_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    """The chunk that the worker was playing when it was killed is played by the other one."""
    out = tmp_path / "driver.log"
    victim = cluster.workers["one"]
    args = (cluster.url, "one", str(victim.pid), "wa", str(SEED), str(CHUNKS * CHUNK))
    with started(out, "tests.support.lost_worker", *args) as driver:
        status = driver.wait(timeout=RUN_SECONDS)
    assert status == 0, out.read_text("utf-8")
    told = json.loads(out.read_text("utf-8").splitlines()[-1])
    assert victim.wait(timeout=30) == -signal.SIGKILL
    assert cluster.workers["two"].poll() is None
    (killed_after,) = told["killed_after"]
    assert killed_after < CHUNKS * CHUNK
    assert told["histograms"] == {wager: one["histogram"] for wager, one in alone()["wagers"].items()}


def test_the_command_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "command.log"
    args = ("simulate", "--rulebook", "wa", "--rounds", str(CHUNKS * CHUNK), "--seed", str(SEED), "--json")
    with started(out, "casinowar", *args, "--cluster", cluster.url) as command:
        status = command.wait(timeout=RUN_SECONDS)
    assert status == 0, out.read_text("utf-8")
    told = json.loads(out.read_text("utf-8"))
    assert told["wagers"] == alone()["wagers"]
    assert told["chunks"] == [[SEED, 0, CHUNKS, CHUNK]]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("tcp://127.0.0.1:1", "no scheduler of Dask answers"),
        ("nowhere", "write the address of a scheduler, such as tcp://127.0.0.1:8786"),
        ("http://127.0.0.1:8786", "write the address of a scheduler, such as tcp://127.0.0.1:8786"),
    ],
)
def test_no_cluster_is_one_line(url: str, says: str) -> None:
    error = run("simulate", "--cluster", url).error
    assert error.startswith(f"casinowar: --cluster {url}: ")
    assert says in error
