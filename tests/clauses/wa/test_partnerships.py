"""WA rule 5.8: wagers of flagged partners on one area are one wager against the maximum (AMB-76)."""

import pytest

from tests.support.rounds import Act, act, bet, deal, play, surrender, war

OPENING = "Ac 2c "
LIMITS = {"minimum": 1000, "maximum": 5000, "unit": 500}
OLDER = {"limits.partnership": "layout"}


def flag(*players: str) -> Act:
    return act("flag_partnership", players=list(players) or ["ana", "ben"], by="supervisor:sam")


ANA, BEN = bet("ana", 1, "initial", 4000), bet("ben", 1, "initial", 3000)


@pytest.mark.clause("WA-5.8")
def test_what_lies_above_the_maximum_goes_back_from_the_wager_placed_last() -> None:
    played = play("wa", OPENING + "Kh 9d", ANA, BEN, flag(), deal(), limits=LIMITS)
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben")) == (4000, 1000)
    line = played.line("ben", "initial")
    assert (line["placed"], line["amount"]) == (3000, 1000)
    limited = [(one["player"], one["placed"], one["amount"], one["clauses"]) for one in played.events("wager_limited")]
    assert limited == [("ben", 3000, 1000, ["WA-5.8"])]


@pytest.mark.clause("WA-5.8")
@pytest.mark.parametrize(
    "added", [bet("ana", 1, "initial", 1000), act("amend_wager", player="ana", box=1, wager="initial", amount=5000)]
)
def test_an_addition_counts_as_placing(added: Act) -> None:
    """Ana's 5,000 is the last that was placed: 3,000 of the 8,000 go back from it."""
    played = play("wa", OPENING + "Kh 9d", ANA, BEN, added, flag(), deal(), limits=LIMITS)
    assert (played.gain("ana"), played.gain("ben")) == (2000, 3000)


@pytest.mark.clause("WA-5.8")
def test_a_wager_made_smaller_is_not_placed_anew() -> None:
    smaller = act("amend_wager", player="ana", box=1, wager="initial", amount=3000)
    played = play("wa", OPENING + "Kh 9d", ANA, BEN, smaller, flag(), deal(), limits=LIMITS)
    assert (played.gain("ana"), played.gain("ben")) == (3000, 2000)


@pytest.mark.clause("WA-5.8")
@pytest.mark.parametrize(("ana", "left"), [(4500, 500), (5000, 0)])
def test_it_goes_back_even_below_the_minimum_and_to_the_last_chip(ana: int, left: int) -> None:
    bets = [bet("ana", 1, "initial", ana), bet("ben", 1, "initial", 3000)]
    played = play("wa", OPENING + "Kh 9d", *bets, flag(), deal(), limits=LIMITS)
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben")) == (ana, left)
    back = [(one["player"], one["amount"], one["clauses"]) for one in played.events("wager_withdrawn")]
    assert back == ([] if left else [("ben", 3000, ["WA-5.8"])])


@pytest.mark.clause("WA-5.8")
def test_several_wagers_go_back_one_after_the_other() -> None:
    bets = [ANA, BEN, bet("cat", 1, "initial", 2000)]
    played = play("wa", OPENING + "Kh 9d", *bets, flag("ana", "ben", "cat"), deal(), limits=LIMITS)
    assert (played.gain("ana"), played.gain("ben"), played.gain("cat")) == (4000, 1000, 0)


@pytest.mark.clause("WA-5.8")
def test_other_areas_and_other_players_are_not_touched() -> None:
    bets = [ANA, bet("ben", 2, "initial", 5000), bet("cat", 1, "initial", 5000), bet("ben", 1, "tie", 5000)]
    played = play("wa", OPENING + "Kh Qh 9d", *bets, flag(), deal(), limits=LIMITS, options={"table.multi_box": True})
    assert played.events("wager_limited") == []
    assert played.gain("cat") == 5000
    assert played.gain("ben") == 5000 - 5000


@pytest.mark.clause("WA-5.8")
def test_a_wager_after_the_flag_is_refused_and_none_goes_back() -> None:
    played = play("wa", OPENING + "Kh 9d", flag(), ANA, BEN, bet("ben", 1, "initial", 1000), deal(), limits=LIMITS)
    assert played.refusals == [(2, "partnership_above_maximum")]
    assert played.refusal_clauses[0] == ["WA-5.8"]
    assert (played.gain("ana"), played.gain("ben")) == (4000, 1000)


