"""Readings priced side by side, and stakes in whole units: arithmetic by hand, and the engine's own settlements."""

import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from casinowar.odds.ambiguities import NO_EFFECT, PRICED, Ambiguity
from casinowar.odds.composition import fresh, parse_composition
from casinowar.odds.figures import study
from casinowar.odds.readings import Priced, no_effect, price_readings, readings_data
from casinowar.odds.rounding import Rounded, forfeit, rounding
from casinowar.rulebooks import BOOKS, load_rulebook, load_with
from tests.support.rounds import bet, deal, play, surrender, war

pytestmark = pytest.mark.slow

REGISTER = Path(__file__).resolve().parents[2] / "docs" / "ambiguities.md"
TIE = Fraction(23, 311)
SECOND_TIE = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)
UNTIED = (1 - SECOND_TIE) / 2
STANDARD = -TIE * (SECOND_TIE * 2 - UNTIED)


@cache
def all_priced(book: str) -> list[tuple[Ambiguity, list[Priced]]]:
    return price_readings(book, book, {}).priced


def edges(book: str, amb: str, about: str = "") -> dict[str, Fraction]:
    """The house edge of each reading, by what it says."""
    found = [cases for one, cases in all_priced(book) if one.id == amb and about in one.about]
    return {case.case.says: case.house_edge for cases in found for case in cases}


def test_every_ambiguity_of_money_is_priced_or_has_its_reason() -> None:
    text = REGISTER.read_text("utf-8")
    money = re.search(r"^Money: (.*?)\n\n", text, flags=re.MULTILINE | re.DOTALL)
    assert money
    listed = {f"AMB-{number}" for number in re.findall(r"#amb-(\d+)\)", money[1])}
    priced = {one.id for one in PRICED}
    assert priced | NO_EFFECT.keys() == listed
    assert not priced & NO_EFFECT.keys()


def test_each_book_named_by_an_ambiguity_has_it_in_the_register() -> None:
    """A reading is priced in the books whose leaves name its ambiguity."""
    for one in PRICED:
        for book in one.books:
            named = {leaf.ambiguity for leaf in load_rulebook(book).leaves.values()}
            has_no_leaf = one.id in ("AMB-61", "AMB-3", "AMB-45")
            assert one.id in named or has_no_leaf, (one.id, book)


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_taken_is_what_the_book_has(book: str) -> None:
    plain = study(load_rulebook(book), fresh(6))
    for one, cases in all_priced(book):
        taken = [case for case in cases if case.is_taken]
        assert taken, one.id
        if not one.given and one.id != "AMB-47":
            assert [case.house_edge for case in taken] == [plain.figures(one.wager).house_edge]


def test_war_odds_of_the_guide() -> None:
    literal, included, taken_first = edges("ctg", "AMB-1").values()
    assert literal == -TIE * (UNTIED * 2 + SECOND_TIE * 3 - UNTIED * 2)
    assert float(literal) == pytest.approx(-0.01641, abs=5e-6)
    assert included == taken_first == STANDARD == Fraction(23138, 993023)


def test_the_collected_primary() -> None:
    pot, kept, profit = edges("ca", "AMB-2").values()
    assert pot == STANDARD
    assert kept == -TIE * (UNTIED * 0 + SECOND_TIE * 1 - UNTIED * 2)
    assert profit == -TIE * (UNTIED * 3 + SECOND_TIE * 4 - UNTIED * 2)
    ((_, cases),) = [found for found in all_priced("ca") if found[0].id == "AMB-2"]
    assert [case.beside["best play"] for case in cases] == [STANDARD, TIE / 2, profit]


@pytest.mark.parametrize("book", ["nz", "wa"])
def test_a_tied_war_nets_the_same_on_either_wager(book: str) -> None:
    assert set(edges(book, "AMB-3").values()) == {STANDARD}


def test_progressive_stake() -> None:
    taken, back, back_but_meter = edges("ma", "AMB-4").values()
    jackpot = Fraction(52 * 6 * 5 * 4 * 3, 312 * 311 * 310 * 309)
    assert taken - back == TIE
    assert back_but_meter - back == jackpot


def test_progressive_lines() -> None:
    """All lines paid: whoever makes one is paid those below it too."""
    taken, suited_four, one_suit, every = edges("ma", "AMB-41", "hands").values()
    assert every < suited_four < taken < one_suit
    first, lost = edges("ma", "AMB-41", "surrendered").values()
    assert [first, lost] == [1 - Fraction(5 * 15 + 18 * 5, 311), Fraction(1)]


