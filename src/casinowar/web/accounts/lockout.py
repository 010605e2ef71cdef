"""A growing wait after failures, for each name and each address that tries passwords; kept in memory alone."""

import threading
from collections.abc import Callable

from casinowar.web.accounts.refusals import MustWait
from casinowar.web.http.throttle import MOST_KEYS

WINDOW_MS = 15 * 60 * 1000
LONGEST_WAIT_MS = 15 * 60 * 1000
FIRST_WAIT_MS = 1000
DOUBLINGS = 10
"""After so many the wait is the longest one, and further failures need not be counted."""


class Lockout:
    """After `allowed` failures within 15 minutes a key waits 1 s, and twice as long after each further one, to 15 min.

    It is all forgotten when the key stays without failure for 15 minutes beyond its wait. The clock counts
    milliseconds and never goes back. Safe in several threads.
    """

    def __init__(self, allowed: int, tick: Callable[[], int], most: int = MOST_KEYS) -> None:
        self._allowed = allowed
        self._tick = tick
        self._most = most
        self._failures: dict[str, tuple[int, ...]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._failures)

    def attempt(self, key: str) -> int:
        """Count a failure before the check is made: many guesses at once must not all come before the first count.

        It gives the moment of the attempt, for `take_back`. A key that has to wait raises `MustWait`, uncounted.
        """
        with self._lock:
            now = self._tick()
            failures = self._recent_failures(key, now)
            left = failures[-1] + self._wait(failures) - now if failures else 0
            if left > 0:
                raise MustWait(-(-left // 1000))
            self._failures.pop(key, None)
            self._failures[key] = (*failures, now)[-(self._allowed + DOUBLINGS) :]
            while len(self._failures) > self._most:
                del self._failures[next(iter(self._failures))]
            return now

    def take_back(self, key: str, at: int) -> None:
        """Take back the attempt at that moment: it was no failure. The others of the key stand."""
        with self._lock:
            failures = list(self._failures.get(key, ()))
            if at in failures:
                failures.remove(at)
            if failures:
                self._failures[key] = tuple(failures)
            else:
                self._failures.pop(key, None)

    def forgive(self, key: str) -> None:
        """Forget the failures of a key, since its holder has shown who they are."""
        with self._lock:
            self._failures.pop(key, None)

    def _recent_failures(self, key: str, now: int) -> tuple[int, ...]:
        failures = self._failures.get(key, ())
        if len(failures) < self._allowed:
            return tuple(at for at in failures if now - at < WINDOW_MS)
        return failures if now - failures[-1] < self._wait(failures) + WINDOW_MS else ()

    def _wait(self, failures: tuple[int, ...]) -> int:
        """The wait in milliseconds, from the last failure on."""
        beyond = len(failures) - self._allowed
        return min(FIRST_WAIT_MS << beyond, LONGEST_WAIT_MS) if beyond >= 0 else 0
