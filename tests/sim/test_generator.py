"""The generator and the draws: published vectors, streams that differ, and cards each of which is equally likely."""

from itertools import product

import numpy as np
import pytest

from casinowar.rulebooks import load_rulebook
from casinowar.sim import make_plan
from casinowar.sim import table_memory as its
from casinowar.sim.kernel import shoe
from casinowar.sim.kernel.chunks import make_memory
from casinowar.sim.kernel.philox import philox, write_words

VECTORS = [
    ((0,) * 4, (0,) * 2, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
"""Known answers of Philox4x32-10, as Random123 publishes them (`kat_vectors`)."""


@pytest.mark.parametrize(("counter", "key", "words"), VECTORS)
def test_published_vectors(counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]) -> None:
    found = philox(*(np.uint64(number) for number in (*counter, *key)))
    assert tuple(map(int, found)) == words


def test_the_key_is_the_seed_and_the_counter_has_block_stream_and_chunk() -> None:
    flat = make_plan(load_rulebook("nz")).flat
    memory = make_memory(flat, 0x299F31D0A4093822, 0x0370734413198A2E)
    write_words(memory, 0x243F6A88, 0x85A308D3, its.WORD)
    assert memory[its.WORD : its.WORD + 4].tolist() == list(VECTORS[2][2])


def test_two_bounds_of_one_word_are_exact() -> None:
    """The rule of the kernel with words of 10 bits: every word is tried, and every pair comes equally often."""
    for pool in (2, 3, 7, 12, 19):
        pairs, words = pool * (pool - 1), 1 << 10
        found = dict.fromkeys(product(range(pool), range(pool - 1)), 0)
        for word in range(words):
            one, rest = divmod(word * pool, words)
            two, low = divmod(rest * (pool - 1), words)
            if low >= words % pairs:
                found[one, two] += 1
        assert set(found.values()) == {words // pairs}


def pair_of(word: int, pool: int) -> tuple[int, int] | None:
    """Which places of the pool one word stands for by plain division; none where it is rejected."""
    whole, low = divmod(word * pool * (pool - 1), 1 << 32)
    return None if low < (1 << 32) % (pool * (pool - 1)) else divmod(whole, pool - 1)


@pytest.mark.parametrize("pool", [312, 300, 53, 3, 2])
def test_the_compiled_draw_takes_the_places_of_the_word(pool: int) -> None:
    flat = make_plan(load_rulebook("nz")).flat
    rejected = 0
    for word in [0, 1, 2**32 - 1, *range(7, 2**32, 2**32 // 500), *range(40)]:
        memory = make_memory(flat, 1, 0)
        deck = list(range(pool))
        memory[its.DECK : its.DECK + pool] = deck
        memory[its.POOL], memory[its.STACK], memory[its.CUT_AT], memory[its.BLOCK] = pool, pool, 10**6, 0
        memory[its.WORD], memory[its.RESERVE_BLOCK] = word, -1
        shoe.draw_two(flat, memory, True, 0)
        places = pair_of(word, pool)
        if places is None:
            rejected += 1
            assert memory[its.RESERVED] >= 1
            continue
        one = deck[places[0]]
        deck[places[0]] = deck[-1]
        assert memory[its.DRAWN : its.DRAWN + 2].tolist() == [one, deck[:-1][places[1]]]
        assert memory[its.RESERVED] == 0
    assert rejected or pool == 2
