"""Line-mode play: whole sessions from a pipe and at a pseudo-terminal, and the records that they leave."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from casinowar.cards import DECK, Card, composition
from casinowar.cli.play import play
from casinowar.cli.terminal.bets import BetError, Stake, parse_bet
from casinowar.dealers import Bot, Session, record_of
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.fairness import practice_bytes, practice_shuffles, shuffled
from casinowar.records import parse_record, read_json, read_toml, replay, result
from casinowar.records.write import format_record
from casinowar.rulebooks import load_clauses, load_rulebook
from tests.support import commandline
from tests.support.terminal import Terminal

pytestmark = pytest.mark.slow

BOOKS = ("nz", "wa", "ctg", "ma")
PROGRESSIVE = ("--rulebook", "ma", "--option", "wager.progressive=on")
MIDDLE = 156
README = Path(__file__).parents[2] / "README.md"

HELP = ["-h", "--help"]
"""As the whole command line has it: click keeps the option of a command from its first run on."""


def run(*args: str, typed: str, columns: int = 80) -> Result:
    """A session with these lines typed; `|` stands between them."""
    lines = "".join(line.strip() + "\n" for line in typed.split("|"))
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(play, list(args), input=lines, help_option_names=HELP)


def stacked(monkeypatch: pytest.MonkeyPatch, *shoes: str) -> None:
    """Shuffles that bring these cards to the top once the stack is cut in the middle."""
    left = list(shoes)

    def shuffle(cards: Iterable[Card]) -> tuple[Card, ...]:
        rest = Counter(cards)
        top = [Card(text) for text in left.pop(0).split()]
        order = [*top, *(rest - Counter(top)).elements()]
        middle = len(order) - MIDDLE * len(order) // 312
        return (*order[middle:], *order[:middle])

    monkeypatch.setattr("casinowar.cli.play.shuffled", shuffle)


def replayed(path: Path) -> dict[str, Any]:
    read = read_toml if path.suffix == ".toml" else read_json
    return result(replay(parse_record(read(path.read_text(encoding="utf-8")))))


def balance_told(output: str) -> int:
    """What the last line about the balance says."""
    return int(re.findall(r"with (\d+) chips", output)[-1])


# Whole sessions


def test_the_first_transcript_of_the_readme_is_what_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first shuffle to the end of the round, with what is typed there."""
    shown = re.findall(r"^```\n(.+?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
    typed = re.findall(r" >(?: (.*))?$", shown, re.MULTILINE)
    stacked(monkeypatch, "2c Qd 3c Qs 4c 5c 6c Qs 7c")
    told = run("--bots", "1", typed="|".join([*typed, "quit"])).output
    lines = [line.rstrip() for line in told.splitlines()]
    at = lines.index("The dealer shuffles 6 decks.")
    assert typed == ["", "1000 tie 500", "war"]
    assert lines[at : lines.index("", at)] == shown.splitlines()


def test_nz_war_won_and_the_bet_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tie 500 at 10:1, war 1000 at 1:1; then a win of 1000 with a tie wager of 500 lost."""
    stacked(monkeypatch, "2c Kh Kd 3c 4c 5c Qs Js 9h 8d")
    told = run(typed="|1000 tie 500|w||quit")
    assert told.exit_code == 0, told.output
    expected = [
        "The dealer burns a card face down.",
        "Your bet? E.g. 100, or 100 tie 100. Also: ? (help), odds, why, quit. > 1000 tie 500",
        "No more bets.",
        "  Box 1   K♥       You: Casino War 1000, Tie 500",
        "  Dealer  K♦",
        "You: Tie 500 wins 5000 (10:1).",
        "War! Your K♥ on box 1 ties the dealer's K♦. War costs 1000 more. Surrender gives",
        "  you 500 back.",
        "War or surrender? > w",
        "You go to war with 1000 more.",
        "The dealer burns 3 cards face down.",
        "  Box 1   K♥ Q♠    You: Casino War 1000, Go to War 1000",
        "  Dealer  K♦ J♠",
        "You: Casino War 1000 stands: 1000 back.",
        "You: Go to War 1000 wins 1000 (1:1).",
        f"Round 1: +6000. You have {10000 + 5000 + 1000}.",
    ]
    lines = told.output.splitlines()
    start = lines.index(expected[0])
    assert lines[start : start + len(expected)] == expected
    assert f"Round 2: +500. You have {16000 + 1000 - 500}." in lines
    assert lines[-1] == "You leave after 2 rounds with 16500 chips (+6500)."


@pytest.mark.parametrize(
    ("book", "second", "gain"),
    [
        ("nz", "Qs Js", 1000),  # the raise pays 1:1, the first wager stands
        ("nz", "Qs Qd", 2000),  # a tie at war pays the raise 2:1
        ("nz", "Js Qs", -2000),
        ("wa", "Qs Qd", 2000),  # 1:1 on both wagers
        ("ctg", "Qs Js", 2000),  # the raise pays 2:1 as the guide has it
        ("ctg", "Qs Qd", 3000),
    ],
)
def test_wars_come_out_as_the_book_pays(monkeypatch: pytest.MonkeyPatch, book: str, second: str, gain: int) -> None:
    burns = "Ah 2c" if book == "wa" else "2c"
    stacked(monkeypatch, f"{burns} Kh Kd 3c 4c 5c {second}")
    told = run("--rulebook", book, typed="|1000|war||quit")
    assert f"Round 1: {gain:+d}. You have {10000 + gain}." in told.output


@pytest.mark.parametrize("book", BOOKS)
def test_surrender_gives_half_back(monkeypatch: pytest.MonkeyPatch, book: str) -> None:
    stacked(monkeypatch, ("Ah 2c" if book == "wa" else "2c") + " Kh Kd")
    told = run("--rulebook", book, typed="|1000|s|quit")
    main = load_rulebook(book).names.initial
    assert f"You: {main} 1000 is surrendered for 500." in told.output
    assert "Round 1: -500. You have 9500." in told.output


def test_wa_every_wager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red aces, then black kings: tie and A Bomb 10:1, coloured pairs 12:1 twice, a war tie pays both wagers 1:1."""
    stacked(monkeypatch, "3h 4c 5c 6c Ad Ah 7c 8c 9c Ks Kc")
    told = run("--rulebook", "wa", typed="|1000 tie 500 a bomb 100 perfect pairs 200|go to war|200|quit")
    assert "The dealer turns up 3♥ and burns it.\nThe dealer burns 3 cards face down." in told.output
    assert "Box 1   A♦       You: Casino War 1000, Tie 500, A Bomb 100, Perfect Pairs 200" in told.output
    for line in (
        "You: Tie 500 wins 5000 (10:1).",
        "You: A Bomb 100 wins 1000 (10:1).",
        "You: Casino War 1000 wins 1000 (1:1).",
        "You: Go to War 1000 wins 1000 (1:1).",
    ):
        assert line in told.output
    assert told.output.count("You: Perfect Pairs 200 wins 2400 (12:1).") == 2
    assert f"Round 1: +{5000 + 1000 + 2 * 2400 + 2 * 1000}." in told.output


def test_ma_tie_wager_on_the_war_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kings tie, then queens: both tie wagers pay 10:1, the war wager 2:1, and the first wager stands."""
    stacked(monkeypatch, "2c Kh Kd 3c 4c 5c Qs Qd")
    told = run("--rulebook", "ma", typed="|1000 tie 500|w|500|quit")
    assert "Tie on the war cards of box 1? E.g. 100; Enter for none. > 500" in told.output
    assert told.output.count("You: Tie 500 wins 5000 (10:1).") == 2
    assert f"Round 1: +{2 * 5000 + 2000}." in told.output


@pytest.mark.parametrize("book", ["nz", "wa", "ctg"])
def test_a_tie_wager_alone(monkeypatch: pytest.MonkeyPatch, book: str) -> None:
    """Without a wager to raise there is nothing to decide: the round ends with the tie paid 10:1."""
    stacked(monkeypatch, ("Ah 2c" if book == "wa" else "2c") + " Kh Kd")
    told = run("--rulebook", book, typed="|tie 500|quit")
    assert "Round 1: +5000. You have 15000." in told.output
    assert "War or surrender" not in told.output


@pytest.mark.clause("CTG-F3", "CTG-F5")
def test_ctg_asks_inside_its_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the left: your tie, Ann's war, Ben's surrender; only then Cleo, who won, is paid."""
    stacked(monkeypatch, "2c 9h 9d 9s Kh 9c 3c 4c 5c Ts 2d 3d")
    told = run("--rulebook", "ctg", "--bots", "3", typed="|100|s|q")
    order = ["War 100 is surrendered for 50", "Ann goes to war", "Ben: War 100 is surrendered", "Cleo: War 100 wins"]
    places = [told.output.index(words) for words in order]
    assert places == sorted(places)
    assert "Note: with these payouts going to war favours the player." in told.output


def test_bots_declare_their_habits_and_keep_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c Ah 9d 9s 9c 3c 4c 5c Ts 2d")
    told = run("--bots", "2", typed="|300|quit")
    assert "Ann (box 2) goes to war, Ben (box 3)" in told.output
    assert "Ann: Casino War 100\n" in told.output
    assert "Ann goes to war with 100 more." in told.output
    assert "Ben: Casino War 100 is surrendered for 50." in told.output
    assert "Round 1: +300." in told.output


def test_a_second_box_where_the_option_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c Ah 3d 9s")
    told = run("--option", "table.multi_box=on", typed="|1000 box 3 500|quit")
    assert "You (box 1): Casino War 1000 wins 1000 (1:1)." in told.output
    assert "You (box 3): Casino War 500 loses." in told.output
    assert "Enter: 1000 box 3 500;" in told.output


def test_a_second_box_is_refused_where_it_is_not_granted() -> None:
    told = run(typed="|1000 box 3 500|quit")
    assert "You may not play more boxes than that. [NZ-5.7]" in told.output
    assert balance_told(told.output) == 10000, "the first stake of a refused line was kept"


# What is typed


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("hello", "No wager here is called 'hello': bet on Casino War or Tie."),
        ("ca 100", "No wager here is called 'ca': bet on Casino War or Tie."),
        ("1e3", "Chips are whole numbers, such as 1000 or 1,000."),
        ("1k", "Chips are whole numbers, such as 1000 or 1,000."),
        ("1_000", "Chips are whole numbers, such as 1000 or 1,000."),
        ("100 tie 1e2", "Chips are whole numbers, such as 1000 or 1,000."),
        ("1.5", "Chips are whole numbers, such as 1000 or 1,000."),
        ("-100", "Chips are whole numbers, such as 1000 or 1,000."),
        ("1000 500", "Two amounts for Casino War. E.g. 100, or 100 tie 100."),
        ("tie", "How much on Tie? E.g. 100, or 100 tie 100."),
        ("", "How much? E.g. 100, or 100 tie 100."),
        ("9" * 5000, "Nobody has that many chips."),
        ("a bomb 100", "No wager here is called 'a bomb': bet on Casino War or Tie."),
        ("0", "That is no amount: 1 chip at least."),
        ("50", "That is below the minimum of 100. [the book is silent; house default]"),
        ("150", "Casino War goes in steps of 100. [the book is silent; house default]"),
        ("5100", "That is above the maximum of 5000. [the book is silent; house default]"),
        ("5000 tie 5000 box 2 100", "You may not play more boxes than that. [NZ-5.7]"),
        ("box 8 100", "There is no such box. [NZ-3.1-i]"),
        ("box 100", "How much? E.g. 100, or 100 tie 100."),
        ("buy x", "Chips are whole numbers, such as 1000 or 1,000."),
        ("why", "There is no ruling yet: place a bet first."),
    ],
)
def test_wrong_input_gets_one_line_and_another_chance(typed: str, answer: str) -> None:
    told = run("--option", "shoe.cut_offered=off", typed=f"{typed}|quit")
    lines = told.output.splitlines()
    asked = [n for n, line in enumerate(lines) if line.startswith("Your bet?")]
    assert len(asked) == 2
    assert lines[asked[0] + 1 : asked[1]] == [answer]
    assert lines[-1] == "You leave after 0 rounds with 10000 chips (+0)."


