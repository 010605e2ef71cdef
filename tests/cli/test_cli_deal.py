"""The dealer's console: whole nights with real cards from a pipe, what it says, and the records that it leaves."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import get_args

import pytest

from casinowar.cli.deal.arguments import OrderError, parse_face
from casinowar.cli.deal.console import ADVICE, HELP
from casinowar.cli.deal.orders import READERS
from casinowar.cli.deal.troubles import TROUBLES
from casinowar.cli.deal.typed_acts import INSTEAD, KINDS
from casinowar.records import parse_record, read_json, read_toml, replay, result
from casinowar.records.format import WRITTEN_ACTS
from casinowar.words.refusals import REASONS
from tests.support.commandline import Ran, run, spawn

THREE = ("--players", "ana=500,ben=500,cleo=500")


def typed(*lines: str) -> str:
    """What is typed, a line each; `|` stands between lines too."""
    return "".join(f"{one.strip()}\n" for line in lines for one in line.split("|"))


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen on which nothing is broken into lines."""
    monkeypatch.setattr("casinowar.cli.terminal.screen.WIDEST", 1000)
    monkeypatch.setenv("COLUMNS", "1000")


def deal(*args: str, stdin: str) -> Ran:
    """A night from a pipe."""
    return run("deal", *args, stdin=stdin)


def money(out: str) -> dict[str, int]:
    """What each player leaves with, as the last lines say."""
    ending = out[out.index("The night ends") :]
    return {name: int(chips.replace(",", "")) for name, chips in re.findall(r"^ {2}(\w+): ([\d,]+) \(", ending, re.M)}


def balances(path: Path) -> dict[str, int]:
    """What the saved record comes to when it is replayed, with nothing refused."""
    read = read_toml if path.suffix == ".toml" else read_json
    told = result(replay(parse_record(read(path.read_text(encoding="utf-8")))))
    assert told["refusals"] == []
    return {player: balance for player, balance in told["balances"].items() if player != "house"}


OPEN = "go|cut ana|go"
"""The cards' way into the shoe at a table of the fun-casino guide."""

EVENING = typed(
    OPEN,
    # Round 1: ana's tie wager of 10 pays 10:1, her war pays 2:1 on the second wager; the others lose.
    "bet ana 1 50 tie 10|bet ben 2 50|bet cleo 3 20",
    "go|kh 9d 2c ks|fix kd|go|war ana 1|go|qh jd|go",
    # Round 2: ben surrenders half of 50. Ana's card lay where it was not due, and goes on to ben.
    "bet ana 1 50|bet ben 2 50",
    "go|kh|wrong misdealt 1 forward|ruling reconstruct it was ben's card|3h|kc|go|surrender ben 2",
    # Round 3: six kings of hearts are in six decks, of which two are out; four more come, and a seventh cannot.
    "bet ana 1 10|bet ben 2 10|bet cleo 3 10|go|kh kh kh kh|go",
    "surrender ana 1|surrender ben 2|surrender cleo 3",
    "bet ana 1 40|go|kh|ad|cut card|qd|go",
    # The cutting card has shown: a shuffle, and a seventh king of hearts is no wonder in the new shoe. Ben may cut,
    # although ana is asked first and has not declined.
    "go|cut ben|go|bet cleo 3 30|go|kh|2d|go",
    "quit",
)


def test_a_charity_evening(tmp_path: Path) -> None:
    """Ana: 10 at 10:1 and 50 at 2:1, then 50 and half of 10 lost, then 40 won: 500 + 100 + 100 - 50 - 5 + 40.

    Ben loses 50, half of 50 and half of 10; cleo loses 20 and half of 10 and wins 30.
    """
    path = tmp_path / "night.toml"
    told = deal(*THREE, "--minimum", "10", "--save", str(path), stdin=EVENING)
    assert told.status == 0, told.err
    expected = {"ana": 500 + 100 + 100 - 50 - 5 + 40, "ben": 500 - 50 - 25 - 5, "cleo": 500 - 20 - 5 + 30}
    assert money(told.out) == expected
    assert balances(path) == expected
    assert told.out.endswith(f"Saved: casinowar replay {path}\n")
    assert run("replay", str(path), "--strict").status == 0


