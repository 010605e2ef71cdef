"""The share of one server in the tables of a house: pure, from what it sees of the others.

Every server works it out by itself. Where two see different things for a moment, the lease decides.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from casinowar.store.servers import Sight

ORPHANED_MS = 3_000
"""A free table that nobody has taken for so long is for whoever can take it."""


def loads(sight: Sight, streams: Iterable[str]) -> Counter[int]:
    """How many of these streams each server decides that takes tables."""
    counted = Counter({one.number: 0 for one in sight.servers if not one.is_leaving})
    for stream in streams:
        owner = sight.owner(stream)
        if owner is not None and owner in counted:
            counted[owner] += 1
    return counted


def to_take(me: int, sight: Sight, streams: Iterable[str]) -> list[str]:
    """The free streams that fall to this server: each goes to the server that has the fewest then."""
    streams = list(streams)
    counted, found = loads(sight, streams), []
    if me not in counted:
        return []
    for stream in streams:
        if sight.owner(stream) is None:
            taker = min(counted, key=lambda number: (counted[number], number))
            counted[taker] += 1
            if taker == me:
                found.append(stream)
    return found


def to_give(me: int, sight: Sight, streams: Iterable[str], kept: Collection[str] = ()) -> list[str]:
    """The streams that this server hands over: all when it leaves, else half of what it has more than the fewest.

    Nothing is handed over while other streams are free: those come first. Those that are `kept` go only when it leaves.
    """
    streams = list(streams)
    mine = [stream for stream in streams if sight.owner(stream) == me]
    counted = loads(sight, streams)
    if me not in counted:
        return mine if counted else []
    if any(sight.owner(stream) is None for stream in streams):
        return []
    surplus = (counted[me] - min(counted.values())) // 2
    movable = [stream for stream in mine if stream not in kept]
    return movable[max(0, len(movable) - surplus) :] if surplus else []


class Orphans:
    """Free streams that the server to which they fall does not take: it may not know their rules, or hang.

    While others are being taken, the rest wait for their turn and are none.
    """

    def __init__(self) -> None:
        self._free: dict[str, int] = {}

    def find(self, sight: Sight, streams: Iterable[str], now: int) -> list[str]:
        """Those that were free for `ORPHANED_MS`, in which no free stream was taken."""
        free = [stream for stream in streams if sight.owner(stream) is None]
        before = self._free if self._free.keys() <= set(free) else {}
        self._free = {stream: before.get(stream, now) for stream in free}
        return [stream for stream, since in self._free.items() if now - since >= ORPHANED_MS]
