"""California as the book stands: only as much of a wager is in play as what is left of the bank's stake could pay."""

from pathlib import Path
from typing import Any

import pytest

from casinowar.engine import commands as c
from casinowar.engine.view import Viewer, view
from casinowar.engine.view.procedure import procedure
from casinowar.rulebooks import RulebookError, load_rulebook
from tests.clauses.ca.bank import bank
from tests.support.rounds import Act, Played, act, bet, deal, play, surrender, war


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


def round_of(cards: str, stake: int, *acts: Act, **more: Any) -> Played:
    return play("ca", f"2c {cards}", bank(stake=stake), *acts, limits={}, **more)


def money(played: Played, player: str, wager: str = "initial") -> tuple[str, int, int | None, int, int]:
    """(outcome, amount, placed, paid, returned) of one settlement line."""
    line = played.line(player, wager)
    return line["outcome"], line["amount"], line.get("placed"), line["paid"], line["returned"]


@clause("CA-BS-5a", "CA-BS-5b", "CA-RP-2a", "CA-RP-2b", "CA-RP-9b")
def test_the_worked_example_of_the_bank() -> None:
    """100: seat 1 wins 60, seat 2 loses 50, seat 3 wins 80. Paid 60; 40 lost and 10 back; paid 40; the bank at -60."""
    bets = bet("ana", 1, "initial", 60), bet("ben", 2, "initial", 50), bet("cat", 3, "initial", 80)
    played = round_of("Kh 5c Kd 9d", 100, *bets, deal())
    assert money(played, "ana") == ("win", 60, None, 60, 60)
    assert money(played, "ben") == ("lose", 40, 50, 0, 0)
    assert money(played, "cat") == ("win", 40, 80, 40, 40)
    assert played.data["rounds"][0]["net"] == {"dan": -60, "ana": 60, "ben": -40, "cat": 40, "house": 0}
    assert played.line("ben", "initial")["clauses"] == ["CA-RP-1a", "CA-BS-5b"]
    assert played.line("cat", "initial")["clauses"][-2:] == ["CA-BS-5a", "CA-RP-9b"]
    (bank_back,) = played.events("bank_returned")
    assert (bank_back["amount"], bank_back["net"]) == (40, -60)


@clause("CA-BS-5b", "CA-RP-2a")
@pytest.mark.parametrize(("stake", "lost"), [(9, 0), (10, 1), (19, 1), (20, 2), (29, 2), (30, 3), (31, 3), (1000, 3)])
def test_a_tie_wager_loses_at_most_a_tenth_of_what_is_left(stake: int, lost: int) -> None:
    """Ana bets 1 on the primary, which loses 1 and leaves the stake as it is, and 3 on the tie at 10 to 1."""
    played = round_of("5h 9d", stake, bet("ana", 1, "initial", 1), bet("ana", 1, "tie", 3), deal())
    outcome = ("returned", 3, None, 0, 3) if not lost else ("lose", lost, None if lost == 3 else 3, 0, 0)
    assert money(played, "ana", "tie") == outcome
    assert played.gain("ana") == -1 - lost
    if not lost:
        assert played.line("ana", "tie")["clauses"] == ["CA-BS-5b"]


@clause("CA-BS-5a", "CA-RP-9b", "CA-RP-1c")
@pytest.mark.parametrize(("stake", "in_play"), [(5, 1), (10, 1), (11, 2), (25, 3), (29, 3)])
def test_a_tie_wager_that_wins_is_paid_all_that_is_left(stake: int, in_play: int) -> None:
    """3 at 10 to 1 want 30; of the wager as much is in play as the payment takes, and nothing is left for a war."""
    played = round_of("9h 9d", stake, bet("ana", 1, "initial", 7), bet("ana", 1, "tie", 3), deal())
    assert money(played, "ana", "tie") == ("win", in_play, None if in_play == 3 else 3, stake, in_play)
    assert money(played, "ana") == ("returned", 7, None, 0, 7)
    assert played.events("war_offered") == []
    assert (played.gain("ana"), played.gain("dan")) == (stake, -stake)


