"""New Zealand, section 7: when the cards are shuffled, who cuts them, and where the cutting card lies."""

import pytest

from casinowar.cards import DECK, Card
from casinowar.dealers import Session
from casinowar.engine import commands as c
from casinowar.engine.decide import decide
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve
from casinowar.engine.state import Table
from casinowar.rulebooks import load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, marked, play, war

SEATED: list[Act] = [
    act("seat_player", player=player, box=box) for player, box in (("ben", 4), ("ana", 2), ("cat", 6), ("dan", 5))
]
BETS: list[Act] = [bet(player, box, "initial", 500) for player, box in (("ana", 2), ("ben", 4), ("dan", 5), ("cat", 6))]
BEN_AGAIN: list[Act] = [bet("ben", 4, "initial", 500), deal()]


def cut(player: str | None, position: int = 156) -> Act:
    return act("cut", position=position) if player is None else act("cut", player=player, position=position)


def decline(player: str) -> Act:
    return act("decline_cut", player=player)


def cutters(played: Played) -> list[str | None]:
    return [event["player"] for event in played.events("cut_made")]


def full_shoe(decks: int, behind: int) -> str:
    """Every card of the decks, with so many of them behind the cutting card: 2c, 3c, 4c come first."""
    cards = [str(card) for card in DECK] * decks
    return " ".join([*cards[: len(cards) - behind], "cut", *cards[len(cards) - behind :]])


class Hand:
    """The engine's own commands, one by one, for what a record does by itself."""

    def __init__(self) -> None:
        self.rules = load_rulebook("nz")
        self.table = Table()

    def does(self, command: c.Command) -> str:
        """`done`, or the reason of the refusal."""
        events = decide(self.rules, self.table, command)
        if isinstance(events, Refusal):
            return events.reason
        for event in events:
            self.table = evolve(self.table, event)
        return "done"


@pytest.mark.clause("NZ-7.1a", "NZ-7.7a-iii")
def test_no_card_is_dealt_before_the_cards_are_shuffled_cut_and_in_the_shoe() -> None:
    hand = Hand()
    deal_three = c.Deal(cards=(None, Card("Kh"), Card("Qd")))
    load = c.LoadShoe(cards=100, cut_card=80)
    assert hand.does(c.OpenTable()) == "done"
    assert hand.does(c.BuyIn(player="ana", amount=1000)) == "done"
    assert hand.does(c.PlaceWager(player="ana", box=1, wager="initial", amount=1000)) == "done"
    assert hand.does(deal_three) == "shuffle_due"
    assert hand.does(load) == "inspect_due"
    assert hand.does(c.InspectCards()) == "done"
    assert hand.does(load) == "spread_due"
    assert hand.does(c.SpreadForInspection(players=("ana",))) == "done"
    assert hand.does(load) == "shuffle_due"
    assert hand.does(c.Cut(player="ana", position=156)) == "shuffle_due"
    assert hand.does(c.Shuffle()) == "done"
    assert hand.does(load) == "cut_due"
    assert hand.does(c.PlaceMarker(from_back=78)) == "cut_due"
    assert hand.does(c.Cut(player="ana", position=156)) == "done"
    assert hand.does(load) == "marker_due"
    assert hand.does(c.PlaceMarker(from_back=78)) == "done"
    assert hand.does(deal_three) == "shuffle_due"
    assert hand.does(load) == "done"
    assert hand.does(load) == "no_shuffle_due"
    assert hand.does(deal_three) == "done"
    assert hand.table.players == {"ana": 2000}


@pytest.mark.clause("NZ-7.1b")
def test_the_cutting_card_as_first_card_of_a_round_means_a_shuffle_before_it() -> None:
    acts = [*BEN_AGAIN, *BEN_AGAIN]
    played = play("nz", "2c 3h Kd cut 4h Qd", *acts, later=("5c Ah Jd",))
    assert played.refusals == []
    assert played.dealt(2) == "burn 5c, box 4 Ah, dealer Jd"
    assert played.settlements(2) == [("ben", 4, "initial", "win", 500)]
    assert [event["shuffle"] for event in played.events("cut_card_drawn")] == ["now"]


