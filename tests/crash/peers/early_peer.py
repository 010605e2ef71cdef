"""A server on a database that answers before the disk has it: the twin that the harness for killed servers must find.

Of what tables commit every tenth command never comes to the disk.
"""

from collections.abc import Callable
from itertools import count
from typing import TypeVar

from casinowar.cli import main
from casinowar.store.postgres.store import PostgresStore

T = TypeVar("T")
LOST = 10
_count = count(1)


def by_itself(store: PostgresStore, do: Callable[[], T]) -> T:
    done = do()
    is_shared = any(one.proposal.stream == "house" for one in store._members)
    if is_shared or next(_count) % LOST:
        store._finish()
    else:
        store._give_up()
    return done


if __name__ == "__main__":
    PostgresStore._by_itself = by_itself  # type: ignore[method-assign,assignment]
    main()
