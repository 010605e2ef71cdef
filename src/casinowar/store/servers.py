"""The servers of one house as each of them sees it, and what a store must do so that several may decide over it."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from casinowar.store.contract import EventRow, Store


class ServerLine(msgspec.Struct, frozen=True):
    """A server that is there: where its peers reach it, and a secret by which they know it for one of theirs.

    Who leaves takes nothing more.
    """

    number: int
    address: str
    secret: str
    is_leaving: bool = False

    def __repr__(self) -> str:
        return f"<server {self.number}>"


class Sight(msgspec.Struct, frozen=True):
    """What one look shows: the servers that are there, and the owner of each leased stream."""

    servers: tuple[ServerLine, ...] = ()
    owners: dict[str, int] = {}

    def owner(self, stream: str) -> int | None:
        """The living server that decides a stream."""
        number = self.owners.get(stream)
        return number if any(one.number == number for one in self.servers) else None

    def line(self, number: int) -> ServerLine | None:
        return next((one for one in self.servers if one.number == number), None)


class Registry(Protocol):
    """The list of the servers of a house. `number` is this server's, and the owner of the leases that it takes."""

    number: int

    def look(self) -> Sight: ...

    def stay_awake(self, awake_ms: int) -> None:
        """Say that this server is not paused, for so long by the clock of the store."""

    def leave(self) -> None:
        """Note that this server takes no more tables."""

    def people(self, of: Iterable[str]) -> dict[str, tuple[bool, bytes]]:
        """Of each of these streams: whether its table is over, and who is there."""

    def put_people(self, stream: str, is_over: bool, people: bytes) -> bool:
        """Tell who is at a table; whether it was said, which a word may not be."""
        ...

    def tell(self, what: str) -> None:
        """Wake the other servers. A word may be lost: they look by themselves as well."""


class SharedStore(Store, Protocol):
    """A store in which a stream is decided by whoever holds its lease."""

    lease_ms: int

    @property
    def connection(self) -> int:
        """A number that changes when the store has been cut off from its medium: a lease may be lost by then."""
        ...

    @property
    def leases(self) -> dict[str, int]: ...

    def take_lease(self, stream: str) -> int:
        """Take the lease, or raise `StoreInUse` where a living owner has it."""

    def renew_leases(self) -> set[str]:
        """Renew all leases; give the streams whose lease is lost."""

    def release_lease(self, stream: str) -> None: ...

    def glance(self, accounts: Sequence[str]) -> AbstractContextManager[None]:
        """Read these balances at once; within the block, in which nothing is done, they are what is known of them."""

    def held_by(self, player: str, streams: Sequence[str]) -> dict[str, tuple[int, int]]:
        """A player's chips by stream, before them and on the layout, as the log has them at one moment."""

    def certain_end(self) -> int:
        """The position up to which the log will never be another: it ends before what an open group has written."""
        ...

    def rows_of_others(self, after: int, until: int, without: Sequence[str]) -> list[EventRow]:
        """The events at positions behind `after` up to `until`, but for those of these streams."""
