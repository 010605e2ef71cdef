"""The drill: play, back up under load, restore elsewhere, audit, serve, and find every command of before the backup."""

import hashlib
import io
import json
import os
import random
import shutil
import signal
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from casinowar.store import SqliteStore, load_key, public_key
from casinowar.store.checkpoints import dump_checkpoint
from casinowar.web.backup import backup
from casinowar.web.backup.backup import FILES, LIST_FILE, back_up
from casinowar.web.run import KEY_FILE, Place
from tests.crash import server_crash
from tests.crash.server_crash import Client
from tests.support.commandline import Ran, run
from tests.support.live_server import QUICK, Caller, running
from tests.web.test_web_marked import HOUSE


class Drill:
    """A server under load, and what its clients had been told when the backup began."""

    def __init__(self, folder: Path, database: str | None = None) -> None:
        folder.mkdir()
        self.place = server_crash.Place(folder, database=database)
        self.place.start()
        self.clients = [Client(self.place, table, box, is_buyer=box == 1) for table in ("nz", "ma") for box in (1, 2)]
        for client in self.clients:
            client.is_up.set()
            client.start()
        end = time.monotonic() + 180
        while sum(len(client.told) for client in self.clients) < 60:
            assert time.monotonic() < end
            assert not [client.fault for client in self.clients if client.fault]
            time.sleep(0.02)

    def told(self) -> dict[str, dict[str, object]]:
        return {client.name: dict(client.told) for client in self.clients}

    def end(self) -> None:
        for client in self.clients:
            client.is_over = True
            client.is_up.set()
            client.join(30)
        self.place.kill(signal.SIGTERM)


def lost(clients: list[Client], place: server_crash.Place, told: dict[str, dict[str, object]]) -> list[str]:
    """What was acknowledged before the backup, and is not in the same words by the server at this place."""
    found = []
    for client in clients:
        client.place = place
        client.cookie = f"casinowar_session_{place.port}={client.cookie.partition('=')[2]}"
        client.told = told[client.name]  # type: ignore[assignment]
        found += client.recheck(random.Random(1))
    return found


