"""The quota of seats and private tables for the people of one address, so that nobody takes all of them alone."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from casinowar.engine import Refusal

MOST_KNOWN = 10_000
"""Beyond so many accounts, addresses of those who hold nothing are forgotten."""


class Holdings(msgspec.Struct, frozen=True):
    """The people of one open table: its owner where it is private, who is seated, and who waits for a seat."""

    table: str
    owner: str | None
    seated: tuple[str, ...]
    waiting: tuple[str, ...]


class SeatQuota:
    """The quota of one address: `seats` at the tables of the house, and `private_tables`; None is no limit.

    Whoever holds something counts for the address from which it was taken, also when they go on from another. The
    addresses are in memory alone: after a restart somebody counts from their first command on.
    """

    def __init__(self, open_tables: Callable[[], Iterable[Holdings]]) -> None:
        self.seats: int | None = None
        self.private_tables: int | None = None
        self._open = open_tables
        self._addresses: dict[str, str] = {}

    def note(self, player: str, address: str) -> None:
        known = self._addresses.get(player)
        if not address or known == address or (known is not None and self._holds(player)):
            return
        if len(self._addresses) >= MOST_KNOWN:
            holders = {*self._owners(), *(who for who, _ in self._held())}
            self._addresses = {one: at for one, at in self._addresses.items() if one in holders}
        self._addresses[player] = address

    def refuse_seat(self, player: str, table: str) -> Refusal | None:
        """Why a player may not have a seat at a table of the house; one at a private table is its owner's affair."""
        address, held = self._addresses.get(player), set(self._held())
        is_public = any(one.table == table and one.owner is None for one in self._open())
        if self.seats is None or address is None or (player, table) in held or not is_public:
            return None
        others = sum(self._addresses.get(who) == address for who, at in held if (who, at) != (player, table))
        return Refusal("too_many_seats") if others >= self.seats else None

    def has_enough_tables(self, player: str) -> bool:
        address = self._addresses.get(player)
        if self.private_tables is None or address is None:
            return False
        return sum(self._addresses.get(owner) == address for owner in self._owners()) >= self.private_tables

    def sits_elsewhere(self, player: str, table: str) -> bool:
        return any(player in one.seated for one in self._open() if one.table != table)

    def _held(self) -> Iterator[tuple[str, str]]:
        """The seats at the house's tables, and the places in the line for one."""
        for one in self._open():
            if one.owner is None:
                yield from ((player, one.table) for player in (*one.seated, *one.waiting))

    def _owners(self) -> Iterator[str]:
        return (one.owner for one in self._open() if one.owner is not None)

    def _holds(self, player: str) -> bool:
        return player in self._owners() or any(player == who for who, _ in self._held())
