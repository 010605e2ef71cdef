"""California: when each wager wins and loses, what the bank pays on it, and in which order the dealer acts."""

from itertools import combinations, pairwise

import pytest

from casinowar.records import RecordError
from casinowar.rulebooks import load_rulebook
from tests.clauses.ca.bank import bank, war_of_ana
from tests.support.rounds import Played, act, bet, deal, play, surrender, war

RANKING = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


def first_deal(cards: str, tie: int = 500, stake: int = 50_000) -> Played:
    """Ana's primary wager of 1,000 and her Tie wager; `cards` is hers, then the bank's."""
    acts = [bank(stake=stake), bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", tie), deal()]
    return play("ca", f"2c {cards}", *acts)


def money(played: Played, wager: str) -> tuple[str, str | None, int, int]:
    line = played.line("ana", wager)
    return line["outcome"], line["odds"], line["paid"], line["returned"]


@clause("CA-STD-1b", "CA-RP-1b", "CA-PO-1", "CA-RP-2b")
@pytest.mark.parametrize("amount", [500, 1000, 50_000])
def test_a_higher_card_wins_one_to_one_from_the_bank(amount: int) -> None:
    played = play("ca", "2c Kh Qd", bank(), bet("ana", 1, "initial", amount), deal())
    assert money(played, "initial") == ("win", "1:1", amount, amount)
    assert {"CA-STD-1b", "CA-RP-1b", "CA-PO-1"} <= set(played.line("ana", "initial")["clauses"])
    assert (played.gain("ana"), played.gain("dan"), played.balances["house"]) == (amount, -amount, 0)


@clause("CA-RP-1a", "CA-RP-2a", "CA-STD-1b")
def test_a_lower_card_loses_both_wagers_to_the_bank() -> None:
    played = first_deal("Qh Kd")
    assert money(played, "initial") == ("lose", None, 0, 0)
    assert money(played, "tie") == ("lose", None, 0, 0)
    assert (played.gain("ana"), played.gain("dan")) == (-1500, 1000 + 500)
    assert played.line("ana", "tie")["clauses"] == ["CA-RP-1a"]


@clause("CA-RP-1b")
def test_a_higher_card_loses_the_tie_wager() -> None:
    played = first_deal("Kh Qd")
    assert money(played, "tie") == ("lose", None, 0, 0)
    assert (played.gain("ana"), played.gain("dan")) == (1000 - 500, 500 - 1000)
    assert played.line("ana", "tie")["clauses"] == ["CA-RP-1b"]


@clause("CA-RP-1c", "CA-STD-3c", "CA-PO-2", "CA-RP-2b", "CA-STD-4")
def test_an_equal_card_pays_the_tie_wager_ten_to_one_from_the_bank() -> None:
    """The bank covers the bonus bet as well as the primary one."""
    played = first_deal("Kh Kd")
    settled = [(one["wager"], one["odds"], one["paid"]) for one in played.events("wager_settled")]
    assert settled == [("tie", "10:1", 10 * 500)]
    assert {"CA-RP-1c", "CA-STD-3c", "CA-PO-2"} <= set(played.events("wager_settled")[0]["clauses"])
    assert [one["player"] for one in played.events("war_offered")] == ["ana"]
    table = played.replayed.table
    assert table.bank is not None
    assert table.bank.chips == 50_000 - 5000
    assert played.gain("ana") == 5000 - 1000


@clause("CA-RANK-1a")
@pytest.mark.parametrize(("low", "high"), list(pairwise(RANKING)))
def test_each_rank_beats_the_one_below_it(low: str, high: str) -> None:
    assert first_deal(f"{high}h {low}d").gain("ana") == 1000 - 500
    assert first_deal(f"{low}h {high}d").gain("ana") == -1000 - 500


@clause("CA-RANK-1a")
def test_the_ace_is_only_high() -> None:
    assert first_deal("Ah 2d").line("ana", "initial")["outcome"] == "win"
    assert first_deal("2h Ad").line("ana", "initial")["outcome"] == "lose"


@clause("CA-RANK-1b", "CA-DEF-TH", "CA-DEF-SUIT")
@pytest.mark.parametrize(("mine", "theirs"), list(combinations("cdhs", 2)))
def test_cards_of_one_rank_tie_whatever_their_suits(mine: str, theirs: str) -> None:
    for one, other in ((mine, theirs), (theirs, mine)):
        played = first_deal(f"K{one} K{other}")
        assert [event["player"] for event in played.events("war_offered")] == ["ana"]
        assert [event["paid"] for event in played.events("wager_settled")] == [5000]


@clause("CA-DEF-SUIT")
def test_there_is_no_fifth_suit() -> None:
    with pytest.raises(RecordError):
        play("ca", "2c Kx")


@clause("CA-STD-2a", "CA-DEF-WAR", "CA-DEF-TH")
@pytest.mark.parametrize(("cards", "offered"), [("Kh Kd", 1), ("Kh Qd", 0), ("Qh Kd", 0)])
def test_war_is_for_tied_cards_alone(cards: str, offered: int) -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1)]
    played = play("ca", f"2c {cards}", *acts)
    assert len(played.events("war_declared")) == offered
    assert played.refusals == ([] if offered else [(3, "no_decision")])


