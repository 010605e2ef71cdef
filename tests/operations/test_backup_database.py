"""The drill of a house in PostgreSQL: back up under load, restore to another database or to a folder, and serve it."""

import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from casinowar.engine import events as e
from casinowar.store import audit
from casinowar.store.postgres.connection import Connection
from casinowar.store.postgres.store import PostgresStore
from casinowar.web.backup import house_copy
from casinowar.web.backup.backup import FILES, BackupRefused, back_up
from casinowar.web.run import Place
from tests.crash import server_crash
from tests.operations.test_backup import Drill, cut, lost
from tests.store.test_store_contract import write
from tests.support.commandline import Ran, run
from tests.support.live_server import Caller, running
from tests.support.postgres import Cluster
from tests.web.test_database import everything
from tests.web.test_web_marked import HOUSE


@pytest.fixture
def other(cluster: Cluster) -> str:
    """Another database, without a house."""
    return cluster.new_house()


@pytest.mark.slow
def test_a_backup_of_a_database_under_load_has_every_command_acknowledged_before_it(
    tmp_path: Path, database: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drill = Drill(tmp_path / "house", database)
    monkeypatch.setenv("CASINOWAR_DATABASE", database)
    try:
        told, begun = drill.told(), time.monotonic()
        made = run("admin", "backup", str(tmp_path / "kept.tar"), "--data", str(tmp_path / "house"))
        took = time.monotonic() - begun
    finally:
        drill.end()
    assert made.status == 0, made
    assert sum(len(client.told) for client in drill.clients) > sum(map(len, told.values())), "the players went on"
    monkeypatch.delenv("CASINOWAR_DATABASE")
    for name, url in (("database", other), ("folder", None)):
        where = tmp_path / name
        done = restore(tmp_path / "kept.tar", where, *(["--database", url] if url else []))
        assert done.status == 0, done
        assert "the audit found nothing wrong" in done.out
        assert {file.name for file in where.iterdir()} == ({"checkpoints.key"} if url else set(FILES))
        again = server_crash.Place(where, database=url)
        again.start()
        try:
            assert lost(drill.clients, again, told) == []
        finally:
            again.kill(signal.SIGTERM)
        audited = ("--database", url) if url else ("--data", str(where))
        assert run("audit", *audited, "--key", str(where / "checkpoints.key")).status == 0
    print(f"\n{sum(map(len, told.values()))} commands acknowledged before the backup, which took {took:.2f} s")


def restore(source: Path, folder: Path, *more: str) -> Ran:
    return run("admin", "restore", str(source), "--data", str(folder), *more)


@pytest.fixture
def house(tmp_path: Path, database: str) -> Place:
    """A house in the database, at which somebody has played, and its folder with the key."""
    with running(tmp_path / "house", HOUSE, database=database) as live:
        live.staff("una", "auditor")
        guest = Caller(live).guest()
        assert guest.command("nz", {"do": "sit", "box": 1}).status == 200
        assert guest.command("nz", {"do": "buy_chips", "amount": 1000}).status == 200
    return Place.in_folder(tmp_path / "house", database)


def is_empty(url: str) -> bool:
    with closing(Connection(url, for_reading=True)) as db:
        tables = [kept.table for kept in (*house_copy.LOG, *house_copy.ACCOUNTS) if not kept.is_there]
        return not any(db.execute(f"SELECT 1 FROM {table} LIMIT 1") for table in tables)


def test_what_is_restored_is_what_was_backed_up(house: Place, tmp_path: Path, other: str) -> None:
    back_up(house, tmp_path / "kept")
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in (tmp_path / "kept").iterdir())
    done = restore(tmp_path / "kept", tmp_path / "new", "--database", other)
    assert done.status == 0, done
    assert (tmp_path / "new" / "checkpoints.key").read_bytes() == house.key.read_bytes()
    assert f"the key that signs checkpoints is {tmp_path / 'new' / 'checkpoints.key'}:" in done.err
    back_up(Place.in_folder(tmp_path / "new", other), tmp_path / "again")
    before, after = everything(tmp_path / "kept"), everything(tmp_path / "again")
    assert len(before["events"]) > 5
    assert len(before["accounts"]) == 2
    assert after == before


def test_a_backup_is_of_one_moment_whatever_is_committed_meanwhile(
    house: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """And the twin that must fail: the tables read one after the other, each as it stands by then."""
    assert isinstance(house.database, str)
    url, rows_of = house.database, house_copy.rows_of

    def rows_meanwhile(query: house_copy.Query, kept: house_copy.Kept) -> Iterator[list[house_copy.Row]]:
        if kept.table == "commands":
            with closing(PostgresStore(url)) as store:
                write(store, f"late-{time.monotonic_ns()}", e.TimePassed(1), stream="t9")
        return rows_of(query, kept)

    with monkeypatch.context() as patched:
        patched.setattr(house_copy, "rows_of", rows_meanwhile)
        back_up(house, tmp_path / "kept")
        patched.setattr(Connection, "execute", without_a_moment(Connection.execute))
        with pytest.raises(BackupRefused, match="t9"):
            back_up(house, tmp_path / "careless")
    assert restore(tmp_path / "kept", tmp_path / "a", "--database", other).status == 0
    with closing(PostgresStore(other)) as store:
        assert (audit(store), store.version("t9")) == ([], 0)


def without_a_moment(execute: Any) -> Any:
    def careless(self: Connection, sql: str, values: tuple[object, ...] = ()) -> Any:
        return [] if sql.startswith("BEGIN ISOLATION") else execute(self, sql, values)

    return careless


def test_a_restore_writes_over_nothing_and_leaves_nothing_of_a_torn_backup(
    house: Place, tmp_path: Path, other: str
) -> None:
    back_up(house, tmp_path / "kept")
    torn = shutil.copytree(tmp_path / "kept", tmp_path / "torn")
    cut(torn / "war.db")
    assert "torn" in restore(torn, tmp_path / "new", "--database", other).error
    assert isinstance(house.database, str)
    assert "is not empty" in restore(tmp_path / "kept", tmp_path / "new", "--database", house.database).error
    assert not (tmp_path / "new").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "checkpoints.key").write_bytes(b"another")
    assert "another house's key" in restore(tmp_path / "kept", tmp_path / "mine", "--database", other).error
    assert (tmp_path / "mine" / "checkpoints.key").read_bytes() == b"another"
    assert is_empty(other)
    same = house.key.parent
    assert restore(tmp_path / "kept", same, "--database", other).status == 0, "its own key may be there"


def test_there_must_be_a_house_to_back_up(tmp_path: Path, cluster: Cluster, other: str) -> None:
    (tmp_path / "checkpoints.key").write_bytes(b"x")
    for url, told in ((cluster.new_database(), "casinowar admin migrate"), (other, "holds no house")):
        done = run("admin", "backup", str(tmp_path / "kept"), "--data", str(tmp_path), "--database", url)
        assert told in done.error, done
        assert not (tmp_path / "kept").exists()
    (tmp_path / "checkpoints.key").unlink()
    done = run("admin", "backup", str(tmp_path / "kept"), "--data", str(tmp_path), "--database", other)
    assert f"{tmp_path / 'checkpoints.key'} is missing, which signs the checkpoints" in done.error, done
