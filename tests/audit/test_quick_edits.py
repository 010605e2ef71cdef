"""Any value of any entry changed, with all hashes worked out anew: both ways of reading a table tell the same of it."""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

import casinowar.audit.openings as auditing_openings
from casinowar.audit import Audit
from casinowar.audit.snapshot import AuditedStore
from casinowar.store import SqliteStore
from casinowar.store.sqlite.connection import execute
from tests.support.audited_nights import play_night
from tests.support.edited_rows import Editor

pytestmark = pytest.mark.slow

EDITS = int(os.environ.get("EDITS", "60"))
MOVED = (
    "SELECT account, sum(amount) AS moved FROM postings JOIN events USING (position) "
    "GROUP BY account, json_extract(entry, '$.actor'), json_extract(entry, '$.command')"
)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a night without snapshots: their hashes would tell of every edit, and leave nothing to the tables."""
    file = tmp_path_factory.mktemp("quick") / "war.db"
    with closing(SqliteStore(file)) as store:
        play_night(store)
    editor = Editor(file, random.Random(0))
    execute(editor.db, "DELETE FROM snapshots")
    editor.close(is_rechained=False)
    return file


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values within that are no collections."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, (*path, key))
    else:
        yield path


def value_at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def other_value(was: Any, path: tuple[Any, ...], entries: list[dict[str, Any]], chance: random.Random) -> Any:
    """One that stands at the same path of another entry of this name, where there is one; or another of its kind."""
    others = []
    for entry in entries:
        try:
            others.append(value_at(entry, path))
        except (KeyError, IndexError, TypeError):
            continue
    others = [one for one in others if one != was and not isinstance(one, dict | list)]
    if others and chance.random() < 0.6:
        return chance.choice(others)
    match was:
        case bool():
            return not was
        case int():
            return was + chance.choice((-1, 1, 7, 500, -500))
    return chance.choice(("ann", "ben", "2s", "Kh", None))


def edit(file: Path, chance: random.Random) -> str:
    """Change one value of one entry at a table, or what its postings are; put rows, balances and hashes right."""
    editor = Editor(file, chance)
    rows = execute(editor.db, "SELECT position, entry FROM events WHERE stream <> 'house' ORDER BY position")
    entries = {int(str(at)): msgspec.json.decode(bytes(entry)) for at, entry in rows}  # type: ignore[arg-type]
    names = sorted({one["name"] for one in entries.values()})
    name = chance.choice(names)
    there = [at for at, one in entries.items() if one["name"] == name]
    at = chance.choice(there)
    entry = entries[at]
    path = chance.choice([path for path in leaves(entry) if path not in (("position",), ("version",), ("stream",))])
    *before, last = path
    was = value_at(entry, path)
    value_at(entry, tuple(before))[last] = is_now = other_value(was, path, [entries[one] for one in there], chance)
    execute(editor.db, "UPDATE events SET entry = ? WHERE position = ?", (msgspec.json.encode(entry), at))
    execute(editor.db, "SAVEPOINT before")
    try:
        execute(editor.db, "DELETE FROM postings WHERE position = ?", (at,))
        for line, posting in enumerate(entry["postings"]):
            execute(editor.db, "INSERT INTO postings VALUES (?, ?, ?, ?)", (at, line, *posting))
        execute(editor.db, "DELETE FROM balances")
        execute(
            editor.db, f"INSERT INTO balances SELECT account, sum(moved) FROM ({MOVED}) WHERE moved GROUP BY account"
        )
    except apsw.ConstraintError:  # Such as an account that would owe: the rows of the money stay as they were.
        execute(editor.db, "ROLLBACK TO before")
    editor.close(is_rechained=True)
    return f"{name} at {at}, {path}: {was!r} is {is_now!r}"


def told(file: Path) -> list[object]:
    with closing(AuditedStore(file)) as store:
        audited = Audit(store, jobs=1)
        return [*(str(one) for one in audited.findings()), audited.counts, audited.notes, audited.remarks]


def test_both_ways_of_reading_tell_the_same_of_every_edit(
    night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = 0
    for seed in range(EDITS):
        copy = Path(shutil.copy(night, tmp_path / "copy.db"))
        what = edit(copy, random.Random(seed))
        quickly = told(copy)
        with monkeypatch.context() as patch:
            patch.setattr(auditing_openings, "_audit_quickly", None)
            assert quickly == told(copy), f"edit {seed}: {what}"
        found += len(quickly) > 3
    assert found > EDITS // 2