@clause("CA-RP-3", "CA-STD-2a", "CA-STD-3a")
def test_every_bettor_on_a_tied_box_has_a_choice_of_their_own() -> None:
    acts = [
        bank(),
        bet("ana", 1, "initial", 1000),
        bet("ben", 1, "initial", 2000),
        deal(),
        surrender("ana", 1),
        war("ben", 1),
        deal(),
    ]
    played = play("ca", "2c Kh Kd 3c 4c 5c 9h 8d", *acts)
    assert [one["player"] for one in played.events("war_offered")] == ["ana", "ben"]
    assert played.settlements() == [
        ("ana", 1, "initial", "surrender", -500),
        ("ben", 1, "initial", "push", 0),
        ("ben", 1, "war", "win", 2000),
    ]
    assert played.gain("dan") == 500 - 2000


@clause("CA-RP-3", "CA-RP-1")
def test_war_is_offered_only_after_all_other_wagers_are_settled() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000), deal()]
    played = play("ca", "2c Kh Ah Kd", *acts)
    names = ("wager_settled", "war_offered")
    story = [(event["name"], event["player"]) for event in played.data["events"] if event["name"] in names]
    assert story == [("wager_settled", "ben"), ("war_offered", "ana")]


@clause("CA-STD-3a", "CA-RP-3a-i", "CA-RP-3a-ii")
@pytest.mark.parametrize("amount", [500, 1000, 8000])
def test_surrender_gives_half_to_the_bank_and_half_back(amount: int) -> None:
    acts = [bank(), bet("ana", 1, "initial", amount), deal(), surrender("ana", 1)]
    played = play("ca", "2c Kh Kd", *acts)
    assert money(played, "initial") == ("surrender", None, 0, amount // 2)
    assert {"CA-STD-3a", "CA-RP-3a-i", "CA-RP-3a-ii"} <= set(played.line("ana", "initial")["clauses"])
    assert (played.gain("ana"), played.gain("dan")) == (-amount // 2, amount // 2)
    assert len(played.data["rounds"]) == 1


@clause("CA-RP-3a-i", "CA-RP-3a-ii")
@pytest.mark.parametrize(("options", "kept"), [({}, 500), ({"surrender.odd_unit": "house"}, 501)])
def test_the_odd_unit_of_a_surrender_goes_back_unless_the_operator_says_otherwise(
    options: dict[str, object], kept: int
) -> None:
    acts = [bank(), bet("ana", 1, "initial", 1001), deal(), surrender("ana", 1)]
    played = play("ca", "2c Kh Kd", *acts, options=options, limits={})
    assert (played.gain("ana"), played.gain("dan")) == (-kept, kept)


@clause("CA-RP-3a-i")
def test_the_operator_may_demand_even_primary_wagers_that_can_be_halved() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1001), bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 501)]
    assert play("ca", "2c", *acts, limits={}).gain("ana") == -(1001 + 1000 + 501)
    even = play("ca", "2c", *acts, limits={}, options={"limits.require_even": True})
    assert even.refusals == [(1, "wager_odd")]
    assert even.gain("ana") == -(1000 + 501)


@clause("CA-RP-3a-iii")
def test_the_tied_players_choose_clockwise_and_nobody_out_of_turn() -> None:
    bets = [bet(player, box, "initial", 1000) for player, box in (("ana", 5), ("ben", 1), ("cat", 3))]
    choices = [surrender("ana", 5), war("cat", 3), surrender("ben", 1), surrender("cat", 3), surrender("ana", 5)]
    played = play("ca", "2c Kh Ks Kc Kd", bank(), *bets, deal(), *choices)
    assert played.refusals == [(5, "not_asked_yet"), (6, "not_asked_yet")]
    assert [line[0] for line in played.settlements()] == ["ben", "cat", "ana"]


