"""A store opened for the audit: as it stood at one moment, beside a running server, whatever is wrong with it."""

from pathlib import Path

from casinowar.audit.findings import Finding
from casinowar.errors import CasinoWarError
from casinowar.store import SqliteStore
from casinowar.store.sqlite.connection import execute

# isort: split
# The store says which extra is missing.
import apsw

HEADER = b"SQLite format 3\0"


class NoStore(CasinoWarError):
    """There is nothing to audit."""


class AuditedStore(SqliteStore):
    """One read transaction from the opening to the close: what is committed meanwhile is not seen.

    Other than a store to be played on, it opens with broken chains, so that the audit can say where they break.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, for_reading=True)

    def _check_start(self) -> None:
        execute(self._db, "BEGIN")
        self._head = self._stored_head()

    def form_faults(self) -> list[str]:
        """Findings of the numbers of checkpoints, which stand beside the documents and in no chain."""
        faults = super().form_faults()
        for due, (number,) in enumerate(self._execute("SELECT number FROM checkpoints ORDER BY number"), start=1):
            if number != due:
                return [*faults, f"checkpoint {due}: is kept under the number {number!r}"]
        return faults


def check_file(path: Path) -> None:
    """Raise `NoStore` for a file that is no store at all; a store with faults is let through."""
    try:
        with path.open("rb") as file:
            is_sqlite = file.read(len(HEADER)) == HEADER
    except OSError as error:
        raise NoStore(f"{path}: {error.strerror or error}") from None
    if not is_sqlite:
        raise NoStore(f"{path}: not a SQLite database")


def orphans(path: Path) -> list[Finding]:
    """Postings whose events are gone; a store to be played on would not open with them."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        sql = "SELECT DISTINCT position FROM postings WHERE position NOT IN (SELECT position FROM events) LIMIT 20"
        return [Finding(f"event {row[0]!r}", "is gone, and its postings are not") for row in execute(db, sql)]
    except apsw.Error:
        return []
    finally:
        db.close()