def test_the_minimum_of_each_of_several_boxes_has_its_clause() -> None:
    told = run("--option", "shoe.cut_offered=off", "--option", "table.multi_box=on", typed="1000 box 2 50|quit")
    assert "That is below the minimum of 100. [NZ-5.7b]" in told.output.splitlines()


def test_more_than_you_have(monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("--bank", "500", typed="|300 tie 300|q")
    assert "You do not have that many chips." in told.output
    assert balance_told(told.output) == 500


@pytest.mark.clause("CTG-G3-i", "CTG-G3-ii")
def test_the_bet_to_repeat_is_the_one_that_played(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c Kh Qd Jh Ts")
    told = run("--rulebook", "ctg", typed="|9000||quit").output
    assert "You: War plays at 5000; 4000 goes back." in told
    assert "Enter: 5000; ? help." in told
    assert "Round 2: +5000. You have 20000." in told


def test_a_bet_that_is_out_of_reach_is_not_offered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c 3h Qd")
    told = run("--bank", "1000", typed="|800||quit").output
    assert "Round 1: -800. You have 200." in told
    assert "Enter: 800" not in told
    assert "How much? E.g. 100, or 100 tie 100." in told


NAMES = {"initial": "Casino War", "tie": "Tie", "a_bomb": "A Bomb", "perfect_pairs": "Perfect Pairs"}


@pytest.mark.parametrize(
    ("text", "stakes"),
    [
        ("1000", [(1, "initial", 1000)]),
        ("1,000", [(1, "initial", 1000)]),
        ("bet 1000 on casino war", None),
        ("casino war 1000", [(1, "initial", 1000)]),
        ("war 1000, tie 500", [(1, "initial", 1000), (1, "tie", 500)]),
        ("tie 500 and 1000", [(1, "initial", 1000), (1, "tie", 500)]),
        ("TIE: 500", [(1, "tie", 500)]),
        ("bomb 100 pairs 200", [(1, "a_bomb", 100), (1, "perfect_pairs", 200)]),
        ("pp 200 ab 100 t 5", [(1, "tie", 5), (1, "a_bomb", 100), (1, "perfect_pairs", 200)]),
        ("1000 box 3 700 tie 500", [(1, "initial", 1000), (3, "initial", 700), (3, "tie", 500)]),
        ("tie500", [(1, "tie", 500)]),
        ("1000tie500", [(1, "initial", 1000), (1, "tie", 500)]),
        ("1000and tie 500", [(1, "initial", 1000), (1, "tie", 500)]),
        ("casino 1000", [(1, "initial", 1000)]),
        ("cas 1000", None),
        ("12,50", None),
        ("perfect", None),
        ("box", None),
        ("x 100", None),
    ],
)
def test_bets_are_read_as_people_type_them(text: str, stakes: list[tuple[int, str, int]] | None) -> None:
    if stakes is None:
        with pytest.raises(BetError):
            parse_bet(text, NAMES, 1, 100)
    else:
        assert parse_bet(text, NAMES, 1, 100) == [Stake(*stake) for stake in stakes]


def test_the_bet_that_is_proposed_is_one_that_can_be_made() -> None:
    told = run("--unit", "300", "--bots", "1", typed="|300|w|quit").output
    assert "minimum 100, maximum 5000, in steps of 300" in told
    assert "Your bet? E.g. 300, or 300 tie 300. Also: ? (help), odds, why, quit. > 300" in told
    assert "You: Casino War 300" in told
    assert "Ann: Casino War 300" in told


def test_limits_at_which_nobody_could_bet_open_no_table() -> None:
    told = run("--min", "100", "--max", "200", "--unit", "300", typed="quit")
    assert told.exit_code == 2
    assert "nobody could bet at these limits: minimum 100, maximum 200, in steps of 300" in told.output


def test_wrong_answers_to_the_other_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "3h 4c 5c 6c Ad Ah 7c 8c 9c Ks Qc")
    told = run("--rulebook", "wa", typed="x|51||1000|maybe||war|tie 5|60|quit")
    assert "Please type a number from 52 to 260, Enter, or no." in told.output
    assert "The cut must be 52 to 260 cards deep. [WA-4.5]" in told.output
    assert told.output.count("Please type w for war or s for surrender; ? is for help.") == 2
    assert "No wager here is called 'tie': bet on Perfect Pairs." in told.output
    assert "You: Perfect Pairs 60 loses." in told.output


MA_NAMES = {"initial": "Initial", "tie": "Tie", "progressive": "Casino War Progressive"}


@pytest.mark.parametrize("words", ["war", "casino war", "c", "w", "pro"])
def test_a_word_inside_a_wagers_name_is_not_that_wager(words: str) -> None:
    with pytest.raises(BetError) as error:
        parse_bet(f"{words} 500", MA_NAMES, 1, 100)
    assert str(error.value) == f"No wager here is called {words!r}: bet on Initial, Tie or Casino War Progressive."


@pytest.mark.parametrize("words", ["casino war progressive", "progressive", "casino", "prog", "cwp"])
def test_the_progressive_by_its_names(words: str) -> None:
    assert parse_bet(f"100 {words} 500", MA_NAMES, 1, 100)[1] == Stake(1, "progressive", 500)


def test_a_word_of_two_wagers_is_neither() -> None:
    names = {"initial": "Casino War", "tie": "Casino Tie"}
    with pytest.raises(BetError, match="No wager here is called 'casino'"):
        parse_bet("casino 100", names, 1, 100)
    assert parse_bet("tie 100 war 200", names, 1, 100) == [Stake(1, "initial", 200), Stake(1, "tie", 100)]


def test_war_is_no_bet_where_no_first_wager_is_called_so() -> None:
    told = run(*PROGRESSIVE, typed="|war 500|quit").output
    assert "No wager here is called 'war': bet on Initial, Tie or Casino War Progressive." in " ".join(told.split())
    assert balance_told(told) == 10000


# The cut


@pytest.mark.parametrize("position", [0, 51, 261, 312, 1000])
def test_a_cut_out_of_bounds_is_told_the_bounds(position: int) -> None:
    """Six decks are 312 cards, of which 52 at least lie on either side of the cut."""
    lines = run(typed=f"{position}|quit").output.splitlines()
    asked = [n for n, line in enumerate(lines) if line.startswith("Cut the cards?")]
    clauses = ", ".join(load_rulebook("nz").clauses["shoe.cut_depth"])
    assert lines[asked[0] + 1 : asked[1]] == [f"The cut must be 52 to {312 - 52} cards deep. [{clauses}]"]


def test_the_cut_really_moves_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in front of the cutting card goes to the back: with 100 in front, the 101st card is burned."""
    order = [*DECK * 6]
    monkeypatch.setattr("casinowar.cli.play.shuffled", lambda cards: tuple(cards))
    told = run(typed="100|100|q")
    assert order[101][1] == order[102][1] == "s"
    assert "You cut the cards, 100 from the front." in told.output
    box, dealer = (card[0].replace("T", "10") + "♠" for card in order[101:103])
    assert f"  Box 1   {box} " in told.output
    assert f"  Dealer  {dealer}" in told.output


@pytest.mark.parametrize(
    ("bots", "words"),
    [("0", "The dealer cuts the cards"), ("1", "Ann cuts the cards")],
)
def test_the_cut_can_be_passed_on(bots: str, words: str) -> None:
    told = run("--bots", bots, typed="no|quit")
    assert "You pass the cut on." in told.output
    assert words in told.output


# Words that work everywhere


def test_why_names_the_clauses_behind_the_last_ruling(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c Kh Qd")
    told = run("--option", "table.multi_box=on", typed="|1000 tie 500|why|1000 box 2 50|why|quit")
    flat = " ".join(told.output.split())
    for clause in ("NZ-5.3a", "NZ-5.13a", "NZ-5.6", "NZ-8.5.1a", "NZ-5.7b"):
        assert f"{clause}: {load_clauses()[clause].text}" in flat
    after_refusal = flat[flat.rindex("why") :]
    assert "NZ-5.7b" in after_refusal
    assert "NZ-5.3a" not in after_refusal


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("50", "The book is silent; house default."),
        ("20000", "The book is silent; house default."),
        ("box 2 0", "The table's own rule: no clause of the book is needed for it."),
    ],
)
def test_why_without_a_clause(line: str, why: str) -> None:
    """A rule that the house made where the book has none is not what needs no rule."""
    lines = run("--option", "shoe.cut_offered=off", typed=f"{line}|why|quit").output.splitlines()
    asked = next(n for n, text in enumerate(lines) if text.endswith("> why"))
    assert lines[asked + 1] == lines[asked - 1]
    assert lines[asked + 2] == f"  {why}"


def test_why_at_the_choice_of_war(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c Kh Kd")
    told = run(typed="|1000|why|s|quit")
    clause = load_rulebook("nz").clauses["decision.timing"][0]
    assert f"{clause}: {load_clauses()[clause].text}" in " ".join(told.output.split())


@pytest.mark.parametrize("book", BOOKS)
def test_odds_say_every_payout_of_the_book(book: str) -> None:
    rules = load_rulebook(book)
    flat = " ".join(run("--rulebook", book, typed="|odds|quit").output.split())
    off = {"ma": ["progressive"]}.get(book, [])
    for (wager, _), cell in rules.cells.items():
        pays = f"pays {cell.odds}" if cell.odds else "stands" if cell.outcome == "push" else "loses"
        assert (f"{pays} [{', '.join(cell.clauses)}]" in flat) == (wager not in off)


def test_odds_show_a_wager_of_both_deals_once_where_it_pays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "3h 4c 5c 6c Kd Kh", "3h")
    told = run("--rulebook", "wa", typed="|100|odds|s|quit").output
    assert told.count("same rank and colour: pays 12:1") == 1
    headings = [line for line in told.splitlines() if line.startswith("Perfect Pairs")]
    assert headings == ["Perfect Pairs, and again for the war deal:"]
    headings = [line for line in run("--rulebook", "ma", typed="|odds|quit").output.splitlines() if line[:3] == "Tie"]
    assert headings == ["Tie:", "Tie, for the war deal:"], "they look at other cards"


def test_help_limits_and_table() -> None:
    told = run("--bots", "1", "--max", "700", typed="?|limits|table|quit").output
    assert "1000 tie 500: and 500 on Tie" in told
    assert "  Tie: minimum 100, maximum 700, in steps of 100" in told
    assert "  Box 1   You, 10000 chips\n  Box 2   Ann, 10000 chips\n  Box 3   empty" in told


# Leaving


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (0, "You leave after 0 rounds with 10000 chips (+0)."),
        (1, "You leave after 0 rounds with 10000 chips (+0)."),
        (
            2,
            "The round is not finished: 1000 of your chips are still on the layout.\nYou leave after 0 rounds",
        ),
        (3, "You leave after 1 round with 9500 chips (-500)."),
    ],
)
def test_the_end_of_input_leaves_cleanly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, typed: int, words: str
) -> None:
    stacked(monkeypatch, "2c Kh Kd")
    record = tmp_path / "session.json"
    lines = ["\n", "1000\n", "s\n"][:typed]
    told = CliRunner().invoke(play, ["--save", str(record)], input="".join(lines), help_option_names=HELP)
    assert told.exit_code == 0
    assert words in told.output
    assert replayed(record)["balances"]["player"] == balance_told(told.output)


def test_an_interrupt_leaves_with_130_and_saves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stacked(monkeypatch, "2c Kh Qd")
    answers = iter(["", "1000"])

    def interrupted(prompt: str = "") -> str:
        answer = next(answers, None)
        if answer is None:
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr("builtins.input", interrupted)
    record = tmp_path / "session.toml"
    told = CliRunner().invoke(play, ["--save", str(record)], help_option_names=HELP)
    assert told.exit_code == 130
    assert "You leave after 1 round with 11000 chips (+1000)." in told.output
    assert replayed(record)["balances"] == {"player": 11000, "house": -1000}


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_out_of_chips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str) -> None:
    stacked(monkeypatch, "2c 3h Kd 9h 8h")
    record = tmp_path / "session.json"
    told = run("--bank", "1000", "--save", str(record), typed=f"|1000|what|{answer}|500|quit")
    assert "You are out of chips.\nBuy chips for 1000? yes or no > what\nPlease answer yes or no." in told.output
    final = {"yes": 1000 + 500, "no": 0}[answer]
    assert balance_told(told.output) == final
    assert replayed(record)["balances"]["player"] == final
    assert f"with {final} chips ({'-500' if answer == 'yes' else '-1000'})." in told.output


@pytest.mark.parametrize(
    ("answer", "bought"), [("yes", 1000), ("buy|1000", 1000), ("buy 300", 300), ("odds|buy|1,000", 1000)]
)
def test_chips_bought_in_any_words_end_the_question(monkeypatch: pytest.MonkeyPatch, answer: str, bought: int) -> None:
    stacked(monkeypatch, "2c 3h Kd 9h 8h")
    told = run("--bank", "1000", typed=f"|1000|{answer}|quit").output
    _, after = told.split(f"You buy chips for {bought} and have {bought}.\n")
    assert "Buy chips for" not in after
    assert "Your bet?" in after
    assert balance_told(told) == bought


def test_chips_below_the_minimum_leave_the_question_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c 3h Kd")
    told = run("--bank", "1000", typed="|1000|buy 50|yes|quit").output
    assert told.count("Buy chips for 1000?") == 2
    assert balance_told(told) == 1050


def test_a_war_that_needs_more_chips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stacked(monkeypatch, "2c Kh Kd 3c 4c 5c Qs Js")
    record = tmp_path / "session.toml"
    told = run("--bank", "1000", "--save", str(record), typed="|1000|war|buy 1500|war|quit")
    assert "War is not open to you yet: You do not have that many chips." in " ".join(told.output.split())
    assert "Round 1: +1000. You have 3500." in told.output
    data = replayed(record)
    assert not data["refusals"]
    assert data["balances"]["player"] == 3500


def test_help_at_a_choice_begins_with_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c Kh Kd 3c 4c 5c Qs Js")
    told = " ".join(run(typed="|1000|?|s|?|quit").output.split())
    asked, after = told.split("War or surrender? >")[1:3]
    now = "Now: w goes to war, s surrenders. War costs 1000 more. Surrender gives you 500 back. Bet,"
    assert asked.removeprefix(" ?").strip().startswith(now)
    assert "Now:" not in after, "once it is chosen, help is about betting again"


def test_help_at_the_bank_says_what_to_type() -> None:
    told = " ".join(run("--rulebook", "ca", typed="|?|quit").output.split())
    assert "Now: type how many of your 10000 chips you bank with, or no to pass the bank on. Bet," in told


def test_chips_bought_on_the_way_are_told_where_they_were_bought(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stacked(monkeypatch, "2c 3h Kd 9h 8h")
    record = tmp_path / "session.toml"
    run("--bank", "1000", "--save", str(record), typed="|500|buy 700|500|quit")
    told = commandline.run("replay", str(record)).out
    opening, first, second = re.split(r"Round \d", told)
    assert "Players: player 1,000" in opening
    assert "buys" not in first
    assert "player buys chips for 700" in second
    assert replayed(record)["balances"]["player"] == 1000 - 500 + 700 + 500


# The players' bank


def test_ca_as_a_bettor(monkeypatch: pytest.MonkeyPatch) -> None:
    """You pass, Ann banks: a win of 1000 and a tie wager of 500 lost. The banker's card is dealt last."""
    stacked(monkeypatch, "2c Kh 3d Qd")
    told = run("--rulebook", "ca", typed="|no|1000 tie 500|quit").output
    for line in (
        "You pass: the bank goes on to the next player.",
        "Ann banks with 5000: no more than that can be paid this round.",
        "  Box 1   K♥       You: Primary 1000, Tie 500",
        "  Box 3   3♦       Ben: Primary 100",
        "  Bank    Q♦       Ann: 5000",
        "You: Primary 1000 wins 1000 (1:1).",
        # Of the 4000 that are left 400 on the tie could be paid at 10 to 1.
        "You: Tie plays at 400; 100 goes back, not covered by the bank.",
        "You: Tie 400 loses.",
        "Ben: Primary 100 loses.",
        # What the bank collects does not come back into what it can pay.
        "The bank has 4000 left to pay with.",
        "Ann takes 4500 back from the bank (-500).",
        "Round 1: +600. You have 10600.",
    ):
        assert line in told.splitlines()
    assert "  Box 2   " not in told, "whoever banks gets no other card"


def test_ca_as_the_bank_for_two_rounds_then_the_next_player(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two bettors of 100 each: both lose; then Ann wins and Ben ties and surrenders; then Ann banks, and Ben."""
    stacked(monkeypatch, "2c 3h 4h Kd 9h 8d 8c 5h 6h 7h 5d 6d 7d 5c 6c 7c 5s 6s 7s 2h 3h 4h")
    record = tmp_path / "session.toml"
    typed = "|2000||100||||no|quit"
    told = run("--rulebook", "ca", "--save", str(record), typed=typed).output
    lines = told.splitlines()
    assert "Round 1: +200. You have 10200." in lines
    assert "The bank is yours for another round. Stake? Enter: 2000; no to pass. >" in map(str.rstrip, lines)
    assert "Ben: Primary 100 is surrendered for 50." in lines
    assert "Round 2: -50. You have 10150." in lines
    order = ["You", "You", "Ann", "Ann", "Ben", "Ben", "Ann"]
    assert re.findall(r"^(\w+) banks? with", told, re.MULTILINE) == order
    assert told.count("The bank is offered to you.") == 2, "at the start, and again when it has come round"
    acts = read_toml(record.read_text(encoding="utf-8"))["acts"]
    accepted = [act["player"].replace("player", "You") for act in acts if act["do"] == "accept_bank"]
    assert accepted == order
    assert [act["player"] for act in acts if act["do"] == "decline_bank"] == ["player"]
    data = replayed(record)
    assert data["refusals"] == []
    assert data["balances"]["player"] == balance_told(told)
    assert data["balances"]["house"] == 0


def test_ca_giving_up_the_bank_after_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    stacked(monkeypatch, "2c 3h 4h Kd")
    told = run("--rulebook", "ca", typed="|500|pass|quit").output
    assert "You give up the bank.\nAnn banks with 5000" in told


def test_ca_with_one_other_who_may_not_bank_a_third_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann has had her two rounds; with you unwilling there is nobody, and you are asked again."""
    stacked(monkeypatch, "2c Kh Qd 9h 8d 3h 2d")
    told = run("--rulebook", "ca", "--bots", "1", typed="|no|100||no|400|quit").output
    assert "Nobody else can bank now, and without a bank there is no round." in told
    assert told.index("Nobody else") < told.index("You bank with 400")
    assert told.count("Ann banks") == 2


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("all", "Please type how many of your 10000 chips you bank with, or no."),
        ("", "Please type how many of your 10000 chips you bank with, or no."),
        ("9" * 40, "Please type how many of your 10000 chips you bank with, or no."),
        ("10001", "You do not have that many chips. You have 10000; `buy` gets you more."),
        ("0", "That is no amount: 1 chip at least."),
    ],
)
def test_a_stake_that_is_none(typed: str, answer: str) -> None:
    lines = run("--rulebook", "ca", typed=f"|{typed}|quit").output.splitlines()
    asked = [n for n, line in enumerate(lines) if line.startswith("The bank is offered to you.")]
    assert lines[asked[0] + 1 : asked[1]] == [answer]
    assert lines[-1] == "You leave after 0 rounds with 10000 chips (+0)."


