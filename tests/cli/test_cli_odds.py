"""`casinowar odds`, `compare` and `solve`: what they print, how they err, and how quickly they answer."""

import json
import pkgutil
import re
import time
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from casinowar.cards import DECK
from casinowar.rulebooks import BOOKS
from tests.support.commandline import run, spawn

pytestmark = pytest.mark.slow

FULL = 312


def told(*args: str) -> str:
    done = run(*args)
    assert (done.status, done.err) == (0, "")
    assert max(len(line) for line in done.out.splitlines()) <= 80
    return done.out


def data(*args: str) -> dict[str, Any]:
    done = run(*args, "--json")
    assert (done.status, done.err) == (0, "")
    loaded: dict[str, Any] = json.loads(done.out)
    return loaded


def row(text: str, start: str) -> list[str]:
    """The cells of the first line that begins so."""
    line = next(line for line in text.splitlines() if line.startswith(start))
    return line.removeprefix(start).split()


def test_the_odds_of_a_book() -> None:
    text = told("odds", "--rulebook", "ma")
    assert text.startswith("ma, Massachusetts: 6 decks\n")
    assert row(text, "initial, always war") == ["2.330%", "2.170%", "1.0576", "50.274%"]
    assert row(text, "initial, always surrender")[0] == "3.698%"
    assert row(text, "tie ")[0] == "18.650%"
    assert row(text, "progressive (no meter, off)")[0] == "25.822%"
    assert row(text, "suited_four_of_a_kind") == ["1000:1", "0.00020%", "496,511.5"]
    assert row(text, "0 ") == ["64,104,750", "64,104,750"]
    assert "Best play: war at every tie. It is worth -0.3151, surrender -0.5000." in text


@pytest.mark.parametrize("book", BOOKS)
def test_everything_fits_into_eighty_columns(book: str) -> None:
    asked = ("--readings", "--exact", "--rounding", "1001", "--combine", "initial,tie", "--strategy", "best")
    text = told("odds", "--rulebook", book, "--set", "payout.war.on_tie=3:1", *asked)
    assert "with payout.war.on_tie = 3:1" in text
    assert "Without effect on any edge" in text
    assert not re.search(r"nan|None|\{", text)


def test_exact_fractions_on_request() -> None:
    assert "23138/993023" not in told("odds")
    text = told("odds", "--exact")
    assert row(text, "initial, war") == ["house", "edge", "23138/993023"]
    assert row(text.partition("Exact")[2], "tie ") == ["house", "edge", "58/311"]


def test_json_is_the_contract() -> None:
    found = data("odds", "--rulebook", "ma")
    assert (found["rulebook"], found["decks"], found["options"]) == ("ma", 6, {})
    assert found["wagers"]["initial"]["ev"]["fraction"] == "-23138/993023"
    assert found["wagers"]["initial"]["by_decision"]["surrender"]["ev"]["fraction"] == "-23/622"
    assert found["wagers"]["progressive"]["offered"] is False
    assert found["wagers"]["progressive"]["break_even_meter"]["0"]["fraction"] == "64104750"


def test_decks_and_settings() -> None:
    eight = data("odds", "--decks", "8")
    assert (eight["decks"], eight["wagers"]["tie"]["ev"]["fraction"]) == (8, str(10 * 31 - (415 - 31)) + "/415")
    assert data("odds", "--set", "shoe.decks=8")["options"] == {"shoe.decks": 8}
    paid = data("odds", "--set", "payout.tie.on_win=11:1", "--set", "war.method=B")
    assert paid["options"] == {"payout.tie.on_win": "11:1", "war.method": "B"}
    assert paid["wagers"]["tie"]["ev"]["fraction"] == f"{12 * 23 - 311}/311"
    one = data("odds", "--rulebook", "ctg", "--decks", "1", "--any-decks")
    assert one["wagers"]["tie"]["house_edge"]["fraction"] == "6/17"
    standard = data("odds", "--rulebook", "ctg", "--set", "payout.war_odds=standard")
    assert standard["wagers"]["initial"]["ev"]["fraction"] == "-23138/993023"
    on = data("odds", "--rulebook", "ma", "--set", "wager.progressive=on")
    assert on["wagers"]["progressive"]["offered"] is True


def test_a_house_rulebook() -> None:
    house = Path(__file__).parents[2] / "examples"
    book = next(file for file in sorted(house.glob("*.toml")) if "extends" in file.read_text("utf-8"))
    text = told("odds", "--rulebook", str(book), "--readings")
    assert "House edge under each reading" in text