@clause("CA-BS-5a", "CA-RP-2a")
def test_seven_losers_lose_no_more_than_the_stake_each_and_do_not_refill_it() -> None:
    """A bank of 1 takes 1 of each, where it once collected 7,000."""
    players = {**{f"p{box}": 1000 for box in range(1, 8)}, "dan": 1}
    bets = [bet(f"p{box}", box, "initial", 1000) for box in range(1, 8)]
    cards = "5c 5d 5h 5s 4c 4d 4h 9d"
    played = round_of(cards, 1, *bets, deal(), players=players)
    assert played.balances == {**{f"p{box}": 999 for box in range(1, 8)}, "dan": 8, "house": 0}


# War and surrender are on the part that can be matched.


def tied(stake: int, initial: int, *acts: Act, second: str = "5h 8d", **more: Any) -> Played:
    return round_of(f"9h 9d 3c 4c 5c {second}", stake, bet("ana", 1, "initial", initial), deal(), *acts, **more)


@clause("CA-RP-3a-i", "CA-RP-3a-ii", "CA-BS-5b")
@pytest.mark.parametrize(("stake", "half"), [(30, 15), (7, 3), (1, 0), (100, 50), (99, 49)])
def test_a_surrender_gives_up_half_of_the_covered_part(stake: int, half: int) -> None:
    played = tied(stake, 100, surrender("ana", 1))
    assert money(played, "ana") == ("surrender", stake, None if stake == 100 else 100, 0, stake - half)
    assert (played.gain("ana"), played.gain("dan")) == (-half, half)


@clause("CA-RP-3b-i", "CA-RP-3b-ii", "CA-BS-5b")
@pytest.mark.parametrize(("second", "gain"), [("5h 8d", -60), ("Th 8d", 30), ("8h 8d", 30)])
def test_a_war_is_over_the_covered_part(second: str, gain: int) -> None:
    """Of 100 the bank's 30 match 30; a tied war wants 30 more, and there is nothing left."""
    played = tied(30, 100, war("ana", 1), deal(), second=second)
    assert [(one["placed"], one["amount"]) for one in played.events("match_limited")] == [(100, 30)]
    assert [(one["amount"], one["match"]) for one in played.events("war_declared")] == [(30, 30)]
    assert (played.line("ana", "initial")["amount"], played.line("ana", "initial")["placed"]) == (30, 100)
    assert (played.line("ana", "war")["amount"], "placed" in played.line("ana", "war")) == (30, False)
    assert (played.gain("ana"), played.gain("dan")) == (gain, -gain)


@clause("CA-RP-3b-i", "CA-BS-5b")
def test_what_went_back_goes_back_before_the_choice_and_may_pay_for_the_war() -> None:
    """Ana puts down all her 100; 70 of it come back before she chooses, and 30 of those are her war wager."""
    asked = tied(30, 100, players={"ana": 100, "dan": 30})
    assert asked.balances["ana"] == 70
    assert [event["name"] for event in asked.data["events"]][-2:] == ["match_limited", "war_offered"]
    (cut,) = asked.events("match_limited")
    assert cut["clauses"] == ["CA-BS-5b", "CA-STD-2c", "CA-RP-3b-ii"]
    fought = tied(30, 100, war("ana", 1), deal(), players={"ana": 100, "dan": 30}, second="Th 8d")
    assert fought.refusals == []
    assert fought.balances == {"ana": 130, "dan": 0, "house": 0}


@clause("CA-RP-3b-i")
def test_a_player_who_has_too_little_left_for_the_war_still_surrenders() -> None:
    played = tied(60, 100, war("ana", 1), surrender("ana", 1), players={"ana": 100, "dan": 60})
    assert played.refusals == [(3, "insufficient_funds")]
    assert played.balances == {"ana": 40 + 30, "dan": 90, "house": 0}


@clause("CA-RP-3", "CA-BS-5b")
def test_with_nothing_left_nobody_is_asked_and_the_whole_primary_goes_back() -> None:
    bets = bet("ana", 1, "initial", 50), bet("ben", 2, "initial", 40)
    played = round_of("9h Kd 9d", 40, *bets, deal(), surrender("ana", 1), war("ana", 1))
    assert played.refusals == [(4, "no_decision"), (5, "no_decision")]
    assert money(played, "ana") == ("returned", 50, None, 0, 50)
    assert played.line("ana", "initial")["clauses"] == ["CA-BS-5b"]
    assert played.events("war_offered") == []


