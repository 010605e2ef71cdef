"""A table of real cards: faces as they are turned, burns unseen, impossible cards, corrections, and its record."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinowar.cards import Card
from casinowar.dealers import RealTable, record_of
from casinowar.engine import Event, Refusal, Table, evolve, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.state import NOWHERE
from casinowar.records import parse_record, read_json, read_toml, replay, result
from casinowar.records.write import format_record
from casinowar.rulebooks import load_rulebook
from tests.support.real_night import Night, as_told, net_of
from tests.support.rounds import bet, deal, play, surrender, war

pytestmark = pytest.mark.slow

CHIPS = 1000
SETTINGS: list[tuple[str, dict[str, object]]] = [
    ("ctg", {}),
    ("nz", {}),
    ("nz", {"shoe.shuffler": "batch_auto"}),
    ("nz", {"shoe.shuffler": "continuous"}),
    ("wa", {}),
    ("wa", {"shoe.shuffler": "continuous"}),
    ("ma", {"wager.progressive": True}),
    ("ma", {"shoe.shuffler": "batch_auto", "shoe.cut_first_card": "shuffle_now"}),
    ("ca", {}),
]


def table_of(book: str, *players: str, **options: object) -> RealTable:
    """A table with these players at box 1 and on, each with 1,000."""
    real = RealTable(load_rulebook(book, {key.replace("__", "."): value for key, value in options.items()}))
    for box, player in enumerate(players, start=1):
        do(real, c.BuyIn(player=player, amount=CHIPS))
        do(real, c.SeatPlayer(player=player, box=box))
    return real


def do(real: RealTable, *commands: c.Command) -> list[Event]:
    events: list[Event] = []
    for command in commands:
        done = real.do(command)
        assert not isinstance(done, Refusal), (command, done)
        events += done
    return events


def go(real: RealTable) -> list[str]:
    """Go on as far as the dealer can alone; the names of what happened."""
    done = real.go_on()
    assert not isinstance(done, Refusal), done
    return [e.name(event) for event in done]


def wager(player: str, box: int, amount: int, kind: c.WagerName = "initial") -> c.PlaceWager:
    return c.PlaceWager(player=player, box=box, wager=kind, amount=amount)


def waits(real: RealTable) -> str | None:
    return real.waits_for


def load(real: RealTable, cards: int | None = None) -> None:
    """The way of the cards into the shoe, with every cut made by whom it is offered to."""
    while (following := real.next_step) is not None and following.act != "load":
        assert following.command is not None
        do(real, following.command)
    if cards is None:
        assert not isinstance(real.step(), Refusal)
    else:
        do(real, c.LoadShoe(cards=cards))


def enter(real: RealTable, faces: str) -> None:
    """Faces in order; what the dealer does unseen or alone between them is done."""
    for face in faces.split():
        if real.waits_for is None:
            go(real)
        done = real.enter(Card(face))
        assert not isinstance(done, Refusal), (face, done)


def ready(book: str, *players: str, **options: object) -> RealTable:
    """A loaded shoe, and 100 on the initial wager of each player; the dealer has called and burned."""
    real = table_of(book, *players, **options)
    load(real)
    if waits(real) is None:
        go(real)
    do(real, *(wager(player, box, 100) for box, player in enumerate(players, start=1)))
    while real.waits_for is None:
        go(real)
    return real


def refused(done: list[Event] | Refusal) -> str:
    assert isinstance(done, Refusal), done
    return done.reason


def replayed(real: RealTable) -> dict[str, Any]:
    """The exported record run again, which must refuse nothing."""
    told = result(replay(parse_record(read_toml(format_record(record_of(real), ".toml")))))
    assert told["refusals"] == []
    return told


# The dealer's steps


def test_a_war_round_step_by_step() -> None:
    """CTG: the second wager pays 2:1 and the first stands, so 100 wins 200; ben's lower card loses 100."""
    real = table_of("ctg", "ana", "ben")
    assert real.procedure[0].act == "shuffle"
    load(real)
    assert [(one.act, one.burn) for one in real.procedure] == [("burn", "opening"), ("invite", None)]
    assert go(real) == ["card_burned"]
    assert waits(real) == "players"
    assert refused(real.step()) == "no_wager"
    do(real, wager("ana", 1, 100), wager("ben", 2, 100))
    acts = [(one.act, one.box) for one in real.procedure]
    assert acts == [("call", None), ("draw", 1), ("draw", 2), ("draw", 0), ("settle", None)]
    assert all(one.clauses for one in real.procedure)
    assert go(real) == ["betting_closed"]
    assert waits(real) == "card"
    assert refused(real.step()) == "card_unseen"
    enter(real, "Kh 9d Kd")
    assert go(real) == ["war_offered"]
    assert waits(real) == "ana"
    assert refused(real.step()) == "decision_open"
    do(real, c.GoToWar(player="ana", box=1))
    assert go(real).count("card_burned") == 3
    enter(real, "Qh Jd")
    pays = [(one.act, one.player, one.amount, one.returned) for one in real.procedure]
    assert pays == [("give_back", "ana", 0, 100), ("pay", "ana", 200, 100), ("end_round", None, 0, 0)]
    go(real)
    assert real.table.players == {"ana": CHIPS + 200, "ben": CHIPS - 100}


