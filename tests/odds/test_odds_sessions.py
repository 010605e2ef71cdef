"""Sessions: powers against plain convolution, bounds against exact values, ruin against recursions."""

import json
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import perm, sqrt

import pytest

from casinowar.odds.composition import fresh
from casinowar.odds.figures import Figures, Study, combined, study
from casinowar.odds.stretch import results as results_module
from casinowar.odds.stretch import ruin as ruin_module
from casinowar.odds.stretch.results import Chance, exact_results, results_after, rounded_results
from casinowar.odds.stretch.ruin import ruin, walk
from casinowar.odds.stretch.stretch import berry_esseen, normal_below, stretch
from casinowar.odds.stretch.text import stretch_data, tell_stretch
from casinowar.rulebooks.variants import load_with

Law = dict[Fraction, Fraction]
TINY = Fraction(1, 10**25)


@cache
def six_decks(book: str = "ca", **settings: str) -> Study:
    return study(load_with(book, {key.replace("__", "."): value for key, value in settings.items()}), fresh(6))


def made(law: Iterable[tuple[int | Fraction, Fraction]]) -> Figures:
    return Figures("made up", {Fraction(net): chance for net, chance in law}, Fraction(1))


def kinds() -> list[Figures]:
    """Whole and half units, long odds, a war that pays more, and wagers together."""
    ca = six_decks()
    return [
        ca.figures("initial"),
        ca.figures("initial", "surrender"),
        ca.figures("tie"),
        six_decks("ctg").figures("initial"),
        combined(ca, {"initial": 2, "tie": 1}),
    ]


def convolved(law: Law, rounds: int) -> Law:
    found = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        following: Law = {}
        for so_far, chance in found.items():
            for net, likely in law.items():
                following[so_far + net] = following.get(so_far + net, Fraction(0)) + chance * likely
        found = following
    return found


# The result after n rounds.


@pytest.mark.parametrize("figures", kinds(), ids=lambda one: f"{one.wager} {one.ev}"[:30])
@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_exact_results_are_the_convolution(figures: Figures, rounds: int) -> None:
    results = exact_results(figures, rounds)
    expected = convolved(figures.distribution, rounds)
    found = {
        results.lowest + at * results.step: Fraction(weight, results.total)
        for at, weight in enumerate(results.weights)
        if weight
    }
    assert found == expected
    asked = stretch(figures, rounds)
    assert asked.method == "exact"
    assert asked.error == 0
    assert asked.ahead.low == asked.ahead.high == sum(chance for net, chance in expected.items() if net > 0)
    assert asked.even.low == asked.even.high == expected.get(Fraction(0), 0)
    assert asked.behind.low == asked.behind.high == sum(chance for net, chance in expected.items() if net < 0)
    for share, result in asked.quantiles.items():
        up_to = sum(chance for net, chance in expected.items() if net <= result)
        assert up_to >= share > up_to - expected[result]


def test_one_round_of_the_known_distribution() -> None:
    """Six decks: a first win or loss has 144/311 each, and the rest of the wins comes from wars."""
    asked = stretch(six_decks().figures("initial"), 1)
    assert asked.expected == Fraction(-23138, 993023)
    assert asked.even.high == 0
    assert asked.ahead.low + asked.behind.low == 1
    assert asked.ahead.low == six_decks().figures("initial").hit_frequency


@pytest.mark.parametrize("figures", kinds(), ids=lambda one: f"{one.wager} {one.ev}"[:30])
def test_rounded_results_lie_below_the_exact_by_no_more_than_they_say(figures: Figures) -> None:
    exact, rounded = exact_results(figures, 201), rounded_results(figures, 201)
    assert rounded is not None
    assert rounded.step == exact.step
    assert 0 < rounded.missing < TINY
    first = int((rounded.lowest - exact.lowest) / exact.step)
    for at, weight in enumerate(rounded.weights):
        short = Fraction(exact.weights[first + at], exact.total) - Fraction(weight, rounded.total)
        assert 0 <= short <= rounded.missing
    outside = exact.weights[:first] + exact.weights[first + len(rounded.weights) :]
    assert Fraction(sum(outside), exact.total) <= rounded.missing


def test_the_mean_and_the_variance_of_a_long_session() -> None:
    figures = six_decks().figures("initial")
    results = results_after(figures, 20_000)
    assert results is not None
    assert results.method == "rounded"
    mean = square = Fraction(0)
    for at, weight in enumerate(results.weights):
        value = results.lowest + at * results.step
        mean += value * Fraction(weight, results.total)
        square += value * value * Fraction(weight, results.total)
    assert abs(mean - 20_000 * figures.ev) < TINY
    assert abs(square - mean * mean - 20_000 * figures.variance) < Fraction(1, 10**20)


