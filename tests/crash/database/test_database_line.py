"""The line between server and PostgreSQL late, cut or half-open at any message: each commit is there once.

`LINE_STEP=N` has each fault of the game at each N-th message; `LINE_SEED` is another chance.
"""

import os
from contextlib import closing
from pathlib import Path

import pytest

from casinowar.store import Answer, StoreError, StoreFailed, audit
from casinowar.store.postgres.group import Group
from casinowar.store.postgres.store import PostgresStore
from tests.crash.database.database_line import DATABASE_FAULTS, DatabaseLine, database_line
from tests.crash.faulty_line import FaultKind
from tests.crash.scripted_game import Ledger, house, ledger, play
from tests.crash.store_writer import events_of, proposal
from tests.support.postgres import Cluster

STEP = int(os.environ.get("LINE_STEP", "0"))
SEED = int(os.environ.get("LINE_SEED", "1"))
GROUPS, SIZE, EVENTS = 2, 2, len(events_of(1))


def write(store: PostgresStore, first: int) -> list[Answer]:
    """Commit groups of bets, and give what was answered."""
    answers = []
    for start in range(first, first + GROUPS * SIZE, SIZE):
        version = store.version("t1")
        store.begin_together()
        answers += [store.commit(proposal(start + one, version + one * EVENTS)) for one in range(SIZE)]
        store.finish_together()
    return answers


class Writer:
    """Writes groups to one house again and again, over a line to which something comes each time."""

    def __init__(self, url: str, line: DatabaseLine) -> None:
        self.url, self.line = url, line
        self.done = 0

    def faults(self, kind: FaultKind, after: int) -> list[str]:
        """What is wrong behind groups to which this has come."""
        with closing(PostgresStore(self.line.url(self.url))) as store:
            self.line.strike(kind, after)
            answers = write(store, self.done + 1)
        self.done += GROUPS * SIZE
        with closing(PostgresStore(self.url, for_reading=True)) as store:
            there = store.version("t1")
        found = [] if there == self.done * EVENTS else [f"{there} events and not {self.done * EVENTS}"]
        return found + ["told as a repetition" for one in answers if one.is_repeated]

    def messages(self) -> int:
        """How many messages groups take to which nothing comes."""
        with closing(PostgresStore(self.line.url(self.url))) as store:
            begin = self.line.count
            write(store, self.done + 1)
            self.done += GROUPS * SIZE
            return self.line.count - begin


def test_each_commit_is_there_once_whatever_message_is_lost(cluster: Cluster, database: str) -> None:
    with database_line(cluster.sockets, SEED) as line:
        writer = Writer(database, line)
        count, struck = writer.messages(), 0
        assert count > 20
        kinds: tuple[FaultKind, ...] = ("cut before", "cut after")
        for kind in kinds:
            for after in range(1, count + 1, 1 if STEP else 7):
                assert writer.faults(kind, after) == [], f"{kind} message {after} of {count}"
                struck += line.struck
    with closing(PostgresStore(database)) as store:
        assert audit(store) == []
    assert struck > count // 7
    print(f"\n{struck} cuts over {count} messages between store and database: each commit is there once")


@pytest.mark.parametrize("is_written", [True, False])
def test_a_store_that_guesses_whether_its_group_was_written_is_found(
    cluster: Cluster, database: str, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    """The twins that must fail: one takes it for written, the other writes it once more."""
    monkeypatch.setattr(Group, "_is_written", lambda self: is_written and bool(self._members))
    with database_line(cluster.sockets, SEED) as line:
        writer = Writer(database, line)
        for after in range(writer.messages(), 0, -1):  # The last are the COMMIT and what is said to it.
            try:
                if writer.faults("cut before", after):
                    return
            except (StoreError, StoreFailed):
                return
    raise AssertionError("no guess was wrong")


def played(tmp_path: Path, cluster: Cluster, line: DatabaseLine, kind: FaultKind, after: int) -> tuple[Ledger, int]:
    """The ledger of a game that is served from a database over this line, and how many messages it took."""
    url = cluster.new_house()
    with house(tmp_path / f"{kind}-{after}", database=line.url(url)) as live:
        begin = line.count
        line.strike(kind, after)
        play(f"http://127.0.0.1:{live.port}")
        count = line.count - begin
    return ledger(url), count


@pytest.mark.parametrize("kind", DATABASE_FAULTS)
def test_no_fault_between_server_and_database_changes_the_ledger(
    tmp_path: Path, cluster: Cluster, kind: FaultKind
) -> None:
    with house(tmp_path / "file") as live:
        play(f"http://127.0.0.1:{live.port}")
    undisturbed = ledger(tmp_path / "file")
    assert len(undisturbed) > 20
    with database_line(cluster.sockets, SEED) as line:
        told, count = played(tmp_path, cluster, line, "none", 0)
        assert told == undisturbed, "the game is the same over a file and over a database"
        struck = 0
        for after in range(1, count, STEP) if STEP else [count * (1 + DATABASE_FAULTS.index(kind)) // 6]:
            assert played(tmp_path, cluster, line, kind, after)[0] == undisturbed, f"{kind} at {after} of {count}"
            struck += line.struck
    assert struck >= 1
    print(f"\n{struck} times {kind} over {count} messages between server and database: the ledger is the same")
