"""The generator: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).

The key is the seed. The counter is (block, table + 2^24 * stream, chunk): stream 0 has the words of first deals, and
the streams above it are the reserve of the round whose number stands as the block. Counters differ, so streams never
overlap: a function that is one to one gives each of them a block of its own.
"""

import numpy as np

from casinowar.sim.compilation import compiled

MASK = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


@compiled
def philox(c0, c1, c2, c3, k0, k1, words, at):  # type: ignore[no-untyped-def]
    """Write the four words of a counter to `words[at]` and on; every number is a uint64 below 2^32."""
    for _ in range(10):
        p0 = M0 * c0
        p1 = M1 * c2
        c0 = (p1 >> HALF) ^ c1 ^ k0
        c2 = (p0 >> HALF) ^ c3 ^ k1
        c1 = p1 & MASK
        c3 = p0 & MASK
        k0 = (k0 + W0) & MASK
        k1 = (k1 + W1) & MASK
    words[at] = c0
    words[at + 1] = c1
    words[at + 2] = c2
    words[at + 3] = c3
