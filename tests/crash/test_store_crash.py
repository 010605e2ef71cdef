"""Process death: a real child is killed at random moments, and nothing that it acknowledged may be lost or doubled."""

import os
import random
import selectors
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.store import Proposal, PurseFunded, SqliteStore, StoreInUse, audit, make_checkpoint, public_key
from tests.crash.store_writer import OWN, events_of, proposal

ROOT = Path(__file__).resolve().parents[2]
KILLS, KILLS_EACH = int(os.environ.get("KILLS", "20")), 50
"""Each log takes so many kills at most, since all of it is looked through after each."""

EVENTS = len(events_of(1))
RECOVERY = 5.0
"""Seconds within which a store must be open again."""


def killed(file: Path, first: int, chance: random.Random, *flags: str) -> list[int]:
    """The numbers that a child acknowledged before it was killed: all that came through the pipe."""
    command = [sys.executable, "-m", "tests.crash.store_writer", str(file), str(first), *flags]
    # Without a buffer of our own: what it had read ahead would come after what is read past it.
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, bufsize=0)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    until = time.monotonic() + chance.uniform(0.0, 0.15)
    heard = b""
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0:
            if selector.select(left):
                heard += os.read(child.stdout.fileno(), 65536)
    child.send_signal(signal.SIGKILL)
    heard += child.stdout.read()
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    whole = heard[: heard.rfind(b"\n") + 1]
    return [int(line) for line in whole.split()]


def faults(store: SqliteStore, acknowledged: set[int], size: int = 1) -> list[str]:
    """What is wrong with the store, given what was acknowledged, by groups of a size."""
    done = Counter(one.command for one in store.read("t1") if isinstance(one.event, PurseFunded))
    found = [f"doubled: {name}" for name in sorted(name for name, times in done.items() if times > 1)]
    found += [f"lost: {number}" for number in sorted(acknowledged) if f"bet-{number}" not in done]
    if store.balance("issuance") != -OWN * done.total():
        found.append(f"issued {-store.balance('issuance')} for {done.total()} commands")
    if store.version("t1") != EVENTS * done.total():
        found.append("a command is there in part")
    if done.total() % size:
        found.append(f"a group is there in part: {done.total() % size} of {size}")
    return found + audit(store)


def answers_again(store: SqliteStore, numbers: list[int]) -> None:
    """A client that repeats what it is not sure of gets the same answers and changes nothing."""
    before = store.head()
    for number in numbers:
        again = store.commit(proposal(number, 0))
        assert (again.is_repeated, again.answer) == (True, f"answer {number}")
    assert store.head() == before


def outlive(folder: Path, chance: random.Random, size: int, *flags: str) -> tuple[int, float]:
    """Kill writers of groups of a size, and look through their log after each kill: how many commands they have
    acknowledged, and the slowest recovery in seconds."""
    total, slowest = 0, 0.0
    for begun in range(0, KILLS, KILLS_EACH):
        file, first, acknowledged = folder / f"war-{begun}.db", 1, set[int]()
        for _ in range(min(KILLS_EACH, KILLS - begun)):
            heard = killed(file, first, chance, *flags)
            assert not acknowledged & set(heard)
            acknowledged |= set(heard)
            began = time.monotonic()
            with closing(SqliteStore(file)) as store:
                slowest = max(slowest, time.monotonic() - began)
                assert faults(store, acknowledged, size) == []
                answers_again(store, sorted(heard)[-3:])
                last = store.version("t1") // EVENTS
            unheard = last - (first + len(heard) - 1)
            assert 0 <= unheard <= 2 * size - 1, "a group on its way, and one whose lines were cut"
            first = last + 1
        total += len(acknowledged)
    assert total > 5 * KILLS, "the children did next to nothing"
    return total, slowest


