"""California: how far the bank's stake covers what the others win, and what becomes of the rest.

What holds under every model is played as the book stands; the models of the first reading are set where they differ.
What `covered` alone does is in `test_covered.py`.
"""

import pytest

from tests.clauses.ca.bank import bank
from tests.support.rounds import Act, Played, bet, deal, play, surrender, war

PAYOFF_CAP: dict[str, object] = {"bank.model": "payoff_cap"}
REVOLVING: dict[str, object] = {"bank.model": "revolving"}
ACTION_CAP: dict[str, object] = {"bank.model": "action_cap"}
COLLECT_LOSERS: dict[str, object] = {"bank.after_exhaustion": "collect_losers"}


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


def round_of(cards: str, stake: int, *bets: Act, options: dict[str, object] | None = None) -> Played:
    """A round without ties; `cards` in the order of the boxes, then the bank's."""
    return play("ca", f"2c {cards}", bank(stake=stake), *bets, deal(), options=options, limits={})


def nets(played: Played) -> list[tuple[str, str, str, int]]:
    return [(player, wager, outcome, net) for player, _, wager, outcome, net in played.settlements()]


def result_of_bank(played: Played) -> int:
    """What the bank won or lost, with all players' money accounted for and none of it the house's."""
    assert sum(played.gain(player) for player in ("ana", "ben", "cat", "dan")) == 0
    assert played.balances["house"] == 0
    return played.gain("dan")


WORKED = [bet("ana", 1, "initial", 6000), bet("ben", 2, "initial", 5000), bet("cat", 3, "initial", 8000)]
"""The worked example of AMB-11, against a bank of 10,000: box 1 wins, box 2 loses, box 3 wins."""


@clause("CA-BS-5a", "CA-RP-2a", "CA-RP-2b", "CA-RP-9b", "CA-RP-9a")
def test_payoffs_are_capped_by_the_stake_and_what_is_collected_adds_nothing() -> None:
    played = round_of("Kh 5c Kd 9d", 10_000, *WORKED, options=PAYOFF_CAP)
    assert nets(played) == [
        ("ana", "initial", "win", 6000),
        ("ben", "initial", "lose", -5000),
        ("cat", "initial", "win", 4000),
    ]
    assert played.line("cat", "initial")["returned"] == 8000
    assert played.line("cat", "initial")["clauses"][-2:] == ["CA-BS-5a", "CA-RP-9b"]
    assert "CA-RP-2a" not in played.line("cat", "initial")["clauses"]
    assert result_of_bank(played) == -6000 + 5000 - 4000


@clause("CA-BS-5a", "CA-RP-9b")
def test_a_revolving_bank_pays_from_what_it_collects_as_well() -> None:
    played = round_of("Kh 5c Kd 9d", 10_000, *WORKED, options=REVOLVING)
    assert nets(played) == [
        ("ana", "initial", "win", 6000),
        ("ben", "initial", "lose", -5000),
        ("cat", "initial", "win", 8000),
    ]
    assert result_of_bank(played) == -6000 + 5000 - 8000


@clause("CA-BS-5a", "CA-RP-9b")
def test_under_an_action_cap_a_collected_wager_uses_up_the_stake_too() -> None:
    played = round_of("Kh 5c Kd 9d", 10_000, *WORKED, options=ACTION_CAP)
    assert nets(played) == [
        ("ana", "initial", "win", 6000),
        ("ben", "initial", "lose", -(10_000 - 6000)),
        ("cat", "initial", "returned", 0),
    ]
    assert played.line("ben", "initial")["returned"] == 5000 - 4000
    assert result_of_bank(played) == -6000 + 4000


@clause("CA-BS-5a")
@pytest.mark.parametrize(("options", "paid"), [({}, 1000), (REVOLVING, 1000 + 2000)])
def test_what_is_collected_helps_only_those_who_come_after_it(options: dict[str, object], paid: int) -> None:
    loser, winner = ("ana", 2000), ("ben", 4000)
    after = round_of(
        "5c Kd 9d",
        1000,
        bet(loser[0], 1, "initial", loser[1]),
        bet(winner[0], 2, "initial", winner[1]),
        options=options,
    )
    assert after.line("ben", "initial")["paid"] == paid
    before = round_of(
        "Kd 5c 9d",
        1000,
        bet(winner[0], 1, "initial", winner[1]),
        bet(loser[0], 2, "initial", loser[1]),
        options=options,
    )
    assert nets(before) == [("ben", "initial", "win", 1000), ("ana", "initial", "returned", 0)]
    assert result_of_bank(before) == -1000