def test_betting_stays_open_until_the_dealer_calls() -> None:
    """Going on stops before a call: others may still want to bet."""
    real = table_of("ctg", "ana", "ben")
    do(real, wager("ana", 1, 100))
    load(real)
    assert go(real) == ["card_burned"]
    assert real.next_step is not None
    assert real.next_step.act == "call"
    do(real, wager("ben", 2, 100))
    assert go(real)[0] == "betting_closed"


def test_going_on_stops_before_the_call_even_when_it_begins_with_other_steps() -> None:
    real = table_of("ctg")
    do(real, c.BuyIn(player="ana", amount=CHIPS), wager("ana", 1, 100))
    assert "betting_closed" not in go(real)


def test_the_log_is_every_event_and_rebuilds_the_table() -> None:
    real = ready("ctg", "ana", "ben")
    enter(real, "Kh 9d Kd")
    go(real)
    do(real, c.Surrender(player="ana", box=1))
    rebuilt = Table()
    for event in real.log:
        rebuilt = evolve(rebuilt, event)
    assert rebuilt == real.table
    names = [e.name(event) for event in real.log]
    assert names[0] == "table_opened"
    assert names.count("round_ended") == 1
    assert real.table.players == {"ana": CHIPS - 50, "ben": CHIPS - 100}


def test_a_refusal_changes_nothing() -> None:
    real = ready("ctg", "ana")
    before, log, record = real.table, list(real.log), record_of(real)
    for done in (
        real.step(),
        real.do(c.GoToWar(player="ana", box=1)),
        real.do(c.CorrectCard(card=Card("2c"))),
        real.do(c.Deal(cards=(None,), hold=True)),
    ):
        assert isinstance(done, Refusal)
    assert (real.table, real.log, record_of(real)) == (before, log, record)


def test_a_closed_table_has_no_step() -> None:
    real = table_of("ctg")
    do(real, c.AnnounceClosing(), c.Tick(seconds=3600), c.CloseTable())
    assert real.next_step is None
    assert real.waits_for == "nobody"
    assert refused(real.step()) == "table_closed"


def test_a_table_that_cannot_be_opened() -> None:
    with pytest.raises(ValueError, match="no_limits"):
        RealTable(load_rulebook("ctg"), c.Limit(minimum=1, unit=0))


# Faces seen and unseen


@pytest.mark.clause("CTG-S5")
def test_burned_cards_are_unseen() -> None:
    real = table_of("ctg", "ana")
    load(real)
    do(real, wager("ana", 1, 100), c.Deal())
    assert real.next_step is not None
    assert real.next_step.act == "burn"
    assert real.waits_for is None
    assert refused(real.enter(Card("2c"))) == "burn_sealed"
    go(real)
    enter(real, "Kh 9d")
    burned = [event.card for event in real.log if isinstance(event, e.CardBurned)]
    assert burned == [None]
    assert real.stacks[0].cards[:3] == (None, "Kh", "9d")
    assert set(real.stacks[0].cards[3:]) == {None}
    assert len(real.stacks[0].cards) == 6 * 52


def test_a_face_where_no_card_is_due_is_refused() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh 9d")
    assert refused(real.enter(Card("2c"))) == "too_many_cards"