@pytest.mark.slow
def test_a_backup_under_load_has_every_command_that_was_acknowledged_before_it(tmp_path: Path) -> None:
    """And the twin that must fail: the file of the database copied as any other file lacks the log beside it."""
    drill, data = Drill(tmp_path / "house"), tmp_path / "house"
    try:
        told = drill.told()
        begun = time.monotonic()
        made = run("admin", "backup", str(tmp_path / "kept.tar"), "--data", str(data))
        took = time.monotonic() - begun
        careless = tmp_path / "careless"
        careless.mkdir()
        for name in FILES:
            shutil.copyfile(data / name, careless / name)
    finally:
        drill.end()
    assert made.status == 0, made
    assert "events and" in made.out
    after = {client.name: len(client.told) for client in drill.clients}
    assert sum(after.values()) > sum(map(len, told.values())), "the players went on"
    done = run("admin", "restore", str(tmp_path / "kept.tar"), "--data", str(tmp_path / "restored"))
    assert done.status == 0, done
    assert "the audit found nothing wrong" in done.out
    assert "what was done later is gone" in done.err
    assert "shoes were in play at ma, nz" in done.err
    assert sorted(file.name for file in (tmp_path / "restored").iterdir()) == sorted(FILES)
    print(f"\n{sum(map(len, told.values()))} commands acknowledged before the backup, which took {took:.2f} s")
    again = server_crash.Place(tmp_path / "restored")
    again.start()
    try:
        assert lost(drill.clients, again, told) == []
    finally:
        again.kill(signal.SIGTERM)
    twin = server_crash.Place(careless)
    try:
        twin.start()
        assert lost(drill.clients, twin, told)
    except RuntimeError:
        pass  # A copy that does not even open was found, too.
    finally:
        twin.kill(signal.SIGTERM)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a house at which somebody has played two rounds, with a member of staff."""
    folder = tmp_path_factory.mktemp("house")
    with running(folder, HOUSE) as live:
        live.staff("una", "auditor")
        guest = Caller(live).guest()
        guest.command("nz", {"do": "sit", "box": 1})
        end = time.monotonic() + 180
        while live.call(lambda: live.server.house.tables["nz"].rounds_done) < 2:
            assert time.monotonic() < end
            guest.command(
                "nz", {"do": "place_wager", "player": guest.name, "box": 1, "wager": "initial", "amount": 500}
            )
            guest.command("nz", {"do": "surrender", "player": guest.name, "box": 1})
            time.sleep(QUICK.betting / 4)
    return folder


def restore(source: Path, target: Path, *more: str) -> Ran:
    return run("admin", "restore", str(source), "--data", str(target), *more)


def cut(file: Path) -> None:
    with file.open("r+b") as content:
        content.truncate(file.stat().st_size * 2 // 3)


def change(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def forge(file: Path) -> None:
    listed = json.loads(file.read_text())
    listed["events"] = "many"
    file.write_text(json.dumps(listed))


def tears() -> Iterator[tuple[str, Callable[[Path], None]]]:
    for name in (*FILES, LIST_FILE):
        yield f"{name} is gone", lambda folder, name=name: (folder / name).unlink()  # type: ignore[misc]
        yield f"{name} is cut", lambda folder, name=name: cut(folder / name)  # type: ignore[misc]
    for name in FILES:
        yield f"{name} is changed", lambda folder, name=name: change(folder / name)  # type: ignore[misc]
    yield "the list is of another form", lambda folder: forge(folder / LIST_FILE)


def test_a_backup_is_for_its_owner_alone_and_a_torn_one_is_refused(house: Path, tmp_path: Path) -> None:
    back_up(Place.in_folder(house), tmp_path / "kept")
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700
    assert {file.name for file in (tmp_path / "kept").iterdir()} == {*FILES, LIST_FILE}
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in (tmp_path / "kept").iterdir())
    for number, (what, tear) in enumerate(tears()):
        torn = tmp_path / f"torn-{number}"
        shutil.copytree(tmp_path / "kept", torn)
        tear(torn)
        told = restore(torn, tmp_path / "new")
        assert "torn" in told.error or "form" in told.error, what
        assert not (tmp_path / "new").exists(), what
    assert restore(tmp_path / "kept", tmp_path / "new").status == 0


def test_a_torn_file_is_refused_wherever_it_ends(house: Path, tmp_path: Path) -> None:
    back_up(Place.in_folder(house), tmp_path / "kept.tar")
    whole = (tmp_path / "kept.tar").read_bytes()
    with tarfile.open(tmp_path / "kept.tar") as tar:
        starts = [member.offset for member in tar] + [member.offset_data + member.size // 2 for member in tar]
    for number, at in enumerate(sorted({0, 1, *starts})):
        torn = tmp_path / f"torn-{number}.tar"
        torn.write_bytes(whole[:at])
        assert "torn" in restore(torn, tmp_path / "new").error, at
    assert not (tmp_path / "new").exists()


def test_what_lies_in_a_file_under_another_name_is_written_nowhere(house: Path, tmp_path: Path) -> None:
    """A file somebody has made: a path out of the folder, and a link in the place of the log."""
    back_up(Place.in_folder(house), tmp_path / "kept")
    with tarfile.open(tmp_path / "made.tar", "w") as tar:
        for name in (*FILES, LIST_FILE):
            tar.add(tmp_path / "kept" / name, name)
        tar.add(tmp_path / "kept" / LIST_FILE, "../../out")
    assert restore(tmp_path / "made.tar", tmp_path / "new").status == 0
    assert not list(tmp_path.rglob("out"))
    with tarfile.open(tmp_path / "linked.tar", "w") as tar:
        link = tarfile.TarInfo(FILES[0])
        link.type, link.linkname = tarfile.SYMTYPE, str(house / FILES[0])
        tar.addfile(link)
        for name in (*FILES[1:], LIST_FILE):
            tar.add(tmp_path / "kept" / name, name)
    assert "it lacks war.db" in restore(tmp_path / "linked.tar", tmp_path / "other").error
    assert not (tmp_path / "other").exists(), "what is refused leaves no folder behind"


@pytest.mark.parametrize("name", ["house.tar.gz", "house.tgz", "house.zip"])
def test_a_name_of_a_packed_file_is_refused(house: Path, tmp_path: Path, name: str) -> None:
    """Else there would be a folder under that name, and whoever sends the file away would find none."""
    told = run("admin", "backup", str(tmp_path / name), "--data", str(house))
    assert "a backup is a .tar file or a folder: pack it when it is made" in told.error
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("there", [*FILES, "war.db-wal"])
def test_neither_writes_over_anything(house: Path, tmp_path: Path, there: str) -> None:
    back_up(Place.in_folder(house), tmp_path / "kept")
    again = run("admin", "backup", str(tmp_path / "kept"), "--data", str(house))
    assert "writes over nothing" in again.error
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / there).write_text("mine")
    assert "writes over nothing" in restore(tmp_path / "kept", tmp_path / "new").error
    assert (tmp_path / "new" / there).read_text() == "mine"


def test_there_must_be_a_house_to_back_up(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    told = run("admin", "backup", str(tmp_path / "kept"), "--data", str(tmp_path / "empty"))
    assert "there is no house to back up" in told.error
    assert not (tmp_path / "kept").exists()


def test_a_house_whose_key_was_lost_is_backed_up_and_restored_with_its_new_one(house: Path, tmp_path: Path) -> None:
    """Each checkpoint is signed with the key of its time. The restore of such a house was refused for good."""
    house = shutil.copytree(house, tmp_path / "house")
    key = house / KEY_FILE
    old = public_key(load_key(key))
    key.unlink()
    with pytest.raises(ValueError, match="is missing: this house signs with"), running(house, HOUSE):
        pass
    assert not key.exists()
    with running(house, HOUSE, is_new_key=True):
        pass
    new = public_key(load_key(key))
    back_up(Place.in_folder(house), tmp_path / "kept")
    told = restore(tmp_path / "kept", tmp_path / "new")
    assert told.status == 0, told
    assert f"1 other keys have signed checkpoints before: {old}" in told.err
    assert run("audit", "--data", str(tmp_path / "new"), "--key", new, "--key", old).status == 0
    assert "it is signed with another key" in run("audit", "--data", str(tmp_path / "new"), "--key", old).out
    with running(tmp_path / "new", HOUSE):
        pass


def test_a_backup_with_another_houses_key_is_refused(house: Path, tmp_path: Path) -> None:
    house = shutil.copytree(house, tmp_path / "house")
    (house / KEY_FILE).unlink()
    load_key(house / KEY_FILE)
    told = run("admin", "backup", str(tmp_path / "kept"), "--data", str(house))
    assert f"{house / KEY_FILE} is another key: checkpoint" in told.error
    assert not (tmp_path / "kept").exists()
    with pytest.raises(ValueError, match="is another key: this house signs with"), running(house, HOUSE):
        pass


def test_an_older_copy_is_told_by_a_checkpoint_that_was_given_out_later(house: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    back_up(Place.in_folder(house), older)
    later = tmp_path / "later"
    shutil.copytree(house, later)
    with running(later, HOUSE) as live:
        Caller(live).guest()
    store = SqliteStore(later / "war.db", for_reading=True)
    (tmp_path / "given.json").write_bytes(dump_checkpoint(store.checkpoints()[-1]))
    store.close()
    refused = restore(older, tmp_path / "new", "--checkpoint", str(tmp_path / "given.json"))
    assert refused.status == 1
    assert "nothing was restored" in refused.err
    assert not (tmp_path / "new").exists()
    assert restore(older, tmp_path / "new").status == 0, "without it nobody can tell"
    audited = run("audit", "--data", str(tmp_path / "new"), "--checkpoint", str(tmp_path / "given.json"))
    assert audited.status == 1


def test_accounts_that_are_older_than_the_log_are_refused(house: Path, tmp_path: Path) -> None:
    """A role of the log that the accounts do not know would be given a second time under its number."""
    kept = tmp_path / "kept"
    back_up(Place.in_folder(house), kept)
    with running(tmp_path / "fresh", HOUSE):
        pass
    other = tmp_path / "other"
    back_up(Place.in_folder(tmp_path / "fresh"), other)
    listed = json.loads((kept / LIST_FILE).read_text())
    listed["files"]["accounts.db"] = json.loads((other / LIST_FILE).read_text())["files"]["accounts.db"]
    shutil.copyfile(other / "accounts.db", kept / "accounts.db")
    (kept / LIST_FILE).write_text(json.dumps(listed))
    assert "they differ in age" in restore(kept, tmp_path / "new").error
    assert not (tmp_path / "new").exists()


def packed(source: Path, target: Path, **odd: tarfile.TarInfo) -> None:
    """A tar of these files, but for one of them (by its stem) with a head of somebody's own."""
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        for name in (*FILES, LIST_FILE):
            content = (source / name).read_bytes()
            member = odd.get(name.partition(".")[0]) or tarfile.TarInfo(name)
            member.name = name
            member.size = member.size or len(content)
            tar.addfile(member, io.BytesIO(content))


