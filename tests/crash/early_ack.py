"""A server that answers before the disk has it: the twin that every harness for lost answers must find.

Commits are gathered, and only every 25th reaches the file, whatever was to be committed together.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from casinowar.cli import main
from casinowar.store import SqliteStore
from casinowar.store.sqlite.connection import execute

GATHERED = 25


@contextmanager
def gathered(store: SqliteStore) -> Iterator[None]:
    db = store._db
    if not db.in_transaction:
        execute(db, "BEGIN IMMEDIATE")
    execute(db, "SAVEPOINT one")
    try:
        yield
    except BaseException:
        execute(db, "ROLLBACK TO one")
        raise
    execute(db, "RELEASE one")
    if store.head().commands % GATHERED == 0:
        execute(db, "COMMIT")


if __name__ == "__main__":
    SqliteStore._transaction = gathered  # type: ignore[method-assign,assignment]
    SqliteStore.begin_together = SqliteStore.finish_together = lambda store: None  # type: ignore[method-assign,assignment]
    main()
