"""Massachusetts, sections 2, 5 and 7: decks and batches, shuffle and cut, the cut card and the burns."""

from typing import Any

import pytest

from casinowar.cards import DECK, Card
from casinowar.dealers.session import Session
from casinowar.engine import commands as c
from casinowar.engine.decide import step
from casinowar.engine.events import Refusal
from casinowar.engine.state import Table
from casinowar.records import RecordError
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import Act, Played, act, bet, deal, marked, play, surrender, war

ANA = bet("ana", 1, "initial", 1000)
ONE_ROUND = [ANA, deal()]
SHORT = [*ONE_ROUND, war("ana", 1), deal()]
SEATED: list[Act] = [
    act("seat_player", player=player, box=box) for player, box in (("ben", 4), ("ana", 2), ("cat", 6), ("dan", 5))
]
BETS: list[Act] = [bet(player, box, "initial", 500) for player, box in (("ana", 2), ("ben", 4), ("dan", 5), ("cat", 6))]
MACHINE = {"shoe.shuffler": "batch_auto"}
FOUR_ROUNDS = ("2c Kh cut 9d",) * 4


def cut(player: str | None, position: int = 156) -> Act:
    return act("cut", position=position) if player is None else act("cut", player=player, position=position)


def decline(player: str) -> Act:
    return act("decline_cut", player=player)


def cutters(played: Played) -> list[str | None]:
    return [event["player"] for event in played.events("cut_made")]


def batches(options: dict[str, Any]) -> list[int]:
    """Which batch came into the shoe, four shoes in a row."""
    played = play("ma", FOUR_ROUNDS[0], *ONE_ROUND * 4, options=options, later=FOUR_ROUNDS[1:])
    assert played.gain("ana") == 4 * 1000
    return [event["batch"] for event in played.events("shoe_loaded")]


@pytest.mark.clause("MA-2a-i", "MA-2a-ii")
@pytest.mark.parametrize(("options", "decks"), [({}, 6), *(({"shoe.decks": n}, n) for n in (6, 7, 8))])
def test_the_shoe_holds_each_card_once_for_each_deck(options: dict[str, Any], decks: int) -> None:
    shoe = "2c Kh 9d" + " Kh" * (decks - 1)
    assert play("ma", shoe, *ONE_ROUND, options=options).gain("ana") == 1000
    with pytest.raises(RecordError, match=f"{decks + 1} times Kh: {decks} decks hold {decks}"):
        play("ma", shoe + " Kh", options=options)
    with pytest.raises(RecordError, match=f"{52 * decks + 1} cards: {decks} decks hold {52 * decks}"):
        play("ma", "xx " * (52 * decks + 1), options=options)


@pytest.mark.clause("MA-2a-i", "MA-2d")
@pytest.mark.parametrize("shuffler", ["manual", "batch_auto"])
@pytest.mark.parametrize("decks", [4, 5, 9, 12])
def test_six_to_eight_decks_to_a_shoe(shuffler: str, decks: int) -> None:
    """AMB-16: with a machine twelve decks or more are on hand, as two batches of six to eight."""
    with pytest.raises(RulebookError, match=rf"shoe\.decks = {decks} \(MA-2a-i\): allowed 6, 7, 8"):
        load_rulebook("ma", {"shoe.decks": decks, "shoe.shuffler": shuffler})


@pytest.mark.clause("MA-2b-i", "MA-2d")
def test_cards_come_from_a_shoe_and_never_from_a_continuous_shuffler() -> None:
    assert load_rulebook("ma").shoe.shuffler == "manual"
    assert load_rulebook("ma", MACHINE).shoe.shuffler == "batch_auto"
    with pytest.raises(RulebookError, match=r"shoe\.shuffler = continuous \(MA-2b-i, MA-2d\)"):
        load_rulebook("ma", {"shoe.shuffler": "continuous"})


@pytest.mark.clause("MA-2d", "MA-2d2", "MA-2d3", "MA-2d4", "MA-2d5")
def test_two_batches_with_different_backs_take_turns_with_a_shuffling_machine() -> None:
    assert batches(MACHINE) == [1, 2, 1, 2]


@pytest.mark.clause("MA-2a-i", "MA-2b-i")
def test_one_set_of_cards_serves_without_a_machine() -> None:
    assert batches({}) == batches({"shoe.shuffler": "manual"}) == [1, 1, 1, 1]