def test_envy_and_hitters() -> None:
    """Twice the wager for the same envy: half of 6 x $1,000 x the jackpot's chance, per $5, is gone."""
    jackpot = Fraction(2, 993023)
    recipient, hitter = edges("ma", "AMB-42").values()
    assert hitter - recipient == 6 * jackpot * 100_000 / 500 / 2
    split, full = edges("ma", "AMB-43").values()
    assert 0 < split - full < Fraction(1, 10**6)
    plain = study(load_rulebook("ma"), fresh(6)).figures("progressive").house_edge
    assert full == plain - jackpot * (1_000_000 + 6 * 100_000) / 500


def test_king_and_queen() -> None:
    """A card of 9 ranks has 5, 6 and 12 partners; a ten of 96 has 23 of its suit, 24 of its colour, 48 others."""
    apart, together = edges("wa", "AMB-45").values()
    assert apart == 1 - Fraction(26 * 5 + 13 * 6 + 6 * 12, 311)
    small = Fraction(26 * 5 + 13 * 6 + 6 * 12, 311)
    tens = Fraction(26 * 23 + 13 * 24 + 6 * 48, 311)
    assert together == 1 - (9 * small + 4 * tens) / 13


def test_pairs_by_decks() -> None:
    """For d decks 52d - 1 cards are left: d - 1 alike, d of the colour, 2d of the other colour."""
    found = edges("wa", "AMB-47")
    assert len(found) == 12
    assert sum("not listed" in says for says in found) == 5
    for says, edge in found.items():
        decks, perfect, coloured, mixed = map(int, re.findall(r"(\d+)(?: decks|:1)", says))
        back = (perfect + 1) * (decks - 1) + (coloured + 1) * decks + (mixed + 1) * 2 * decks
        assert edge == 1 - Fraction(back, 52 * decks - 1)
    assert [says for says, edge in found.items() if edge < 0] == ["8 decks, 30:1, 12:1, 5:1, not listed"]


def test_the_other_readings() -> None:
    shown, won = edges("nz", "AMB-48").values()
    assert (shown, won) == (STANDARD, edges("ctg", "AMB-1").popitem()[1] - TIE * (UNTIED + SECOND_TIE))
    none, offered = edges("ca", "AMB-6").values()
    assert offered - none == TIE * (1 - 11 * SECOND_TIE)
    exempt, counted = edges("ma", "AMB-30").values()
    assert (exempt, counted) == (STANDARD, TIE / 2)
    alone, coupon = edges("ma", "AMB-32").values()
    assert alone - coupon == (1 - TIE) / 2
    stays, given_up = edges("nz", "AMB-61").values()
    assert [stays, given_up] == [Fraction(58, 311), Fraction(1)]


def test_a_short_bank_is_another_game_under_each_model() -> None:
    covered, cap, revolving, action = edges("ca", "AMB-11").values()
    assert covered == cap  # one unit covers a wager of one unit whole, or nothing is left of it
    assert len({cap, revolving, action}) == 3
    ((_, cases),) = [found for found in all_priced("ca") if found[0].id == "AMB-11"]
    covered, *others = (case.beside["half a unit"] for case in cases)
    assert covered * 2 == cap  # a bank of half a unit is half of one of one unit against boxes of half a unit
    assert len({covered, *others}) == 4
    back, collected = edges("ca", "AMB-12", "losing").values()
    assert back == cap
    assert collected > back


def test_orders_of_a_short_bank() -> None:
    """All boxes together lose the same wherever the pass begins, but not the first of them and the last."""
    seats, losers, ties, from_bank = edges("ca", "AMB-12", "order").values()
    assert seats == from_bank
    assert losers > seats
    assert ties != seats
    ((_, cases),) = [found for found in all_priced("ca") if found[0].id == "AMB-12" and "order" in found[0].about]
    by_seat, *_, moved = (case.beside for case in cases)
    assert by_seat["last box"] == moved["first box"] != by_seat["first box"]