@pytest.mark.clause("WA-4.6", "WA-4.6a", "WA-4.6b", "WA-4.7")
@pytest.mark.parametrize(("first", "more"), [("5h", 5), ("Th", 10), ("Kc", 10), ("As", 1)])
def test_wa_turns_up_the_first_card_and_burns_for_its_value(first: str, more: int) -> None:
    real = table_of("wa", "ana")
    load(real)
    do(real, wager("ana", 1, 100), c.Deal())
    assert real.waits_for == "card"
    assert refused(real.step()) == "card_unseen"
    do(real, c.Deal(cards=(Card(first),), hold=True))
    unseen = [event for event in go(real) if event == "card_burned"]
    assert len(unseen) == more
    assert real.next_step is not None
    assert (real.next_step.act, real.next_step.box) == ("draw", 1)


@pytest.mark.clause("WA-4.6b")
def test_wa_a_corrected_first_card_burns_for_its_own_value() -> None:
    real = table_of("wa", "ana")
    load(real)
    do(real, wager("ana", 1, 100), c.Deal())
    enter(real, "9h")
    do(real, c.CorrectCard(card=Card("2h")))
    assert go(real) == ["card_burned"] * 2
    enter(real, "Kh 9d")
    go(real)
    assert real.stacks[0].cards[:5] == ("2h", None, None, "Kh", "9d")
    assert replayed(real)["balances"]["ana"] == CHIPS + 100


@pytest.mark.clause("WA-5.2", "WA-5.3")
def test_a_card_seen_before_its_time_is_the_next_one() -> None:
    """WA uses an exposed card as the next; another face cannot come there, and the dealer need not type it again."""
    real = table_of("wa", "ana")
    load(real)
    do(real, wager("ana", 1, 100), c.Deal())
    enter(real, "Ah")
    go(real)
    do(real, c.ReportExtraDraw(exposed=True, card=Card("Kh")))
    answer = real.enter(Card("2c"))
    assert refused(answer) == "another_card_next"
    assert isinstance(answer, Refusal)
    assert answer.clauses == ("WA-5.2",)
    assert real.waits_for is None
    go(real)
    assert real.table.round.hands == {1: ("Kh",)}
    assert real.waits_for == "card"


# Impossible cards


def four_kings_of_hearts() -> RealTable:
    """NZ with four decks: three boxes and the dealer have all four kings of hearts, and everybody surrendered."""
    real = ready("nz", "ana", "ben", "cleo", shoe__decks=4)
    enter(real, "Kh Kh Kh Kh")
    go(real)
    do(real, *(c.Surrender(player=player, box=box) for box, player in ((1, "ana"), (2, "ben"), (3, "cleo"))))
    return real


@pytest.mark.clause("NZ-3.4a")
def test_more_of_a_card_than_the_decks_hold_is_refused_with_the_reason() -> None:
    real = four_kings_of_hearts()
    do(real, wager("ana", 1, 100))
    go(real)
    before = real.table
    done = real.enter(Card("Kh"))
    assert done == Refusal("card_exhausted", real.rules.clauses["shoe.decks"])
    assert real.table == before
    assert not isinstance(real.enter(Card("Kd")), Refusal)


def test_a_correction_to_an_impossible_card_is_refused() -> None:
    real = four_kings_of_hearts()
    do(real, wager("ana", 1, 100))
    go(real)
    enter(real, "Kd")
    assert refused(real.do(c.CorrectCard(card=Card("Kh")))) == "card_exhausted"
    do(real, c.CorrectCard(card=Card("Ks")))
    assert real.table.round.hands == {1: ("Ks",)}


def test_a_wrong_king_put_right_leaves_room_for_the_true_one() -> None:
    real = ready("nz", "ana", "ben", "cleo", shoe__decks=4)
    enter(real, "Kh Kh Kh Kh")
    do(real, c.CorrectCard(card=Card("Kd")))
    go(real)
    do(real, *(c.Surrender(player=player, box=box) for box, player in ((1, "ana"), (2, "ben"), (3, "cleo"))))
    do(real, wager("ana", 1, 100))
    go(real)
    enter(real, "Kh")
    assert refused(real.enter(Card("Kh"))) == "card_exhausted"


def test_an_impossible_card_in_an_incident_is_refused() -> None:
    real = four_kings_of_hearts()
    do(real, wager("ana", 1, 100))
    go(real)
    assert refused(real.do(c.ReportFaceUpCard(card=Card("Kh")))) == "card_exhausted"
    assert refused(real.do(c.ReportExtraDraw(exposed=True, card=Card("Kh")))) == "card_exhausted"
    do(real, c.ReportFaceUpCard(card=Card("Kd")))


