"""The statements by which the shipped store reads, over the simulated tables."""

from collections.abc import Sequence

from casinowar.store import sql_reader as r
from casinowar.store.postgres import commit_rows
from tests.simulator.database import Session
from tests.simulator.statements import does
from tests.simulator.tables import Row


def _reads_single(columns: str, table: str) -> None:
    @does(f"SELECT {columns} FROM {table}")
    def read(session: Session) -> list[Row]:
        row = session.database.tables.single[table]
        return [] if row is None else [row]


_reads_single("identity", "identity")
_reads_single("events, events_head, commands, commands_head", "old_chains")
_reads_single("size, parts", "tree")
_reads_single("total", "trial_balance")


@does("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1")
def last_event(session: Session) -> list[Row]:
    return [(row[0], row[5]) for row in session.database.tables.events[-1:]]


@does("SELECT coalesce(max(position), 0) FROM events")
def end_of_events(session: Session) -> list[Row]:
    return [(len(session.database.tables.events),)]


@does("SELECT number, hash FROM commands ORDER BY number DESC LIMIT 1")
def last_command(session: Session) -> list[Row]:
    return [(row[0], row[4]) for row in session.database.tables.commands[-1:]]


@does("SELECT position, stream, version, name, entry, hash FROM events WHERE position > ? ORDER BY position LIMIT ?")
def read_events(session: Session, after: int, most: int) -> list[Row]:
    begin = max(after, 0)
    return session.database.tables.events[begin : begin + most]


@does("SELECT number, actor, command, entry, hash FROM commands WHERE number > ? ORDER BY number LIMIT ?")
def read_commands(session: Session, after: int, most: int) -> list[Row]:
    begin = max(after, 0)
    return session.database.tables.commands[begin : begin + most]


@does("SELECT position, line, account, amount FROM postings ORDER BY position, line")
def read_postings(session: Session) -> list[Row]:
    return list(session.database.tables.postings)


@does("SELECT version, entry FROM events WHERE stream = ? AND version > ? ORDER BY version LIMIT ?")
def read_stream(session: Session, stream: str, after: int, most: int) -> list[Row]:
    rows = session.database.tables.streams.get(stream, [])
    return [(row[2], row[4]) for row in rows[after : after + most]]


@does("SELECT entry FROM events WHERE stream = ? AND version > ? ORDER BY version")
def read_entries(session: Session, stream: str, after: int) -> list[Row]:
    return [(row[4],) for row in session.database.tables.streams.get(stream, [])[after:]]


@does("SELECT coalesce(max(version), 0) FROM events WHERE stream = ?")
def version(session: Session, stream: str) -> list[Row]:
    return [(len(session.database.tables.streams.get(stream, ())),)]


@does("SELECT coalesce(max(version), 0) FROM events WHERE stream = ? AND position <= ?")
def version_at(session: Session, stream: str, position: int) -> list[Row]:
    rows = session.database.tables.streams.get(stream, [])
    return [(sum(row[0] <= position for row in rows),)]


@does("SELECT hash FROM events WHERE stream = ? AND version = ?")
def hash_at(session: Session, stream: str, version: int) -> list[Row]:
    rows = session.database.tables.streams.get(stream, [])
    return [(row[5],) for row in rows[max(version - 1, 0) : max(version, 0)]]


@does(r.STREAMS)
def streams(session: Session) -> list[Row]:
    return [(name,) for name, rows in sorted(session.database.tables.streams.items()) if rows]


@does("SELECT number, actor, command, entry, hash FROM commands WHERE actor = ? AND command = ?")
def command(session: Session, actor: str, command: str) -> list[Row]:
    row = session.database.tables.ids.get((actor, command))
    return [] if row is None else [row]


@does(commit_rows.WRITTEN)
def written(session: Session, actors: Sequence[str], commands: Sequence[str]) -> list[Row]:
    ids = session.database.tables.ids
    return [(ids[id][4],) for id in zip(actors, commands, strict=True) if id in ids]


@does(f"SELECT {r.HEAD}, covered FROM heads ORDER BY stream")
def heads(session: Session) -> list[Row]:
    return [row for _, row in sorted(session.database.tables.heads.items())]


@does(f"SELECT {r.HEAD} FROM heads WHERE stream = ?")
def head(session: Session, stream: str) -> list[Row]:
    row = session.database.tables.heads.get(stream)
    return [] if row is None else [row[:5]]


