"""California: who may bank, for how long, to whom the bank goes next, and what a bank may not do."""

import tempfile
from pathlib import Path

import pytest

from tests.clauses.ca.bank import LONG_SHOE, bank, decline, relinquish, seat
from tests.support.rounds import Act, Played, act, bet, deal, play, war

SEATED = [seat("ana", 2), seat("ben", 5), seat("cat", 7)]


def clause(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.clause(*ids)


def round_banked_by(player: str, box: int, bettor: str, at: int) -> list[Act]:
    return [bank(player, box, 5000), bet(bettor, at, "initial", 1000), deal()]


ANA_BANKS = round_banked_by("ana", 2, "ben", 5)
BEN_BANKS = round_banked_by("ben", 5, "ana", 2)
CAT_BANKS = round_banked_by("cat", 7, "ana", 2)


def banks(played: Played) -> list[str]:
    return [event["player"] for event in played.events("bank_accepted")]


def play_seated(*acts: Act) -> Played:
    return play("ca", LONG_SHOE, *SEATED, *acts)


@clause("CA-DEF-PD-i", "CA-RP-9c")
def test_nobody_bets_before_somebody_banks() -> None:
    played = play("ca", "2c Kh 9d", bet("ana", 1, "initial", 1000), deal(), bank(), bet("ana", 1, "initial", 1000))
    assert played.refusals == [(0, "no_bank"), (1, "no_wager")]
    assert set(played.refusal_clauses[0]) == {"CA-RP-9c", "CA-DEF-PD-i"}
    assert (played.gain("ana"), played.gain("dan")) == (-1000, -50_000)


@clause("CA-DEF-PD-i")
def test_everybody_plays_against_the_banks_card() -> None:
    bets = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 2000), bet("cat", 3, "initial", 4000)]
    played = play("ca", "2c Kh 5h 9h 9d", bank(), *bets, deal(), act("surrender", player="cat", box=3))
    assert [played.gain(player) for player in ("ana", "ben", "cat")] == [1000, -2000, -2000]
    assert played.gain("dan") == -1000 + 2000 + 2000


@clause("CA-RP-9c", "CA-DEF-PD-i")
def test_the_bank_and_its_stake_lie_open() -> None:
    played = play("ca", "2c Kh 9d", bank(stake=7000), bet("ana", 1, "initial", 1000))
    lying = played.replayed.table.bank
    assert lying is not None
    assert (lying.player, lying.box, lying.stake, lying.chips) == ("dan", 8, 7000, 7000)
    assert [(one["player"], one["stake"]) for one in played.events("bank_accepted")] == [("dan", 7000)]


@clause("CA-BS-5a", "CA-RP-2a", "CA-RP-2b", "CA-RP-9d")
def test_what_is_left_of_the_stake_comes_back_with_what_was_collected() -> None:
    bets = [bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 3000)]
    played = play("ca", "2c Kh 5h 9d", bank(stake=7000), *bets, deal())
    (back,) = played.events("bank_returned")
    assert (back["amount"], back["net"]) == (7000 - 1000 + 3000, 2000)
    assert back["clauses"] == ["CA-BS-5a", "CA-RP-2a", "CA-RP-2b"]
    assert played.replayed.table.bank is None
    assert played.gain("dan") == 2000


@clause("CA-RP-9c")
def test_the_house_cannot_bank() -> None:
    acts = [bank("house", 8), act("decline_bank", player="house"), act("relinquish_bank", player="house")]
    played = play("ca", "2c", *acts)
    assert played.refusals == [(number, "house_cannot_bank") for number in range(3)]
    assert all("CA-RP-9c" in cited for cited in played.refusal_clauses)


@clause("CA-RP-9c", "CA-DEF-PD-ii")
@pytest.mark.parametrize("by", ["dealer:d1", "supervisor:s1", "operator:o1", "player:ana"])
def test_nobody_takes_the_bank_for_a_player(by: str) -> None:
    played = play("ca", "2c", {**bank(), "by": by}, {**bank(), "by": "player:dan"})
    assert played.refusals == [(0, "not_entitled")]
    assert banks(played) == ["dan"]


