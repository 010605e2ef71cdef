"""Results: added up, kept in files, refused where they do not belong together, and far beyond 64 bits."""

import json
import os
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.rulebooks import load_file, load_rulebook, load_with
from casinowar.sim import CHUNK_ROUNDS, MergeRefused, Plan, Result, load_plan, make_plan, run, run_chunk, run_chunks
from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.sim.planner import MOST_AMOUNT
from casinowar.sim.result.chunk_runs import add_runs
from casinowar.sim.table_plan import TABLE_ROUNDS

WA = load_rulebook("wa")
Change = Callable[[Any], object]


@cache
def result_of(first: int = 0) -> Result:
    return run(make_plan(WA, boxes=2), 11, 30_000, first_chunk=first)


def test_a_result_comes_back_from_its_file(tmp_path: Path) -> None:
    result = result_of()
    result.save(tmp_path / "result.json")
    again = Result.load(tmp_path / "result.json")
    assert (again.seeds, again.chunks, again.tallies) == ((11,), result.chunks, result.tallies)
    assert again.plan.hash == result.plan.hash
    assert again.wager("tie") == result.wager("tie")


def test_plans_of_every_kind_come_back() -> None:
    plans = [
        make_plan(
            WA, boxes=3, wagers={"initial": 7, "tie": 2}, counted={"tie": Fraction(1, 100)}, strategy="surrender"
        ),
        make_plan(load_with("ma", {"wager.progressive": True}), boxes=7, meter=123_456, meter_runs=True),
        make_plan(load_with("ca", {"bank.model": "revolving"}), boxes=5, bank_stake=70),
        make_plan(load_rulebook("ctg"), dry_shoe="void", session=50, bankroll=5000),
    ]
    for plan in plans:
        again = load_plan(plan.to_json())
        assert again.hash == plan.hash
        assert again.numbers == plan.numbers


def test_other_chunks_are_added_and_the_same_refused() -> None:
    both = result_of().merge(result_of(1))
    assert both.rounds == 60_000
    assert both.tallies == [one + other for one, other in zip(result_of().tallies, result_of(1).tallies, strict=True)]
    with pytest.raises(MergeRefused, match="chunk 0"):
        both.merge(result_of())


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (make_plan(load_with("wa", {"payout.tie.on_win": "11:1"}), boxes=2), "rulebooks differ"),
        (make_plan(load_rulebook("nz"), boxes=2), "rulebooks differ"),
        (make_plan(load_with("wa", {"burn.due": "at_deal"}), boxes=2), "rulebooks differ"),
        (make_plan(WA, boxes=2, fresh=True), "plans differ"),
        (make_plan(WA, boxes=2, wagers={"initial": 100}), "plans differ"),
    ],
)
def test_results_of_something_else_are_refused(plan: Plan, told: str) -> None:
    with pytest.raises(MergeRefused, match=told):
        result_of().merge(run(plan, 11, 1000, first_chunk=1))


def test_another_seed_is_added_though_its_chunks_have_the_same_numbers() -> None:
    other = run(make_plan(WA, boxes=2), 2**64 - 1, 1000)
    both = result_of().merge(other)
    assert (both.rounds, both.seeds) == (31_000, (11, 2**64 - 1))
    again = Result.from_json(both.to_json())
    assert again.chunks == both.chunks == [(11, 0, 1, 30_000), (2**64 - 1, 0, 1, 1000)]
    with pytest.raises(MergeRefused, match="chunk 0 of seed 18446744073709551615"):
        again.merge(other)


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told | {"format": "casinowar-simulation/0"},
        lambda told: told | {"plan_hash": "0" * 64},
        lambda told: told | {"tallies": told["tallies"][:-1]},
        lambda told: told | {"plan": told["plan"] | {"boxes": 3}},
        lambda told: {"anything": 1},
    ],
)
def test_a_file_that_was_changed_is_refused(change: object) -> None:
    told = msgspec.json.decode(result_of().to_json())
    with pytest.raises(MergeRefused):
        Result.from_json(msgspec.json.encode(change(told)))  # type: ignore[operator]


def changed_tally(place: int, value: object) -> Change:
    def change(told: Any) -> None:
        told["tallies"][place] = value

    return change


def changed_chunk(*run: object) -> Change:
    def change(told: Any) -> None:
        told["chunks"] = [run]

    return change


def changed_plan(**changes: object) -> Change:
    return lambda told: told["plan"].update(changes)


def changed_leaf(key: str, value: object) -> Change:
    return lambda told: told["plan"]["rules"]["leaves"].update({key: {"value": value, "clauses": []}})


