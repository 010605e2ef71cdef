"""A backup: log, accounts and key of a house, each as it stood at one moment, with a list of what belongs to it.

The log is copied first and the accounts after it, so that the accounts know every request for a role that the log has.
A backup is the same whether the house is in a folder or in PostgreSQL, and each can be restored to either.
"""

import hashlib
import os
import stat
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import IO, Annotated

import apsw
import msgspec

from casinowar.errors import CasinoWarError
from casinowar.store import SqliteStore, StoreError, StoreFailed, load_key, public_key
from casinowar.store.commit import wall_clock
from casinowar.store.sqlite.connection import DAMAGE, MEDIUM, check_integrity, connect, execute
from casinowar.web.accounts.accounts import FILE as ACCOUNTS_FILE
from casinowar.web.backup.owned_files import (
    OWNER_FOLDER,
    OWNER_ONLY,
    PIECE,
    clear,
    owned,
    sync_file,
    sync_folder,
    write_owned,
)
from casinowar.web.run import KEY_FILE, STORE_FILE, Place

FORMAT = "casinowar-backup/1"
LIST_FILE = "backup.json"
FILES = (STORE_FILE, ACCOUNTS_FILE, KEY_FILE)
PAGES = 2_000
"""So many pages are copied at a time; the server goes on in between, and during them."""

MOST_LISTED = 64 * 1024


class BackupRefused(CasinoWarError, ValueError):
    """There is nothing to back up, no place for it, or what should be a backup is none or is torn."""


Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
Moment = Annotated[int, msgspec.Meta(ge=0, lt=253_402_300_800_000)]
"""Milliseconds UTC, before the year 10000."""


class KeptFile(msgspec.Struct, frozen=True):
    bytes: Count
    sha256: str


PACKED = {".gz", ".tgz", ".bz2", ".xz", ".zst", ".zip"}
"""Whoever ends the name so waits for one packed file, and would get a folder."""