def test_nothing_acknowledged_is_lost_or_doubled_when_the_process_is_killed(tmp_path: Path) -> None:
    total, slowest = outlive(tmp_path, random.Random(os.environ.get("SEED", "7")), 1)
    assert slowest < RECOVERY
    print(f"\n{KILLS} kills, {total} acknowledged, 0 lost, 0 doubled, slowest recovery {slowest:.3f} s")


def test_the_harness_finds_losses_where_the_answer_comes_before_the_commit(tmp_path: Path) -> None:
    """The twin that must fail: otherwise the test above would prove nothing."""
    assert meets(tmp_path, "lost", "--early"), f"{KILLS} kills of a store that answers too early, and no loss was seen"


def meets(folder: Path, fault: str, *flags: str, size: int = 1) -> bool:
    """Whether a fault is met in as many kills as a sound store goes through."""
    chance = random.Random(11)
    for number in range(KILLS):
        file = folder / f"war-{number}.db"
        acknowledged = set(killed(file, 1, chance, *flags))
        with closing(SqliteStore(file)) as store:
            if any(found.startswith(fault) for found in faults(store, acknowledged, size)):
                return True
    return False


def test_a_group_is_there_whole_or_not_at_all_when_the_process_is_killed(tmp_path: Path) -> None:
    total, _ = outlive(tmp_path, random.Random(os.environ.get("SEED", "9")), 4, "--together", "4")
    print(f"\n{KILLS} kills between the members of groups, {total} acknowledged, 0 lost, 0 in part")


@pytest.mark.parametrize(
    ("twin", "fault"), [("--hasty", "lost"), ("--parting", "a group is there in part")], ids=["hasty", "parting"]
)
def test_the_harness_finds_a_group_that_is_answered_or_committed_in_parts(
    tmp_path: Path, twin: str, fault: str
) -> None:
    """The twins that must fail."""
    assert meets(tmp_path, fault, "--together", "4", twin, size=4)


def test_the_harness_finds_a_doubled_command(tmp_path: Path) -> None:
    """Another twin: the same bet under a second id, as a client would send it that forgets its ids."""
    with closing(SqliteStore(tmp_path / "war.db")) as store:
        store.commit(proposal(1, 0))
        again = proposal(1, EVENTS)
        store.commit(Proposal(**{**{field: getattr(again, field) for field in again.__struct_fields__}, "actor": "x"}))
        assert "doubled: bet-1" in faults(store, {1})


def test_the_place_of_the_writer_is_free_after_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "war.db"
    killed(file, 1, random.Random(1))
    with closing(SqliteStore(file)), pytest.raises(StoreInUse):
        SqliteStore(file)


def test_a_hundred_thousand_events_are_open_again_in_time(tmp_path: Path) -> None:
    """A killed writer leaves its log behind; there is no checkpoint, so opening follows all of the chains. The
    processor's time counts, so that other work on the machine does not."""
    file = tmp_path / "war.db"
    code = (
        "import os, sys, signal; from pathlib import Path; from tests.crash.store_writer import *\n"
        "store = SqliteStore(Path(sys.argv[1]))\n"
        "base = proposal(1, 0)\n"
        "for at in range(0, 20_000, 50):\n"
        "    events = tuple(event for n in range(at + 1, at + 51) for event in events_of(n))\n"
        "    store.commit(Proposal(stream='t1', expected=at * 5, actor='x', command=str(at), body=b'', answer='',"
        " events=events))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    child = subprocess.run([sys.executable, "-c", code, str(file)], cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    began = time.process_time()
    with closing(SqliteStore(file)) as store:
        store.commit(proposal(1, store.version("t1")))
        took = time.process_time() - began
        assert store.head().events == 100_005
        began = time.process_time()
        key = Ed25519PrivateKey.generate()
        kept = make_checkpoint(store, key)
        assert audit(store, public_key(key), [kept]) == []
        print(f"\n100,000 events: open and first commit {took:.2f} s, audit {time.process_time() - began:.2f} s")
    assert took < RECOVERY
