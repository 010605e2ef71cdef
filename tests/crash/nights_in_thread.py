"""A server that plays nights in its own thread: the twin that `tests.crash.night_strangers` must find."""

from casinowar.cli import main
from casinowar.web.workers import night_runs
from casinowar.web.workers.night_player import NightPlayer
from casinowar.web.workers.spare_process import SpareProcess

SLICE_S = 8.0
"""Longer than any bound of the harness."""

PLAYER = NightPlayer()
_exchange = SpareProcess.exchange


async def exchange(process: SpareProcess, request: bytes) -> bytes:
    """Nights are played at once, here, and nobody else has a turn."""
    if process._module.endswith("night_player"):
        return PLAYER.answer(request)
    return await _exchange(process, request)


if __name__ == "__main__":
    SpareProcess.exchange = exchange  # type: ignore[method-assign,assignment]
    night_runs.SLICE_S = SLICE_S
    main()
