"""A store in a PostgreSQL database opened for the audit: as it stood at one moment, whatever is wrong with it."""

from casinowar.audit.snapshot import NoStore
from casinowar.store import StoreFailed
from casinowar.store.postgres.connection import ConnectionLost
from casinowar.store.postgres.migrate import check_applied
from casinowar.store.postgres.store import PostgresStore


class AuditedDatabase(PostgresStore):
    """One read transaction from the opening to the close: what is committed meanwhile is not seen.

    Other than a store to be played on, it opens with broken chains, so that the audit can say where they break.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url, for_reading=True)

    def _identity(self) -> str:
        """Its identity. Where there is no event either, the tables have been made and no server has begun yet."""
        if not self._execute("SELECT 1 FROM identity") and not self._execute("SELECT 1 FROM events LIMIT 1"):
            raise NoStore(f"{self.path} holds no house yet")
        return super()._identity()

    def _check_start(self) -> None:
        self._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        self._is_fragile = True
        check_applied(self._db)

    def _reopen(self, error: ConnectionLost) -> None:
        """A moment that is over does not come again."""
        raise self._fail(StoreFailed(f"the connection was lost in the middle of the audit: {error}"))

    def await_check(self) -> None:
        """There is nothing to wait for: the pages are the database's own affair."""

    def form_faults(self) -> list[str]:
        """Findings of the numbers of checkpoints, which stand beside the documents and in no chain."""
        faults = super().form_faults()
        for due, (number,) in enumerate(self._execute("SELECT number FROM checkpoints ORDER BY number"), start=1):
            if number != due:
                return [*faults, f"checkpoint {due}: is kept under the number {number!r}"]
        return faults
