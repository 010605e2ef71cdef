"""Ten strangers ask for nights: an honest player waits no longer for it.

`BURST_SECONDS=10` makes it the long form, with the bound of a machine that has nothing else to do.
"""

import asyncio
import os
from pathlib import Path

from tests.crash.burst import CALM, LEAST_MEASURED, Outcome, serving
from tests.crash.night_strangers import crowd

LONG = "BURST_SECONDS" in os.environ
SECONDS = float(os.environ.get("BURST_SECONDS", "2"))
MOST_P99_MS = 100 if LONG else 5_000
"""Beside other tests a command waits for its turn on the machine."""


def is_slow(outcome: Outcome) -> bool:
    return bool(outcome.waits) and outcome.wait_ms(0.99) > MOST_P99_MS


def test_ten_strangers_who_play_nights_cost_the_honest_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, [CALM]) as server:
        outcome, strangers = asyncio.run(crowd(server, CALM.name, SECONDS))
    print(f"\nnights          {outcome}")
    assert all(stranger.nights > 0 for stranger in strangers), "each of them must have been played for"
    assert len(outcome.waits) >= LEAST_MEASURED, "somebody honest must have played"
    assert not outcome.ended
    assert not is_slow(outcome), outcome


def test_the_twin_that_plays_them_in_its_own_thread_is_found(tmp_path: Path) -> None:
    with serving(tmp_path, [CALM], program="tests.crash.nights_in_thread") as server:
        outcome, _ = asyncio.run(crowd(server, CALM.name, 60, is_slow))
    print(f"\nin its thread   {outcome}")
    assert is_slow(outcome), outcome