def three_tied(stake: int, *acts: Act, second: str = "") -> Played:
    """Ana 50, Ben 40 and Cat 30 tie, in this order."""
    bets = bet("ana", 1, "initial", 50), bet("ben", 2, "initial", 40), bet("cat", 3, "initial", 30)
    return round_of(f"9h 9s 9c 9d 3c 4c 5c {second}", stake, *bets, deal(), *acts)


@clause("CA-RP-3", "CA-RP-3b-ii")
def test_each_is_cut_when_asked_by_what_those_before_have_left() -> None:
    """With 70: Ana's war takes 50, Ben plays for 20 of his 40, and Cat, for whom nothing is left, is not asked."""
    played = three_tied(70, war("ana", 1), war("ben", 2), surrender("cat", 3), deal(), second="Th Ts 8d")
    assert played.refusals == [(7, "no_decision")]
    assert [(one["player"], one["placed"], one["amount"]) for one in played.events("match_limited")] == [
        ("ben", 40, 20)
    ]
    assert money(played, "cat") == ("returned", 30, None, 0, 30)
    assert (played.gain("ana"), played.gain("ben"), played.gain("dan")) == (50, 20, -70)


@clause("CA-RP-3", "CA-RP-3a-i")
def test_a_surrender_leaves_the_stake_as_it_was_for_the_next() -> None:
    """With 35 each plays for at most 35: halves of 35, of 35 and of 30, and none of it can match a war."""
    played = three_tied(35, surrender("ana", 1), surrender("ben", 2), surrender("cat", 3))
    assert [(one["player"], one["amount"]) for one in played.events("match_limited")] == [("ana", 35), ("ben", 35)]
    assert [played.gain(player) for player in ("ana", "ben", "cat", "dan")] == [-17, -17, -15, 49]


@clause("CA-RP-7c", "CA-RP-8a")
def test_the_match_of_a_lost_war_is_free_again_for_the_extra_unit() -> None:
    """Ana loses her war over 50 and frees 50; Ben's tied war over 20 has all of its extra unit out of that."""
    played = three_tied(70, war("ana", 1), war("ben", 2), deal(), second="5h 8s 8d")
    assert (played.gain("ana"), played.gain("ben"), played.gain("dan")) == (-100, 40, 60)


@clause("CA-RP-3", "CA-DP-5")
def test_a_void_hand_makes_the_next_player_s_turn_and_cuts_it() -> None:
    """Ana's hand is void while she is asked: Ben is, and 35 match 35 of his 40."""
    void = act("void_hand", box=1, by="supervisor:s1", second="supervisor:s2")
    played = three_tied(35, void, surrender("ben", 2))
    assert [(one["player"], one["amount"]) for one in played.events("match_limited")] == [
        ("ana", 35),
        ("ben", 35),
    ]
    assert (played.gain("ana"), played.gain("ben"), played.gain("cat")) == (0, -17, -30)


@clause("CA-DEF-TW", "CA-BS-5b")
def test_a_tie_wager_on_the_war_loses_at_most_a_tenth_of_what_is_left() -> None:
    """60 match 35 and leave 25: 2 of the 3 on the war's tie. When the war is lost its match is free, and all 3 are."""
    acts = [war("ana", 1), bet("ana", 1, "war_tie", 3), deal()]
    options = {"wager.war_tie": True}
    won = tied(60, 35, *acts, second="Th 8d", options=options)
    assert money(won, "ana", "war_tie") == ("lose", 2, 3, 0, 0)
    assert won.gain("ana") == 35 - 2
    lost = tied(60, 35, *acts, second="5h 8d", options=options)
    assert money(lost, "ana", "war_tie") == ("lose", 3, None, 0, 0)


