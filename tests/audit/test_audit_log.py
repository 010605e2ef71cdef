"""The log as the audit reads it: stream by stream, with the old part over all streams; what it keeps of it."""

import lzma
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar import audit
from casinowar.audit import Audit
from casinowar.audit.snapshot import AuditedStore
from casinowar.audit.stream_log import StreamLog, StreamMarks
from casinowar.store import PurseFunded, SqliteStore, StoreFault, dump_checkpoint, make_checkpoint
from casinowar.store.chain_walk import Links
from casinowar.store.chains import EVENT, chain_link
from casinowar.store.sqlite.connection import execute
from tests.golden.kept import FOLDER
from tests.store.test_store_contract import unlocked, write
from tests.support.audited_nights import play_night
from tests.support.commandline import run

KEY = Ed25519PrivateKey.generate()


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night with checkpoints and snapshots, and something behind the last of them."""
    file = tmp_path_factory.mktemp("log") / "war.db"
    with closing(SqliteStore(file)) as store:
        played = play_night(store, 2)
        make_checkpoint(store, KEY)
        store.save_snapshot("t", store.version("t"), "m/1", b"ours")
        played.until_ready()
        make_checkpoint(store, KEY)
        played.bet("ann")
        played.until(lambda: played.live.table.round.is_over)
    return file


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store that the first version has written, with a chain over all of it."""
    file = tmp_path / "war.db"
    file.write_bytes(lzma.decompress((FOLDER / "v0.1.0" / "nz" / "war.db.xz").read_bytes()))
    return file


@pytest.fixture
def brought_up(old: Path) -> Path:
    """An old store that goes on with chains of streams."""
    with closing(SqliteStore(old)) as store:
        write(store, "late", PurseFunded("zoe", 700, "house", "guest purse"), stream="house")
    return old


