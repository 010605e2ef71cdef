"""WA definitions of people and machine, and rules 2.3 and 2.7: who may do what, and the cards of the table."""

from typing import Any

import pytest

from casinowar.dealers.session import Session
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.rulebooks import load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war

OPENING = "Ac 2c "
ANA = bet("ana", 1, "initial", 1000)
ROUND = [ANA, deal()]
MACHINE = {"shoe.shuffler": "continuous"}
PLAYER, DEALER, SUPERVISOR, OPERATOR = "player:ben", "dealer:dee", "supervisor:sam", "operator:olga"
MANAGER = "manager:may"


@pytest.mark.clause("WA-1.1-DLR")
@pytest.mark.parametrize(("by", "is_dealer"), [(PLAYER, False), (DEALER, True), (SUPERVISOR, False), (OPERATOR, False)])
def test_only_the_dealer_deals(by: str, is_dealer: bool) -> None:
    """Where a higher role may not do what a lower one may."""
    played = play("wa", OPENING + "Kh 9d", ANA, act("deal", by=by), options={"authority.higher": False})
    assert played.refusals == ([] if is_dealer else [(1, "not_entitled")])
    assert len(played.data["rounds"]) == is_dealer


FLOOR_ACTS = [
    act("void_hand", box=1, reason="cannot be rebuilt"),
    act("void_player", player="ana", reason="a device"),
    act("invalidate_round", cause="fire"),
    act("exclude_player", player="ana", reason="a device"),
    act("rule", action="void_hand", box=1, reason="seen on camera"),
    act("flag_partnership", players=["ana", "ben"]),
    act("announce_decks", decks=8, perfect_pairs="P8a"),
    act("announce_limits", minimum=1000),
    act("announce_closing"),
]


@pytest.mark.clause("WA-1.1-DLR", "WA-1.1-OP")
@pytest.mark.parametrize("by", [PLAYER, DEALER])
@pytest.mark.parametrize("wanted", FLOOR_ACTS, ids=lambda wanted: str(wanted["do"]))
def test_neither_dealer_nor_player_does_what_is_the_floors(wanted: Act, by: str) -> None:
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), {**wanted, "by": by}, deal())
    assert played.refusals == [(2, "not_entitled")]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


OPERATORS = [
    pytest.param(FLOOR_ACTS[0], "hand_voided", marks=pytest.mark.clause("WA-5.4-ii")),
    pytest.param(FLOOR_ACTS[1], "player_voided", marks=pytest.mark.clause("WA-6.6a")),
    pytest.param(FLOOR_ACTS[2], "round_invalidated", marks=pytest.mark.clause("WA-6.9a")),
    pytest.param(FLOOR_ACTS[3], "player_excluded", marks=pytest.mark.clause("WA-6.6b")),
    pytest.param(FLOOR_ACTS[4], "ruling_given", marks=pytest.mark.clause("WA-6.11")),
]
"""What the rules say that the Casino Operator may do or authorise, and what then happens."""


@pytest.mark.clause("WA-1.1-OP")
@pytest.mark.parametrize(("wanted", "happens"), OPERATORS)
@pytest.mark.parametrize("by", [{"by": OPERATOR}, {}])
def test_what_the_rules_leave_to_the_operator_the_operator_does(wanted: Act, happens: str, by: dict[str, str]) -> None:
    """Without a signature the one who is entitled is presumed."""
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), {**wanted, **by})
    assert played.refusals == []
    assert [event["by"] for event in played.events(happens)] == [by.get("by", "operator")]


@pytest.mark.clause("WA-1.1-OP", "WA-1.1-TI")
@pytest.mark.parametrize(("wanted", "happens"), OPERATORS)
def test_what_the_rules_leave_to_the_operator_is_not_the_inspectors(wanted: Act, happens: str) -> None:
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), {**wanted, "by": SUPERVISOR})
    assert played.refusals == [(2, "not_entitled")]
    assert played.events(happens) == []


