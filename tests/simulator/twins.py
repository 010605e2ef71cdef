"""Faults planted on purpose, each of which the simulated nights must find."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import asyncpg  # type: ignore[import-untyped]
import msgspec

from casinowar.engine.view import Viewer
from casinowar.house.table.parts import TableParts, Told
from casinowar.store import commit
from casinowar.store.postgres import commit_rows
from casinowar.store.postgres.group import Group
from casinowar.store.postgres.leases import Leases
from casinowar.store.postgres.medium import LOOK_UP
from casinowar.web.peers.entrance import Guest
from casinowar.web.peers.gateway import Gateway, Passage
from casinowar.web.server import Server
from tests.simulator import statements
from tests.simulator.database import Database, Session
from tests.simulator.doors import Connection
from tests.simulator.tables import Change, Row, Tables

Twin = Callable[[], AbstractContextManager[None]]


@contextlib.contextmanager
def early_answers() -> Iterator[None]:
    """Acknowledge before the disk has it."""

    def once_settled(server: Server, tell: Callable[[], None]) -> None:
        tell()
        server.hub._house.is_gathering, was = False, server.hub._house.is_gathering
        server.hub.send()
        server.hub._house.is_gathering = was

    with mock.patch.object(Server, "once_settled", once_settled):
        yield


@contextlib.contextmanager
def lost_parts() -> Iterator[None]:
    """Tell nothing of every twentieth change."""
    right, told_of = TableParts.frames, [0]

    def frames(parts: TableParts, news: Any, viewer: Viewer, told: Told) -> tuple[list[bytes], Told]:
        made, later = right(parts, news, viewer, told)
        told_of[0] += 1
        return ([], later) if told_of[0] % 20 == 0 else (made, later)

    with mock.patch.object(TableParts, "frames", frames):
        yield


@contextlib.contextmanager
def late_disk() -> Iterator[None]:
    """A database that has its last transaction only in memory when it is killed, though it has said that it has it."""
    right, end_all, last = Database.commit, Database.end_all, dict[int, list[Change]]()

    def commit(database: Database, session: Session) -> None:
        if session.changes:
            last[id(database)] = list(session.changes)
        right(database, session)

    def end(database: Database) -> None:
        end_all(database)
        for one in reversed(last.pop(id(database), [])):
            one.take_back()

    with mock.patch.object(Database, "commit", commit), mock.patch.object(Database, "end_all", end):
        yield


@contextlib.contextmanager
def torn_transaction() -> Iterator[None]:
    """A transaction that is lost has left its events there all the same."""
    right = Session.roll_back_to

    def roll_back_to(session: Session, mark: int) -> None:
        tables = session.database.tables
        events = list(tables.events)
        right(session, mark)
        tables.events.extend(events[len(tables.events) :])

    with mock.patch.object(Session, "roll_back_to", roll_back_to):
        yield


@contextlib.contextmanager
def unit_out_of_nothing() -> Iterator[None]:
    """Every hundredth move of a balance gives one unit away."""
    right, moves = Tables.move, [0]

    def move(tables: Tables, account: str, amount: int) -> list[Change]:
        moves[0] += 1
        return right(tables, account, amount + int(moves[0] % 100 == 0))

    with mock.patch.object(Tables, "move", move), mock.patch.object(Group, "_move", _move_unlooked):
        yield


def _move_unlooked(group_: Group, done: Any, total: int) -> None:
    deltas = sorted(commit.add_up(one.rows.deltas for one in done).items())
    if deltas:
        group_._file_rows(commit_rows.MOVE, commit_rows.columns(deltas, 2))


@contextlib.contextmanager
def forgotten_ids() -> Iterator[None]:
    """A store that knows no command again, over a database that takes it."""
    right = statements.STATEMENTS[LOOK_UP]

    def look_up(session: Session, values: tuple[Any, ...]) -> list[Row]:
        return [(row[0], None, *row[2:]) for row in right(session, values)]

    def add_commands(tables: Tables, rows: Any) -> list[Change]:
        for row in rows:
            tables.ids.pop((row[1], row[2]), None)
        return right_add(tables, rows)

    right_add = Tables.add_commands
    with (
        mock.patch.dict(statements.STATEMENTS, {LOOK_UP: look_up}),
        mock.patch.object(Tables, "add_commands", add_commands),
    ):
        yield


@contextlib.contextmanager
def taken_for_written() -> Iterator[None]:
    """A store that takes what it does not know to be written for written."""
    with mock.patch.object(Group, "_is_written", return_value=True):
        yield


@contextlib.contextmanager
def lost_lease_check() -> Iterator[None]:
    """A store that writes to a stream whoever has its lease."""
    with mock.patch.object(Leases, "_check_lease", return_value=None):
        yield


@contextlib.contextmanager
def late_news() -> Iterator[None]:
    """A gateway that passes on what a server says of a table that has gone to another one."""
    with mock.patch.object(Gateway, "_is_late", return_value=False):
        yield


@contextlib.contextmanager
def doubled_wake_up() -> Iterator[None]:
    """A gateway that sends what is under way once more whenever it is woken, and as something new."""
    right = Gateway.look

    def look(gateway: Gateway) -> None:
        right(gateway)
        for passage in list(gateway._of.values()):
            for command in list(passage.under_way.values()):
                owner = gateway._placed.get(command.table)
                if owner is not None:
                    gateway._send(passage, owner, msgspec.structs.replace(command, id=f"{command.id}-again"))

    with mock.patch.object(Gateway, "look", look):
        yield


@contextlib.contextmanager
def lost_answers() -> Iterator[None]:
    """A gateway that forgets what is under way when a table goes to another server."""
    with mock.patch.object(Passage, "frames", lambda passage, table: [*filter(None, [passage.watched.get(table)])]):
        yield


@contextlib.contextmanager
def unnoticed_loss() -> Iterator[None]:
    """A gateway that does not notice that its line to another server is gone."""
    with mock.patch.object(Gateway, "lose", return_value=None):
        yield


@contextlib.contextmanager
def unnoticed_disk() -> Iterator[None]:
    """A store that does not notice that its database could not write."""
    right = Connection.execute

    def execute(connection: Connection, sql: str, values: tuple[Any, ...] = ()) -> list[Row]:
        try:
            return right(connection, sql, values)
        except (asyncpg.DiskFullError, asyncpg.PostgresIOError):
            return []

    with mock.patch.object(Connection, "execute", execute):
        yield


@contextlib.contextmanager
def doubled_messages() -> Iterator[None]:
    """A server that takes a message that comes twice at one moment for two."""
    right, last = Guest.take, [(0.0, 0, b"")]

    def take(guest: Guest, text: bytes) -> None:
        frame, this = msgspec.json.decode(text), (asyncio.get_running_loop().time(), guest.number, text)
        is_second, last[0] = last[0] == this, this
        if is_second and "id" in frame:
            text = msgspec.json.encode({**frame, "id": f"{frame['id']}-again"})
        right(guest, text)

    with mock.patch.object(Guest, "take", take):
        yield


TWINS: dict[str, Twin] = {
    "answers before the disk has it": early_answers,
    "views that miss a change": lost_parts,
    "a disk that is late": late_disk,
    "a torn transaction": torn_transaction,
    "a unit out of nothing": unit_out_of_nothing,
    "ids that are forgotten": forgotten_ids,
    "a commit of which nothing was heard, taken for written": taken_for_written,
    "a lost check of leases": lost_lease_check,
    "news of a table from whom it has left": late_news,
    "a doubled wake-up": doubled_wake_up,
    "a line between servers whose loss nobody notices": unnoticed_loss,
    "commands that are not passed on to the next server": lost_answers,
    "a failing disk that nobody notices": unnoticed_disk,
    "a message between servers that counts twice": doubled_messages,
}