def seen_and_burned() -> RealTable:
    """WA with four decks: a seven drawn in error before ana's war was burned, and three more lie before the boxes.

    Ana won the war with a jack against a two.
    """
    real = table_of("wa", "ana", "ben", "cleo", shoe__decks=4)
    load(real)
    do(real, wager("ana", 1, 100), c.Deal())
    enter(real, "Ah Kh Kd")
    go(real)
    do(real, c.GoToWar(player="ana", box=1), c.ReportExtraDraw(exposed=True, card=Card("7d")))
    while real.waits_for is None:
        go(real)
    enter(real, "Jd 2c")
    go(real)
    do(real, *(wager(player, box, 100) for box, player in ((1, "ana"), (2, "ben"), (3, "cleo"))))
    go(real)
    enter(real, "7d 7d 7d")
    return real


@pytest.mark.clause("WA-5.2")
def test_a_card_that_was_seen_and_then_burned_is_not_forgotten() -> None:
    real = seen_and_burned()
    assert [event.card for event in real.log if isinstance(event, e.CardBurned)] == ["Ah", None, None, None, None]
    assert refused(real.enter(Card("7d"))) == "card_exhausted"
    enter(real, "8d")
    go(real)
    assert record_of(real)["shoe"].startswith("Ah xx Kh Kd 7d xx xx Jd 2c 7d 7d 7d 8d xx")
    assert replayed(real)["balances"] == {**real.table.players, "house": real.table.house}


@pytest.mark.clause("WA-5.2")
def test_a_correction_counts_a_card_that_was_seen_and_then_burned() -> None:
    real = seen_and_burned()
    enter(real, "8d")
    assert refused(real.do(c.CorrectCard(card=Card("7d")))) == "card_exhausted"
    do(real, c.CorrectCard(card=Card("7h")))
    assert real.table.round.hands[0] == ("7h",)


def test_a_new_stack_has_all_cards_again() -> None:
    real = four_kings_of_hearts()
    do(real, c.ReplaceCards())
    load(real)
    do(real, wager("ana", 1, 100))
    while real.waits_for is None:
        go(real)
    enter(real, "Kh")


@pytest.mark.clause("NZ-9.5-i")
def test_after_a_shuffle_in_the_middle_of_a_round_only_the_hands_are_out() -> None:
    """Three kings lie before the boxes when the shoe runs dry: one is left in the new stack, and not two."""
    real = table_of("nz", "ana", "ben", "cleo", shoe__decks=4)
    load(real, cards=4)
    do(real, *(wager(player, box, 100) for box, player in ((1, "ana"), (2, "ben"), (3, "cleo"))))
    while real.waits_for is None:
        go(real)
    enter(real, "Kh Kh Kh")
    load(real)
    loaded = [event.cards for event in real.log if isinstance(event, e.ShoeLoaded)]
    assert loaded == [4, 4 * 52 - 3]
    enter(real, "Kh")
    go(real)
    do(real, c.GoToWar(player="ana", box=1))
    do(real, *(c.Surrender(player=player, box=box) for box, player in ((2, "ben"), (3, "cleo"))))
    go(real)
    assert refused(real.enter(Card("Kh"))) == "card_exhausted"
    enter(real, "Qh Jh")
    go(real)
    assert replayed(real)["balances"]["ana"] == real.table.players["ana"] == CHIPS + 100


@pytest.mark.clause("NZ-3.5-ii")
def test_a_continuous_shuffler_counts_what_is_out_now() -> None:
    real = table_of("nz", "ana", shoe__decks=4, shoe__shuffler="continuous")
    load(real)
    for _ in range(6):
        do(real, wager("ana", 1, 100))
        while real.waits_for is None:
            go(real)
        enter(real, "Kh 2c")
        go(real)
    assert real.table.players["ana"] == CHIPS + 600
    assert replayed(real)["balances"]["ana"] == CHIPS + 600


# Corrections


def test_a_correction_stays_in_the_log_and_the_money_goes_by_it() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh 9d")
    do(real, c.CorrectCard(card=Card("Ad")))
    dealt = [event for event in real.log if isinstance(event, e.CardDealt | e.CardCorrected)]
    assert [(event.box, event.card) for event in dealt] == [(1, "Kh"), (0, "9d"), (0, "Ad")]
    go(real)
    assert real.table.players["ana"] == CHIPS - 100
    assert replayed(real)["rounds"][0]["dealt"][-1] == {"to": "dealer", "card": "Ad"}


