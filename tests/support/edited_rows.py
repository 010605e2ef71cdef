"""Edits of rows by one who has the file and not the key: triggers set aside, and hashes worked out anew.

An edit that left everything as it was is none: another is made instead.
"""

import random
from pathlib import Path

import apsw
import msgspec

from casinowar.merkle import Edge
from casinowar.store.chains import (
    COMMAND,
    EVENT,
    OLD_COMMAND,
    OLD_EVENT,
    OldChains,
    StreamHead,
    chain_link,
    first_head,
    leaf_of,
    old_head,
    old_start,
    stream_start,
)
from casinowar.store.contract import CommandRecord
from casinowar.store.sqlite.connection import Value, execute

ORDER = {
    "events": "position",
    "commands": "number",
    "postings": "position, line",
    "balances": "account",
    "seeds": "commitment",
    "checkpoints": "number",
}
ACTS = ("change", "delete", "insert", "swap")
CHAINED = ("events", "commands")
Row = tuple[Value, ...]


class Editor:
    """One open file without its triggers; the total that the database keeps is always put right."""

    def __init__(self, file: Path, chance: random.Random) -> None:
        self.db = apsw.Connection(str(file))
        self.db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        for pragma in ("foreign_keys = off", "synchronous = off"):
            execute(self.db, f"PRAGMA {pragma}")
        execute(self.db, "BEGIN")
        self.chance = chance

    def close(self, *, is_rechained: bool) -> None:
        if is_rechained:
            self.rechain()
        execute(self.db, "UPDATE trial_balance SET total = (SELECT coalesce(sum(balance), 0) FROM balances)")
        execute(self.db, "COMMIT")
        self.db.close()

    def rows(self, table: str) -> list[Row]:
        return execute(self.db, f"SELECT * FROM {table} ORDER BY {ORDER[table]}")

    def edit(self, table: str, act: str) -> str:
        """One row changed, taken out, put in or exchanged for another."""
        rows = self.rows(table)
        for _ in range(100):
            gone, come = self._edited(table, rows, act)
            if sorted(gone, key=repr) == sorted(come, key=repr):
                continue
            execute(self.db, "SAVEPOINT before")
            try:
                for row in gone:
                    execute(
                        self.db,
                        f"DELETE FROM {table} WHERE ({ORDER[table]}) = ({_marks(_key(table, row))})",
                        _key(table, row),
                    )
                for row in come:
                    execute(self.db, f"INSERT INTO {table} VALUES ({_marks(row)})", row)
            except apsw.ConstraintError:
                execute(self.db, "ROLLBACK TO before")
                continue
            return f"{act} {table} {[_key(table, row) for row in gone or come]}"
        raise AssertionError(f"no {act} of {table} is possible")

    def _edited(self, table: str, rows: list[Row], act: str) -> tuple[list[Row], list[Row]]:
        """The rows that go and those that come. A hash is not changed by itself: it may be worked out anew."""
        chance = self.chance
        row, other = chance.choice(rows), chance.choice(rows)
        column = chance.randrange(len(row) - (table in CHAINED))
        keys = len(_key(table, row))
        match act:
            case "change":
                return [row], [(*row[:column], self._changed(row[column]), *row[column + 1 :])]
            case "delete":
                return [row], []
            case "insert":
                new = (self._changed(row[0]), *row[1:])
                return [], [(*new[:column], self._changed(new[column]), *new[column + 1 :])]
            case _:
                return [row, other], [(*row[:keys], *other[keys:]), (*other[:keys], *row[keys:])]

    def _changed(self, value: Value) -> Value:
        chance = self.chance
        match value:
            case int():
                return value + chance.choice((-1000, -1, 1, 7, 500, 10_000))
            case bytes():
                at = chance.randrange(len(value))
                return value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1 :]
            case _:
                text = str(value)
                at = chance.randrange(len(text))
                return text[:at] + chance.choice("abcdef0123456789") + text[at + 1 :]

    def rechain(self) -> None:
        """Every hash anew, as anybody can who has no key."""
        rechain(self.db)

    def cut_off(self) -> str:
        """Everything from some command on is taken away without a trace: the money and the seeds are as they were.

        Snapshots are gone altogether, which is no fault.
        """
        commands = self.rows("commands")
        left = self.chance.randrange(1, len(commands))
        entry = commands[left - 1][3]
        assert isinstance(entry, bytes)
        last = msgspec.json.decode(entry, type=CommandRecord).last
        execute(self.db, "DELETE FROM commands WHERE number > ?", (left,))
        execute(self.db, "DELETE FROM postings WHERE position > ?", (last,))
        execute(self.db, "DELETE FROM events WHERE position > ?", (last,))
        execute(self.db, "DELETE FROM balances")
        moved = (
            "SELECT account, sum(amount) AS moved FROM postings JOIN events USING (position) "
            "GROUP BY account, json_extract(entry, '$.actor'), json_extract(entry, '$.command')"
        )
        execute(self.db, f"INSERT INTO balances SELECT account, sum(moved) FROM ({moved}) WHERE moved GROUP BY account")
        told = "SELECT 1 FROM events WHERE name = 'shoe_committed' AND instr(entry, commitment)"
        execute(self.db, f"DELETE FROM seeds WHERE NOT EXISTS ({told})")
        execute(self.db, "DELETE FROM checkpoints WHERE json_extract(document, '$.events') > ?", (last,))
        leaves = "SELECT coalesce(max(json_extract(document, '$.leaves')), 0) FROM checkpoints"
        execute(self.db, f"DELETE FROM leaves WHERE number > ({leaves})")
        execute(self.db, "DELETE FROM snapshots")
        return f"cut off after command {left}, event {last}"