@clause("CA-BS-5b")
@pytest.mark.parametrize(
    ("options", "lost", "paid_last"),
    [
        ({}, 0, 0),
        (PAYOFF_CAP, 0, 0),
        (PAYOFF_CAP | COLLECT_LOSERS, 1000, 0),
        (REVOLVING, 0, 0),
        (REVOLVING | COLLECT_LOSERS, 1000, 1000),
        (ACTION_CAP, 0, 0),
        (ACTION_CAP | COLLECT_LOSERS, 0, 0),
    ],
)
def test_with_nothing_left_the_rest_goes_back_or_losers_are_still_collected(
    options: dict[str, object], lost: int, paid_last: int
) -> None:
    """Box 1 uses up the bank. Where losers are still collected, only a revolving bank pays with what it collects;
    under an action cap there is no stake left to collect against."""
    bets = bet("ana", 1, "initial", 6000), bet("ben", 2, "initial", 1000), bet("cat", 3, "initial", 2000)
    played = round_of("Kh 5c Kd 9d", 5000, *bets, options=options)
    assert nets(played) == [
        ("ana", "initial", "win", 5000),
        ("ben", "initial", "lose" if lost else "returned", -lost),
        ("cat", "initial", "win" if paid_last else "returned", paid_last),
    ]
    assert result_of_bank(played) == -5000 + lost - paid_last


@clause("CA-BS-5b")
def test_a_returned_wager_goes_back_whole_and_says_why() -> None:
    played = round_of("Kh Kd 9d", 5000, bet("ana", 1, "initial", 5000), bet("ben", 2, "initial", 1000))
    line = played.line("ben", "initial")
    assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == ("returned", None, 0, 1000)
    assert line["clauses"] == ["CA-BS-5b"]


@clause("CA-BS-5b", "CA-RP-1")
@pytest.mark.parametrize(("options", "tie"), [({}, 0), (PAYOFF_CAP, 0), (PAYOFF_CAP | COLLECT_LOSERS, -300)])
def test_at_a_seat_a_bettors_primary_comes_before_the_tie_and_then_the_next_bettor(
    options: dict[str, object], tie: int
) -> None:
    """Ana's primary takes the whole bank, so her tie wager, which loses, and Ben behind her find nothing left."""
    bets = bet("ana", 1, "initial", 1000), bet("ben", 1, "initial", 500), bet("ana", 1, "tie", 300)
    played = round_of("Kh 9d", 1000, *bets, options=options)
    assert nets(played) == [
        ("ana", "initial", "win", 1000),
        ("ana", "tie", "lose" if tie else "returned", tie),
        ("ben", "initial", "returned", 0),
    ]


@clause("CA-BS-5b", "CA-RP-9b")
def test_tie_wagers_are_paid_seat_by_seat_as_far_as_the_bank_reaches() -> None:
    """With 7,000 the first tie takes 5,000 and the second gets 2,000; nothing is left to match a war."""
    bets = [bet(player, 1, wager, 500) for player in ("ana", "ben") for wager in ("initial", "tie")]
    played = play("ca", "2c Kh Kd", bank(stake=7000), *bets, deal(), war("ana", 1), surrender("ben", 1))
    assert nets(played) == [
        ("ana", "tie", "win", 10 * 500),
        ("ben", "tie", "win", 7000 - 5000),
        ("ana", "initial", "returned", 0),
        ("ben", "initial", "returned", 0),
    ]
    assert played.refusals == [(6, "no_decision"), (7, "no_decision")]
    assert played.events("war_offered") == []
    assert result_of_bank(played) == -7000


@clause("CA-RP-9a")
def test_a_bank_of_a_single_unit_may_face_the_largest_wager() -> None:
    played = play("ca", "2c Kh 9d", bank(stake=1), bet("ana", 1, "initial", 50_000), deal())
    assert played.refusals == []
    assert (played.gain("ana"), result_of_bank(played)) == (1, -1)


@clause("CA-RP-9a", "CA-RP-2a")
@pytest.mark.parametrize(("options", "taken"), [({}, 1), (PAYOFF_CAP, 50_000), (REVOLVING, 50_000), (ACTION_CAP, 1)])
def test_what_a_small_bank_takes_of_a_large_losing_wager(options: dict[str, object], taken: int) -> None:
    acts = [bank(stake=1), bet("ana", 1, "initial", 50_000), deal()]
    assert result_of_bank(play("ca", "2c 5h 9d", *acts, options=options)) == taken


@clause("CA-RP-9e")
def test_the_table_maximum_does_not_bind_the_bank() -> None:
    played = play("ca", "2c Kh 9d", bank(stake=100_000), bet("ana", 1, "initial", 500), deal(), limits={"maximum": 500})
    assert played.refusals == []
    assert [one["stake"] for one in played.events("bank_accepted")] == [100_000]


# War: what the bank puts beside each war wager, AMB-13.


