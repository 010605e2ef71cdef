"""What each leaf of a rulebook is about, in a few words."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def leaf_words() -> dict[str, str]:
    """The words for each leaf, by its key. The dict is shared: do not change it."""
    text = (files("casinowar.reports") / "leaf_words.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text), ""))


def _flat(tables: Mapping[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for name, value in tables.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value
