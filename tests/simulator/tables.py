"""The tables of the simulated database, as rows in memory. Each change can be taken back and made again."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import asyncpg  # type: ignore[import-untyped]

from casinowar.store.ledger import BOUND, may_overdraw

Row = tuple[Any, ...]


class Change(NamedTuple):
    """One change of a row or of the end of a table, and how it is taken back."""

    make: Callable[[], object]
    take_back: Callable[[], object]


class Tables:
    """What the migrations make, with the constraints and triggers that refuse a row."""

    def __init__(self) -> None:
        self.single: dict[str, Row | None] = {
            "identity": None, "old_chains": None, "tree": (0, b""), "trial_balance": (0,),
        }  # fmt: skip
        self.events: list[Row] = []
        self.streams: dict[str, list[Row]] = {}
        self.commands: list[Row] = []
        self.ids: dict[tuple[str, str], Row] = {}
        self.postings: list[Row] = []
        self.balances: dict[str, int] = {}
        self.heads: dict[str, Row] = {}
        self.leaves: list[Row] = []
        self.checkpoints: list[Row] = []
        self.seeds: dict[str, bytes] = {}
        self.snapshots: dict[tuple[str, int, str], Row] = {}
        self.leases: dict[str, Row] = {}
        self.servers: dict[int, Row] = {}
        self.people: dict[str, Row] = {}

    # Changes, each checked before it is made.

    def add_events(self, rows: Sequence[Row]) -> list[Change]:
        versions: dict[str, int] = {}
        for position, row in enumerate(rows, start=len(self.events) + 1):
            stream, version = row[1], row[2]
            due = versions.get(stream, len(self.streams.get(stream, ()))) + 1
            if version < due:
                raise asyncpg.UniqueViolationError(f"{stream} {version} is there")
            if (row[0], version) != (position, due):
                raise asyncpg.IntegrityConstraintViolationError("events follow each other without a gap")
            versions[stream] = version
        by_stream: dict[str, list[Row]] = {}
        for row in rows:
            by_stream.setdefault(row[1], []).append(row)
        own = [extend(self.streams.setdefault(stream, []), found) for stream, found in by_stream.items()]
        return [extend(self.events, rows), *own]

    def add_commands(self, rows: Sequence[Row]) -> list[Change]:
        for number, row in enumerate(rows, start=len(self.commands) + 1):
            if (row[1], row[2]) in self.ids:
                raise asyncpg.UniqueViolationError(f"{row[1]} {row[2]} is there")
            if row[0] != number:
                raise asyncpg.IntegrityConstraintViolationError("commands follow each other without a gap")
        return [extend(self.commands, rows), *(put(self.ids, (row[1], row[2]), row) for row in rows)]

    def add_numbered(self, table: list[Row], rows: Sequence[Row]) -> list[Change]:
        if [row[0] for row in rows] != list(range(len(table) + 1, len(table) + 1 + len(rows))):
            raise asyncpg.IntegrityConstraintViolationError("rows follow each other without a gap")
        return [extend(table, rows)]

    def move(self, account: str, amount: int) -> list[Change]:
        held = self.balances.get(account, 0) + amount
        if abs(held) >= BOUND or (held < 0 and not may_overdraw(account)):
            raise asyncpg.CheckViolationError(f"nobody_owes: {account} {held}")
        return [put(self.balances, account, held)]

    def add_to_total(self, amount: int) -> list[Change]:
        if not amount:
            return []
        there = self.single["trial_balance"]
        assert there is not None
        return [put(self.single, "trial_balance", (there[0] + amount,))]

    def set_lease(self, stream: str, fence: int, owner: int | None, until: int) -> list[Change]:
        was = self.leases.get(stream)
        if was is not None and (fence < was[0] or (owner not in (None, was[1]) and fence == was[0])):
            raise asyncpg.IntegrityConstraintViolationError("a new owner of a lease has a new fence")
        return [put(self.leases, stream, (fence, owner, until))]


def extend(table: list[Row], rows: Sequence[Row]) -> Change:
    """The rows at the end of a table."""

    def take_back() -> None:
        del table[len(table) - len(rows) :]

    return Change(lambda: table.extend(rows), take_back)


def put(table: dict[Any, Any], key: Any, value: Any) -> Change:
    """A row under its key; nothing is there where the value is `None`."""
    was = table.get(key)

    def lay(one: Any) -> None:
        if one is None:
            table.pop(key, None)
        else:
            table[key] = one

    return Change(lambda: lay(value), lambda: lay(was))
