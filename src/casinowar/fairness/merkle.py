"""The Merkle tree of RFC 6962: one digest that fixes a list of leaves, and a short path that shows one of them.

A leaf is hashed behind a zero byte and a node behind a one byte, so neither can pass for the other. A node without a
sibling moves up as it is; it is never paired with itself, so no two lists share a root.
"""

import hashlib
from collections.abc import Sequence


def leaf_digest(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_digest(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """The tree over some leaves, level by level, the leaves' digests first and the root last."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        if not leaves:
            raise ValueError("a tree needs a leaf")
        self._levels = [[leaf_digest(leaf) for leaf in leaves]]
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
    paired = [node_digest(*level[at : at + 2]) for at in range(0, len(level) - 1, 2)]
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
