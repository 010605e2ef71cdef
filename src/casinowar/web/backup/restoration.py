"""The way back: a backup is staged beside its place, looked at, and put in place only where nothing is."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from casinowar.audit.snapshot import AuditedStore
from casinowar.house.journal import ROLE_REQUEST, STREAM
from casinowar.store import SqliteStore, StoreError, StoreFailed
from casinowar.store.sqlite.connection import DAMAGE, MEDIUM, check_integrity, connect
from casinowar.web.accounts.accounts import Accounts
from casinowar.web.backup.backup import FILES, BackupList, BackupRefused, read_public_key, unpack
from casinowar.web.backup.owned_files import OWNER_FOLDER, OWNER_ONLY, sync_file, sync_folder
from casinowar.web.run import KEY_FILE, Place

STAGE = ".restoring-"
"""So begins the name of the folder in which a backup is looked at; its owner alone can read it."""

BESIDE = ("", "-wal", "-shm", "-journal")


class Restoration:
    """A backup that lies in a folder of its own, beside the place where it is to be."""

    def __init__(self, folder: Path, stage: Path, listed: BackupList) -> None:
        self.place = Place.in_folder(stage)
        self.listed = listed
        self._folder, self._stage = folder, stage

    @property
    def key(self) -> str:
        """The public key of the house."""
        return read_public_key(self.place.key)

    def keys(self) -> tuple[str, ...]:
        """The public keys that have signed: that of the house, and those it had before, if it is the last one."""
        used: list[str] = []
        with suppress(StoreError, StoreFailed), closing(AuditedStore(self.place.store)) as store:  # The audit tells it.
            used = [one.key for one in store.checkpoints()]
        return tuple(dict.fromkeys(reversed(used))) if used[-1:] == [self.key] else (self.key,)

    def check_accounts(self) -> None:
        """Refuse accounts that are damaged, or that lack a request for a role which the log has."""
        try:
            with closing(connect(self.place.accounts, for_reading=True)) as db:
                check_integrity(db)
        except (*MEDIUM, *DAMAGE) as error:
            raise BackupRefused(f"{self.place.accounts.name}: {error}") from None
        with closing(Accounts(self.place.accounts)) as accounts:
            there = accounts.last_request()
        with closing(AuditedStore(self.place.store)) as store:
            commands = (one.command for one in store.read(STREAM) if one.actor == "house")
            known = max(
                (int(one.removeprefix(ROLE_REQUEST)) for one in commands if one.startswith(ROLE_REQUEST)), default=0
            )
        if known > there:
            raise BackupRefused(
                f"the accounts have {there} requests for roles and the log knows {known}: they differ in age"
            )

    def shoes_in_play(self) -> list[str]:
        """The tables whose shoe was sealed and not opened: cards of it may have been seen after the backup."""
        with closing(AuditedStore(self.place.store)) as store:
            counts = store.counts(("shoe_committed", "shoe_opened"), 0)
            more: dict[str, int] = {}
            for stream, name, count in counts:
                more[stream] = more.get(stream, 0) + (count if name == "shoe_committed" else -count)
        return sorted(stream for stream, open_shoes in more.items() if open_shoes > 0)

    def put_in_place(self) -> None:
        """Move the files to their place, the log last: a house without its log is none."""
        check_empty(self._folder)
        for name in reversed(FILES):
            (self._stage / name).rename(self._folder / name)
        sync_folder(self._folder)

    def put_into_database(self, url: str) -> None:
        """Copy log and accounts into an empty database in one transaction, and put the key in its place before it.

        The key may lie there already: it is a file also where the rest is in a database.
        """
        from casinowar.web.backup.house_copy import CopyRefused, fill_database

        key = self._folder / KEY_FILE
        is_new = not key.exists()
        if is_new:
            shutil.copyfile(self.place.key, key)
            key.chmod(OWNER_ONLY)
            sync_file(key)
            sync_folder(self._folder)
        try:
            with closing(SqliteStore(self.place.store)) as store:
                fill_database(url, store, self.place.accounts)
        except (CopyRefused, StoreError) as error:  # Nothing was written; after `StoreFailed` nobody knows.
            if is_new:
                key.unlink()
            raise BackupRefused(str(error)) from None


@contextmanager
def staged(source: Path, folder: Path, *, is_for_database: bool = False) -> Iterator[Restoration]:
    """The backup, unpacked and held against its list. What is not put in place is gone afterwards."""
    if not is_for_database:
        check_empty(folder)
    is_new = not folder.exists()
    folder.mkdir(OWNER_FOLDER, parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=STAGE, dir=folder))
    try:
        found = Restoration(folder, stage, unpack(source, stage))
        if is_for_database:
            _check_key(folder / KEY_FILE, stage / KEY_FILE)
        yield found
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        if is_new and not any(folder.iterdir()):
            folder.rmdir()


def _check_key(there: Path, ours: Path) -> None:
    """Refuse a folder in which there is another key: a restore writes over nothing."""
    if (there.exists() or there.is_symlink()) and there.read_bytes() != ours.read_bytes():
        raise BackupRefused(f"{there} is another house's key. Move it away, or name another --data")


def check_empty(folder: Path) -> None:
    """Refuse a folder in which there is any file of a house."""
    for name in FILES:
        for more in BESIDE:
            if (file := folder / f"{name}{more}").exists() or file.is_symlink():
                raise BackupRefused(
                    f"{file} is there: a restore writes over nothing. Move it away, or name another --data"
                )