class BackupList(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds. It is written last: a backup without its list was torn."""

    format: str
    program: str
    at: Moment
    identity: str
    events: Count
    commands: Count
    checkpoint: Count
    files: dict[str, KeptFile]


def back_up(place: Place, target: Path) -> BackupList:
    """Copy a house, whose server may run, to a folder, or to one file where its name ends in `.tar`."""
    if target.exists() or target.is_symlink():
        raise BackupRefused(f"{target} is there already: a backup writes over nothing")
    if target.suffix in PACKED:
        raise BackupRefused(f"{target}: a backup is a .tar file or a folder: pack it when it is made")
    for file in () if place.database else (place.store, place.accounts):
        if not file.is_file():
            raise BackupRefused(f"{file}: there is no house to back up")
    if not place.key.is_file():
        raise BackupRefused(
            f"{place.key} is missing, which signs the checkpoints of the house: name its folder by --data"
        )
    part = target.with_name(f"{target.name}.part")
    clear(part)
    target.parent.mkdir(parents=True, exist_ok=True)
    part.mkdir(OWNER_FOLDER)
    try:
        listed = _copy_all(place, part)
        if target.suffix == ".tar":
            _pack(part, target)
        else:
            part.rename(target)
            sync_folder(target.parent)
    except (*MEDIUM, *DAMAGE, StoreError, StoreFailed, OSError) as error:
        raise BackupRefused(f"no backup was made: {error}") from None
    finally:
        clear(part)
    return listed


def _copy_all(place: Place, folder: Path) -> BackupList:
    at = wall_clock()
    if place.database is None:
        copy_database(place.store, folder / STORE_FILE)
        copy_database(place.accounts, folder / ACCOUNTS_FILE)
    else:
        _copy_from_postgres(place.database, folder)
    with place.key.open("rb") as key:
        write_owned(key, folder / KEY_FILE)
    with closing(SqliteStore(folder / STORE_FILE, for_reading=True)) as store:
        head, last, identity = store.head(), store.last_checkpoint(), store.identity
    if last is not None and last.key != read_public_key(folder / KEY_FILE):
        raise BackupRefused(f"{place.key} is another key: checkpoint {last.number} is signed with {last.key}")
    _drop_logs(folder)
    listed = BackupList(
        format=FORMAT,
        program=version("casinowar"),
        at=at,
        identity=identity,
        events=head.events,
        commands=head.commands,
        checkpoint=0 if last is None else last.number,
        files={name: _kept(folder / name) for name in FILES},
    )
    text = msgspec.json.format(msgspec.json.encode(listed), indent=1) + b"\n"
    with owned(folder / LIST_FILE) as file:
        file.write(text)
    sync_folder(folder)
    return listed


def read_public_key(file: Path) -> str:
    """The public key that belongs to a house's own."""
    try:
        return public_key(load_key(file))
    except ValueError:
        raise BackupRefused(f"{file.name} is no key of checkpoints") from None


def _copy_from_postgres(url: str, folder: Path) -> None:
    """Copy log and accounts out of PostgreSQL, both at one moment, into files like those of a data folder."""
    from casinowar.web.backup.house_copy import fill_files

    for name in (STORE_FILE, ACCOUNTS_FILE):
        with owned(folder / name):
            pass
    fill_files(url, folder / STORE_FILE, folder / ACCOUNTS_FILE)
    for name in (STORE_FILE, ACCOUNTS_FILE):
        with closing(connect(folder / name, for_reading=True)) as copied:
            check_integrity(copied)
        sync_file(folder / name)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it stands now, by SQLite itself: one read transaction, which keeps no writer waiting."""
    with owned(target):
        pass
    with closing(connect(source, for_reading=True)) as reader, closing(apsw.Connection(str(target))) as writer:
        execute(reader, "BEGIN")
        execute(reader, "SELECT count(*) FROM sqlite_schema")
        with writer.backup("main", reader, "main") as copy:
            while not copy.done:
                copy.step(PAGES)
        check_integrity(writer)
    sync_file(target)


def _drop_logs(folder: Path) -> None:
    """Drop the empty logs that SQLite has put beside the copies."""
    for file in folder.iterdir():
        if file.name not in (*FILES, LIST_FILE):
            if file.name.endswith("-wal") and file.stat().st_size:
                raise BackupRefused(f"no backup was made: {file.name} is not empty")
            file.unlink()


def _pack(folder: Path, target: Path) -> None:
    """Put the copies into one file, the list last. It has its name only when it is whole."""
    part = target.with_name(f"{target.name}.packing")
    clear(part)
    try:
        with owned(part) as out, tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name in (*FILES, LIST_FILE):
                tar.add(folder / name, name, filter=_anonymous)
        part.rename(target)
        sync_folder(target.parent)
    finally:
        clear(part)


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = OWNER_ONLY
    return member


def unpack(source: Path, folder: Path) -> BackupList:
    """Write the files of a backup into a folder, and refuse a backup in which anything is not as its list says.

    The list is read first, and nothing is written that is not as long as the list says.
    """
    try:
        with _opened(source) as open_kept:
            with open_kept(LIST_FILE) as file:
                listed = _list_of(file.read(MOST_LISTED), source)
            for name, kept in listed.files.items():
                with open_kept(name) as file:
                    if file.seek(0, os.SEEK_END) != kept.bytes:
                        raise BackupRefused(
                            f"{source}: {name} is not as long as the list of the backup says: it is torn"
                        )
                    file.seek(0)
                    write_owned(file, folder / name)
    except FileNotFoundError as error:
        raise BackupRefused(f"{source}: it lacks {Path(error.filename or '').name}: no backup, or a torn one") from None
    except BackupRefused:
        raise
    except (tarfile.TarError, ValueError, OverflowError, RecursionError):  # The heads of a tar can say anything.
        raise BackupRefused(f"{source}: no backup, or a torn one: a backup is a folder or a .tar file") from None
    except OSError as error:
        raise BackupRefused(f"{source}: {error.strerror or error}") from None
    for name, kept in listed.files.items():
        if _kept(folder / name) != kept:
            raise BackupRefused(f"{source}: {name} is not what the list of the backup says: it is torn or was changed")
    return listed


@contextmanager
def _opened(source: Path) -> Iterator[Callable[[str], IO[bytes]]]:
    """What opens the files of a backup by their names."""
    if source.is_dir():
        yield lambda name: _open_file(source / name)
        return
    with _open_file(source) as file, tarfile.open(fileobj=file, mode="r:") as tar:
        members = {member.name: member for member in _members(tar)}

        def open_member(name: str) -> IO[bytes]:
            member = members.get(name)
            if member is None:
                raise BackupRefused(f"{source}: it lacks {name}: no backup, or a torn one")
            found = tar.extractfile(member)
            assert found is not None
            return found

        yield open_member


def _members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The plain files of a tar. No file of a backup is sparse, and each begins behind the one before."""
    at = -1
    while (member := tar.next()) is not None:
        if member.offset <= at:
            raise tarfile.ReadError("a file that begins before another")
        at = member.offset
        if member.isreg() and not member.issparse():
            yield member


def _open_file(path: Path) -> IO[bytes]:
    """Open a plain file, and nothing that would be waited for, such as a pipe."""
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise BackupRefused(f"{path} is no plain file: no backup, or a torn one")
    return file


def _list_of(text: bytes, source: Path) -> BackupList:
    try:
        listed = msgspec.json.decode(text, type=BackupList)
    except msgspec.MsgspecError:
        raise BackupRefused(f"{source}: {LIST_FILE} cannot be read: it is torn or was changed") from None
    if listed.format != FORMAT:
        raise BackupRefused(f"{source}: it is in the form {listed.format!r}, which this program does not know")
    if set(listed.files) != set(FILES):
        raise BackupRefused(f"{source}: {LIST_FILE} does not list {', '.join(FILES)}")
    return listed


def _kept(file: Path) -> KeptFile:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while piece := content.read(PIECE):
            digest.update(piece)
    return KeptFile(file.stat().st_size, digest.hexdigest())
