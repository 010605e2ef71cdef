"""The data of `casinowar odds`: its shape, and figures worked out by hand from the counts of six decks."""

import json
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import gcd, perm
from pathlib import Path
from typing import Any

import pytest

from bench import odds as bench
from casinowar.odds.composition import (
    CARDS,
    Composition,
    CompositionError,
    by_card,
    by_rank,
    fresh,
    parse_composition,
)
from casinowar.odds.data import odds_data
from casinowar.odds.figures import study
from casinowar.odds.progressive import progressive
from casinowar.rulebooks import BOOKS, load_rulebook, load_with

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
TIE = Fraction(23, 311)
"""Of the 311 cards left after one of six decks, 23 have its rank."""

SECOND_TIE = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)
"""After a tie, two more of the same rank, or two of one of the other twelve."""

UNTIED = (1 - SECOND_TIE) / 2
"""Higher and lower are equally likely."""


def told(book: str, settings: dict[str, object] | None = None, **more: Any) -> dict[str, Any]:
    rules = load_with(book, settings or {})
    return odds_data(rules, fresh(rules.shoe.decks), settings, **more)


def exact(value: dict[str, Any]) -> Fraction:
    return Fraction(value["fraction"])


def rationals(data: object) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        if "fraction" in data:
            yield data
        for part in data.values():
            yield from rationals(part)
    elif isinstance(data, list):
        for part in data:
            yield from rationals(part)


@pytest.mark.parametrize("book", BOOKS)
def test_every_rational_has_its_fraction_in_lowest_terms_and_its_decimal(book: str) -> None:
    found = list(rationals(told(book, combine={"initial": 1, "tie": 1})))
    assert len(found) > 50
    for one in found:
        assert one.keys() == {"fraction", "decimal"}
        numerator, _, denominator = one["fraction"].partition("/")
        assert gcd(int(numerator), int(denominator or 1)) == 1
        assert one["decimal"] == pytest.approx(int(numerator) / int(denominator or 1), rel=1e-12)


@pytest.mark.parametrize(
    ("book", "wagers"),
    [
        ("nz", {"initial": True, "tie": True}),
        ("wa", {"initial": True, "tie": True, "a_bomb": True, "perfect_pairs": True, "war_perfect_pairs": True}),
        ("ctg", {"initial": True, "tie": True}),
        ("ca", {"initial": True, "tie": True, "war_tie": False}),
        ("ma", {"initial": True, "tie": True, "war_tie": True, "progressive": False}),
    ],
)
def test_all_wagers_of_the_book_are_listed_and_marked_where_an_option_is_off(
    book: str, wagers: dict[str, bool]
) -> None:
    assert {wager: figures["offered"] for wager, figures in told(book)["wagers"].items()} == wagers


def test_an_option_that_is_turned_on_or_off_is_marked_so() -> None:
    assert told("ma", {"wager.progressive": True})["wagers"]["progressive"]["offered"] is True
    off = told("wa", {"wager.perfect_pairs": False})["wagers"]
    assert (off["perfect_pairs"]["offered"], off["war_perfect_pairs"]["offered"]) == (False, False)
    assert off["tie"]["offered"] is True


def test_head() -> None:
    data = told("ma", {"payout.war.on_tie": "3:1"})
    assert (data["rulebook"], data["decks"], data["options"]) == ("ma", 6, {"payout.war.on_tie": "3:1"})
    assert (data["cards"], data["composition"]["10"], len(data["composition"])) == (312, 24, 13)
    assert told("ma")["options"] == {}


def test_initial_by_decision() -> None:
    initial = told("ma")["wagers"]["initial"]
    war = TIE * (UNTIED * 1 + SECOND_TIE * 2 - UNTIED * 2)
    assert (initial["strategy"], exact(initial["ev"])) == ("war", war)
    assert initial["ev"] == {"fraction": "-23138/993023", "decimal": pytest.approx(-0.0233005, abs=1e-7)}
    assert exact(initial["house_edge"]) == -war
    assert exact(initial["average_total_wager"]) == 1 + TIE
    assert exact(initial["element_of_risk"]) == -war / (1 + TIE)
    assert initial["sd"] == pytest.approx(1.0576, abs=5e-5)
    decided = initial["by_decision"]
    assert exact(decided["war"]["ev"]) == exact(decided["best"]["ev"]) == war
    assert exact(decided["surrender"]["ev"]) == -TIE / 2
    assert exact(decided["surrender"]["element_of_risk"]) == TIE / 2


def test_distribution() -> None:
    initial = told("nz")["wagers"]["initial"]
    chances = {one["net"]: exact(one["probability"]) for one in initial["distribution"]}
    assert chances == {
        "-2": TIE * UNTIED,
        "-1": (1 - TIE) / 2,
        "1": (1 - TIE) / 2 + TIE * UNTIED,
        "2": TIE * SECOND_TIE,
    }
    assert exact(initial["variance"]) == (
        sum(Fraction(net) ** 2 * chance for net, chance in chances.items()) - exact(initial["ev"]) ** 2
    )


