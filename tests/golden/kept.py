"""What earlier versions have written, unpacked for a test."""

import json
import lzma
import shutil
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from casinowar.store import Recalled, SqliteStore
from tests.support.commandline import run

FOLDER = Path(__file__).parent
VERSIONS = {"v0.1.0": "8eca824c849713611bc5d7749c1c4661aaecbef1af8b8890ec6fd9eb05b750f3"}
"""Every folder with the digest of its list of files. A new version adds a line; no line ever changes."""

BOOKS = ("nz", "wa", "ctg", "ca", "ma")
HOUSES = [(version, book) for version in VERSIONS for book in BOOKS]
ROLES = {
    "nz": "AMB-79: a supervisor gave what the book leaves to the operator",
    "wa": "AMB-79: a supervisor gave what the book leaves to the manager or the operator",
    "ma": "AMB-79: a supervisor gave what the book leaves to the licensee",
}
PARTNERS = "AMB-76: wagers of partners on one area are one wager against the maximum"
CORRECTED: dict[str, str] = {
    "v0.1.0/nz/all-hands-void": ROLES["nz"],
    "v0.1.0/nz/hand-void-first-deal": ROLES["nz"],
    "v0.1.0/nz/hand-void-war-deal": ROLES["nz"],
    "v0.1.0/nz/main-3": ROLES["nz"],
    "v0.1.0/nz/shuffler-fault-hands": ROLES["nz"],
    "v0.1.0/nz/shuffler-fault-result-known": ROLES["nz"],
    "v0.1.0/nz/shuffler-fault-round": ROLES["nz"],
    "v0.1.0/nz/void-round": ROLES["nz"],
    "v0.1.0/nz/void-round-before-result": ROLES["nz"],
    "v0.1.0/wa/main-3": ROLES["wa"],
    "v0.1.0/wa/main-9": ROLES["wa"],
    "v0.1.0/wa/partnership": PARTNERS,
    "v0.1.0/wa/partnership-known-beforehand": PARTNERS,
    "v0.1.0/wa/shuffler-fault": ROLES["wa"],
    "v0.1.0/ctg/too-few-cards": "AMB-80: the Pit Boss rules on a dry shoe",
    "v0.1.0/ma/main-3": ROLES["ma"],
    "v0.1.0/ma/release-players": ROLES["ma"],
    "v0.1.0/ma/release-refused": ROLES["ma"],
}
"""Records and scenarios, as `v0.1.0/nz/NAME`, whose outcome a rule that was put right has changed, and why.
By the first edition each comes to the same: `tests/rulebooks/test_editions.py`."""


class Golden(NamedTuple):
    """A house of an earlier version: what it wrote, and a copy of its data folder in which all of it can be read."""

    kept: Path
    data: Path

    @property
    def database(self) -> Path:
        return self.data / "war.db"

    @property
    def book(self) -> str:
        return self.kept.name

    @property
    def facts(self) -> dict[str, Any]:
        return facts_in(self.kept)

    def read(self) -> dict[str, list[Recalled]]:
        with closing(SqliteStore(self.database, for_reading=True)) as store:
            return {stream: list(store.read(stream)) for stream in store.streams()}

    def audit(self, database: Path | None = None) -> tuple[int, dict[str, Any]]:
        """What `casinowar audit` says, given what somebody outside has kept."""
        key = (self.kept / "key.txt").read_text(encoding="ascii").strip()
        kept = str(self.kept / "checkpoints.jsonl")
        ran = run("audit", str(database or self.database), "--checkpoint", kept, "--key", key, "--json")
        return ran.status, json.loads(ran.out)


@cache
def facts_in(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    return told


def unpack(version: str, book: str, data: Path) -> Golden:
    kept = FOLDER / version / book
    for name in ("tables.toml", "house.toml"):
        shutil.copyfile(kept / name, data / name)
    (data / "war.db").write_bytes(decompressed(kept / "war.db.xz"))
    return Golden(kept, data)


def decompressed(file: Path) -> bytes:
    return lzma.decompress(file.read_bytes())
