"""The Merkle tree of RFC 6962: one digest that fixes a list of leaves, and short proofs about it.

A path shows that one leaf is in the list. A proof of consistency shows that a list goes on from an earlier one.

A leaf is hashed behind a zero byte and a node behind a one byte, so neither can pass for the other. A node without a
sibling moves up as it is; it is never paired with itself, so no two lists share a root.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

EMPTY = hashlib.sha256(b"").digest()
"""The root of a tree without a leaf."""


def leaf_digest(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_digest(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """The tree over some leaves, level by level, the leaves' digests first and the root last."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        if not leaves:
            raise ValueError("a tree needs a leaf")
        sha256 = hashlib.sha256
        self._levels = [[sha256(b"\x00" + leaf).digest() for leaf in leaves]]
        while len(self._levels[-1]) > 1:
            self._levels.append(_above(self._levels[-1]))

    @property
    def root(self) -> bytes:
        return self._levels[-1][0]

    def path(self, index: int) -> tuple[bytes, ...]:
        """The siblings on the way from a leaf up to the root."""
        if not 0 <= index < len(self._levels[0]):
            raise IndexError(f"there is no leaf {index}")
        siblings = []
        for level in self._levels[:-1]:
            if index ^ 1 < len(level):
                siblings.append(level[index ^ 1])
            index >>= 1
        return tuple(siblings)


def _above(level: list[bytes]) -> list[bytes]:
    sha256 = hashlib.sha256
    paired = [sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)]
    return paired + level[2 * len(paired) :]


def root_of_path(data: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root to which the path leads from that leaf of a tree of that size; none where no such path exists.

    Index and size alone fix how long the path is and on which side each sibling stands.
    """
    if not 0 <= index < size:
        return None
    siblings = list(path)
    digest = leaf_digest(data)
    last = size - 1
    while last:
        if index & 1 or index < last:
            if not siblings:
                return None
            sibling = siblings.pop(0)
            digest = node_digest(sibling, digest) if index & 1 else node_digest(digest, sibling)
        index >>= 1
        last >>= 1
    return None if siblings else digest


class Edge(NamedTuple):
    """The right edge of a growing tree: how many leaves it has, and the roots of its full parts, the largest first.

    It is all that is needed to add leaves and to know the root; there are as many parts as the size has ones in binary.
    """

    size: int = 0
    parts: tuple[bytes, ...] = ()

    def add(self, data: bytes) -> "Edge":
        """The edge after one more leaf."""
        parts, digest, full = list(self.parts), leaf_digest(data), self.size
        while full & 1:
            digest = node_digest(parts.pop(), digest)
            full >>= 1
        return Edge(self.size + 1, (*parts, digest))

    @property
    def root(self) -> bytes:
        if not self.parts:
            return EMPTY
        *left, digest = self.parts
        for part in reversed(left):
            digest = node_digest(part, digest)
        return digest


def consistency_path(leaves: Sequence[bytes], size: int) -> tuple[bytes, ...]:
    """The digests that show that the tree over all leaves goes on from the one over the first `size` of them."""
    if not 0 <= size <= len(leaves):
        raise IndexError(f"there are no {size} leaves")
    return tuple(_lead(leaves, size, is_known=True)) if size else ()


def _lead(leaves: Sequence[bytes], size: int, *, is_known: bool) -> list[bytes]:
    """`is_known` says that these leaves begin where all of them do: the verifier has the root of the first ones."""
    if size == len(leaves):
        return [] if is_known else [MerkleTree(leaves).root]
    left = 1 << (len(leaves) - 1).bit_length() - 1
    if size <= left:
        return [*_lead(leaves[:left], size, is_known=is_known), MerkleTree(leaves[left:]).root]
    return [*_lead(leaves[left:], size - left, is_known=False), MerkleTree(leaves[:left]).root]


def is_consistent(older: tuple[int, bytes], newer: tuple[int, bytes], path: Sequence[bytes]) -> bool:
    """Whether the path shows that a newer tree goes on from an older one, each given by its size and root."""
    (first, first_root), (second, second_root) = older, newer
    if not 0 <= first <= second:
        return False
    if first in (0, second):
        return not path and first_root == (second_root if first == second else EMPTY)
    digests = [first_root, *path] if first & (first - 1) == 0 else list(path)
    if not digests:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = digests[0]
    for digest in digests[1:]:
        if not last:
            return False
        if at & 1 or at == last:
            old, new = node_digest(digest, old), node_digest(digest, new)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            new = node_digest(new, digest)
        at, last = at >> 1, last >> 1
    return not last and (old, new) == (first_root, second_root)