@pytest.mark.clause("NZ-7.1b")
def test_wagers_wait_for_the_shuffle_where_they_lie() -> None:
    played = play("nz", "2c 3h Kd cut 4h Qd", *BEN_AGAIN, *BEN_AGAIN)
    assert played.refusals == [(3, "no_shoe")]
    assert played.data["open"] == [{"player": "ben", "box": 4, "wager": "initial", "amount": 500}]
    assert len(played.events("card_dealt")) == 2


@pytest.mark.clause("NZ-7.1c")
@pytest.mark.parametrize(
    "shoe", ["2c Kh cut Kd 3c 4c 5c 9h 8d", "2c Kh Kd 3c 4c cut 5c 9h 8d", "2c Kh Kd 3c 4c 5c 9h cut 8d"]
)
def test_the_cutting_card_within_a_round_means_a_shuffle_after_it(shoe: str) -> None:
    acts = [bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal(), bet("ana", 1, "initial", 1000), deal()]
    played = play("nz", shoe + " 6h 7d", *acts, later=("Tc Ah Jd",))
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    assert played.dealt(2) == "burn Tc, box 1 Ah, dealer Jd"
    assert [event["shuffle"] for event in played.events("cut_card_drawn")] == ["after_round"]
    without = play("nz", shoe + " 6h 7d", *acts)
    assert without.refusals == [(5, "no_shoe")]
    assert len(without.data["rounds"]) == 1


@pytest.mark.clause("NZ-7.1d")
def test_the_casino_supervisor_may_have_the_cards_shuffled_after_the_table_was_vacant() -> None:
    """Not the Game Supervisor, who may only where the shuffle is suspect."""
    vacant = act("supervisor_shuffle", reason="vacant", by="manager:m1")
    game = {**vacant, "by": "supervisor:s1"}
    acts = [*BEN_AGAIN, vacant, act("vacate_seat", player="ben"), game, vacant, bet("ana", 1, "initial", 500), deal()]
    played = play("nz", "2c 3h Kd 4h Qd", *acts, later=("5c Ah Jd",))
    assert played.refusals == [(2, "table_not_vacant"), (4, "not_entitled")]
    assert played.refusal_clauses[1] == ["NZ-7.1d"]
    assert played.dealt(2) == "burn 5c, box 1 Ah, dealer Jd"


@pytest.mark.clause("NZ-7.1d")
def test_a_vacant_table_alone_is_no_shuffle() -> None:
    acts = [*BEN_AGAIN, act("vacate_seat", player="ben"), bet("ana", 1, "initial", 500), deal()]
    played = play("nz", "2c 3h Kd 4h Qd", *acts)
    assert played.dealt(2) == "box 1 4h, dealer Qd"


@pytest.mark.clause("NZ-7.1e")
def test_a_supervisor_who_suspects_the_shuffle_may_have_another() -> None:
    signed = [act("supervisor_shuffle", reason="suspect", by=by) for by in ("player:ben", "dealer:d1", "supervisor:s1")]
    played = play("nz", "2c 3h Kd 4h Qd", *BEN_AGAIN, *signed, *BEN_AGAIN, later=("5c Ah Jd",))
    assert played.refusals == [(2, "not_entitled"), (3, "not_entitled")]
    assert [(one["reason"], one["by"]) for one in played.events("shuffle_ordered")] == [("suspect", "supervisor:s1")]
    assert played.dealt(2) == "burn 5c, box 4 Ah, dealer Jd"


@pytest.mark.clause("NZ-7.1d", "NZ-7.1e")
def test_no_shuffle_at_mere_discretion_and_none_within_a_round() -> None:
    order = [act("supervisor_shuffle", reason=reason) for reason in ("discretion", "suspect", "vacant")]
    played = play("nz", "2c 3h Kd 4h Qd", *BEN_AGAIN, order[0], BEN_AGAIN[0], deal(1), *order[1:], deal())
    reasons = [(2, "not_in_the_book"), (5, "round_in_progress"), (6, "round_in_progress")]
    assert played.refusals == reasons
    assert played.dealt(2) == "box 4 4h, dealer Qd"