def test_ca_your_bank_runs_dry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stake of 150 against three bettors of 100, of whom the first two win: 100, then the 50 that is left.

    The third would have lost, and has the wager back.
    """
    stacked(monkeypatch, "2c Kh Qh 2h 9d")
    record = tmp_path / "session.json"
    told = run("--rulebook", "ca", "--bots", "3", "--save", str(record), typed="|150|quit").output
    start = told.index("Ann: Primary 100 wins")
    assert told[start:].splitlines()[:7] == [
        "Ann: Primary 100 wins 100 (1:1).",
        "Ben: Primary plays at 50; 50 goes back, not covered by the bank.",
        "Ben: Primary 50 wins 50 (1:1).",
        "Cleo: Primary 100 is returned: 100 back.",
        "The bank has nothing left to pay with.",
        "You take 0 back from the bank (-150).",
        "Round 1: -150. You have 9850.",
    ]
    balances = replayed(record)["balances"]
    assert balances == {"player": 9850, "Ann": 10100, "Ben": 10050, "Cleo": 10000, "house": 0}


def test_ca_a_bots_bank_runs_dry_against_you(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann stakes 500: your tie wager of 100 would win 1000 and gets 500, and there is nothing to match a war with."""
    stacked(monkeypatch, "2c Kh 3h Kd")
    told = run("--rulebook", "ca", "--bank", "1000", typed="|no|200 tie 100|why|quit").output
    assert "You: Tie plays at 50; 50 goes back, not covered by the bank." in told
    assert "You: Tie 50 wins 500 (10:1)." in told
    assert "You: Primary 200 is returned: 200 back." in told
    assert "War or surrender" not in told
    assert "Round 1: +500. You have 1500." in told
    assert f"CA-BS-5b: {load_clauses()['CA-BS-5b'].text}" in " ".join(told.split())


