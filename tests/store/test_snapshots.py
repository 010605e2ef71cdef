"""Snapshots bound to the chain, and a start that costs the same for a log of any length."""

from contextlib import closing, suppress
from pathlib import Path

import apsw
import msgspec
import pytest

from casinowar.audit.snapshot import AuditedStore
from casinowar.engine import Table
from casinowar.engine import events as e
from casinowar.store import (
    SqliteStore,
    Store,
    StoreFault,
    StreamStopped,
    TableStopped,
    VersionConflict,
    audit,
    make_checkpoint,
)
from casinowar.store.ledger import Laid, Layout
from casinowar.store.snapshots import KEPT, digest_of
from casinowar.store.sqlite.connection import execute
from tests.store.test_chains import KEY, night
from tests.store.test_store_contract import fund, played, unlocked, write
from tests.support.edited_rows import rechain

FORMAT = "test/1"


@pytest.fixture
def night_file(file: Path) -> Path:
    """The file of a night with checkpoints, and something behind the last of them."""
    with closing(SqliteStore(file)) as made:
        night(made)
    return file


def seat(store: Store, number: int) -> int:
    return write(store, f"seat {number}", e.PlayerSeated("ana", number)).version


def test_the_newest_few_snapshots_are_kept_and_given_out_newest_first(store: Store) -> None:
    for number in range(1, KEPT + 4):
        store.save_snapshot("t1", seat(store, number), FORMAT, b"%d" % number)
    found = store.snapshots("t1", FORMAT)
    assert [(one.version, one.body) for one in found] == [
        (version, b"%d" % version) for version in range(KEPT + 3, 3, -1)
    ]
    store.save_snapshot("t1", KEPT + 3, FORMAT, b"again")
    assert store.snapshots("t1", FORMAT)[0].body == b"again"
    assert len(store.snapshots("t1", FORMAT)) == KEPT
    assert audit(store) == []


def test_a_format_that_is_not_asked_for_is_not_given_out(store: Store) -> None:
    seat(store, 1)
    store.save_snapshot("t1", 1, "other/7", b"?")
    assert (store.snapshots("t1", FORMAT), store.snapshots("t2", "other/7")) == ([], [])
    store.save_snapshot("t1", 1, FORMAT, b"ours")
    assert [one.body for one in store.snapshots("t1", FORMAT)] == [b"ours"]
    assert [one.body for one in store.snapshots("t1", "other/7")] == [b"?"]


@pytest.mark.parametrize("version", [0, 1, 3])
def test_a_snapshot_is_of_the_version_at_which_the_stream_stands(store: Store, version: int) -> None:
    seat(store, 1)
    seat(store, 2)
    with pytest.raises(VersionConflict):
        store.save_snapshot("t1", version, FORMAT, b"")
    with pytest.raises(VersionConflict):
        store.save_snapshot("nowhere", version, FORMAT, b"")
    assert store.snapshot_rows() == []


def test_a_snapshot_of_the_whole_log_is_of_its_end(store: Store) -> None:
    version = seat(store, 1)
    end = store.head().events
    for position in (end - 1, end + 1):
        with pytest.raises(VersionConflict, match=f"the log ends at {end}, not at {position}"):
            store.save_snapshot("t1", version, FORMAT, b"", position=position)
    store.save_snapshot("t1", version, FORMAT, b"ours", position=end)
    assert [one.body for one in store.snapshots("t1", FORMAT)] == [b"ours"]


def test_a_snapshot_in_a_group_is_written_with_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "war.db")
    store.begin_together()
    store.save_snapshot("t1", seat(store, 1), FORMAT, b"1")
    assert store.snapshots("t1", FORMAT)
    store.close()
    with closing(SqliteStore(tmp_path / "war.db")) as again:
        assert (again.snapshot_rows(), again.version("t1")) == ([], 0)


# What is tampered with

