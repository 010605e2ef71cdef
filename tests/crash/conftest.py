"""Power cuts, kills, bursts and chaos."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test here is slow."""
    item.add_marker("slow")
