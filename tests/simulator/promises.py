"""The promises that a simulated night keeps, each looked at as soon as it could be broken."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from casinowar.cli.bench.crowd import timeless
from casinowar.cli.bench.player import winnings
from casinowar.engine import Table
from casinowar.engine.view import Viewer
from casinowar.history.narrative import RoundLines
from casinowar.house.table.table import LiveTable
from casinowar.house.table.visibility import live_view
from casinowar.protocol import RoundLine
from casinowar.store import Store, StoreError, StoreFailed, TableListed, audit, public_key, stand
from casinowar.store.postgres.store import PostgresStore
from tests.simulator.database import Session
from tests.simulator.people import Person
from tests.simulator.process import KEY, Process
from tests.simulator.tables import Tables

if TYPE_CHECKING:
    from tests.simulator.night import Night

AUDITOR = "postgresql://auditor@simulated/house"


OWN = re.compile(r"own-\d+$")
"""The ids of what the client itself sends."""


class BrokenPromise(AssertionError):
    """A promise of the house that was not kept."""


class Promises:
    """What is looked at behind each transaction, at each frame, at each start, and at the end."""

    def __init__(self, night: "Night") -> None:
        self._night = night
        self.broken: list[str] = []
        self._seen = 0
        night.database.on_commit = self.check_commit
        self.kept: dict[str, tuple[int, Table]] = {}
        """Each table as it was when its last change was on the disk, by its stream."""

    def check_commit(self, session: Session) -> None:
        """Check that nobody decides at a table that is another's: who writes to a leased stream holds its lease."""
        tables = session.database.tables
        written = {row[1] for row in tables.events[self._seen :]}
        self._seen = len(tables.events)
        for stream in sorted(written & tables.leases.keys()):
            owner = tables.leases[stream][1]
            if owner is not None and session.user not in session.database.holders(owner):
                self.broken.append(f"{session.user} has written to {stream} without its lease")

    def raise_first(self) -> None:
        if self.broken:
            raise BrokenPromise(self.broken[0])

    def _committed(self) -> Tables:
        """The tables as a crash would leave them."""
        database = self._night.database
        database.show(None)
        return database.tables

    # On the way.

    def watch(self, process: Process) -> None:
        """Look at a process that has just started, and from then on behind each of its transactions."""
        house = process.house
        assert house is not None
        tell = house.on_settled

        def settled() -> None:
            if not house.is_uncertain and not process.actor.is_over:
                self._note_tables(process)
                self._check_money()
            tell()

        house.on_settled = settled
        shared = house.shared
        assert shared is not None
        take_up = house.take_up

        def take(listed: TableListed, *, is_new_start: bool) -> None:
            take_up(listed, is_new_start=is_new_start)
            live = house.tables.get(listed.table)
            if live is not None and not house.is_gathering:
                self._compare(process, live)

        house.take_up = take  # type: ignore[method-assign]

    def _compare(self, process: Process, live: LiveTable) -> None:
        """Compare a table that was taken up with how it was left. More may have been written than anybody heard of.

        Whoever was held up meanwhile for longer than its lease lasts has an old table, and finds so with its next look.
        """
        assert process.store is not None
        if self._committed().leases[live.stream][1] != process.store.owner:
            return
        version, table = self.kept.get(live.stream, (0, None))
        if live.version < version or (live.version == version and table not in (None, live.table)):
            self.broken.append(f"{process.name} finds {live.stream} not as it was left")

    def _note_tables(self, process: Process) -> None:
        assert process.house is not None
        streams = self._committed().streams
        for live in process.house.tables.values():
            if live.version == len(streams.get(live.stream, ())):
                self.kept[live.stream] = (live.version, live.table)

    def _check_money(self) -> None:
        total = sum(self._committed().balances.values())
        if total:
            self.broken.append(f"all accounts together hold {total}")

    def note_error(self, process: Process) -> None:
        """Look at why a process has ended: that of its database is no mistake of its own."""
        error = process.actor.error
        if error is not None and not isinstance(error, StoreFailed | StoreError):
            self.broken.append(f"{process.name} ended by {error!r}")
        if process.server is not None and (faults := process.server.metrics.faults._value.get()):
            self.broken.append(f"{process.name} made {faults:g} mistakes")

    def check_told(self, process: Process, person: Person, text: str) -> None:
        """Check that nobody is told what is not on the disk."""
        frame = msgspec.json.decode(text)
        match frame:
            case {"type": "done", "id": id}:
                if id not in person.wishes and (person.name, id) not in self._committed().ids:
                    self.broken.append(f"{id} was acknowledged before it was on the disk")
            case {"type": "snapshot", "table": table, "view": {"version": version}} | {
                "type": "events", "table": table, "version": version,
            }:  # fmt: skip
                assert process.house is not None
                stream = process.house.stream_of(table)
                if version > len(self._committed().streams.get(stream, ())):
                    self.broken.append(f"{person.name} was told of {table} {version} before it was on the disk")

    def differs(self, person: Person) -> bool:
        """Whether somebody sees another table than the one that decides it."""
        for process in self._night.processes.values():
            if process.is_serving and process.house is not None and person.table in process.house.tables:
                try:
                    there = live_view(process.house.tables[person.table], Viewer("player", person.name))
                except (StoreFailed, StoreError):
                    return True  # Its connection was just lost, or its lease: it is looked at again.
                seen = timeless(msgspec.convert(msgspec.to_builtins(there), type(there)))
                return bool(seen != timeless(person.live.view))
        return True

    # At the end.

    def check_end(self) -> None:
        night, tables = self._night, self._committed()
        store = PostgresStore(AUDITOR, for_reading=True)
        for process in night.processes.values():
            self.note_error(process)
        faults = [*self.broken, *(fault for person in night.people for fault in person.faults)]
        for person in night.people:
            faults += self._wrong_answers(person, tables)
        ids = [(row.actor, row.command) for row in store.command_rows()]
        sent = {person.name: person.ids for person in night.people}
        faults += [
            f"{actor} has never sent {id}"
            for actor, id in ids
            if id not in sent.get(actor, (id,)) and not OWN.match(id)
        ]
        if len(ids) != len(set(ids)):
            faults.append("a command was done twice")
        faults += [f"{finding}" for finding in audit(store, public_key(KEY))]
        faults += self._wrong_purses(store)
        if faults:
            raise BrokenPromise("; ".join(faults[:5]))

    def _wrong_answers(self, person: Person, tables: Tables) -> Iterator[str]:
        if person.player is not None and person.player.setbacks:
            yield f"{person.name} was shown an older table {person.player.setbacks} times"
        for finding in (*person.findings, *person.live.check_cards()):
            yield f"{person.name}: {finding.what}"
        for id, (_, _, answer) in person.done.items():
            row = tables.ids.get((person.name, id))
            if row is None:
                if id not in person.wishes:
                    yield f"{id} was acknowledged and is lost"
            elif msgspec.json.decode(row[3])["answer"] != msgspec.json.encode(answer).decode():
                yield f"{id} has another answer in the log"

    def _wrong_purses(self, store: Store) -> Iterator[str]:
        """Whoever has not what they began with and what the rounds in the log brought them."""
        night = self._night
        won = dict.fromkeys(sorted(night.welcomed), 0)
        banks: dict[str, str] = {}
        for stream, (_, table) in self.kept.items():
            if table.bank is not None:
                banks[table.bank.player] = stream
            for line in all_rounds(store, stream):
                for player in won:
                    won[player] += winnings(line, player)
        for player, brought in won.items():
            accounts = [name for name in store.balances() if name.endswith(f":{player}")]
            has = sum(store.balance(name) for name in accounts)
            has += store.balance(f"bank:{banks[player]}") if player in banks else 0
            if has != night.settings.guest_purse + brought:
                yield f"{player} has {has} and should have {night.settings.guest_purse + brought}"


def all_rounds(store: Store, stream: str) -> Iterator[RoundLine]:
    """The line of each round in the log of a table."""
    lines, table = RoundLines(), Table()
    for recalled in store.read(stream):
        table = stand(table, recalled.event)
        line = lines.after(recalled, table)
        if line is not None:
            yield line