def two_wars(second: str, stake: int, ana: int, ben: int, options: dict[str, object] | None = None) -> Played:
    """Ana on box 1 and Ben on box 2 tie and go to war; `second` are the war cards, the bank's last."""
    acts = [bank(stake=stake), bet("ana", 1, "initial", ana), bet("ben", 2, "initial", ben), deal()]
    acts += [war("ana", 1), war("ben", 2), deal()]
    return play("ca", f"2c Kh Ks Kd 3c 4c 5c {second}", *acts, options=options, limits={})


@clause("CA-STD-2c", "CA-RP-3b-ii")
def test_matches_are_set_aside_clockwise_and_the_last_may_be_partial() -> None:
    """2,500 match Ana's 2,000 and 500 of Ben's 1,000: he plays for 500 and has the other 500 back."""
    played = two_wars("Th Th 9d", 2500, 2000, 1000)
    assert [(one["player"], one["amount"], one["match"]) for one in played.events("war_declared")] == [
        ("ana", 2000, 2000),
        ("ben", 500, 500),
    ]
    line = played.line("ben", "initial")
    assert (line["amount"], line["placed"], line["outcome"], line["returned"]) == (500, 1000, "push", 500)
    assert nets(played)[1::2] == [("ana", "war", "win", 2000), ("ben", "war", "win", 500)]
    assert result_of_bank(played) == -2500


@clause("CA-STD-2c", "CA-RP-3b-ii", "CA-RP-7a")
def test_a_partly_matched_war_is_lost_for_the_matched_amount_alone() -> None:
    played = two_wars("Th 5h 9d", 2500, 2000, 1000)
    assert played.gain("ben") == -2 * 500
    assert result_of_bank(played) == -2000 + 2 * 500


@clause("CA-RP-3b-ii", "CA-STD-2c")
def test_who_goes_first_decides_who_is_matched() -> None:
    acts = [bank(stake=2500), bet("ana", 1, "initial", 2000), bet("ben", 2, "initial", 1000), deal()]
    played = play("ca", "2c Kh Ks Kd", *acts, surrender("ana", 1), war("ben", 2))
    assert [(one["player"], one["match"]) for one in played.events("war_declared")] == [("ben", 1000)]


@clause("CA-RP-3b-ii", "CA-BS-5b")
def test_with_nothing_left_to_match_the_primary_goes_back_and_there_is_no_choice() -> None:
    played = two_wars("Th 9d", 2000, 2000, 1000)
    assert played.refusals == [(5, "no_decision")]
    assert nets(played) == [
        ("ben", "initial", "returned", 0),
        ("ana", "initial", "push", 0),
        ("ana", "war", "win", 2000),
    ]
    assert played.dealt().endswith("burn 5c, box 1 Th, dealer 9d")
    assert result_of_bank(played) == -2000


@clause("CA-RP-3b-ii", "CA-RP-1")
def test_a_war_is_matched_with_what_the_whole_first_pass_left() -> None:
    acts = [bank(stake=3000), bet("ana", 1, "initial", 2000), bet("ben", 2, "initial", 2000), deal(), war("ana", 1)]
    played = play("ca", "2c Kh Ah Kd", *acts)
    assert [(one["amount"], one["match"]) for one in played.events("war_declared")] == [(1000, 3000 - 2000)]
    assert played.gain("ana") == -2 * 1000


@clause("CA-RP-3b-ii")
@pytest.mark.parametrize(("options", "match"), [(PAYOFF_CAP, 1000), (REVOLVING, 2000), (ACTION_CAP, 0)])
def test_half_of_a_surrendered_wager_can_match_a_war_only_where_the_bank_revolves(
    options: dict[str, object], match: int
) -> None:
    """Under an action cap the 1,000 that Ana gives up use the stake up."""
    acts = [bank(stake=1000), bet("ana", 1, "initial", 2000), bet("ben", 2, "initial", 2000), deal()]
    played = play("ca", "2c Kh Ks Kd", *acts, surrender("ana", 1), war("ben", 2), options=options)
    assert [one["match"] for one in played.events("war_declared")] == ([match] if match else [])
    assert played.gain("ana") == -1000