@pytest.mark.clause("MA-2d2")
@pytest.mark.parametrize("decks", [6, 7, 8])
def test_both_batches_have_the_same_number_of_decks(decks: int) -> None:
    """A shoe of either batch holds exactly the chosen decks and no card more."""
    whole = " ".join(["cut", *map(str, DECK * decks)])
    options = {**MACHINE, "shoe.decks": decks}
    played = play("ma", whole, *ONE_ROUND * 2, options=options, later=(whole,))
    loaded = [(event["batch"], event["cards"]) for event in played.events("shoe_loaded")]
    assert loaded == [(1, 52 * decks), (2, 52 * decks)]
    with pytest.raises(RecordError, match=f"{52 * decks + 1} cards"):
        play("ma", whole, options=options, later=(whole + " xx",))


@pytest.mark.clause("MA-2d6", "MA-2d4")
@pytest.mark.parametrize("options", [MACHINE, {}])
def test_a_round_short_of_cards_is_finished_with_the_discards_of_its_own_batch(options: dict[str, Any]) -> None:
    """AMB-38: the other batch may not come on, for its cards would meet these in the rack. No opening burn again."""
    played = play("ma", "2c Kh Kd 3c 4c", *SHORT, options=options, later=("5c 9h 8d Ah Qd",))
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    assert [event["batch"] for event in played.events("shoe_loaded")] == [1, 1]
    assert played.gain("ana") == 1000


@pytest.mark.clause("MA-2d6", "MA-7d")
@pytest.mark.parametrize(
    ("options", "second"),
    [
        ({}, "burn 6c, box 1 7c, dealer 8c"),
        ({"shoe.short_discharges": True}, "box 1 Ah, dealer Qd"),
        ({"shoe.short_discharges": False}, "burn 6c, box 1 7c, dealer 8c"),
    ],
)
def test_the_reshuffled_discards_serve_on_only_where_the_operator_has_it_so(
    options: dict[str, Any], second: str
) -> None:
    """AMB-38: whether the cut card that showed before them still calls for a shuffle after the round."""
    acts = [*SHORT, *ONE_ROUND]
    played = play("ma", "2c Kh Kd 3c cut 4c", *acts, options=options, later=("5c 9h 8d Ah Qd", "6c 7c 8c"))
    assert played.dealt(2) == second


@pytest.mark.clause("MA-2d5", "MA-2d6")
def test_after_a_round_finished_with_the_discards_the_other_batch_is_next() -> None:
    acts = [*SHORT, *ONE_ROUND]
    played = play("ma", "2c Kh Kd 3c 4c", *acts, options=MACHINE, later=("5c 9h cut 8d", "6c 7c 8c"))
    assert [event["batch"] for event in played.events("shoe_loaded")] == [1, 1, 2]


@pytest.mark.clause("MA-7a-i")
@pytest.mark.parametrize("shoe", ["2c Kh Kd", "2c Kh Kd 3c 4c 5c 9h"])
def test_cards_reshuffled_within_a_round_are_not_burned_again(shoe: str) -> None:
    whole = ["2c", "Kh", "Kd", "3c", "4c", "5c", "9h", "8d"]
    played = play("ma", shoe, *SHORT, later=(" ".join(whole[len(shoe.split()) :]) + " Ah",))
    assert played.dealt() == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"


@pytest.mark.clause("MA-2a-iii")
def test_one_cut_card_and_none_at_the_end_of_the_stack() -> None:
    played = play("ma", "2c Kh cut 9d", *ONE_ROUND)
    assert [event["end_card"] for event in played.events("shoe_loaded")] == [False]
    assert [event["shuffle"] for event in played.events("cut_card_drawn")] == ["after_round"]


