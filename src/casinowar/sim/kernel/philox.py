"""The generator: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).

The key is the seed. The counter is (block, table + 2^24 * stream, chunk): stream 0 has the words of first deals, and
the streams above it are the reserve of the round whose number stands as the block. Counters differ, so streams never
overlap: a function that is one to one gives each of them a block of its own.
"""

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from casinowar.sim import table_memory as its
from casinowar.sim.kernel.compilation import compiled, inlined

MASK, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
"""The multipliers, and what is added to the key in each of the ten rounds."""


@inlined
def philox(
    c0: uint64, c1: uint64, c2: uint64, c3: uint64, k0: uint64, k1: uint64
) -> tuple[uint64, uint64, uint64, uint64]:
    """The four words of a counter under a key; every number is below 2^32."""
    for _ in range(10):
        p0 = M0 * c0
        p1 = M1 * c2
        c0 = (p1 >> HALF) ^ c1 ^ k0
        c2 = (p0 >> HALF) ^ c3 ^ k1
        c1 = p1 & MASK
        c3 = p0 & MASK
        k0 = (k0 + W0) & MASK
        k1 = (k1 + W1) & MASK
    return c0, c1, c2, c3


@compiled
def write_words(memory: NDArray[int64], block: int, stream: int, place: int) -> None:
    """Write the four words of a block to a place in the memory, under its key and its chunk."""
    c0, c1, c2, c3 = philox(
        uint64(block),
        uint64(stream),
        uint64(memory[its.CHUNK]),
        uint64(memory[its.CHUNK + 1]),
        uint64(memory[its.KEY]),
        uint64(memory[its.KEY + 1]),
    )
    memory[place] = int64(c0)
    memory[place + 1] = int64(c1)
    memory[place + 2] = int64(c2)
    memory[place + 3] = int64(c3)