HOSTILE: dict[str, tuple[Change, str]] = {
    "a negative count": (changed_tally(tally.HIGH + 1, "-5"), "less than nothing"),
    "a count of 4000 digits": (changed_tally(tally.HIGH + 1, "9" * 4000), "is no count"),
    "a count that is no number": (changed_tally(tally.HIGH + 1, "NaN"), "'NaN' is no count"),
    "a count as a number": (changed_tally(tally.HIGH + 1, 1.5), "Expected `str`"),
    "one box too many": (changed_tally(tally.HIGH + 1, "77"), "boxes do not add up"),
    "squares without their sums": (changed_tally(tally.SHOE_ROUNDS_SQUARED, "0"), "sums and its squares"),
    "other rounds": (changed_chunk("11", 0, 1, 40_000), "40000 rounds, and its tallies 30000"),
    "rounds that no chunk has": (changed_chunk("11", 0, 1, 10**30), "no chunk of this plan"),
    "a chunk before the first": (changed_chunk("11", -1, 1, 30_000), "no chunk -1"),
    "no chunk": (changed_chunk("11", 0, 0, 30_000), "no chunk 0"),
    "a chunk behind the last": (changed_chunk("11", 1 << 62, 1, 30_000), "no chunk 46"),
    "a seed too large": (changed_chunk(str(1 << 64), 0, 1, 30_000), "of seed 18446744073709551616"),
    "a chunk twice": (
        lambda told: told.update(chunks=[("11", 0, 1, 15_000), ("11", 0, 1, 15_000)]),
        "chunk 0 of seed 11 is in both",
    ),
    "nothing": (lambda told: told.update(chunks=[], tallies=[]), "too few tallies"),
    "another book's hash": (lambda told: told.update(book_hash="0" * 64), "its hash differs"),
    "boxes in words": (changed_plan(boxes="three"), "Expected `int`"),
    "a stake beyond measure": (changed_plan(wagers={"initial": 10**15}), "more than 3000000000"),
    "a bar that takes for ever to work out": (changed_plan(counted={"tie": "1e99999999"}), "regex"),
    "an unknown choice": (changed_plan(luck=True), "unknown field"),
    "no leaves": (lambda told: told["plan"]["rules"].update(leaves={}), "is missing"),
    "decks without end": (
        lambda told: told["plan"]["rules"]["leaves"]["shoe.decks"].update(value=10**12),
        "at most 100",
    ),
    "a leaf in a leaf": (changed_leaf("war.burn.deep", 1), "war.burn"),
    "a key of many parts": (changed_leaf(".".join("a" * 20_000), 1), "recursion"),
    "a title that clears the screen": (
        lambda told: told["plan"]["rules"].update(title="\x1b[2J"),
        "cannot be printed",
    ),
    "a key that clears the screen": (changed_leaf("\x1b[2J", 1), r"x1b\[2J"),
}
"""What somebody may do to a file, and what is said of it."""


@pytest.mark.parametrize("what", HOSTILE)
def test_what_nobody_can_have_played_is_refused(what: str) -> None:
    change, says = HOSTILE[what]
    told = msgspec.json.decode(result_of().to_json())
    change(told)
    with pytest.raises(MergeRefused, match=says) as refused:
        Result.from_json(json.dumps(told).encode())
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("data", [b"", b"hello", b"NaN", b"[" * 200_000, b'{"plan":' * 100_000, bytes(range(256))])
def test_what_is_no_result_at_all_is_refused(data: bytes) -> None:
    with pytest.raises(MergeRefused, match="this is no result of a simulation"):
        Result.from_json(data)


def test_a_file_that_is_too_large_or_never_ends_is_not_read(tmp_path: Path) -> None:
    """The file has a hole, so that it takes no room."""
    with (tmp_path / "large").open("wb") as stream:
        stream.truncate(200 << 20)
    with pytest.raises(MergeRefused, match="larger than 64 MiB"):
        Result.load(tmp_path / "large")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        Result.load(tmp_path / "pipe")


def test_nights_and_banks_that_do_not_add_up_are_refused() -> None:
    night = run(make_plan(WA, wagers={"initial": 10}, session=50, bankroll=100), 1, 5000)
    bank = run(make_plan(load_rulebook("ca"), boxes=3), 1, 5000)
    for result, place, value, says in (
        (night, tally.NIGHTS, "0", "0 nights"),
        (night, tally.NIGHT_SUM, "9" * 30, "sums and its squares"),
        (bank, tally.BANK_ROUNDS, "3", "what its bank gained"),
    ):
        assert Result.from_json(result.to_json()).tallies == result.tallies
        told = msgspec.json.decode(result.to_json())
        told["tallies"][place] = value
        with pytest.raises(MergeRefused, match=says):
            Result.from_json(msgspec.json.encode(told))


