"""The tables at which something is due: a heap of moments, so that a table costs nothing while nothing is due there."""

import heapq
from collections.abc import Callable


class DueTables:
    """The moment at which each table is to be looked at next, on the monotonic clock."""

    def __init__(self, tick: Callable[[], int]) -> None:
        self._tick = tick
        self._touched: dict[str, None] = {}
        self._moments: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []

    def __len__(self) -> int:
        """The number of moments in the heap, overtaken ones included."""
        return len(self._heap)

    def put(self, table: str, wait: int | None) -> None:
        """Look at the table after so many milliseconds, or not before something happens there."""
        self._touched.pop(table, None)
        if wait is None:
            self._moments.pop(table, None)
            return
        at = self._tick() + wait
        if self._moments.get(table) != at:
            self._moments[table] = at
            heapq.heappush(self._heap, (at, table))
            self._drop_overtaken()

    def touch(self, table: str) -> None:
        """Look at the table at once: something has happened there."""
        self._touched[table] = None
        self._moments.pop(table, None)

    def take(self) -> list[str]:
        """The tables whose moment has come, each once; they are to be put back."""
        due, now = self._touched, self._tick()
        self._touched = {}
        while self._heap and self._heap[0][0] <= now:
            at, table = heapq.heappop(self._heap)
            if self._moments.get(table) == at:
                del self._moments[table]
                due[table] = None
        return list(due)

    def wait(self) -> int | None:
        """The milliseconds until the next moment."""
        if self._touched:
            return 0
        while self._heap and self._moments.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return max(0, self._heap[0][0] - self._tick()) if self._heap else None

    def _drop_overtaken(self) -> None:
        """Make the heap anew where most of its moments are overtaken, so that it grows with the tables alone."""
        if len(self._heap) > 2 * len(self._moments) + 64:
            self._heap = [(at, table) for table, at in self._moments.items()]
            heapq.heapify(self._heap)