def test_ca_a_war_that_is_matched_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann's 500 match half of a war for 1000: both wagers play for 500, and 500 of the first goes back."""
    stacked(monkeypatch, "2c Kh 3h Kd 4c 5c 6c Qs Js")
    told = run("--rulebook", "ca", "--bank", "1000", typed="|no|buy 1000|1000|w|quit").output
    flat = " ".join(told.split())
    assert "The bank can match no more than 500. You: Primary plays at 500; 500 goes back. War!" in flat
    assert "War costs 500 more. Surrender gives you 250 back." in flat
    assert "You go to war with 500 more; the bank puts 500 beside it." in flat
    assert "Bank K♦ J♠ Ann: 500, 0 left to pay with" in flat
    assert "Round 1: +500. You have 2500." in told


def test_ca_a_war_that_is_matched_in_part_under_a_payoff_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first reading: the part is cut when war is chosen."""
    stacked(monkeypatch, "2c Kh 3h Kd 4c 5c 6c Qs Js")
    options = ("--option", "bank.model=payoff_cap", "--bank", "1000")
    told = run("--rulebook", "ca", *options, typed="|no|buy 1000|1000|w|quit").output
    flat = " ".join(told.split())
    assert "War costs 500 more, all that the bank can match." in flat
    assert "The bank can match no more than 500. You: Primary plays at 500; 500 goes back." in flat
    assert "Round 1: +500. You have 2500." in told


def test_ca_interrupted_with_the_stake_on_the_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What lies before you is told as yours; the record keeps it out of the balance, as chips on the layout."""
    record = tmp_path / "session.json"

    def interrupt(self: Session) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "deal", interrupt)
    told = run("--rulebook", "ca", "--save", str(record), typed="|2000|quit")
    assert told.exit_code == 130
    assert "The round is not finished: 2000 of your chips are still on the layout." in told.output
    assert "You leave after 0 rounds with 8000 chips (-2000)." in told.output
    assert replayed(record)["balances"]["player"] == 8000


