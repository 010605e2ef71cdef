"""Told in words: no sentence claims for a book what another one says, or what did not happen."""

import ast
import json
from pathlib import Path

import pytest

from casinowar.engine import events as e
from casinowar.engine.events import Refusal
from casinowar.records import parse_record, replay
from casinowar.records.narrative import tell
from casinowar.reports.rulings.incidents import BY_SLUG, INCIDENTS
from casinowar.reports.rulings.rulings import rule_on
from casinowar.rulebooks import BOOKS, SILENT, load_rulebook
from casinowar.rulebooks.load import raw_leaves, read_book
from casinowar.rulebooks.vocabulary import KEYS
from casinowar.words.events import tell_event
from casinowar.words.refusals import REASONS, cite_refusal
from casinowar.words.silence import (
    HOUSE_EVENTS,
    LEAVES,
    SHUFFLES,
    ambiguity_of,
    cite_event,
)
from casinowar.words.voice import Voice
from tests.support.commandline import run
from tests.support.rounds import Act, act, bet, deal, play, war

ANA = bet("ana", 1, "initial", 1000)


def ruling(*args: str) -> str:
    return " ".join(run("ruling", *args).out.split())


def test_a_misdeal_in_western_australia_is_told_by_its_own_rule() -> None:
    """WA-5.4 rebuilds a hand and lets the operator void it; that everybody abides, and later hands stand, is NZ-9.4."""
    told = ruling("--rulebook", "wa", "misdeal")
    assert "abides" not in told.partition("Elsewhere")[0]
    assert "hands dealt after the error stand" not in told.partition("Elsewhere")[0]
    assert "the Casino Operator may have it declared void" in told
    mine = ruling("--rulebook", "nz", "misdeal").partition("Elsewhere")[0]
    assert "everybody abides by it. A hand that cannot be rebuilt is void; hands dealt after the error stand." in mine


def test_a_shuffler_fault_is_compared_under_the_same_machine() -> None:
    told = ruling("--rulebook", "nz", "--option", "shoe.shuffler=continuous", "shuffler-fault").partition("Elsewhere")[
        2
    ]
    assert "wa: The hands that the fault has touched may be declared void." in told


def told_of(book: str, shoe: str, *acts: dict[str, object]) -> str:
    """The telling of a record."""
    players = {"ana": 10_000}
    data = {"format": "casinowar-record/1", "rulebook": book, "shoe": shoe, "players": players, "acts": list(acts)}
    record = parse_record(data)
    return " ".join(tell(record, replay(record)).split())


def test_an_open_wager_made_void_has_won_nothing() -> None:
    void = act("void_hand", box=1, by="operator:olga", second="supervisor:sam")
    shoe = "2c Kh Kd 3c 4c 5c 6c 7c"
    told = told_of("nz", shoe, ANA, deal(2), void)
    assert "ana's Casino War of 1,000, box 1, is void: the stake goes back [NZ-9.4a" in told
    assert "taken back" not in told
    told = told_of("nz", shoe, ANA, bet("ana", 1, "tie", 500), deal(), {**void, "decided": True})
    assert "ana's Tie of 500, box 1, is void: 5,000 that it won is taken back, and the stake goes back" in told
    assert "ana's Casino War of 1,000, box 1, is void: the stake goes back [NZ-9.4a" in told


@pytest.mark.parametrize("book", BOOKS)
def test_a_wager_is_reported_by_the_names_that_the_book_has(book: str) -> None:
    told = rule_on(load_rulebook(book), BY_SLUG["wager-above-maximum"])
    [field] = [one for act in told.acts if act.do == "report_wager" for one in act.fields if one.startswith("wager")]
    assert ("a_bomb" in field) == ("perfect_pairs" in field) == (book == "wa")
    assert "initial" in field