MANAGERS = [(PLAYER, False), (DEALER, False), (SUPERVISOR, False), (MANAGER, True), (OPERATOR, True)]


@pytest.mark.clause("WA-1.1-TGM", "WA-5.6")
@pytest.mark.parametrize(("by", "may"), MANAGERS)
def test_hands_that_the_shuffler_spoilt_are_voided_by_the_table_games_manager(by: str, may: bool) -> None:
    fault = act("report_shuffler_fault", boxes=[1], by=by)
    played = play("wa", OPENING + "8h 9d", ANA, deal(3), fault, deal(), options=MACHINE)
    assert played.refusals == [(3, "no_wager") if may else (2, "not_entitled")]
    assert played.gain("ana") == (0 if may else -1000)


@pytest.mark.clause("WA-1.1-TGM", "WA-2.3b")
@pytest.mark.parametrize(("by", "may"), MANAGERS)
def test_another_number_of_decks_is_announced_by_the_table_games_manager(by: str, may: bool) -> None:
    played = play("wa", OPENING, act("announce_decks", decks=8, perfect_pairs="P8a", by=by))
    assert played.refusals == ([] if may else [(0, "not_entitled")])
    assert [event["by"] for event in played.events("decks_announced")] == ([by] if may else [])


@pytest.mark.clause("WA-1.1-AUTO")
def test_the_machine_shuffles_and_deals_so_there_is_no_cut_no_cutting_card_and_no_end_of_the_shoe() -> None:
    cut = act("cut", player="ana", position=100)
    played = play("wa", OPENING + "Kh 9d Qh 8d", ANA, cut, deal(), *ROUND, options=MACHINE)
    assert played.refusals == [(1, "no_cut")]
    assert (played.events("cut_made"), played.events("marker_placed")) == ([], [])
    assert [event["cut_card"] for event in played.events("shoe_loaded")] == [None]
    assert played.dealt(2) == "box 1 Qh, dealer 8d", "the opening burn is for the first round alone"
    assert [event["cards"] for event in played.events("discards_returned")] == [4, 2]
    assert played.replayed.table.shoe_left == 312


@pytest.mark.clause("WA-1.1-RACK", "WA-1.1-AUTO")
@pytest.mark.parametrize("ending", [act("invalidate_round", cause="fire"), act("void_hand", box=1, reason="jammed")])
def test_the_cards_of_a_round_that_comes_to_nothing_go_back_into_the_machine_too(ending: Act) -> None:
    """The feed tray is the rack: two burned cards and one hand."""
    played = play("wa", OPENING + "Kh 9d", ANA, deal(3), ending, options=MACHINE)
    assert [event["cards"] for event in played.events("discards_returned")] == [3]
    assert played.replayed.table.shoe_left == 312


@pytest.mark.clause("WA-1.1-AUTO", "WA-2.5")
def test_a_machine_takes_no_cutting_card_and_by_hand_there_must_be_one() -> None:
    rules = load_rulebook("wa", MACHINE)
    table = Table()
    for command in (
        c.BuyIn(player="ana", amount=5000),
        c.PlaceWager(player="ana", box=1, wager="initial", amount=1000),
    ):
        done = step(rules, table, command)
        assert not isinstance(done, Refusal)
        table = done[1]
    assert step(rules, table, c.LoadShoe(cards=312, cut_card=234)) == Refusal("no_marker", ("WA-2.5", "WA-1.1-AUTO"))
    assert not isinstance(step(rules, table, c.LoadShoe(cards=312)), Refusal)
    missing = act("report_missing_cut_card")
    assert play("wa", OPENING + "Kh 9d", ANA, deal(3), missing, options=MACHINE).refusals == [
        (2, "continuous_shuffler")
    ]
    by_hand = play("wa", OPENING + "Kh 9d", ANA, deal(3), missing)
    assert [event["clauses"] for event in by_hand.events("cut_card_missed")] == [[]]


