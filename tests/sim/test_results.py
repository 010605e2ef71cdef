"""Results: added up, kept in files, refused where they do not belong together, and far beyond 64 bits."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec
import pytest

from casinowar.rulebooks import load_file, load_rulebook, load_with
from casinowar.sim import CHUNK_ROUNDS, MergeRefused, Plan, Result, load_plan, make_plan, run
from casinowar.sim import parameters as at
from casinowar.sim import tallies as tally
from casinowar.sim.planner import MOST_AMOUNT
from casinowar.sim.run_result import add_run
from casinowar.sim.table_plan import TABLE_ROUNDS

WA = load_rulebook("wa")


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


def test_runs_of_chunks_are_kept_short() -> None:
    runs: list[tuple[int, int, int, int]] = []
    for chunk in (0, 1, 2, 7, 3, 6):
        runs = add_run(runs, (5, chunk, 1, 100))
    assert runs == [(5, 0, 4, 100), (5, 6, 2, 100)]
    assert add_run(runs, (4, 2, 1, 100)) == [(4, 2, 1, 100), *runs]
    with pytest.raises(MergeRefused, match="chunk 2"):
        add_run(runs, (5, 2, 1, 50))


def test_ten_to_the_twelve_rounds_and_more_do_not_overflow() -> None:
    """Tallies of all chunks are Python's integers; those of one chunk stay below 2^63 by arithmetic."""
    one = result_of()
    times = 10**15
    many = Result(plan=one.plan, chunks=[(1, 0, times, CHUNK_ROUNDS)], tallies=[count * times for count in one.tallies])
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