@pytest.mark.parametrize("suffix", [".json", ".toml"])
@pytest.mark.parametrize("bots", ["1", "5"])
def test_a_saved_ca_session_replays_to_the_same_balances(tmp_path: Path, suffix: str, bots: str) -> None:
    """You bank with little, so that it runs dry, pass it on, and bet."""
    record = tmp_path / f"session{suffix}"
    lines = [""] + ["300", "", "w", "no", "200 tie 300", "s", "w"] * 40 + ["table", "quit"]
    told = run("--rulebook", "ca", "--bots", bots, "--seed", "x", "--save", str(record), typed="|".join(lines))
    assert told.exit_code == 0, told.output
    data = replayed(record)
    assert data["refusals"] == []
    assert data["balances"]["player"] == balance_told(told.output)
    assert data["balances"]["house"] == 0
    assert len(data["rounds"]) > 40
    assert len({event["player"] for event in data["events"] if event["name"] == "bank_accepted"}) == int(bots) + 1
    is_dry = any(line["outcome"] == "returned" for round_ in data["rounds"] for line in round_["settlements"])
    assert is_dry == (bots == "5"), "300 chips cover one bettor of 100, and not always five"
    for round_ in data["rounds"]:
        assert round_["net"].pop("house") == 0
        assert sum(round_["net"].values()) == 0