WRONG = {
    "body": "body = x'00'",
    "layout": "layout = x'00'",
    "digest": "digest = zeroblob(32)",
    "hash": "events_head = zeroblob(32)",
    "version": "version = version - 1",
    "later version": "version = 99",
    "stream": "stream = 'cage'",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_snapshot_that_does_not_match_is_not_given_out_and_is_found(wrong: str, file: Path) -> None:
    with closing(SqliteStore(file)) as made:
        fund(made, "ana", 5000)
        write(made, "1", e.BoughtIn("ana", 3000))
        write(made, "2", e.WagerPlaced("ana", 1, "initial", 1000))
        made.save_snapshot("t1", 2, FORMAT, b"body")
        execute(made._db, f"UPDATE snapshots SET {WRONG[wrong]}")
    with closing(SqliteStore(file)) as altered:
        assert [*altered.snapshots("t1", FORMAT), *altered.snapshots("cage", FORMAT)] == []
        assert any(one.startswith("snapshot of") for one in audit(altered))
        won = e.WagerSettled("ana", 1, "initial", 1000, "lose", None, 0, 0)
        write(altered, "3", won, e.RoundEnded(1, ()))
        assert altered.balance("float:t1") == 1000, "the ledger has read the events instead"


def test_a_forged_layout_with_its_digest_is_found_by_the_audit(file: Path) -> None:
    """The digest has no key: who can write to the file can make it again. The audit makes the layout again."""
    with closing(SqliteStore(file)) as made:
        played(made, 1)
        made.save_snapshot("t1", made.version("t1"), FORMAT, b"body")
        [kept] = made.snapshot_rows()
        wagers = {(1, "initial", "ana"): Laid(99)}
        forged = msgspec.structs.replace(kept, layout=msgspec.msgpack.encode(Layout("t1", wagers)))
        row = (forged.layout, digest_of(made.identity, forged))
        execute(made._db, "UPDATE snapshots SET layout = ?, digest = ?", row)
        assert made.snapshots("t1", FORMAT)
        assert audit(made) == [f"snapshot of t1 at {kept.version}: its layout does not follow from the events"]


@pytest.mark.parametrize("is_older_good", [True, False])
def test_a_layout_that_cannot_be_read_is_passed_over(file: Path, is_older_good: bool) -> None:
    with closing(SqliteStore(file)) as made:
        fund(made, "ana", 5000)
        write(made, "1", e.BoughtIn("ana", 3000))
        made.save_snapshot("t1", 1, FORMAT, b"older")
        write(made, "2", e.WagerPlaced("ana", 1, "initial", 1000))
        made.save_snapshot("t1", 2, FORMAT, b"newer")
        for kept in made.snapshot_rows()[1 if is_older_good else 0 :]:
            forged = msgspec.structs.replace(kept, layout=b"\xc1")
            row = (forged.layout, digest_of(made.identity, forged), kept.version)
            execute(made._db, "UPDATE snapshots SET layout = ?, digest = ? WHERE version = ?", row)
    with closing(SqliteStore(file)) as altered:
        lost = e.WagerSettled("ana", 1, "initial", 1000, "lose", None, 0, 0)
        write(altered, "3", lost, e.RoundEnded(1, ()))
        assert altered.balance("float:t1") == 1000
        unread = [f"snapshot of t1 at {version}: its layout does not follow from the events" for version in (1, 2)]
        assert audit(altered) == unread[1 if is_older_good else 0 :]


def test_a_snapshot_of_a_log_that_was_written_anew_does_not_count(file: Path) -> None:
    with closing(SqliteStore(file)) as made:
        seat(made, 1)
        seat(made, 2)
        made.save_snapshot("t1", 2, FORMAT, b"body")
    db = unlocked(file)
    execute(db, "UPDATE events SET entry = CAST(replace(entry, 'ana', 'eve') AS BLOB) WHERE version = 1")
    rechain(db)
    db.close()
    with closing(SqliteStore(file)) as altered:
        assert altered.snapshots("t1", FORMAT) == []


# The layout of the ledger goes on from a snapshot


def test_the_ledger_goes_on_from_a_snapshot_and_the_tail(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        fund(store, "ana", 5000)
        write(store, "1", e.BoughtIn("ana", 3000))
        write(store, "2", e.WagerPlaced("ana", 1, "initial", 1000))
        store.save_snapshot("t1", 2, FORMAT, b"")
        write(store, "3", e.WagerPlaced("ana", 2, "initial", 500))
    with closing(SqliteStore(file)) as store:
        read: list[int] = []
        entries = store._entries

        def noted(stream: str, after: int) -> list[bytes]:
            read.append(after)
            return entries(stream, after)

        store._entries = noted  # type: ignore[method-assign]
        for box, amount in ((1, 1000), (2, 500)):
            lost = e.WagerSettled("ana", box, "initial", amount, "lose", None, 0, 0)
            write(store, f"lost {box}", lost, table=Table(players={"ana": 1500}, house=1500) if box == 2 else None)
        assert read == [2], "only what is behind the snapshot"
        assert store.balance("float:t1") == 1500
        assert audit(store) == []


def test_a_stopped_table_stays_stopped_behind_a_snapshot(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        store._mark("t1", TableStopped("a chip too many"))
        store.save_snapshot("t1", 1, FORMAT, b"")
    with closing(SqliteStore(file)) as store:
        assert store.stopped("t1") == "a chip too many"
        with pytest.raises(StreamStopped):
            seat(store, 1)


# The start


def altered(file: Path, *statements: str) -> None:
    db = unlocked(file)
    for sql in statements:
        execute(db, sql)
        assert db.changes(), sql
    db.close()


CHANGED = "SET entry = CAST(replace(entry, '\"at\":', '\"at\":9') AS BLOB)"
TAIL = {
    "an event": f"UPDATE events {CHANGED} WHERE stream = 'a' AND version = 3",
    "an event's hash": "UPDATE events SET hash = zeroblob(32) WHERE stream = 'a' AND version = 3",
    "a command": f"UPDATE commands {CHANGED} WHERE command = 'a3'",
    "an event's stream": "UPDATE events SET stream = 'b' WHERE stream = 'a' AND version = 3",
    "an event gone": "DELETE FROM events WHERE stream = 'a' AND version = 3",
    "a command gone": "DELETE FROM commands WHERE command = 'a3'",
    "a head": "UPDATE heads SET version = 2 WHERE stream = 'a'",
    "the last leaf": "UPDATE leaves SET events_head = zeroblob(32) WHERE number = 5",
    "the edge": "UPDATE tree SET parts = zeroblob(64)",
    "a balance": "UPDATE balances SET balance = balance + 1 WHERE account = 'purse:ana'",
}


@pytest.mark.parametrize("what", TAIL)
def test_a_tail_that_was_tampered_with_is_refused_at_the_start(what: str, night_file: Path) -> None:
    altered(night_file, TAIL[what])
    with pytest.raises(StoreFault):
        SqliteStore(night_file)


HEADS = {
    "a stream's whole tail": (
        ("DELETE FROM events WHERE stream = 'a' AND version = 3", "DELETE FROM commands WHERE command = 'a3'"),
        "the head of a: is not the end of its chains",
    ),
    "the hash of a head with nothing behind": (
        ("UPDATE heads SET events_head = zeroblob(32) WHERE stream = 'cage'",),
        "the head of cage: is not the end of its chains",
    ),
    "a head gone": (("DELETE FROM heads WHERE stream = 'b'",), "the head of b: is missing"),
    "a head too many": (
        ("INSERT INTO heads SELECT 'c', version, events_head, commands, commands_head, 0 FROM heads LIMIT 1",),
        "the head of c: is not the end of its chains",
    ),
    "the last event of a stream before the checkpoint": (
        ("DELETE FROM events WHERE stream = 't1' AND version = (SELECT version FROM heads WHERE stream = 't1')",),
        "the head of t1: is not the end of its chains",
    ),
    "all covered": (("UPDATE heads SET covered = 3 WHERE stream = 'a'",), "3 of its commands are told to be covered"),
    "none covered": (("UPDATE heads SET covered = 0 WHERE stream = 't1'",), "0 of its commands are told to be covered"),
}


@pytest.mark.parametrize("what", HEADS)
def test_a_kept_head_that_is_not_the_end_of_its_chains_is_refused_at_the_start(what: str, night_file: Path) -> None:
    """Such a store would acknowledge what the next start refuses."""
    statements, said = HEADS[what]
    altered(night_file, *statements)
    with pytest.raises(StoreFault, match=said):
        SqliteStore(night_file)


LOST = {
    "DROP TABLE old_chains": "no such table: old_chains",
    "DROP TABLE snapshots": "the schema lacks or has changed table snapshots",
    "DROP TABLE heads": "no such table: heads",
    "DELETE FROM old_chains": "the table old_chains has 0 rows, and not one",
    "DELETE FROM tree": "the table tree has 0 rows, and not one",
    "DELETE FROM trial_balance": "the table trial_balance has 0 rows, and not one",
}


@pytest.mark.parametrize("statement", LOST)
def test_a_table_that_is_gone_is_told_in_one_line(statement: str, night_file: Path) -> None:
    db = unlocked(night_file)
    execute(db, statement)
    db.close()
    with pytest.raises(StoreFault) as told:
        SqliteStore(night_file)
    assert str(night_file) in str(told.value)
    assert LOST[statement] in str(told.value)
    with suppress(StoreFault), closing(AuditedStore(night_file)) as store:
        assert audit(store)


def test_a_tail_cut_off_before_its_checkpoint_is_refused_at_the_start(file: Path) -> None:
    with closing(SqliteStore(file)) as made:
        last = night(made)[-1]
    altered(file, f"DELETE FROM events WHERE position >= {last.events}")
    with pytest.raises(StoreFault, match="are left"):
        SqliteStore(file)


def test_the_middle_of_a_log_that_was_tampered_with_is_found_by_the_audit(night_file: Path) -> None:
    altered(night_file, f"UPDATE events {CHANGED} WHERE position = 5", f"UPDATE commands {CHANGED} WHERE number = 2")
    with closing(SqliteStore(night_file)) as store:
        found = audit(store)
    with closing(AuditedStore(night_file)) as read:
        assert audit(read) == found
    told = [one.partition(" (")[0] for one in found if one.endswith("): the chain breaks here")]
    assert {"event 5", "command 2"} <= set(told)


def test_damaged_pages_are_found_by_the_audit_of_a_store_that_runs(file: Path) -> None:
    with closing(SqliteStore(file)) as made:
        played(made, 30)
        make_checkpoint(made, KEY)
        pages = execute(made._db, "SELECT rootpage FROM sqlite_schema WHERE name = 'postings_by_account'")[0][0]
    assert isinstance(pages, int)
    content = bytearray(file.read_bytes())
    content[4096 * (pages - 1) + 200 : 4096 * pages] = bytes(4096 - 200)
    file.write_bytes(bytes(content))
    with pytest.raises((StoreFault, apsw.CorruptError)):
        SqliteStore(file, for_reading=True)
    with closing(SqliteStore(file)) as store:
        assert any(one.startswith("the file: ") for one in store.form_faults())


def steps(file: Path) -> int:
    """The pages that opening reads, counted by the file system's own reads of the process."""
    before = reads()
    SqliteStore(file).close()
    return reads() - before


def reads() -> int:
    told = dict(line.split(": ") for line in Path("/proc/self/io").read_text(encoding="ascii").splitlines())
    return int(told["syscr"])


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="the system does not count reads")
def test_a_start_reads_as_much_of_a_long_log_as_of_a_short_one(tmp_path: Path) -> None:
    took = []
    for rounds in (5, 200):
        file = tmp_path / f"{rounds}.db"
        with closing(SqliteStore(file)) as made:
            execute(made._db, "PRAGMA synchronous = off")
            played(made, rounds)
            make_checkpoint(made, KEY)
            write(made, "last", e.TimePassed(1))
        took.append(steps(file))
    assert took[1] < took[0] + 60, took
    with closing(SqliteStore(file)) as whole:
        before = reads()
        assert sum(1 for _ in whole.event_rows()) > 1_000
        assert reads() - before > 2 * (took[1] - took[0]) + 60, "the twin: to read all of it would have shown"
