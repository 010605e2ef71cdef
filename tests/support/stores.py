"""An empty store of each kind, for the tests that all of them must pass."""

from pathlib import Path

import pytest

from casinowar.store import MemoryStore, SqliteStore, Store
from casinowar.store.commit import Clock, wall_clock

KINDS = ("memory", "sqlite", "postgres", "simulated")


def new_store(request: pytest.FixtureRequest, file: Path, clock: Clock = wall_clock) -> Store:
    """The store of the kind that the fixture's parameter names."""
    if request.param == "memory":
        return MemoryStore(clock)
    if request.param == "sqlite":
        return SqliteStore(file, clock)
    from casinowar.store.postgres.store import PostgresStore

    place = "simulated_database" if request.param == "simulated" else "database"
    return PostgresStore(request.getfixturevalue(place), clock)