def left(named: dict[str, int]) -> str:
    """Six decks by rank, with other counts for those named."""
    return " ".join(
        f"{rank}:{named.get(rank, 24)}" for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    )


def by_cards(named: dict[str, int]) -> str:
    """Six decks by card, with other counts for those named."""
    return " ".join(f"{card}:{named.get(card, 6)}" for card in DECK)


def test_composition() -> None:
    by_rank = data("odds", "--composition", left({"2": 23, "10": 20}))
    assert (by_rank["cards"], by_rank["composition"]["10"]) == (FULL - 5, 20)
    by_card = data("odds", "--rulebook", "wa", "--composition", by_cards({"Ah": 5}))
    assert by_card["composition"]["Ah"] == 5
    assert "perfect_pairs" in by_card["wagers"]
    text = told("odds", "--rulebook", "wa", "--composition", left({"2": 23}))
    assert "wa, Crown Perth, Western Australia: 6 decks, 311 cards left" in text
    assert "perfect_pairs asks for suits: give the composition by card, as in Ah:5" in text


def test_best_play_is_told_by_rank_where_it_differs() -> None:
    """A tie of deuces takes the last two and leaves the common ranks whole, so that a second tie is likelier."""
    text = told("odds", "--composition", left({"2": 2, "3": 3, "4": 9}), "--set", "surrender.forfeit=7:25")
    assert (row(text, "2 ")[-1], row(text, "A ")[-1]) == ("war", "surrender")
    assert row(text, "A ")[1] == "-0.2800"


def test_combined_wagers() -> None:
    text = told("odds", "--combine", "initial:2,tie")
    assert "Together, always war: 2 initial + tie" in text
    assert data("odds", "--combine", "initial:2,tie")["combined"]["units"] == {"initial": 2, "tie": 1}


def test_readings_side_by_side() -> None:
    text = told("odds", "--rulebook", "ctg", "--readings")
    assert " *(a) 2:1 and 3:1 on the second wager, first back  -1.641%" in text
    assert "  (b) the figures include the stake: 1:1 and 2:1    2.330%" in text
    assert data("odds", "--rulebook", "ca", "--readings")["readings"]["no_effect"].keys() >= {"AMB-15", "AMB-71"}


def test_rounding_by_stake() -> None:
    text = told("odds", "--rounding", "1")
    priced = text.partition("A stake of 1,")[2]
    assert row(priced, "initial, always surrender") == ["3.6977%", "0.0000%", "7.3955%"]
    assert "Where even stakes are required, 1 would be refused." in " ".join(text.split())
    found = data("odds", "--rounding", "5")["rounding"]
    surrendered = next(one for one in found["wagers"] if one["strategy"] == "surrender")
    assert surrendered["house_edge"]["player"]["fraction"] == "46/1555"
    assert (found["odd_unit"], found["require_even"]) == ("player", False)


