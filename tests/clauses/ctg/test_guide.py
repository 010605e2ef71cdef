"""Casino-To-Go, clause by clause."""

from itertools import pairwise, product

import pytest

from casinowar.cards import DECK
from casinowar.dealers.session import Session
from casinowar.engine import commands as c
from casinowar.records import RecordError
from casinowar.rulebooks import SILENT, RulebookError, load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, marked, play, surrender, war

BALANCE = 100_000
TIGHT = {"minimum": 1000, "maximum": 5000, "unit": 500}
FREE = {"minimum": 1, "unit": 1}
SEATED = [act("seat_player", player=player, box=box) for player, box in (("ana", 5), ("ben", 2), ("cat", 6))]


def war_round(mine: str, dealers: str, *, odds: str | None = None) -> Played:
    """One player with 1,000 on War, tied on nines, at war with these two cards."""
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()
    options = {"payout.war_odds": odds} if odds else {}
    return play("ctg", f"2c 9h 9d 3c 4c 5c {mine} {dealers}", *acts, options=options)


def full_shoe(behind: int) -> str:
    """Six whole decks, the cutting card with so many cards behind it: 2c is burned, then 3c, then 4c."""
    cards = [str(card) for card in DECK * 6]
    return " ".join([*cards[: 312 - behind], "cut", *cards[312 - behind :]])


def cited(played: Played) -> list[str]:
    """The clauses that the refusals name, each once, in order."""
    return list(dict.fromkeys(clause for clauses in played.refusal_clauses for clause in clauses))


# The basics


@pytest.mark.clause("CTG-B1")
def test_everybody_gets_one_card_and_the_higher_one_wins() -> None:
    acts = bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000), deal()
    played = play("ctg", "2c Th 8h 9d Kc Kd", *acts)
    assert played.dealt() == "burn 2c, box 1 Th, box 2 8h, dealer 9d"
    assert (played.gain("ana"), played.gain("ben")) == (1000, -1000)


@pytest.mark.clause("CTG-B2")
def test_six_decks_hold_six_of_a_card() -> None:
    played = play("ctg", "Kh Kh 9d Kh Kh Kh Kh", bet("ana", 1, "initial", 1000), deal())
    assert played.dealt() == "burn Kh, box 1 Kh, dealer 9d"
    with pytest.raises(RecordError, match="7 times Kh: 6 decks hold 6"):
        play("ctg", "Kh Kh 9d Kh Kh Kh Kh Kh", bet("ana", 1, "initial", 1000), deal())


@pytest.mark.clause("CTG-B2")
@pytest.mark.parametrize("decks", [4, 5, 7, 8])
def test_no_other_number_of_decks(decks: int) -> None:
    with pytest.raises(RulebookError, match=r"ctg fixes shoe\.decks at 6 \(CTG-B2\)"):
        load_rulebook("ctg", {"shoe.decks": decks})


@pytest.mark.clause("CTG-B3")
@pytest.mark.parametrize(("lower", "higher"), list(pairwise("23456789TJQKA")))
def test_each_rank_beats_the_one_below(lower: str, higher: str) -> None:
    acts = bet("ana", 1, "initial", 1000), deal()
    assert play("ctg", f"2c {higher}h {lower}d", *acts).gain("ana") == 1000
    assert play("ctg", f"2c {lower}h {higher}d", *acts).gain("ana") == -1000


@pytest.mark.clause("CTG-B3")
def test_an_ace_is_never_low() -> None:
    assert play("ctg", "3c 2h Ad", bet("ana", 1, "initial", 1000), deal()).gain("ana") == -1000
    assert war_round("Ah", "2d").line("ana", "war")["outcome"] == "win"


@pytest.mark.clause("CTG-B4")
@pytest.mark.parametrize(("mine", "dealers"), list(product("cdhs", repeat=2)))
def test_suits_do_not_matter(mine: str, dealers: str) -> None:
    acts = bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), deal(), surrender("ana", 1)
    tied = play("ctg", f"2c 9{mine} 9{dealers}", *acts)
    assert tied.settlements() == [("ana", 1, "tie", "win", 5000), ("ana", 1, "initial", "surrender", -500)]
    assert play("ctg", f"2c T{mine} 9{dealers}", *acts[:2], deal()).gain("ana") == 1000 - 500


@pytest.mark.clause("CTG-B5", "CTG-B6", "CTG-F7")
def test_names_on_the_layout() -> None:
    names = load_rulebook("ctg").names
    assert (names.initial, names.tie, names.war) == ("War", "Tie", "Second wager")
    assert (names.war_tie, names.a_bomb, names.perfect_pairs, names.progressive) == (None, None, None, None)


@pytest.mark.clause("CTG-B5", "CTG-D1")
def test_war_alone_tie_alone_or_both() -> None:
    acts = (
        bet("ana", 1, "initial", 1000),
        bet("ben", 2, "tie", 500),
        bet("cat", 3, "initial", 1000),
        bet("cat", 3, "tie", 500),
        deal(),
    )
    played = play("ctg", "2c Kh 9h Td 9d", *acts)
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 1 Kh, box 2 9h, box 3 Td, dealer 9d"
    assert [played.gain(player) for player in ("ana", "ben", "cat")] == [1000, 10 * 500, 1000 - 500]


@pytest.mark.clause("CTG-B5", "CTG-F5")
def test_a_tie_bet_alone_leads_to_no_war() -> None:
    played = play("ctg", "2c 9h 9d 3c 4c 5c Kh Qs", bet("ana", 1, "tie", 500), deal(), war("ana", 1))
    assert played.settlements() == [("ana", 1, "tie", "win", 5000)]
    assert played.refusals == [(2, "no_decision")]


@pytest.mark.clause("CTG-B5")
@pytest.mark.parametrize("wager", ["a_bomb", "perfect_pairs", "progressive"])
def test_no_wager_but_war_and_tie(wager: str) -> None:
    played = play("ctg", "2c Kh 9d", bet("ana", 1, "initial", 1000), bet("ana", 1, wager, 500), deal())
    assert played.refusals == [(1, "wager_not_offered")]
    assert cited(played) == ["CTG-B5"]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("CTG-B5")