@clause("CA-DEF-PD-ii", "CA-RP-9a")
@pytest.mark.parametrize(("stake", "reason"), [(0, "amount_not_positive"), (-5, "amount_not_positive")])
def test_a_bank_stakes_something(stake: int, reason: str) -> None:
    played = play("ca", "2c", bank(stake=stake), bank(stake=1))
    assert played.refusals == [(0, reason)]
    assert played.gain("dan") == -1


@clause("CA-DEF-PD-ii")
def test_a_bank_stakes_no_more_than_it_has_and_sits_where_nobody_else_does() -> None:
    acts = [seat("ana", 2), bank("dan", 8, 100_001), bank("dan", 2, 100), bank("dan", 9, 100), bank("zoe", 8, 100)]
    played = play("ca", "2c", *acts, bank("dan", 8, 100), bank("ana", 2, 100))
    reasons = ["insufficient_funds", "seat_taken", "unknown_box", "unknown_player", "bank_taken"]
    assert [reason for _, reason in played.refusals] == reasons
    assert (banks(played), played.gain("dan"), played.gain("ana")) == (["dan"], -100, 0)


@clause("CA-STD-4", "CA-RP-10b")
def test_two_rounds_in_a_row_and_no_third() -> None:
    played = play_seated(*ANA_BANKS, *ANA_BANKS, bank("ana", 2, 5000), *BEN_BANKS)
    assert played.refusals == [(9, "bank_must_pass")]
    assert set(played.refusal_clauses[0]) == {"CA-STD-4", "CA-RP-10b"}
    assert banks(played) == ["ana", "ana", "ben"]
    assert (played.gain("ana"), played.gain("ben")) == (-2000 + 1000, 2000 - 1000)


@clause("CA-STD-4", "CA-RP-10b", "CA-RP-10a")
def test_the_same_bank_stays_for_the_second_round_if_it_likes() -> None:
    played = play_seated(*ANA_BANKS, bank("ben", 5, 5000), bank("cat", 7, 5000), *ANA_BANKS)
    assert played.refusals == [(6, "bank_not_offered"), (7, "bank_not_offered")]
    assert banks(played) == ["ana", "ana"]


@clause("CA-RP-10a", "CA-RP-10c", "CA-STD-4")
def test_the_bank_moves_clockwise_to_the_next_occupied_seat_and_round_the_table() -> None:
    acts = [*ANA_BANKS * 2, bank("cat", 7, 5000), *BEN_BANKS * 2, bank("ana", 2, 5000), *CAT_BANKS * 2]
    played = play_seated(*acts, bank("ben", 5, 5000), *ANA_BANKS)
    reasons = [(9, "bank_not_offered"), (16, "bank_not_offered"), (23, "bank_not_offered")]
    assert played.refusals == reasons
    assert all(set(cited) == {"CA-RP-10a", "CA-RP-10c"} for cited in played.refusal_clauses)
    assert banks(played) == ["ana", "ana", "ben", "ben", "cat", "cat", "ana"]
    assert [event["box"] for event in played.events("bank_accepted")] == [2, 2, 5, 5, 7, 7, 2]


@clause("CA-DEF-PD-ii", "CA-RP-10a")
def test_who_declines_is_passed_over() -> None:
    played = play_seated(*ANA_BANKS * 2, decline("ben"), bank("ben", 5, 5000), *CAT_BANKS)
    assert banks(played) == ["ana", "ana", "cat"]
    assert [event["player"] for event in played.events("bank_declined")] == ["ben"]


@clause("CA-DEF-PD-ii", "CA-RP-10a")
def test_who_declined_once_is_offered_the_bank_again_the_next_time() -> None:
    played = play_seated(*ANA_BANKS * 2, decline("ben"), *CAT_BANKS * 2, *ANA_BANKS * 2, *BEN_BANKS)
    assert played.refusals == []
    assert banks(played) == ["ana", "ana", "cat", "cat", "ana", "ana", "ben"]