ERRORS = [
    (("--rulebook", "zz"), "unknown rulebook 'zz': choose one of nz, wa, ctg, ca, ma"),
    (("--set", "war.brun=3"), "unknown leaf war.brun: did you mean war.burn?"),
    (("--set", "payout.war.on_tie"), "write KEY=VALUE, as in payout.war.on_tie=3:1"),
    (("--set", "payout.war.on_tie=twice"), "payout.war.on_tie = twice"),
    (("--set", "payout.tie.on_win=10:0"), "allowed odds such as 2:1, push or lose"),
    (("--set", "wager.a_bomb=on"), "payout.a_bomb.on_win is missing"),
    (("--decks", "3"), "nz does not allow shoe.decks = 3 (NZ-3.4a): allowed 4, 5, 6, 7, 8; --any-decks permits"),
    (("--rulebook", "ctg", "--decks", "8"), "ctg fixes shoe.decks at 6 (CTG-B2): it is no option; --any-decks permits"),
    (("--decks", "0"), "0 is not in the range 1<=x<=100"),
    (("--decks", "8", "--set", "shoe.decks=6"), "--decks 8 and --set shoe.decks=6 differ"),
    (("--composition", "2:25"), "25 times 2: 6 decks hold 24"),
    (("--composition", "Ah:7"), "7 times Ah: 6 decks hold 6"),
    (("--composition", "2:-1"), "'2:-1': a count is 0 or more"),
    (("--composition", " ".join(f"{rank}:0" for rank in "3456789TJQKA") + " 2:6"), "6 cards are too few"),
    (("--composition", "1:4"), "'1:4': write a rank or a card and a count"),
    (("--combine", "a_bomb"), "nz has no wager 'a_bomb': it has initial, tie"),
    (("--combine", "initial,initial"), "initial is named twice"),
    (("--combine", "tie:0"), "units are a whole number"),
    (("--rulebook", "wa", "--combine", "perfect_pairs", "--composition", "2:9 3:9"), "perfect_pairs asks for suits"),
    (("--rounding", "0"), "0 is not in the range"),
    (("--strategy", "hope"), "'hope' is not one of"),
    (("--coverage", "2"), "--coverage is of a bank"),
    (("--bank", "2", "--coverage", "2"), "the house covers every wager"),
    (("--bank", "8"), "8 is not in the range 1<=x<=7"),
    (("--bank", "2", "--coverage", "0"), "0 is not in the range 0<x<=1000000"),
    (("--bank", "2", "--coverage", "1/0"), "not a number of units"),
    (("--bank", "2", "--coverage", "nan"), "not a number of units"),
    (("--bank", "2", "--coverage", "1/3"), "1/3 is not in whole hundredths"),
    (("--boxes", "0"), "0 is not in the range"),
    (("--boxes", "8", "--composition", "2:9 3:9"), "18 cards are too few: 8 boxes at war take 21"),
    (("--counting", "1"), "1 cards cannot be left of 312"),
    (("--counting", "313"), "313 cards cannot be left of 312"),
    (("--counting", "52", "--set", "payout.tie.on_loss=20:1"), "there is nothing to count"),
    (("--removal", "--composition", "2:4 3:3"), "6 cards are too few"),
    (("--counting", "many"), "write how many cards are left"),
    (("--counting", ""), "write how many cards are left"),
    (("--set", "cards.ranks=23456"), "cards.ranks = 23456: name each of 23456789TJQKA once, from low to high"),
    (("--set", "payout.tie.on_win=1000000000:1"), "each side of odds is a whole number up to 999,999,999"),
]


@pytest.mark.parametrize(("args", "message"), ERRORS, ids=lambda given: " ".join(given) if given[0] == "-" else None)
def test_errors_are_one_line(args: tuple[str, ...], message: str) -> None:
    assert message in run("odds", *args).error