def test_a_box_belongs_to_one_player() -> None:
    acts = bet("ana", 1, "initial", 1000), bet("ben", 1, "initial", 1000), bet("cat", 1, "tie", 500), deal()
    played = play("ctg", "2c Kh 9d", *acts)
    assert played.refusals == [(1, "box_taken"), (2, "box_taken")]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("CTG-B5")
def test_wagers_are_placed_and_not_called() -> None:
    played = play("ctg", "2c Kh 9d", bet("ana", 1, "initial", 1000, called=True), bet("ben", 2, "tie", 500), deal())
    assert played.refusals == [(0, "called_wager")]
    assert played.settlements() == [("ben", 2, "tie", "lose", -500)]


@pytest.mark.clause("CTG-B7", "CTG-P2", "CTG-F4", "CTG-O2")
def test_war_bet_wins_even_money_on_a_higher_card() -> None:
    line = play("ctg", "2c Kh 9d", bet("ana", 1, "initial", 1500), deal()).line("ana", "initial")
    assert (line["outcome"], line["odds"]) == ("win", "1:1")
    assert (line["paid"], line["returned"], line["net"]) == (1500, 1500, 1500)


@pytest.mark.clause("CTG-B7", "CTG-P2", "CTG-F3")
def test_war_bet_loses_on_a_lower_card() -> None:
    line = play("ctg", "2c 8h 9d", bet("ana", 1, "initial", 1500), deal()).line("ana", "initial")
    assert (line["outcome"], line["odds"]) == ("lose", None)
    assert (line["paid"], line["returned"], line["net"]) == (0, 0, -1500)


@pytest.mark.clause("CTG-B8", "CTG-P3", "CTG-F2", "CTG-O1")
def test_tie_bet_wins_ten_to_one_on_an_equal_card() -> None:
    line = play("ctg", "2c 9h 9d", bet("ana", 1, "tie", 500), deal()).line("ana", "tie")
    assert (line["outcome"], line["odds"]) == ("win", "10:1")
    assert (line["paid"], line["returned"]) == (10 * 500, 500)


@pytest.mark.clause("CTG-B8", "CTG-P3", "CTG-F1")
@pytest.mark.parametrize("mine", ["Th", "8h"])
def test_tie_bet_loses_on_any_other_card(mine: str) -> None:
    line = play("ctg", f"2c {mine} 9d", bet("ana", 1, "tie", 500), deal()).line("ana", "tie")
    assert (line["outcome"], line["paid"], line["returned"]) == ("lose", 0, 0)


@pytest.mark.clause("CTG-P3", "CTG-F2")
@pytest.mark.parametrize(("second", "net"), [("Kh Qs", 2000), ("Kh Ks", 3000), ("Qh Ks", -2000)])
def test_tie_bet_is_decided_by_the_first_cards_alone(second: str, net: int) -> None:
    acts = bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500), deal(), war("ana", 1), deal()
    assert play("ctg", f"2c 9h 9d 3c 4c 5c {second}", *acts).gain("ana") == 10 * 500 + net


# Shuffling and cutting


@pytest.mark.clause("CTG-S1")
def test_play_begins_with_six_decks_shuffled_and_cut() -> None:
    played = play("ctg", full_shoe(25), bet("ana", 1, "initial", 1000), deal())
    names = [event["name"] for event in played.data["events"]]
    assert names.index("cut_made") < names.index("shoe_loaded") < names.index("card_burned")
    assert [event["cards"] for event in played.events("shoe_loaded")] == [6 * 52]
    assert played.dealt() == "burn 2c, box 1 3c, dealer 4c"


@pytest.mark.clause("CTG-S2")
def test_the_cut_is_offered_to_the_first_player_seated() -> None:
    acts = (*SEATED, act("cut", player="ben", position=100), act("cut", player="ana", position=100))
    options = {"shoe.cutter_rule": "first_seated"}
    played = play("ctg", "2c Kh 9d", *acts, bet("ana", 5, "initial", 1000), deal(), options=options)
    assert played.refusals == [(3, "not_the_cutter")]
    assert [(cut["player"], cut["position"]) for cut in played.events("cut_made")] == [("ana", 100)]


@pytest.mark.clause("CTG-S2")
def test_any_seated_player_cuts_whether_or_not_others_have_declined() -> None:
    """Ana is asked first; a player without a seat has no cut, and nor has staff while somebody is asked."""
    played = play("ctg", "2c Kh 9d", *SEATED, act("cut", position=100), act("cut", player="ben", position=100))
    assert played.refusals == [(3, "not_the_cutter")]
    assert [(cut["player"], cut["clauses"]) for cut in played.events("cut_made")] == [("ben", ["CTG-S2"])]
    declined = [act("decline_cut", player=player) for player in ("ana", "cat", "ben")]
    played = play("ctg", "2c Kh 9d", *SEATED, *declined, act("cut", player="ana", position=1))
    assert [cut["player"] for cut in played.events("cut_made")] == ["ana"]
    assert play("ctg", "2c Kh 9d", act("cut", player="dan", position=9)).refusals == [(0, "not_the_cutter")]


@pytest.mark.clause("CTG-S2", "CTG-S3")
@pytest.mark.parametrize(("position", "refusals"), [(0, 1), (1, 0), (51, 0), (311, 0), (312, 1)])
def test_the_cut_has_no_depth(position: int, refusals: int) -> None:
    played = play("ctg", "2c Kh 9d", *SEATED, act("cut", player="ana", position=position))
    assert played.refusals == [(3, "cut_out_of_bounds")] * refusals
    assert len(played.events("cut_made")) == 1 - refusals


@pytest.mark.clause("CTG-S2")
@pytest.mark.parametrize(("position", "refusals"), [(51, 1), (52, 0), (260, 0), (261, 1), (0, 1), (312, 1)])
def test_the_cut_is_a_deck_or_more_from_either_end_where_the_operator_has_it_so(position: int, refusals: int) -> None:
    options = {"shoe.cut_depth": 52}
    played = play("ctg", "2c Kh 9d", *SEATED, act("cut", player="ana", position=position), options=options)
    assert played.refusals == [(3, "cut_out_of_bounds")] * refusals
    assert len(played.events("cut_made")) == 1 - refusals


