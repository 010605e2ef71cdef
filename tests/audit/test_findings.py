"""What is told of many findings: a few of each kind at each table, and how many more there are."""

import random
import shutil
from contextlib import closing
from pathlib import Path

from casinowar.audit import Audit
from casinowar.audit.findings import Finding, brief_lines
from casinowar.audit.snapshot import AuditedStore
from casinowar.store import SqliteStore
from casinowar.store.sqlite.connection import execute
from tests.support.audited_nights import play_night
from tests.support.edited_rows import Editor


def test_what_repeats_at_a_table_is_counted_and_nothing_else_is_hidden() -> None:
    repeated = [Finding(f"event {at} (nz {at - 3})", f"stands where event {at - 1} should") for at in range(10, 2_089)]
    other_table = Finding("event 2500 (wa 7)", "stands where event 2499 should")
    other_kind = Finding("event 2600 (nz 900)", "the chain breaks here")
    command = Finding("command 9 (nz 12)", "the chain breaks here")
    assert brief_lines([*repeated, other_table, other_kind, command], 3) == [
        "event 10 (nz 7): stands where event 9 should",
        "event 11 (nz 8): stands where event 10 should",
        "event 12 (nz 9): stands where event 11 should",
        "and 2,076 more of this kind at nz",
        "event 2500 (wa 7): stands where event 2499 should",
        "event 2600 (nz 900): the chain breaks here",
        "command 9 (nz 12): the chain breaks here",
    ]


def test_findings_that_differ_in_more_than_numbers_are_all_told() -> None:
    """Three accounts, three players: each is a thing of its own, though the amounts are the same."""
    owed = [Finding(f"chips:t:{player}", "holds 5, and its postings sum to 7") for player in ("ann", "ben", "cat")]
    seeds = [Finding(f"seed of {digit * 64}", "no shoe was ever committed to it") for digit in "0123"]
    assert brief_lines(owed, 1) == [str(one) for one in owed]
    assert brief_lines(seeds, 3)[3:] == ["and 1 more of this kind at seed of N"]


def test_a_finding_is_one_line_whatever_stands_in_the_rows() -> None:
    assert brief_lines([Finding("event 1 (t 1)", "two\nlines\x1c of it")]) == ["event 1 (t 1): two lines of it"]


def test_an_event_that_is_gone_is_not_told_again_for_each_behind_it(tmp_path: Path) -> None:
    file = tmp_path / "war.db"
    with closing(SqliteStore(file)) as store:
        play_night(store)
    copy = Path(shutil.copy(file, tmp_path / "copy.db"))
    editor = Editor(copy, random.Random(0))
    sql = "SELECT max(position) FROM events WHERE position < 60 AND position NOT IN (SELECT position FROM postings)"
    [(gone,)] = execute(editor.db, sql)
    [(stream,)] = execute(editor.db, "SELECT stream FROM events WHERE position = ?", (gone,))
    assert isinstance(stream, str)
    execute(editor.db, "DELETE FROM events WHERE position = ?", (gone,))
    editor.close(is_rechained=False)
    with closing(AuditedStore(copy)) as read:
        told = list(Audit(read).findings())
    shifted = [one for one in told if "stands where event" in one.what]
    assert [one.where.partition(" (")[0] for one in shifted] == [f"event {int(str(gone)) + 1}"]
    assert any(f"({stream} " in one.where and one.what == "the chain breaks here" for one in told), told
    assert len(told) < 40, told