@pytest.mark.clause("WA-5.8", "WA-5.7c")
@pytest.mark.parametrize(("card", "sign"), [("Kh", 1), ("8h", -1)])
def test_once_the_round_has_begun_they_are_settled_up_to_the_maximum(card: str, sign: int) -> None:
    played = play("wa", f"{OPENING} {card} 9d", ANA, BEN, deal(3), flag(), deal(), limits=LIMITS)
    assert (played.gain("ana"), played.gain("ben")) == (sign * 4000, sign * 1000)
    assert set(played.events("wager_limited")[0]["clauses"]) == {"WA-5.8", "WA-5.7c", "WA-5.7-adv"}
    assert [one["player"] for one in played.events("limits_advised")] == ["ben"]


@pytest.mark.clause("WA-5.8", "WA-5.7c")
def test_a_wager_found_to_be_more_plays_for_what_the_partner_leaves() -> None:
    """Ana has 3,000 of 5,000; of the 4,000 that lie before ben, and not 1,000, 2,000 play and 2,000 go back."""
    found = act("report_wager", player="ben", box=1, wager="initial", amount=4000)
    acts = [bet("ana", 1, "initial", 3000), bet("ben", 1, "initial", 1000), flag(), deal(3), found, deal()]
    played = play("wa", OPENING + "Kh 9d", *acts, limits=LIMITS)
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben")) == (3000, 2000)
    limited = [(one["placed"], one["amount"], one["clauses"]) for one in played.events("wager_limited")]
    assert limited == [(4000, 2000, ["WA-5.8", "WA-5.7c"])]
    assert [one["player"] for one in played.events("limits_advised")] == ["ben"]
    older = play("wa", OPENING + "Kh 9d", *acts, limits=LIMITS, options=OLDER)
    assert older.refusals == [(4, "partnership_above_maximum")]


@pytest.mark.clause("WA-5.8", "WA-5.7c")
@pytest.mark.parametrize("cards", [0, 1, 4])
def test_a_war_is_cut_with_its_wager(cards: int) -> None:
    """Of ben's 3,000 on each 1,000 is in play; the war is won: 1:1 on the war wager and a standoff."""
    acts = [ANA, BEN, deal(), war("ana", 1), war("ben", 1), *([deal(cards)] if cards else []), flag(), deal()]
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts, limits=LIMITS)
    assert played.refusals == []
    assert (played.gain("ana"), played.gain("ben")) == (4000, 1000)
    assert (played.line("ben", "initial")["amount"], played.line("ben", "war")["amount"]) == (1000, 1000)


@pytest.mark.clause("WA-5.8", "WA-5.7c")
@pytest.mark.parametrize("step", ["asked", "chosen", "dealt"])
def test_a_wager_of_which_nothing_is_in_play_goes_back_with_its_war_and_what_hangs_on_it(step: str) -> None:
    """Ana has surrendered half of 5,000; of ben's 3,000 nothing is in play, and cat's pairs of that war go back."""
    bets = [bet("ana", 1, "initial", 5000), BEN, deal(), surrender("ana", 1)]
    chosen = [war("ben", 1), bet("cat", 1, "war_perfect_pairs", 1000)] if step != "asked" else []
    dealt = [deal(2)] if step == "dealt" else []
    acts = [*bets, *chosen, *dealt, flag(), *([deal()] if dealt or chosen else [])]
    played = play("wa", OPENING + "9h 9d 3c 4c 5c Kh Qs", *acts, limits=LIMITS)
    assert [reason for _, reason in played.refusals] in ([], ["no_wager"])
    assert len(played.data["rounds"]) == 1
    assert played.data["open"] == []
    assert (played.gain("ana"), played.gain("ben"), played.gain("cat")) == (-2500, 0, 0)
    assert played.line("ben", "initial")["outcome"] == "returned"


@pytest.mark.clause("WA-5.8")
def test_what_has_been_settled_stands() -> None:
    played = play("wa", OPENING + "Kh 9d", ANA, BEN, deal(), flag(), limits=LIMITS)
    assert (played.gain("ana"), played.gain("ben")) == (4000, 3000)


@pytest.mark.clause("WA-5.8")
def test_in_the_older_reading_partners_who_were_flagged_late_are_paid_above_the_maximum() -> None:
    for acts in ([ANA, BEN, flag(), deal()], [ANA, BEN, deal(3), flag(), deal()]):
        played = play("wa", OPENING + "Kh 9d", *acts, limits=LIMITS, options=OLDER)
        assert (played.gain("ana"), played.gain("ben")) == (4000, 3000)


@pytest.mark.clause("WA-5.8")
def test_on_different_areas_partners_may_bet_what_each_could_alone() -> None:
    bets = [flag(), bet("ana", 1, "initial", 5000), bet("ben", 2, "initial", 5000)]
    assert play("wa", OPENING, *bets, limits=LIMITS).refusals == []
    older = play("wa", OPENING, *bets, limits=LIMITS, options=OLDER)
    assert older.refusals == [(2, "partnership_above_maximum")]