@pytest.mark.clause("NZ-3.4b", "NZ-7.7a-ii")
@pytest.mark.parametrize(
    ("options", "second"), [({}, False), ({"shoe.cut_cards": 1}, False), ({"shoe.cut_cards": 2}, True)]
)
def test_a_second_cutting_card_lies_at_the_very_back(options: dict[str, int], second: bool) -> None:
    played = play("nz", "2c 3h Kd", *BEN_AGAIN, options=options)
    assert [event["end_card"] for event in played.events("shoe_loaded")] == [second]


@pytest.mark.clause("NZ-7.3-i")
def test_the_cut_is_offered_unless_the_operator_does_without() -> None:
    acts = [*SEATED, cut("ben"), *BETS, deal()]
    shoe = "2c 3h 4h 5h 6h Kd"
    offered = play("nz", shoe, *acts)
    assert (offered.refusals, cutters(offered)) == ([], ["ben"])
    without = play("nz", shoe, *acts, options={"shoe.cut_offered": False})
    assert (without.refusals, cutters(without)) == ([(4, "no_cut")], [])
    assert all("NZ-7.3-i" in cited for cited in without.refusal_clauses)
    assert without.dealt() == offered.dealt()


@pytest.mark.clause("NZ-7.3-iii", "NZ-7.4")
def test_the_cut_is_offered_to_a_seated_player_and_not_to_one_behind() -> None:
    acts = [
        act("seat_player", player="ben", box=4),
        bet("ana", 4, "initial", 500),
        cut("ana"),
        cut(None),
        cut("ben"),
        cut("ben"),
    ]
    played = play("nz", "2c", *acts)
    assert played.refusals == [(2, "not_the_cutter"), (3, "not_the_cutter"), (5, "no_cut")]
    assert cutters(played) == ["ben"]


@pytest.mark.clause("NZ-7.4a")
def test_at_the_start_the_first_player_to_the_table_cuts() -> None:
    played = play("nz", "2c", *SEATED, cut("ana"), cut("cat"), cut("dan"), cut("ben"))
    assert played.refusals == [(number, "not_the_cutter") for number in (4, 5, 6)]
    assert cutters(played) == ["ben"]


@pytest.mark.clause("NZ-7.4a")
@pytest.mark.parametrize("box", [4, 7])
def test_who_came_first_still_came_first_after_another_choice_of_seat(box: int) -> None:
    """Taking the same seat once more, or another one, before play starts makes nobody a later arrival."""
    played = play("nz", "2c", *SEATED, act("seat_player", player="ben", box=box), cut("ben"))
    assert played.refusals == []
    assert cutters(played) == ["ben"]


@pytest.mark.clause("NZ-7.4b")
def test_the_player_on_whose_box_the_cutting_card_showed_cuts() -> None:
    attempts = [cut(player) for player in ("ana", "ben", "cat", "dan")]
    played = play("nz", "2c 3h 4h cut 5h 6h Kd", *SEATED, *BETS, deal(), *attempts, later=("2c",))
    assert played.refusals == [(number, "not_the_cutter") for number in (9, 10, 11)]
    assert cutters(played) == ["ben", "dan"]


@pytest.mark.clause("NZ-7.4b")
def test_a_table_vacant_earlier_in_the_shoe_does_not_change_who_cuts_after_the_cutting_card() -> None:
    acts = [
        bet("ana", 1, "initial", 500),
        deal(),
        act("vacate_seat", player="ana"),
        bet("ben", 4, "initial", 500),
        bet("cat", 2, "initial", 500),
        bet("dan", 1, "initial", 500),
        deal(),
        cut("ben"),
        cut("cat"),
    ]
    played = play("nz", "2c 3h Kd 4h cut 5h 6h Qd", *acts, later=("2c",))
    assert played.refusals == [(7, "not_the_cutter")]
    assert cutters(played)[1:] == ["cat"]