# The progressive


def test_ma_progressive_pays_its_line_and_shows_the_meter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same king twice is a suited tie, 15:1 on 500; a tenth of the 500 goes to the meter."""
    stacked(monkeypatch, "2c Kh Kh")
    record = tmp_path / "session.toml"
    told = run(*PROGRESSIVE, "--meter", "2000000", "--save", str(record), typed="|100 prog 500|s|quit").output
    assert "The progressive's meter stands at 2000000." in told
    paid = "You: Casino War Progressive 500 wins 7500: suited tie 7500 (15:1); the stake is not returned."
    assert paid in " ".join(told.split())
    gain = 15 * 500 - 500 - 50
    assert f"Round 1: +{gain}. You have {10000 + gain}." in told
    assert "The meter stands at 2000050." in told
    assert read_toml(record.read_text(encoding="utf-8"))["meter"] == 2_000_000
    data = replayed(record)
    assert (data["meter"], data["balances"]["player"]) == (2_000_050, 10000 + gain)


def test_ma_a_jackpot_of_your_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four identical kings: 1000:1 on 500, and the meter that you and Ann fed with 50 each; she envies you 100000."""
    stacked(monkeypatch, "2c Kh 4d Kh 3c 4c 5c Kh Kh")
    told = run(*PROGRESSIVE, "--bots", "1", typed="|100 prog 500|w||quit").output
    flat = " ".join(told.split())
    meter = 1_000_000 + 50 + 50
    parts = f"suited four of a kind 500000 (1000:1), the meter {meter}; the stake is not returned."
    assert f"You: Casino War Progressive 500 wins {500_000 + meter}: {parts}" in flat
    assert "Ann: Casino War Progressive 500 wins 100000: envy 100000 for your jackpot" in flat
    assert f"The jackpot is hit: {meter} leaves the meter, which starts again at 1000000." in flat
    assert "The meter stands at 1000000." in flat
    # The war ties as well: 2:1 on 100.
    assert f"Round 1: +{500_000 + meter - 500 + 200}." in told


