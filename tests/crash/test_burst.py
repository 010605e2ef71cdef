"""Whatever 20 sockets of one address do as often as they may, nobody else is ended, flooded or kept waiting.

`BURST_SECONDS=10` makes it the long form, with the bounds of a machine that has nothing else to do.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.burst import KINDS, Kind, Outcome, Served, assault, serving

LONG = "BURST_SECONDS" in os.environ
SECONDS = float(os.environ.get("BURST_SECONDS", "2"))
MOST_BYTES = 1_000_000 if LONG else 1_500_000
"""A second, over all sockets together. A table is told ten times at once and then five times a second: in two seconds
20 times some 3.5 kB to 30 sockets, which is 1.05 MB a second; in ten seconds 0.63."""

MOST_P99_MS = 100 if LONG else 5_000
"""Beside other tests a command waits for its turn on the machine."""

BY_NAME = {kind.name: kind for kind in KINDS}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("house"), KINDS) as served:
        yield served


def findings(outcome: Outcome) -> set[str]:
    """What went wrong for the honest."""
    checks = {
        "ended": bool(outcome.ended),
        "flooded": outcome.rate > MOST_BYTES,
        "slow": bool(outcome.waits) and outcome.wait_ms(0.99) > MOST_P99_MS,
    }
    return {what for what, is_so in checks.items() if is_so}


EVERY_RUN = ("ready", "watch", "watch_unwatch", "presence", "place_withdraw", "sit_leave", "http_command")
"""Those that once emptied a table; the others are in `make long` and `make soak`."""


def marked(kind: Kind) -> object:
    return pytest.param(kind, id=kind.name, marks=() if kind.name in EVERY_RUN else pytest.mark.long)


@pytest.mark.parametrize("kind", [marked(kind) for kind in KINDS])
def test_a_burst_of_anything_cheap_costs_the_honest_nothing(server: Served, kind: Kind) -> None:
    outcome = asyncio.run(assault(server, kind.name, kind, SECONDS))
    print(f"\n{kind.name:16}{outcome}")
    assert outcome.waits, "somebody honest must have played"
    assert outcome.commands >= (400 if kind.frame else 20), "the attack must have been one"
    assert findings(outcome) == set(), outcome


@pytest.mark.parametrize(("kind", "found"), [("ready", {"ended"}), ("watch", {"flooded", "slow"})])
def test_the_twin_without_defence_is_found(tmp_path: Path, kind: str, found: set[str]) -> None:
    """How much a machine can send depends on what else it does: where it cannot flood the honest, it lets them wait."""
    with serving(tmp_path, [BY_NAME[kind]], program="tests.crash.undefended") as served:
        outcome = asyncio.run(assault(served, kind, BY_NAME[kind], 1, lambda outcome: bool(findings(outcome) & found)))
    print(f"\n{kind:16}{outcome}")
    assert findings(outcome) & found, outcome