@clause("CA-BS-5b", "CA-RP-9c")
def test_a_void_round_gives_back_what_a_cut_left_in_play() -> None:
    bets = bet("ana", 1, "initial", 60), bet("ben", 2, "initial", 50), bet("cat", 3, "initial", 80)
    void = act("void_round", by="supervisor:s1", second="supervisor:s2")
    for cards in ("Kh 5c Kd 9d", "9h 5c Kd 9d"):
        played = round_of(cards, 100, *bets, deal(), void)
        assert played.refusals == []
        assert set(played.balances.values()) == {100_000, 0}


# What is told at the table.


def at_the_choice(stake: int = 70) -> Played:
    return three_tied(stake, war("ana", 1))


@clause("CA-RP-3")
def test_the_choice_is_shown_on_the_covered_part() -> None:
    """Ben has been cut to 20 and is asked; Cat would have to do with as much, if he surrendered."""
    played = at_the_choice()
    rules, table = played.replayed.rulebook, played.replayed.table
    seen = view(rules, table, Viewer("player", "ben"))
    assert [(one.player, one.war, one.back, one.can_now) for one in seen.choices] == [
        ("ben", 20, 10, True),
        ("cat", 20, 10, False),
    ]
    assert [box.wagers for box in seen.boxes[1:3]] == [(("ben", "initial", 20),), (("cat", "initial", 30),)]


@clause("CA-RP-2a", "CA-RP-2b", "CA-BS-5b")
def test_the_dealer_is_told_what_to_take_and_what_to_give_back() -> None:
    """Settled by hand: each wager is one act, what is not covered of it goes back with it, and a tied primary is cut
    before the offer."""
    rules = load_rulebook("ca")
    bets = bet("ana", 1, "initial", 60), bet("ben", 2, "initial", 50), bet("cat", 3, "initial", 80)
    table = round_of("Kh 5c Kd 9d", 100, *bets, deal(5)).replayed.table
    assert [(one.act, one.player, one.amount, one.returned) for one in procedure(rules, table)] == [
        ("pay", "ana", 60, 60),
        ("take", "ben", 40, 10),
        ("pay", "cat", 40, 80),
        ("end_round", None, 0, 0),
    ]
    table = round_of("9h 5c 9s 9d", 45, *bets, deal(5)).replayed.table
    steps = procedure(rules, table)
    assert [(one.act, one.player, one.amount, one.returned) for one in steps] == [
        ("take", "ben", 45, 5),
        ("give_back", "ana", 0, 15),
        ("offer", "ana", 0, 0),
        ("offer", "cat", 0, 0),
    ]
    assert all(one.command == c.Settle(wagers=1) for one in steps)


@clause("CA-BS-5b")
@pytest.mark.parametrize("model", [{}, {"bank.model": "covered"}])
def test_collecting_losers_belongs_to_the_older_models(model: dict[str, object]) -> None:
    """A covered bank has no losers to collect once it is used up; the option is refused rather than ignored."""
    with pytest.raises(RulebookError, match=r"allowed return_all with bank\.model = covered") as refused:
        load_rulebook("ca", {**model, "bank.after_exhaustion": "collect_losers"})
    assert "CA-BS-5b" in str(refused.value)
    assert load_rulebook("ca", {**model, "bank.after_exhaustion": "return_all"}).bank.model == "covered"
    for older in ("payoff_cap", "revolving", "action_cap"):
        assert load_rulebook("ca", {"bank.model": older}).bank.after_exhaustion == "return_all"
        collecting = load_rulebook("ca", {"bank.model": older, "bank.after_exhaustion": "collect_losers"})
        assert collecting.bank.after_exhaustion == "collect_losers"


@clause("CA-BS-5b")
def test_a_house_is_told_that_a_covered_bank_collects_no_losers(tmp_path: Path) -> None:
    """A house may change what the book fixes, but not into two rules that contradict each other."""
    house = tmp_path / "house.toml"
    text = 'extends = "ca"\ntitle = "House"\nversion = "1"\n[bank]\nafter_exhaustion = "collect_losers"\n'
    house.write_text(text)
    with pytest.raises(RulebookError, match=r"set bank\.model = payoff_cap beside it"):
        load_rulebook(str(house))
    house.write_text(text + 'model = "payoff_cap"\n')
    assert load_rulebook(str(house)).bank.after_exhaustion == "collect_losers"