def test_wars_against_a_short_bank() -> None:
    """One unit matches a war whole, or half of it with the other half for a tie, or is found when it is paid."""
    chosen, with_bonus, paid = edges("ca", "AMB-13", "beside").values()
    assert chosen == next(iter(edges("ca", "AMB-11").values()))
    assert with_bonus < chosen < paid
    back, unmatched, surrendered = edges("ca", "AMB-13", "nothing").values()
    assert back == chosen < surrendered < unmatched


def test_a_surrender_to_a_short_bank() -> None:
    """Half a unit is left whole for a tie or not at all: a box that is asked loses a quarter of its unit, or half."""
    part, whole = edges("ca", "AMB-13", "surrender").values()
    assert 0 < part < whole


WAR_AND_EMPTY = ["its match is set aside as war is chosen", "the wager goes back unasked"]


def taken(book: str, settings: dict[str, object], amb: str) -> list[str]:
    """What is marked as taken under an ambiguity once these settings are made."""
    found = [cases for one, cases in price_readings(book, book, settings).priced if one.id == amb]
    return [case.case.says for cases in found for case in cases if case.is_taken]


@pytest.mark.parametrize(
    ("book", "settings", "amb", "says"),
    [
        ("ctg", {}, "AMB-1", ["2:1 and 3:1 on the second wager, first back"]),
        ("ctg", {"payout.war_odds": "standard"}, "AMB-1", ["the figures include the stake: 1:1 and 2:1"]),
        (
            "ctg",
            {"payout.initial.on_war_win": "lose", "payout.initial.on_war_tie": "lose"},
            "AMB-1",
            ["first wager taken, second paid 2:1 and 3:1"],
        ),
        ("ca", {}, "AMB-11", ["as (a), and only what it covers is lost"]),
        ("ca", {"bank.model": "revolving"}, "AMB-11", ["collected wagers refill it"]),
        ("ca", {"bank.model": "payoff_cap"}, "AMB-11", ["payoffs end at the stake"]),
        ("ca", {}, "AMB-13", [*WAR_AND_EMPTY, "the part that is covered"]),
        ("ca", {"bank.model": "payoff_cap"}, "AMB-13", [*WAR_AND_EMPTY, "the whole initial wager"]),
        ("ca", {"payout.war.on_win": "5:1"}, "AMB-2", []),
        ("ca", {"wager.war_tie": True}, "AMB-6", ["yes"]),
        ("nz", {}, "AMB-3", ["first back, 2:1 on the war wager"]),
        ("wa", {}, "AMB-3", ["1:1 on both wagers"]),
        ("nz", {"payout.war.on_tie": "3:1"}, "AMB-3", []),
        ("nz", {"surrender.odd_unit": "house"}, "AMB-28", ["the odd unit goes to the house"]),
        ("nz", {"limits.require_even": True}, "AMB-28", ["odd stakes are refused; at 6 units"]),
        ("ma", {"progressive.lines": "cumulative"}, "AMB-41", ["every line reached is paid", "the first cards count"]),
        ("wa", {"shoe.decks": 8}, "AMB-47", ["8 decks, 25:1, 12:1, 5:1"]),
        ("nz", {"payout.tie.on_win": "lose"}, "AMB-61", ["it is given up with the hand"]),
    ],
)
def test_what_is_taken_is_what_was_loaded(book: str, settings: dict[str, object], amb: str, says: list[str]) -> None:
    assert taken(book, settings, amb) == says


@pytest.mark.parametrize("cards", ["2:4 3:3", "2:4 3:4", "2:4 3:4 4:2"])
def test_readings_that_need_more_cards_are_skipped_with_the_reason(cards: str) -> None:
    """A round takes 7 cards, three boxes at war 11: the readings of a short bank are left out, the others stay."""
    found = price_readings("ca", "ca", {}, parse_composition(cards, 6))
    assert {one.ambiguity for one in found.skipped} == {"AMB-11", "AMB-12", "AMB-13"}
    assert {one.reason.partition(": ")[2] for one in found.skipped} == {"3 boxes at war take 11"}
    assert {one.id for one, _ in found.priced} >= {"AMB-2", "AMB-6", "AMB-28"}


def test_readings_keep_the_other_settings() -> None:
    rules = load_with("nz", {"shoe.decks": 4})
    ((_, cases),) = [found for found in price_readings("nz", "nz", {"shoe.decks": 4}).priced if found[0].id == "AMB-3"]
    assert {case.house_edge for case in cases} == {study(rules, fresh(4)).figures("initial").house_edge}
    without_suits = price_readings("ma", "ma", {}, parse_composition("2:23", 6)).priced
    assert "progressive" not in {one.wager for one, _ in without_suits}


