"""The statements by which servers know of each other, over the simulated tables."""

from collections.abc import Sequence
from typing import Any

from casinowar.store.postgres import registry
from tests.simulator.database import Session
from tests.simulator.statements import does
from tests.simulator.tables import Row, put


@does(registry.LIVING)
def living(session: Session) -> list[Row]:
    held = set(session.database.held_numbers())
    now, servers = session.database.now(), session.database.tables.servers
    return [row[:4] for number, row in sorted(servers.items()) if number in held and row[4] > now]


@does(f"DELETE FROM servers WHERE number <> ? AND number NOT IN ({registry.HOLDS})")
def strike_out(session: Session, me: int) -> None:
    held, servers = set(session.database.held_numbers()), session.database.tables.servers
    session.change([put(servers, number, None) for number in servers if number != me and number not in held])


@does(registry.AWAKE)
def stay_awake(session: Session, number: int, address: str, secret: str, is_leaving: int, awake_ms: int) -> None:
    database = session.database
    row = database.tables.servers.get(number, (number, address, secret))
    session.change([put(database.tables.servers, number, (*row[:3], is_leaving, database.now() + awake_ms))])


@does("UPDATE servers SET is_leaving = 1 WHERE number = ?")
def leave(session: Session, number: int) -> None:
    servers = session.database.tables.servers
    if number in servers:
        row = servers[number]
        session.change([put(servers, number, (*row[:3], 1, row[4]))])


@does("DELETE FROM servers WHERE number = ?")
def part(session: Session, number: int) -> None:
    session.change([put(session.database.tables.servers, number, None)])


@does(registry.OWNED)
def owners(session: Session) -> list[Row]:
    now = session.database.now()
    leases = session.database.tables.leases
    return [(stream, row[1]) for stream, row in leases.items() if row[1] is not None and row[2] > now]


@does("SELECT stream, is_over, people FROM table_people WHERE stream = ANY (?::text[])")
def people(session: Session, of: Sequence[str]) -> list[Row]:
    return [row for stream, row in session.database.tables.people.items() if stream in of]


@does(
    "INSERT INTO table_people VALUES (?, ?, ?) "
    "ON CONFLICT (stream) DO UPDATE SET is_over = excluded.is_over, people = excluded.people"
)
def put_people(session: Session, *row: Any) -> None:
    session.change([put(session.database.tables.people, row[0], row)])


@does(
    "SELECT position, stream, version, name, entry, hash FROM events "
    "WHERE position > ? AND position <= ? AND stream <> ALL (?::text[]) ORDER BY position"
)
def events_of_others(session: Session, after: int, until: int, without: Sequence[str]) -> list[Row]:
    left_out = set(without)
    return [row for row in session.database.tables.events[max(after, 0) : until] if row[1] not in left_out]