@pytest.mark.clause("WA-2.3a")
def test_the_number_of_decks_stands_from_the_opening_of_the_table() -> None:
    """Six where the operator has said nothing; a stack of another number does not go into the shoe."""
    opened = step(load_rulebook("wa"), Table(), c.OpenTable(limit=c.Limit()))
    assert not isinstance(opened, Refusal)
    load = c.LoadShoe(cards=52, presumed=True)
    for decks in (4, 8):
        refused = step(load_rulebook("wa", {"shoe.decks": decks}), opened[1], load)
        assert refused == Refusal("decks_fixed", ("WA-2.2", "WA-2.3a"))
    due = step(load_rulebook("wa", {"shoe.decks": 6}), opened[1], load)
    assert isinstance(due, Refusal)
    assert due.reason == "cut_due"


def announced(decks: int = 8, table: str | None = "P8b", **fields: Any) -> Act:
    named = {} if table is None else {"perfect_pairs": table}
    return act("announce_decks", decks=decks, **named, **fields)


def tick(seconds: int) -> Act:
    return act("tick", seconds=seconds)


def decks(played: Played) -> list[int]:
    """The changes of the number of decks that took place."""
    return [event["decks"] for event in played.events("decks_changed")]


PAIRS = [ANA, bet("ana", 1, "perfect_pairs", 500), deal(), surrender("ana", 1)]
"""With a nine against a nine of the other colour: a mixed pair, and half of the opening wager lost."""


def mixed(odds: int) -> int:
    return odds * 500 - 500


@pytest.mark.clause("WA-2.3b")
@pytest.mark.parametrize(("seconds", "is_enough"), [(1799, False), (1800, True)])
def test_the_decks_change_at_the_first_shuffle_after_thirty_minutes(seconds: int, is_enough: bool) -> None:
    """Mixed pairs pay 5 to 1 under P6a and 6 to 1 under P8b."""
    acts = [*ROUND, announced(), tick(seconds), *PAIRS]
    played = play("wa", OPENING + "Kh cut 9d", *acts, later=("As 2s 9h 9s",))
    assert played.refusals == []
    assert decks(played) == ([8] if is_enough else [])
    assert played.gain("ana") == 1000 + mixed(6 if is_enough else 5)


@pytest.mark.clause("WA-2.3b")
def test_until_the_cards_are_shuffled_the_old_number_of_decks_is_in_use() -> None:
    acts = [*ROUND, announced(), tick(1800), *PAIRS, *PAIRS]
    played = play("wa", OPENING + "Kh 9d 9h cut 9s", *acts, later=("As 2s 9h 9s " + "Kd " * 8,))
    assert decks(played) == [8]
    assert (played.line("ana", "perfect_pairs", 2)["odds"], played.line("ana", "perfect_pairs", 3)["odds"]) == (
        "5:1",
        "6:1",
    )
    assert played.gain("ana") == 1000 + mixed(5) + mixed(6)


@pytest.mark.clause("WA-2.3b", "WA-5.5")
def test_a_shuffle_in_the_middle_of_a_round_is_of_the_cards_in_use() -> None:
    """The discards alone come back, and a wager that is down is paid as it was offered: 5 to 1."""
    wars = [war("ana", 1), bet("ana", 1, "war_perfect_pairs", 500), deal()]
    acts = [*ROUND, announced(), tick(1800), *wars, *PAIRS]
    played = play("wa", OPENING + "9h cut 9d 3c", *acts, later=("As 6d 4c 5c Kh Ks", "Ac 2c 9h 9s"))
    assert played.refusals == []
    assert played.line("ana", "war_perfect_pairs", 1)["odds"] == "5:1"
    assert played.gain("ana") == (1000 + 1000 + 5 * 500) + mixed(6)