@pytest.mark.clause("MA-5a-i", "MA-5a-iii", "MA-5i5", "MA-5f-iii")
def test_no_card_is_dealt_before_the_cards_are_shuffled_cut_marked_and_in_the_shoe() -> None:
    rules = load_rulebook("ma")
    table = Table()
    three, load = c.Deal(cards=(None, Card("Kh"), Card("Qd"))), c.LoadShoe(cards=100, cut_card=22)
    marker, halfway = c.PlaceMarker(from_back=78), c.Cut(player="ana", position=156)
    commands: list[tuple[c.Command, str]] = [
        (c.OpenTable(), "done"),
        (c.BuyIn(player="ana", amount=1000), "done"),
        (c.PlaceWager(player="ana", box=1, wager="initial", amount=1000), "done"),
        (three, "shuffle_due"),
        (load, "inspect_due"),
        (marker, "cut_due"),
        (c.InspectCards(), "done"),
        (c.VerifyCards(), "done"),
        (c.SpreadForInspection(players=("ana",)), "done"),
        (c.Wash(), "done"),
        (three, "shuffle_due"),
        (load, "shuffle_due"),
        (halfway, "shuffle_due"),
        (marker, "cut_due"),
        (c.Shuffle(steps=("turn", "riffle", "riffle", "strip")), "done"),
        (three, "shuffle_due"),
        (load, "cut_due"),
        (marker, "cut_due"),
        (halfway, "done"),
        (load, "marker_due"),
        (marker, "done"),
        (three, "shuffle_due"),
        (load, "done"),
        (load, "no_shuffle_due"),
        (three, "done"),
    ]
    for number, (command, expected) in enumerate(commands):
        answer = step(rules, table, command)
        assert (answer.reason if isinstance(answer, Refusal) else "done") == expected, number
        table = table if isinstance(answer, Refusal) else answer[1]
    assert table.players == {"ana": 2000}


@pytest.mark.clause("MA-5f-i")
def test_the_cards_in_front_of_the_cut_go_to_the_back() -> None:
    """The session rotates a real stack: cut at 60, its sixty-first card is the first to leave the shoe."""
    stack = DECK * 6
    session = Session(load_rulebook("ma"), lambda decks: stack, c.Limit())
    session.buy_in("ana", 1000)
    session.do(c.PlaceWager(player="ana", box=1, wager="initial", amount=100))
    session.do(c.Cut(player="ana", position=60))
    session.deal()
    assert tuple(session.stacks[0].cards) == stack[60:] + stack[:60]


@pytest.mark.clause("MA-5b")
def test_players_are_offered_the_cut_unless_the_house_has_the_dealer_cut() -> None:
    acts = [*SEATED, cut("ben"), *BETS, deal()]
    shoe = "2c 3h 4h 5h 6h Kd"
    offered = play("ma", shoe, *acts)
    assert (offered.refusals, cutters(offered)) == ([], ["ben"])
    acts = [*SEATED, cut("ben"), decline("ben"), {**cut(None), "by": "dealer:d1"}, *BETS, deal()]
    dealers = play("ma", shoe, *acts, options={"shoe.cut_by": "dealer"})
    assert (dealers.refusals, cutters(dealers)) == ([(4, "not_the_cutter"), (5, "not_the_cutter")], [None])
    assert dealers.refusal_clauses == [["MA-5b"], ["MA-5b"]]
    assert dealers.dealt() == offered.dealt()


@pytest.mark.clause("MA-5b")
def test_who_cuts_is_a_choice_of_two() -> None:
    assert load_rulebook("ma").shoe.cut_by == "players"
    with pytest.raises(RulebookError, match=r"shoe\.cut_by = supervisor \(MA-5b\): allowed players, dealer"):
        load_rulebook("ma", {"shoe.cut_by": "supervisor"})


@pytest.mark.clause("MA-5c", "MA-5c1")
def test_at_the_start_the_first_player_to_the_table_cuts() -> None:
    played = play("ma", "2c", *SEATED, cut("ana"), cut("cat"), cut("dan"), cut("ben"), cut("ben"))
    assert played.refusals == [*((number, "not_the_cutter") for number in (4, 5, 6)), (8, "no_cut")]
    assert cutters(played) == ["ben"]
    assert played.events("cut_made")[0]["clauses"] == ["MA-5c1"]


@pytest.mark.clause("MA-5c2")
def test_then_the_player_on_whose_box_the_cut_card_showed() -> None:
    attempts = [cut(player) for player in ("ana", "ben", "cat", "dan")]
    played = play("ma", "2c 3h 4h cut 5h 6h Kd", *SEATED, *BETS, deal(), *attempts, later=("2c",))
    assert played.refusals == [(number, "not_the_cutter") for number in (9, 10, 11)]
    assert cutters(played) == ["ben", "dan"]


