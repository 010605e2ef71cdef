"""The thread that reads the log beside the one that deals: one task at a time, few for one address, answers kept."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from casinowar.web.http.errors import WebError

T = TypeVar("T")
MOST_KEPT = 128


class LogReader:
    """One thread for what grows with the log. Answers are kept by a key that changes as they do, such as a version.

    At most `most` tasks of one address wait or run. Counted by account, somebody with many guests would hold up others.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._thread = ThreadPoolExecutor(1, "reading")
        self._waiting: Counter[str] = Counter()
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    async def read(self, who: str, work: Callable[[], T]) -> T:
        if self._waiting[who] >= self._most:
            raise WebError("too_fast", retry_after=1)
        self._waiting[who] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]

    def recall(self, key: Hashable, work: Callable[[], T]) -> T:
        """The answer that was kept, or a new one. Call it in the reading thread alone."""
        if key not in self._kept:
            self._kept[key] = work()
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        answer: T = self._kept[key]
        return answer

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