@pytest.mark.clause("CTG-S2")
def test_the_cut_passes_clockwise_and_comes_to_the_dealer_last() -> None:
    declines = [act("decline_cut", player=player) for player in ("ben", "ana", "ben", "cat", "ben")]
    staff = act("cut", position=100, by="dealer:d1")
    played = play("ctg", "2c Kh 9d", *SEATED, staff, *declines, staff)
    assert played.refusals == [(3, "not_the_cutter"), (4, "not_the_cutter"), (6, "not_the_cutter")]
    assert [event["player"] for event in played.events("cut_declined")] == ["ana", "cat", "ben"]
    assert [(cut["player"], cut["position"]) for cut in played.events("cut_made")] == [(None, 100)]


def cutter_after(shoe: str, option: str | None, *acts: Act) -> str:
    """Who cuts the second shoe, when ana sits at 5, ben at 2 and cat at 6, and all played the first."""
    wagers = [bet("ana", 5, "initial", 1000), bet("ben", 2, "initial", 1000), bet("cat", 6, "initial", 1000)]
    options = {"shoe.cutter_rule": option} if option else {}
    play_on = [*SEATED, *wagers, deal(), *acts, *wagers, deal()]
    played = play("ctg", shoe, *play_on, options=options, later=("2c 3h 4h 5h 9d",))
    assert [event["cards"] for event in played.events("shoe_loaded")][1:] == [5]
    cutter = played.events("cut_made")[1]["player"]
    assert isinstance(cutter, str)
    return cutter


ON_BEN, ON_DEALER, UNSEEN = "2c cut Kh Kd Ks 9d", "2c Kh Kd Ks cut 9d", "2c Kh Kd Ks 9d 3c"
REPLACED = act("replace_cards", cards="all")


@pytest.mark.clause("CTG-S2", "CTG-W10")
def test_the_first_seated_player_cuts_every_shoe_unless_the_operator_says_otherwise() -> None:
    assert cutter_after(ON_BEN, None) == "ana"
    assert cutter_after(ON_BEN, "first_seated") == "ana"
    assert cutter_after(ON_BEN, "last_cut_card") == "ben"


@pytest.mark.clause("CTG-S2")
def test_the_cut_goes_to_the_far_right_when_the_cutting_card_was_on_no_box() -> None:
    assert cutter_after(ON_DEALER, "last_cut_card") == "cat"
    assert cutter_after(UNSEEN, "last_cut_card", REPLACED) == "cat"
    assert cutter_after(ON_DEALER, None) == cutter_after(UNSEEN, None, REPLACED) == "ana"


@pytest.mark.clause("CTG-S2")
def test_the_cutter_rule_is_one_of_three() -> None:
    with pytest.raises(RulebookError, match=r"allowed any_seated, first_seated, last_cut_card"):
        load_rulebook("ctg", {"shoe.cutter_rule": "farthest_left"})


@pytest.mark.clause("CTG-S3")
def test_a_shoe_is_written_as_it_lies_after_the_cut() -> None:
    acts = bet("ana", 1, "initial", 1000), deal()
    for position in (52, 260):
        played = play("ctg", full_shoe(25), *SEATED[:1], act("cut", player="ana", position=position), *acts)
        assert [event["position"] for event in played.events("cut_made")] == [position]
        assert played.dealt() == "burn 2c, box 1 3c, dealer 4c"


@pytest.mark.clause("CTG-S3")
def test_the_cards_in_front_of_the_cut_go_to_the_rear() -> None:
    """Six decks in order, each from 2c to As: the 100th card is the second deck's Ts, and Js comes after it."""
    session = Session(load_rulebook("ctg"), tuple, c.Limit())
    session.buy_in("ana", 1000)
    session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=100), c.Cut(player="ana", position=100))
    session.deal()
    [stack] = session.stacks
    assert (stack.cards[:3], stack.cards[-1]) == (("Js", "Qs", "Ks"), "Ts")
    assert session.table.round.hands == {1: ("Qs",), 0: ("Ks",)}
    assert session.table.players["ana"] == 1000 - 100


@pytest.mark.clause("CTG-S4")
@pytest.mark.parametrize(("behind", "option"), [(25, None), (0, 0), (1, 1), (30, 30)])
def test_the_cutting_card_lies_among_the_last_thirty(behind: int, option: int | None) -> None:
    options: dict[str, object] = {} if option is None else {"shoe.marker_from_back": option}
    cut = act("cut", player="ana", position=100)
    beyond = act("place_marker", from_back=31)
    played = play("ctg", "7c Kh 9d", bet("ana", 1, "initial", 1000), cut, beyond, deal(), options=options)
    assert played.refusals == [(2, "marker_out_of_bounds")]
    assert cited(played) == ["CTG-S4"]
    assert marked("ctg", options) == behind


@pytest.mark.clause("CTG-S4")
@pytest.mark.parametrize("behind", [31, -1])
def test_the_cutting_card_lies_nowhere_else(behind: int) -> None:
    with pytest.raises(RulebookError, match=r"CTG-S4\): allowed 0 to 30"):
        load_rulebook("ctg", {"shoe.marker_from_back": behind})


@pytest.mark.clause("CTG-S5")
def test_the_first_card_of_a_shoe_is_burned_unseen() -> None:
    played = play("ctg", "7c Kh 9d Kd 8s", *[bet("ana", 1, "initial", 1000), deal()] * 2)
    assert played.dealt(1) == "burn 7c, box 1 Kh, dealer 9d"
    assert played.dealt(2) == "box 1 Kd, dealer 8s"
    assert [(event["burn"], event["card"]) for event in played.events("card_burned")] == [("opening", None)]
    unseen = play("ctg", "xx Kh 9d", bet("ana", 1, "initial", 1000), deal())
    assert unseen.dealt() == "burn xx, box 1 Kh, dealer 9d"


# Placing a wager


