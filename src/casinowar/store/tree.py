"""The tree over the heads of all streams: what a checkpoint signs, and what is wrong with the leaves of a store."""

from collections.abc import Iterable, Iterator, Sequence

from casinowar.merkle import Edge
from casinowar.store import contract as k
from casinowar.store.chain_walk import ChainWalk
from casinowar.store.chains import WHOLE, StreamHead, leaf_of, old_head
from casinowar.store.checkpoints import Checkpoint


def find_tree_faults(store: k.Store, walk: ChainWalk, checkpoints: Iterable[Checkpoint]) -> Iterator[str]:
    """The faults of leaves, kept heads, the tree's edge, and of the trees that the checkpoints have signed.

    The walk has gone to the end of both chains.
    """
    leaves = store.leaves()
    yield from _head_faults(store, walk, leaves)
    for number, leaf in enumerate(leaves, start=1):
        yield from _leaf_faults(number, leaf, walk)
    yield from _order_faults(leaves)
    signed = sorted((one for one in checkpoints if one.tree is not None), key=lambda one: one.tree or (0, b""))
    last = max((one.tree[0] for one in store.checkpoints() if one.tree is not None), default=0)
    if last != len(leaves):
        yield f"leaf {min(last, len(leaves)) + 1}: the last checkpoint has {last} leaves, and there are {len(leaves)}"
    growing = _Growing(walk)
    for checkpoint in signed:
        yield from growing.faults(checkpoint, leaves)
    growing.grow(leaves)
    if store.tree() != growing.edge:
        yield "the edge of the tree: does not follow from the leaves"


def _head_faults(store: k.Store, walk: ChainWalk, leaves: Sequence[StreamHead]) -> Iterator[str]:
    covered = {leaf.stream: leaf.commands for leaf in leaves}
    kept = store.stream_heads()
    for head, count in kept:
        if head != walk.head(head.stream):
            yield f"the head of {head.stream}: is not the end of its chains"
        if count != covered.get(head.stream, 0):
            yield f"the head of {head.stream}: {count} of its commands are told to be covered"
    missing = set(walk.streams) - {head.stream for head, _ in kept}
    for stream in sorted(missing):
        yield f"the head of {stream}: is missing"
    old = walk.old
    for what, links, count, head_hash in (
        ("events", walk.old_events, old.events, old.events_head),
        ("commands", walk.old_commands, old.commands, old.commands_head),
    ):
        if links.count != count or (count and links.head != head_hash):
            yield f"the old chain of {what}: does not end where it was left"


def _leaf_faults(number: int, leaf: StreamHead, walk: ChainWalk) -> Iterator[str]:
    where = f"leaf {number}"
    if leaf.stream == WHOLE:
        if leaf != old_head(walk.old) or number != 1:
            yield f"{where}: is not the end of the old chains"
        return
    events, commands = walk.streams.get(leaf.stream, (None, None))
    at = None if events is None else events.at(leaf.version)
    if at is None or at[0] != leaf.events_head:
        yield f"{where}: is not what {leaf.stream} was at version {leaf.version}"
    at = None if commands is None else commands.at(leaf.commands)
    if at is None or at[0] != leaf.commands_head:
        yield f"{where}: is not what {leaf.stream} was after {leaf.commands} commands"


def _order_faults(leaves: Sequence[StreamHead]) -> Iterator[str]:
    covered: dict[str, int] = {}
    for number, leaf in enumerate(leaves, start=1):
        if leaf.commands <= covered.get(leaf.stream, 0) and leaf.stream != WHOLE:
            yield f"leaf {number}: {leaf.stream} had gone further before"
        covered[leaf.stream] = leaf.commands


class _Growing:
    """The tree as it grows from checkpoint to checkpoint, with how many events and commands its leaves cover."""

    def __init__(self, walk: ChainWalk) -> None:
        self.edge = Edge()
        self._walk = walk
        self._last: dict[str, StreamHead] = {}
        self._events = self._commands = self._event = self._command = 0

    def grow(self, leaves: Sequence[StreamHead]) -> None:
        for leaf in leaves[self.edge.size :]:
            self.edge = self.edge.add(leaf_of(leaf))
            self._cover(leaf)

    def _cover(self, leaf: StreamHead) -> None:
        """Count what the leaf covers beyond the one before it, and note how far in the log that reaches."""
        if leaf.stream not in self._walk.streams:
            self._events, self._commands = self._events + leaf.version, self._commands + leaf.commands
            return
        events, commands = self._walk.streams[leaf.stream]
        before = self._last.get(leaf.stream)
        self._events += leaf.version - (events.first if before is None else before.version)
        self._commands += leaf.commands - (0 if before is None else before.commands)
        self._event = max(self._event, (events.at(leaf.version) or (b"", 0))[1])
        self._command = max(self._command, (commands.at(leaf.commands) or (b"", 0))[1])
        self._last[leaf.stream] = leaf

    def faults(self, checkpoint: Checkpoint, leaves: Sequence[StreamHead]) -> Iterator[str]:
        where, tree = f"checkpoint {checkpoint.number}", checkpoint.tree
        assert tree is not None
        size, root = tree
        if size > len(leaves):
            yield f"{where}: signed {size} leaves, and {len(leaves)} are left"
            return
        self.grow(leaves[:size])
        if self.edge.root != root:
            yield f"{where}: the leaves before it have been changed"
        reached = (
            (self._events, self._commands),
            (self._event <= checkpoint.events, self._command <= checkpoint.commands),
        )
        if reached != ((checkpoint.events, checkpoint.commands), (True, True)):
            yield f"{where}: its leaves are not the heads of all streams as they stood then"