def test_json_comes_in_under_two_seconds() -> None:
    """The best of a few whole runs, start included."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        assert spawn("odds", "--rulebook", "ma", "--json").status == 0
        times.append(time.perf_counter() - begin)
    assert min(times) < 2


# Books side by side.


def test_compare_has_the_five_books() -> None:
    text = told("compare")
    assert row(text, "House edge") == list(BOOKS)
    assert row(text, "always war") == ["2.33%", "2.33%", "-1.64%", "2.33%", "2.33%"]
    assert row(text, "war_tie") == ["-", "-", "-", "(18.63%)", "18.63%"]
    assert row(text, "progressive") == ["-", "-", "-", "-", "(25.82%)"]
    assert row(text, "deviation")[0] == "1.0576"
    assert row(text, "war win") == ["+1", "+1", "+2", "+1", "+1"]
    assert row(text, "war tie") == ["+2", "+2", "+3", "+2", "+2"]
    assert row(text, "surrender") == ["-1/2"] * 5


def test_compare_chosen_books_and_decks() -> None:
    found = data("compare", "nz", "ctg", "--decks", "1")["books"]
    assert list(found) == ["nz", "ctg"]
    assert found["ctg"]["wagers"]["tie"]["house_edge"]["fraction"] == "6/17"
    assert found["ctg"]["outcomes"]["war_tie"] == "3"


def test_the_same_cards_under_five_books() -> None:
    """A tie of kings and a tied war, 1,000 on all: WA pays the tied war on both wagers, the guide 3:1."""
    text = told("compare", "--cards", "Kh Kd 9s 9c")
    assert text.startswith("Kh against Kd, war 9s against 9c\n")
    assert row(text, "initial") == ["+0", "+1,000", "+0", "+0", "+0"]
    assert row(text, "war ") == ["+2,000", "+1,000", "+3,000", "+2,000", "+2,000"]
    assert row(text, "tie") == ["+10,000"] * 5
    assert row(text, "war_tie") == ["-", "-", "-", "-", "+10,000"]
    assert row(text, "a_bomb") == ["-", "-1,000", "-", "-", "-"]
    assert row(text, "perfect_pairs") == ["-", "+12,000", "-", "-", "-"]
    assert row(text, "war_perfect_pairs") == ["-", "+12,000", "-", "-", "-"]
    assert row(text, "all") == ["+12,000", "+35,000", "+13,000", "+12,000", "+22,000"]


def test_the_burns_are_each_books_own() -> None:
    dealt = data("compare", "nz", "ca", "--cards", "Kh Kd 9s 8c")["books"]
    for book in dealt.values():
        assert [card["to"] for card in book["dealt"]] == ["box 1", "dealer", "burn", "burn", "burn", "box 1", "dealer"]


def test_cards_without_a_war() -> None:
    surrendered = data("compare", "--cards", "Kh Kd", "--strategy", "surrender", "--stake", "5")["books"]
    assert {book["nets"]["initial"] for book in surrendered.values()} == {-2}
    won = data("compare", "--cards", "10h 9d", "--stake", "100")["books"]
    assert {(book["nets"]["initial"], book["nets"]["tie"]) for book in won.values()} == {(100, -100)}


def test_the_progressive_of_the_same_cards() -> None:
    """1,000:1 and the whole meter, less the stake; the meter has been fed 10% of it."""
    found = data("compare", "ma", "--cards", "Kh Kh Kh Kh", "--set", "wager.progressive=on")
    assert found["books"]["ma"]["nets"]["progressive"] == 1000 * 1000 + 1_000_000 + 100 - 1000


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--cards", "Kh Kd"), "Kh and Kd tie: name the two cards of the war too, or --strategy surrender"),
        (("--cards", "Kh Qd 9s 9c"), "Kh and Qd bring no war"),
        (("--cards", "Kh"), "1 cards: name the player's and the dealer's"),
        (("--cards", "Kh Kx"), "'Kx' is not a card"),
        (("--cards", "Kh 9d", "--decks", "8"), "--decks changes nothing about --cards"),
        (("zz",), "unknown rulebook 'zz'"),
        (("nz", "--set", "foo=1"), "unknown leaf foo"),
        (("--set", "foo=1"), "unknown leaf foo"),
        (("--set", "payout.war.on_tie=twice", "--set", "wager.progressive=on"), "payout.war.on_tie = twice"),
        (("nz", "ca", "--set", "wager.progressive=on"), "wager.progressive is on"),
        (("--stake", "5"), "--stake is of --cards"),
        (("--stake", "1000"), "--stake is of --cards"),
        (("--strategy", "surrender"), "--strategy is of --cards"),
    ],
)
def test_compare_errors_are_one_line(args: tuple[str, ...], message: str) -> None:
    assert message in run("compare", *args).error


# Solving for an edge.


def test_solve_a_payout() -> None:
    text = told("solve", "payout.tie.on_win", "--wager", "tie", "--edge", "5%")
    assert "tie: house edge 18.6495% now, 5.0000% wanted." in text
    assert "payout.tie.on_win = 11.845652:1, exactly 5449/460" in text
    assert row(text, "12:1") == ["3.8585%"]
    assert "At least the target: 59:5. At most: 12:1." in text
    for edge in ("5%", "0.05", "1/20"):
        found = data("solve", "payout.tie.on_win", "--wager", "tie", "--edge", edge)
        assert (found["exact"]["fraction"], found["at_most"], found["at_least"]) == ("5449/460", "12:1", "59:5")


def test_solve_for_decks() -> None:
    done = run("solve", "shoe.decks", "--edge", "2.32%")
    assert (done.status, done.err) == (1, "")
    text = done.out
    assert "Nothing meets it exactly. Nearest: shoe.decks = 5, 2.3221%." in text
    assert "At most the target: 4. At least: 5 to 8." in text
    missed = run("solve", "shoe.decks", "--edge", "2.32%", "--json")
    assert (missed.status, json.loads(missed.out)["solved"]) == (1, False)
    found = data("solve", "shoe.decks", "--wager", "tie", "--edge", "58/311")
    assert (found["solved"], found["exact"]) == (True, [6])
    beyond = data("solve", "shoe.decks", "--rulebook", "ctg", "--wager", "tie", "--edge", "6/17", "--any-decks")
    assert beyond["exact"] == [1]


def test_no_solution_is_said_with_status_one() -> None:
    done = run("solve", "payout.war.on_tie", "--edge", "50%")
    assert (done.status, done.err) == (1, "")
    assert "No solution: no odds of payout.war.on_tie give 50.0000%" in done.out
    done = run("solve", "shoe.decks", "--rulebook", "ctg", "--edge", "1%", "--json")
    assert done.status == 1
    assert json.loads(done.out)["solved"] is False
    assert "--any-decks permits study beyond the book" in done.out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("payout.tie.on_wim", "--edge", "1%"), "unknown leaf payout.tie.on_wim: did you mean payout.tie.on_win?"),
        (("war.exempt", "--edge", "1%"), "war.exempt is neither odds nor a whole number"),
        (("names.tie", "--edge", "1%"), "names.tie is neither odds nor a whole number"),
        (("payout.tie.on_win", "--edge", "much"), "'much': write an edge such as 2.5%, 0.025 or 1/40"),
        (("payout.tie.on_win", "--edge", "1/0"), "write an edge such as"),
        (("payout.tie.on_win",), "Missing option '--edge'"),
        (("payout.tie.on_win", "--edge", "1%", "--wager", "x"), "nz has no wager 'x': it has initial, tie"),
        (("payout.tie.on_win", "--edge", "1%", "--set", "payout.tie.on_win=9:1"), "is what is looked for"),
        (("shoe.decks", "--edge", "1%", "--decks", "6"), "shoe.decks is what is looked for"),
        (("shoe.decks", "--edge", "1%", "--composition", "2:9"), "leave --composition away"),
        (("payout.tie.on_win", "--edge", "1%", "--meter", "5"), "--meter is for --wager progressive"),
        (("payout.tie.on_win", "--edge", "1%", "--decks", "3"), "--any-decks permits study beyond the book"),
        (
            (
                "payout.perfect_pairs.on_mixed",
                *("--rulebook", "wa", "--wager", "perfect_pairs", "--edge", "1%", "--composition", "2:9"),
            ),
            "perfect_pairs asks for suits",
        ),
    ],
)
def test_solve_errors_are_one_line(args: tuple[str, ...], message: str) -> None:
    assert message in run("solve", *args).error


def test_a_session_is_told_and_given_as_data() -> None:
    """A thousand rounds lose 1000 * 23138/993023 units on average; the text tells them in minor units of 500 each."""
    args = ("odds", "--session", "1000", "--stake", "500", "--bankroll", "50", "--pace", "60")
    session = data(*args)["session"]
    assert session["expected"]["fraction"] == str(-Fraction(23138, 993023) * 1000)
    text = told(*args)
    assert "Session: 1,000 rounds of initial, 500 a unit" in text
    assert "an hour of 60 rounds" in text
    assert "session" not in data("odds")
    together = data("odds", "--session", "10", "--combine", "initial,tie")["session"]
    assert together["expected"]["fraction"] == str(-Fraction(23138, 993023) * 10 - Fraction(58, 311) * 10)


ONLY_OF_A_SESSION = [("--stake", "5"), ("--bankroll", "9"), ("--pace", "60")]


@pytest.mark.parametrize("args", [*ONLY_OF_A_SESSION, ("--combine", "")])
def test_an_option_that_would_be_ignored_is_an_error(args: tuple[str, str]) -> None:
    assert run("odds", *args).error


def test_a_war_wager_is_not_valued_where_nobody_goes_to_war() -> None:
    told_why = run("odds", "--rulebook", "ma", "--combine", "war_tie", "--strategy", "surrender").error
    assert "never placed, since nobody goes to war" in told_why


def test_the_same_cards_under_a_changed_leaf() -> None:
    """A war won at 3 to 1 gains 3,000 on 1,000, and the initial wager pushes."""
    text = told("compare", "--cards", "Kh Kd 9h 8h", "--set", "payout.war.on_win=3:1")
    assert re.search(r"war +\+3,000 +\+3,000", text)


# Beyond one box.


def test_the_one_who_banks() -> None:
    """Against one box: what the box loses; a bank of one unit never pays the bonus, which is the published 2.88%."""
    whole = data("odds", "--rulebook", "ca", "--bank", "1")["bank"]
    assert whole["edge"]["fraction"] == "23138/993023"
    assert (whole["by"], whole["covers_all"], whole["coverage"]["fraction"]) == ("player", True, "2")
    assert [one["net"] for one in whole["distribution"]] == ["-2", "-1", "1", "2"]
    short = data("odds", "--rulebook", "ca", "--bank", "1", "--coverage", "1")["bank"]
    assert round(short["edge"]["decimal"], 4) == 0.0288
    text = told("odds", "--rulebook", "ca", "--bank", "1", "--coverage", "1")
    assert "The player who banks against 1 box of one unit" in text
    assert row(text, "Edge, per unit on the boxes") == ["2.877%"]
    assert whole["edge_by_box"] == []
    assert [one["fraction"] for one in short["edge_by_box"]] == [short["edge"]["fraction"]]
    assert "bank" not in data("odds")
    assert "The house against 7 boxes" in told("odds", "--bank", "7")


def test_a_bank_of_half_a_unit() -> None:
    """It covers half of each wager, so that its edge is half of that of one unit; a payoff cap takes losers whole."""
    args = ("odds", "--rulebook", "ca", "--bank", "3", "--coverage")
    half, one = (data(*args, units)["bank"] for units in ("1/2", "1"))
    assert half["coverage"]["fraction"] == "1/2"
    assert (half["model"], one["model"]) == ("covered", "covered")
    assert Fraction(half["edge"]["fraction"]) * 2 == Fraction(one["edge"]["fraction"])
    taken = data(*args, "0.5", "--set", "bank.model=payoff_cap")["bank"]
    assert taken["edge"]["decimal"] > 0.2 > half["edge"]["decimal"]
    edges = [Fraction(edge["fraction"]) for edge in half["edge_by_box"]]
    assert sum(edges) / 3 == Fraction(half["edge"]["fraction"])
    text = told(*args, "0.5")
    assert "bank.after_exhaustion" not in text
    assert "covering 1/2 units in all" in " ".join(text.split())
    assert [row(text, f"Edge on box {box}") for box in (1, 2, 3)] == [[f"{float(edge):.3%}"] for edge in edges]


def test_boxes_that_share_a_dealer() -> None:
    one, three = (data("odds", "--boxes", count)["boxes"] for count in ("1", "3"))
    alone, shared = Fraction(one["variance"]["fraction"]), Fraction(three["covariance"]["fraction"])
    assert one["variance"] == one["variance_of_one"]
    assert Fraction(three["variance"]["fraction"]) == 3 * alone + 6 * shared
    assert three["correlation"]["fraction"] == str(shared / alone)
    assert row(told("odds", "--boxes", "3"), "Covariance of two boxes") == [f"{float(shared):.5f}"]


def test_the_effect_of_one_card() -> None:
    """Nothing for all but A Bomb: an ace gone costs 15 x (24/312 - 23/311), the others gain a twelfth of it."""
    found = data("odds", "--rulebook", "wa", "--removal")["removal"]
    assert {wager for wager, one in found["wagers"].items() if one["is_zero"]} >= {"initial", "tie", "perfect_pairs"}
    assert found["wagers"]["a_bomb"]["is_zero"] is False
    effects = {card: Fraction(one["fraction"]) for card, one in found["wagers"]["a_bomb"]["by_card"].items()}
    assert effects["Ah"] == -12 * effects["10s"] < 0
    assert set(found["wagers"]["tie"]["by_card"]) == set(effects)
    assert all(one["fraction"] == "0" for one in found["wagers"]["initial"]["by_card"].values())
    assert len(effects) == 52
    text = told("odds", "--rulebook", "wa", "--removal")
    assert "  initial: exactly 0 for every card" in text
    assert "Equal effects that average to zero are zero." in " ".join(text.split())
    assert re.search(r"a_bomb: A -3\.2\d+%; all others \+0\.2\d+%", text)


def test_one_card_matters_where_the_shoe_is_uneven() -> None:
    """From 9 deuces and 5 threes: 92 of 182 deals tie, without a deuce 76 of 156, without a three 84 of 156."""
    found = data("odds", "--composition", "2:9 3:5", "--removal")["removal"]
    before = Fraction(9 * 8 + 5 * 4, 14 * 13)
    expected = {
        "2": 11 * (Fraction(8 * 7 + 5 * 4, 13 * 12) - before),
        "3": 11 * (Fraction(9 * 8 + 4 * 3, 13 * 12) - before),
    }
    effects = found["wagers"]["tie"]["by_card"]
    assert {card: one["fraction"] for card, one in effects.items()} == {
        card: str(effect) for card, effect in expected.items()
    }
    assert found["wagers"]["tie"]["is_zero"] is False
    assert "not fresh" in found["reason"]
    assert "two_cards" not in found


def test_counting_by_depth() -> None:
    """Two cards left: the tie is worth ten with the chance of a pair, 23 in 311, and nobody can know more."""
    found = data("odds", "--counting", "52,2")["counting"]
    assert [(one["left"], one["gone"]) for one in found] == [(52, 260), (2, 310)]
    assert found[1]["wagers"]["tie"]["chance"]["fraction"] == "23/311"
    assert found[1]["wagers"]["tie"]["gain"]["fraction"] == "230/311"
    assert found[0]["wagers"]["tie"]["is_exact"] is True
    assert row(told("odds", "--counting", "2"), "2           tie") == ["7.3955%", "73.9550%", "+1000.0000%"]


def test_the_proof_that_war_is_never_worse() -> None:
    plain = data("odds")["war_or_surrender"]
    assert plain["margin"]["formula"] == "5t/2"
    assert (plain["margin"]["without_tie"]["fraction"], plain["margin"]["per_tie"]["fraction"]) == ("0", "5/2")
    assert (plain["war_is_never_worse"], plain["exception_exists"], plain["exception"]) == (True, False, None)
    assert data("odds", "--rulebook", "ctg")["war_or_surrender"]["margin"]["formula"] == "1/2 + 3t"
    cheap = data("odds", "--set", "surrender.forfeit=1:4")["war_or_surrender"]
    assert (cheap["margin"]["formula"], cheap["turns_at"]["fraction"]) == ("-1/4 + 5t/2", "1/10")
    assert cheap["exception_exists"] is True
    cards = " ".join(f"{rank}:{count}" for rank, count in cheap["exception"].items())
    ranks = data("odds", "--set", "surrender.forfeit=1:4", "--composition", cards)["best_play"]["by_rank"]
    assert ranks["2"]["choice"] == "surrender"
    assert "never worse, whatever cards are left." in " ".join(told("odds").split())
    text = " ".join(told("odds", "--set", "surrender.forfeit=1:4").split())
    assert f"the same at t = 1/10. With {cards} surrender is better." in text


def test_an_exception_is_one_that_the_decks_can_hold() -> None:
    """A tied war that loses is at its worst where all cards are alike, which seven cards of one deck cannot be."""
    changed = ("payout.war.on_tie=lose", "payout.initial.on_war_tie=lose", "payout.war.on_win=3:1")
    asked = ("odds", "--any-decks", "--decks", "1", *(part for one in changed for part in ("--set", one)))
    found = data(*asked)["war_or_surrender"]
    assert found["exception"] == {"2": 2, "3": 4, "4": 1}
    assert found["exception_exists"] is True
    cards = " ".join(f"{rank}:{count}" for rank, count in found["exception"].items())
    assert data(*asked, "--composition", cards)["best_play"]["by_rank"]["2"]["choice"] == "surrender"


def test_readings_are_marked_by_what_was_loaded() -> None:
    text = told("odds", "--rulebook", "ctg", "--set", "payout.war_odds=standard", "--readings")
    assert " *(b) the figures include the stake: 1:1 and 2:1    2.330%" in text
    assert "  (a) 2:1 and 3:1 on the second wager, first back  -1.641%" in text
    changed = told("odds", "--set", "payout.war.on_tie=3:1", "--readings")
    assert "As it is set, the book has none of these." in changed
    assert "as the book has it" not in changed


def test_readings_of_a_few_cards() -> None:
    few = ("odds", "--rulebook", "ca", "--readings", "--composition", "2:4 3:4")
    assert "AMB-11, AMB-12, AMB-13: 8 cards are too few: 3 boxes at war take 11" in told(*few)
    skipped = data(*few)["readings"]["skipped"]
    assert {one["reason"] for one in skipped} == {"8 cards are too few: 3 boxes at war take 11"}


def test_a_book_that_lacks_a_leaf_is_left_as_it_is() -> None:
    asked = ("compare", "--set", "wager.progressive=on", "--set", "payout.tie.on_win=11:1")
    found = data(*asked)
    assert set(found["left_as_it_is"]) == {"nz", "wa", "ctg", "ca"}
    assert list(found["left_as_it_is"]["nz"]) == ["wager.progressive"]
    assert found["books"]["ma"]["wagers"]["progressive"]["offered"] is True
    edges = {one["wagers"]["tie"]["house_edge"]["fraction"] for one in found["books"].values()}
    assert edges == {f"{311 - 12 * 23}/311"}
    assert "wager.progressive: left as it is in nz, wa, ctg, ca (see --json)." in told(*asked)
    assert data("compare")["left_as_it_is"] == {}
    assert "left as it is in nz, ca" in told(
        "compare", "nz", "ca", "ma", "--set", "wager.progressive=on", "--cards", "Kh 9d"
    )


EVERYTHING = (
    *("--readings", "--exact", "--rounding", "1001", "--combine", "initial,tie", "--boxes", "3", "--bank", "2"),
    *("--removal", "--counting", "26", "--session", "100", "--stake", "500", "--bankroll", "9", "--pace", "60"),
)


@cache
def told_wide(args: tuple[str, ...]) -> str:
    return told(*args)


WORKED_OUT: dict[tuple[str, tuple[str, ...]], Any] = {}


@pytest.fixture
def worked_out_once(args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long is the same at every width: the figures of a call are kept, and only told again."""
    for name in ("_studies", "_readings"):
        place = f"casinowar.cli.odds.{name}"
        monkeypatch.setattr(place, partial(kept_figures, pkgutil.resolve_name(place), (name, args)))


