"""Very many connections, of which some read nothing, and a flood: who plays is answered, and memory stays bounded.

`AUDIENCE=1000 BURST_SECONDS=10` is the long form, with the bounds of a machine that has nothing else to do.
"""

import asyncio
import os
from pathlib import Path

import pytest

from casinowar.web.http import door
from tests.crash.audience import audience, resident
from tests.crash.burst import KINDS, Outcome, assault, serving

SIZE = int(os.environ.get("AUDIENCE", "120"))
LONG = "BURST_SECONDS" in os.environ
SECONDS = float(os.environ.get("BURST_SECONDS", "2"))
MOST_P99_MS = 250 if LONG else 5_000
"""Beside other tests a command waits for its turn on the machine."""

MOST_GROWTH, MOST_BYTES = 100_000_000, 1_500_000
"""Bytes of memory; and bytes a second to the honest and the flood together, as in `test_burst`."""

FLOOD = next(kind for kind in KINDS if kind.name == "watch")

pytestmark = pytest.mark.slow


def beset(folder: Path, size: int, program: str = "casinowar") -> tuple[Outcome, list[str]]:
    """What the honest had of it, and what was wrong."""
    door.allow_files()
    with serving(folder, [FLOOD], program) as server:
        before = resident(server.pid)
        with audience(server.port, server.pid, FLOOD.name, size) as there:
            with_them = resident(server.pid)
            outcome = asyncio.run(assault(server, FLOOD.name, FLOOD, SECONDS))
        grown = there.most_resident - before
    megabytes = ", ".join(f"{size / 1e6:.0f}" for size in (before, with_them, there.most_resident))
    print(
        f"\n{size} connections, {there.read_bytes / 1e6:.1f} MB read by them, {there.came_again} ended and back again"
    )
    print(f"memory before, with them, at most: {megabytes} MB; load of the machine {os.getloadavg()[0]:.1f}\n{outcome}")
    found = [f"ended: {one}" for one in outcome.ended]
    found += [f"memory has grown by {grown:,}"] if grown > MOST_GROWTH else []
    found += [f"p99 {outcome.wait_ms(0.99):.0f} ms"] if outcome.wait_ms(0.99) > MOST_P99_MS else []
    found += [f"{outcome.rate / 1e6:.1f} MB/s"] if outcome.rate > MOST_BYTES else []
    return outcome, found


def test_very_many_connections_and_a_flood_hold_up_nobody_and_cost_bounded_memory(tmp_path: Path) -> None:
    outcome, found = beset(tmp_path, SIZE)
    assert found == []
    assert outcome.waits, "somebody honest must have played"


def test_the_twin_without_defence_is_found(tmp_path: Path) -> None:
    """It ends whoever is behind, looks at nobody's pace, and sends each change to everybody at once."""
    assert beset(tmp_path, SIZE, "tests.crash.undefended")[1]