def test_the_evening_says_what_happened_with_its_clauses(tmp_path: Path) -> None:
    told = deal(*THREE, "--minimum", "10", "--save", str(tmp_path / "night.json"), stdin=EVENING)
    for line in (
        "Next: ana is asked to cut: cut ana, or pass ana. [CTG-S2] > cut ana",
        "Next: Pay ana, box 1, 100 for Tie, and give 10 back. [CTG-F2, CTG-O1] > fix kd",
        "  The card at the dealer is Kd and not Ks, by dealer [CTG-D1]",
        "Next: ana, box 1, chooses: war ana 1, or surrender ana 1. [CTG-F5] > war ana 1",
        "  Opening burn: unseen [CTG-S5]",
        "  Burned before the war: unseen [CTG-W1]",
        "  Box 1, ana: Second wager 50 wins 100 at 2:1 [CTG-W6, CTG-O4]",
        "  Round 1 is over: ana +200, ben -50, cleo -20 [CTG-W8]",
        "Next: The Pit Boss rules: ruling ACTION REASON, with stand, void-hand, void-round, reconstruct, reshuffle. "
        "[CTG-G6] > ruling reconstruct it was ben's card",
        "  Ruling on misdelivered, by the Pit Boss: reconstruct, it was ben's card [CTG-G6]",
        "Next: ana is asked to cut: cut ana, or pass ana. [CTG-S2] > cut ben",
        "  ben cuts 156 cards from the front [CTG-S2]",
        "No: the decks hold no more of that card [CTG-B2]; look at the card again, and type it as it lies; or fix the "
        "one entered wrongly before.",
        "  The cutting card shows where the dealer is to draw: shuffle after this round [CTG-W9, CTG-W10]",
    ):
        assert line in told.out, line
    assert told.out.count("the decks hold no more") == 1


@pytest.mark.clause("WA-4.6a", "WA-4.6b")
def test_wa_asks_for_the_first_card_of_the_shoe() -> None:
    lines = typed("go|cut ana|go||3h||||bet ana 1 10|go|kh 2c|go|quit|no")
    told = deal("--rulebook", "wa", "--players", "ana=100", stdin=lines)
    assert "Next: Burn the first card of the shoe, turn it up and type it." in told.out
    assert told.out.count("This step waits: type its face, such as kh.") == 1
    assert told.out.index("Burned for the value of that card") < told.out.index("Next: Invite wagers")
    assert "  Opening burn: 3h, and 3 more are burned" in told.out
    assert told.out.count("Burned for the value of that card: unseen") == 3
    assert money(told.out) == {"ana": 110}


@pytest.mark.clause("CA-DP-1a")
def test_ca_the_players_bank() -> None:
    """The bank's queen loses 50 to ana's king, whoever takes the fee."""
    lines = typed(
        "go|cut|go|bet ana 1 50|bank cleo 3 200|bet ana 1 50|bet ben 2 50|go|go",
        "kh 9d qc|go|go|state|quit|no",
    )
    told = deal("--rulebook", "ca", *THREE, stdin=lines)
    assert "Offer the bank: bank NAME BOX STAKE" in told.out
    assert "still lies in" not in told.out
    assert "No: nobody has taken the bank" in told.out
    assert money(told.out) == {"ana": 550, "ben": 450, "cleo": 500}


CA_OPEN = "go|cut|go"


@pytest.mark.clause("CA-DP-1a")
@pytest.mark.parametrize("line", ["go", ""])
def test_ca_a_round_waits_for_its_bank(line: str) -> None:
    told = deal("--rulebook", "ca", *THREE, stdin=typed(CA_OPEN, line, "quit"))
    assert "This step waits: bank NAME BOX STAKE." in told.out
    assert "This step waits: bet" not in told.out


def test_a_round_waits_for_players() -> None:
    told = deal(stdin=typed("go|cut|go|go|quit"))
    assert told.out.count("This step waits: buy NAME AMOUNT.") == 2


@pytest.mark.clause("CA-DP-1a")
def test_ca_what_lies_in_the_bank_is_told_at_the_end() -> None:
    """Cleo has 300 of 500 before her, and 200 in the bank; ana's 50 lies on the layout."""
    told = deal("--rulebook", "ca", *THREE, stdin=typed(CA_OPEN, "bank cleo 3 200|bet ana 1 50|quit|no"))
    assert money(told.out) == {"ana": 450, "ben": 500, "cleo": 300}
    assert "  200 still lies in cleo's bank." in told.out
    assert "  50 still lies on the layout: the round is not finished." in told.out


