"""Disks that fail: no acknowledgement, nothing taken from then on, and nothing lost or in part once they work again.

The errors come three ways: from a file system under SQLite that fails at the operation we say, from the kernel by the
hand of strace, and from a real file system that is full or read-only. The twins that must fail swallow the error.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from casinowar.store import SqliteStore, StoreError, StoreFailed
from casinowar.store.sqlite import connection
from tests.crash.disk_writer import Swallowing
from tests.crash.power_cut import Fault
from tests.crash.store_writer import proposal
from tests.crash.test_power_cut import FILE, Night, goes_on
from tests.crash.test_store_crash import ROOT, faults

STEP = int(os.environ.get("STEP", "7"))
"""Every so many operations one is made to fail."""

ERRORS = {
    "sync fails": ("sync", apsw.SQLITE_IOERR_FSYNC),
    "write fails": ("write", apsw.SQLITE_IOERR_WRITE),
    "disk full": ("write", apsw.SQLITE_FULL),
    "read-only": ("write", apsw.SQLITE_READONLY),
    "truncate fails": ("truncate", apsw.SQLITE_IOERR_TRUNCATE),
    "read fails": ("read", apsw.SQLITE_IOERR_READ),
}


def play(night: Night) -> None:
    """The database is made, its log copied now and then, closed and opened again."""
    night.open(pages=30)
    night.send(8)
    night.close()
    night.open()
    night.send(4)
    night.close()


class Meter:
    """Counts the operations of a kind, and fails the one at a place; if it lasts, all of any kind from there on."""

    def __init__(self, kind: str, code: int, at: int, *, lasts: bool) -> None:
        self.kind, self.code, self.at, self.lasts = kind, code, at, lasts
        self.met = 0

    def __call__(self, kind: str, name: str) -> None:
        self.met += kind == self.kind
        is_here = self.met == self.at and kind == self.kind
        if is_here or (self.lasts and self.met >= self.at):
            raise apsw.exception_for(self.code)


def counted(folder: Path, kind: str, size: int) -> int:
    """How many operations of the kind a run without any fault has."""
    meter = Meter(kind, apsw.SQLITE_IOERR, 10**9, lasts=False)
    night = Night(folder, size=size)
    night.tape.fault = meter
    play(night)
    return meter.met


def failed(night: Night, fault: Fault) -> bool:
    """Whether the client met the error; a store that failed takes nothing more, though the disk is well again."""
    night.tape.fault = fault
    try:
        play(night)
    except StoreFailed:
        night.tape.fault = None
        if hasattr(night, "store"):
            refuses(night)
        return True
    night.tape.fault = None
    return False


def refuses(night: Night) -> None:
    """Closed or not: the ids that were acknowledged, the one that failed and a new one all get no answer."""
    store = night.store
    asked: list[Callable[[], object]] = [
        lambda: store.commit(proposal(night.sent, 5 * (night.sent - 1))),
        lambda: store.commit(proposal(night.sent + 1, 5 * night.sent)),
        lambda: store.answer_to("player:ana", f"bet-{night.sent}", b"bet %d" % night.sent),
        lambda: store.balance("issuance"),
        lambda: list(store.read("t1")),
    ]
    for ask in asked:
        with pytest.raises(StoreFailed):
            ask()
    store.close()


def after_repair(file: Path, acknowledged: set[int], size: int = 1) -> list[str]:
    """What is wrong once the disk works again and an ordinary program opens the file."""
    with closing(SqliteStore(file)) as store:
        found = faults(store, acknowledged, size)
        return found or goes_on(store, max(acknowledged, default=0) + 1, size)


def places(folder: Path, kind: str, size: int) -> Iterator[int]:
    operations = counted(folder / "whole", kind, size)
    assert operations > 1, f"nothing to fail: {kind}"
    yield from range(1, operations + 1, max(1, STEP if operations > 40 else 1))


@pytest.mark.parametrize("size", [1, 3], ids=["alone", "together"])
@pytest.mark.parametrize("lasts", [False, True], ids=["once", "for good"])
@pytest.mark.parametrize("error", ERRORS)
def test_a_failing_disk_costs_nothing_that_was_acknowledged(error: str, lasts: bool, size: int, tmp_path: Path) -> None:
    kind, code = ERRORS[error]
    (tmp_path / "whole").mkdir()
    met = 0
    for at in places(tmp_path, kind, size):
        met += 1
        folder = tmp_path / str(at)
        folder.mkdir()
        night = Night(folder, size=size)
        assert failed(night, Meter(kind, code, at, lasts=lasts)), f"{error} at {at} was not noticed"
        acknowledged = {number for _, number in night.tape.acknowledged}
        assert acknowledged >= set(range(1, night.sent - size + 1))
        assert night.sent not in acknowledged or night.sent // size in (8, 12), "the last command before the close"
        assert after_repair(folder / FILE, acknowledged, size) == [], f"{error} at {at}"
    print(f"\n{error} {'for good' if lasts else 'once'}: {met} places, 0 lost")


def test_a_page_that_cannot_be_read_ends_the_store_too(tmp_path: Path) -> None:
    night = Night(tmp_path)
    night.open()
    night.send(3)
    connection.execute(night.store._db, "PRAGMA shrink_memory")
    night.tape.fault = Meter("read", apsw.SQLITE_IOERR_READ, 1, lasts=False)
    with pytest.raises(StoreFailed):
        night.store.balance("issuance")
    night.tape.fault = None
    refuses(night)
    assert after_repair(tmp_path / FILE, {1, 2, 3}) == []


def test_the_harness_finds_a_store_that_swallows_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin that must fail."""
    monkeypatch.setattr("tests.crash.test_power_cut.SqliteStore", Swallowing)
    lost = 0
    for at in range(20, 60, 5):
        folder = tmp_path / str(at)
        folder.mkdir()
        night = Night(folder)
        night.open()
        night.send(1)
        night.tape.fault = Meter("write", apsw.SQLITE_IOERR_WRITE, at, lasts=False)
        with suppress(StoreFailed, StoreError):
            night.send(6)
        night.tape.fault = None
        night.store.close()
        acknowledged = {number for _, number in night.tape.acknowledged}
        with closing(SqliteStore(folder / FILE)) as store:
            lost += any(found.startswith("lost") for found in faults(store, acknowledged))
    assert lost


