"""Chance in sealed shoes: exactly even by counting, even by statistics fixed in advance, and from nowhere but the seed.

The statistics are taken on fixed seeds, so that a run repeats. `CASINOWAR_SHOES=100000` takes them on more shoes.
"""

import ast
import itertools
import multiprocessing
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import factorial, sqrt
from pathlib import Path
from statistics import NormalDist

import pytest

from casinowar import fairness
from casinowar.cards import DECK, Card
from casinowar.fairness import ByteSource, SealedShoe, derivation, index_below, shuffled
from casinowar.fairness.derivation import stream

pytestmark = pytest.mark.slow

SHOES = int(os.environ.get("CASINOWAR_SHOES", "2000"))
ALPHA = 0.001
CARDS = 312
Shuffle = Callable[[Sequence[int], ByteSource], Sequence[int]]


def test_every_order_of_six_equally_often() -> None:
    """All scripts of five draws, each of the three bits that count below seven: those without rejection, to the last.

    Below 6 and 5 three bits are drawn, below 4 and 3 two, below 2 one; every symbol stands for as many bytes as every
    other. Taken are 6 * 5 * (4 * 2) * (3 * 2) * (2 * 4) of the 8**5 scripts, so each of the 720 orders comes 16 times.
    """
    reached: Counter[tuple[int, ...]] = Counter()
    for script in itertools.product(range(8), repeat=5):
        left = iter(script)
        try:
            reached[shuffled(range(6), lambda count, left=left: bytes([next(left)]))] += 1  # type: ignore[misc]
        except StopIteration:
            continue
    assert len(reached) == factorial(6)
    assert set(reached.values()) == {6 * 5 * 8 * 6 * 8 // 720}


def chi_square_p(statistic: float, freedom: int) -> float:
    """The upper tail by Wilson and Hilferty, good to three digits for the freedoms here (above 300)."""
    spread = 2 / (9 * freedom)
    return 1 - NormalDist().cdf(((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def two_sided_p(z: float) -> float:
    return 2 * (1 - NormalDist().cdf(abs(z)))


def p_values(shuffle: Shuffle, shoes: int) -> dict[str, float]:
    """Six statistics of six-deck shoes, with the moments that evenness gives.

    Cards are numbered; `card // 24` is the rank. Place by rank: cards of one shoe exclude each other, which stretches
    chi-square of 311 * 12 freedoms by 312/311. First card, and card on the last place: 311 freedoms each. Tie of the
    first two: chance 23/311. Descents of an order: mean 311/2, variance 313/12. Fixed points: mean 1, variance 1.
    """
    places: Counter[tuple[int, int]] = Counter()
    firsts: Counter[int] = Counter()
    lasts: Counter[int] = Counter()
    ties = descents = fixed = 0
    for number in range(shoes):
        key = derivation.tagged_digest("statistics", number.to_bytes(8, "big"))
        order = shuffle(range(CARDS), stream(key))
        places.update(enumerate(card // 24 for card in order))
        firsts[order[0]] += 1
        lasts[order[-1]] += 1
        ties += order[0] // 24 == order[1] // 24
        descents += sum(one > two for one, two in itertools.pairwise(order))
        fixed += sum(at == card for at, card in enumerate(order))

    def chi_square(counts: Counter[int], expected: float) -> float:
        return sum((counts[card] - expected) ** 2 / expected for card in range(CARDS))

    share = shoes / 13
    by_rank = sum((places[at, rank] - share) ** 2 / share for at in range(CARDS) for rank in range(13))
    tie = 23 / 311
    return {
        "place by rank": chi_square_p(by_rank * 311 / 312, 311 * 12),
        "first card": chi_square_p(chi_square(firsts, shoes / CARDS), 311),
        "last card": chi_square_p(chi_square(lasts, shoes / CARDS), 311),
        "ties": two_sided_p((ties - shoes * tie) / sqrt(shoes * tie * (1 - tie))),
        "descents": two_sided_p((descents - shoes * 311 / 2) / sqrt(shoes * 313 / 12)),
        "fixed points": two_sided_p((fixed - shoes) / sqrt(shoes)),
    }


def sealed_order(cards: Sequence[int], source: ByteSource) -> Sequence[int]:
    return shuffled(cards, source)


def swapped_with_any(cards: Sequence[int], source: ByteSource) -> Sequence[int]:
    """The well-known wrong shuffle: each place swapped with any."""
    order = list(cards)
    for place in range(len(order)):
        chosen = index_below(len(order), source)
        order[place], order[chosen] = order[chosen], order[place]
    return order


def short_by_one(cards: Sequence[int], source: ByteSource) -> Sequence[int]:
    """The shuffle of a poker site of 1999: the last card can never stay last."""
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        chosen = index_below(place, source)
        order[place], order[chosen] = order[chosen], order[place]
    return order


def remainder_of_a_byte_pair(cards: Sequence[int], source: ByteSource) -> Sequence[int]:
    """No rejection: nine bits folded into the range, so that low places come twice as often as high ones."""
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        chosen = (int.from_bytes(source(2), "big") & 511) % (place + 1)
        order[place], order[chosen] = order[chosen], order[place]
    return order


def rejected(p: dict[str, float]) -> list[str]:
    """Holm's procedure at ALPHA over all of them: an even shuffle fails with a chance of at most one in a thousand."""
    ranked = sorted(p, key=lambda name: p[name])
    found = []
    for at, name in enumerate(ranked):
        if p[name] > ALPHA / (len(ranked) - at):
            break
        found.append(name)
    return found


@pytest.mark.slow
def test_sealed_orders_are_even() -> None:
    p = p_values(sealed_order, SHOES)
    print(f"{SHOES} shoes: " + ", ".join(f"{name} p={value:.3f}" for name, value in p.items()))
    assert rejected(p) == [], p


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [swapped_with_any, short_by_one, remainder_of_a_byte_pair])
def test_the_statistics_find_wrong_shuffles(wrong: Shuffle) -> None:
    assert rejected(p_values(wrong, 2000)) != []


def test_the_first_card_of_sealed_shoes_is_even() -> None:
    """Through the whole shoe with its own seeds: 4,000 shoes of four cards, all 24 orders, chi-square of 23 freedoms.

    The bound 65 is passed with a chance below one in 100,000.
    """
    seen: Counter[tuple[Card, ...]] = Counter()
    for number in range(4000):
        seed = derivation.tagged_digest("four", number.to_bytes(4, "big"))
        shoe = SealedShoe.begin("four", DECK[:4], (1, 3), source=lambda count, seed=seed: seed)  # type: ignore[misc]
        shoe.seal()
        shoe.house_cut()
        seen[tuple(shoe.draw()[0] for _ in range(4))] += 1
    expected = 4000 / 24
    assert sum((seen[order] - expected) ** 2 / expected for order in itertools.permutations(DECK[:4])) < 65


def test_seeds_come_from_the_system_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every other source of chance held still, no two shoes are alike."""
    monkeypatch.setattr(time, "time", lambda: 0.0)
    monkeypatch.setattr(os, "getpid", lambda: 1)
    random.seed(1)
    state = random.getstate()
    seeds = {SealedShoe.begin("t", DECK, None).keep().seed for _ in range(100)}
    assert len(seeds) == 100
    assert random.getstate() == state


def _seed(_: int) -> bytes:
    return SealedShoe.begin("t", DECK, None).keep().seed


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_forked_processes_draw_other_seeds() -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert len(set(pool.map(_seed, range(20), chunksize=1))) == 20


def test_chance_enters_in_one_place() -> None:
    """`secrets` only in the shuffle's source of bytes; no clock, no other chance, no float, no remainder."""
    folder = Path(fairness.__file__).parent
    chance: dict[str, set[str]] = {}
    for file in folder.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        chance[file.name] = names & {"random", "secrets", "os", "time", "datetime", "uuid"}
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)]
        if file.name != "verify_shoe.py":
            assert not [node for node in ast.walk(tree) if isinstance(node, ast.Mod | ast.Div)]
    assert {name: found for name, found in chance.items() if found} == {"shuffle.py": {"secrets"}}


def test_the_script_imports_nothing_of_ours() -> None:
    text = Path(fairness.__file__).with_name("verify_shoe.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"argparse", "hashlib", "hmac", "json", "re", "sys", "collections.abc", "typing"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]


def test_sealing_is_quick() -> None:
    """Best of a few, with much room for a slow machine: 312 cards are sealed in some 2 ms, and drawn in 3 us each."""
    sealing, drawing = [], []
    for _ in range(5):
        shoe = SealedShoe.begin("t", DECK * 6, None)
        begin = time.perf_counter()
        shoe.seal()
        sealing.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        for _ in range(312):
            shoe.draw()
        drawing.append((time.perf_counter() - begin) / 312)
    print(f"sealed in {min(sealing) * 1e3:.2f} ms, drawn in {min(drawing) * 1e6:.1f} us")
    assert min(sealing) < 0.1
    assert min(drawing) < 0.002
