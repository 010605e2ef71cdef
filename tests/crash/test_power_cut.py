"""The power goes at any operation on the disk, and nothing that was acknowledged may be lost, doubled or in part.

500 points in all, or as many as POINTS says. The twins that must fail are at the end.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import apsw
import pytest

from casinowar.store import SqliteStore, StoreError
from casinowar.store.sqlite import connection, migrate
from casinowar.store.sqlite import store as sqlite
from tests.crash.power_cut import Cut, Disk, Named, Operation, PowerGone, Synced, Tape, Written, cuts, points
from tests.crash.store_writer import Parting, proposal, send_group
from tests.crash.test_store_crash import EVENTS, ROOT, faults

POINTS = int(os.environ.get("POINTS", "300"))
FILE = "war.db"
NAMES = (f"tape-{number}" for number in count())


class Night:
    """A client of a store on a tape: it sends commands, so many together, and hears the answers."""

    def __init__(
        self, folder: Path, *, lies: bool = False, size: int = 1, kind: type[SqliteStore] | None = None
    ) -> None:
        self.file = folder / FILE
        self.tape = Tape(next(NAMES), lies=lies)
        self.sent = 0
        self.size = size
        self.kind = kind
        self.store: SqliteStore

    def open(self, pages: int = 1_000) -> None:
        """`pages` in the log make SQLite copy them into the file."""
        self.store = (self.kind or SqliteStore)(self.file, vfs=self.tape.name)
        self.store._log_pages = pages

    def send(self, commands: int) -> None:
        for _ in range(commands):
            self.sent += self.size
            self.repeat()

    def repeat(self) -> None:
        """Send the last command or group, again where its answer did not come."""
        numbers = range(self.sent - self.size + 1, self.sent + 1)
        if self.size == 1:
            answer = self.store.commit(proposal(self.sent, self.store.version("t1")))
            assert answer.answer == f"answer {self.sent}"
        else:
            send_group(self.store, numbers)
        for number in numbers:
            self.tape.acknowledge(number)

    def close(self) -> None:
        self.store.close()

    def lose_power(self, after: int) -> None:
        """After so many more operations nothing reaches the disk."""
        left = iter(range(after))

        def fault(kind: str, name: str) -> None:
            if kind != "read" and next(left, None) is None:
                raise PowerGone(f"{kind} {name}")

        self.tape.fault = fault

    def kill(self, after: int) -> bool:
        """The process dies in the middle of a command, after so many operations; what it wrote is there for the next.

        False where the command was over before.
        """
        self.lose_power(after)
        try:
            self.send(1)
        except PowerGone:
            self.bury()
            return True
        self.tape.fault = None
        return False

    def kill_at_sync(self) -> None:
        """The process dies when a whole commit is in the log and on its way to the disk."""

        def fault(kind: str, name: str) -> None:
            if kind == "sync":
                self.lose_power(0)
                raise PowerGone(f"{kind} {name}")

        self.tape.fault = fault
        with pytest.raises(PowerGone):
            self.send(1)
        self.bury()

    def bury(self) -> None:
        """Let go of what a dead process held: SQLite would tidy up its files, and must not."""
        with pytest.raises(PowerGone):
            self.store._db.close()
        assert self.store._claim is not None
        self.store._claim.close()
        self.tape.fault = None


def made(night: Night) -> None:
    """The database is made, and the first commands are sent."""
    night.open()
    night.send(2)


def long(night: Night) -> None:
    """Many commands, and everything stays in the log."""
    night.open()
    night.send(30)


def copied(night: Night) -> None:
    """The log is copied into the file every two or three commands, and begun again."""
    night.open(pages=20)
    night.send(30)


def closed(night: Night) -> None:
    """The store is closed and opened again and again."""
    for _ in range(6):
        night.open(pages=30)
        night.send(3)
        night.close()


def killed(night: Night) -> None:
    """The process dies at each operation of a command; the next one answers the repetition, and goes on."""
    for after in count():
        night.open(pages=40)
        if night.sent:
            night.repeat()
        if not night.kill(after):
            return


def killed_at_sync(night: Night) -> None:
    """The next process finds a commit that the disk may not have, and is asked for its answer."""
    for _ in range(6):
        night.open()
        if night.sent:
            night.repeat()
        night.send(1)
        night.kill_at_sync()


def migrated(night: Night) -> None:
    """A newer program brings the database up, twice."""
    with pytest.MonkeyPatch.context() as patched:
        scripts = migrate.scripts()
        for number in (len(scripts), len(scripts) + 1, len(scripts) + 2):
            patched.setattr(migrate, "scripts", lambda number=number: LATER[:number])
            night.open()
            night.send(2)
            night.close()


LATER = [
    *migrate.scripts(),
    *(
        (number, f"{number:04}_more.sql", f"CREATE TABLE more_{number} (x); INSERT INTO more_{number} VALUES (1);")
        for number in (len(migrate.scripts()) + 1, len(migrate.scripts()) + 2)
    ),
]
NIGHTS: tuple[Callable[[Night], None], ...] = (made, long, copied, closed, killed, killed_at_sync, migrated)


def verdict(cut: Cut, folder: Path, size: int) -> list[str]:
    """What is wrong with what the cut left; the ordinary file system of SQLite opens it."""
    cut.lay_down(folder)
    try:
        with closing(SqliteStore(folder / FILE)) as store:
            found = faults(store, set(cut.acknowledged), size)
            for number in cut.acknowledged:
                again = store.answer_to("player:ana", f"bet-{number}", b"bet %d" % number)
                if again is None or again.answer != f"answer {number}":
                    found.append(f"answer {number} is {again}")
            if not found:
                found += goes_on(store, max(cut.acknowledged, default=0) + 1, size)
            return found
    except (StoreError, apsw.Error) as error:
        return [f"cannot be opened: {type(error).__name__}: {error}"]


def goes_on(store: SqliteStore, number: int, size: int = 1) -> list[str]:
    """The client repeats what it has no answer to, which is then done once."""
    done, last = store.version("t1") // EVENTS, number + size - 1
    if done not in (number - 1, last):
        return [f"{done} commands are there, and {last} was the last one sent"]
    send_group(store, range(number, last + 1))
    return faults(store, {*range(number, last + 1)}, size)


def findings(night: Night, folder: Path, count: int) -> Iterator[str]:
    folder.mkdir()
    for cut in cuts(night.tape, points(len(night.tape.operations), count)):
        for found in verdict(cut, folder, night.size):
            yield f"operation {cut.operation}, seed {cut.seed}: {found}"


SHARES = [POINTS // len(NIGHTS) + (at < POINTS % len(NIGHTS)) for at in range(len(NIGHTS))]


@pytest.mark.parametrize(
    ("play", "share"), list(zip(NIGHTS, SHARES, strict=True)), ids=[one.__name__ for one in NIGHTS]
)
def test_nothing_acknowledged_is_lost_or_doubled_when_the_power_goes(
    play: Callable[[Night], None], share: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds(Night(tmp_path), play, share, monkeypatch)


@pytest.mark.parametrize("play", NIGHTS, ids=[one.__name__ for one in NIGHTS])
def test_a_group_is_there_whole_or_not_at_all_when_the_power_goes(
    play: Callable[[Night], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds(Night(tmp_path, size=3), play, POINTS // (2 * len(NIGHTS)), monkeypatch)


def holds(night: Night, play: Callable[[Night], None], share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play(night)
    if play is migrated:
        monkeypatch.setattr(migrate, "scripts", lambda: LATER)
    assert list(findings(night, night.file.parent / "cut", share)) == []
    assert {number for _, number in night.tape.acknowledged} >= set(range(1, night.sent - night.size + 1))
    kinds = Counter(type(one).__name__ for one in night.tape.operations)
    assert kinds["Synced"] > night.sent // night.size
    print(f"\n{play.__name__}: {share} cuts of {len(night.tape.operations)} operations, {night.sent} commands, 0 lost")


def test_the_points_are_as_many_as_asked_for_and_all_different() -> None:
    assert sum(SHARES) == POINTS
    drawn = points(operations=40, count=100)
    assert len(set(drawn)) == 100
    assert {operation for operation, _ in drawn} == set(range(1, 42)), "each operation, and the moment behind the last"


def facts(db: apsw.Connection) -> list[object]:
    """The driver, the build of SQLite and the settings on which durability rests."""
    asked = ("SELECT sqlite_source_id()", "PRAGMA journal_mode", "PRAGMA synchronous")
    return [type(db).__module__, type(db).__name__, *(connection.execute(db, sql)[0][0] for sql in asked)]


def test_the_harness_drives_the_sqlite_of_the_store_with_its_settings(tmp_path: Path) -> None:
    """A program that opens the store in the ordinary way, and the store on the tape, are asked for the same facts."""
    code = (
        "import json, sys; from casinowar.store import SqliteStore; from tests.crash.test_power_cut import facts\n"
        "print(json.dumps(facts(SqliteStore(sys.argv[1])._db)))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "ordinary.db")]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    night = Night(tmp_path)
    night.open()
    assert facts(night.store._db) == told
    assert told == ["apsw", "Connection", apsw.sqlite3_sourceid(), "wal", connection.FULL]
    assert connection.FULL == 2
    night.close()


def test_a_disk_keeps_what_was_synced_and_may_lose_tear_or_scramble_the_rest() -> None:
    old, new = b"a" * 1024, b"b" * 1024
    tape: list[Operation] = [Named("f", 1), Written(1, 0, old), Synced(1, True), Written(1, 0, new)]
    left = Counter(bytes(played(tape).left(random.Random(seed))["f"]) for seed in range(400))
    torn = {b"a" * 512 + b"b" * 512, b"b" * 512 + b"a" * 512}
    assert {old, new} | torn < set(left), "whole, not at all, each sector alone, and some with noise"
    assert all(len(content) == 1024 for content in left)
    synced = played([*tape, Synced(1, False), Written(1, 2048, b"x")])
    assert {synced.left(random.Random(seed))["f"][:1024] for seed in range(50)} == {new}
    unnamed = played([Named("f", 1), Written(1, 0, old), Synced(1, False), Written(1, 0, new)])
    assert {"f" in unnamed.left(random.Random(seed)) for seed in range(50)} == {True, False}


def played(operations: list[Operation]) -> Disk:
    disk = Disk()
    for one in operations:
        disk.take(one)
    return disk


# The twins that must fail: without them a harness that finds nothing would prove nothing.


def losses(night: Night, folder: Path) -> int:
    """Of a hundred points, those at which something acknowledged is lost."""
    found = [one.partition(": ") for one in findings(night, folder, 100)]
    return len({point for point, _, what in found if what.startswith("lost: ")})


def test_the_harness_finds_losses_where_a_commit_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    night = Night(tmp_path)
    night.open()
    connection.execute(night.store._db, "PRAGMA synchronous = normal")
    night.send(30)
    lost = losses(night, tmp_path / "cut")
    print(f"\nsynchronous=NORMAL: {lost} of 100 points lose something")
    assert lost > 50


def test_the_harness_finds_losses_where_the_disk_lies_about_syncs(tmp_path: Path) -> None:
    night = Night(tmp_path, lies=True)
    long(night)
    lost = losses(night, tmp_path / "cut")
    print(f"\na disk that lies: {lost} of 100 points lose something")
    assert lost > 50


def test_the_harness_finds_losses_where_a_log_left_behind_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that was complete in the log and never synced is shown by SQLite to the next process."""
    monkeypatch.setattr(sqlite, "harden", lambda db: None)
    night = Night(tmp_path)
    killed_at_sync(night)
    lost = losses(night, tmp_path / "cut")
    print(f"\na log left behind and trusted: {lost} of 100 points lose something")
    assert lost > 10


def test_the_harness_finds_groups_in_part_where_each_member_is_committed_by_itself(tmp_path: Path) -> None:
    night = Night(tmp_path, size=3, kind=Parting)
    long(night)
    found = list(findings(night, tmp_path / "cut", 50))
    assert sum("a group is there in part" in one for one in found) > 10


def test_the_harness_finds_losses_where_a_member_is_acknowledged_before_its_group_is_on_the_disk(
    tmp_path: Path,
) -> None:
    night = Night(tmp_path)
    night.open()
    for first in range(1, 40, 4):
        night.store.begin_together()
        for night.sent in range(first, first + 4):
            night.repeat()
        night.store.finish_together()
    assert losses(night, tmp_path / "cut") > 10