# The kernel's errors, through the ordinary file system of SQLite.


def can(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


TRACES = can("strace", "-f", "-qq", "-o", os.devnull, "-e", "inject=fdatasync:error=EIO", "true")
MOUNTS = can("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt")
needs_strace = pytest.mark.skipif(not TRACES, reason="strace is not here or may not trace")
needs_mounts = pytest.mark.skipif(not MOUNTS, reason="a file system cannot be mounted here")


def heard(*command: str) -> list[str]:
    """What the writer said."""
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def writer(file: Path, *flags: str) -> list[str]:
    return [sys.executable, "-m", "tests.crash.disk_writer", str(file), *flags]


def split(said: list[str]) -> tuple[set[int], list[str]]:
    """The acknowledged numbers, and the errors."""
    return {int(word) for word in said if word.isdigit()}, [word for word in said if not word.isdigit()]


INJECTED = {
    "sync of the log": ("-wal", "fdatasync,fsync:error=EIO:when=18+"),
    "sync of the log once": ("-wal", "fdatasync,fsync:error=EIO:when=19"),
    "sync of the file": ("", "fdatasync,fsync:error=EIO:when=8+"),
    "sync of the file once": ("", "fdatasync,fsync:error=EIO:when=8"),
    "write to the log": ("-wal", "pwrite64:error=EIO:when=500+"),
    "write to the log once": ("-wal", "pwrite64:error=EIO:when=501"),
    "write to the file once": ("", "pwrite64:error=EIO:when=80"),
    "log full": ("-wal", "pwrite64:error=ENOSPC:when=500+"),
    "file full": ("", "pwrite64:error=ENOSPC:when=80+"),
    "read-only": ("-wal", "pwrite64:error=EROFS:when=500+"),
}
"""Which file beside the database, if not itself, and what befalls it; `when` counts the calls for that file."""


def strace(file: Path, error: str, *flags: str) -> list[str]:
    behind, inject = INJECTED[error]
    only = ("-P", f"{file}{behind}", "-e", f"inject={inject}")
    return heard("strace", "-f", "-qq", "-o", os.devnull, *only, *writer(file, "--pages", "60", *flags))


@needs_strace
@pytest.mark.parametrize("error", INJECTED)
def test_an_error_of_the_kernel_costs_nothing_that_was_acknowledged(error: str, tmp_path: Path) -> None:
    acknowledged, rest = split(strace(tmp_path / FILE, error))
    assert 5 < len(acknowledged) < 1_000
    assert rest == ["StoreFailed"] * 4
    assert after_repair(tmp_path / FILE, acknowledged) == []


@needs_strace
def test_the_harness_finds_a_kernel_error_that_was_swallowed(tmp_path: Path) -> None:
    """The twin that must fail."""
    acknowledged, _ = split(strace(tmp_path / FILE, "write to the log", "--swallow"))
    with closing(SqliteStore(tmp_path / FILE)) as store:
        assert any(found.startswith("lost") for found in faults(store, acknowledged))


@needs_mounts
@pytest.mark.parametrize("pages", ["1000", "20"], ids=["in the log", "in the file"])
def test_a_full_disk_costs_nothing_that_was_acknowledged(pages: str, tmp_path: Path) -> None:
    """A small file system of its own; what it held is carried to a larger one, where the store goes on."""
    small, out = tmp_path / "small", tmp_path / "out"
    small.mkdir()
    out.mkdir()
    script = (
        'mount -t tmpfs -o size=700k none "$1" && shift && out="$1" && shift && "$@" && cp "${0%/*}"/small/* "$out"'
    )
    said = heard("unshare", "-rm", "sh", "-c", script, str(tmp_path / "sh"), str(small), str(out),
                 *writer(small / FILE, "--pages", pages))  # fmt: skip
    acknowledged, rest = split(said)
    assert 5 < len(acknowledged) < 1_000
    assert rest == ["StoreFailed"] * 4
    assert after_repair(out / FILE, acknowledged) == []


@needs_mounts
def test_a_read_only_file_system_is_refused_at_the_start(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / FILE)) as store:
        store.commit(proposal(1, 0))
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    said = heard("unshare", "-rm", "sh", "-c", script, str(tmp_path), *writer(tmp_path / FILE))
    assert said == ["StoreFailed"]
    assert after_repair(tmp_path / FILE, {1}) == []


def test_a_folder_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="cannot be written to"):
        SqliteStore(tmp_path / "nowhere" / FILE)