@pytest.mark.clause("WA-2.3b")
@pytest.mark.parametrize(("seconds", "is_enough"), [(1799, False), (1800, True)])
def test_another_sign_starts_the_thirty_minutes_anew(seconds: int, is_enough: bool) -> None:
    acts = [*ROUND, announced(4, "P4a"), tick(1800), announced(), tick(seconds), *PAIRS]
    played = play("wa", OPENING + "Kh cut 9d", *acts, later=("As 2s 9h 9s",))
    assert played.refusals == []
    assert decks(played) == ([8] if is_enough else [])


@pytest.mark.clause("WA-2.3b", "WA-3.16-op")
@pytest.mark.parametrize(
    ("number", "table", "reason"),
    [
        (8, None, "pay_table_due"),
        (8, "P6a", "pay_table_due"),
        (4, "P8a", "pay_table_due"),
        (8, "P8a", None),
        (8, "P8b", None),
        (4, "P4a", None),
        (6, "P6a", "wrong_number_of_decks"),
        (5, "P6a", "wrong_number_of_decks"),
        (7, None, "wrong_number_of_decks"),
    ],
)
def test_the_pay_table_of_pairs_is_chosen_with_the_decks(number: int, table: str | None, reason: str | None) -> None:
    played = play("wa", OPENING, announced(number, table))
    assert played.refusals == ([] if reason is None else [(0, reason)])
    assert len(played.events("decks_announced")) == (reason is None)


@pytest.mark.clause("WA-2.3b")
def test_without_pairs_on_the_layout_no_pay_table_goes_with_the_decks() -> None:
    options = {"wager.perfect_pairs": False}
    acts = [announced(), announced(8, None), tick(1800), *ROUND]
    played = play("wa", OPENING + "Kh 9d", *acts, options=options)
    assert played.refusals == [(0, "pay_table_due")]
    assert decks(played) == [8]
    assert played.gain("ana") == 1000


@pytest.mark.clause("WA-2.3b")
def test_the_automatic_dealer_brings_the_announced_decks() -> None:
    session = Session(load_rulebook("wa"), tuple, c.Limit())
    session.buy_in("ana", 10_000)
    assert not isinstance(session.do(c.AnnounceDecks(decks=8, perfect_pairs="P8a")), Refusal)
    session.do(c.Tick(seconds=1800))
    session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=100))
    session.cut_in_the_middle()
    assert not isinstance(session.deal(), Refusal)
    assert len(session.stacks[0].cards) == 8 * 52


@pytest.mark.clause("WA-2.7-i")
def test_cards_are_replaced_after_a_round_and_not_during_one() -> None:
    worn = act("replace_cards", cards=["Kh", "9d"])
    acts = [ANA, deal(3), worn, {**worn, "by": PLAYER}, deal(), worn, *ROUND]
    played = play("wa", OPENING + "Kh 9d Qh 8d", *acts)
    assert played.refusals == [(2, "round_in_progress"), (3, "not_entitled")]
    replaced = played.events("cards_replaced")
    assert [event["cards"] for event in replaced] == [["Kh", "9d"]]
    assert played.dealt(2) == "box 1 Qh, dealer 8d", "a few new cards need no shuffle"
    assert "WA-2.7-i" in replaced[0]["clauses"]


@pytest.mark.clause("WA-2.7-i")
@pytest.mark.parametrize(("acts", "is_waiting"), [([ANA, deal(3)], True), (ROUND, False)])
def test_a_damaged_card_is_replaced_as_soon_as_the_round_is_over(acts: list[Act], is_waiting: bool) -> None:
    damaged = act("report_damaged_card", card="7c", by="dealer:dee")
    played = play("wa", OPENING + "Kh 9d", *acts, damaged)
    assert [(event["card"], event["by"]) for event in played.events("damage_found")] == [("7c", "dealer:dee")]
    assert len(played.events("cards_replaced")) == (not is_waiting)
    done = play("wa", OPENING + "Kh 9d", *acts, damaged, *([deal()] if is_waiting else []))
    assert [(event["cards"], event["clauses"]) for event in done.events("cards_replaced")] == [(["7c"], ["WA-2.7-i"])]
    assert done.gain("ana") == 1000