def kept_figures(work_out: Callable[..., Any], key: tuple[str, tuple[str, ...]], *given: Any, **named: Any) -> Any:
    if key not in WORKED_OUT:
        WORKED_OUT[key] = work_out(*given, **named)
    return deepcopy(WORKED_OUT[key])


@pytest.mark.usefixtures("worked_out_once")
@pytest.mark.parametrize("columns", [40, 60])
@pytest.mark.parametrize(
    "args",
    [
        *(("odds", "--rulebook", book, *EVERYTHING) for book in BOOKS),
        ("odds", "--composition", left({"2": 2, "3": 3}), "--set", "surrender.forfeit=7:25"),
        ("compare",),
        ("compare", "--cards", "Kh Kd 9s 9c"),
        ("solve", "payout.tie.on_win", "--wager", "tie", "--edge", "5%"),
        ("solve", "shoe.decks", "--wager", "tie", "--edge", "58/311"),
    ],
    ids=lambda args: " ".join(args)[:24],
)
def test_a_narrow_terminal_is_not_overrun(columns: int, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    wide = told_wide(args)
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = told(*args)
    assert max(len(line) for line in narrow.splitlines()) <= columns
    for figure in re.findall(r"[-+]?\d[\d,.]*%", wide):
        assert figure in narrow


def test_columns_that_do_not_fit_stand_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text = told("compare")
    assert [line.split()[2:] for line in text.splitlines() if line.startswith("House edge")] == [
        ["nz", "wa", "ctg"],
        ["ca", "ma"],
    ]


def test_a_long_title_is_wrapped(tmp_path: Path) -> None:
    title = " ".join(["The Long House of Many Words"] * 5)
    house = tmp_path / "house.toml"
    house.write_text(f'id = "house"\ntitle = "{title}"\nversion = "1"\nextends = "nz"\n', "utf-8")
    assert title in " ".join(told("odds", "--rulebook", str(house)).split())


@pytest.mark.parametrize(
    "args",
    [
        ("odds", "--set", f"payout.tie.on_win={'9' * 400}:1"),
        ("odds", "--set", f"payout.tie.on_win={'x y ' * 100}"),
        ("odds", "--set", f"{'k' * 300}=1"),
        ("odds", "--set", "k" * 300),
        ("odds", "--set", f"cards.ranks={'2' * 300}"),
        ("odds", "--composition", "9" * 300),
        ("odds", "--composition", f"2:{'9' * 300}"),
        ("odds", "--combine", "w" * 300),
        ("odds", "--counting", "5" * 300),
        ("compare", "--cards", "K" * 300),
        ("solve", "k" * 300, "--edge", "1%"),
        ("solve", "payout.tie.on_win", "--edge", "e" * 300),
        ("solve", "payout.tie.on_win", "--edge", "1%", "--wager", "w" * 300),
    ],
    ids=range(13),
)
def test_long_values_are_clipped_in_errors(args: tuple[str, ...]) -> None:
    error = run(*args).error
    assert "..." in error
    assert max(map(len, re.split(r"[ =]", error))) <= 63
    assert "x y " * 16 not in error


def test_a_meter_that_is_not_needed() -> None:
    """A tie at 20:1 pays by itself: the break-even meter is below nothing, which the text tells as always."""
    args = ("odds", "--rulebook", "ma", "--set", "payout.progressive.on_tie=20:1")
    assert row(told(*args), "0   ") == ["always", "always"]
    assert data(*args)["wagers"]["progressive"]["break_even_meter"]["0"]["decimal"] < 0
