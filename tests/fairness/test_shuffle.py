"""The shuffle: every order equally often, shown by counting; rejection; and practice shoes that repeat."""

import ast
import hashlib
import itertools
from collections import Counter
from collections.abc import Callable
from math import factorial
from pathlib import Path

import pytest

from casinowar.cards import DECK, RANKS, composition
from casinowar.fairness import entropy, index_below, practice_bytes, practice_shuffles, shuffle, shuffled


class Exhausted(Exception):
    pass


class Scripted:
    """A source that gives the bytes of a script, then ends."""

    def __init__(self, script: tuple[int, ...] | bytes) -> None:
        self.left = bytes(script)

    def __call__(self, count: int) -> bytes:
        if count > len(self.left):
            raise Exhausted
        given, self.left = self.left[:count], self.left[count:]
        return given


def orders_reached(n: int, script_length: int, symbols: int) -> Counter[tuple[int, ...]]:
    """How often each order comes out of all scripts of that length that are used up to the last byte."""
    reached: Counter[tuple[int, ...]] = Counter()
    for script in itertools.product(range(symbols), repeat=script_length):
        source = Scripted(script)
        try:
            order = shuffled(range(n), source)
        except Exhausted:
            continue
        if not source.left:
            reached[order] += 1
    return reached


@pytest.mark.parametrize("bound", [1, 2, 3, 4, 5])
def test_only_the_low_three_bits_of_a_byte_count_below_six(bound: int) -> None:
    """So eight symbols stand for all 256 bytes in the counts that follow."""

    def outcome(byte: int) -> int | None:
        try:
            return index_below(bound, Scripted((byte,)))
        except Exhausted:
            return None

    assert [outcome(byte) for byte in range(256)] == [outcome(byte & 7) for byte in range(256)]


@pytest.mark.parametrize("rejections", [0, 1])
@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.clause("NZ-7.1", "MA-5a-ii")
def test_every_order_comes_out_equally_often(n: int, rejections: int) -> None:
    reached = orders_reached(n, n - 1 + rejections, symbols=8)
    if n == 2 and rejections:
        assert not reached, "one bit chooses between two, and nothing is rejected"
        return
    assert len(reached) == factorial(n)
    assert len(set(reached.values())) == 1


def test_every_order_of_three_over_all_pairs_of_bytes() -> None:
    """3 of 4 values of two bits are taken, then one bit chooses: 256 * 3/4 * 256 pairs over 6 orders."""
    assert orders_reached(3, 2, symbols=256) == dict.fromkeys(itertools.permutations(range(3)), 256 * 3 // 4 * 256 // 6)


def test_nothing_and_one_thing_need_no_chance() -> None:
    no_bytes = Scripted(b"")
    assert shuffled((), no_bytes) == ()
    assert shuffled(("Kh",), no_bytes) == ("Kh",)


@pytest.mark.parametrize(
    ("bound", "script", "index", "left"),
    [
        (5, [7, 6, 5, 4, 9], 4, 1),  # 7, 6 and 5 are no numbers below 5: drawn again.
        (256, [255, 1], 255, 1),  # a whole byte is taken as it is
        (257, [1, 255, 1, 1, 1, 0, 9], 256, 1),  # nine bits: 511 and 257 are rejected
        (312, [0xFF, 0x37, 9], 311, 1),  # only nine of the sixteen bits count: 0x137 is 311
        (1, [9], 0, 1),  # no choice, no byte
    ],
)
def test_numbers_out_of_range_are_drawn_again(bound: int, script: list[int], index: int, left: int) -> None:
    source = Scripted(tuple(script))
    assert index_below(bound, source) == index
    assert len(source.left) == left


def test_an_endless_rejection_never_gives_in() -> None:
    with pytest.raises(Exhausted):
        index_below(5, Scripted((7,) * 1000))


@pytest.mark.parametrize("bound", [0, -3])
def test_no_number_below_one(bound: int) -> None:
    with pytest.raises(ValueError, match="below 1"):
        index_below(bound, entropy)


def test_a_bound_of_312_uses_its_two_bytes_evenly() -> None:
    """Over all 65,536 pairs of bytes each number comes from 128 pairs: 2**16 / 2**9."""
    counts: Counter[int | None] = Counter()
    for pair in itertools.product(range(256), repeat=2):
        try:
            counts[index_below(312, Scripted(pair))] += 1
        except Exhausted:
            counts[None] += 1
    assert counts.pop(None) == (512 - 312) * 128
    assert counts == dict.fromkeys(range(312), 128)


def rfc_hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 as RFC 2104 defines it, without the library's."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


@pytest.mark.parametrize("seed", ["", "monday", "größer"])
@pytest.mark.parametrize("shoe", [1, 2, 300])
def test_the_practice_stream_is_what_its_description_says(seed: str, shoe: int) -> None:
    key = hashlib.sha256(b"casinowar practice shoe 1" + b"\x00" + seed.encode()).digest()
    first = rfc_hmac(key, shoe.to_bytes(8, "big") + bytes(8))
    second = rfc_hmac(key, shoe.to_bytes(8, "big") + bytes(7) + b"\x01")
    source = practice_bytes(seed, shoe)
    assert source(5) + source(40) + source(19) == first + second


def test_practice_shoes_repeat() -> None:
    def three_shoes(seed: str) -> list[tuple[str, ...]]:
        shuffle_next: Callable[[tuple[str, ...]], tuple[str, ...]] = practice_shuffles(seed)
        return [shuffle_next(tuple(DECK)) for _ in range(3)]

    monday = three_shoes("monday")
    assert monday == three_shoes("monday")
    assert monday[1] == shuffled(tuple(DECK), practice_bytes("monday", 2))
    tuesday = three_shoes("tuesday")
    assert len({*monday, *tuesday}) == 6
    assert all(sorted(shoe) == sorted(DECK) for shoe in monday + tuesday)


def test_seeds_that_differ_by_a_zero_byte_differ() -> None:
    assert practice_bytes("a")(32) != practice_bytes("a\0")(32)


def test_a_shuffle_keeps_every_card_and_its_input() -> None:
    shoe = list(DECK) * 6
    before = list(shoe)
    first, second = shuffled(shoe), shuffled(shoe)
    assert Counter(first) == composition(6)
    assert shoe == before
    assert first != second, "two shoes of 312 cards in the same order"


@pytest.mark.parametrize("source_name", ["entropy", "practice"])
def test_ranks_fall_on_places_evenly(source_name: str) -> None:
    """Chi-square of place by rank over 3,000 decks: 51 * 12 degrees of freedom.

    Each place and each rank is fixed in sum, so the mean is 612 and the deviation about 35; the bounds lie some ten
    deviations off, which chance does not reach.
    """
    decks = 3000
    shuffle_next: Callable[[tuple[str, ...]], tuple[str, ...]]
    shuffle_next = shuffled if source_name == "entropy" else practice_shuffles("chi-square")
    seen = Counter((place, card[0]) for _ in range(decks) for place, card in enumerate(shuffle_next(tuple(DECK))))
    expected = decks / 13
    chi_square = sum((seen[place, rank] - expected) ** 2 / expected for place in range(52) for rank in RANKS)
    assert 612 - 350 < chi_square < 612 + 350


def test_the_module_knows_no_other_chance_and_no_clock() -> None:
    tree = ast.parse(Path(shuffle.__file__).read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"hashlib", "hmac", "itertools", "secrets", "collections.abc", "typing"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Mod | ast.Div)]