def test_ma_envy_for_a_bots_jackpot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ann has four identical kings with the dealer; you lose your card, and get 100000 for each 500 of your wager."""
    stacked(monkeypatch, "2c 4d Kh Kh 3c 4c 5c Kh Kh")
    record = tmp_path / "session.json"
    told = run(*PROGRESSIVE, "--bots", "1", "--save", str(record), typed="|100 prog 1000|why|quit").output
    flat = " ".join(told.split())
    assert "You: Casino War Progressive 1000 wins 200000: envy 200000 for Ann's jackpot" in flat
    assert f"MA-11-E2: {load_clauses()['MA-11-E2'].text}" in flat
    assert f"Round 1: +{200_000 - 1000 - 100}." in told
    data = replayed(record)
    assert data["balances"]["player"] == balance_told(told)
    assert data["meter"] == 1_000_000


def test_ma_progressive_off_its_unit() -> None:
    told = run(*PROGRESSIVE, typed="|100 prog 300|limits|quit").output
    banner, _, after = told.partition("Your bet?")
    assert "Casino War Progressive: minimum 500, no maximum, in steps of 500." in banner
    assert "Casino War Progressive goes in steps of 500. [MA-11-F2]" in after
    assert "  Casino War Progressive: minimum 500, no maximum, in steps of 500" in told
    assert balance_told(told) == 10000


OFF = "Casino War Progressive is off here: --option wager.progressive=on plays with it."


@pytest.mark.parametrize("typed", ["100 progressive 500", "progressive", "odds"])
def test_ma_says_how_to_turn_the_progressive_on(typed: str) -> None:
    _, _, after = run("--rulebook", "ma", typed=f"|{typed}|quit", columns=200).output.partition("Your bet?")
    assert after.count(OFF) == 1
    assert "No wager" not in after
    assert "four of a kind" not in after
    assert "No wager here is called 'progressive'" in run(typed="|100 progressive 500|quit", columns=200).output


def test_ma_odds_and_table_with_the_progressive() -> None:
    flat = " ".join(run(*PROGRESSIVE, typed="|odds|table|quit").output.split())
    assert "suited four of a kind: pays 1000:1 [MA-11-T1, MA-11c, MA-11-F1]" in flat
    assert "the best line also wins all of the meter [MA-11-T1, MA-11b]" in flat
    assert "envy, when another wins the meter: 100000 for each 500 bet [MA-11-T1, MA-11-E2]" in flat
    assert "Meter 1000000" in flat


@pytest.mark.parametrize("suffix", [".json", ".toml"])
def test_a_saved_progressive_session_replays_to_the_same_meter(tmp_path: Path, suffix: str) -> None:
    record = tmp_path / f"session{suffix}"
    lines = ["", "100 prog 500"] + ["", "w", "no"] * 40 + ["table", "quit"]
    args = (*PROGRESSIVE, "--bots", "4", "--bank", "50000", "--seed", "x", "--save", str(record))
    told = run(*args, typed="|".join(lines))
    assert told.exit_code == 0, told.output
    data = replayed(record)
    assert data["refusals"] == []
    assert len(data["rounds"]) > 30
    assert data["balances"]["player"] == balance_told(told.output)
    assert data["meter"] == int(re.findall(r"Meter   (\d+)", told.output)[-1]) > 1_000_000


# Width, seeds, options


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("columns", [40, 80])
def test_every_line_fits_the_width(book: str, columns: int) -> None:
    typed = "|1000 tie 500|w|s|why|odds|?|table|limits|||w|w|||w|quit"
    told = run("--rulebook", book, "--bots", "6", "--seed", "narrow", typed=typed, columns=columns)
    assert told.exit_code == 0
    too_long = [line for line in told.output.splitlines() if len(line) > columns and "> 1000" not in line]
    assert too_long == []
    assert "Round 2:" in told.output


def test_a_seed_repeats_exactly() -> None:
    typed = "|100||w||w||w||w|quit"
    first, again = (run("--seed", "monday", "--bots", "3", typed=typed).output for _ in range(2))
    other = run("--seed", "tuesday", "--bots", "3", typed=typed).output
    assert first == again
    assert first.replace("monday", "") != other.replace("tuesday", "")
    assert "Practice shoe 'monday'" in first
    assert "Practice" not in run(typed="quit").output


def test_the_cards_of_a_seed_are_those_of_its_stream() -> None:
    order = shuffled(DECK * 6, practice_bytes("monday"))
    box, dealer = order[MIDDLE + 1], order[MIDDLE + 2]
    told = run("--seed", "monday", typed="|100|quit").output
    suits = dict(zip("cdhs", "♣♦♥♠", strict=True))
    for place, card in (("Box 1   ", box), ("Dealer  ", dealer)):
        assert f"  {place}{card[0].replace('T', '10')}{suits[card[1]]}" in told


def test_without_a_seed_two_sessions_differ() -> None:
    """Twelve rounds of the same cards by chance: about 1 in 52 to the 24th."""
    typed = "|100|" + "|".join(["", "w"] * 12) + "|quit"
    assert run(typed=typed).output != run(typed=typed).output


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--rulebook", "xx"], "xx"),
        (["--option", "shoe.decks=5", "--rulebook", "wa"], "wa does not allow shoe.decks = 5 (WA-2.2, WA-2.3a)"),
        (["--option", "shoe.decks"], "write KEY=VALUE"),
        (["--rulebook", "no/such.toml"], "No such file or directory"),
        (["--rulebook", "ca", "--bots", "0"], "at least 1 must play with you [CA-RP-9c, CA-DEF-PD-i]"),
        (["--meter", "5000"], "there is no progressive at this table"),
        (["--rulebook", "ma", "--meter", "5000"], "there is no progressive at this table"),
        (["--option", "limits.area_total_max=9000"], "the area's maximum is above the table's [NZ-5.10-i]"),
        (["--option", "shoe.colour=3"], "nz has no option 'shoe.colour'"),
        (["--max", "50"], "below the minimum of 100"),
        (["--bots", "3", "--option", "table.boxes=3"], "there are 3 boxes"),
        (["--bank", "0"], "0 is not in the range"),
        (["--save", "session.txt"], ".toml or .json"),
        (["--save", "no-such-folder/x.json"], "no-such-folder"),
    ],
)
def test_bad_options_are_errors_of_usage(args: list[str], words: str) -> None:
    told = run(*args, typed="quit")
    assert told.exit_code == 2
    assert words in told.output
    assert "Traceback" not in told.output


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    record = tmp_path / "session.toml"
    record.write_text("dear to me", encoding="utf-8")
    told = CliRunner().invoke(play, ["--save", str(record)], input="\n100\nquit\n", help_option_names=HELP)
    assert told.exit_code == 2
    assert f"{record} is there already: name a new file" in told.output
    assert "Casino War ·" not in told.output, "the game began"
    assert record.read_text(encoding="utf-8") == "dear to me"


def test_a_file_made_during_the_game_is_not_overwritten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record = tmp_path / "session.json"

    def meanwhile(prompt: str = "") -> str:
        record.write_text("dear to me", encoding="utf-8")
        return "quit"

    monkeypatch.setattr("builtins.input", meanwhile)
    told = CliRunner().invoke(play, ["--save", str(record)], help_option_names=HELP)
    assert told.exit_code == 0
    assert record.read_text(encoding="utf-8") == "dear to me"
    assert "session-2.json" in told.output
    assert replayed(tmp_path / "session-2.json")["balances"] == {"player": 10000, "house": 0}


def test_options_reach_the_table() -> None:
    told = run("--option", "shoe.decks=8", "--option", "table.boxes=2", typed="|table|quit").output
    assert "The dealer shuffles 8 decks." in told
    assert "Cut the cards? 52 to 364 deep" in told
    assert "Box 3" not in told


# Records


@pytest.mark.parametrize("suffix", [".json", ".toml"])
@pytest.mark.parametrize("book", BOOKS)
def test_a_saved_session_replays_to_the_same_balances(tmp_path: Path, book: str, suffix: str) -> None:
    """Enough rounds with six bots for several shoes; every other round is bet differently."""
    record = tmp_path / f"session{suffix}"
    side = "a bomb 100 pairs 100 tie 100 100" if book == "wa" else "tie 100 100"
    lines = [""] + ["300", "w", "no", side, "s", "w", ""] * 20 + ["table", "quit"]
    told = run("--rulebook", book, "--bots", "6", "--seed", "x", "--save", str(record), typed="|".join(lines))
    assert told.exit_code == 0, told.output
    data = replayed(record)
    assert not data["refusals"]
    assert len(data["rounds"]) > 40
    shown = dict(re.findall(r"Box \d   (\w+), (\d+) chips", told.output))
    shown["player"] = shown.pop("You")
    assert {player: int(chips) for player, chips in shown.items()} == {
        player: chips for player, chips in data["balances"].items() if player != "house"
    }
    text = record.read_text(encoding="utf-8")
    saved = read_json(text) if suffix == ".json" else read_toml(text)
    assert len(saved["later_shoes"]) >= 1
    for shoe in (saved["shoe"], *saved["later_shoes"]):
        cards = Counter(shoe.split())
        assert cards.pop("cut") == 1
        assert cards == composition(6)


def bot_session(options: dict[str, object], seed: str, rounds: int, bots: int = 7) -> Session:
    """Bots alone at a table of the option's many boxes."""
    rules = load_rulebook("nz", options)
    session = Session(rules, practice_shuffles(seed), c.Limit(minimum=100, maximum=None, unit=100))
    players = [Bot(f"bot{box}", box, "war" if box % 3 else "surrender") for box in range(1, bots + 1)]
    for bot in players:
        session.buy_in(bot.name, 1_000_000)
        assert not isinstance(session.do(c.SeatPlayer(player=bot.name, box=bot.box)), Refusal)
    by_name = {bot.name: bot for bot in players}
    for _ in range(rounds):
        assert all(bot.bet(session) == 100 for bot in players)
        while not session.table.round.is_over:
            if session.is_cut_due:
                session.cut_in_the_middle()
            assert not isinstance(session.deal(), Refusal)
            while session.table.phase == "deciding":
                bot = by_name[session.table.round.asked[0][1]]
                assert not isinstance(session.do(bot.choice(session)), Refusal)
    return session


