"""The stores that the tests of this folder begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from casinowar.store import MemoryStore, SqliteStore, Store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a store that is not there yet."""
    return tmp_path / "war.db"


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, file: Path) -> Iterator[Store]:
    """An empty store, of each kind."""
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(file)
    yield made
    made.close()
