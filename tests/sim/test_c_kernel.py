"""The kernel in C counts what the compiled kernel counts, bit for bit, over all books, box counts and options."""

import ctypes
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from casinowar.rulebooks import BOOKS, load_rulebook, load_with
from casinowar.sim import Plan, PlanRefused, gpu, make_plan, outcome_cells, parameters, run_chunk, tallies
from tests.sim.c_kernel import build, make_cupy, play_on_host
from tests.sim.engine_tables import random_rules, stakes_for

ROUNDS = 2500
SEED, CHUNK = 0xFEDC_BA98_7654_3210, (5 << 32) + 7
"""Both have two halves that are not 0, so that a half which is left out is seen."""

RANKS = "23456789TJQKA"
ALL_WAGERS: dict[str, dict[str, object]] = {"ma": {"wager.progressive": True}}
HOUSES: tuple[tuple[str, dict[str, object]], ...] = (
    ("wa", {"shoe.shuffler": "continuous"}),
    ("ctg", {"shoe.marker_from_back": 1}),
    ("nz", {"shoe.decks": 8}),
    ("ca", {"bank.model": "covered"}),
    ("ca", {"bank.model": "revolving"}),
    ("ca", {"bank.model": "action_cap"}),
    ("ca", {"bank.model": "payoff_cap"}),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return build(gpu.source("host.c"), tmp_path_factory.mktemp("c"))


def choices(book: str) -> Iterator[dict[str, Any]]:
    """What a table may choose, each of them alone and some together."""
    yield from ({}, {"fresh": True}, {"strategy": "surrender"}, {"wagers": ("initial",)})
    if book == "ca":
        yield from ({"bank_stake": 150}, {"bank_stake": 1000, "fresh": True})
    else:
        yield {"session": 37, "bankroll": 2500}
    if book == "ma":
        yield from ({"meter": 12_345, "meter_runs": True}, {"meter_runs": True, "session": 50, "bankroll": 90_000})
    if book == "ctg":
        yield from ({"dry_shoe": "void"}, {"session": 37, "bankroll": 10**7})
    yield {"counted": {"tie": Fraction(-1, 10)}}


def plans(book: str) -> Iterator[Plan]:
    """The plans of a book for every number of boxes."""
    settings = [ALL_WAGERS.get(book, {}), *(changed for name, changed in HOUSES if name == book)]
    for changed in settings:
        rules = load_with(book, changed, any_decks=True)
        for boxes in range(2 if book == "ca" else 1, rules.table.boxes + 1):
            for chosen in choices(book):
                yield make_plan(rules, boxes=boxes, **chosen)


def differs(library: ctypes.CDLL, plan: Plan, rounds: int = ROUNDS) -> bool:
    flat = plan.flat
    ours, theirs = play_on_host(library, flat, SEED, CHUNK, rounds), run_chunk(flat, SEED, CHUNK, rounds)
    assert theirs[tallies.ROUNDS] > 0
    return not np.array_equal(ours, theirs)


@pytest.mark.parametrize("book", BOOKS)
def test_the_kernel_in_c_counts_the_same_for_every_book(library: ctypes.CDLL, book: str) -> None:
    found = [(plan.boxes, plan.rules.options) for plan in plans(book) if differs(library, plan)]
    assert found == []


def random_plan(chance: Random) -> Plan:
    while True:
        rules = random_rules(chance)
        is_banked = rules.bank.by == "player"
        boxes = chance.randrange(2 if is_banked else 1, rules.table.boxes + 1)
        wagers = stakes_for(rules, chance)
        answers = [{rank: chance.choice(("war", "war", "surrender")) for rank in RANKS} for _ in range(boxes)]
        side = [wager for wager in wagers if wager not in ("initial", "progressive")]
        try:
            return make_plan(
                rules,
                boxes=boxes,
                wagers=wagers,
                strategy=answers,  # type: ignore[arg-type]
                counted={wager: Fraction(-1, 8) for wager in side if chance.random() < 0.2},
                dry_shoe="void" if rules.shoe.short == "pit_boss" and chance.random() < 0.5 else "shuffle_discards",
                fresh=chance.random() < 0.2,
                meter=chance.randrange(10**5) if "progressive" in wagers else None,
                meter_runs="progressive" in wagers and chance.random() < 0.5,
                bank_stake=chance.randrange(1, 60 * boxes) if is_banked else None,
            )
        except PlanRefused:
            continue


def test_the_kernel_in_c_counts_the_same_under_random_house_rules(library: ctypes.CDLL) -> None:
    chance = Random(18)
    found = [
        (plan.rules.id, plan.boxes, plan.rules.options)
        for plan in (random_plan(chance) for _ in range(150))
        if differs(library, plan, 1000)
    ]
    assert found == []


def test_a_chunk_of_several_tables_counts_the_same(library: ctypes.CDLL) -> None:
    plan = make_plan(load_rulebook("ma"), boxes=2)
    assert not differs(library, plan, 3 * int(plan.flat[parameters.TABLE_ROUNDS]) + 5)


TWINS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("wa", {}, "? CELL_WAR_LOSS : CELL_WAR_WIN", "? CELL_WAR_WIN : CELL_WAR_LOSS"),
    ("wa", {}, "suits == 3 ? CELL_COLOURED : CELL_MIXED", "suits == 3 ? CELL_MIXED : CELL_COLOURED"),
    ("wa", {"session": 37, "bankroll": 10**7}, "t->roll - FLAT(BIN_BEGIN)", "t->roll"),
    ("ca", {"boxes": 3}, "return paid;", "return paid + 1;"),
    ("ca", {"boxes": 3, "bank_stake": 150}, "t->bank_left = left - paid;", ""),
    (
        "ma",
        {"boxes": 3},
        "add_product(b->paired + 16 * kind + 14, total",
        "add_product(b->paired + 16 * kind + 14, 1 + total",
    ),
    ("nz", {}, "c3 = t->chunk[1]", "c3 = 0"),
    ("wa", {}, "if (two == one) found->theirs = found->upper;", ""),
    ("nz", {}, "if (found->one == x->top) found->lower = found->upper;", ""),
    ("wa", {}, "if (x->taken) x->reserve = pick", "if (0) x->reserve = pick"),
    ("ctg", {}, "(FLAT(CUT) + (FLAT(CUT_FIRST) != 1))", "FLAT(CUT)"),
    ("wa", {"strategy": "surrender"}, "COUNT(tells_ties(flat) ? (int)x->cell : CELL_TIE)", "COUNT(CELL_TIE)"),
    ("ca", {"boxes": 2}, "add_product(b->alone", "add_product(b->paired"),
    ("ca", {"boxes": 3, "bank_stake": 150}, "s->bank_dry += t->bank_short", "s->bank_dry += 0"),
)