@pytest.fixture(params=["night", "old", "brought_up"])
def sound(request: pytest.FixtureRequest) -> Path:
    file: Path = request.getfixturevalue(request.param)
    return file


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("is_since", [False, True])
def test_a_sound_log_is_read_without_the_slower_audits(
    sound: Path, jobs: int, is_since: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> list[str]:
        raise AssertionError("the slower audit was asked")

    monkeypatch.setattr(audit, "audit", fail)
    with closing(AuditedStore(sound)) as store:
        since = store.last_checkpoint() if is_since else None
        assert list(Audit(store, jobs=jobs, since=since).findings()) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_old_log_with_leaves_is_read_without_the_slower_audits(
    brought_up: Path, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore(brought_up)) as store:
        made = make_checkpoint(store, KEY)
    assert made.leaves == 2, "that of the old chains, and that of the house"
    test_a_sound_log_is_read_without_the_slower_audits(brought_up, jobs, False, monkeypatch)


FIRST = "SELECT min(position) FROM postings"
OF_A_TABLE = "SELECT max(position) FROM postings JOIN events USING (position) WHERE stream <> 'house'"
EDITS = {
    "an event": ("UPDATE events SET hash = zeroblob(32) WHERE position = 40", "): the chain breaks here"),
    "the last event": (
        "UPDATE events SET hash = zeroblob(32) WHERE position = (SELECT max(position) FROM events)",
        "the chain breaks here",
    ),
    "a command": ("UPDATE commands SET hash = zeroblob(32) WHERE number = 9", "): the chain breaks here"),
    "a name": ("UPDATE events SET name = 'other' WHERE position = 40", "): its columns differ from its entry"),
    "a posting": (f"UPDATE postings SET amount = amount + 1 WHERE position = ({FIRST})", "the rows of postings differ"),
    "a posting at a table": (
        f"UPDATE postings SET amount = amount + 1 WHERE position = ({OF_A_TABLE})",
        "the rows of postings differ",
    ),
    "a line of a posting": (
        f"UPDATE postings SET line = line + 5 WHERE position = ({FIRST})",
        "the rows of postings differ",
    ),
    "a balance": ("UPDATE balances SET balance = balance + 1 WHERE account = 'purse:ann'", "purse:ann: holds"),
    "an account": ("INSERT INTO balances VALUES ('purse:nobody', 0)", "purse:nobody: has a row and no posting"),
    "the name of a command": (
        "UPDATE commands SET command = 'other' WHERE number = 9",
        "): its columns differ from its entry",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("is_since", [False, True])
def test_an_edit_of_a_row_is_found_in_every_kind_of_log(sound: Path, tmp_path: Path, edit: str, is_since: bool) -> None:
    sql, told = EDITS[edit]
    copy = Path(shutil.copy(sound, tmp_path / "copy.db"))
    db = unlocked(copy)
    execute(db, sql)
    assert db.changes()
    db.close()
    with closing(AuditedStore(copy)) as store:
        since = store.last_checkpoint() if is_since else None
        assert any(told in str(one) for one in Audit(store, since=since).findings())


def test_a_chain_keeps_only_what_it_will_be_asked_for() -> None:
    links, head = Links(EVENT, bytes(32), 10, frozenset((12, 900, 5_000))), bytes(32)
    hashes = {}
    for count in range(11, 1_011):
        entry = str(count).encode()
        head = hashes[count] = chain_link(EVENT, head, entry)
        assert links.follow(count + 7, entry, head)
    assert not links.follow(1_018, b"another entry", head)
    assert (links.first, links.count, links.head) == (10, 1_011, head)
    assert [links.at(count) for count in (10, 12, 13, 900, 5_000)] == [
        (bytes(32), 0), (hashes[12], 19), None, (hashes[900], 907), None,
    ]  # fmt: skip
    assert len(links._at) == 3


def test_what_a_log_leaves_behind_does_not_grow_with_its_events(night: Path) -> None:
    """Of a stream's events nothing is kept but what moved purses and which shoes were committed to."""
    with closing(AuditedStore(night)) as store:
        log = StreamLog(store, "t", StreamMarks())
        events = sum(1 for _ in log)
        purses = execute(
            store._db,
            "SELECT count(*) FROM postings JOIN events USING (position) WHERE stream = 't' AND account LIKE 'purse:%'",
        )[0][0]
    assert events > 300
    assert len(log.facts.moved) == purses
    assert not log.facts.layouts
    assert log.facts.links is not None
    assert (log.facts.links.count, len(log.facts.links._at)) == (events, 1)


def damaged(file: Path, folder: Path) -> Iterator[Path]:
    """Copies in each of which one page of the index of events is overwritten."""
    db = unlocked(file)
    [(root,)] = execute(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_events_1'")
    [(size,)] = execute(db, "PRAGMA page_size")
    db.close()
    assert isinstance(root, int)
    assert isinstance(size, int)
    for at in (0, 3, 5):
        pages = bytearray(file.read_bytes())
        begin = (root - 1) * size + at
        pages[begin : begin + 8] = bytes(byte ^ 0x5A for byte in pages[begin : begin + 8])
        copy = folder / f"{at}.db"
        copy.write_bytes(pages)
        yield copy


@pytest.mark.parametrize("is_since", [False, True])
def test_a_file_that_sqlite_finds_damaged_does_not_open(
    night: Path, tmp_path: Path, is_since: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(AuditedStore(night)) as store:
        kept = store.checkpoints()[-1]
    (tmp_path / "kept.json").write_bytes(dump_checkpoint(kept))
    for copy in damaged(night, tmp_path):
        with pytest.raises(StoreFault, match="damaged"):
            AuditedStore(copy)
        since = ("--since", str(tmp_path / "kept.json")) if is_since else ()
        ran = run("audit", str(copy), *since)
        assert ran.status == 1
        assert "is damaged" in ran.out
        assert "note: the store does not open: nothing else was looked at" in ran.out
    assert not caplog.messages, "what the audit finds is told once"
