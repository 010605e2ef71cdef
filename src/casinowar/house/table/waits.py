"""The waits of a live table: since when it waits for what, and for how long people look at what has happened."""

from collections.abc import Callable, Hashable


class Waits:
    """The waits of one table, on the monotonic clock. Nothing follows what has happened before `quiet_until`.

    `snoozed` is the act of the dealer that could not be done, with the version at which it was tried.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self.quiet_until = now()
        self.snoozed: tuple[str, int] | None = None
        self._now = now
        self._known: dict[str, tuple[Hashable, int]] = {}

    def since(self, what: str, key: Hashable) -> int:
        """The moment when the table began to wait for this, which is another thing when the key is."""
        known = self._known.get(what)
        if known is None or known[0] != key:
            known = self._known[what] = (key, self._now())
        return known[1]

    def stop(self, what: str) -> None:
        """Forget a wait: another time the table waits for this, it waits from the beginning."""
        self._known.pop(what, None)

    def clear(self) -> None:
        """Forget all waits: each begins anew."""
        self._known.clear()

    def look_on(self, milliseconds: int) -> None:
        """Let people look at what has happened for so long."""
        if milliseconds:
            self.quiet_until = max(self.quiet_until, self._now() + milliseconds)
