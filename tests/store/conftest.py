"""The stores that the tests of this folder begin with."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest

from casinowar.store import Store
from tests.simulator.doors import DOORS, Door, new_database, stand_ins
from tests.support.stores import KINDS, new_store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a store that is not there yet."""
    return tmp_path / "war.db"


@pytest.fixture
def simulated_database() -> Iterator[str]:
    """A simulated database, which the shipped store on PostgreSQL takes for a real one."""
    url = "postgresql://one@simulated/house"
    with ExitStack() as stack:
        for name, stand_in in stand_ins():
            stack.enter_context(mock.patch(name, stand_in))
        stack.enter_context(mock.patch.dict(DOORS, {url: Door(new_database(lambda: time.monotonic_ns() // 1_000_000))}))
        yield url


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, file: Path) -> Iterator[Store]:
    """An empty store, of each kind."""
    made = new_store(request, file)
    yield made
    made.close()
