"""`casinowar audit`: what it says of a sound house, of one that is not, and of what is no house at all."""

import json
import os
import random
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import apsw
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from casinowar.audit.snapshot import AuditedStore, NoStore, unwritten
from casinowar.cli.audit import bar, progress_bar
from casinowar.store import Checkpoint, SqliteStore, StoreFault, dump_checkpoint, make_checkpoint, public_key
from casinowar.store.chains import OldChains
from casinowar.store.checkpoints import sign
from casinowar.store.sqlite.connection import execute
from casinowar.web.run import KEY_FILE
from tests.support.audited_nights import play_night
from tests.support.commandline import run, spawn
from tests.support.edited_rows import Editor


class Kept(NamedTuple):
    """A data folder, a checkpoint that somebody took home, and the key."""

    data: Path
    checkpoint: Path
    key: Ed25519PrivateKey


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("house")
    data, key = folder / "data", Ed25519PrivateKey.generate()
    data.mkdir()
    with closing(SqliteStore(data / "war.db")) as store:
        play_night(store, 2)
        first, last = make_checkpoint(store, key), make_checkpoint(store, key)
    (folder / "kept.json").write_bytes(dump_checkpoint(first) + dump_checkpoint(last))
    return Kept(data, folder / "kept.json", key)


@pytest.fixture
def copy(house: Kept, tmp_path: Path) -> Path:
    return Path(shutil.copy(house.data / "war.db", tmp_path / "copy.db"))


def test_a_sound_house_is_told_with_its_counts(house: Kept) -> None:
    ran = run("audit", "--data", str(house.data), "--checkpoint", str(house.checkpoint))
    assert (ran.status, ran.err) == (0, ""), ran
    with closing(SqliteStore(house.data / "war.db", for_reading=True)) as store:
        head = store.head()
    assert ran.out.startswith(f"all is well: {head.events} events, {head.commands} commands, 3 tables, ")
    assert ran.out.endswith(" rounds, 5 shoes, 2 checkpoints; chains of each stream\n")


def test_without_a_checkpoint_it_says_what_cannot_be_told(house: Kept) -> None:
    ran = run("audit", str(house.data / "war.db"))
    assert ran.status == 0
    assert "note: no checkpoint from outside was given: a tail that was cut off cannot be told" in ran.out


def test_it_audits_while_a_server_writes(house: Kept, copy: Path) -> None:
    with closing(SqliteStore(copy)):
        assert spawn("audit", str(copy)).status == 0