@pytest.mark.clause("MA-5c3")
@pytest.mark.parametrize("shoe", ["2c Kh 4h 5h 6h cut Kd 3c 4c 5c 9h 8d", "2c Kh 4h 5h 6h Kd 3c cut 4c 5c 9h 8d"])
def test_or_the_player_farthest_right_where_it_showed_for_the_dealer_or_a_burn(shoe: str) -> None:
    """AMB-40: a burn belongs to the dealer's hand."""
    attempts = [cut(player) for player in ("ana", "ben", "dan", "cat")]
    acts = [*SEATED, *BETS, deal(), war("ana", 2), deal(), *attempts]
    played = play("ma", shoe, *acts, later=("2c",))
    assert played.refusals == [(number, "not_the_cutter") for number in (11, 12, 13)]
    assert cutters(played) == ["ben", "cat"]
    assert played.events("cut_made")[1]["clauses"] == ["MA-5c3"]


@pytest.mark.clause("MA-5c4")
def test_the_player_farthest_right_cuts_where_the_house_chose_to_reshuffle() -> None:
    order = act("supervisor_shuffle", reason="discretion", by="operator:o1")
    attempts = [cut(player) for player in ("ben", "ana", "dan", "cat")]
    acts = [*SEATED, *BETS, deal(), order, *attempts, BETS[0], deal()]
    played = play("ma", "2c 3h 4h 5h 6h Kd", *acts, later=("Tc Ah Jd",))
    assert played.refusals == [(number, "not_the_cutter") for number in (10, 11, 12)]
    assert cutters(played) == ["ben", "cat"]
    assert played.dealt(2) == "burn Tc, box 2 Ah, dealer Jd"


@pytest.mark.clause("MA-5c4")
def test_the_house_may_reshuffle_at_discretion_but_not_within_a_round() -> None:
    order = act("supervisor_shuffle", reason="discretion")
    others = [act("supervisor_shuffle", reason=reason) for reason in ("vacant", "suspect")]
    acts = [{**order, "by": "player:ana"}, ANA, deal(1), order, deal(), *others, order]
    played = play("ma", "2c Kh 9d", *acts)
    reasons = ["not_entitled", "round_in_progress", "not_in_the_book", "not_in_the_book"]
    assert played.refusals == list(zip((0, 3, 5, 6), reasons, strict=True))
    assert [event["reason"] for event in played.events("shuffle_ordered")] == ["discretion"]


@pytest.mark.clause("MA-5d-i")
def test_a_refused_cut_goes_counter_clockwise() -> None:
    """Ben sits at 4: then 2, then round the end to 6, then 5."""
    acts = [decline("ben"), decline("dan"), decline("cat"), decline("ana"), decline("dan"), decline("cat"), cut("dan")]
    played = play("ma", "2c", *SEATED, *acts)
    assert played.refusals == [(number, "not_the_cutter") for number in (5, 6, 8)]
    assert [event["player"] for event in played.events("cut_declined")] == ["ben", "ana", "cat"]
    assert cutters(played) == ["dan"]
    assert played.events("cut_made")[0]["clauses"] == ["MA-5d-i"]


ALONE = {"authority.higher": False}


@pytest.mark.clause("MA-5d-ii")
def test_the_dealer_cuts_when_every_player_has_refused() -> None:
    """The dealer alone, where a higher role may not do what a lower one may."""
    declines = [decline(player) for player in ("ben", "ana", "cat", "dan")]
    attempts = [{**cut(None), "by": by} for by in ("supervisor:s1", "dealer:d1")]
    played = play(
        "ma", "2c Kh Qd", *SEATED, attempts[1], *declines, cut("ben"), *attempts, BETS[0], deal(), options=ALONE
    )
    assert played.refusals == [(number, "not_the_cutter") for number in (4, 9, 10)]
    assert cutters(played) == [None]
    assert played.events("cut_made")[0]["clauses"] == ["MA-5d-ii"]
    assert played.dealt() == "burn 2c, box 2 Kh, dealer Qd"


