"""The people at the tables of a shared house: each server tells who is at its own, and notes who is at the others."""

import hashlib
import logging
from collections.abc import Iterable, Mapping
from typing import Protocol

import msgspec

from casinowar.house.seat_quota import Holdings
from casinowar.house.table.table import LiveTable
from casinowar.store.servers import Registry

log = logging.getLogger(__name__)
PEOPLE = "people"
"""What servers wake each other for: people have come or gone."""


class People(msgspec.Struct, frozen=True):
    """Who is at a table, and by which address they are counted; addresses go about as digests."""

    held: Holdings
    addresses: dict[str, str]


class PeopleHouse(Protocol):
    """What the house knows of people, and is told."""

    def people_at(self, live: LiveTable) -> tuple[Holdings, dict[str, str]]:
        """Who is at a table, and the addresses by which they are counted."""

    def note_people(self, table: str, held: Holdings, addresses: dict[str, str]) -> None: ...


class TablePeople:
    """What this server has told the others of its tables, and what it knows of theirs."""

    def __init__(self, house: PeopleHouse, registry: Registry) -> None:
        self._house, self._registry = house, registry
        self._known: dict[str, tuple[bool, bytes]] = {}
        self._told: dict[str, bytes] = {}

    def forget(self, stream: str) -> None:
        """Forget a table that this server decides no more."""
        self._told.pop(stream, None)
        self._known.pop(stream, None)

    def follow(self, names: Mapping[str, str]) -> set[str]:
        """Note who is at these tables of others, named by their streams; give those that are over."""
        over = set()
        for stream, known in self._registry.people(names).items():
            if stream not in names or self._known.get(stream) == known:
                continue
            is_closed, body = known
            people = People(Holdings(), {}) if is_closed else _read_people(names[stream], body)
            if is_closed:
                over.add(stream)
                self._known.pop(stream, None)
            else:
                self._known[stream] = known
            self._house.note_people(names[stream], people.held, people.addresses)
        return over

    def tell(self, tables: Iterable[LiveTable]) -> None:
        """Tell the other servers who is at these tables, where that has changed."""
        is_new = False
        for live in tables:
            held, addresses = self._house.people_at(live)
            body = msgspec.msgpack.encode(People(held, {player: digest(one) for player, one in addresses.items()}))
            if self._told.get(live.stream) != body and self._registry.put_people(live.stream, False, body):
                self._told[live.stream], is_new = body, True
        if is_new:
            self._registry.tell(PEOPLE)


_people = msgspec.msgpack.Decoder(People)


def _read_people(table: str, body: bytes) -> People:
    """Who is at a table of another server. What cannot be read, of a newer program or changed by hand, is nobody."""
    try:
        return _people.decode(body)
    except msgspec.MsgspecError as error:
        log.warning("who is at a table is not known", extra={"table": table, "error": str(error)})
        return People(Holdings(), {})


def digest(address: str) -> str:
    """An address as the others may know it: enough to tell whether two are the same."""
    return address if address.startswith("#") else "#" + hashlib.sha256(address.encode()).hexdigest()[:24]
