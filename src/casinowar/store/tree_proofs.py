"""Proofs about the tree of a store, for somebody who has checkpoints and not the database.

A proof shows that a newer checkpoint goes on from an older one, or that a stream had reached a version by the time a
checkpoint was signed, or both. It cannot show that the stream had gone no further: any leaf of the tree has a path.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from casinowar.errors import CasinoWarError
from casinowar.merkle import Edge, MerkleTree, consistency_path, is_consistent, root_of_path
from casinowar.store import contract as k
from casinowar.store.chains import StreamHead, leaf_of
from casinowar.store.checkpoints import DIGEST, Checkpoint, is_signed


class NoProof(CasinoWarError):
    """The store cannot show what was asked for."""


class ShownHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A leaf of the tree: a stream at a version, the number of its place, and the path from there to the root."""

    stream: str
    version: int
    events_head: str
    commands: int
    commands_head: str
    number: int
    path: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_digests(self.events_head, self.commands_head, *self.path)


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A proof as it is given away. `newer` is the checkpoint to which it leads."""

    format: Literal["casinowar-proof/1"] = "casinowar-proof/1"
    newer: Checkpoint
    older: Checkpoint | None = None
    consistency: tuple[str, ...] = ()
    head: ShownHead | None = None

    def __post_init__(self) -> None:
        _check_digests(*self.consistency)


def _check_digests(*texts: str) -> None:
    if not all(map(DIGEST.fullmatch, texts)):
        raise ValueError("a digest is 64 lowercase hexadecimal digits")


def make_proof(store: k.Store, older: Checkpoint | None = None, stream: str | None = None) -> Proof:
    """The proof that the last checkpoint goes on from an older one, and how far a stream had come by then."""
    newer = store.last_checkpoint()
    if newer is None or newer.tree is None:
        raise NoProof("the store has no checkpoint over a tree yet")
    leaves = store.leaves()[: newer.tree[0]]
    data = [leaf_of(leaf) for leaf in leaves]
    path: tuple[bytes, ...] = ()
    if older is not None:
        path = consistency_path(data, _size_before(older, store.identity, data))
    return Proof(
        newer=newer,
        older=older,
        consistency=tuple(digest.hex() for digest in path),
        head=None if stream is None else _shown_head(leaves, data, stream),
    )


def _size_before(older: Checkpoint, identity: str, data: list[bytes]) -> int:
    """How many of the leaves an older checkpoint has signed; it must be of this store and of this tree."""
    where = f"checkpoint {older.number}"
    if older.identity != identity:
        raise NoProof(f"{where} is of another store")
    if older.tree is None:
        raise NoProof(f"{where} is of the whole store's chain: only the audit can compare it")
    size, root = older.tree
    if not 0 <= size <= len(data):
        raise NoProof(f"{where} has {size} leaves, and the store has {len(data)}")
    edge = Edge()
    for leaf in data[:size]:
        edge = edge.add(leaf)
    if edge.root != root:
        raise NoProof(f"{where} has another root than the first {size} leaves of the store")
    return size


def _shown_head(leaves: list[StreamHead], data: list[bytes], stream: str) -> ShownHead:
    numbers = [number for number, leaf in enumerate(leaves, start=1) if leaf.stream == stream]
    if not numbers:
        raise NoProof(f"no checkpoint covers {stream}")
    leaf, path = leaves[numbers[-1] - 1], MerkleTree(data).path(numbers[-1] - 1)
    hashes = leaf.events_head.hex(), leaf.commands_head.hex()
    shown = tuple(digest.hex() for digest in path)
    return ShownHead(stream, leaf.version, hashes[0], leaf.commands, hashes[1], numbers[-1], shown)


def load_proof(text: str) -> Proof:
    return msgspec.json.decode(text, type=Proof)


def find_proof_faults(proof: Proof, key: str | None = None, kept: Checkpoint | None = None) -> Iterator[str]:
    """What is wrong with a proof; nothing where it shows what it says.

    `key` is the public key that signs. `kept` is a checkpoint from the holder's own hand, which must be the older one.
    """
    newer, older = proof.newer, proof.older
    for checkpoint in (newer, older):
        if checkpoint is not None and not is_signed(checkpoint, key or newer.key):
            yield f"checkpoint {checkpoint.number}: its signature does not hold"
    if kept is not None and older != kept:
        yield "the older checkpoint is not the one that you kept"
    if older is None and proof.head is None:
        yield "it shows nothing: it has neither an older checkpoint nor a head"
    if newer.tree is None:
        yield f"checkpoint {newer.number}: has no tree"
        return
    if older is not None:
        yield from _consistency_faults(proof, older, newer.tree)
    if proof.head is not None:
        head = proof.head
        hashes = _digests(head.events_head, head.commands_head)
        leaf = leaf_of(StreamHead(head.stream, head.version, hashes[0], head.commands, hashes[1]))
        size, root = newer.tree
        if root_of_path(leaf, head.number - 1, size, _digests(*head.path)) != root:
            yield f"{head.stream}: is not in the tree of checkpoint {newer.number}"


def _consistency_faults(proof: Proof, older: Checkpoint, newer: tuple[int, bytes]) -> Iterator[str]:
    if older.identity != proof.newer.identity:
        yield "the checkpoints are of two stores"
    if older.tree is None:
        yield f"checkpoint {older.number}: has no tree"
    elif not is_consistent(older.tree, newer, _digests(*proof.consistency)):
        yield f"checkpoint {proof.newer.number} does not go on from checkpoint {older.number}"
    later = (proof.newer.number, proof.newer.events, proof.newer.commands)
    if any(now < before for now, before in zip(later, (older.number, older.events, older.commands), strict=True)):
        yield f"checkpoint {proof.newer.number} counts less than checkpoint {older.number}"


def _digests(*texts: str) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def proof_in_words(proof: Proof) -> str:
    """What the proof has shown, in one line."""
    newer, older, head = proof.newer, proof.older, proof.head
    shown = []
    if older is not None:
        shown.append(f"checkpoint {newer.number} goes on from checkpoint {older.number}, of which nothing was changed")
    if head is not None:
        place = f"{head.stream} had reached version {head.version} with {head.commands} commands"
        shown.append(f"{place} by the time checkpoint {newer.number} was signed")
    return "; ".join(shown) + f" (signed by {newer.key})"