def test_nobody_leaves_the_box_that_they_sit_down_at() -> None:
    sits = tell_event(Voice(load_rulebook("nz")), e.PlayerSeated("ana", 1, (1,)))
    assert sits == "ana sits at box 1"
    moves = tell_event(Voice(load_rulebook("nz")), e.PlayerSeated("ana", 1, (1, 2)))
    assert moves == "ana sits at box 1, leaving box 2"


def test_a_replay_in_massachusetts_shows_the_confirmation_and_the_offer() -> None:
    """MA-8e: the dealer confirms the war wager, and offers a tie wager on the war deal."""
    told = told_of("ma", "2c Kh Kd 3c 4c 5c 6c 7c", ANA, deal(), war("ana", 1), deal())
    assert "The dealer confirms ana's war wager on box 1 [MA-8e-i]" in told
    assert "ana is offered a Tie wager on the war deal [MA-8e-iii, MA-1-TW]" in told


def test_the_cards_of_california_come_from_a_machine() -> None:
    told = run("play", "--rulebook", "ca", "--seed", "1", "--bots", "2", stdin="quit\n").out
    assert "The dealer shuffles" not in told
    assert "The machine has shuffled" in told


@pytest.mark.parametrize("book", BOOKS)
def test_every_ruling_names_its_clauses_or_says_that_there_are_none(book: str) -> None:
    rules = load_rulebook(book)
    see = {one for raw in raw_leaves(read_book(book)).values() for one in raw.get("see", ())}
    for incident in INCIDENTS:
        told = rule_on(rules, incident)
        assert bool(told.clauses) != told.silent, incident.slug
        shown = ruling("--rulebook", book, incident.slug)
        assert (f"Clauses {SILENT}" in shown) == told.silent
        data = json.loads(run("ruling", "--rulebook", book, incident.slug, "--json").out)
        assert (data["silent"], data.get("says") == SILENT) == (told.silent, told.silent)
        assert told.silent or book == "ctg" or set(told.clauses).isdisjoint(see - set(told.clauses))


def test_california_has_no_section_on_irregularities() -> None:
    rules = load_rulebook("ca")
    assert [one.slug for one in INCIDENTS if not rule_on(rules, one).silent] == []
    assert all(leaf.supplied for key, leaf in rules.leaves.items() if key.startswith("irreg."))


def test_what_no_book_is_asked_about_has_no_clause_missing() -> None:
    rules = load_rulebook("ma")
    assert cite_event(rules, e.BoughtIn("ana", 100)) == ""
    assert e.BoughtIn in HOUSE_EVENTS
    assert cite_refusal(Refusal("unknown_player")) == ""
    assert REASONS["unknown_player"].rests_on == "house"
    assert cite_refusal(Refusal("wager_above_maximum")) == f" [{SILENT}]"
    assert cite_event(rules, e.BurnForgotten("war", by="dealer", clauses=())) == f" [{SILENT}]"
    assert cite_event(rules, e.BurnForgotten("war", by="dealer", clauses=("MA-10f",))) == " [MA-10f]"
    assert cite_event(rules, e.HandMissed(1, by="dealer", clauses=())) == f" [{SILENT}, AMB-73]"


@pytest.mark.parametrize("book", BOOKS)
def test_a_silent_event_names_an_ambiguity_only_if_its_leaf_has_one(book: str) -> None:
    rules = load_rulebook(book)
    for kind, keys in LEAVES.items():
        assert set(keys) <= set(KEYS), kind
        passages = {leaf.ambiguity for key, leaf in rules.leaves.items() if key in keys}
        # Where several leaves can have decided it, they decide the same unclear passage.
        assert len(passages - {None}) <= 1, kind
    assert set(SHUFFLES.values()) <= set(KEYS)


EXPOSED = act("report_extra_draw", exposed=True)
BY = {"by": "dealer:dee"}