@pytest.fixture
def sealed(copy: Path) -> Iterator[Path]:
    """A copy in a folder in which the auditor can write nothing."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = Path(shutil.copy(copy, folder / "war.db"))
        file.chmod(0o444)
        folder.chmod(0o555)
        yield file
        folder.chmod(0o755)


NOBODY = 65534 if os.geteuid() == 0 else None
"""Root can write in every folder, and is somebody else here."""


def test_a_copy_in_a_folder_that_cannot_be_written_is_audited(sealed: Path) -> None:
    ran = spawn("audit", str(sealed), user=NOBODY)
    assert (ran.status, ran.err) == (0, ""), ran
    assert ran.out.startswith("all is well: ")
    assert os.listdir(sealed.parent) == ["war.db"]


def test_a_log_that_sqlite_cannot_read_is_no_finding(sealed: Path) -> None:
    """A server may have the file open, whose last events are in the log."""
    sealed.parent.chmod(0o755)
    sealed.with_name("war.db-wal").touch()
    sealed.parent.chmod(0o555)
    ran = spawn("audit", str(sealed), user=NOBODY)
    assert ran.error == (
        f"casinowar: {sealed}: SQLite cannot read it in this folder: make the folder writable, or copy the file,"
        " with its -wal if it has one, to one that is"
    )


@pytest.mark.parametrize("goes_on", [True, False])
def test_what_a_server_wrote_to_while_it_was_read_is_no_finding(
    copy: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with unwritten(copy):
        pass

    def read_meanwhile(opened: ExitStack) -> None:
        with unwritten(copy):
            store = opened.enter_context(closing(SqliteStore(copy)))
            store.clear("table", "olga", "all is well")
            if not goes_on:
                opened.close()
            raise StoreFault("pages of two moments")

    with ExitStack() as opened, pytest.raises(NoStore, match=r"a server has begun to write to it: do this again$"):
        read_meanwhile(opened)


def test_what_is_wrong_is_told_line_by_line_with_its_place(house: Kept, copy: Path) -> None:
    editor = Editor(copy, random.Random(0))
    execute(editor.db, "UPDATE balances SET balance = balance + 500 WHERE account = 'purse:ann'")
    execute(editor.db, "UPDATE events SET name = 'time_passed' WHERE position = 12")
    editor.close(is_rechained=False)
    ran = run("audit", str(copy), "--checkpoint", str(house.checkpoint))
    assert ran.status == 1
    assert re.search(r"^event 12 \(\S+ \d+\): its columns differ from its entry$", ran.out, re.M)
    assert "purse:ann: holds " in ran.out
    assert f"things are wrong in {copy}\n" in ran.err
    assert "all is well" not in ran.out


def test_a_broken_chain_is_told_at_its_place_and_not_only_that_the_store_does_not_open(copy: Path) -> None:
    editor = Editor(copy, random.Random(0))
    execute(editor.db, "UPDATE events SET hash = zeroblob(32) WHERE position = 20")
    editor.close(is_rechained=False)
    ran = run("audit", str(copy))
    assert ran.status == 1
    assert re.search(r"^event 20 \(\S+ \d+\): the chain breaks here$", ran.out, re.M)


def test_an_event_that_is_gone_is_told_though_the_store_does_not_open(copy: Path) -> None:
    editor = Editor(copy, random.Random(0))
    [(position,)] = execute(editor.db, "SELECT max(position) FROM postings")
    execute(editor.db, "DELETE FROM events WHERE position = ?", (position,))
    editor.close(is_rechained=False)
    ran = run("audit", str(copy))
    assert ran.status == 1
    assert f"event {position!r}: is gone, and its postings are not\n" in ran.out


TABLES = (
    "migrations", "identity", "events", "commands", "postings", "balances", "checkpoints", "seeds", "trial_balance",
    "old_chains", "heads", "leaves", "tree", "snapshots",
)  # fmt: skip


@pytest.mark.parametrize("act", ["DROP TABLE", "DELETE FROM"])
@pytest.mark.parametrize("table", TABLES)
def test_a_table_that_is_gone_or_empty_is_a_finding_and_no_error(house: Kept, copy: Path, table: str, act: str) -> None:
    """But for snapshots: a house without any reads all events at its start, and is the same."""
    editor = Editor(copy, random.Random(0))
    is_empty = table == "snapshots" or not execute(editor.db, f"SELECT 1 FROM {table} LIMIT 1")
    execute(editor.db, f"{act} {table}")
    execute(editor.db, "COMMIT")
    editor.db.close()
    for options in ((), ("--since", str(house.checkpoint))):
        verdict = json.loads(run("audit", "--json", "--rounds", "0", str(copy), *options).out)
        assert verdict["agrees"] is (is_empty and act == "DELETE FROM"), verdict
        assert verdict["findings"] or verdict["agrees"]


def test_chains_that_cannot_be_read_are_unknown(house: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: AuditedStore) -> OldChains:
        raise apsw.SQLError("no such table: old_chains")

    opened = AuditedStore.__init__

    def open_and_lose(self: AuditedStore, path: Path, *, is_awaited: bool) -> None:
        opened(self, path, is_awaited=is_awaited)
        monkeypatch.setattr(AuditedStore, "old_chains", fail)

    monkeypatch.setattr(AuditedStore, "__init__", open_and_lose)
    verdict = json.loads(run("audit", "--json", str(house.data / "war.db")).out)
    assert (verdict["agrees"], verdict["chains"]) == (False, "unknown")
    assert [one["where"] for one in verdict["findings"]] == ["the store cannot be read"]


@pytest.mark.parametrize("table", ["old_chains", "snapshots", "heads"])
def test_a_table_that_is_gone_is_told_in_a_line(copy: Path, table: str) -> None:
    editor = Editor(copy, random.Random(0))
    execute(editor.db, f"DROP TABLE {table}")
    editor.close(is_rechained=False)
    ran = run("audit", str(copy))
    assert ran.status == 1
    assert f"the schema is not that of a store: no such table: {table}\n" in ran.out


def test_json_holds_the_same(house: Kept, copy: Path) -> None:
    sound = json.loads(run("audit", "--json", "--data", str(house.data)).out)
    assert (sound["format"], sound["agrees"], sound["findings"]) == ("casinowar-audit/1", True, [])
    assert sound["counts"]["rounds"] == sound["counts"]["replayed"] > 0
    editor = Editor(copy, random.Random(0))
    execute(editor.db, "DELETE FROM seeds WHERE commitment = (SELECT max(commitment) FROM seeds)")
    editor.close(is_rechained=False)
    ran = run("audit", "--json", str(copy))
    wrong = json.loads(ran.out)
    assert (ran.status, wrong["agrees"]) == (1, False)
    assert [one["what"] for one in wrong["findings"]] == ["its seed is gone"]


def test_fewer_rounds_are_replayed_where_asked_for(house: Kept) -> None:
    ran = run("audit", "--rounds", "2", "--data", str(house.data))
    assert ran.status == 0
    assert " (2 of the rounds replayed); chains of each stream\n" in ran.out


def test_the_key_is_given_as_digits_or_in_a_file_and_the_houses_own_key_serves(house: Kept, tmp_path: Path) -> None:
    public, private, other = tmp_path / "public", tmp_path / KEY_FILE, tmp_path / "other"
    public.write_text(public_key(house.key) + "\n")
    private.write_text(house.key.private_bytes_raw().hex() + "\n")
    other.write_text(public_key(Ed25519PrivateKey.generate()))
    for key in (public_key(house.key), str(public), str(private)):
        assert run("audit", "--rounds", "0", "--data", str(house.data), "--key", key).status == 0
    ran = run("audit", "--rounds", "0", "--data", str(house.data), "--key", str(other))
    assert ran.status == 1
    signed = f"it is signed with another key, {public_key(house.key)}"
    assert ran.out.startswith(f"checkpoint 1: {signed}\ncheckpoint 2: {signed}\n")
    both = ("--key", str(other), "--key", str(public))
    assert run("audit", "--rounds", "0", "--data", str(house.data), *both).status == 0


def test_the_public_key_is_never_taken_for_a_private_one(house: Kept, copy: Path, tmp_path: Path) -> None:
    """Everybody knows the public key: a checkpoint that is signed with it as a seed is anybody's."""
    public, seed = public_key(house.key), house.key.public_key().public_bytes_raw()
    with closing(SqliteStore(copy)) as store:
        forged = make_checkpoint(store, Ed25519PrivateKey.from_private_bytes(seed))
    kept, file = tmp_path / "kept.json", tmp_path / "public"
    kept.write_bytes(dump_checkpoint(forged))
    file.write_text(public)
    for key in (public, public.upper(), str(file)):
        audited = run("audit", "--rounds", "0", str(copy), "--key", key)
        assert f"checkpoint 3: it is signed with another key, {forged.key}\n" in audited.out
        since = run("audit", str(copy), "--since", str(kept), "--key", key)
        assert (since.status, since.out) == (2, "")
        assert since.error.endswith("the signature of checkpoint 3 does not hold")


