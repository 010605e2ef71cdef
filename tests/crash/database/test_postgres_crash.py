"""PostgreSQL killed and its connections ended under load: nothing acknowledged is lost or doubled, and it goes on.

`DATABASE_KILLS` says how often it is killed, and `DATABASE_RACES` how often writers race for one purse and one stream.
"""

import os
import random
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from casinowar.engine import events as e
from casinowar.store import PurseFunded, Store, VersionConflict, audit
from casinowar.store.postgres.group import Group
from tests.crash.store_writer import OWN, events_of, proposal
from tests.store.test_store_contract import fund, write
from tests.support.postgres import Cluster

ROOT = Path(__file__).resolve().parents[3]
KILLS = int(os.environ.get("DATABASE_KILLS", "3"))
RACES = int(os.environ.get("DATABASE_RACES", "1"))
EVENTS = len(events_of(1))
WAIT_S = 120.0
MOST_TURNS = 1_000
"""So often at most one of sixteen writers tries to write one command."""


class Child:
    """A child that writes, and what it has acknowledged so far."""

    def __init__(self, url: str, *words: str) -> None:
        command = [sys.executable, "-m", "tests.crash.database.postgres_writer", url, *words]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, cwd=ROOT, bufsize=0, **pipes)  # type: ignore[call-overload]
        self._heard = b""
        self.wait_for(1)

    def lines(self, seconds: float = 0.0) -> list[str]:
        """The whole lines so far, after waiting for more."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while selector.select(seconds):
                more = os.read(self.process.stdout.fileno(), 65536)
                self._heard += more
                if not more or seconds:
                    break
        return self._heard[: self._heard.rfind(b"\n") + 1].decode().splitlines()

    def wait_for(self, count: int) -> list[str]:
        until = time.monotonic() + WAIT_S
        while len(found := self.lines(0.05)) < count:
            if self.process.poll() is not None and len(found := self.lines()) < count:
                raise AssertionError(f"the child has ended after {found[-3:]}")
            assert time.monotonic() < until, f"the child has come no further than {found[-3:]}"
        return found

    def tell(self, word: str = "") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(word.encode() + b"\n")

    def end(self) -> list[str]:
        self.process.kill()
        self.process.wait()
        found = self.lines()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        return found


@contextmanager
def child(url: str, *words: str) -> Iterator[Child]:
    made = Child(url, *words)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()


def open_store(url: str) -> Store:
    from casinowar.store.postgres.store import PostgresStore

    return PostgresStore(url)


def faults(store: Store, acknowledged: set[int]) -> list[str]:
    """What is wrong with the store, given what was acknowledged."""
    done = [one.command for one in store.read("t1") if isinstance(one.event, PurseFunded)]
    found = [f"doubled: {name}" for name in sorted({name for name in done if done.count(name) > 1})]
    found += [f"lost: {number}" for number in sorted(acknowledged) if f"bet-{number}" not in set(done)]
    if store.balance("issuance") != -OWN * len(done):
        found.append(f"issued {-store.balance('issuance')} for {len(done)} commands")
    if store.version("t1") != EVENTS * len(done):
        found.append("a command is there in part")
    return found + audit(store)


def numbers_in(lines: list[str]) -> list[int]:
    return [int(line) for line in lines if line.isdigit()]


def end_connections(cluster: Cluster) -> None:
    cluster.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'casinowar'")


@pytest.mark.slow
def test_a_database_that_is_killed_under_load_loses_and_doubles_nothing(durable_cluster: Cluster) -> None:
    cluster, chance = durable_cluster, random.Random(os.environ.get("SEED", "5"))
    url = cluster.new_house()
    with child(url, "1") as writer:
        for _ in range(KILLS):
            writer.wait_for(len(writer.lines()) + 6)
            time.sleep(chance.uniform(0.0, 0.05))
            cluster.kill()
            cluster.start()
            writer.wait_for(len(writer.lines()) + 6)
            for _ in ("one", "another"):
                end_connections(cluster)
                writer.wait_for(len(writer.lines()) + 3)
        heard = numbers_in(writer.end())
    assert len(heard) == len(set(heard)) > 10 * KILLS
    with closing(open_store(url)) as store:
        assert faults(store, set(heard)) == []
        again = store.commit(proposal(heard[-1], 0))
        assert (again.is_repeated, again.answer) == (True, f"answer {heard[-1]}")
        left = store.version("t1") // EVENTS - heard[-1]
        assert 0 <= left <= 3, "at most the group on its way was not acknowledged"
    print(f"\n{KILLS} kills, {2 * KILLS} connections ended, {len(heard)} acknowledged, 0 lost, 0 doubled")


@pytest.mark.slow
def test_the_harness_finds_losses_where_the_answer_comes_before_the_commit(durable_cluster: Cluster) -> None:
    """The twin that must fail: it answers before the end of its group, and dies with its database."""
    url = durable_cluster.new_house()
    for attempt in range(10):
        first = 1 + 100_000 * attempt
        with child(url, str(first), "--early") as writer:
            writer.wait_for(7)
            writer.process.send_signal(signal.SIGSTOP)
            durable_cluster.kill()
            heard = numbers_in(writer.end())
        durable_cluster.start()
        with closing(open_store(url)) as store:
            if any(found.startswith("lost") for found in faults(store, set(heard))):
                return
    raise AssertionError("ten kills of a store that answers too early, and no loss was seen")


# Two processes on one database.


def paused_owner(cluster: Cluster, *words: str) -> tuple[list[str], list[str]]:
    """What an owner says that is stopped until its lease has run out, and what is wrong with the store then."""
    url = cluster.new_house()
    with child(url, "1", "--leased", *words) as owner, closing(open_store(url)) as other:
        owner.tell()
        assert owner.wait_for(2)[1] == "1"
        owner.process.send_signal(signal.SIGSTOP)
        until = time.monotonic() + WAIT_S
        while not other.leases:  # type: ignore[attr-defined]
            assert time.monotonic() < until
            try:
                other.take_lease("t1")  # type: ignore[attr-defined]
            except Exception:
                time.sleep(0.05)
        other.commit(proposal(100, EVENTS))
        owner.tell()
        owner.process.send_signal(signal.SIGCONT)
        said = owner.wait_for(3)[2:]
        return said, [one.command for one in other.read("t1") if isinstance(one.event, PurseFunded)]


def test_an_owner_that_wakes_up_after_its_lease_commits_nothing(cluster: Cluster) -> None:
    assert paused_owner(cluster) == (["- LeaseLost"], ["bet-1", "bet-100"])


def test_the_harness_finds_a_store_that_does_not_check_its_fence(cluster: Cluster) -> None:
    """The twin: without the check the former owner writes on."""
    assert paused_owner(cluster, "--unfenced") == (["2"], ["bet-1", "bet-100", "bet-2"])


def race_for_purses(cluster: Cluster, races: int, *words: str) -> None:
    """Two processes, each of which bets the whole purse a hundred times at a table of its own, so often."""
    url = cluster.new_house()
    with closing(open_store(url)) as store:
        with child(url, "1", "--race", "a", *words) as first, child(url, "1", "--race", "b", *words) as second:
            for number in range(races):
                fund(store, f"ana{number}", 1000, f"fund-{number}")
                for one in (first, second):
                    one.tell(f"ana{number}")
                accepted = [int(one.wait_for(number + 2)[number + 1]) for one in (first, second)]
                assert sum(accepted) == 1, number
                assert (store.balance(f"purse:ana{number}"), store.total()) == (0, 0)
        assert audit(store) == []


def test_one_of_two_hundred_wagers_on_one_purse_is_accepted(cluster: Cluster) -> None:
    race_for_purses(cluster, RACES)
    print(f"\n{RACES} times 200 wagers on one purse by two processes: one was accepted each time")


def test_the_harness_finds_a_store_that_does_not_lock_purses(cluster: Cluster) -> None:
    """The twin: the database itself refuses what one of the two has taken for funded."""
    with pytest.raises(AssertionError, match="the child has ended"):
        race_for_purses(cluster, 100, "--unlocked", "--bets", "5")


def race_for_streams(cluster: Cluster, races: int) -> None:
    """So often, sixteen writers with four connections; nobody has leased the stream."""
    url = cluster.new_house()
    with ExitStack() as opened:
        stores = [opened.enter_context(closing(open_store(url))) for _ in range(4)]
        for race in range(races):
            append_together(stores, f"t{race}")
        assert audit(stores[0]) == []


def test_the_harness_finds_a_store_that_does_not_look_whether_others_have_written(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: it goes on from where it has left the stream itself, and the database itself refuses that."""
    monkeypatch.setattr(Group, "_compare", lambda *_: None)
    monkeypatch.setitem(globals(), "MOST_TURNS", 20)
    with pytest.raises(AssertionError, match=r"duplicate key|others were first"):
        race_for_streams(cluster, 1)


def test_sixteen_writers_on_one_stream_leave_no_fork_and_no_gap(cluster: Cluster) -> None:
    race_for_streams(cluster, RACES)
    print(f"\n{RACES} times 16 writers on one stream: no fork, no gap")


def append_together(stores: list[Store], stream: str, each: int = 3) -> None:
    """Have sixteen threads write to a stream at once, and look at what came of it."""
    failed: list[BaseException] = []

    def append(writer: int) -> None:
        try:
            store = stores[writer % len(stores)]
            for number in range(each):
                for _ in range(MOST_TURNS):
                    try:
                        write(store, f"{stream}-{number}", e.TimePassed(writer), stream=stream, actor=f"w{writer}")
                        break
                    except VersionConflict:
                        continue
                else:
                    raise AssertionError(f"others were first {MOST_TURNS} times")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=append, args=(writer,)) for writer in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    written = list(stores[0].read(stream))
    assert [one.version for one in written] == list(range(1, 16 * each + 1))
    wanted = {(f"w{writer}", f"{stream}-{number}") for writer in range(16) for number in range(each)}
    assert {(one.actor, one.command) for one in written} == wanted