def _key(table: str, row: Row) -> Row:
    return row[: ORDER[table].count(",") + 1]


def _marks(values: Row) -> str:
    return ", ".join("?" * len(values))


def rechain(db: apsw.Connection) -> None:
    """Work out all hashes again, as anybody can who has no key: of rows, heads, leaves and the tree's edge."""
    [(identity,)] = execute(db, "SELECT identity FROM identity")
    is_old = not execute(db, "SELECT 1 FROM sqlite_schema WHERE name = 'old_chains'")
    limits = (2**62, 2**62) if is_old else execute(db, "SELECT events, commands FROM old_chains")[0]
    ends = [
        _rechain_old(db, str(identity), table, kind, limit)
        for table, kind, limit in zip(CHAINED, (OLD_EVENT, OLD_COMMAND), limits, strict=True)
    ]
    if is_old:
        return
    old = OldChains(*ends[0], *ends[1])
    execute(db, "UPDATE old_chains SET events = ?, events_head = ?, commands = ?, commands_head = ?", tuple(old))
    _rehead(db, str(identity), old, *(_rechain_streams(db, str(identity), old, table) for table in CHAINED))


Chains = dict[str, dict[int, bytes]]
"""Of each stream the hash behind so many links, in order."""


def _rechain_old(db: apsw.Connection, identity: str, table: str, kind: bytes, limit: Value) -> tuple[int, bytes]:
    order = ORDER[table]
    rows = execute(db, f"SELECT {order}, entry FROM {table} WHERE {order} <= ? ORDER BY {order}", (limit,))
    previous, hashes = old_start(kind, identity), []
    for number, entry in rows:
        assert isinstance(entry, bytes)
        previous = chain_link(kind, previous, entry)
        hashes.append((previous, number))
    db.executemany(f"UPDATE {table} SET hash = ? WHERE {order} = ?", hashes).fetchall()
    return len(rows), previous if rows else b""


def _rechain_streams(db: apsw.Connection, identity: str, old: OldChains, table: str) -> Chains:
    order, is_events = ORDER[table], table == "events"
    kind, limit = (EVENT, old.events) if is_events else (COMMAND, old.commands)
    stream_of = "stream" if is_events else "iif(json_valid(entry), coalesce(entry ->> 'stream', ''), '')"
    found: Chains = {}
    hashes = []
    sql = f"SELECT {order}, entry, {stream_of} FROM {table} WHERE {order} > ? ORDER BY {order}"
    for number, entry, stream in execute(db, sql, (limit,)):
        assert isinstance(entry, bytes)
        links = found.setdefault(str(stream), {})
        if not links:
            count = _old_version(db, str(stream), old) if is_events else 0
            links[count] = stream_start(kind, identity, str(stream), old)
        count, previous = next(reversed(links.items()))
        links[count + 1] = chain_link(kind, previous, entry)
        hashes.append((links[count + 1], number))
    db.executemany(f"UPDATE {table} SET hash = ? WHERE {order} = ?", hashes).fetchall()
    return found


def _old_version(db: apsw.Connection, stream: str, old: OldChains) -> int:
    [(count,)] = execute(db, "SELECT count(*) FROM events WHERE stream = ? AND position <= ?", (stream, old.events))
    assert isinstance(count, int)
    return count


def _rehead(db: apsw.Connection, identity: str, old: OldChains, events: Chains, commands: Chains) -> None:
    for name in {*events, *commands}:
        start = first_head(identity, name, _old_version(db, name, old), old)
        events.setdefault(name, {start.version: start.events_head})
        commands.setdefault(name, {0: start.commands_head})
    edge, covered = Edge(), {}
    for number, stream, version, count in execute(db, "SELECT number, stream, version, commands FROM leaves"):
        assert isinstance(version, int)
        assert isinstance(count, int)
        name = str(stream)
        covered[name] = count
        hashes = events.get(name, {}).get(version, bytes(32)), commands.get(name, {}).get(count, bytes(32))
        leaf = StreamHead(name, version, hashes[0], count, hashes[1]) if name else old_head(old)
        edge = edge.add(leaf_of(leaf))
        sql = "UPDATE leaves SET version = ?, events_head = ?, commands = ?, commands_head = ? WHERE number = ?"
        execute(db, sql, (leaf.version, leaf.events_head, leaf.commands, leaf.commands_head, number))
    execute(db, "UPDATE tree SET size = ?, parts = ?", (edge.size, b"".join(edge.parts)))
    execute(db, "DELETE FROM heads")
    for name, links in events.items():
        version, events_head = next(reversed(links.items()))
        count, commands_head = next(reversed(commands[name].items()))
        row = (name, version, events_head, count, commands_head, covered.get(name, 0))
        execute(db, "INSERT INTO heads VALUES (?, ?, ?, ?, ?, ?)", row)