def test_a_card_can_be_corrected_twice_and_not_to_itself() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh")
    do(real, c.CorrectCard(card=Card("Qh")))
    assert refused(real.do(c.CorrectCard(card=Card("Qh")))) == "same_card"
    do(real, c.CorrectCard(card=Card("Jh")))
    assert real.table.round.hands == {1: ("Jh",)}


def test_only_the_last_card_can_be_corrected_and_only_before_the_next_act() -> None:
    real = ready("ctg", "ana")
    assert refused(real.do(c.CorrectCard(card=Card("2c")))) == "no_card_to_correct"
    enter(real, "Kh 9d")
    do(real, c.CorrectCard(card=Card("8d")))
    assert real.table.round.hands == {1: ("Kh",), 0: ("8d",)}
    done = real.step()
    assert not isinstance(done, Refusal)
    assert refused(real.do(c.CorrectCard(card=Card("7d")))) == "no_card_to_correct"


def test_a_tie_cannot_be_corrected_once_war_has_been_offered() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh Kd")
    go(real)
    correction = c.CorrectCard(card=Card("Qd"))
    assert refused(real.do(correction)) == "no_card_to_correct"
    assert step(real.rules, real.table, correction) == Refusal("no_card_to_correct")


# The cutting card


@pytest.mark.clause("CTG-W9", "CTG-W10")
def test_the_cutting_card_shows_when_the_dealer_says_so() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh")
    do(real, c.ShowCutCard())
    assert refused(real.do(c.ShowCutCard())) == "step_done"
    enter(real, "9d")
    shown = [event for event in real.log if isinstance(event, e.CutCardDrawn)]
    assert [(event.box, event.shuffle) for event in shown] == [(0, "after_round")]
    go(real)
    assert real.table.players["ana"] == CHIPS + 100
    load(real)
    assert real.stacks[0].cut_card == 2
    assert record_of(real)["shoe"].startswith("xx Kh cut 9d xx")
    assert replayed(real)["balances"]["ana"] == CHIPS + 100


@pytest.mark.clause("NZ-7.1b")
def test_nz_shuffles_at_once_when_the_cutting_card_comes_first() -> None:
    real = ready("nz", "ana", shoe__initial_burn="none")
    assert [one.act for one in real.procedure] == ["draw", "draw", "settle"]
    do(real, c.ShowCutCard())
    assert [one.act for one in real.procedure] == ["show_cut_card"]
    assert not isinstance(real.step(), Refusal)
    assert [one.act for one in real.procedure][-1] == "load"
    load(real)
    go(real)
    enter(real, "Kh 9d")
    go(real)
    assert real.table.players["ana"] == CHIPS + 100
    told = replayed(real)
    assert told["balances"]["ana"] == CHIPS + 100
    assert [event["shuffle"] for event in told["events"] if event["name"] == "cut_card_drawn"] == ["now"]


@pytest.mark.clause("WA-4.6", "WA-4.14")
def test_a_cutting_card_before_the_opening_burn_asks_for_no_face() -> None:
    """The dealer takes it out, and the cards are shuffled again; a face typed in its place is not taken."""
    real = ready("wa", "ana")
    assert (real.procedure[0].burn, real.waits_for) == ("opening", "card")
    do(real, c.ShowCutCard())
    assert ([one.act for one in real.procedure], real.waits_for) == (["show_cut_card"], None)
    before = [*real.log]
    assert refused(real.enter(Card("8s"))) == "too_many_cards"
    assert real.log == before
    assert not isinstance(real.step(), Refusal)
    assert real.log[-1] == e.CutCardDrawn(0, "after_round", clauses=("WA-4.14",))
    assert [one.act for one in real.procedure][-1] == "load"
    load(real)
    enter(real, "2s")
    do(real, c.CorrectCard(card=Card("Ah")))
    told = replayed(real)
    burned = [event["card"] for event in told["events"] if event["name"] == "card_burned"]
    assert burned == ["Ah"]


@pytest.mark.clause("NZ-3.5-ii")
def test_a_continuous_shuffler_shows_no_cutting_card() -> None:
    real = ready("nz", "ana", shoe__shuffler="continuous")
    assert refused(real.do(c.ShowCutCard())) == "no_marker"


# Players, banks and incidents through the same engine