@pytest.mark.clause("MA-5c", "MA-5e")
@pytest.mark.parametrize("decks", [6, 7, 8])
@pytest.mark.parametrize("by", ["player", "dealer"])
def test_the_cut_is_a_deck_or_more_from_either_end(decks: int, by: str) -> None:
    options = {"shoe.decks": decks, "shoe.cut_by": "players" if by == "player" else "dealer"}
    last = 52 * decks - 52
    who = "ben" if by == "player" else None
    for inside in (52, 26 * decks, last):
        played = play("ma", "2c", *SEATED, cut(who, inside), options=options)
        assert [event["position"] for event in played.events("cut_made")] == [inside]
    attempts = [cut(who, position) for position in (0, 51, last + 1, 52 * decks)]
    refused = play("ma", "2c", *SEATED, *attempts, options=options)
    assert refused.refusals == [(number, "cut_out_of_bounds") for number in (4, 5, 6, 7)]
    assert refused.refusal_clauses == [["MA-5c", "MA-5e"]] * 4


@pytest.mark.clause("MA-5f-ii")
def test_the_cut_card_goes_in_78_from_the_back_unless_the_house_says_otherwise() -> None:
    """AMB-7: a deck and a half are 78 cards."""
    assert marked("ma") == 52 + 26
    assert marked("ma", {"shoe.marker_from_back": 100}) == 100


@pytest.mark.clause("MA-5f-ii")
@pytest.mark.parametrize(("decks", "most"), [(6, 260), (7, 312), (8, 364)])
def test_the_cut_card_has_a_deck_and_a_half_behind_it_and_a_deck_before_it(decks: int, most: int) -> None:
    for inside in (78, most):
        options = {"shoe.decks": decks, "shoe.marker_from_back": inside}
        assert load_rulebook("ma", options).shoe.marker_from_back == inside
    for outside in (77, most + 1):
        with pytest.raises(RulebookError, match=rf"\(MA-5f-ii\): allowed 78 to {most}"):
            load_rulebook("ma", {"shoe.decks": decks, "shoe.marker_from_back": outside})


@pytest.mark.clause("MA-5f-ii")
def test_the_dealer_does_not_put_it_elsewhere() -> None:
    markers = [act("place_marker", from_back=behind) for behind in (77, 261, 78)]
    played = play("ma", "2c Kh 9d", ANA, cut("ana"), *markers, deal())
    assert played.refusals == [(2, "marker_out_of_bounds"), (3, "marker_out_of_bounds")]
    assert played.refusal_clauses == [["MA-5f-ii"]] * 2
    assert [event["from_back"] for event in played.events("marker_placed")] == [78]


@pytest.mark.clause("MA-7d", "MA-5g", "MA-5a-ii")
@pytest.mark.parametrize(
    "shoe", ["2c Kh cut Kd 3c 4c 5c 9h 8d", "2c Kh Kd 3c 4c cut 5c 9h 8d", "2c Kh Kd 3c 4c 5c 9h cut 8d"]
)
def test_the_round_in_which_the_cut_card_shows_is_finished_and_then_comes_a_shuffle(shoe: str) -> None:
    acts = [*SHORT, *ONE_ROUND]
    played = play("ma", shoe + " 6h 7d", *acts, later=("Tc Ah Jd",))
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    assert played.dealt(2) == "burn Tc, box 1 Ah, dealer Jd"
    without = play("ma", shoe + " 6h 7d", *acts)
    assert without.refusals == [(5, "no_shoe")]


@pytest.mark.clause("MA-7d")
@pytest.mark.parametrize(
    ("options", "second"),
    [
        ({}, "box 1 4h, dealer Qd"),
        ({"shoe.cut_first_card": "finish_round"}, "box 1 4h, dealer Qd"),
        ({"shoe.cut_first_card": "shuffle_now"}, "burn 5c, box 1 Ah, dealer Jd"),
    ],
)
def test_with_the_cut_card_first_the_round_is_still_dealt(options: dict[str, Any], second: str) -> None:
    """AMB-21: the wagers have begun the round; or, by the other reading, the cards are shuffled before it."""
    played = play("ma", "2c 3h Kd cut 4h Qd", *ONE_ROUND * 2, options=options, later=("5c Ah Jd",))
    assert played.dealt(2) == second