@pytest.mark.clause("CTG-P4")
def test_wagers_can_be_placed_and_changed_until_the_first_card() -> None:
    acts = (
        bet("ana", 1, "initial", 1000),
        bet("ana", 1, "initial", 500),
        act("amend_wager", player="ana", box=1, wager="initial", amount=2500),
        bet("ana", 1, "tie", 500),
        act("withdraw_wager", player="ana", box=1, wager="tie"),
        act("no_more_bets"),
        bet("ben", 2, "initial", 1000),
        deal(),
    )
    played = play("ctg", "2c Kh Qh 9d", *acts)
    assert played.refusals == []
    assert played.settlements() == [("ana", 1, "initial", "win", 2500), ("ben", 2, "initial", "win", 1000)]


@pytest.mark.clause("CTG-P4")
@pytest.mark.parametrize(("option", "gain"), [(None, 1000), ("first_card", 1000), ("call", 0)])
def test_a_call_closes_the_betting_only_where_the_operator_wants_it(option: str | None, gain: int) -> None:
    options = {} if option is None else {"betting.closes": option}
    acts = bet("ana", 1, "initial", 1000), act("no_more_bets"), bet("ben", 2, "initial", 1000), deal()
    played = play("ctg", "2c Kh 9d 8s" if gain == 0 else "2c Kh Qd 9d", *acts, options=options)
    assert (played.gain("ana"), played.gain("ben")) == (1000, gain)
    assert played.refusals == ([] if gain else [(2, "betting_closed")])


@pytest.mark.clause("CTG-P4")
def test_after_the_first_card_nothing_is_added_or_changed() -> None:
    late = (
        bet("ben", 2, "initial", 1000),
        bet("ana", 1, "tie", 500),
        bet("ana", 1, "initial", 500),
        act("amend_wager", player="ana", box=1, wager="initial", amount=2000),
        act("withdraw_wager", player="ana", box=1, wager="initial"),
    )
    played = play("ctg", "2c Kh 9d", bet("ana", 1, "initial", 1000), deal(cards=2), *late, deal())
    assert played.refusals == [(number, "betting_closed") for number in (2, 3, 4, 5, 6)]
    assert cited(played) == ["CTG-P4"]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


@pytest.mark.clause("CTG-P4")
def test_no_pair_is_bet_on_in_a_war() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_perfect_pairs", 500), deal()
    played = play("ctg", "2c 9h 9d 3c 4c 5c Kh Qs", *acts)
    assert played.refusals == [(3, "wager_not_offered")]
    assert played.gain("ana") == 2 * 1000


# Dealing


@pytest.mark.clause("CTG-D1")
def test_cards_go_from_the_left_and_to_the_dealer_last() -> None:
    boxes = (("dan", 7), ("ben", 3), ("ana", 1), ("cat", 5))
    acts = [bet(player, box, "initial", 1000) for player, box in boxes]
    played = play("ctg", "2c 3h 4h 5h 6h 7d", *acts, deal())
    assert played.dealt() == "burn 2c, box 1 3h, box 3 4h, box 5 5h, box 7 6h, dealer 7d"


@pytest.mark.clause("CTG-D1")
def test_a_new_dealer_burns_nothing() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(), act("change_dealer", dealer="dora")
    played = play("ctg", "2c Kh 9d Kd 8s", *acts, bet("ana", 1, "initial", 1000), deal())
    assert played.dealt(2) == "box 1 Kd, dealer 8s"


@pytest.mark.clause("CTG-D1")
@pytest.mark.parametrize(("option", "last"), [(None, 7), (1, 1), (5, 5), (7, 7)])
def test_there_are_up_to_seven_boxes(option: int | None, last: int) -> None:
    options = {} if option is None else {"table.boxes": option}
    acts = bet("ana", last + 1, "initial", 1000), bet("ana", last, "initial", 1000), deal()
    played = play("ctg", "2c Kh 9d", *acts, options=options)
    assert played.refusals == [(0, "unknown_box")]
    assert played.dealt() == f"burn 2c, box {last} Kh, dealer 9d"


@pytest.mark.clause("CTG-D1")
@pytest.mark.parametrize("boxes", [0, 8])
def test_there_are_no_more_boxes(boxes: int) -> None:
    with pytest.raises(RulebookError, match="allowed 1 to 7"):
        load_rulebook("ctg", {"table.boxes": boxes})


@pytest.mark.clause("CTG-D1")
def test_a_player_has_one_card_and_so_one_box() -> None:
    grant = act("grant_multi_box", player="ana", boxes=2)
    played = play("ctg", "2c Kh 9d", grant, bet("ana", 1, "initial", 1000), bet("ana", 2, "initial", 1000), deal())
    assert played.refusals == [(0, "not_in_the_book"), (2, "too_many_boxes")]
    assert played.settlements() == [("ana", 1, "initial", "win", 1000)]


FIXED = [
    ("CTG-D1", "table.multi_box", True, "off"),
    ("CTG-D1", "table.max_boxes_per_player", 2, "1"),
    ("CTG-P4", "wager.war_perfect_pairs", True, "off"),
    ("CTG-F3", "decision.order", "any", "from_left"),
    ("CTG-S1", "shoe.shuffler", "continuous", "manual"),
    ("CTG-S2", "shoe.cut_cards", 2, "1"),
    ("CTG-S2", "shoe.cut_last", "supervisor", "dealer"),
    ("CTG-W8", "discard.timing", "when_surrendered", "at_end"),
]


@pytest.mark.parametrize(
    ("clause", "key", "other", "fixed"), [pytest.param(*row, marks=pytest.mark.clause(row[0])) for row in FIXED]
)
def test_the_book_fixes_it_and_says_at_what(clause: str, key: str, other: object, fixed: str) -> None:
    with pytest.raises(RulebookError) as refused:
        load_rulebook("ctg", {key: other})
    cited = SILENT if key in ("shoe.cut_last", "table.multi_box", "table.max_boxes_per_player") else clause
    assert str(refused.value) == f"ctg fixes {key} at {fixed} ({cited}): it is no option"


# First round settlement