def test_runs_of_chunks_are_kept_short() -> None:
    runs: list[tuple[int, int, int, int]] = []
    for chunk in (0, 1, 2, 7, 3, 6):
        runs = add_runs(runs, [(5, chunk, 1, 100)])
    assert runs == [(5, 0, 4, 100), (5, 6, 2, 100)]
    assert add_runs(runs, [(4, 2, 1, 100)]) == [(4, 2, 1, 100), *runs]
    assert add_runs(runs, [(5, 4, 2, 100)]) == [(5, 0, 8, 100)]
    with pytest.raises(MergeRefused, match="chunk 2"):
        add_runs(runs, [(5, 2, 1, 50)])


def test_a_range_of_chunks_is_added_at_once() -> None:
    """Three chunks and a part of a fourth, whose counts somebody has added up, are the same result as one by one."""
    plan = make_plan(WA, boxes=2, session=1 << 18, bankroll=10**8)
    assert plan.chunk_rounds == CHUNK_ROUNDS
    one_by_one, at_once = Result(plan=plan), Result(plan=plan)
    rounds = 3 * CHUNK_ROUNDS + (1 << 18)
    for chunk in range(4):
        size = min(CHUNK_ROUNDS, rounds - chunk * CHUNK_ROUNDS)
        one_by_one.add(7, 10 + chunk, size, run_chunk(plan.flat, 7, 10 + chunk, size).tolist())
    at_once.add(7, 10, rounds, run_chunks(plan.flat, 7, 10, rounds))
    assert at_once.tallies == one_by_one.tallies
    assert at_once.chunks == one_by_one.chunks == [(7, 10, 3, CHUNK_ROUNDS), (7, 13, 1, 1 << 18)]
    for first, size in ((13, 1), (9, 2 * CHUNK_ROUNDS), (11, 1), (10, rounds)):
        with pytest.raises(MergeRefused, match=f"chunk {max(10, first)} of seed 7"):
            at_once.add(7, first, size, one_by_one.tallies)
    assert at_once.tallies == one_by_one.tallies
    at_once.add(7, 14, 1, one_by_one.tallies)
    assert at_once.chunks[-1] == (7, 14, 1, 1)


def test_ten_to_the_twelve_rounds_and_more_do_not_overflow() -> None:
    """Tallies of all chunks are Python's integers; those of one chunk stay below 2^63 by arithmetic."""
    one = result_of()
    times = 10**15
    many = Result(plan=one.plan, chunks=[(1, 0, times, 30_000)], tallies=[count * times for count in one.tallies])
    assert many.rounds == 30_000 * times > 2**63
    for wager in one.plan.wagers:
        assert many.wager(wager).mean == one.wager(wager).mean
        assert many.wager(wager).variance == one.wager(wager).variance
        assert many.wager(wager).standard_error == pytest.approx(one.wager(wager).standard_error / times**0.5)
    assert Result.from_json(many.to_json()).tallies == many.tallies
    hands = CHUNK_ROUNDS * at.MOST_BOXES
    square = MOST_AMOUNT**2
    assert square < 2**63
    assert (square >> tally.LOW_BITS) * hands < 2**63
    assert (1 << tally.LOW_BITS) * hands < 2**63
    assert MOST_AMOUNT * hands < 2**63
    most_cards = 5200 * 5200 * CHUNK_ROUNDS
    assert max(most_cards, TABLE_ROUNDS**2 * CHUNK_ROUNDS) < 2**63


def test_memory_does_not_grow_with_rounds() -> None:
    short, long = run(make_plan(WA), 1, 1000), run(make_plan(WA), 1, 4 * CHUNK_ROUNDS)
    assert len(short.tallies) == len(long.tallies) < 1000
    assert len(long.chunks) == 1


def test_a_house_rulebook_in_a_file_is_simulated(tmp_path: Path) -> None:
    house = tmp_path / "ours.toml"
    house.write_text('extends = "nz"\nid = "ours"\ntitle = "Ours"\n[payout.tie]\non_win = { value = "11:1" }\n')
    figures = run(make_plan(load_file(str(house))), 1, 100_000).wager("tie")
    assert set(figures.histogram) == {Fraction(-1), Fraction(11)}
    assert abs(float(figures.mean) + 0.1131) < 5 * figures.standard_error
