"""The search for the largest pace that a house holds."""

from collections.abc import Awaitable, Callable

from casinowar.cli.bench.report import Stretch

FIRST_PACE, LARGEST_PACE, LEAST_PACE = 50.0, 50_000.0, 1.0
FINE = 0.05
"""A search ends when the pace that holds and the one that does not are so near."""

TRIES, TRIES_WITH_ROOM = 2, 5
"""How often a pace is tried before it counts as too much, and how often one at which the server had room."""


async def held(measure: Callable[[], Awaitable[Stretch]], limit_ms: float) -> bool:
    """Whether a pace holds that is measured until it does, or was tried often enough.

    The machine is never all ours: one sync that takes the disk a quarter of a second makes p99 of a short stretch, at
    whatever pace. A server that had half of its core to spare was not the one that was late, and gets more tries.
    """
    for tried in range(1, TRIES_WITH_ROOM + 1):
        step = await measure()
        if step.holds(limit_ms):
            return True
        if tried >= TRIES and not step.has_room:
            return False
    return False


async def largest_pace(holds: Callable[[float], Awaitable[bool]], first: float) -> float | None:
    """The largest pace that holds: twice as much until one does not, then half the step each time."""
    good, pace = 0.0, first
    while await holds(pace):
        good, pace = pace, 2 * pace
        if pace > LARGEST_PACE:
            return good
    bad = pace
    while not good:
        pace = bad / 2
        if pace < LEAST_PACE:
            return None
        if await holds(pace):
            good = pace
        else:
            bad = pace
    while bad - good > FINE * good:
        pace = float(f"{(good + bad) / 2:.3g}")
        if await holds(pace):
            good = pace
        else:
            bad = pace
    return good