@pytest.mark.clause("CTG-F1", "CTG-F2", "CTG-F3", "CTG-F5")
def test_ties_from_the_right_then_war_bets_from_the_left() -> None:
    players = (("ana", 1), ("ben", 2), ("cat", 3), ("dan", 4))
    wagers = [bet(player, box, kind, 1000) for player, box in players for kind in ("initial", "tie")]
    played = play("ctg", "2c 9h Kh 5h 9s 9d", *wagers, deal(), surrender("ana", 1), surrender("dan", 4))
    assert played.refusals == []
    assert played.settlements() == [
        ("dan", 4, "tie", "win", 10_000),
        ("cat", 3, "tie", "lose", -1000),
        ("ben", 2, "tie", "lose", -1000),
        ("ana", 1, "tie", "win", 10_000),
        ("ana", 1, "initial", "surrender", -500),
        ("ben", 2, "initial", "win", 1000),
        ("cat", 3, "initial", "lose", -1000),
        ("dan", 4, "initial", "surrender", -500),
    ]


@pytest.mark.clause("CTG-F3", "CTG-F4")
def test_war_bets_are_taken_and_paid_player_by_player() -> None:
    acts = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2), ("cat", 3), ("dan", 4))]
    played = play("ctg", "2c Kh 5h Qh 6h 9d", *acts, deal())
    assert played.settlements() == [
        ("ana", 1, "initial", "win", 1000),
        ("ben", 2, "initial", "lose", -1000),
        ("cat", 3, "initial", "win", 1000),
        ("dan", 4, "initial", "lose", -1000),
    ]


@pytest.mark.clause("CTG-F3", "CTG-F5")
def test_a_tied_player_is_asked_before_the_next_war_bet_is_settled() -> None:
    acts = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2), ("cat", 3))]
    played = play("ctg", "2c Kh 9h 5h 9d", *acts, deal(), deal())
    assert played.refusals == [(4, "decision_open")]
    assert [(one["player"], one["wager"]) for one in played.data["open"]] == [("ben", "initial"), ("cat", "initial")]
    assert played.gain("ana") == 1000


@pytest.mark.clause("CTG-F3", "CTG-F5")
def test_only_the_player_being_asked_may_answer() -> None:
    acts = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000), deal()]
    answers = surrender("ben", 2), war("ben", 2), surrender("ana", 1), surrender("ben", 2)
    played = play("ctg", "2c 9h 9s 9d", *acts, *answers)
    assert [number for number, _ in played.refusals] == [3, 4]
    assert [line[0] for line in played.settlements()] == ["ana", "ben"]


@pytest.mark.clause("CTG-F5", "CTG-O3")
@pytest.mark.parametrize("amount", [500, 1000, 3500])
def test_surrender_costs_half_the_wager(amount: int) -> None:
    played = play("ctg", "2c 9h 9d", bet("ana", 1, "initial", amount), deal(), surrender("ana", 1))
    line = played.line("ana", "initial")
    assert (line["outcome"], line["paid"], line["returned"]) == ("surrender", 0, amount // 2)
    assert played.gain("ana") == -amount // 2
    assert played.dealt() == "burn 2c, box 1 9h, dealer 9d"


@pytest.mark.clause("CTG-O3")
@pytest.mark.parametrize(("option", "cost"), [(None, 500), ("player", 500), ("house", 501)])
def test_the_odd_unit_of_a_surrender(option: str | None, cost: int) -> None:
    options = {} if option is None else {"surrender.odd_unit": option}
    acts = bet("ana", 1, "initial", 1001), deal(), surrender("ana", 1)
    assert play("ctg", "2c 9h 9d", *acts, options=options, limits=FREE).gain("ana") == -cost


@pytest.mark.clause("CTG-O3")
@pytest.mark.parametrize(("option", "is_refused"), [(None, False), (False, False), (True, True)])
def test_the_operator_may_ask_for_wagers_that_can_be_halved(option: bool | None, is_refused: bool) -> None:
    options = {} if option is None else {"limits.require_even": option}
    odd = play("ctg", "2c Kh 9d", bet("ana", 1, "initial", 1001), deal(), options=options, limits=FREE)
    assert odd.gain("ana") == (0 if is_refused else 1001)
    assert odd.refusals == ([(0, "wager_odd"), (1, "no_wager")] if is_refused else [])
    acts = bet("ana", 1, "initial", 1002), bet("ana", 1, "tie", 1001), deal()
    assert play("ctg", "2c Kh 9d", *acts, options=options, limits=FREE).gain("ana") == 1002 - 1001


@pytest.mark.clause("CTG-F6", "CTG-F7")
def test_war_takes_a_second_bet_of_the_same_size() -> None:
    acts = bet("ana", 1, "initial", 1500), deal(), bet("ana", 1, "war", 1000), war("ana", 1)
    played = play("ctg", "2c 9h 9d 3c 4c 5c Kh Qs", *acts)
    assert played.refusals == [(2, "war_is_declared")]
    assert [(one["wager"], one["amount"]) for one in played.data["open"]] == [("initial", 1500), ("war", 1500)]
    assert played.balances["ana"] == BALANCE - 1500 - 1500


@pytest.mark.clause("CTG-F7")
def test_the_dealer_puts_nothing_beside_the_second_bet() -> None:
    declared = war_round("Kh", "Qs").events("war_declared")
    assert [(event["amount"], event["match"]) for event in declared] == [(1000, 0)]


@pytest.mark.clause("CTG-F6", "CTG-F7")
def test_no_war_without_the_whole_second_bet() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), surrender("ana", 1)
    played = play("ctg", "2c 9h 9d", *acts, players={"ana": 1999})
    assert played.refusals == [(2, "insufficient_funds")]
    assert played.balances == {"ana": 1999 - 500, "house": 500}


@pytest.mark.clause("CTG-F7")
@pytest.mark.parametrize(("option", "is_refused"), [(None, False), (True, False), (False, True)])
def test_the_second_bet_may_go_beyond_the_maximum(option: bool | None, is_refused: bool) -> None:
    options = {} if option is None else {"war.exempt": option}
    acts = bet("ana", 1, "initial", 3000), deal(), war("ana", 1)
    played = play("ctg", "2c 9h 9d 3c 4c 5c Kh Qs", *acts, options=options, limits=TIGHT)
    assert played.refusals == ([(2, "wager_above_maximum")] if is_refused else [])
    assert played.balances["ana"] == BALANCE - (3000 if is_refused else 3000 + 3000)
    half = bet("ana", 1, "initial", 2500), deal(), war("ana", 1)
    assert play("ctg", "2c 9h 9d", *half, options=options, limits=TIGHT).refusals == []