# In one word of four, and in both ways to play one box alike, a word is refused, as one of 45,000 is in truth.
OFTEN = "1u << 30"
REFUSED_OFTEN = (
    ("low >= pool || low >= (0u - pool) % pool", f"low >= {OFTEN}"),
    ("low >= pairs || low >= (0u - pairs) % pairs", f"low >= pairs && low >= {OFTEN}"),
    ("low < (0u - size) % size", f"low < {OFTEN}"),
    ("found.low < (0u - pairs) % pairs", f"(found.low < pairs || found.low < {OFTEN})"),
    ("low < (u32)(FLAT(SIZE) * FLAT(SIZE))", f"low < {OFTEN}"),
)
BY_THE_GENERAL_KERNEL = ("if (is_one_box(flat))", "if (0)")


def build_changed(folder: Path, *changes: tuple[str, str]) -> ctypes.CDLL:
    code = gpu.source("host.c")
    for right, wrong in changes:
        assert code.count(right) == 1, right
        code = code.replace(right, wrong)
    return build(code, folder)


@pytest.mark.parametrize(
    "fault",
    [
        (),
        ("if (x->taken_at != number) x->taken = 0;", ""),
        ("(x->taken >> 2) + 1) << 24", "(x->taken >> 1) + 1) << 24"),
    ],
    ids=["right", "the reserve of the round before", "a second block of the reserve"],
)
def test_refused_words_are_drawn_again_alike(fault: tuple[str, str] | tuple[()], tmp_path: Path) -> None:
    """Words of first deals, wars and new shoes, up to further blocks of a reserve: in truth few of them are refused."""
    general = build_changed(tmp_path / "general", *REFUSED_OFTEN, BY_THE_GENERAL_KERNEL)
    steps = build_changed(tmp_path / "steps", *REFUSED_OFTEN, *([fault] if fault else []))
    flat = make_plan(load_rulebook("wa")).flat
    ours, theirs = (play_on_host(library, flat, SEED, CHUNK, 60_000) for library in (steps, general))
    assert np.array_equal(ours, theirs) == (not fault)


@pytest.mark.parametrize("twin", range(len(TWINS)))
def test_a_twin_with_one_fault_is_caught(twin: int, tmp_path: Path) -> None:
    book, chosen, right, wrong = TWINS[twin]
    code = gpu.source("host.c")
    assert code.count(right) == 1
    faulty = build(code.replace(right, wrong), tmp_path)
    assert differs(faulty, make_plan(load_rulebook(book), **chosen), 20_000)