@pytest.mark.parametrize("strategy", ["war", "surrender", "best"])
def test_the_strategy_is_that_of_the_distribution(strategy: Any) -> None:
    initial = told("ctg", strategy=strategy)["wagers"]["initial"]
    nets = {one["net"] for one in initial["distribution"]}
    assert initial["strategy"] == strategy
    assert ("-1/2" in nets, "3" in nets) == (strategy == "surrender", strategy != "surrender")
    assert initial["ev"] == initial["by_decision"][strategy]["ev"]


def test_side_wagers() -> None:
    wagers = told("wa")["wagers"]
    assert exact(wagers["tie"]["ev"]) == 10 * TIE - (1 - TIE)
    assert exact(wagers["a_bomb"]["ev"]) == Fraction(10 - 12, 13)
    # 25:1 on the 5 others of the same card, 12:1 on 6 of the same colour, 5:1 on 12 of the other colour.
    assert exact(wagers["perfect_pairs"]["ev"]) == Fraction(25 * 5 + 12 * 6 + 5 * 12 - 288, 311)


def test_war_deal_wagers_are_valued_where_they_can_be_placed() -> None:
    for strategy in ("war", "surrender"):
        war_tie = told("ma", strategy=strategy)["wagers"]["war_tie"]
        assert exact(war_tie["ev"]) == 11 * SECOND_TIE - 1
        assert "war" in war_tie["given"]


def test_progressive() -> None:
    figures = told("ma")["wagers"]["progressive"]
    chances = {line: exact(one["probability"]) for line, one in figures["lines"].items()}
    jackpot = Fraction(52 * perm(6, 4), perm(312, 4))
    assert list(chances) == [
        "suited_four_of_a_kind",
        "suited_double_tie",
        "four_of_a_kind",
        "double_tie",
        "suited_tie",
        "tie",
    ]
    assert chances["suited_four_of_a_kind"] == jackpot
    assert sum(chances.values()) == TIE
    pays = dict(zip(chances, (1000, 200, 150, 30, 15, 5), strict=True))
    back = sum(pays[line] * chance for line, chance in chances.items())
    assert exact(figures["return_without_meter"]) == back
    assert exact(figures["ev"]) == back - 1
    assert exact(figures["return_per_meter_unit"]) == jackpot / 500
    assert exact(figures["return_at_seed"]) == back + jackpot * 1_000_000 / 500
    assert list(figures["break_even_meter"]) == list(figures["break_even_without_envy"]) == list("0123456")
    assert exact(figures["break_even_meter"]["0"]) == (1 - back) * 500 / jackpot == 64_104_750
    assert exact(figures["break_even_meter"]["6"]) < exact(figures["break_even_without_envy"]["6"])


def test_surrender_leaves_the_progressive_its_first_cards() -> None:
    """Of 311 cards 5 make a suited tie at 15:1 and 18 another at 5:1; there is no meter to break even by."""
    figures = told("ma")["wagers"]["progressive"]
    surrendered = figures["by_decision"]["surrender"]
    assert exact(surrendered["return_without_meter"]) == Fraction(5 * 15 + 18 * 5, 311)
    assert exact(surrendered["jackpot"]) == 0
    assert surrendered["break_even_meter"] is None
    lost = told("ma", {"progressive.on_surrender": "lost"})["wagers"]["progressive"]["by_decision"]["surrender"]
    assert exact(lost["return_without_meter"]) == 0
    always = told("ma", strategy="surrender")["wagers"]["progressive"]
    assert exact(always["return_without_meter"]) == Fraction(165, 311)
    assert always["break_even_meter"]["6"] is None


def test_best_play_by_rank() -> None:
    war = told("nz")["best_play"]
    assert war["war_is_never_worse"] is True
    assert list(war["by_rank"]) == RANKS
    worth = SECOND_TIE * 2 - UNTIED
    assert all(
        (one["choice"], exact(one["war"]), exact(one["surrender"])) == ("war", worth, Fraction(-1, 2))
        for one in war["by_rank"].values()
    )
    kept: dict[str, object] = {"payout.initial.on_war_win": "lose", "payout.initial.on_war_tie": "lose"}
    lost = told("ca", kept)
    assert lost["best_play"]["war_is_never_worse"] is False
    assert {one["choice"] for one in lost["best_play"]["by_rank"].values()} == {"surrender"}
    assert exact(lost["wagers"]["initial"]["by_decision"]["best"]["ev"]) == -TIE / 2


def test_combined_wagers_are_one_distribution() -> None:
    together = told("nz", combine={"initial": 2, "tie": 1})["combined"]
    chances = {one["net"]: exact(one["probability"]) for one in together["distribution"]}
    assert chances == {
        "-3": (1 - TIE) / 2,
        "1": (1 - TIE) / 2,
        "6": TIE * UNTIED,
        "12": TIE * UNTIED,
        "14": TIE * SECOND_TIE,
    }
    assert exact(together["average_total_wager"]) == 3 + 2 * TIE
    assert together["units"] == {"initial": 2, "tie": 1}