# A round of war


@pytest.mark.clause("CTG-W1")
def test_three_cards_are_burned_unseen_into_the_rack() -> None:
    played = war_round("Kh", "Qs")
    assert played.dealt() == "burn 2c, box 1 9h, dealer 9d, burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs"
    burned = [event for event in played.events("card_burned") if event["burn"] == "war"]
    assert [(event["card"], event["beside_dealer"]) for event in burned] == [(None, False)] * 3


@pytest.mark.clause("CTG-W1")
def test_nothing_is_burned_when_nobody_goes_to_war() -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), surrender("ana", 1)] * 2
    played = play("ctg", "2c 9h 9d Kh Kd", *acts)
    assert played.dealt(2) == "box 1 Kh, dealer Kd"


@pytest.mark.clause("CTG-W2", "CTG-W4")
def test_second_cards_to_those_at_war_from_the_left_then_the_dealer() -> None:
    wagers = [bet(player, box, "initial", 1000) for player, box in (("dan", 7), ("cat", 5), ("ben", 3), ("ana", 1))]
    answers = war("ana", 1), surrender("cat", 5), war("dan", 7)
    played = play("ctg", "2c 9h Kh 9s 9c 9d 3c 4c 5c 6h Ah Ts", *wagers, deal(), *answers, deal())
    assert played.dealt().endswith("burn 3c, burn 4c, burn 5c, box 1 6h, box 7 Ah, dealer Ts")
    assert played.settlements() == [
        ("ben", 3, "initial", "win", 1000),
        ("cat", 5, "initial", "surrender", -500),
        ("ana", 1, "initial", "lose", -1000),
        ("ana", 1, "war", "lose", -1000),
        ("dan", 7, "initial", "push", 0),
        ("dan", 7, "war", "win", 2000),
    ]


@pytest.mark.clause("CTG-W3")
def test_there_is_no_tie_bet_in_a_war() -> None:
    late = bet("ana", 1, "war_tie", 500), bet("ana", 1, "tie", 500)
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), *late, deal()
    played = play("ctg", "2c 9h 9d 3c 4c 5c Kh Ks", *acts)
    assert played.refusals == [(3, "wager_not_offered"), (4, "betting_closed")]
    assert cited(played) == ["CTG-W3", "CTG-P4"]
    assert played.gain("ana") == 3 * 1000


@pytest.mark.clause("CTG-W4")
def test_war_hands_are_settled_from_the_left() -> None:
    wagers = [bet(player, box, "initial", 1000) for player, box in (("cat", 3), ("ben", 2), ("ana", 1))]
    answers = war("ana", 1), war("ben", 2), war("cat", 3)
    played = play("ctg", "2c 9h 9s 9c 9d 3c 4c 5c 6h Ah 7h Ts", *wagers, deal(), *answers, deal())
    assert [line[:4] for line in played.settlements()] == [
        ("ana", 1, "initial", "lose"),
        ("ana", 1, "war", "lose"),
        ("ben", 2, "initial", "push"),
        ("ben", 2, "war", "win"),
        ("cat", 3, "initial", "lose"),
        ("cat", 3, "war", "lose"),
    ]


@pytest.mark.clause("CTG-W5")
@pytest.mark.parametrize("odds", [None, "literal", "standard"])
def test_a_lower_second_card_loses_both_wagers(odds: str | None) -> None:
    played = war_round("Qh", "Ks", odds=odds)
    assert played.settlements() == [("ana", 1, "initial", "lose", -1000), ("ana", 1, "war", "lose", -1000)]


@pytest.mark.clause("CTG-W6", "CTG-O4")
@pytest.mark.parametrize(("odds", "pays"), [(None, 2), ("literal", 2), ("standard", 1)])
def test_a_higher_second_card_wins_and_the_first_wager_is_a_push(odds: str | None, pays: int) -> None:
    played = war_round("Kh", "Qs", odds=odds)
    assert played.settlements() == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", pays * 1000)]
    assert played.line("ana", "war")["odds"] == f"{pays}:1"
    assert played.gain("ana") == pays * 1000


@pytest.mark.clause("CTG-W7", "CTG-O5")
@pytest.mark.parametrize(("odds", "pays"), [(None, 3), ("literal", 3), ("standard", 2)])
def test_an_equal_second_card_wins_more_and_the_first_wager_is_a_push(odds: str | None, pays: int) -> None:
    played = war_round("Kh", "Ks", odds=odds)
    assert played.settlements() == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", pays * 1000)]
    assert played.line("ana", "war")["odds"] == f"{pays}:1"
    assert played.gain("ana") == pays * 1000


@pytest.mark.clause("CTG-W6", "CTG-W7")
def test_the_operator_is_told_that_the_literal_odds_favour_the_player() -> None:
    # Of 13 equally likely second cards 6 win, 1 ties and 6 lose 2: 6 x 2 + 3 - 6 x 2 = 3, but 6 x 1 + 2 - 6 x 2 = -4.
    assert len(war_round("Kh", "Qs").events("player_edge_noted")) == 1
    assert war_round("Kh", "Qs", odds="standard").events("player_edge_noted") == []


@pytest.mark.clause("CTG-W6", "CTG-W7")
def test_there_are_two_readings_of_the_war_odds() -> None:
    with pytest.raises(RulebookError, match="allowed literal, standard"):
        load_rulebook("ctg", {"payout.war_odds": "generous"})


@pytest.mark.clause("CTG-W8")
def test_the_cards_are_collected_when_everything_is_settled() -> None:
    wagers = [bet(player, box, "initial", 1000) for player, box in (("ana", 1), ("ben", 2), ("cat", 3))]
    answers = surrender("ana", 1), war("cat", 3)
    played = play("ctg", "2c 9h Kh 9s 9d 3c 4c 5c Ah Ts", *wagers, deal(), *answers, deal())
    assert played.events("cards_collected") == []
    assert played.data["events"][-1]["name"] == "round_ended"
    hands = [[1, ["9h"]], [2, ["Kh"]], [3, ["9s", "Ah"]], [0, ["9d", "Ts"]]]
    assert [[box, list(cards)] for box, cards in played.events("round_ended")[0]["hands"]] == hands


