"""The Merkle tree: published roots, every path of small trees, and the two attacks that careless trees allow."""

import hashlib
from collections.abc import Callable

import pytest

from casinowar.fairness import verify_shoe
from casinowar.merkle import (
    EMPTY,
    Edge,
    MerkleTree,
    consistency_path,
    is_consistent,
    leaf_digest,
    node_digest,
    root_of_path,
)

PUBLISHED_LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
PUBLISHED_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The test tree of Certificate Transparency, RFC 6962, one leaf more each time."""


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_are_those_of_certificate_transparency(size: int) -> None:
    leaves = [bytes.fromhex(leaf) for leaf in PUBLISHED_LEAVES[:size]]
    assert MerkleTree(leaves).root.hex() == PUBLISHED_ROOTS[size - 1]
    assert verify_shoe.root_of([leaf_digest(leaf) for leaf in leaves]).hex() == PUBLISHED_ROOTS[size - 1]


@pytest.mark.parametrize("size", [*range(1, 34), 52, 104, 311, 312, 416])
def test_every_path_leads_to_the_root_and_nowhere_else(size: int) -> None:
    leaves = [bytes([at >> 8, at & 255]) for at in range(size)]
    tree = MerkleTree(leaves)
    assert verify_shoe.root_of([leaf_digest(leaf) for leaf in leaves]) == tree.root
    for index, leaf in enumerate(leaves):
        path = tree.path(index)
        assert root_of_path(leaf, index, size, path) == tree.root
        assert verify_shoe.root_by_path(leaf_digest(leaf), index, size, list(path)) == tree.root
        wrong = [(b"?", index, path), (leaf, index, (*path, bytes(32))), (leaf, size, path), (leaf, -1, path)]
        wrong += [(leaf, at, path) for at in (index - 1, index + 1, index ^ 1) if 0 <= at < size and at != index]
        wrong += [(leaf, index, path[:-1]), (leaf, index, path[1:]), (leaf, index, path[::-1])] if len(path) > 1 else []
        assert not [one for one in wrong if root_of_path(one[0], one[1], size, one[2]) == tree.root]


def test_there_is_no_empty_tree_and_no_leaf_outside() -> None:
    with pytest.raises(ValueError, match="leaf"):
        MerkleTree([])
    for index in (-1, 3):
        with pytest.raises(IndexError):
            MerkleTree([b"a", b"b", b"c"]).path(index)


def careless_root(leaves: list[bytes], digest: Callable[[bytes], bytes]) -> bytes:
    """A tree as many have built it: leaves and nodes hashed alike, an odd node paired with itself."""
    level = [digest(leaf) for leaf in leaves]
    while len(level) > 1:
        level += level[-1:] if len(level) % 2 else []
        level = [digest(left + right) for left, right in zip(level[::2], level[1::2], strict=True)]
    return level[0]


def test_a_node_does_not_pass_for_a_leaf() -> None:
    """Second preimage: the pair of digests under the root, given as one leaf of a smaller tree."""
    leaves = [b"a", b"b", b"c", b"d"]

    def plain(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    left, right = plain(plain(b"a") + plain(b"b")), plain(plain(b"c") + plain(b"d"))
    assert careless_root([left + right], plain) == careless_root(leaves, plain), "the attack works on a careless tree"
    left, right = node_digest(leaf_digest(b"a"), leaf_digest(b"b")), node_digest(leaf_digest(b"c"), leaf_digest(b"d"))
    tree = MerkleTree(leaves)
    assert node_digest(left, right) == tree.root
    assert MerkleTree([left + right]).root != tree.root
    assert MerkleTree([b"\x01" + left + right]).root != tree.root
    assert root_of_path(left + right, 0, 1, ()) != tree.root
    assert root_of_path(leaf_digest(b"a") + leaf_digest(b"b"), 0, 2, (right,)) != tree.root
    assert root_of_path(leaf_digest(b"a") + leaf_digest(b"b"), 0, 4, (right,)) is None


@pytest.mark.parametrize("size", [3, 5, 6, 7, 9, 311])
def test_a_last_leaf_twice_is_another_list(size: int) -> None:
    """The flaw of CVE-2012-2459: where an odd node is paired with itself, two lists share a root."""
    leaves = [bytes([at >> 8, at & 255]) for at in range(size)]
    twice = leaves + leaves[-1:] if size % 2 else leaves + leaves[-2:]
    assert careless_root(leaves, leaf_digest) == careless_root(twice, leaf_digest), "the flaw is there where one looks"
    assert MerkleTree(leaves).root != MerkleTree(twice).root


# The growing tree and proofs of consistency


@pytest.mark.parametrize("size", range(1, 9))
def test_the_edge_of_a_growing_tree_has_the_published_roots(size: int) -> None:
    edge = Edge()
    assert edge.root == hashlib.sha256(b"").digest()
    for leaf in PUBLISHED_LEAVES[:size]:
        edge = edge.add(bytes.fromhex(leaf))
    assert (edge.size, edge.root.hex()) == (size, PUBLISHED_ROOTS[size - 1])
    assert len(edge.parts) == size.bit_count()


def test_consistency_proofs_are_those_of_certificate_transparency() -> None:
    """The published proofs for the test tree: 1 to 8, 6 to 8 and 2 to 5."""
    leaves = [bytes.fromhex(leaf) for leaf in PUBLISHED_LEAVES]
    published = {
        (1, 8): [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
        (6, 8): [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
        (2, 5): [
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    }
    for (old, new), digests in published.items():
        assert [one.hex() for one in consistency_path(leaves[:new], old)] == digests


@pytest.mark.parametrize("size", [*range(1, 20), 31, 32, 33, 64, 65])
def test_every_tree_is_consistent_with_its_beginnings_and_with_nothing_else(size: int) -> None:
    leaves = [bytes([at]) for at in range(size)]
    newer = size, MerkleTree(leaves).root
    for old in range(1, size + 1):
        older, path = (old, MerkleTree(leaves[:old]).root), consistency_path(leaves, old)
        assert is_consistent(older, newer, path)
        other = old, MerkleTree([*leaves[: old - 1], b"??"]).root
        assert not is_consistent(other, newer, path)
        assert not is_consistent(older, (size, other[1]), path)
        assert not is_consistent(older, newer, (*path, bytes(32)))
        assert not is_consistent(newer, older, path) or old == size
        for at in range(len(path)):
            assert not is_consistent(older, newer, path[:at] + path[at + 1 :])
            assert not is_consistent(older, newer, (*path[:at], bytes(32), *path[at + 1 :]))
        for near in (old - 1, old + 1):
            assert near in (0, size + 1) or not is_consistent((near, older[1]), newer, path)
    assert is_consistent((0, EMPTY), newer, ())
    assert not is_consistent((0, newer[1]), newer, ())
