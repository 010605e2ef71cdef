"""Leases: a stream is decided by one server at a time, and one that has lost it cannot commit."""

from casinowar.store import commit as w
from casinowar.store.contract import LeaseLost, StoreInUse
from casinowar.store.postgres.group import Group
from casinowar.store.sql_reader import as_int
from casinowar.store.sqlite.connection import Value

LEASE_MS = 10_000
"""A lease lasts so long by the clock of the database, unless it is renewed."""

UNTIL = "clock_timestamp() + ? * interval '1 millisecond'"
SEEN = "SELECT fence, owner, until <= clock_timestamp() FROM leases WHERE stream = ? FOR UPDATE SKIP LOCKED"


class Leases(Group):
    """The leases that a store holds, each with its fence.

    A lease is renewed in time or it runs out. It can be taken over when it has run out, or at once where the connection
    of its owner is gone.
    """

    def __init__(self, url: str, *, for_reading: bool, is_alone: bool = False, is_shared: bool = False) -> None:
        super().__init__(url, for_reading=for_reading, is_alone=is_alone, is_shared=is_shared)
        self.lease_ms = LEASE_MS
        self._fences: dict[str, int] = {}

    @property
    def leases(self) -> dict[str, int]:
        """The streams that this store decides, as far as it knows, each with its fence."""
        return dict(self._fences)

    @w.locked
    def take_lease(self, stream: str) -> int:
        """Take the lease of a stream and give its fence; `StoreInUse` where a living owner has it."""
        if self._is_together:
            raise RuntimeError("a lease is taken outside of a group")
        fence = self._apart(lambda: self._take_over(stream))
        self._fences[stream] = fence
        self._note_others(stream)
        return fence

    def _take_over(self, stream: str) -> int:
        new = f"INSERT INTO leases VALUES (?, 1, ?, {UNTIL}) ON CONFLICT DO NOTHING RETURNING fence"
        if made := self._file_rows(new, (stream, self.owner, self.lease_ms)):
            return as_int(made[0][0])
        seen = self._file_rows(SEEN, (stream,))
        if not seen:
            raise StoreInUse(f"{stream} is decided by another server just now")
        fence, owner, is_over = seen[0]
        grows = int(owner != self.owner)
        if grows and owner is not None and not is_over and not self._is_gone(owner):
            raise StoreInUse(f"{stream} is decided by another server")
        sql = f"UPDATE leases SET fence = fence + ?, owner = ?, until = {UNTIL} WHERE stream = ?"
        self._file_rows(sql, (grows, self.owner, self.lease_ms, stream))
        return as_int(fence) + grows

    def _is_gone(self, owner: Value) -> bool:
        """Whether the connection of an owner has ended, so that nobody holds its lock."""
        return self._file_rows("SELECT pg_try_advisory_xact_lock(?)", (owner,)) == [(True,)]

    @w.locked
    def renew_leases(self) -> set[str]:
        """Renew all leases; give the streams whose lease is lost.

        One that somebody has written down for this server is let run out: nobody would decide its stream.
        """
        sql = f"UPDATE leases SET until = {UNTIL} WHERE owner = ? AND stream = ANY (?::text[]) RETURNING stream, fence"
        rows = self._apart(lambda: self._file_rows(sql, (self.lease_ms, self.owner, list(self._fences))))
        there = {str(stream): as_int(fence) for stream, fence in rows}
        lost = {stream for stream, fence in self._fences.items() if there.get(stream) != fence}
        for stream in lost:
            del self._fences[stream]
            self._forget_stream(stream)
        return lost

    @w.locked
    def release_lease(self, stream: str) -> None:
        """Let another server decide the stream from now on."""
        if self._is_together:
            raise RuntimeError("a lease is released outside of a group")
        fence = self._fences.pop(stream, 0)
        self._forget_stream(stream)
        sql = "UPDATE leases SET owner = NULL WHERE stream = ? AND owner = ? AND fence = ?"
        self._apart(lambda: self._file_rows(sql, (stream, self.owner, fence)))

    def _release_all(self) -> None:
        if self._fences:
            self._fences.clear()
            self._apart(lambda: self._file_rows("UPDATE leases SET owner = NULL WHERE owner = ?", (self.owner,)))

    def _check_lease(self, stream: str, fence: Value, owner: Value) -> None:
        ours = self._fences.get(stream)
        if owner is None and ours is None:
            return
        if owner != self.owner or fence != ours:
            self._fences.pop(stream, None)
            raise LeaseLost(f"{stream} is decided by another server: this one has lost its lease, or never had it")