@pytest.mark.clause("CTG-W8")
def test_after_a_round_wagers_are_taken_again() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(), surrender("ana", 1), bet("ben", 2, "initial", 500), deal()
    played = play("ctg", "2c 9h 9d Kd 8s", *acts)
    assert played.refusals == []
    assert [one["number"] for one in played.data["rounds"]] == [1, 2]
    assert played.settlements(2) == [("ben", 2, "initial", "win", 500)]


ONE_ROUND = [bet("ana", 1, "initial", 1000), deal()]


@pytest.mark.clause("CTG-W9", "CTG-W10")
@pytest.mark.parametrize("shoe", ["2c Kh cut 9d Ah 3d", "2c cut Kh 9d Ah 3d"])
def test_the_round_of_the_cutting_card_is_played_and_then_the_cards_are_shuffled(shoe: str) -> None:
    played = play("ctg", shoe, *ONE_ROUND * 2, later=("6c 5h Td",))
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer 9d"
    assert played.dealt(2) == "burn 6c, box 1 5h, dealer Td"
    names = [event["name"] for event in played.data["events"]]
    second = names[names.index("round_ended") :]
    assert second.index("cut_made") < second.index("shoe_loaded") < second.index("card_burned")


@pytest.mark.clause("CTG-W9")
def test_the_cutting_card_in_a_war_leaves_the_war_to_be_played() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()
    played = play("ctg", "2c 9h 9d 3c cut 4c 5c Kh Qs Ah 3d", *acts, *ONE_ROUND, later=("6c 5h Td",))
    assert played.dealt(1).endswith("burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs")
    assert played.dealt(2) == "burn 6c, box 1 5h, dealer Td"


@pytest.mark.clause("CTG-W9")
@pytest.mark.parametrize("option", [None, "finish_round"])
def test_a_round_is_still_dealt_when_the_cutting_card_comes_first(option: str | None) -> None:
    options = {} if option is None else {"shoe.cut_first_card": option}
    played = play("ctg", "2c Kh 9d cut Ah 3d 4d", *ONE_ROUND * 3, options=options, later=("6c 5h Td",))
    assert played.dealt(2) == "box 1 Ah, dealer 3d"
    assert played.dealt(3) == "burn 6c, box 1 5h, dealer Td"


@pytest.mark.clause("CTG-W9")
def test_the_operator_may_shuffle_at_once_when_the_cutting_card_comes_first() -> None:
    options = {"shoe.cut_first_card": "shuffle_now"}
    played = play("ctg", "2c Kh 9d cut Ah 3d 4d", *ONE_ROUND * 2, options=options, later=("6c 5h Td",))
    assert played.dealt(2) == "burn 6c, box 1 5h, dealer Td"
    assert played.gain("ana") == 1000 - 1000


@pytest.mark.clause("CTG-W10")
def test_no_round_starts_before_the_shuffle() -> None:
    played = play("ctg", "2c Kh cut 9d Ah 3d", *ONE_ROUND * 2)
    assert played.refusals == [(3, "no_shoe")]
    assert len(played.data["rounds"]) == 1
    assert [(one["player"], one["amount"]) for one in played.data["open"]] == [("ana", 1000)]
    assert played.balances["ana"] == BALANCE + 1000 - 1000


PIT_BOSS = act("rule", action="shuffle_discards", reason="the Pit Boss has come")


@pytest.mark.clause("CTG-G6", "CTG-S5")
def test_a_shoe_that_runs_dry_is_filled_from_the_discards_when_the_pit_boss_says_so() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal(), deal(), PIT_BOSS, PIT_BOSS, deal()
    played = play("ctg", "2c 9h 9d 3c", *acts, later=("4c 5c Kh Qs 6c 7c 8c",))
    assert played.refusals == [(4, "ruling_due"), (6, "no_incident")]
    assert played.dealt() == "burn 2c, box 1 9h, dealer 9d, burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs"
    assert played.gain("ana") == 2 * 1000
    [called] = played.events("incident_reported")
    assert (called["incident"], called["waits_for"], called["clauses"]) == ("short_shoe", "pit_boss", ["CTG-G6"])


@pytest.mark.clause("CTG-G6")
def test_a_shoe_that_runs_dry_is_filled_without_a_word_where_the_operator_has_it_so() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()
    options = {"shoe.short": "shuffle_discards"}
    played = play("ctg", "2c 9h 9d 3c", *acts, later=("4c 5c Kh Qs 6c 7c 8c",), options=options)
    assert played.refusals == []
    assert played.dealt() == "burn 2c, box 1 9h, dealer 9d, burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs"
    assert played.gain("ana") == 2 * 1000


@pytest.mark.clause("CTG-W9", "CTG-W10")
@pytest.mark.parametrize(
    ("option", "second"),
    [(None, "burn 6c, box 1 5h, dealer Jd"), (True, "box 1 7h, dealer Td"), (False, "burn 6c, box 1 5h, dealer Jd")],
)
def test_cards_shuffled_in_a_round_serve_on_only_where_the_operator_has_it_so(option: bool | None, second: str) -> None:
    options = {} if option is None else {"shoe.short_discharges": option}
    acts = bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal(), PIT_BOSS, deal(), *ONE_ROUND
    later = ("4c 5c Kh Qs 7h Td", "6c 5h Jd")
    played = play("ctg", "2c 9h cut 9d 3c", *acts, options=options, later=later)
    assert played.dealt(1).endswith("burn 3c, burn 4c, burn 5c, box 1 Kh, dealer Qs")
    assert played.dealt(2) == second


# General rules


