"""The shuffle: Fisher-Yates over a source of bytes, with rejection, so that every order is equally likely.

Two sources of bytes are here. `entropy` is the operating system's. `practice_bytes` is a stream that a seed text fixes,
for shoes that can be dealt again; whoever knows the seed knows every card, so it is for practice alone.

The stream of a seed, so that anybody can compute it: the key is SHA-256 of the domain, a zero byte and the seed in
UTF-8; block k of shoe n is HMAC-SHA-256 under that key of n and k, each as eight bytes with the highest first. Shoes
count from 1, blocks from 0, and the stream of a shoe is its blocks one after the other.
"""

import hashlib
import hmac
import itertools
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
ByteSource = Callable[[int], bytes]
"""A function that gives so many fresh bytes."""

PRACTICE_DOMAIN = b"casinowar practice shoe 1"


def entropy(count: int) -> bytes:
    """Bytes of the operating system's generator.

    >>> from casinowar import fairness
    >>> len(fairness.entropy(32))
    32
    """
    return secrets.token_bytes(count)


def index_below(bound: int, source: ByteSource) -> int:
    """A number from 0 to `bound - 1`, all equally likely: as many bits as it takes, drawn again while out of range.

    >>> from casinowar import fairness
    >>> fairness.index_below(6, fairness.practice_bytes("dice")) in range(6)
    True
    """
    if bound < 1:
        raise ValueError("there is no number below 1 to choose")
    bits = (bound - 1).bit_length()
    mask = (1 << bits) - 1
    while bits:
        drawn = int.from_bytes(source((bits + 7) // 8), "big") & mask
        if drawn < bound:
            return drawn
    return 0


def shuffled(items: Iterable[T], source: ByteSource = entropy) -> tuple[T, ...]:
    """The items in an order of which each is equally likely: the last place first, each filled from those left.

    >>> import casinowar
    >>> sorted(casinowar.shuffled("abcdef"))
    ['a', 'b', 'c', 'd', 'e', 'f']
    """
    order = list(items)
    for place in range(len(order) - 1, 0, -1):
        chosen = index_below(place + 1, source)
        order[place], order[chosen] = order[chosen], order[place]
    return tuple(order)


def practice_bytes(seed: str, shoe: int = 1) -> ByteSource:
    """The stream that the seed fixes for one shoe. Every shoe of a seed has a stream of its own.

    >>> from casinowar import fairness
    >>> fairness.practice_bytes("dawn")(4).hex()
    '211a2dcc'
    """
    key = hashlib.sha256(PRACTICE_DOMAIN + b"\0" + seed.encode("utf-8", "surrogateescape")).digest()
    stream = _blocks(key, shoe)

    def source(count: int) -> bytes:
        return bytes(itertools.islice(stream, count))

    return source


def _blocks(key: bytes, shoe: int) -> Iterator[int]:
    for block in itertools.count():
        yield from hmac.digest(key, shoe.to_bytes(8, "big") + block.to_bytes(8, "big"), "sha256")


class PracticeShuffles:
    """The shoes of a seed, one after the other. A copy goes on with the same shoes, and leaves this one where it is."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.shoes = 0

    def __call__(self, items: Iterable[T]) -> tuple[T, ...]:
        self.shoes += 1
        return shuffled(items, practice_bytes(self.seed, self.shoes))


def practice_shuffles(seed: str) -> PracticeShuffles:
    """A shuffle that takes the seed's first shoe when it is first called, then its second, and so on.

    >>> import casinowar
    >>> shuffle = casinowar.practice_shuffles("dawn")
    >>> shuffle("abcdef"), shuffle("abcdef")
    (('e', 'd', 'a', 'f', 'c', 'b'), ('c', 'b', 'f', 'd', 'a', 'e'))
    """
    if not isinstance(seed, str):
        raise TypeError(f"a seed is text, and not {seed!r}")
    seed.encode("utf-8", "surrogateescape")
    return PracticeShuffles(seed)
