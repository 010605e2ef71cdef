"""What a sealed shoe computes: commitment, promises, the players' mix, order, salts, leaves and the house's cut.

All of it is fixed by the header, the seed and the players' entropy, byte by byte as `docs/fairness.md` tells it.
"""

import hashlib
import hmac
import itertools
from collections.abc import Sequence
from typing import Literal

import msgspec

from casinowar.cards import DECK, Card
from casinowar.fairness.shuffle import ByteSource, index_below

DOMAIN = "casinowar-shoe/1"
SEED_BYTES = 32
LEAST_ENTROPY, MOST_ENTROPY = 16, 64
MOST_CARDS, MOST_SEAT, MOST_TEXT = 0xFFFF, 0xFFFF, 200

ShoeKind = Literal["shoe", "continuous"]
Purpose = Literal["order", "salt", "cut"]


class Header(msgspec.Struct, frozen=True):
    """What is settled about a shoe before its seed is drawn, and what its commitment binds.

    `counts` says how many there are of each card, in the order of `DECK`. `cut_bounds` are the least and the most cards
    that a cut may take from the front to the back; without them there is no cut. `previous` is the commitment of the
    shoe before this one at the same table.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> header = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None).header
    >>> header.shoe, sum(header.counts)
    ('table 1, shoe 1', 312)
    """

    shoe: str
    kind: ShoeKind
    counts: tuple[int, ...]
    cut_bounds: tuple[int, int] | None
    previous: bytes | None

    @property
    def size(self) -> int:
        """How many cards the shoe has."""
        return sum(self.counts)

    @property
    def stack(self) -> tuple[Card, ...]:
        """The cards before the shuffle, in the order of `DECK`, so that nobody can choose how they lie."""
        return tuple(card for card, count in zip(DECK, self.counts, strict=True) for _ in range(count))


class Contribution(msgspec.Struct, frozen=True):
    """What one seat brought: entropy, behind a promise where the table asks for one; none if it was withheld.

    >>> from casinowar import fairness
    >>> from casinowar.cards import DECK
    >>> shoe = fairness.SealedShoe.begin("table 1, shoe 1", DECK * 6, None)
    >>> shoe.promise_entropy(1, "ana", fairness.promise(shoe.commitment, 1, bytes(32)))
    >>> shoe.add_entropy(1, "ana", bytes(32))
    >>> [(one.seat, one.player) for one in shoe.contributions]
    [(1, 'ana')]
    """

    seat: int
    player: str
    promise: bytes | None
    entropy: bytes | None


def tagged_digest(tag: str, *parts: bytes) -> bytes:
    """SHA-256 for one purpose: the domain, the tag and a zero byte, then every part behind its length in four bytes."""
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hashlib.sha256(f"{DOMAIN} {tag}".encode() + b"\0" + framed).digest()


def header_digest(header: Header) -> bytes:
    counts = b"".join(count.to_bytes(2, "big") for count in header.counts)
    bounds = b"".join(bound.to_bytes(4, "big") for bound in header.cut_bounds or ())
    return tagged_digest("header", header.shoe.encode(), header.kind.encode(), counts, bounds, header.previous or b"")


def commitment(header: Header, seed: bytes) -> bytes:
    """What is published before anything else. Its tag has no other use, so it tells nothing of the order."""
    return tagged_digest("commitment", header_digest(header), seed)


def promise(committed: bytes, seat: int, entropy: bytes) -> bytes:
    """A seat's promise of entropy for the shoe of that commitment; another seat cannot use it.

    >>> from casinowar import fairness
    >>> len(fairness.promise(bytes(32), 1, bytes(32)))
    32
    """
    return tagged_digest("promise", committed, seat.to_bytes(2, "big"), entropy)


def mix(committed: bytes, contributions: Sequence[Contribution]) -> bytes:
    """All that the players brought, joined by length and seat. No exclusive-or, so nobody can cancel another's."""
    parts = [committed]
    for one in sorted(contributions, key=lambda each: each.seat):
        parts += [one.seat.to_bytes(2, "big"), one.player.encode(), one.promise or b"", one.entropy or b""]
    return tagged_digest("mix", *parts)


def stream(key: bytes) -> ByteSource:
    """The bytes that a key fixes: HMAC-SHA-256 of 0, 1, 2 and so on, each as eight bytes with the highest first."""
    blocks = itertools.count()
    ahead, at = b"", 0

    def source(count: int) -> bytes:
        nonlocal ahead, at
        while len(ahead) - at < count:
            ahead, at = ahead[at:] + hmac.digest(key, next(blocks).to_bytes(8, "big"), "sha256"), 0
        at += count
        return ahead[at - count : at]

    return source


def purpose_key(seed: bytes, purpose: Purpose, committed: bytes, mixed: bytes) -> bytes:
    """The key for one purpose. The commitment in it makes a seed that is used twice give two orders."""
    return hmac.digest(seed, tagged_digest(purpose, committed, mixed), "sha256")


def order(stack: tuple[Card, ...], key: bytes) -> tuple[Card, ...]:
    """The cards in the order that the key gives them, before the cut: `shuffled(stack, stream(key))` written out.

    A shoe is made again for every player who verifies it and in every audit.
    """
    cards, number = list(stack), int.from_bytes
    ahead, at = b"".join(blocks(key, 0, len(cards) // 8)), 0
    made = len(cards) // 8
    for place in range(len(cards) - 1, 0, -1):
        bits = place.bit_length()
        size, mask, chosen = (bits + 7) // 8, (1 << bits) - 1, place + 1
        while chosen > place:
            if len(ahead) - at < size:
                ahead, at, made = ahead[at:] + b"".join(blocks(key, made, 8)), 0, made + 8
            chosen = number(ahead[at : at + size], "big") & mask
            at += size
        cards[place], cards[chosen] = cards[chosen], cards[place]
    return tuple(cards)


INNER, OUTER = bytes(byte ^ 0x36 for byte in range(256)), bytes(byte ^ 0x5C for byte in range(256))


def blocks(key: bytes, first: int, count: int) -> list[bytes]:
    """HMAC-SHA-256 under a key of 32 bytes of so many numbers, each as eight bytes with the highest first.

    It is written out (RFC 2104), since `hmac.digest` begins with the key anew for each of them.
    """
    sha256, padded = hashlib.sha256, key.ljust(64, b"\0")
    inner, outer = padded.translate(INNER), padded.translate(OUTER)
    return [
        sha256(outer + sha256(inner + number.to_bytes(8, "big")).digest()).digest()
        for number in range(first, first + count)
    ]


def salts(size: int, key: bytes) -> tuple[bytes, ...]:
    """One secret of 32 bytes for each place; without it 52 guesses would find the card behind a leaf."""
    return tuple(blocks(key, 0, size))


def leaf(index: int, card: Card, salt: bytes) -> bytes:
    return index.to_bytes(4, "big") + card.encode() + salt


def house_cut(bounds: tuple[int, int], key: bytes) -> int:
    """Where staff cut when no player does: the key chooses, for staff might know the order."""
    least, most = bounds
    return least + index_below(most - least + 1, stream(key))


def seal_digest(committed: bytes, mixed: bytes, root: bytes) -> bytes:
    """One digest for a player to note before the first wager: it binds header, seed, entropy and every card."""
    return tagged_digest("seal", committed, mixed, root)
