"""The rows of commits and checkpoints in PostgreSQL: each kind goes there by one statement, its columns as arrays."""

from collections.abc import Iterable

COMMAND = "INSERT INTO commands SELECT * FROM unnest(?::bigint[], ?::text[], ?::text[], ?::bytea[], ?::bytea[])"
EVENT = """
INSERT INTO events SELECT * FROM unnest(?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::bytea[], ?::bytea[])
"""
POSTING = "INSERT INTO postings SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::bigint[])"
SEED = "INSERT INTO seeds SELECT * FROM unnest(?::text[], ?::bytea[])"
STREAM_HEAD = """
WITH moved AS (
    SELECT * FROM unnest(?::text[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bigint[])
        AS one (stream, version, events_head, commands, commands_head, was_version, was_commands)
), changed AS (
    UPDATE heads SET version = moved.version, events_head = moved.events_head,
        commands = moved.commands, commands_head = moved.commands_head
    FROM moved WHERE heads.stream = moved.stream
        AND heads.version = moved.was_version AND heads.commands = moved.was_commands
    RETURNING heads.stream
), opened AS (
    INSERT INTO heads (stream, version, events_head, commands, commands_head)
    SELECT stream, version, events_head, commands, commands_head FROM moved WHERE was_commands = 0 RETURNING stream
)
SELECT (SELECT count(*) FROM changed) + (SELECT count(*) FROM opened)
"""
"""Each head moves on from where it stood when it was read, or the group is not written."""

MOVE = """
WITH moved AS (SELECT * FROM unnest(?1::text[], ?2::bigint[]) AS one (account, amount)), changed AS (
    UPDATE balances SET balance = balances.balance + moved.amount FROM moved
    WHERE balances.account = moved.account RETURNING balances.account, balances.balance
), opened AS (
    INSERT INTO balances SELECT account, amount FROM moved
    WHERE NOT EXISTS (SELECT 1 FROM balances WHERE balances.account = moved.account) RETURNING account, balance
)
SELECT account, balance FROM changed UNION ALL SELECT account, balance FROM opened
"""

LEAF = """
INSERT INTO leaves
SELECT * FROM unnest(?::bigint[], ?::text[], ?::bigint[], ?::bytea[], ?::bigint[], ?::bytea[])
"""
COVERED = """
UPDATE heads SET covered = one.commands FROM unnest(?::text[], ?::bigint[]) AS one (stream, commands)
WHERE heads.stream = one.stream
"""

WRITTEN = """
SELECT hash FROM commands JOIN unnest(?::text[], ?::text[]) AS one (by, id) ON actor = one.by AND command = one.id
"""


def columns(rows: Iterable[tuple[object, ...]], width: int) -> tuple[list[object], ...]:
    """The columns of these rows, each as a list."""
    found: tuple[list[object], ...] = tuple([] for _ in range(width))
    for row in rows:
        for column, value in zip(found, row, strict=True):
            column.append(value)
    return found