@pytest.mark.clause("CA-DP-1a")
def test_ca_with_a_bank() -> None:
    """Ana's king beats the bank's queen and wins 100 of it; ben's nine loses 200 to it; the house has no part."""
    real = table_of("ca", "ana", "ben", "cleo")
    load(real)
    assert go(real) == ["card_burned"]
    assert refused(real.do(wager("ana", 1, 100))) == "no_bank"
    do(real, c.AcceptBank(player="cleo", box=3, stake=500), wager("ana", 1, 100), wager("ben", 2, 200))
    go(real)
    dealt = {1: "Kh", 2: "9d", 0: "Qc"}
    while real.waits_for == "card":
        assert real.next_step is not None
        assert real.next_step.box is not None
        enter(real, dealt[real.next_step.box])
    go(real)
    assert real.table.players == {"ana": CHIPS + 100, "ben": CHIPS - 200, "cleo": CHIPS + 100}
    assert real.table.house == 0
    told = replayed(real)
    assert told["balances"] == {**real.table.players, "house": 0}


@pytest.mark.clause("CTG-G4")
def test_ctg_a_card_too_many_unseen_is_the_next_card() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh")
    do(real, c.ReportExtraDraw(exposed=False))
    assert real.waits_for == "card"
    enter(real, "9d")
    go(real)
    assert replayed(real)["balances"]["ana"] == CHIPS + 100


@pytest.mark.clause("CTG-G5")
def test_ctg_a_card_too_many_that_was_seen_is_out_of_play() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh")
    do(real, c.ReportExtraDraw(exposed=True, card=Card("Ad")))
    enter(real, "9d")
    go(real)
    assert record_of(real)["shoe"].startswith("xx Kh Ad 9d xx")
    assert replayed(real)["rounds"][0]["dealt"][2] == {"to": "discard", "card": "Ad"}
    assert real.table.players["ana"] == CHIPS + 100


@pytest.mark.clause("CTG-G6")
def test_ctg_a_misdealt_card_waits_for_the_pit_boss() -> None:
    real = ready("ctg", "ana", "ben")
    enter(real, "Kh")
    do(real, c.ReportMisdelivered(box=1, action="forward"))
    assert real.waits_for == "pit_boss"
    assert refused(real.step()) == "ruling_due"
    do(real, c.Rule(action="reconstruct", reason="it goes to ben"))
    enter(real, "2c Qd")
    go(real)
    assert real.table.players == {"ana": CHIPS - 100, "ben": CHIPS + 100}
    assert replayed(real)["balances"] == {"ana": CHIPS - 100, "ben": CHIPS + 100, "house": 0}


@pytest.mark.clause("MA-10d")
def test_ma_a_missed_hand_between_the_call_and_the_first_card_is_in_the_record() -> None:
    """The first box is passed over before any card: its wager goes back, here and in the replay."""
    real = ready("ma", "ana", "ben")
    enter(real, "Kh 2c 9c")
    go(real)
    do(real, wager("ana", 1, 100), wager("ben", 2, 100), c.Deal())
    do(real, c.ReportMissedHand(box=1))
    assert real.table.players["ana"] == CHIPS + 100
    enter(real, "3c Qd")
    go(real)
    assert real.table.players == {"ana": CHIPS + 100, "ben": CHIPS - 200}
    assert {"do": "call"} in record_of(real)["acts"]
    assert replayed(real)["balances"] == {"ana": CHIPS + 100, "ben": CHIPS - 200, "house": 100}


@pytest.mark.clause("NZ-9.4-i")
def test_nz_misdealt_cards_are_put_where_they_belong() -> None:
    """Ben's card lay at box 1 and ana's at box 2: both move at once. The moves survive the TOML."""
    real = ready("nz", "ana", "ben")
    enter(real, "9d Kh")
    do(real, c.Reconstruct(moves=(c.Move(origin=1, to=2), c.Move(origin=2, to=1))))
    assert real.table.round.hands == {1: ("Kh",), 2: ("9d",)}
    enter(real, "Qc")
    go(real)
    assert replayed(real)["balances"] == {"ana": CHIPS + 100, "ben": CHIPS - 100, "house": 0}


@pytest.mark.clause("WA-2.2")
def test_another_number_of_decks_after_its_notice() -> None:
    real = table_of("wa", "ana")
    load(real)
    do(real, c.AnnounceDecks(decks=8, perfect_pairs="P8a"), c.Tick(seconds=30 * 60), c.ReplaceCards())
    load(real)
    loaded = [event.cards for event in real.log if isinstance(event, e.ShoeLoaded)]
    assert loaded == [6 * 52, 8 * 52]
    assert (real.book.shoe.decks, real.rules.shoe.decks) == (6, 8)
    do(real, wager("ana", 1, 100), c.Deal())
    enter(real, "Ah Kh 9d")
    go(real)
    assert replayed(real)["balances"]["ana"] == CHIPS + 100


