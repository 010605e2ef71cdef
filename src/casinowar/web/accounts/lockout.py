"""A growing wait after failures, for each name and each address that tries passwords; kept in memory alone."""

import threading
from abc import abstractmethod
from collections import UserDict
from collections.abc import Callable, MutableMapping
from contextlib import AbstractContextManager

from casinowar.web.accounts.refusals import MustWait
from casinowar.web.http.throttle import MOST_KEYS

WINDOW_MS = 15 * 60 * 1000
LONGEST_WAIT_MS = 15 * 60 * 1000
FIRST_WAIT_MS = 1000
KEPT_MS = WINDOW_MS + LONGEST_WAIT_MS
"""Failures that are older than this are of no account any more."""

DOUBLINGS = 10
"""After so many the wait is the longest one, and further failures need not be counted."""


class Failures(MutableMapping[str, tuple[int, ...]]):
    """The moments at which each key has failed."""

    @abstractmethod
    def keep_within(self, first: int, last: int) -> None:
        """Drop the keys whose last failure is not within these moments."""


class FailuresMemory(UserDict[str, tuple[int, ...]], Failures):
    """They are kept in memory alone."""

    def keep_within(self, first: int, last: int) -> None:
        for key in [key for key, moments in self.items() if not first <= moments[-1] <= last]:
            del self[key]


class Lockout:
    """After `allowed` failures within 15 minutes a key waits 1 s, and twice as long after each further one, to 15 min.

    It is all forgotten when the key stays without failure for 15 minutes beyond its wait. The clock counts
    milliseconds. It should be a monotonic one; where several servers count together it is the wall's, and what lies
    further ahead of it than the longest wait is from before a jump of the clock, and does not count. Safe in several
    threads. What is kept elsewhere than in memory comes with the guard of its transactions.
    """

    def __init__(
        self,
        allowed: int,
        tick: Callable[[], int],
        most: int = MOST_KEYS,
        *,
        failures: Failures | None = None,
        guard: Callable[[], AbstractContextManager[object]] | None = None,
    ) -> None:
        lock = threading.Lock()
        self._allowed = allowed
        self._tick = tick
        self._most = most
        self._failures: Failures = FailuresMemory() if failures is None else failures
        self._guard = guard or (lambda: lock)

    def __len__(self) -> int:
        return len(self._failures)

    def attempt(self, key: str) -> int:
        """Count a failure before the check is made: many guesses at once must not all come before the first count.

        It gives the moment of the attempt, for `take_back`. A key that has to wait raises `MustWait`, uncounted.
        """
        with self._guard():
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
        with self._guard():
            failures = list(self._failures.get(key, ()))
            if at in failures:
                failures.remove(at)
            if failures:
                self._failures[key] = tuple(failures)
            else:
                self._failures.pop(key, None)

    def forgive(self, key: str) -> None:
        """Forget the failures of a key, since its holder has shown who they are."""
        with self._guard():
            self._failures.pop(key, None)

    def forget_old(self) -> None:
        """Forget the keys whose failures are of no account any more."""
        with self._guard():
            now = self._tick()
            self._failures.keep_within(now - KEPT_MS, now + LONGEST_WAIT_MS)

    def _recent_failures(self, key: str, now: int) -> tuple[int, ...]:
        failures = tuple(at for at in self._failures.get(key, ()) if at <= now + LONGEST_WAIT_MS)
        if len(failures) < self._allowed:
            return tuple(at for at in failures if now - at < WINDOW_MS)
        return failures if now - failures[-1] < self._wait(failures) + WINDOW_MS else ()

    def _wait(self, failures: tuple[int, ...]) -> int:
        """The wait in milliseconds, from the last failure on."""
        beyond = len(failures) - self._allowed
        return min(FIRST_WAIT_MS << beyond, LONGEST_WAIT_MS) if beyond >= 0 else 0
