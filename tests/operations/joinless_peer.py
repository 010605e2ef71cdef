"""A server whose database is gone at the moment in which it joins the others."""

from collections.abc import Callable

from casinowar.cli import main
from casinowar.store.postgres.connection import ConnectionLost
from casinowar.store.postgres.registry import DatabaseRegistry


def listen(registry: DatabaseRegistry, woken: Callable[[str], None]) -> None:
    raise ConnectionLost("the database cannot be reached: no answer")


if __name__ == "__main__":
    DatabaseRegistry.listen = listen  # type: ignore[assignment, method-assign]
    main()
