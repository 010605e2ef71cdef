"""Snapshots that somebody has edited, with digests worked out anew: each is found, given nothing but the file."""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.audit import Audit
from casinowar.audit.snapshot import AuditedStore
from casinowar.house import house_snapshots as snapshots
from casinowar.house.table import table_snapshots as of_table
from casinowar.store import SqliteStore
from casinowar.store.snapshots import Snapshot, digest_of
from tests.support.audited_nights import play_night
from tests.support.edited_rows import Editor

pytestmark = pytest.mark.slow

Row = tuple[str, str, int, bytes, bytes, bytes, bytes]
EDITS = int(os.environ.get("EDITS", "60"))
BODIES: dict[str, Any] = {
    of_table.FORMAT: of_table.TableBody,
    snapshots.FORMAT: snapshots.HouseBody,
    of_table.PAGES: of_table.TablePage,
}


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a night with snapshots of tables, pages and the house."""
    file = tmp_path_factory.mktemp("audit") / "war.db"
    with pytest.MonkeyPatch.context() as often, closing(SqliteStore(file)) as store:
        often.setattr(snapshots, "TABLE_EVERY", 60)
        often.setattr(snapshots, "HOUSE_EVERY", 100)
        often.setattr(of_table, "PAGE", 3)
        play_night(store).house.close()
        rows = store.snapshot_rows()
    assert {row.format.rstrip("0123456789") for row in rows} == {"table/", "house/", "page/1."}
    return file


def findings(file: Path, jobs: int = 1) -> list[str]:
    with closing(AuditedStore(file)) as store:
        return [str(one) for one in Audit(store, jobs=jobs).findings()]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values within that are no collections."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from leaves(one, (*path, at))
    else:
        yield path


def change(value: Any, path: tuple[Any, ...], chance: random.Random) -> None:
    """Change the value at a path to another of its kind."""
    for step in path[:-1]:
        value = value[step]
    was = value[path[-1]]
    match was:
        case bool():
            value[path[-1]] = not was
        case int():
            value[path[-1]] = was + chance.choice((-1, 1, 7, 1000))
        case str() | None:
            value[path[-1]] = chance.choice(("ann", "ben", "void", "zed"))
        case bytes():
            value[path[-1]] = bytes(len(was))


def edit(file: Path, chance: random.Random) -> str:
    """Change one value of one body, so that a start would still read it."""
    editor = Editor(file, chance)
    rows = [msgspec.convert(row, Row) for row in editor.db.execute("SELECT * FROM snapshots").fetchall()]
    [(identity,)] = editor.db.execute("SELECT identity FROM identity").fetchall()
    while True:
        row = Snapshot(*chance.choice(rows))
        kind = next(kind for form, kind in BODIES.items() if row.format.startswith(form))
        body = msgspec.msgpack.decode(row.body, type=kind)
        plain = msgspec.to_builtins(body, str_keys=False)
        path = chance.choice(list(leaves(plain)))
        change(plain, path, chance)
        try:
            edited = msgspec.convert(plain, kind)
        except msgspec.ValidationError:
            continue
        if edited != body:
            break
    made = msgspec.structs.replace(row, body=msgspec.msgpack.encode(edited))
    given = (made.body, digest_of(str(identity), made), row.stream, row.format, row.version)
    sql = "UPDATE snapshots SET body = ?, digest = ? WHERE stream = ? AND format = ? AND version = ?"
    editor.db.execute(sql, given).fetchall()
    editor.close(is_rechained=False)
    return f"{row.format} of {row.stream} at {row.version}: {path}"


def test_the_night_itself_is_sound(night: Path) -> None:
    assert findings(night) == findings(night, jobs=2) == []


def test_every_edit_of_a_body_is_found(night: Path, tmp_path: Path) -> None:
    kinds = set()
    for seed in range(EDITS):
        copy = Path(shutil.copy(night, tmp_path / "copy.db"))
        what = edit(copy, random.Random(seed))
        found = findings(copy)
        assert any("snapshot of" in one for one in found), f"{what} was not found: {found}"
        kinds.add(what.partition(" ")[0].rstrip("0123456789"))
    assert kinds == {"table/", "house/", "page/1."}


@pytest.mark.parametrize("column", ["layout", "body", "digest", "events_head", "version"])
def test_an_edit_that_leaves_the_digest_is_found_and_the_snapshot_not_used(
    night: Path, tmp_path: Path, column: str
) -> None:
    copy = Path(shutil.copy(night, tmp_path / "copy.db"))
    editor = Editor(copy, random.Random(1))
    changed = f"{column} - 1" if column == "version" else f"CAST(zeroblob(length({column})) AS BLOB)"
    editor.db.execute(f"UPDATE snapshots SET {column} = {changed} WHERE format = ?", (of_table.FORMAT,)).fetchall()
    editor.close(is_rechained=False)
    assert any("is not as it was written, or not of this chain" in one for one in findings(copy))
    with closing(SqliteStore(copy)) as store:
        assert store.snapshots("t", of_table.FORMAT) == []


def test_a_page_that_is_gone_or_stands_for_another_is_found(night: Path, tmp_path: Path) -> None:
    for what in ("DELETE FROM snapshots WHERE format = 'page/1.1' AND stream = 't'",
                 "UPDATE snapshots SET format = 'page/1.9' WHERE format = 'page/1.1' AND stream = 't'"):  # fmt: skip
        copy = Path(shutil.copy(night, tmp_path / "copy.db"))
        editor = Editor(copy, random.Random(1))
        editor.db.execute(what).fetchall()
        editor.close(is_rechained=False)
        assert any("snapshot of t at" in one for one in findings(copy)), what
        with closing(SqliteStore(copy)) as store:
            assert list(of_table.newest_body(store, "t")) == []


def test_a_snapshot_of_no_stream_is_found(night: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(night, tmp_path / "copy.db"))
    editor = Editor(copy, random.Random(1))
    editor.db.execute("UPDATE snapshots SET stream = 'nowhere' WHERE format = ?", (of_table.FORMAT,)).fetchall()
    editor.close(is_rechained=False)
    assert any("snapshot of nowhere" in one and "there is no such version" in one for one in findings(copy))