def test_checkpoints_as_the_server_lists_them_are_read(house: Kept, tmp_path: Path) -> None:
    listed = tmp_path / "listed.json"
    listed.write_text(json.dumps([json.loads(line) for line in house.checkpoint.read_text().splitlines()]))
    assert run("audit", "--rounds", "0", "--data", str(house.data), "--checkpoint", str(listed)).status == 0


def test_a_cut_off_tail_is_found_by_the_checkpoint(house: Kept, copy: Path) -> None:
    editor = Editor(copy, random.Random(3))
    editor.cut_off()
    editor.close(is_rechained=True)
    assert run("audit", "--rounds", "0", str(copy)).status == 0
    ran = run("audit", "--rounds", "0", str(copy), "--checkpoint", str(house.checkpoint))
    assert ran.status == 1
    assert " are left\n" in ran.out


def test_an_audit_goes_on_from_a_checkpoint_and_says_so(house: Kept) -> None:
    ran = run("audit", "--data", str(house.data), "--since", str(house.checkpoint))
    assert (ran.status, ran.err) == (0, ""), ran
    assert ran.out.startswith("all is well: ")
    assert "note: since checkpoint 2: " in ran.out


def test_a_forged_checkpoint_is_refused_in_one_line(house: Kept, tmp_path: Path) -> None:
    first = json.loads(house.checkpoint.read_text().splitlines()[0])
    forged = tmp_path / "forged.json"
    for changed, said in (
        ({"events": first["events"] - 1}, "the signature of checkpoint 1 does not hold"),
        ({"identity": "00" * 16}, "checkpoint 1 is of another store"),
    ):
        forged.write_text(json.dumps({**first, **changed}))
        ran = run("audit", "--data", str(house.data), "--since", str(forged))
        assert (ran.status, ran.out) == (2, "")
        assert ran.error == f"casinowar: --since {forged}: {said}"
    with closing(SqliteStore(house.data / "war.db", for_reading=True)) as store:
        identity = store.identity
    own = Checkpoint(identity=identity, number=1, events=5, events_head="", commands=1, commands_head="", at=0, key="")
    forged.write_bytes(dump_checkpoint(sign(own, Ed25519PrivateKey.generate())))
    data = ("--data", str(house.data), "--since", str(forged))
    assert "does not hold" in run("audit", *data, "--key", public_key(house.key)).error
    assert run("audit", *data).status == 1, "whoever gives no key gets findings: it is not in the store"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_number_of_processes_changes_nothing_that_is_said(house: Kept, jobs: str) -> None:
    ran = run("audit", "--data", str(house.data), "--checkpoint", str(house.checkpoint), "--jobs", jobs)
    assert ran.out == run("audit", "--data", str(house.data), "--checkpoint", str(house.checkpoint)).out


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_the_progress_is_drawn_on_a_terminal_and_nowhere_else(house: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, is_drawn in ((StringIO(), False), (Terminal(), True)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress_bar() as show:
            show(1_200, 3_000)
        assert ("] 1,200 of 3,000 rounds, " in stream.getvalue()) is is_drawn
        assert stream.getvalue().endswith("\r\x1b[K") is is_drawn, "the line is gone at the end"


def test_the_progress_tells_rate_and_time_left() -> None:
    assert bar(0, 3_000, 0.5) == f"[{'-' * 24}] 0 of 3,000 rounds"
    assert bar(1_200, 3_000, 1.5) == f"[{'#' * 9}{'-' * 15}] 1,200 of 3,000 rounds, 800 a second, 2 s left"
    assert bar(1_000, 13_000, 60) == f"[{'#' * 1}{'-' * 23}] 1,000 of 13,000 rounds, 17 a second, 12 min left"
    assert bar(0, 0, 1.0) == f"[{'#' * 24}] 0 of 0 rounds"


def test_who_names_a_file_beside_the_usual_database_is_told_that_it_is_left_out(
    house: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASINOWAR_DATABASE", "postgresql://nobody@127.0.0.1:1/none")
    ran = run("audit", "--rounds", "0", "--data", str(house.data))
    assert (ran.status, ran.err.splitlines()[0]) == (
        0,
        "casinowar audit: CASINOWAR_DATABASE is left out: this is of a file",
    )


def test_what_is_no_house_is_bad_input(house: Kept, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database")
    data = ("--data", str(house.data))
    assert run("audit", str(tmp_path / "none.db")).error.endswith("none.db: No such file or directory")
    assert run("audit", "--data", str(tmp_path)).error.endswith("war.db: No such file or directory")
    assert run("audit", str(text)).error.endswith("text: not a SQLite database")
    elsewhere = ("--database", f"sqlite:///{text}")
    for two in ((str(text), *data), (*elsewhere, *data), (str(text), *elsewhere)):
        assert run("audit", *two).error.startswith("casinowar audit: name one of FILE, --data and --database")
    assert "no checkpoint: " in run("audit", *data, "--checkpoint", str(text)).error
    assert "No such file" in run("audit", *data, "--checkpoint", str(tmp_path / "none")).error
    assert "a key is 64 hexadecimal digits" in run("audit", *data, "--key", str(text)).error
    assert "neither 64 hexadecimal digits nor a file" in run("audit", *data, "--key", "abc").error
    database = ("--database", "postgresql://nobody@127.0.0.1:1/none")
    assert "--jobs is for a file: " in run("audit", *database, "--jobs", "2").error


def test_a_folder_is_named_by_data(house: Kept) -> None:
    assert f"{house.data} is a folder: name it by --data" in run("audit", str(house.data)).error
