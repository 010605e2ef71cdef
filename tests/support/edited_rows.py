"""Edits of rows by one who has the file and not the key: triggers set aside, and hashes worked out anew.

An edit that left everything as it was is none: another is made instead.
"""

import random
from pathlib import Path

import apsw
import msgspec

from casinowar.store.commit import COMMAND, EVENT, chain_link, chain_start
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
CHAINED = {"events": EVENT, "commands": COMMAND}
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
        [(identity,)] = execute(self.db, "SELECT identity FROM identity")
        for table, kind in CHAINED.items():
            previous = chain_start(kind, str(identity))
            hashes: list[Row] = []
            for row in self.rows(table):
                assert isinstance(row[-2], bytes)
                previous = chain_link(kind, previous, row[-2])
                hashes.append((previous, row[0]))
            self.db.executemany(f"UPDATE {table} SET hash = ? WHERE {ORDER[table]} = ?", hashes).fetchall()

    def cut_off(self) -> str:
        """Everything from some command on is taken away without a trace: the money and the seeds are as they were."""
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
        return f"cut off after command {left}, event {last}"


def _key(table: str, row: Row) -> Row:
    return row[: ORDER[table].count(",") + 1]


def _marks(values: Row) -> str:
    return ", ".join("?" * len(values))