def with_pax(**heads: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo()
    member.pax_headers = {name.replace("_", "."): words for name, words in heads.items()}
    return member


GREAT = 10**13


def relisted(folder: Path, **more: object) -> None:
    """The list of the backup once more, as its files are now."""
    listed = json.loads((folder / LIST_FILE).read_text()) | more
    for name in FILES:
        content = (folder / name).read_bytes()
        listed["files"][name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    (folder / LIST_FILE).write_text(json.dumps(listed))


def test_what_is_longer_than_its_list_says_is_not_written(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tar of some thousand bytes can say that a file in it has as many as a disk can hold."""
    back_up(Place.in_folder(house), tmp_path / "kept")
    written: list[str] = []
    monkeypatch.setattr(backup, "write_owned", lambda source, target: written.append(target.name))
    size = (tmp_path / "kept" / "war.db").stat().st_size
    bomb = with_pax(GNU_sparse_map=f"0,{size}", GNU_sparse_size=str(GREAT), GNU_sparse_major="0", GNU_sparse_minor="1")
    packed(tmp_path / "kept", tmp_path / "bomb.tar", war=bomb)
    with tarfile.open(tmp_path / "bomb.tar") as tar:
        assert tar.getmember("war.db").size == GREAT
    assert "it lacks war.db" in restore(tmp_path / "bomb.tar", tmp_path / "new").error
    listed = json.loads((tmp_path / "kept" / LIST_FILE).read_text())
    listed["files"]["war.db"]["bytes"] = GREAT
    (tmp_path / "kept" / LIST_FILE).write_text(json.dumps(listed))
    packed(tmp_path / "kept", tmp_path / "great.tar", war=bomb)
    assert "it lacks war.db" in restore(tmp_path / "great.tar", tmp_path / "new").error
    assert "not as long as the list" in restore(tmp_path / "kept", tmp_path / "new").error
    assert written == []


def test_a_pipe_is_no_backup_and_is_not_waited_for(house: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "kept.tar")
    assert "is no plain file" in restore(tmp_path / "kept.tar", tmp_path / "new").error
    for name in (*FILES, LIST_FILE):
        kept = tmp_path / f"with-{name}"
        back_up(Place.in_folder(house), kept)
        (kept / name).unlink()
        os.mkfifo(kept / name)
        assert "is no plain file" in restore(kept, tmp_path / "new").error


@pytest.mark.parametrize("at", [10**18, 253_402_300_800_000, -1, 10**30])
def test_a_moment_that_is_none_is_refused_before_anything_is_restored(house: Path, tmp_path: Path, at: int) -> None:
    back_up(Place.in_folder(house), tmp_path / "kept")
    relisted(tmp_path / "kept", at=at)
    assert "backup.json cannot be read" in restore(tmp_path / "kept", tmp_path / "new").error
    assert not (tmp_path / "new").exists()
    relisted(tmp_path / "kept", at=253_402_300_799_999)
    assert "as of 9999-12-31" in restore(tmp_path / "kept", tmp_path / "new").out


def test_a_tar_whose_heads_make_no_sense_is_refused_in_a_line(house: Path, tmp_path: Path) -> None:
    back_up(Place.in_folder(house), tmp_path / "kept")
    for number, heads in enumerate((
        {"GNU_sparse_map": "0,x", "GNU_sparse_size": "5"},
        {"GNU_sparse_map": "0", "GNU_sparse_size": "5"},
        {"GNU_sparse_major": "1", "GNU_sparse_minor": "0"},
        {"size": "9" * 30},
        {"size": "-1"},
        {"size": "-5000"},
    )):  # fmt: skip
        for stem in ("war", "checkpoints"):
            tar = tmp_path / f"{number}-{stem}.tar"
            packed(tmp_path / "kept", tar, **{stem: with_pax(**heads)})
            assert restore(tar, tmp_path / "new").error.startswith(f"casinowar: {tar}: "), heads
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    "content", [b"", b"\xff\x00" * 4096, b"SQLite format 3\0" + b"\xff\x00" * 4096], ids=["none", "noise", "head"]
)
def test_random_bytes_in_the_place_of_a_file_are_refused_in_a_line(
    house: Path, tmp_path: Path, name: str, content: bytes
) -> None:
    """Its list may say that they belong there."""
    back_up(Place.in_folder(house), tmp_path / "kept")
    (tmp_path / "kept" / name).write_bytes(content)
    relisted(tmp_path / "kept")
    told = restore(tmp_path / "kept", tmp_path / "new")
    assert (told.status, told.err.count("\n")) in ((1, 1), (2, 1)), told
    assert not (tmp_path / "new").exists()


def test_a_restore_leaves_what_else_is_in_the_folder(house: Path, tmp_path: Path) -> None:
    back_up(Place.in_folder(house), tmp_path / "kept")
    mine = tmp_path / "new" / "restoring" / "notes"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    assert restore(tmp_path / "kept", tmp_path / "new").status == 0
    assert mine.read_text() == "mine"
    assert {file.name for file in (tmp_path / "new").iterdir()} == {*FILES, "restoring"}