# The record


def test_the_record_reads_as_a_dealer_would_tell_it() -> None:
    """Steps taken one by one are one deal, and chips bought later are among the opening balances."""
    real = ready("ctg", "ana")
    enter(real, "Kh")
    do(real, c.BuyIn(player="ana", amount=50))
    enter(real, "9d")
    while real.table.phase == "dealing":
        assert not isinstance(real.step(), Refusal)
    record = record_of(real)
    assert record["players"] == {"ana": CHIPS + 50}
    assert [act["do"] for act in record["acts"]][-4:] == ["load_shoe", "initial_burn", "place_wager", "deal"]
    assert record["acts"][-1] == {"do": "deal"}


def test_an_unfinished_round_is_in_the_record_as_far_as_it_went() -> None:
    real = ready("ctg", "ana", "ben")
    enter(real, "Kh")
    told = replayed(real)
    assert told["rounds"] == []
    assert told["balances"] == {"ana": CHIPS - 100, "ben": CHIPS - 100, "house": 0}
    assert [stake["amount"] for stake in told["open"]] == [100, 100]
    assert record_of(real)["acts"][-1] == {"do": "deal", "cards": 1}


def test_a_call_that_nothing_followed_is_in_the_record() -> None:
    real = table_of("ctg", "ana")
    load(real)
    do(real, wager("ana", 1, 100), c.Deal())
    assert "betting_closed" in [event["name"] for event in replayed(real)["events"]]


@pytest.mark.parametrize("book", ["nz", "ctg", "ma"])
def test_the_same_cards_by_hand_and_by_a_record_give_the_same_settlements(book: str) -> None:
    """A war of ana's and a surrender of ben's, written as a record by hand beside the table."""
    real = ready(book, "ana", "ben")
    enter(real, "Kh Ks Kd")
    go(real)
    order = [player for _, player in real.table.round.asked]
    choices: dict[str, c.Command] = {"ana": c.GoToWar(player="ana", box=1), "ben": c.Surrender(player="ben", box=2)}
    while real.table.phase == "deciding":
        do(real, choices[real.table.round.asked[0][1]])
    enter(real, "9h 8d")
    go(real)
    acts = [war("ana", 1), surrender("ben", 2)] if order[0] == "ana" else [surrender("ben", 2), war("ana", 1)]
    by_hand = play(
        book,
        "xx Kh Ks Kd xx xx xx 9h 8d",
        bet("ana", 1, "initial", 100),
        bet("ben", 2, "initial", 100),
        deal(),
        *acts,
        deal(),
        limits={},
        players={"ana": CHIPS, "ben": CHIPS},
    )
    assert net_of(real.log) == by_hand.settlements()
    assert dict(real.table.players) == {player: by_hand.balances[player] for player in ("ana", "ben")}
    assert real.table.players["ben"] == CHIPS - 50


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_the_record_is_written_in_both_forms(suffix: str) -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh 9d")
    go(real)
    read = read_toml if suffix == ".toml" else read_json
    record = record_of(real)
    assert read(format_record(record, suffix)) | {"options": {}} == record
    assert record["acts"][-1] == {"do": "deal"}


@pytest.mark.parametrize(("book", "options"), SETTINGS, ids=lambda part: str(part))
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), trouble=st.sampled_from((0.0, 0.05, 0.2)))
def test_a_night_replays_event_by_event(book: str, options: dict[str, object], seed: int, trouble: float) -> None:
    """Whatever goes wrong, the record of a night brings the same events, the same settlements and the same money.

    The cards come from a real shoe in the test, so a refusal of any of them as impossible would fail as well.
    """
    night = Night(load_rulebook(book, options), random.Random(seed), trouble=trouble)
    night.play(120)
    again = replay(parse_record(record_of(night.real)))
    assert again.refusals == ()
    told = [one.event for one in again.story]
    assert as_told(told) == as_told(night.real.log)
    assert net_of(told) == net_of(night.real.log)
    assert again.table.players == night.real.table.players
    sealed = [event for event in night.real.log if isinstance(event, e.CardBurned) and event.burn != "opening"]
    assert all(event.card is None for event in sealed if event.burn != "midround")
    places = {box for event in night.real.log if isinstance(event, e.CardsCollected) for box, _ in event.hands}
    assert NOWHERE not in places