@pytest.mark.clause("NZ-9.5-i", "NZ-9.5-ii")
@pytest.mark.parametrize("cut_offered", [True, False])
def test_a_shoe_dealt_to_its_end_takes_the_discards_and_replays(cut_offered: bool) -> None:
    """With the cutting card behind the last card the shoe runs dry in mid-round: only cards not in play come back."""
    options: dict[str, object] = {"shoe.decks": 4, "shoe.marker_from_back": 0, "shoe.cut_offered": cut_offered}
    session = bot_session(options, "to the end", rounds=60)
    short = [stack for stack in session.stacks if len(stack.cards) < 4 * 52]
    assert short, "no shoe ran dry in the middle of a round"
    for stack in session.stacks:
        assert None not in stack.cards
        assert not Counter(card for card in stack.cards if card) - composition(4)
    data = result(replay(parse_record(record_of(session))))
    assert not data["refusals"]
    assert {player: data["balances"][player] for player in session.chips} == session.table.players
    assert data["balances"]["house"] == session.table.house
    assert len(data["rounds"]) == 60


def test_a_session_is_atomic_and_previews_change_nothing() -> None:
    session = Session(load_rulebook("nz"), practice_shuffles("x"), c.Limit(minimum=100))
    session.buy_in("ana", 1000)
    fine = c.PlaceWager(player="ana", box=1, wager="initial", amount=100)
    poor = c.PlaceWager(player="ana", box=1, wager="tie", amount=5000)
    before = session.table
    assert isinstance(session.preview(fine), list)
    refused = session.do(fine, poor)
    assert isinstance(refused, Refusal)
    assert refused.reason == "insufficient_funds"
    assert session.table == before
    assert session.acts == []


def test_deal_without_a_wager_is_refused_and_not_recorded() -> None:
    session = Session(load_rulebook("nz"), practice_shuffles("x"), c.Limit())
    refused = session.deal()
    assert isinstance(refused, Refusal)
    assert refused.reason == "no_wager"
    assert session.acts == []
    assert session.stacks == []


def test_both_formats_hold_the_same_record() -> None:
    session = bot_session({"shoe.decks": 4}, "x", rounds=3, bots=2)
    record = record_of(session)
    assert json.loads(format_record(record, ".json")) == record
    assert read_toml(format_record(record, ".toml")) == record


# At a terminal


def test_at_a_terminal() -> None:
    terminal = Terminal("--seed", "terminal")
    terminal.expect("no to pass. >")
    terminal.type("\n")
    terminal.expect("quit. >")
    terminal.type("100 tie 100\n")
    terminal.expect("No more bets.")
    terminal.expect("Tie 100")
    terminal.type("w\n")
    terminal.type("quit\n")
    terminal.expect("You leave after")
    assert terminal.wait() == 0
    assert "\x1b[" in terminal.seen, "no colours at a terminal"
    assert terminal.seen.count("100 tie 100\r\n") == 1, "what was typed is shown once, by the terminal"


def test_ctrl_c_at_a_terminal_without_colours(tmp_path: Path) -> None:
    record = tmp_path / "session.json"
    terminal = Terminal("--save", str(record), NO_COLOR="1")
    terminal.expect("no to pass. >")
    terminal.interrupt("You leave after 0 rounds with 10000 chips (+0).")
    assert terminal.wait() == 130
    assert "\x1b" not in terminal.seen
    assert "Traceback" not in terminal.seen
    assert replayed(record)["balances"] == {"player": 10000, "house": 0}


def test_without_rich_a_terminal_shows_plain_text() -> None:
    """The same session in a process that cannot import rich."""
    code = "import sys; sys.modules['rich'] = None; from casinowar.cli import main; main(sys.argv[1:])"
    terminal = Terminal("--seed", "terminal", code=code)
    terminal.expect("no to pass. >")
    terminal.type("\n100\n")
    terminal.expect("Dealer  ")
    terminal.type("s\nquit\n")
    terminal.expect("You leave after 1 round")
    assert terminal.wait() == 0
    assert "\x1b" not in terminal.seen


def test_a_reader_who_has_had_enough_ends_the_session(tmp_path: Path) -> None:
    record = tmp_path / "session.json"
    command = [sys.executable, "-m", "casinowar", "play", "--save", str(record)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"Casino War")
        process.stdout.close()
        process.stdin.write(b"\n" + b"100\ns\n" * 2000)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    assert not replayed(record)["refusals"]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_ends_the_session_as_the_end_of_input_does(tmp_path: Path, closed: str) -> None:
    record = tmp_path / "session.json"
    command = f'"$0" -m casinowar play --save "$1" {closed}'
    told = subprocess.run(
        ["sh", "-c", command, sys.executable, str(record)], input=b"", capture_output=True, timeout=60
    )
    assert (told.returncode, told.stderr) == (0, b"")
    assert (b"You leave after 0 rounds with 10000 chips (+0)." in told.stdout) == (">&-" not in closed.split())
    assert replayed(record)["balances"] == {"player": 10000, "house": 0}


def test_bytes_that_are_no_text_are_a_wrong_answer() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    command = [sys.executable, "-m", "casinowar", "play"]
    told = subprocess.run(command, input=b"\xff\n\nquit\n", env=environment, capture_output=True, timeout=60)
    assert (told.returncode, told.stderr) == (0, b"")
    assert b"Please type a number from 52 to 260, Enter, or no.\n" in told.stdout
    assert b"You cut the cards, 156 from the front.\n" in told.stdout


def test_a_disk_that_fills_up_is_one_line_and_the_session_is_saved(tmp_path: Path) -> None:
    """From the first question on there is no room for the output; the record goes where there is."""
    record = tmp_path / "session.json"
    code = (
        "import sys, casinowar.cli.terminal.screen as screen\n"
        "prompt = screen.Screen.prompt\n"
        "def full(self, question):\n"
        "    sys.stdout.flush()\n"
        "    import os; os.dup2(os.open('/dev/full', os.O_WRONLY), 1)\n"
        "    return prompt(self, question)\n"
        "screen.Screen.prompt = full\n"
        "from casinowar.cli import main; main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", code, "play", "--save", str(record)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    told = subprocess.run(command, input=b"quit\n", env=environment, capture_output=True, timeout=60)
    assert (told.returncode, told.stderr) == (2, b"casinowar: cannot write: No space left on device\n")
    assert replayed(record)["balances"] == {"player": 10000, "house": 0}


def test_an_ascii_pipe_shows_letters_for_suits() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "casinowar", "play", "--seed", "x"]
    told = subprocess.run(command, input="\n100\nw\nq\n", env=environment, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stderr
    assert re.search(r"  Dealer  (10|[2-9JQKA])[cdhs]\n", told.stdout)
    assert told.stderr == ""
