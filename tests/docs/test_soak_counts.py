"""Figures of the table in docs/reliability.md say so where they were taken with less than `make soak` asks for."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
COUNT = re.compile(r"\b([A-Z][A-Z_]+)=([\d.e]+)")


def soak_counts() -> dict[str, dict[str, str]]:
    """For each test file or folder of `make soak` the counts that it is run with."""
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\nsoak:")[2].partition("\n\n")[0]
    found: dict[str, dict[str, str]] = {}
    for line in recipe.splitlines():
        for place in re.findall(r"\btests/[\w/.]+", line):
            found.setdefault(place, {}).update(COUNT.findall(line))
    return found


def faults(table: str) -> list[str]:
    soak, found = soak_counts(), list[str]()
    for row in (line for line in table.splitlines() if line.startswith("|")):
        for command in re.findall(r"`([^`]*)`", row.split(" | ")[1] if " | " in row else ""):
            counts = dict(COUNT.findall(command))
            for place in re.findall(r"\btests/[\w/.]+", command):
                for name, wanted in soak.get(place, {}).items():
                    is_told = "not run yet" in row and f"`{name}={wanted}`" in row
                    if counts.get(name, wanted) != wanted and not is_told:
                        found.append(f"{command}: make soak has {name}={wanted}")
                    if counts.get(name) == wanted and is_told:
                        found.append(f"{command}: which was not run, and is told as the command")
    return found


def test_a_smaller_count_than_that_of_the_long_run_is_told() -> None:
    table = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    assert soak_counts()["tests/crash/peers/test_peer_crash.py"] == {"PEER_KILLS": "200"}
    assert faults(table) == []


def test_a_row_that_says_nothing_of_a_smaller_count_is_found() -> None:
    row = "| promise | `KILLS={} pytest tests/crash/test_store_crash.py` | 0 lost{} | twin |"
    untold = " (`KILLS=1000` was not run yet)"
    assert faults(row.format("20", "")) != []
    assert faults(row.format("20", untold)) == []
    assert faults(row.format("1000", "")) == []
    assert faults(row.format("1000", untold)) != [], "which was not run, and is told as the command"