def test_readings_as_data() -> None:
    data = readings_data(price_readings("ctg", "ctg", {}).priced, "ctg")
    first = data["priced"][0]
    assert (first["ambiguity"], first["wager"]) == ("AMB-1", "initial")
    assert [(one["reading"], one["taken"]) for one in first["readings"]] == [("a", True), ("b", False), ("c", False)]
    assert first["readings"][1]["house_edge"]["fraction"] == "23138/993023"
    assert "AMB-11" not in no_effect("ctg")
    assert "AMB-15" in no_effect("ca")


# Whole minor units.


def at(
    stake: int, settings: dict[str, object] | None = None, book: str = "ma"
) -> dict[tuple[str, str | None], Rounded]:
    rows = rounding(study(load_with(book, settings or {}), fresh(6)), stake)
    return {(row.wager, row.strategy): row for row in rows}


@pytest.mark.parametrize("stake", [1, 2, 3, 5, 999])
def test_half_of_an_odd_stake(stake: int) -> None:
    row = at(stake)["initial", "surrender"]
    assert row.edge("player") == TIE * (stake // 2) / stake
    assert row.edge("house") == TIE * -(-stake // 2) / stake
    assert row.exact == -TIE * stake / 2
    assert row.is_refused == (stake % 2 == 1)


def test_one_unit_is_surrendered_for_nothing() -> None:
    """Half of 1 is rounded down to 0, so whoever bets one unit plays an even game by surrendering every tie."""
    rows = at(1)
    assert rows["initial", "surrender"].edge("player") == rows["initial", "best"].edge("player") == 0
    assert rows["initial", "best"].edge("house") == STANDARD
    assert at(3)["initial", "best"].edge("player") == STANDARD


@pytest.mark.parametrize("odd_unit", ["player", "house"])
@pytest.mark.parametrize("stake", [1, 4, 7])
def test_the_engine_takes_as_much_at_a_surrender(stake: int, odd_unit: str) -> None:
    options = {"surrender.odd_unit": odd_unit}
    played = play(
        "nz",
        "2c 9h 9d",
        bet("ana", 1, "initial", stake),
        deal(),
        surrender("ana", 1),
        options=options,
        limits={"minimum": 1},
    )
    rules = load_rulebook("nz", options)
    assert -played.gain("ana") == forfeit(rules, stake, rules.surrender.odd_unit)


def test_odds_that_do_not_divide_are_paid_downwards() -> None:
    """6:5 on a stake of 7 is 8 and not 8.4; on 10 it is 12."""
    row = at(7, {"payout.initial.on_win": "6:5"})["initial", "surrender"]
    won = (1 - TIE) / 2
    assert row.settled["player"] == won * 8 - won * 7 - TIE * 3
    assert row.exact == won * Fraction(42, 5) - won * 7 - TIE * Fraction(7, 2)
    divides = at(10, {"payout.initial.on_win": "6:5"})["initial", "war"]
    assert divides.settled["player"] == divides.exact
    tie = at(5, {"payout.tie.on_win": "21:2"})["tie", None]
    assert tie.settled["player"] == TIE * 52 - (1 - TIE) * 5


def test_a_war_wager_that_is_not_equal_is_rounded_down_as_the_engine_does() -> None:
    row = at(3, {"war.stake": "1:2"})["initial", "war"]
    assert row.settled["player"] == TIE * (UNTIED * 1 + SECOND_TIE * 2 - UNTIED * (3 + 1))
    assert at(1, {"war.stake": "1:2"})["initial", "war"].settled["player"] is None
    won = play(
        "nz",
        "2c 9h 9d 3c 4c 5c Kh 2d",
        bet("ana", 1, "initial", 3),
        deal(),
        war("ana", 1),
        deal(),
        limits={"minimum": 1},
    )
    assert won.gain("ana") == 3


def test_the_progressive_is_played_in_its_units() -> None:
    assert at(5)["progressive", None].edge("player") is None
    whole = at(1000)["progressive", None]
    assert whole.settled["player"] == whole.exact
    with pytest.raises(ValueError, match="1 minor unit or more"):
        rounding(study(load_rulebook("nz"), fresh(6)), 0)