@pytest.mark.clause("NZ-7.4b", "NZ-7.5-i")
def test_where_that_player_has_left_the_cut_passes_clockwise() -> None:
    acts = [*SEATED, *BETS, deal(), act("vacate_seat", player="dan"), cut("ben"), cut("ana"), cut("cat")]
    played = play("nz", "2c 3h 4h cut 5h 6h Kd", *acts, later=("2c",))
    assert played.refusals == [(10, "not_the_cutter"), (11, "not_the_cutter")]
    assert cutters(played) == ["ben", "cat"]


@pytest.mark.clause("NZ-7.4c")
def test_the_player_farthest_right_cuts_where_the_cutting_card_showed_for_the_dealer() -> None:
    attempts = [cut(player) for player in ("ana", "ben", "dan", "cat")]
    played = play("nz", "2c 3h 4h 5h 6h cut Kd", *SEATED, *BETS, deal(), *attempts, later=("2c",))
    assert played.refusals == [(number, "not_the_cutter") for number in (9, 10, 11)]
    assert cutters(played) == ["ben", "cat"]


@pytest.mark.clause("NZ-7.4c")
def test_a_burn_belongs_to_the_dealers_hand() -> None:
    acts = [*SEATED, *BETS, deal(), war("ana", 2), deal(), cut("ana"), cut("cat")]
    played = play("nz", "2c Kh 4h 5h 6h Kd 3c cut 4c 5c 9h 8d", *acts, later=("2c",))
    assert played.refusals == [(11, "not_the_cutter")]
    assert cutters(played) == ["ben", "cat"]


@pytest.mark.clause("NZ-7.4d", "NZ-7.8")
def test_the_player_farthest_left_cuts_cards_that_were_replaced() -> None:
    attempts = [cut(player) for player in ("ben", "cat", "dan", "ana")]
    acts = [*SEATED, *BETS, deal(), act("replace_cards", by="operator:o1"), *attempts, *BETS[:1], deal()]
    played = play("nz", "2c 3h 4h cut 5h 6h Kd", *acts, later=("Tc Ah Jd",))
    assert played.refusals == [(number, "not_the_cutter") for number in (10, 11, 12)]
    assert cutters(played) == ["ben", "ana"]
    assert played.dealt(2) == "burn Tc, box 2 Ah, dealer Jd"


@pytest.mark.clause("NZ-7.4d")
def test_the_player_farthest_left_cuts_where_no_other_case_fits() -> None:
    suspect = act("supervisor_shuffle", reason="suspect")
    played = play("nz", "2c 3h 4h 5h 6h Kd", *SEATED, *BETS, deal(), suspect, cut("ben"), cut("cat"), cut("ana"))
    assert played.refusals == [(10, "not_the_cutter"), (11, "not_the_cutter")]
    assert cutters(played) == ["ben", "ana"]


@pytest.mark.clause("NZ-7.5-i")
def test_a_declined_cut_goes_clockwise_around_the_table() -> None:
    acts = [decline("ana"), decline("ben"), decline("cat"), decline("dan"), cut("ana"), cut("ben"), cut("cat")]
    played = play("nz", "2c", *SEATED, *acts)
    assert played.refusals == [(number, "not_the_cutter") for number in (4, 6, 8, 9)]
    assert [event["player"] for event in played.events("cut_declined")] == ["ben", "dan"]
    assert cutters(played) == ["cat"]


@pytest.mark.clause("NZ-7.5-i")
def test_clockwise_comes_round_to_the_first_box_after_the_last() -> None:
    acts = [decline("ben"), decline("dan"), decline("cat"), cut("ana")]
    played = play("nz", "2c", *SEATED, *acts)
    assert played.refusals == []
    assert cutters(played) == ["ana"]