@clause("CA-STD-2b", "CA-RP-3b-i", "CA-DEF-WW", "CA-STD-2c", "CA-RP-3b-ii")
def test_war_takes_as_much_again_from_the_player_and_as_much_from_the_bank() -> None:
    acts = [bank(), bet("ana", 1, "initial", 3000), deal(), war("ana", 1)]
    played = play("ca", "2c Kh Kd", *acts)
    table = played.replayed.table
    assert table.bank is not None
    declared = [(one["amount"], one["match"]) for one in played.events("war_declared")]
    assert declared == [(3000, 3000)]
    assert {"CA-STD-2b", "CA-RP-3b-i", "CA-DEF-WW", "CA-STD-2c", "CA-RP-3b-ii"} == set(
        played.events("war_declared")[0]["clauses"]
    )
    assert (played.gain("ana"), table.bank.chips, table.escrow) == (-2 * 3000, 50_000 - 3000, 3 * 3000)


@clause("CA-RP-3b-i", "CA-DEF-WW")
def test_who_cannot_put_as_much_again_cannot_go_to_war() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), surrender("ana", 1)]
    played = play("ca", "2c Kh Kd", *acts, players={"ana": 1999, "dan": 100_000})
    assert played.refusals == [(3, "insufficient_funds")]
    assert played.balances == {"ana": 1999 - 500, "dan": 100_000 + 500, "house": 0}


@clause("CA-DEF-WW", "CA-BS-1")
def test_a_war_wager_is_outside_the_maximum_unless_the_operator_counts_it() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1)]
    limits = {"maximum": 1999}
    assert play("ca", "2c Kh Kd", *acts, limits=limits).refusals == []
    counted = play("ca", "2c Kh Kd", *acts, limits=limits, options={"war.exempt": False})
    assert counted.refusals == [(3, "wager_above_maximum")]
    assert play("ca", "2c Kh Kd", *acts, limits={"maximum": 2000}, options={"war.exempt": False}).refusals == []


@clause("CA-RP-7a", "CA-STD-2f", "CA-RP-8a", "CA-STD-2g")
def test_a_lost_war_gives_all_three_units_to_the_bank() -> None:
    """One of the three was the bank's own, so it is two up."""
    played = war_of_ana("8h 9d")
    assert money(played, "initial") == money(played, "war") == ("lose", None, 0, 0)
    assert (played.gain("ana"), played.gain("dan"), played.balances["house"]) == (-2000, 2000, 0)


@clause("CA-RP-7b", "CA-STD-2f", "CA-STD-2g", "CA-PO-3", "CA-RP-8b", "CA-RP-5b")
def test_a_won_war_brings_the_three_units_of_which_two_were_the_players() -> None:
    """The primary wager goes into the pot and is not lost to the bank (AMB-2)."""
    played = war_of_ana("9h 8d")
    assert money(played, "initial") == ("push", None, 0, 1000)
    assert money(played, "war") == ("win", "1:1", 1000, 1000)
    assert {"CA-RP-7b", "CA-RP-5b"} <= set(played.line("ana", "initial")["clauses"])
    assert {"CA-RP-7b", "CA-STD-2f", "CA-STD-2g", "CA-PO-3"} <= set(played.line("ana", "war")["clauses"])
    received = sum(sum(money(played, wager)[2:]) for wager in ("initial", "war"))
    assert received == 3 * 1000
    assert (played.gain("ana"), played.gain("dan")) == (3000 - 2000, -1000)


@clause("CA-RP-7c", "CA-STD-2h", "CA-PO-3", "CA-RP-8b", "CA-RP-5b")
def test_a_tied_war_brings_the_three_units_and_one_more() -> None:
    played = war_of_ana("9h 9d")
    assert money(played, "initial") == ("push", None, 0, 1000)
    assert money(played, "war") == ("win", "2:1", 2000, 1000)
    assert {"CA-RP-7c", "CA-STD-2h", "CA-PO-3"} <= set(played.line("ana", "war")["clauses"])
    received = sum(sum(money(played, wager)[2:]) for wager in ("initial", "war"))
    assert received == 4 * 1000
    assert (played.gain("ana"), played.gain("dan")) == (4000 - 2000, -2000)


@clause("CA-RP-1")
def test_the_first_pass_goes_clockwise_and_settles_primary_then_tie_of_each_bettor() -> None:
    """At a seat the seated player comes first, then those behind as they came (AMB-12)."""
    bets = [
        bet("cat", 3, "initial", 500),
        bet("cat", 3, "tie", 500),
        bet("ana", 1, "initial", 500),
        bet("ana", 1, "tie", 500),
        bet("ben", 1, "initial", 1000),
        bet("ben", 1, "tie", 1000),
    ]
    played = play("ca", "2c Kh 3h 9d", act("seat_player", player="ben", box=1), bank(), *bets, deal())
    assert played.settlements() == [
        ("ben", 1, "initial", "win", 1000),
        ("ben", 1, "tie", "lose", -1000),
        ("ana", 1, "initial", "win", 500),
        ("ana", 1, "tie", "lose", -500),
        ("cat", 3, "initial", "lose", -500),
        ("cat", 3, "tie", "lose", -500),
    ]