@pytest.mark.clause("CTG-G1")
def test_the_limits_stand_at_the_table() -> None:
    limits = {**TIGHT, "tie": {"minimum": 500, "maximum": 2000}}
    played = play("ctg", "2c Kh 9d", limits=limits)
    [opened] = played.events("table_opened")
    assert opened["limit"] == {"minimum": 1000, "maximum": 5000, "unit": 500}
    assert opened["limits"]["tie"] == {"minimum": 500, "maximum": 2000, "unit": 500}


@pytest.mark.clause("CTG-G1")
def test_wagers_are_multiples_of_the_unit() -> None:
    acts = bet("ana", 1, "initial", 1200), bet("ben", 2, "initial", 1500), bet("ben", 2, "tie", 1999), deal()
    played = play("ctg", "2c Kh 9d", *acts, limits=TIGHT)
    assert played.refusals == [(0, "wager_off_unit"), (2, "wager_off_unit")]
    assert played.settlements() == [("ben", 2, "initial", "win", 1500)]


@pytest.mark.clause("CTG-G2-i", "CTG-G2-ii")
def test_a_wager_below_the_minimum_is_honoured_with_a_reminder() -> None:
    played = play("ctg", "2c Kh 9d", bet("ana", 1, "initial", 300), deal(), limits=TIGHT)
    assert played.refusals == []
    assert played.settlements() == [("ana", 1, "initial", "win", 300)]
    assert [(one["player"], one["limit"]) for one in played.events("limits_advised")] == [("ana", TIGHT)]


@pytest.mark.clause("CTG-G2-iii")
def test_a_further_wager_below_the_minimum_is_refused_for_good() -> None:
    under = bet("ana", 1, "initial", 500)
    acts = under, bet("ana", 1, "tie", 500), deal(), under, bet("ana", 1, "initial", 1000), deal(), under
    played = play("ctg", "2c Kh 9d Kd 8s", *acts, limits=TIGHT)
    assert played.refusals == [(number, "wager_below_minimum") for number in (1, 3, 6)]
    assert played.gain("ana") == 500 + 1000
    assert len(played.events("limits_advised")) == 1


@pytest.mark.clause("CTG-G2-i", "CTG-G2-iii")
def test_each_player_is_reminded_once() -> None:
    acts = bet("ana", 1, "initial", 500), bet("ben", 2, "initial", 500), bet("ben", 2, "tie", 500), deal()
    played = play("ctg", "2c Kh Qh 9d", *acts, limits=TIGHT)
    assert played.refusals == [(2, "wager_below_minimum")]
    assert [one["player"] for one in played.events("limits_advised")] == ["ana", "ben"]
    assert (played.gain("ana"), played.gain("ben")) == (500, 500)


@pytest.mark.clause("CTG-G3-i", "CTG-G3-ii")
def test_a_bet_above_the_maximum_plays_for_the_maximum_and_the_excess_goes_back() -> None:
    played = play("ctg", "2c Kh 9d", bet("ana", 1, "initial", 9000), deal(cards=2), limits=TIGHT)
    assert played.balances["ana"] == BALANCE - 5000
    assert [(one["placed"], one["amount"]) for one in played.events("wager_limited")] == [(9000, 5000)]
    for mine, net in (("Kh", 5000), ("8h", -5000)):
        played = play("ctg", f"2c {mine} 9d", bet("ana", 1, "initial", 9000), deal(), limits=TIGHT)
        assert (played.gain("ana"), played.line("ana", "initial")["placed"]) == (net, 9000)
        assert played.events("limits_advised") == []


@pytest.mark.clause("CTG-G3-i", "CTG-F7")
def test_the_second_bet_equals_what_was_left_of_the_first() -> None:
    acts = bet("ana", 1, "initial", 9000), deal(), war("ana", 1), deal()
    played = play("ctg", "2c 9h 9d 3c 4c 5c Qh Ks", *acts, limits=TIGHT)
    assert played.settlements() == [("ana", 1, "initial", "lose", -5000), ("ana", 1, "war", "lose", -5000)]


@pytest.mark.clause("CTG-G3-i")
def test_the_tie_bet_has_its_own_maximum_where_one_is_set() -> None:
    limits = {**TIGHT, "tie": {"minimum": 500, "maximum": 2000}}
    played = play("ctg", "2c 9h 9d", bet("ana", 1, "tie", 3000), deal(), limits=limits)
    assert played.gain("ana") == 10 * 2000


@pytest.mark.clause("CTG-G4")
def test_an_excess_card_that_was_not_disclosed_is_the_next_card() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(cards=2), act("report_extra_draw", exposed=False), deal()
    played = play("ctg", "2c Kh 9d Ad", *acts)
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"
    assert [one["card"] for one in played.events("card_held")] == [None]
    assert played.gain("ana") == 1000


@pytest.mark.clause("CTG-G5")
def test_a_card_disclosed_in_error_is_discarded_and_replaced() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(cards=2), act("report_extra_draw", exposed=True), deal()
    played = play("ctg", "2c Kh 9d Ad", *acts)
    assert played.dealt() == "burn 2c, box 1 Kh, discard 9d, dealer Ad"
    assert played.gain("ana") == -1000


@pytest.mark.clause("CTG-G5")
def test_a_disclosed_card_that_was_not_needed_is_not_replaced() -> None:
    acts = *ONE_ROUND, act("report_extra_draw", exposed=True), *ONE_ROUND
    played = play("ctg", "2c Kh 9d Ad Kd 8s", *acts)
    assert [one["card"] for one in played.events("card_discarded")] == ["Ad"]
    assert played.dealt(2).endswith("box 1 Kd, dealer 8s")
    assert played.gain("ana") == 1000 + 1000


@pytest.mark.clause("CTG-G5", "CTG-W9")
def test_a_disclosed_card_from_behind_the_cutting_card_shows_the_cutting_card() -> None:
    acts = bet("ana", 1, "initial", 1000), deal(cards=2), act("report_extra_draw", exposed=True), deal()
    played = play("ctg", "2c Kh cut Ad 9d 3c 4c", *acts, *ONE_ROUND, later=("6c 5h Td",))
    assert played.dealt(1) == "burn 2c, box 1 Kh, discard Ad, dealer 9d"
    assert played.dealt(2) == "burn 6c, box 1 5h, dealer Td"