@pytest.mark.parametrize("rounds", [100, 600])
def test_the_normal_law_is_off_by_less_than_its_bound(rounds: int) -> None:
    """Everywhere, and by far less than it may be; without a bound that bites the check would be idle."""
    figures = six_decks().figures("initial")
    exact, worst, below = exact_results(figures, rounds), 0.0, 0
    for at, weight in enumerate(exact.weights):
        middle = exact.lowest + (at - Fraction(1, 2)) * exact.step
        worst = max(worst, abs(normal_below(figures, rounds, middle) - float(Fraction(below, exact.total))))
        below += weight
    bound = float(berry_esseen(figures, rounds))
    assert worst < bound < 1.2 * 0.4748 / sqrt(rounds)
    assert bound / 1000 < worst


@pytest.mark.parametrize("figures", kinds(), ids=lambda one: f"{one.wager} {one.ev}"[:30])
def test_sessions_by_the_normal_law_hold_the_exact_chances(figures: Figures, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = stretch(figures, 400)
    monkeypatch.setattr(results_module, "EXACT_ROUNDS", 0)
    monkeypatch.setattr(results_module, "MOST_RESULTS", 1)
    normal = stretch(figures, 400)
    assert (exact.method, normal.method) == ("exact", "normal")
    for one, two in ((exact.ahead, normal.ahead), (exact.even, normal.even), (exact.behind, normal.behind)):
        assert two.low <= one.low <= two.high
        assert abs(two.middle - one.low) < Fraction(1, 50)
    for share, result in exact.quantiles.items():
        assert abs(normal.quantiles[share] - result) <= Fraction(7, 100) * Fraction(exact.sd) + 11


def test_which_method_is_taken() -> None:
    figures = six_decks().figures("initial")
    assert stretch(figures, 1000).method == "exact"
    assert stretch(figures, 1001).method == "rounded"
    assert stretch(figures, 100_000_000).method == "normal"


# An hour, N0.


def test_an_hour_and_n0() -> None:
    asked = stretch(six_decks().figures("initial"), 10, stake=500, pace=60)
    assert asked.loss_per_hour == 60 * 500 * Fraction(23138, 993023)
    assert asked.sd_per_hour == pytest.approx(500 * sqrt(60) * 1.0576, rel=1e-4)
    assert asked.n0 is not None
    n0 = float(asked.n0)
    assert n0 * 23138 / 993023 == pytest.approx(sqrt(n0) * asked.sd / sqrt(10))
    assert round(n0) == 2060


def test_dealing_on_through_a_shoe_hardly_matters() -> None:
    """Two tie wagers of one shoe: (22 * 21 + 12 * 24 * 23) of 310 * 309 ways tie again, against 23 of 311."""
    again, first = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309), Fraction(23, 311)
    correlation = (again - first) / (1 - first)
    assert 0 < correlation < Fraction(21, 10**6)
    assert 49 * correlation < Fraction(105, 100_000)


def test_later_rounds_of_a_shoe_have_the_same_expectation() -> None:
    """Every order of eight cards: the third card against the fourth is as the first against the second."""
    cards = [0, 0, 0, 1, 1, 2, 2, 3]
    deals = list(permutations(cards, 4))
    assert len(deals) == perm(8, 4)
    for one, two in ((0, 1), (2, 3)):
        assert sum((deal[one] > deal[two]) - (deal[one] < deal[two]) for deal in deals) == 0
        assert sum(deal[one] == deal[two] for deal in deals) == perm(8, 4) * (3 * 2 + 2 + 2) / (8 * 7)
    # What is won or lost in the one is won as often as lost, whatever comes in the other.
    products = [
        ((deal[0] > deal[1]) - (deal[0] < deal[1])) * ((deal[2] > deal[3]) - (deal[2] < deal[3])) for deal in deals
    ]
    assert sum(products) == 0


# Ruin.


def close(chance: Chance, value: Fraction, within: Fraction = TINY) -> bool:
    return chance.low - within <= value <= chance.high + within and chance.error < within


def test_the_gambler_of_the_textbook() -> None:
    """One up with 3/5 and one down with 2/5: ruin of n units is (2/3)^n."""
    figures = made([(-1, Fraction(2, 5)), (1, Fraction(3, 5))])
    for bankroll in (1, 2, 10, 37):
        found = ruin(figures, Fraction(bankroll), 5)
        assert close(found.ever, Fraction(2, 3) ** bankroll)
        assert close(found.bounds, Fraction(2, 3) ** bankroll)