@pytest.mark.clause("MA-7a-i", "MA-1-BURN")
def test_the_first_card_of_a_shoe_goes_to_the_rack_unseen() -> None:
    played = play("ma", "Kc Kh 9d Qh cut Jd", *ONE_ROUND * 3, later=("Tc Ah Jd",))
    assert [played.dealt(number) for number in (1, 2, 3)] == [
        "burn Kc, box 1 Kh, dealer 9d",
        "box 1 Qh, dealer Jd",
        "burn Tc, box 1 Ah, dealer Jd",
    ]
    burned = [(one["burn"], one["card"], one["more"]) for one in played.events("card_burned")]
    assert burned == [("opening", None, 0)] * 2


@pytest.mark.clause("MA-1-BURN")
def test_no_face_of_a_burn_is_told_in_any_event_or_held_by_the_table() -> None:
    """AMB-44: the burned aces of clubs and spades appear nowhere but in the record's own shoe."""
    acts = [*ONE_ROUND, war("ana", 1), deal()]
    played = play("ma", "Ac Kh Kd As As Ac 9h 8d", *acts)
    told = repr(played.data["events"]) + repr(played.replayed.table)
    assert "Kh" in told
    assert "8d" in told
    assert "Ac" not in told
    assert "As" not in told


@pytest.mark.clause("MA-7c")
def test_no_burn_before_a_round_but_the_first() -> None:
    played = play("ma", "2c Kh 9d Qh Jd", *ONE_ROUND * 2)
    assert played.dealt(2) == "box 1 Qh, dealer Jd"


@pytest.mark.clause("MA-7a-iii")
@pytest.mark.parametrize(
    ("changes", "burns"), [(0, "burn 2c, "), (1, "burn 2c, burn 3c, "), (2, "burn 2c, burn 3c, burn 4c, ")]
)
def test_a_new_dealer_burns_a_card_besides_the_opening_burn(changes: int, burns: str) -> None:
    """AMB-62: shall also discard, so both."""
    dealers = [act("change_dealer", dealer=f"d{number}") for number in range(changes)]
    stack = ["2c", "3c", "4c"][: 1 + changes]
    played = play("ma", " ".join(stack) + " Kh 9d", *dealers, *ONE_ROUND)
    assert played.dealt() == burns + "box 1 Kh, dealer 9d"


@pytest.mark.clause("MA-7a-iii")
def test_a_new_dealer_in_the_middle_of_a_shoe_burns_one_card_face_down() -> None:
    change = act("change_dealer", dealer="dora")
    played = play("ma", "2c Kh 9d 3c Qh Jd", *ONE_ROUND, change, *ONE_ROUND)
    assert played.dealt(2) == "burn 3c, box 1 Qh, dealer Jd"
    burned = [(one["burn"], one["card"], one["clauses"]) for one in played.events("card_burned")]
    assert burned[1:] == [("new_dealer", None, ["MA-7a-iii"])]


@pytest.mark.clause("MA-7a-iii")
def test_a_dealer_who_comes_in_the_middle_of_a_round_burns_before_the_next() -> None:
    acts = [*ONE_ROUND, act("change_dealer", dealer="dora"), war("ana", 1), deal(), *ONE_ROUND]
    played = play("ma", "2c Kh Kd 3c 4c 5c 9h 8d 6c Qh Jd", *acts)
    assert played.dealt(1) == "burn 2c, box 1 Kh, dealer Kd, burn 3c, burn 4c, burn 5c, box 1 9h, dealer 8d"
    assert played.dealt(2) == "burn 6c, box 1 Qh, dealer Jd"


@pytest.mark.clause("MA-7a-iii", "MA-10b-ii")
def test_a_new_dealer_who_did_not_come_to_burn_before_the_hands_were_void_still_owes_the_burn() -> None:
    found = act("report_face_up_card")
    acts = [act("change_dealer", dealer="dora"), ANA, deal(1), found, found, *ONE_ROUND]
    played = play("ma", "2c Ac Ad 3c Kh 9d", *acts, later=("4c 5c Qh Jd",))
    assert played.dealt(2) == "burn 4c, burn 5c, box 1 Qh, dealer Jd"


@pytest.mark.clause("MA-8f-i")
def test_the_burns_of_the_war_are_not_optional() -> None:
    with pytest.raises(RulebookError, match=r"ma fixes war\.burn at 3 \(MA-8f-i\)"):
        load_rulebook("ma", {"war.burn": 0})
    played = play("ma", "2c 9h 9d 3c 4c 5c", ANA, deal(), surrender("ana", 1))
    assert [event["burn"] for event in played.events("card_burned")] == ["opening"]