@clause("CA-DEF-PD-ii", "CA-STD-4")
def test_the_bank_may_be_given_up_after_one_round() -> None:
    played = play_seated(*ANA_BANKS, relinquish("ben"), relinquish("ana"), bank("ana", 2, 5000), *BEN_BANKS)
    assert [number for number, _ in played.refusals] == [6, 8]
    assert played.refusals[0][1] == "not_the_bank"
    assert banks(played) == ["ana", "ben"]


@clause("CA-DEF-PD-ii")
def test_a_bank_given_up_before_any_wager_has_its_stake_back() -> None:
    played = play_seated(bank("ana", 2, 5000), relinquish("ana"), bet("ben", 5, "initial", 1000))
    assert played.refusals == [(5, "no_bank")]
    assert played.gain("ana") == 0


@clause("CA-DEF-PD-ii")
def test_a_bank_may_be_given_up_when_the_only_wager_was_taken_back() -> None:
    withdrawn = act("withdraw_wager", player="ben", box=5, wager="initial")
    played = play_seated(bank("ana", 2, 5000), bet("ben", 5, "initial", 1000), withdrawn, relinquish("ana"))
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben")) == (0, 0)


@clause("CA-DEF-PD-ii", "CA-RP-9b")
def test_a_bank_cannot_be_given_up_or_offered_while_wagers_lie() -> None:
    acts = [bank("ana", 2, 5000), bet("ben", 5, "initial", 1000), relinquish("ana"), decline("cat"), decline("ana")]
    played = play_seated(*acts, deal())
    assert played.refusals == [(5, "round_in_progress"), (6, "bank_taken"), (7, "bank_taken")]
    assert played.gain("ana") == -1000


@clause("CA-STD-4", "CA-RP-10b")
def test_giving_up_starts_the_count_again_only_when_another_has_banked() -> None:
    acts = [*ANA_BANKS, relinquish("ana"), *BEN_BANKS * 2, *CAT_BANKS, relinquish("cat"), *ANA_BANKS * 2]
    played = play_seated(*acts, bank("ana", 2, 5000))
    assert played.refusals == [(3 + 3 + 1 + 6 + 3 + 1 + 6, "bank_must_pass")]


@clause("CA-RP-9c", "CA-STD-4", "CA-DEF-PD-ii")
def test_where_nobody_else_will_bank_there_is_no_round() -> None:
    wanted = [bank("ana", 2, 5000), bet("ben", 5, "initial", 1000), deal()]
    played = play_seated(*ANA_BANKS * 2, decline("ben"), decline("cat"), *wanted)
    assert played.refusals == [(11, "bank_must_pass"), (12, "no_bank"), (13, "no_wager")]
    assert len(played.data["rounds"]) == 2


@clause("CA-DEF-PD-ii")
def test_who_declined_may_think_again_while_nobody_banks() -> None:
    played = play_seated(*ANA_BANKS * 2, decline("ben"), decline("cat"), *BEN_BANKS)
    assert played.refusals == []
    assert banks(played) == ["ana", "ana", "ben"]


@clause("CA-DEF-PD-ii", "CA-RP-10a")
def test_when_all_have_declined_the_offer_goes_round_once_more() -> None:
    declines = [decline("ben"), decline("cat"), decline("ben")]
    played = play_seated(*ANA_BANKS * 2, *declines, *CAT_BANKS)
    assert played.refusals == []
    assert banks(played) == ["ana", "ana", "cat"]


def play_in_a_house(leaves: str, shoe: str, *acts: Act) -> Played:
    """A house rulebook over this one, with other leaves, for what the book itself knows no cause for."""
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder, "house.toml")
        house.write_text(f'extends = "ca"\ntitle = "House"\nversion = "1"\n{leaves}\n')
        return play(str(house), shoe, *acts, later=(shoe,))


