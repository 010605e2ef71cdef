"""Who is at which table, and the quota of seats and private tables for the people of one address."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from casinowar.engine import Refusal

MOST_KNOWN = 10_000
"""Beyond so many accounts, addresses of those who hold nothing are forgotten."""


class Holdings(msgspec.Struct, frozen=True):
    """The people of one table: its owner where it is private and open, who is seated, who waits, who has an account."""

    owner: str | None = None
    seated: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    @property
    def people(self) -> set[str]:
        return {*self.seated, *self.waiting, *self.players}


class Whereabouts:
    """The tables of each player, kept up to date, so that nobody walks over all tables to find one person."""

    def __init__(self) -> None:
        self._tables: dict[str, Holdings] = {}
        self._of: dict[str, dict[str, None]] = {}
        self.owned: Counter[str] = Counter()

    def note(self, table: str, held: Holdings) -> None:
        """Note who is at a table now."""
        before = self._tables.get(table, Holdings())
        if held == before:
            return
        self._tables[table] = held
        if held == Holdings():
            del self._tables[table]
        for gone in before.people - held.people:
            del self._of[gone][table]
            if not self._of[gone]:
                del self._of[gone]
        for come in held.people - before.people:
            self._of.setdefault(come, {})[table] = None
        if before.owner != held.owner:
            self.owned -= Counter([before.owner] if before.owner else [])
            self.owned += Counter([held.owner] if held.owner else [])

    def forget(self, table: str) -> None:
        self.note(table, Holdings())
        self._tables.pop(table, None)

    def tables_of(self, player: str) -> list[str]:
        """The tables at which a player sits, waits, or has chips or had some."""
        return list(self._of.get(player, ()))

    def holdings(self, table: str) -> Holdings:
        """The people of a table, as far as they are known here."""
        return self._tables.get(table, Holdings())

    def is_public(self, table: str) -> bool:
        return self.holdings(table).owner is None

    def seats_of(self, player: str) -> set[str]:
        """The tables at which a player sits."""
        return {table for table in self._of.get(player, ()) if player in self._tables[table].seated}

    def held_by(self, player: str) -> set[str]:
        """The tables of the house at which a player has a seat or a place in the line for one."""
        return {
            table
            for table in self._of.get(player, ())
            if (held := self._tables[table]).owner is None and player in (*held.seated, *held.waiting)
        }


class SeatQuota:
    """The quota of one address: `seats` at the tables of the house, and `private_tables`; None is no limit.

    Whoever holds something counts for the address from which it was taken, also when they go on from another. The
    addresses are in memory alone: after a restart somebody counts from their first command on.
    """

    def __init__(self, whereabouts: Whereabouts) -> None:
        self.seats: int | None = None
        self.private_tables: int | None = None
        self._where = whereabouts
        self._addresses: dict[str, str] = {}
        self._people: dict[str, set[str]] = {}

    def note(self, player: str, address: str) -> None:
        known = self._addresses.get(player)
        if not address or known == address or (known is not None and self._holds(player)):
            return
        if len(self._addresses) >= MOST_KNOWN:
            self._forget(one for one in list(self._addresses) if not self._holds(one))
        self._forget([player])
        self._addresses[player] = address
        self._people.setdefault(address, set()).add(player)

    def addresses(self, players: Iterable[str]) -> dict[str, str]:
        """The addresses by which these players are counted."""
        return {one: self._addresses[one] for one in sorted(players) if one in self._addresses}

    def forget_idle(self) -> int:
        """Forget the addresses of all who hold nothing, and count them."""
        idle = [one for one in self._addresses if not self._holds(one)]
        self._forget(idle)
        return len(idle)

    def _forget(self, players: Iterable[str]) -> None:
        for player in players:
            address = self._addresses.pop(player, None)
            if address is not None:
                self._people[address].discard(player)
                if not self._people[address]:
                    del self._people[address]

    def refuse_seat(self, player: str, table: str) -> Refusal | None:
        """Why a player may not have a seat at a table of the house; one at a private table is its owner's affair."""
        address, where = self._addresses.get(player), self._where
        if self.seats is None or address is None or table in where.held_by(player) or not where.is_public(table):
            return None
        held = sum(len(where.held_by(one)) for one in self._people[address])
        return Refusal("too_many_seats") if held >= self.seats else None

    def has_enough_tables(self, player: str) -> bool:
        address = self._addresses.get(player)
        if self.private_tables is None or address is None:
            return False
        return sum(self._where.owned[one] for one in self._people[address]) >= self.private_tables

    def sits_elsewhere(self, player: str, table: str) -> bool:
        return bool(self._where.seats_of(player) - {table})

    def _holds(self, player: str) -> bool:
        return bool(self._where.owned[player] or self._where.held_by(player))