@pytest.mark.parametrize(
    ("book", "reported", "passages"),
    [
        # California has no section on irregularities: AMB-34 is the card drawn in error.
        ("ca", [EXPOSED], {"card_discarded": ["AMB-34"]}),
        ("ca", [EXPOSED | BY], {"card_discarded": ["AMB-34"]}),
        ("ca", [act("report_face_up_card")], {"card_discarded": [None], "face_up_found": [None]}),
        # Massachusetts says what becomes of a card face up (MA-10b), and not of one drawn in error that was seen.
        ("ma", [EXPOSED], {"card_discarded": ["AMB-34"]}),
        ("ma", [act("report_missed_shuffle")], {"shuffle_ordered": [None]}),
        # Western Australia speaks of a card exposed in a round (WA-5.2, 5.3), and not of one between two rounds.
        ("wa", [EXPOSED], {"card_discarded": ["AMB-34"]}),
        ("wa", [act("report_missed_shuffle")], {"shuffle_ordered": [None]}),
    ],
)
def test_a_replay_names_the_unclear_passage_behind_a_silence(
    book: str, reported: list[Act], passages: dict[str, list[str | None]]
) -> None:
    told = play(book, "9s 8s 2c Kh 9d 8d 7d", *reported)
    found: dict[str, list[str | None]] = {}
    for one in told.data["events"]:
        if one.get("silent") and one["name"] != "cut_made":
            found.setdefault(one["name"], []).append(one.get("ambiguity"))
    assert found == passages
    for line in told_of(book, "9s 8s 2c Kh 9d 8d 7d", *reported).splitlines():
        if line.strip().startswith("Out of play"):
            passage = passages["card_discarded"][0]
            assert line.endswith(f"[{SILENT}, {passage}]" if passage else f"[{SILENT}]")


@pytest.mark.parametrize(("book", "passage"), [("ca", "AMB-38"), ("ma", "AMB-38"), ("nz", None), ("wa", None)])
def test_discards_that_come_back_name_the_passage_where_the_book_is_silent(book: str, passage: str | None) -> None:
    """Only New Zealand (NZ-9.5) and Western Australia (WA-5.5) say what is done when the cards run out."""
    rules = load_rulebook(book)
    back = e.ShoeLoaded(40, None, False, clauses=rules.clauses["shoe.short"])
    assert ambiguity_of(rules, back) == passage
    first = e.ShoeLoaded(312, 78, True, clauses=rules.clauses["shoe.loaded"])
    assert ambiguity_of(rules, first) is None


OPENED = (act("accept_bank", player="dan", box=8, stake=50000), bet("ana", 1, "initial", 1000))


def test_silence_is_data_too() -> None:
    """A hand that California's floor voids: the event, its ambiguity, and the wager that goes back."""
    told = play("ca", "2c Kh 9d 8d", *OPENED, deal(2), act("void_hand", box=1, reason="touched", by="supervisor:flo"))
    (voided,) = told.events("hand_voided")
    assert (voided["clauses"], voided["silent"], voided["ambiguity"]) == ([], True, "AMB-67")
    assert "ambiguity" not in told.events("wager_placed")[0]
    (line,) = [one for one in told.data["rounds"][0]["settlements"] if one["player"] == "ana"]
    assert (line["outcome"], line["clauses"], line["silent"]) == ("void", [], True)
    assert "silent" not in play("nz", "2c Kh 9d", *OPENED[1:], deal()).data["rounds"][0]["settlements"][0]


SOURCES = Path(__file__).resolve().parents[2] / "src" / "casinowar"


def refusals_without_clauses() -> set[str]:
    """The reasons of refusals that are written without clauses anywhere."""
    calls = (node for file in SOURCES.rglob("*.py") for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return {
        str(call.args[0].value)
        for call in calls
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "Refusal"
        and len(call.args) == 1
        and not call.keywords
        and isinstance(call.args[0], ast.Constant)
    }


def test_the_list_of_refusals_that_rest_on_no_rule_is_whole() -> None:
    """Chips that are gone are nobody's rule, whoever has the last word about it, and nor is a box that is not there."""
    house = {name for name, reason in REASONS.items() if reason.rests_on == "house"}
    assert refusals_without_clauses() | {"chips_gone", "unknown_box"} == house