@pytest.mark.parametrize(
    ("book", "chosen"),
    [
        ("wa", {"wagers": ("initial", "tie")}),
        ("wa", {"fresh": True, "boxes": 2}),
        ("ca", {"boxes": 3, "bank_stake": 400}),
        ("ma", {"session": 40, "bankroll": 2000}),
    ],
)
def test_the_device_in_threads_of_the_host_counts_the_same(
    book: str, chosen: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tables of two chunks, the last of them short, run in one launch or in two and come to the sum of both."""
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(tmp_path))
    plan = make_plan(load_rulebook(book), **chosen)
    whole, rest = plan.chunk_rounds, 120 * (plan.session or 41)
    if book == "ca":
        monkeypatch.setattr(gpu, "chunks_at_once", lambda flat, threads: 1)
    ours = gpu.DevicePlan(plan.flat).play_chunks(SEED, CHUNK, whole + rest)
    theirs = run_chunk(plan.flat, SEED, CHUNK, whole) + run_chunk(plan.flat, SEED, CHUNK + 1, rest)
    assert ours == theirs.tolist()


def test_places_in_c_are_those_of_the_kernel() -> None:
    lines = (gpu.FOLDER / "places.h").read_text().splitlines()
    theirs = {line.split()[1]: line.split()[2].rstrip("L") for line in lines if line.startswith("#define")}
    modules = (("AT_", parameters), ("CELL_", outcome_cells), ("TALLY_", tallies))
    for prefix, module in modules:
        for name, number in theirs.items():
            if name.startswith(prefix):
                assert getattr(module, name.removeprefix(prefix)) == int(number), name
    for name in ("FORMAT_NUMBER", "MOST_BOXES", "NO_CUT"):
        assert getattr(parameters, name) == int(theirs[name])
    renewals = [int(theirs[f"RENEWAL_{name}"]) for name in ("SHOE", "FRESH", "CONTINUOUS")]
    assert renewals == [parameters.SHOE, parameters.FRESH, parameters.CONTINUOUS]
    singles = {name for name, number in vars(parameters).items() if name.isupper() and isinstance(number, int)}
    assert singles - {name.removeprefix("AT_") for name in theirs} <= {"SHOE", "FRESH", "CONTINUOUS", *theirs}


@pytest.mark.parametrize("book", BOOKS)
def test_the_device_has_as_many_tallies_as_the_kernel(book: str) -> None:
    for plan in plans(book):
        assert gpu.tallies_length(plan.flat) == tallies.sections(plan.numbers)["end"][0]
        assert gpu.whole_chunk(plan.flat) == plan.chunk_rounds


def test_no_sum_of_a_launch_overflows() -> None:
    """The dearest products that a plan may have come to no more than 63 bits in all chunks of a launch."""
    plan = make_plan(load_rulebook("ma"), boxes=7, wagers={"initial": 100_000_000, "tie": 10_000_000})
    most = 7 * max(abs(number) for number in plan.numbers[parameters.TABLES :])
    rounds = gpu.chunks_at_once(plan.flat, 128) * plan.chunk_rounds
    assert rounds * (most * most >> tallies.LOW_BITS) < 1 << 63
    assert gpu.chunks_at_once(make_plan(load_rulebook("wa")).flat, 128) >= 1000


@pytest.mark.parametrize(("each", "chunks"), [(1e-5, 8192), (0.05, 40), (3.0, 1)])
def test_a_slow_plan_plays_fewer_chunks_in_a_turn_of_the_bench(each: float, chunks: int) -> None:
    """A clock by which each chunk takes so many seconds, and a device that is not full below 64 of them."""
    bench = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "sim_gpu.py"))
    asked: list[int] = []

    def clock(plan: object, rounds: int) -> tuple[float, list[int]]:
        asked.append(rounds // 1000)
        return each * max(64, rounds // 1000) if each < 0.01 else each * (rounds // 1000), []

    assert bench["fitting_chunks"](None, 1000, 8192, clock) == chunks
    assert each * max(asked) < 30


ALONE = """
import sys
import gpu
assert not [name for name in sys.modules if name.startswith("casinowar")], "the project was imported"
try:
    print("device", gpu.device_name())
except gpu.DeviceMissing as error:
    print("missing", error)
"""


def test_it_runs_alone_and_tells_in_one_line_that_there_is_no_device(tmp_path: Path) -> None:
    shutil.copy(Path(gpu.__file__), tmp_path)
    shutil.copytree(gpu.FOLDER, tmp_path / "cuda")
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    (line,) = done.stdout.splitlines()
    assert line.startswith(("device ", "missing no GPU: "))


@pytest.mark.parametrize("book", BOOKS)
def test_a_device_counts_what_the_kernel_counts(book: str) -> None:
    try:
        gpu.device_name()
    except gpu.DeviceMissing as error:
        pytest.skip(str(error))
    for plan in (make_plan(load_rulebook(book), boxes=boxes) for boxes in (2, 5)):
        ours = gpu.run_chunk(plan.flat, SEED, CHUNK, 10_000)
        assert np.array_equal(ours, run_chunk(plan.flat, SEED, CHUNK, 10_000))