def test_a_wager_that_loses_one_unit_has_a_power_of_one_root() -> None:
    """A tie wager at 14 to 1 is worth having; the root makes the martingale even."""
    figures = six_decks(payout__tie__on_win="14:1").figures("tie")
    assert figures.ev > 0
    one = ruin(figures, Fraction(1), 5).ever.middle
    assert abs(sum(chance * one ** (int(net) + 1) for net, chance in figures.distribution.items()) - one) < TINY
    assert close(ruin(figures, Fraction(20), 5).ever, one**20)


def test_ruin_with_an_edge_solves_its_recursion_and_is_one_below_nothing() -> None:
    figures = six_decks("ctg").figures("initial")
    assert figures.ev > 0
    ever = {u: ruin(figures, Fraction(u), 1).ever.middle for u in range(1, 40)} | {0: Fraction(1), -1: Fraction(1)}
    for capital in range(1, 36):
        following = sum(chance * ever[capital + int(net)] for net, chance in figures.distribution.items())
        assert abs(following - ever[capital]) < TINY
    assert all(ever[u] > ever[u + 1] > 0 for u in range(39))
    assert ever[39] < Fraction(2, 5)


def test_ruin_with_an_edge_as_the_limit_of_stopping_at_a_goal() -> None:
    """A linear system: ruin before a goal, by elimination from the goal down, falls short by no more than R^goal."""
    figures = six_decks("ctg").figures("initial")
    goal, bankroll = 2600, 30
    law = {int(net): float(chance) for net, chance in figures.distribution.items()}
    found = ruin(figures, Fraction(bankroll), 1)
    assert found.root is not None
    assert close(found.ever, Fraction(_before_goal(law, bankroll, goal)), Fraction(1, 10**9))
    assert found.bounds.low < found.ever.low <= found.ever.high < found.bounds.high
    assert found.bounds.high - found.bounds.low < Fraction(3, 100)


def _before_goal(law: dict[int, float], start: int, goal: int) -> float:
    """Gauss on the band of `ruin(u) = sum p(x) ruin(u + x)`, which is 1 at or below 0 and 0 at the goal and above."""
    deep, high = -min(law), max(law)
    rows: list[dict[int, float]] = []
    right: list[float] = []
    for capital in range(1, goal):
        row = {capital: 1.0}
        for net, chance in law.items():
            if 0 < capital + net < goal:
                row[capital + net] = row.get(capital + net, 0.0) - chance
        rows.append(row)
        right.append(sum(chance for net, chance in law.items() if capital + net <= 0))
    for at, pivot in enumerate(rows):
        for below in range(at + 1, min(at + deep + 1, goal - 1)):
            factor = rows[below].pop(at + 1, 0.0) / pivot[at + 1]
            for column in range(at + 2, min(at + high + 2, goal)):
                rows[below][column] = rows[below].get(column, 0.0) - factor * pivot.get(column, 0.0)
            right[below] -= factor * right[at]
    values = [0.0] * (goal + high + 1)
    for at in range(goal - 2, -1, -1):
        known = sum(value * values[to] for to, value in rows[at].items() if to != at + 1)
        values[at + 1] = (right[at] - known) / rows[at][at + 1]
    return values[start]


def test_deeper_losses_have_bounds() -> None:
    """Three units down at worst: ruin lies between R^(u+2) and R^u, and a long walk comes in between."""
    figures = made([(-3, Fraction(1, 10)), (-1, Fraction(2, 10)), (1, Fraction(7, 10))])
    found = ruin(figures, Fraction(6), 3000)
    assert found.root is not None
    assert found.ever == found.bounds
    assert found.bounds.low < found.within.low <= found.within.high < found.bounds.high
    assert found.bounds.low / found.bounds.high > found.root.low**2 - TINY


def walked(law: Law, bankroll: Fraction, rounds: int) -> Fraction:
    alive, ruined = {bankroll: Fraction(1)}, Fraction(0)
    for _ in range(rounds):
        following: Law = {}
        for capital, chance in alive.items():
            for net, likely in law.items():
                if capital + net <= 0:
                    ruined += chance * likely
                else:
                    following[capital + net] = following.get(capital + net, Fraction(0)) + chance * likely
        alive = following
    return ruined