@clause("CA-RP-7c", "CA-STD-2h")
def test_the_extra_unit_of_a_tied_war_is_paid_from_what_is_left() -> None:
    """The match is safe; of the fourth unit only 500 are there."""
    acts = [bank(stake=1500), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    played = play("ca", "2c Kh Kd 3c 4c 5c 9h 9d", *acts)
    line = played.line("ana", "war")
    assert (line["outcome"], line["odds"], line["paid"]) == ("win", "2:1", 1000 + 500)
    assert result_of_bank(played) == -1500


@clause("CA-RP-7c", "CA-RP-8a")
def test_the_match_of_a_lost_war_is_free_for_the_extra_unit_of_a_later_seat() -> None:
    played = two_wars("5h 9h 9d", 2000, 1000, 1000)
    assert (played.gain("ana"), played.gain("ben")) == (-2000, 2000)
    assert result_of_bank(played) == 0


@clause("CA-RP-7c", "CA-RP-7")
def test_the_match_of_a_later_seat_is_safe_from_the_extra_unit_of_an_earlier_one() -> None:
    """Ana's war ties with nothing left beyond the matches: her three units and no fourth. Ben's is all there."""
    both = two_wars("9h 9s 9d", 2000, 1000, 1000)
    assert (both.gain("ana"), both.gain("ben")) == (1000, 1000)
    lost_later = two_wars("9h 5s 9d", 2000, 1000, 1000)
    assert (lost_later.gain("ana"), lost_later.gain("ben")) == (1000, -2000)


@clause("CA-BS-5a")
@pytest.mark.parametrize(
    ("options", "extra"),
    [({}, 1000), (REVOLVING, 1000 + 2 * 1000), (ACTION_CAP, 0)],
)
def test_a_lost_war_pays_later_seats_as_the_model_says(options: dict[str, object], extra: int) -> None:
    """Ben's tied war over 5,000 wants 5,000 more; after Ana's loss her match is free, and hers too if it revolves."""
    played = two_wars("5h 9h 9d", 6000, 1000, 5000, options)
    assert played.gain("ben") == 5000 + extra
    assert result_of_bank(played) == 2 * 1000 - 5000 - extra


@clause("CA-RP-3b-ii", "CA-DEF-WW")
def test_a_partly_matched_war_needs_no_more_of_the_player_than_the_match() -> None:
    """The bank has 300 left, so war over Ana's primary of 1,000 is war over 300, which she has."""
    acts = [bank(stake=300), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), deal()]
    played = play("ca", "2c Kh Kd 3c 4c 5c Th 9d", *acts, players={"ana": 1500, "dan": 1000}, limits={})
    assert played.refusals == []
    assert played.balances == {"ana": 1500 + 300, "dan": 1000 - 300, "house": 0}


@clause("CA-DEF-TW", "CA-BS-5b")
@pytest.mark.parametrize(("options", "lost"), [({}, 0), (PAYOFF_CAP, 0), (PAYOFF_CAP | COLLECT_LOSERS, 500)])
def test_a_tie_wager_on_the_war_is_covered_after_the_war_wager(options: dict[str, object], lost: int) -> None:
    acts = [bank(stake=1000), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), bet("ana", 1, "war_tie", 500)]
    war_tie = {"wager.war_tie": True}
    won = play("ca", "2c Kh Kd 3c 4c 5c Th 9d", *acts, deal(), options=war_tie | options)
    assert nets(won) == [
        ("ana", "initial", "push", 0),
        ("ana", "war", "win", 1000),
        ("ana", "war_tie", "lose" if lost else "returned", -lost),
    ]
    tied = play("ca", "2c Kh Kd 3c 4c 5c 9h 9d", *acts, deal(), options=war_tie | options)
    assert nets(tied)[1:] == [("ana", "war", "win", 1000), ("ana", "war_tie", "returned", 0)]


@clause("CA-RP-9d", "CA-RP-9c", "CA-RP-8a", "CA-RP-8b")
@pytest.mark.parametrize(
    ("options", "tie"),
    [
        # 13,000 less 7,770 for Ana's tie and 1,234 for Ben leave 3,996, which cover 399 of a tie wager at 10 to 1.
        ({}, {"ben": 399, "cat": 399}),
        (PAYOFF_CAP, {"ben": 1234, "cat": 999}),
    ],
)
def test_the_house_has_no_part_in_what_changes_hands(options: dict[str, object], tie: dict[str, int]) -> None:
    """Every chip that one player loses is another player's, with wins, losses, ties, wars and a bank that runs out."""
    bets = [
        *(bet("ana", 1, wager, 777) for wager in ("initial", "tie")),
        *(bet("ben", 2, wager, 1234) for wager in ("initial", "tie")),
        *(bet("cat", 3, wager, 999) for wager in ("initial", "tie")),
    ]
    acts = [bank(stake=13_000), *bets, deal(), war("ana", 1), deal()]
    played = play("ca", "2c Kh Ah 5s Kd 3c 4c 5c 5h 9d", *acts, options=options, limits={})
    assert played.refusals == []
    assert played.data["rounds"][0]["net"] == {
        "dan": -10 * 777 - 1234 + tie["ben"] + 999 + tie["cat"] + 2 * 777,
        "ana": 10 * 777 - 2 * 777,
        "ben": 1234 - tie["ben"],
        "cat": -999 - tie["cat"],
        "house": 0,
    }
    assert result_of_bank(played) == {399: -5653, 1234: -4218}[tie["ben"]]