@clause("CA-STD-4", "CA-RP-10b")
def test_a_void_round_does_not_count() -> None:
    """In a house that voids the round for a second face-up card; the bank's stake comes back whole."""
    found = act("report_face_up_card")
    void = [bank("ana", 2, 5000), bet("ben", 5, "initial", 1000), deal(1), found, found]
    acts = [*SEATED, *ANA_BANKS, *void, *ANA_BANKS, bank("ana", 2, 5000)]
    played = play_in_a_house('irreg.multi_face_up = "void_all_reshuffle"', LONG_SHOE, *acts)
    assert played.refusals == [(3 + 3 + 5 + 3, "bank_must_pass")]
    assert [(one["net"], one["counted"]) for one in played.events("bank_returned")] == [
        (-1000, True),
        (0, False),
        (-1000, True),
    ]
    assert (played.gain("ana"), played.gain("ben")) == (-2000, 2000)


@clause("CA-RP-9c", "CA-RP-9d")
@pytest.mark.parametrize("cards", ["Kh 9h 9d", "Kh 4h 9d"], ids=["open", "ended"])
def test_an_invalidated_round_leaves_everybody_with_what_they_had(cards: str) -> None:
    """In a house that invalidates rounds, while a war is being offered or when all is settled."""
    bets = [bet("ben", 5, "initial", 1000), bet("cat", 7, "initial", 3000)]
    acts = [*SEATED, bank("ana", 2, 5000), *bets, deal(), act("invalidate_round", cause="fire")]
    played = play_in_a_house('irreg.invalidate = ["fire"]', f"2c {cards}", *acts)
    assert played.refusals == []
    assert played.balances == {"ana": 100_000, "ben": 100_000, "cat": 100_000, "dan": 100_000, "house": 0}


@clause("CA-STD-1a", "CA-DEF-PD-i")
def test_the_bank_makes_no_primary_wager_and_is_dealt_a_card_all_the_same() -> None:
    played = play("ca", "2c Kh 9d", bank(), bet("ana", 1, "initial", 1000), deal())
    assert played.dealt() == "burn 2c, box 1 Kh, dealer 9d"
    assert {line[0] for line in played.settlements()} == {"ana"}


@clause("CA-DEF-PD-i")
def test_the_bank_does_not_bet_and_nobody_bets_on_its_place() -> None:
    acts = [bank(), bet("dan", 3, "initial", 500), bet("ana", 8, "initial", 500), bet("ana", 1, "initial", 500)]
    played = play("ca", "2c", *acts, bet("dan", 1, "initial", 500))
    assert played.refusals == [(1, "bank_may_not_bet"), (2, "bank_box"), (4, "bank_may_not_bet")]
    assert (played.gain("ana"), played.gain("dan")) == (-500, -50_000)


@clause("CA-RP-10a")
def test_the_bank_goes_to_the_seated_and_not_to_those_behind_them() -> None:
    """Cat bets behind Ana and has no seat, so the bank passes her by."""
    acts = [bank("dan", 8, 5000), bet("ana", 2, "initial", 500), bet("cat", 2, "initial", 500), deal()] * 2
    played = play("ca", LONG_SHOE, seat("ana", 2), *acts, bank("cat", 3, 5000), decline("cat"), bank("ana", 2, 5000))
    assert played.refusals == [(9, "bank_not_offered"), (10, "not_seated")]
    assert banks(played) == ["dan", "dan", "ana"]


@clause("CA-NUM-1")
def test_no_round_with_fewer_than_two_seated() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), act("vacate_seat", player="ana"), deal()]
    alone = play("ca", "2c Kh 9d", *acts)
    assert alone.refusals == [(3, "too_few_seated")]
    assert "CA-NUM-1" in alone.refusal_clauses[0]
    together = play("ca", "2c Kh 9d", *acts, seat("ana", 1), deal())
    assert together.gain("ana") == 1000


@clause("CA-NUM-1")
def test_a_round_that_has_begun_is_played_out_though_a_player_gets_up() -> None:
    acts = [bank(), bet("ana", 1, "initial", 1000), deal(), war("ana", 1), act("vacate_seat", player="ana"), deal()]
    played = play("ca", "2c Kh Kd 3c 4c 5c Th 9d", *acts)
    assert played.refusals == []
    assert played.gain("ana") == 1000