@pytest.mark.parametrize("figures", kinds(), ids=lambda one: f"{one.wager} {one.ev}"[:30])
@pytest.mark.parametrize(("bankroll", "rounds"), [(1, 1), (2, 6), (5, 12), (3, 12)])
def test_ruin_within_some_rounds_is_the_plain_recursion(figures: Figures, bankroll: int, rounds: int) -> None:
    found = ruin(figures, Fraction(bankroll), rounds)
    assert found.method == "walked"
    assert close(found.within, walked(figures.distribution, Fraction(bankroll), rounds))


def test_ruin_within_more_rounds_grows_to_ruin_ever() -> None:
    figures = made([(-2, Fraction(1, 5)), (1, Fraction(1, 5)), (2, Fraction(3, 5))])
    chances = [walk(figures, 5, rounds).middle for rounds in (2, 3, 5, 10, 100, 1000)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    assert close(ruin(figures, Fraction(5), 1).ever, chances[-1], Fraction(1, 10**20))


def test_without_an_edge_ruin_is_certain_and_takes_its_time() -> None:
    """Wald: the expected loss of all rounds until ruin is the bankroll and at most one unit more."""
    figures = made([(-2, Fraction(3, 10)), (-1, Fraction(4, 10)), (1, Fraction(3, 10))])
    found = ruin(figures, Fraction(8), 1)
    assert found.ever.low == found.ever.high == 1
    assert found.rounds_to_ruin == (Fraction(8 * 10, 7), Fraction(9 * 10, 7))
    rounds = sum(float(1 - walk(figures, 8, played).middle) for played in range(200))
    assert found.rounds_to_ruin[0] < rounds < found.rounds_to_ruin[1]
    even = made([(-1, Fraction(1, 2)), (1, Fraction(1, 2))])
    assert ruin(even, Fraction(8), 1).ever.low == 1
    assert ruin(even, Fraction(8), 1).rounds_to_ruin is None
    assert ruin(made([(0, Fraction(1, 2)), (3, Fraction(1, 2))]), Fraction(1), 100).ever.high == 0


def test_a_ruin_too_long_to_walk_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = six_decks().figures("initial")
    exact = ruin(figures, Fraction(40), 900, results_after(figures, 900))
    monkeypatch.setattr(ruin_module, "MOST_WALKED", 1000)
    bounded = ruin(figures, Fraction(40), 900, results_after(figures, 900))
    assert (exact.method, bounded.method) == ("walked", "bounded")
    assert 0 < bounded.within.low < exact.within.low < bounded.within.high == 1
    assert bounded.within.middle == Fraction(bounded.estimate)
    assert bounded.estimate == pytest.approx(float(exact.within.middle), abs=0.01)


# As data and in words.


@pytest.mark.parametrize("rounds", [1, 60, 2000, 300_000, 90_000_000])
def test_data_is_json_and_words_fit_in_80_columns(rounds: int) -> None:
    for figures in (six_decks().figures("initial"), six_decks("ctg").figures("initial")):
        data = json.loads(json.dumps(stretch_data(figures, rounds, 100_000, 100, 60), allow_nan=False))
        told = tell_stretch(data)
        assert max(map(len, told.splitlines())) <= 80
        total = sum(data[name]["decimal"] for name in ("ahead", "even", "behind"))
        assert total == pytest.approx(1, abs=3 * data["error"] + 1e-12)
        assert f"{rounds:,} rounds" in told
        assert ("costs" if figures.ev < 0 else "brings") in told


def test_words_of_a_short_session() -> None:
    """Nothing can be ruined in 60 rounds of at most two units; 60 * 500 * 23138 / 993023 = 699.02."""
    data = stretch_data(six_decks().figures("initial"), 60, 500, 121, 60)
    assert data["ruin"]["within"] == {
        "method": "walked",
        "fraction": "0",
        "decimal": 0.0,
        "estimate": data["ruin"]["within"]["estimate"],
    }
    assert data["hour"]["expected_loss"]["fraction"] == str(Fraction(60 * 500 * 23138, 993023))
    told = tell_stretch(data)
    assert "costs 699.02" in told
    assert "2,060 rounds" in told
    assert "within 60 rounds         0.0000%" in told
    assert "exact" in told
    assert "hour" not in stretch_data(six_decks().figures("initial"), 60)
    assert "ruin" not in stretch_data(six_decks().figures("initial"), 60)


def test_bad_questions() -> None:
    figures = six_decks().figures("initial")
    for bad in ({"rounds": 0}, {"rounds": 5, "stake": 0}, {"rounds": 5, "bankroll": -1}, {"rounds": 5, "pace": 0}):
        with pytest.raises(ValueError, match="above nothing"):
            stretch(figures, **bad)