def test_a_war_deal_wager_joins_the_others_when_there_is_a_war() -> None:
    one = told("ma", combine={"initial": 1, "war_tie": 1})["combined"]
    alone = told("ma")["wagers"]
    assert exact(one["ev"]) == exact(alone["initial"]["ev"]) + TIE * exact(alone["war_tie"]["ev"])
    assert exact(one["average_total_wager"]) == 1 + 2 * TIE
    given_up = told("ma", strategy="surrender", combine={"initial": 1, "war_tie": 1})["combined"]
    assert exact(given_up["ev"]) == -TIE / 2


def test_without_suits_what_asks_for_them_is_named_and_the_rest_is_valued() -> None:
    rules = load_rulebook("wa")
    data = odds_data(rules, by_rank((23, *(24,) * 12)))
    assert list(data["wagers"]) == ["initial", "tie", "a_bomb"]
    assert list(data["not_valued"]) == ["perfect_pairs", "war_perfect_pairs"]
    assert (data["cards"], data["composition"]["2"]) == (311, 23)
    with pytest.raises(CompositionError, match="perfect_pairs asks for suits"):
        odds_data(rules, by_rank((23, *(24,) * 12)), combine={"perfect_pairs": 1})


def test_a_composition_by_card_is_told_by_card() -> None:
    data = odds_data(load_rulebook("wa"), fresh(6).without("Th"))
    assert (data["composition"]["10h"], data["composition"]["10s"], len(data["composition"])) == (5, 6, 52)
    assert "perfect_pairs" in data["wagers"]


def test_without_ties_there_is_no_war_to_bet_on() -> None:
    one_each = parse_composition(" ".join(f"{rank}:1" for rank in RANKS), 6)
    data = odds_data(load_rulebook("ma"), one_each)
    assert "war_tie" in data["not_valued"]
    assert exact(data["wagers"]["tie"]["ev"]) == -1
    assert exact(data["wagers"]["initial"]["ev"]) == 0
    assert data["best_play"]["by_rank"] == {}


def _uneven() -> Composition:
    """Low ranks in all suits, middle ranks in clubs, high ones in hearts: ties at some ranks are worth a war and at
    others not."""
    counts = {f"{rank}{suit}": 6 for rank in "2345" for suit in "cdhs"}
    counts |= {f"{rank}c": 6 for rank in "6789"} | {f"{rank}h": 4 for rank in "TJQKA"}
    return by_card(tuple(counts.get(card, 0) for card in CARDS))


def test_alone_the_break_even_meter_is_what_is_missing_over_the_chance_of_a_jackpot() -> None:
    """Also where best play goes to war at some ranks only."""
    rules = load_with("ma", {"wager.progressive": True, "surrender.forfeit": "1759:9453"})
    studied = study(rules, _uneven())
    assert set(studied.best_play().values()) == {"war", "surrender"}
    found = progressive(studied, "best")
    assert found.break_even_meter[0] == (1 - found.return_without_meter) * 500 / found.jackpot


def test_a_jackpot_is_the_best_line_whatever_its_odds_since_it_takes_the_meter() -> None:
    low = load_with("ma", {"wager.progressive": True, "payout.progressive.on_suited_four_of_a_kind": "100:1"})
    plain = load_with("ma", {"wager.progressive": True})
    assert progressive(study(low, fresh(6))).jackpot == progressive(study(plain, fresh(6))).jackpot > 0


@pytest.mark.parametrize("book", bench.BOOKS)
def test_all_wagers_of_a_composition_take_milliseconds(book: str) -> None:
    """`bench/odds.py` holds the best time to 10 ms; here there is room for a machine that is busy."""
    rules = load_with(book, bench.BOOKS[book])
    shoes = bench.compositions(6, 3)
    assert len(bench.full_set(study(rules, shoes[0]))) > 2 * len(study(rules, shoes[0]).wagers())

    def measured(shoe: Composition) -> object:
        return bench.full_set(study(rules, shoe))

    times = [bench.milliseconds(partial(measured, shoe))[0] for shoe in shoes * 3]
    assert min(times) < 50


def test_the_measure_fails_where_the_limit_is_passed() -> None:
    asked = [sys.executable, "bench/odds.py", "--rulebook", "nz", "--repeat", "1", "--json", "--limit"]
    root = Path(__file__).parents[2]
    slow = subprocess.run([*asked, "0.001"], capture_output=True, text=True, cwd=root)
    assert (slow.returncode, json.loads(slow.stdout)["limit_ms"]) == (1, 0.001)
    assert "over 0.001 ms at best: nz" in slow.stderr
    assert subprocess.run([*asked, "100000"], capture_output=True, cwd=root).returncode == 0