# Going on with a night that was broken off


def resumed(real: RealTable) -> RealTable:
    """A new table from the record of this one, by way of its text."""
    data = read_toml(format_record(record_of(real), ".toml"))
    return RealTable.resumed(parse_record(data), data.get("acts", []))


def test_a_round_goes_on_where_it_was_broken_off() -> None:
    """The queen that the dealer draws after the break beats ben's nine and loses to ana's king."""
    real = resumed(ready("ctg", "ana", "ben"))
    enter(real, "Kh 9d")
    real = resumed(real)
    assert real.waits_for == "card"
    enter(real, "Qd")
    go(real)
    assert real.table.players == {"ana": CHIPS + 100, "ben": CHIPS - 100}
    assert record_of(real)["shoe"].startswith("xx Kh 9d Qd xx")
    assert replayed(real)["balances"] == {"ana": CHIPS + 100, "ben": CHIPS - 100, "house": 0}


def test_the_last_face_can_still_be_corrected_after_a_break() -> None:
    real = ready("ctg", "ana")
    enter(real, "Kh 9d")
    real = resumed(real)
    do(real, c.CorrectCard(card=Card("Ad")))
    go(real)
    assert real.table.players["ana"] == CHIPS - 100


def test_after_a_break_the_cards_that_are_out_are_still_known() -> None:
    real = resumed(seen_and_burned())
    assert refused(real.enter(Card("7d"))) == "card_exhausted"


def test_a_table_that_has_done_nothing_goes_on() -> None:
    real = resumed(table_of("ctg"))
    assert record_of(real) == record_of(table_of("ctg"))


@pytest.mark.clause("WA-2.2")
def test_after_a_break_the_decks_are_those_last_announced() -> None:
    real = table_of("wa", "ana")
    load(real)
    do(real, c.AnnounceDecks(decks=8, perfect_pairs="P8a"), c.Tick(seconds=30 * 60), c.ReplaceCards())
    load(real)
    assert resumed(real).rules == real.rules


def test_the_record_of_another_table_is_no_night_to_go_on_with() -> None:
    """A face that is known before it was turned, limits of a wager's own, and an act that is refused."""
    real = ready("ctg", "ana")
    data = read_toml(format_record(record_of(real), ".toml"))
    odd = [
        {**data, "shoe": data["shoe"].replace("xx xx", "xx 2c", 1)},
        {**data, "limits": {"minimum": 1, "unit": 1, "tie": {"minimum": 5}}},
        {**data, "acts": [*data["acts"], {"do": "go_to_war", "player": "ana", "box": 1}]},
    ]
    reasons = []
    for record in odd:
        with pytest.raises(ValueError, match=r"kept at a table of real cards|is refused") as error:
            RealTable.resumed(parse_record(record), record["acts"])
        reasons.append(str(error.value))
    refusal = f"acts[{len(data['acts'])}] is refused: no_decision"
    assert reasons == ["it was not kept at a table of real cards"] * 2 + [refusal]


@pytest.mark.parametrize(("book", "options"), SETTINGS, ids=lambda part: str(part))
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), trouble=st.sampled_from((0.0, 0.05, 0.2)))
def test_a_night_goes_on_as_if_it_had_not_been_broken_off(
    book: str, options: dict[str, object], seed: int, trouble: float
) -> None:
    """The same dealer with the same cards plays on, with a break after each stretch or without one."""
    nights = []
    for is_broken in (True, False):
        night = Night(load_rulebook(book, options), random.Random(seed), trouble=trouble)
        for stretch in (7, 29, 50):
            night.play(stretch)
            if is_broken:
                before = format_record(record_of(night.real), ".toml")
                night.real = resumed(night.real)
                assert format_record(record_of(night.real), ".toml") == before
        nights.append(night)
    broken, whole = nights
    assert broken.real.table == whole.real.table
    assert as_told(broken.real.log) == as_told(whole.real.log)
    again = replay(parse_record(record_of(broken.real)))
    assert again.refusals == ()
    assert again.table.players == whole.real.table.players


def test_a_damaged_card_that_nobody_saw_is_so_in_the_record() -> None:
    real = ready("ma", "ana")
    enter(real, "Kh")
    do(real, c.ReportDamagedCard())
    found = [event for event in replayed(real)["events"] if event["name"] == "damage_found"]
    assert [event.get("card") for event in found] == [None]