@pytest.mark.clause("NZ-7.5-ii")
def test_staff_cut_when_every_seated_player_declines() -> None:
    declines = [decline(player) for player in ("ben", "dan", "cat", "ana")]
    by_staff = {**cut(None), "by": "dealer:d1"}
    acts = [*SEATED, by_staff, *declines, cut("ben"), by_staff, *BETS[:1], deal()]
    played = play("nz", "2c Kh Qd", *acts)
    assert played.refusals == [(4, "not_the_cutter"), (9, "not_the_cutter")]
    assert cutters(played) == [None]
    assert "NZ-7.5-ii" in played.events("cut_made")[0]["clauses"]
    assert played.dealt() == "burn 2c, box 2 Kh, dealer Qd"


@pytest.mark.clause("NZ-7.6")
@pytest.mark.parametrize("decks", [4, 6, 8])
def test_the_cut_is_a_deck_or_more_from_either_end(decks: int) -> None:
    last = 52 * decks - 52
    for inside in (52, 26 * decks, last):
        played = play("nz", "2c", *SEATED, cut("ben", inside), options={"shoe.decks": decks})
        assert [event["position"] for event in played.events("cut_made")] == [inside]
    attempts = [cut("ben", position) for position in (0, 51, last + 1, 52 * decks)]
    refused = play("nz", "2c", *SEATED, *attempts, options={"shoe.decks": decks})
    assert refused.refusals == [(number, "cut_out_of_bounds") for number in (4, 5, 6, 7)]
    assert all("NZ-7.6" in cited for cited in refused.refusal_clauses)


@pytest.mark.clause("NZ-7.7a-i", "NZ-7.7a-iii")
def test_the_cutting_card_lies_78_from_the_back_unless_set() -> None:
    played = play("nz", full_shoe(6, 78), *BEN_AGAIN)
    assert played.dealt() == "burn 2c, box 4 3c, dealer 4c"
    assert [(one["cards"], one["cut_card"]) for one in played.events("shoe_loaded")] == [(312, 312 - 78)]


@pytest.mark.clause("NZ-7.7a-i")
@pytest.mark.parametrize(("decks", "half"), [(4, 104), (5, 130), (6, 156)])
def test_the_cutting_card_may_lie_as_far_in_as_half_way(decks: int, half: int) -> None:
    options = {"shoe.decks": decks, "shoe.marker_from_back": half}
    bet_of_ben, deal_it = BEN_AGAIN
    cut = act("cut", player="ben", position=26 * decks)
    markers = [act("place_marker", from_back=half + 1), act("place_marker", from_back=half)]
    played = play("nz", full_shoe(decks, half), bet_of_ben, cut, *markers, deal_it, options=options)
    assert played.refusals == [(2, "marker_out_of_bounds")]
    assert played.refusal_clauses == [["NZ-7.7a-i"]]
    assert [one["from_back"] for one in played.events("marker_placed")] == [half]
    assert played.dealt() == "burn 2c, box 4 3c, dealer 4c"


@pytest.mark.clause("NZ-7.7a-i")
def test_the_cutting_card_goes_in_78_from_the_back_unless_the_operator_says_otherwise() -> None:
    assert marked("nz") == 78
    assert marked("nz", {"shoe.marker_from_back": 100}) == 100


@pytest.mark.clause("NZ-7.7a-i")
def test_the_cutting_card_may_lie_at_the_very_back() -> None:
    played = play("nz", full_shoe(6, 0), *BEN_AGAIN, options={"shoe.marker_from_back": 0})
    assert [(one["cards"], one["cut_card"]) for one in played.events("shoe_loaded")] == [(312, 312)]
    assert played.dealt() == "burn 2c, box 4 3c, dealer 4c"


@pytest.mark.clause("NZ-7.7")
@pytest.mark.parametrize("position", [52, 100, 260])
def test_the_cards_in_front_of_the_cutting_card_go_to_the_back(position: int) -> None:
    """An unshuffled stack shows it: after the cut it begins with the card that lay behind the cutting card."""
    session = Session(load_rulebook("nz"), tuple)
    session.buy_in("ana", 1000)
    session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=100))
    session.do(c.Cut(player="ana", position=position))
    session.deal()
    stack = DECK * 6
    assert session.stacks[0].cards == stack[position:] + stack[:position]
    assert session.table.round.hands[1][0] == stack[position + 1]