@pytest.mark.clause("CA-DP-1a")
def test_ca_a_wager_is_found_wrong_before_the_war_cards() -> None:
    """There is nothing new to bet on in a war; the wagers that lie there are locked by the war wager."""
    lines = typed(
        CA_OPEN,
        "bank cleo 3 400|bet ana 1 50|bet ben 2 50|go|go|kh ks kd|go|war ana 1|war ben 2",
        "bet ana 1 10|wrong wager ana 1 60|quit|no",
    )
    told = deal("--rulebook", "ca", *THREE, stdin=lines)
    bet, wrong = told.out.index("> bet ana 1 10"), told.out.index("> wrong wager ana 1 60")
    assert "There is nothing to bet on before the war cards here." in told.out[bet:wrong]
    assert "nothing to bet on" not in told.out[wrong:]
    assert "No: the wager may no longer be touched [the book is silent; house default].\n" in told.out[wrong:]


def test_the_log_names_who_voided_a_round_as_the_replay_does(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    void = "wrong void-round lights out by supervisor:sue second supervisor:tom"
    told = deal(*THREE, "--save", str(path), stdin=typed(OPEN, "bet ana 1 50|go|kh 9d", void, "log|quit"))
    assert told.out.count("  Round 1 is void, by Pit Boss sue and Pit Boss tom: lights out [") == 2
    assert "All hands are void, by Pit Boss sue and Pit Boss tom: lights out [" in run("replay", str(path)).out


@pytest.mark.clause("WA-6.10")
@pytest.mark.parametrize(
    ("cause", "clause"),
    [
        pytest.param("fire", "WA-6.9a", marks=pytest.mark.clause("WA-6.9a")),
        pytest.param("fraud", "WA-6.9b", marks=pytest.mark.clause("WA-6.9b")),
    ],
)
def test_the_log_names_who_broke_a_round_off(cause: str, clause: str) -> None:
    lines = typed(f"go|cut ana|go|ah|go|bet ana 1 50|go|kh|wrong invalid {cause} by operator:olga|quit|no")
    told = deal("--rulebook", "wa", *THREE, stdin=lines)
    assert f"  Round 1 is broken off, by Casino Operator olga: {cause} [{clause}]" in told.out
    assert "  ana's Casino War of 50, box 1, is void: the stake goes back [WA-6.10]" in told.out


@pytest.mark.clause("WA-6.6a")
def test_a_void_says_what_is_taken_back_as_the_replay_does(tmp_path: Path) -> None:
    """Ana's king beats the two: 50 is paid and taken back after the round. Of her next wager nothing was paid."""
    path = tmp_path / "night.toml"
    void = "act void_player player=ana reason=a device by operator:olga second supervisor:sue"
    lines = typed("go|cut ana|go|ah|go|bet ana 1 50|go|kh 2c|go", void, "bet ana 1 50|go|kh", void, "log|quit")
    told = deal("--rulebook", "wa", *THREE, "--save", str(path), stdin=lines)
    paid = "  ana's Casino War of 50, box 1, is void: 50 that it won is taken back, and the stake goes back [WA-6.6a"
    laid = "  ana's Casino War of 50, box 1, is void: the stake goes back [WA-6.6a"
    again = " ".join(run("replay", str(path)).out.split())
    assert [told.out.count(line) for line in (paid, laid)] == [2, 2]
    assert [again.count(line.strip()) for line in (paid, laid)] == [1, 1]
    assert money(told.out)["ana"] == 500


def test_wrong_lists_the_troubles_and_each_says_how_it_is_typed() -> None:
    told = deal(stdin=typed("wrong|wrong nothing|wrong misdealt|wrong misdealt 1 up|wrong rebuild 12|quit"))
    for kind, trouble in TROUBLES.items():
        assert f"wrong {kind} {trouble.usage}".rstrip() + f": {trouble.meaning}" in told.out
    assert "What went wrong? Type wrong and one of face-up, extra," in told.out
    assert "Type wrong misdealt BOX forward|dealer|burn." in told.out
    assert "'up' is no way for the card: type forward, dealer, burn." in told.out
    assert "'12' is no move: type 1>2" in told.out


WRONG = {
    "wrong face-up 5c": "Out of play: 5c",
    "wrong extra": "Drawn in error, to be used next: a card nobody saw",
    "wrong extra 5c": "Out of play: 5c",
    "wrong misdealt 1 burn": "misdelivered on box 1",
    "wrong missed 2": "missed hand on box 2",
    "wrong no-cut-card": "missing cut card",
    "wrong no-shuffle": "missed shuffle",
    "wrong damaged kh": "damaged card",
    "wrong wager ben 2 60": "ben's War of 50",
    "wrong void 2 it was burned": "The hand on box 2 is void",
    "wrong void-round the lights went out": "Round 1 is void, by the Pit Boss: the lights went out",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_goes_wrong_reaches_the_table(line: str) -> None:
    """The fun-casino guide discards what was disclosed, uses what was not, and leaves the rest to the pit boss."""
    lines = typed(OPEN, "bet ana 1 50|bet ben 2 50|go|kh", line, "quit|no")
    told = deal(*THREE, "--max", "55", stdin=lines)
    after = told.out[told.out.index(f"> {line}") :]
    expected = WRONG[line] if not line.startswith("wrong wager") else "is found to be 60, not 50"
    assert expected in after
    assert "\nNo: " not in after


def test_every_ruling_can_be_typed() -> None:
    report = "wrong misdealt 1 burn"
    for ruling in ("stand", "void-hand", "void-hand 1", "void-round", "reconstruct", "reshuffle"):
        lines = typed(OPEN, "bet ana 1 50|bet ben 2 50|go|kh", report, f"ruling {ruling} so it is done", "quit|no")
        told = deal(*THREE, stdin=lines)
        action = ruling.split()[0].replace("-", " ")
        assert f"Ruling on misdelivered, by the Pit Boss: {action}, so it is done [CTG-G6]" in told.out


def test_signatures_are_typed_behind_a_line() -> None:
    lines = typed(
        OPEN,
        "bet ana 1 50|go|kh 9d",
        "wrong void 1 cards fell by supervisor:sue",
        "wrong void 1 cards fell by supervisor:sue second supervisor:sue",
        "wrong void 1 cards fell by clerk:sue",
        "wrong void 1 cards fell by player:ana second supervisor:sue",
        "bet ana 1 5 by player:ana second supervisor:sue",
        "wrong void 1 cards fell by supervisor:sue second supervisor:tom",
        "quit|no",
    )
    told = deal(*THREE, stdin=lines)
    assert "No: it takes a second person's signature [CTG-G6]; end the line with second supervisor:NAME." in told.out
    assert "No: two signatures are two persons" in told.out
    assert "'clerk:sue' is nobody: sign as ROLE:NAME" in told.out
    assert "No: whoever acts is not entitled to: this takes the Pit Boss [CTG-G6]." in told.out
    assert "One signature is enough for that: leave out second." in told.out
    assert "The hand on box 1 is void, by Pit Boss sue and Pit Boss tom: cards fell" in told.out
    assert money(told.out)["ana"] == 500


ERRORS = {
    "hello": "'hello' is not understood: type help, a card such as kh, or Enter for the next step.",
    "1h": "'1h' is no card: type rank and suit, such as kh, 10d or 2c.",
    "bet": "Type bet NAME BOX AMOUNT, or bet NAME BOX tie AMOUNT.",
    "bet ana one 50": "'one' is no box: boxes go by number, from your left.",
    "bet ana 1 many": "No wager here is called 'many': bet on War or Tie.",
    "bet ana 1 1.5": "Chips are whole numbers, such as 1000 or 1,000.",
    "bet zoe 1 50": "No: there is no such player; buy NAME AMOUNT brings a player to the table.",
    "bet ana 1 12": "No: the wager is not a multiple of the unit [the book is silent; house default]; the limits are "
    "10 to 100 in units of 5.",
    "bet ana 9 50": "No: there is no such box.",
    "bet ana 1 900": "No: the player's chips do not cover it; buy NAME AMOUNT gets chips.",
    "war": "Type war NAME BOX.",
    "war ana 1": "No: this player is not being asked for a decision.",
    "buy zoe": "How much? Type buy zoe AMOUNT.",
    "seat ana": "Type seat NAME BOX.",
    "leave": "Type leave NAME.",
    "cut ana 5 6": "Type cut NAME, or cut NAME DEPTH; cut card when the cutting card shows.",
    "bank ana": "Type bank NAME BOX STAKE.",
    "fix": "Type fix and the card that lies there, such as fix kd.",
    "fix kd": "No: there is no card that can still be corrected; a card can be fixed until the next act; after that, "
    "type wrong.",
    "kh": "No: more cards were given than are due; take the step shown first.",
    "ruling": "Type ruling, one of stand, void-hand, void-round, reconstruct, reshuffle, the box if there is one, and "
    "the reason.",
    "ruling stand": "Give the reason: ruling stand REASON.",
    "time long": "Type time MINUTES.",
    "marker": "Type marker CARDS: how many lie behind the cutting card.",
    "act": "Type act NAME FIELD=VALUE ..., such as act announce_limits minimum=10 maximum=100.",
    "act dance": "There is no act 'dance'.",
    "act vacate_saet": "There is no act 'vacate_saet': do you mean vacate_seat?",
    "act tick": "act tick: seconds is missing. Type act tick seconds=SECONDS.",
    "act tick 60": "Type act tick seconds=SECONDS.",
    "act tick seconds=soon": "'soon' is no seconds.",
    "act tick seconds=9999999999999999": "No seconds is that high.",
    "act tick seconds=5 seconds=6": "act tick: seconds is given twice.",
    "act tick seconds=5 minutes=1": "act tick: there is no minutes. Type act tick seconds=SECONDS.",
    "act tick seconds=5 do=rule": "act tick: there is no do. Type act tick seconds=SECONDS.",
    "act tick seconds=5 by=sue": "Sign at the end of the line: by ROLE:NAME.",
    "act rule action=maybe reason=so": "'maybe' is no action: type void_hand, void_round, reconstruct, stand, "
    "reshuffle, shuffle_discards.",
    "act rule action=stand": "act rule: reason is missing. Type act rule action=ACTION reason=REASON [box=BOX].",
    "act reconstruct moves=[1": "'[1' is no moves.",
    "act report_face_up_card card=1h": "'1h' is no card: type rank and suit, such as kh, 10d or 2c.",
    "act deal": "act deal: Enter takes the step shown, and a card is typed as it is turned.",
    "act load_shoe": "act load_shoe: Enter loads the shoe, or load CARDS where the stack has not the usual number.",
    "act replace_all_cards": "act replace_all_cards: act replace_cards replaces them all.",
    "go": "This step waits: bet NAME BOX AMOUNT.",
    "": "This step waits: bet NAME BOX AMOUNT.",
}


@pytest.mark.parametrize("line", ERRORS)
def test_an_error_is_a_line_that_says_what_to_do(line: str) -> None:
    args = (*THREE, "--min", "10", "--max", "100", "--unit", "5")
    told = deal(*args, stdin=typed(OPEN, line, "state|quit"))
    after = told.out[told.out.index("Opening burn") :].splitlines()[2:]
    assert re.sub(r" \[[\w, -]+\]", "", after[0]) == ERRORS[line]
    assert after[1].startswith("Next: Invite wagers: bet NAME BOX AMOUNT.")
    assert money(told.out) == {"ana": 500, "ben": 500, "cleo": 500}


@pytest.mark.parametrize("line", ["cut ana 5", "pass ana", "act offer_cut player=ana"])
@pytest.mark.parametrize(("book", "step"), [("ctg", "Shuffle the 6 decks"), ("nz", "Sort and check the 6 decks")])
def test_the_cut_comes_when_the_cards_are_shuffled(book: str, step: str, line: str) -> None:
    told = deal("--rulebook", book, "--players", "ana=500", stdin=typed(line, "go|cut ana 60|quit"))
    assert f"> {line}\nThe cut comes later. First: {step}" in told.out
    assert told.out.count("  ana cuts 60 cards from the front [") == 1


def test_a_cut_too_near_to_an_end_says_how_deep_it_can_be() -> None:
    told = deal("--players", "ana=500", stdin=typed("go|cut ana 9999|cut ana 1|quit"))
    assert re.search(r"^No: the cut is too near to an end of the stack.*; it can be 1 to 311 deep\.$", told.out, re.M)
    assert "  ana cuts 1 card from the front [CTG-S2]" in told.out


def test_every_reason_with_advice_is_a_reason() -> None:
    assert ADVICE.keys() - REASONS.keys() == set()


def test_help_names_every_word() -> None:
    told = deal(stdin=typed("help|quit"))
    for word in (*READERS, "go", "wrong", "ruling", "state", "log", "help", "quit"):
        assert re.search(rf"\b{word}\b", HELP), word
        assert re.search(rf"\b{word}\b", told.out), word


def test_state_and_log() -> None:
    lines = typed(OPEN, "bet ana 1 50 tie 5|buy ben 100|leave cleo|go|kh|state|log|quit|no")
    told = deal(*THREE, stdin=lines)
    state = told.out[told.out.index("> state") : told.out.index("> log")]
    for line in ("ana: 445 chips, box 1", "ben: 600 chips, box 2", "cleo: 500 chips, not seated"):
        assert line in state
    assert "Box 1: ana has 50 on War" in state
    assert "Box 1: ana has 5 on Tie" in state
    assert "310 cards in the shoe." in state
    log = told.out[told.out.index("> log") :]
    for line in (
        "The table is open",
        "ana cuts 156 cards from the front [CTG-S2]",
        "Opening burn: unseen",
        "Box 1: Kh",
    ):
        assert line in log


def test_the_table_itself_is_run_from_the_console() -> None:
    lines = typed(
        OPEN,
        "dealer dee|act announce_limits minimum=5 maximum=50|time 10",
        "act change_limits minimum=5 maximum=50 basis=agreed consents=ana,ben,cleo",
        "act announce_closing|time 60|act close_table|bet ana 1 50|quit",
    )
    told = deal(*THREE, stdin=lines)
    assert "dee is the dealer now" in told.out
    assert "A sign with new limits goes up" in told.out
    assert "10 min 0 s pass" in told.out
    assert "The table is closed: quit." in told.out
    assert "No: the table is closed; quit." in told.out


def test_every_act_of_a_record_can_be_typed_or_says_what_to_type_instead() -> None:
    written = {str(kind.__struct_config__.tag) for kind in get_args(WRITTEN_ACTS)}
    assert written == KINDS.keys() | INSTEAD.keys()
    told = deal(*THREE, stdin=typed(OPEN, *(f"act {name} nonsense=1" for name in sorted(written)), "quit"))
    for name in KINDS:
        assert f"act {name}: there is no nonsense. Type act {name}" in told.out
    for name in INSTEAD:
        assert f"act {name}: " in told.out


def test_acts_are_typed_with_their_fields(tmp_path: Path) -> None:
    """A ruling of several words, time in seconds, one name and several, boxes, cards and moves."""
    path = tmp_path / "night.json"
    lines = typed(
        OPEN,
        "act tick seconds=90|act change_limits minimum=5 basis=agreed consents=ana,ben,cleo|act offer-bank player=ana",
        "act place_wager player=ana box=1 wager=initial amount=50|bet ben 2 50|go",
        "act report_extra_draw exposed=true card=7d|kh|wrong misdealt 1 burn",
        "act rule action=stand reason=it lies where it should by supervisor:pat",
        'act flag_partnership players=ana|act reconstruct moves=[{"from":1,"to":2}]',
        "quit",
    )
    told = deal(*THREE, "--save", str(path), stdin=lines)
    assert "1 min 30 s pass" in told.out
    assert "Out of play: 7d" in told.out
    assert "Ruling on misdelivered, by Pit Boss pat: stand, it lies where it should [CTG-G6]" in told.out
    acts = json.loads(path.read_text())["acts"]
    assert {"do": "tick", "seconds": 90} in acts
    assert {"do": "rule", "action": "stand", "reason": "it lies where it should", "by": "supervisor:pat"} in acts
    balances(path)


def test_a_cut_may_be_passed_on_and_made_at_a_depth() -> None:
    told = deal("--rulebook", "nz", *THREE, stdin=typed("go|cut ben|pass ana|cut ben 60|marker 40|load 311|quit"))
    assert "No: the cut is another person's" in told.out
    assert "ana does not want to cut" in told.out
    assert "ben cuts 60 cards from the front" in told.out
    assert "The cutting card goes in with 40 cards behind it" in told.out
    assert "In the shoe: 311 cards" in told.out


def test_wagers_are_amended_and_withdrawn() -> None:
    told = deal(*THREE, stdin=typed(OPEN, "bet ana 1 50 tie 5|amend ana 1 70|withdraw ana 1 tie|state|quit|no"))
    assert "ana changes War, box 1, to 70 in all" in told.out
    assert "ana takes back Tie 5, box 1" in told.out
    assert "ana: 430 chips" in told.out


@pytest.mark.parametrize(
    ("text", "card"), [("kh", "Kh"), ("KH", "Kh"), ("10h", "Th"), ("th", "Th"), ("2♣", "2c"), ("A♠", "As")]
)
def test_a_card_however_it_is_typed(text: str, card: str) -> None:
    assert parse_face(text) == card


@pytest.mark.parametrize("text", ["k", "h", "1h", "kx", "khh", "♥k", "11c"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(OrderError, match="is no card"):
        parse_face(text)


# However the night ends, nothing is lost


HALF = typed(OPEN, "bet ana 1 50|bet ben 2 50|go|kh")


def test_at_the_end_of_the_input_the_night_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = deal(*THREE, stdin=HALF)
    assert told.status == 0
    assert "100 still lies on the layout: the round is not finished." in told.out
    assert told.out.endswith("Saved: casinowar replay casinowar-night.toml\n")
    assert balances(tmp_path / "casinowar-night.toml") == {"ana": 450, "ben": 450, "cleo": 500}
    again = deal(*THREE, stdin=HALF)
    assert again.out.endswith("Saved: casinowar replay casinowar-night-2.toml\n")


def test_quit_offers_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.toml").write_text("mine")
    told = deal(*THREE, stdin=HALF + typed("quit|night.txt|taken.toml|night.json"))
    assert "Name a file that ends in .toml or .json." in told.out
    assert "taken.toml is there already: name a new file." in told.out.replace("Taken", "taken")
    assert told.out.endswith("Saved: casinowar replay night.json\n")
    assert balances(tmp_path / "night.json") == {"ana": 450, "ben": 450, "cleo": 500}
    assert (tmp_path / "taken.toml").read_text() == "mine"


def test_quit_without_saving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    deal(*THREE, stdin=HALF + typed("quit|no"))
    assert list(tmp_path.iterdir()) == []


def test_a_night_on_which_nothing_was_bet_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = deal(*THREE, stdin=typed(OPEN))
    assert "The night ends after 0 rounds." in told.out
    assert list(tmp_path.iterdir()) == []


def test_the_record_is_kept_after_every_act_and_an_interrupt_ends_the_night(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    args = [sys.executable, "-m", "casinowar", "deal", *THREE, "--save", str(path)]
    with subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as night:
        assert night.stdin is not None
        night.stdin.write(HALF)
        night.stdin.flush()
        until = time.monotonic() + 30
        while time.monotonic() < until and not (path.exists() and " Kh " in path.read_text(encoding="utf-8")):
            time.sleep(0.02)
        kept = balances(path)
        os.kill(night.pid, signal.SIGINT)
        out, _ = night.communicate(timeout=30)
    assert kept == {"ana": 450, "ben": 450, "cleo": 500}
    assert night.returncode == 130
    assert " ".join(out.split()).endswith(f"Saved: casinowar replay {path}")
    assert balances(path) == kept
    assert [file.name for file in tmp_path.iterdir()] == ["night.toml"]


def test_a_house_rulebook_is_named_from_the_record(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('id = "hall"\ntitle = "Village hall"\nversion = "1"\nextends = "ctg"\n')
    path = tmp_path / "nights" / "night.json"
    path.parent.mkdir()
    deal("--rulebook", str(house), *THREE, "--save", str(path), stdin=HALF)
    assert json.loads(path.read_text())["rulebook"] == "../house.toml"


# Going on with a night that was broken off


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_night_goes_on_in_its_own_file(tmp_path: Path, suffix: str) -> None:
    """Ana's king wins 50 and ben's nine loses 50 to the queen; then ana loses 20 and has bought 100 more."""
    path = tmp_path / f"night{suffix}"
    deal(*THREE, "--save", str(path), stdin=HALF)
    told = deal("--resume", str(path), stdin=typed("9d|kd|fix qd|go|buy ana 100"))
    assert told.status == 0, told.err
    assert "The night goes on in round 1." in told.out
    assert "  Box 1: Kh" in told.out
    assert "Next: Deal to box 2 (ben) and type it." in told.out
    assert money(told.out) == {"ana": 650, "ben": 450, "cleo": 500}
    assert told.out.endswith(f"Saved: casinowar replay {path}\n")
    again = deal("--resume", str(path), stdin=typed("bet ana 1 20|go|2c|3c|go|quit"))
    assert "The night goes on after round 1." in again.out
    assert "The night ends after 2 rounds." in again.out
    assert "  ana: 630 (+30)" in again.out
    assert balances(path) == money(again.out) == {"ana": 630, "ben": 450, "cleo": 500}
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_night_that_goes_on_and_ends_at_once_leaves_its_file_as_it_was(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('id = "hall"\ntitle = "Village hall"\nversion = "1"\nextends = "ctg"\n')
    path = tmp_path / "nights" / "night.toml"
    path.parent.mkdir()
    deal(
        "--rulebook",
        str(house),
        "--option",
        "payout.war_odds=standard",
        *THREE,
        "--min",
        "5",
        "--save",
        str(path),
        stdin=HALF,
    )
    before = path.read_bytes()
    assert deal("--resume", str(path), stdin=typed("quit")).status == 0
    assert path.read_bytes() == before


def test_what_is_no_night_to_go_on_with(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    deal(*THREE, "--save", str(path), stdin=HALF)
    kept = path.read_text()
    for name, text, reason in (
        ("gone.toml", None, "No such file or directory"),
        ("night.txt", kept, "name a file that ends in .toml or .json"),
        ("empty.toml", "", "missing required field"),
        ("known.toml", kept.replace(" xx xx ", " xx 2c ", 1), "it was not kept at a table of real cards"),
        ("refused.toml", kept + '[[acts]]\ndo = "surrender"\nplayer = "ana"\nbox = 1\n', "is refused: no_decision"),
    ):
        other = tmp_path / name
        if text is not None:
            other.write_text(text)
        assert reason in run("deal", "--resume", str(other)).error
        assert text is None or other.read_text() == text


@pytest.mark.parametrize("args", [("--players", "zoe=5"), ("--min", "1"), ("--rulebook", "nz"), ("--save", "new.toml")])
def test_a_night_that_goes_on_is_not_opened_anew(tmp_path: Path, args: tuple[str, ...]) -> None:
    path = tmp_path / "night.toml"
    deal(*THREE, "--save", str(path), stdin=HALF)
    told = run("deal", "--resume", str(path), *args)
    assert f"--resume goes on with the night as it was opened: leave out {args[0]}" in told.error


# The command line


BAD_USAGE = {
    ("--players", "ana"): "'ana': write NAME=CHIPS, as in ana=500,ben=500",
    ("--players", "ana=x"): "'ana=x': write NAME=CHIPS",
    ("--players", "ana=5,ana=6"): "ana: the name is given twice",
    ("--players", "ana=5,Ana=6"): "Ana: the name is given twice",
    ("--players", "house=5"): "house: no player can go by that name",
    ("--players", ",".join(f"p{n}=5" for n in range(9))): "p7: there is no such box",
    ("--min", "10", "--max", "5"): "5 is below the minimum of 10",
    ("--meter", "5"): "there is no progressive at this table",
    ("--save", "night.txt"): "name a file that ends in .toml or .json",
    ("--rulebook", "xx"): "xx",
    ("--option", "shoe.decks=99"): "shoe.decks",
}


@pytest.mark.parametrize("args", BAD_USAGE, ids=lambda args: " ".join(args)[:30])
def test_bad_usage_is_one_line(args: tuple[str, ...]) -> None:
    assert BAD_USAGE[args] in run("deal", *args).error


def test_a_script_in_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "night.json"
    told = spawn("deal", *THREE, "--minimum", "10", "--save", str(path), stdin=EVENING.encode())
    assert told.status == 0, told.err
    assert told.err == ""
    assert max(map(len, told.out.splitlines()[:-1])) <= 100
    assert balances(path) == money(told.out)