@does(f"SELECT {r.HEAD} FROM heads WHERE commands > covered ORDER BY stream")
def heads_to_cover(session: Session) -> list[Row]:
    return [row[:5] for _, row in sorted(session.database.tables.heads.items()) if row[3] > row[5]]


@does(r.LAST_LEAVES)
def last_leaves(session: Session) -> list[Row]:
    return [row for _, row in sorted({row[1]: row[1:] for row in session.database.tables.leaves}.items())]


@does(f"SELECT {r.HEAD} FROM leaves ORDER BY number")
def leaves(session: Session) -> list[Row]:
    return [row[1:] for row in session.database.tables.leaves]


@does("SELECT version, commands FROM leaves WHERE stream = ? ORDER BY number DESC LIMIT 1")
def last_leaf(session: Session, stream: str) -> list[Row]:
    return [(row[2], row[4]) for row in session.database.tables.leaves if row[1] == stream][-1:]


@does(f"SELECT {r.SNAPSHOT} FROM snapshots WHERE stream = ? AND format = ? ORDER BY version DESC")
def snapshots(session: Session, stream: str, format: str) -> list[Row]:
    rows = session.database.tables.snapshots.values()
    return sorted((row for row in rows if row[:2] == (stream, format)), key=lambda row: -int(row[2]))


@does(f"SELECT {r.SNAPSHOT} FROM snapshots WHERE stream = ? ORDER BY version DESC LIMIT ?")
def newest_snapshots(session: Session, stream: str, most: int) -> list[Row]:
    rows = session.database.tables.snapshots.values()
    return sorted((row for row in rows if row[0] == stream), key=lambda row: -int(row[2]))[:most]


@does(f"SELECT {r.SNAPSHOT} FROM snapshots WHERE CAST(?1 AS TEXT) IS NULL OR stream = ?1 ORDER BY stream, version")
def all_snapshots(session: Session, stream: str | None) -> list[Row]:
    return [row for key, row in sorted(session.database.tables.snapshots.items()) if stream in (None, key[0])]


@does("SELECT seed FROM seeds WHERE commitment = ?")
def seed(session: Session, commitment: str) -> list[Row]:
    found = session.database.tables.seeds.get(commitment)
    return [] if found is None else [(found,)]


@does("SELECT commitment FROM seeds ORDER BY commitment")
def commitments(session: Session) -> list[Row]:
    return [(one,) for one in sorted(session.database.tables.seeds)]


@does("SELECT balance FROM balances WHERE account = ?")
def balance(session: Session, account: str) -> list[Row]:
    held = session.database.tables.balances.get(account)
    return [] if held is None else [(held,)]


@does("SELECT account, balance FROM balances")
def balances(session: Session) -> list[Row]:
    return list(session.database.tables.balances.items())


@does("SELECT account, balance FROM balances WHERE account = ANY (?::text[])")
def balances_of(session: Session, accounts: Sequence[str]) -> list[Row]:
    there = session.database.tables.balances
    return [(account, there[account]) for account in accounts if account in there]


@does("SELECT CAST(coalesce(sum(balance), 0) AS BIGINT) FROM balances")
def sum_of_balances(session: Session) -> list[Row]:
    return [(sum(session.database.tables.balances.values()),)]


@does("SELECT position, amount FROM postings WHERE account = ? ORDER BY position, line")
def statement(session: Session, account: str) -> list[Row]:
    return [(row[0], row[3]) for row in session.database.tables.postings if row[2] == account]


@does("SELECT document FROM checkpoints WHERE number > ? ORDER BY number LIMIT ?")
def checkpoints(session: Session, after: int, most: int) -> list[Row]:
    return [row[1:] for row in session.database.tables.checkpoints[max(after, 0) :][:most]]


@does("SELECT document FROM checkpoints WHERE number = ?")
def checkpoint(session: Session, number: int) -> list[Row]:
    return [row[1:] for row in session.database.tables.checkpoints if row[0] == number]


@does("SELECT document FROM checkpoints ORDER BY number DESC LIMIT 1")
def last_checkpoint(session: Session) -> list[Row]:
    return [row[1:] for row in session.database.tables.checkpoints[-1:]]


@does("SELECT coalesce(max(number), 0) + 1 FROM checkpoints")
def next_checkpoint(session: Session) -> list[Row]:
    return [(len(session.database.tables.checkpoints) + 1,)]
