"""A house whose clocks stand still until a test puts them forward."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from casinowar.house.house import House, monotonic_ms
from casinowar.house.settings import HouseSettings
from casinowar.web import run
from casinowar.web.metrics import MeasuredStore
from tests.support.live_server import LiveServer, running

MINUTE, DAY = 60_000, 86_400_000
NOON = 1_794_744_000_000
"""15 November 2026, 12:00 UTC."""


class Clocks:
    """The wall's stands still, so that no minute passes by itself; deadlines are counted on one that runs on."""

    def __init__(self) -> None:
        self.wall = NOON
        self._ahead = 0

    def now(self) -> int:
        return self.wall

    def tick(self) -> int:
        return monotonic_ms() + self._ahead

    def forward(self, live: LiveServer, minutes: int) -> None:
        """Minute by minute, as notices count them; one that has just been given begins to count first."""
        live.call(live.server.house.advance)
        for _ in range(minutes):
            self.wall += MINUTE
            self._ahead += MINUTE
            live.call(live.server.house.advance)


@contextmanager
def running_later(folder: Path, settings: HouseSettings) -> Iterator[tuple[LiveServer, Clocks]]:
    clocks = Clocks()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "MeasuredStore", partial(MeasuredStore, clock=clocks.now))
        patch.setattr(run, "House", partial(House, tick=clocks.tick))
        with running(folder, settings) as live:
            yield live, clocks
