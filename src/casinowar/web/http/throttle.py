"""A throttle: a token bucket for each address or account."""

import time
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

MOST_KEYS = 10_000
"""Beyond so many keys the one that was quiet longest is forgotten, so that a flood of names costs no memory."""


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def address_key(address: str) -> str:
    """The key by which an address is counted. A household has one IPv4 address or 2^64 of IPv6, which count as one."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False))


@lru_cache(4_096)
def network_key(address: str) -> str:
    """The network of an address or of an address's key: 256 addresses of IPv4, or what a site has of IPv6."""
    try:
        parsed = ip_address(address_key(address.partition("/")[0]).partition("/")[0])
    except ValueError:
        return address[:64]
    return str(ip_network((parsed, 48 if isinstance(parsed, IPv6Address) else 24), strict=False))


class Throttle:
    """A bucket for each key: `burst` at once, then `rate` a second, by a clock of milliseconds. For one thread.

    A bucket is kept as the moment at which it is full again: one that is full is the same as none, and is forgotten.
    """

    def __init__(self, rate: float, burst: int, tick: Callable[[], int], most: int = MOST_KEYS) -> None:
        self._tick = tick
        self._most = most
        self._interval = int(1_000_000_000 // rate)
        self._depth = burst * self._interval
        self._full_at: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._full_at)

    def allows(self, key: str) -> bool:
        """Whether the bucket of this key has a token, which is then taken. A refusal costs nothing."""
        now = self._tick() * 1_000_000
        self._forget(now)
        full_at = max(self._full_at.get(key, now), now) + self._interval
        if full_at - now > self._depth:
            return False
        self._full_at.pop(key, None)
        self._full_at[key] = full_at
        while len(self._full_at) > self._most:
            del self._full_at[next(iter(self._full_at))]
        return True

    def _forget(self, now: int) -> None:
        """Drop the full buckets that were quiet longest; the others follow in their turn."""
        while self._full_at and self._full_at[first := next(iter(self._full_at))] <= now:
            del self._full_at[first]