@clause("CA-RP-7")
def test_wars_are_settled_clockwise() -> None:
    bets = [bet(player, box, "initial", 1000) for player, box in (("ana", 5), ("ben", 1), ("cat", 3))]
    wars = [war("ben", 1), war("cat", 3), war("ana", 5)]
    played = play("ca", "2c Kh Ks Kc Kd 3c 4c 5c 8h 9h Th 9d", bank(), *bets, deal(), *wars, deal())
    assert [line[:4] for line in played.settlements()] == [
        ("ben", 1, "initial", "lose"),
        ("ben", 1, "war", "lose"),
        ("cat", 3, "initial", "push"),
        ("cat", 3, "war", "win"),
        ("ana", 5, "initial", "push"),
        ("ana", 5, "war", "win"),
    ]
    assert played.gain("dan") == 2 * 1000 - 2 * 1000 - 1000


@clause("CA-DEF-TW", "CA-STD-3b", "CA-PO-2")
def test_the_tie_wager_looks_at_the_first_cards_unless_the_operator_offers_it_on_the_war_too() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_tie", 500), deal()]
    shoe = "2c Kh Kd 3c 4c 5c"
    usual = play("ca", f"{shoe} 9h 9d", *acts)
    assert usual.refusals == [(4, "wager_not_offered")]
    assert set(usual.refusal_clauses[0]) == {"CA-DEF-TW", "CA-STD-3b"}
    assert usual.gain("ana") == 2000
    tied = play("ca", f"{shoe} 9h 9d", *acts, options={"wager.war_tie": True})
    assert money(tied, "war_tie") == ("win", "10:1", 5000, 500)
    assert (tied.gain("ana"), tied.gain("dan")) == (2000 + 5000, -7000)
    won = play("ca", f"{shoe} 9h 8d", *acts, options={"wager.war_tie": True})
    assert money(won, "war_tie") == ("lose", None, 0, 0)
    assert (won.gain("ana"), won.gain("dan")) == (1000 - 500, -500)


@clause("CA-DEF-TW")
def test_a_tie_wager_on_the_war_goes_with_a_war_wager_of_ones_own() -> None:
    bets = [bank(), bet("ana", 1, "initial", 1000), bet("ben", 1, "initial", 1000), deal()]
    acts = [bet("ana", 1, "war_tie", 500), war("ana", 1), surrender("ben", 1), bet("ben", 1, "war_tie", 500)]
    played = play("ca", "2c Kh Kd", *bets, *acts, options={"wager.war_tie": True})
    assert played.refusals == [(4, "no_war_wager"), (7, "no_war_wager")]


@clause("CA-STD-3c", "CA-RP-1c")
@pytest.mark.parametrize("second", ["9h 8d", "9h 9d", "8h 9d"])
def test_the_war_does_not_touch_a_tie_wager(second: str) -> None:
    bets = [bank(), bet("ana", 1, "initial", 1000), bet("ana", 1, "tie", 500)]
    played = play("ca", f"2c Kh Kd 3c 4c 5c {second}", *bets, deal(), war("ana", 1), deal())
    assert played.line("ana", "tie")["net"] == 10 * 500


@pytest.mark.parametrize(
    ("wager", "name"),
    [
        pytest.param("initial", "Primary", marks=clause("CA-DEF-PRIM")),
        pytest.param("war", "War", marks=clause("CA-DEF-WW")),
        pytest.param("tie", "Tie", marks=clause("CA-DEF-TW", "CA-TAB-3")),
        pytest.param("war_tie", "Tie", marks=clause("CA-DEF-TW")),
    ],
)
def test_the_wagers_have_their_names(wager: str, name: str) -> None:
    assert getattr(load_rulebook("ca").names, wager) == name


@clause("CA-DEF-RND", "CA-STD-2g")
def test_a_round_runs_from_its_first_wager_to_the_last_settlement() -> None:
    """Then the next one begins, with a bank and wagers of its own."""
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    played = play("ca", "2c Kh Kd 3c 4c 5c 9h 8d 3h 4d", *acts, bank(), bet("ana", 1, "initial", 1000), deal())
    assert [one["number"] for one in played.data["rounds"]] == [1, 2]
    assert played.settlements(1) == [("ana", 1, "initial", "push", 0), ("ana", 1, "war", "win", 1000)]
    assert played.settlements(2) == [("ana", 1, "initial", "lose", -1000)]
    assert [one["net"] for one in played.data["rounds"]] == [
        {"dan": -1000, "ana": 1000, "house": 0},
        {"dan": 1000, "ana": -1000, "house": 0},
    ]
