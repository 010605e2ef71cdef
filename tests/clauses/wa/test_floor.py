"""Crown Perth: limits and their notice, closing, and seats without a wager."""

import pytest

from casinowar.rulebooks import RulebookError, load_rulebook
from tests.support.rounds import Act, act, bet, deal, play

NEW = {"minimum": 1000, "maximum": 20000, "unit": 1000}
ANA = [bet("ana", 1, "initial", 1000), deal()]


def change(basis: str, **fields: object) -> Act:
    return act("change_limits", **NEW, basis=basis, **fields)


@pytest.mark.clause("WA-6.4", "WA-6.4a")
def test_limits_change_when_nobody_is_at_the_table() -> None:
    played = play("wa", "Ac 2c Kh 9d", change("empty"), bet("ana", 1, "initial", 25000), deal())
    assert played.refusals == []
    assert played.line("ana", "initial")["amount"] == 20000
    seated = play("wa", "Ac 2c Kh 9d", act("seat_player", player="ana", box=1), change("empty"))
    assert seated.refusals == [(1, "players_present")]
    assert seated.events("limits_changed") == []


@pytest.mark.clause("WA-6.4b")
def test_limits_change_when_all_at_the_table_agree() -> None:
    seats = [act("seat_player", player="ana", box=1), act("seat_player", player="ben", box=2)]
    some, all_ = change("agreed", consents=["ana"]), change("agreed", consents=["ben", "ana"])
    played = play("wa", "Ac 2c", *seats, some, all_)
    assert played.refusals == [(2, "consent_missing")]
    assert [event["basis"] for event in played.events("limits_changed")] == ["agreed"]


@pytest.mark.clause("WA-6.4c")
@pytest.mark.parametrize(("seconds", "is_enough"), [(599, False), (600, True)])
def test_limits_change_ten_minutes_after_the_sign_went_up(seconds: int, is_enough: bool) -> None:
    acts = [act("seat_player", player="ana", box=1), act("announce_limits", **NEW), act("tick", seconds=seconds)]
    played = play("wa", "Ac 2c", *acts, change("notice"))
    assert played.refusals == ([] if is_enough else [(3, "notice_too_short")])
    assert len(played.events("limits_changed")) == is_enough


@pytest.mark.clause("WA-6.4c")
def test_another_sign_starts_the_ten_minutes_anew_and_only_what_it_says_may_come() -> None:
    other = act("announce_limits", minimum=500, maximum=500, unit=500)
    acts = [act("announce_limits", **NEW), act("tick", seconds=600), other, act("tick", seconds=600), change("notice")]
    played = play("wa", "Ac 2c", act("seat_player", player="ana", box=1), *acts)
    assert played.refusals == [(5, "notice_too_short")]


@pytest.mark.clause("WA-6.4c")
def test_a_wager_is_played_under_the_limits_at_which_it_was_made() -> None:
    acts = [
        act("announce_limits", **NEW),
        act("tick", seconds=600),
        *ANA[:1],
        change("notice"),
        deal(),
        change("notice"),
    ]
    played = play("wa", "Ac 2c Kh 9d", *acts)
    assert played.refusals == [(3, "round_in_progress")]
    assert len(played.events("limits_changed")) == 1


@pytest.mark.clause("WA-6.4")
def test_the_ways_to_change_limits_are_the_books() -> None:
    nz = play("nz", "2c", act("announce_limits", **NEW), act("tick", seconds=6000), change("notice"), change("empty"))
    assert nz.refusals == [(2, "not_in_the_book")]
    with pytest.raises(RulebookError, match=r"wa fixes limits\.change"):
        load_rulebook("wa", {"limits.change": ["empty"]})


@pytest.mark.clause("WA-6.7")
@pytest.mark.parametrize(("seconds", "is_enough"), [(599, False), (600, True)])
def test_an_occupied_table_closes_ten_minutes_after_the_sign(seconds: int, is_enough: bool) -> None:
    notice = [act("announce_closing"), act("tick", seconds=seconds)]
    played = play("wa", "Ac 2c Kh 9d", *ANA, act("close_table"), *notice, act("close_table"), *ANA)
    late = [] if not is_enough else [(6, "table_closed"), (7, "table_closed")]
    shoe = [] if is_enough else [(5, "notice_too_short"), (7, "no_shoe")]
    assert played.refusals == sorted([(2, "notice_too_short"), *late, *shoe])


@pytest.mark.clause("WA-6.7")
def test_an_empty_table_closes_at_once_but_not_over_wagers() -> None:
    assert play("wa", "Ac 2c", act("close_table")).refusals == []
    closing = [act("close_table", by=by) for by in ("operator:o1", "supervisor:s1", "dealer:d1", "player:ana")]
    played = play("wa", "Ac 2c Kh 9d", ANA[0], *closing)
    in_progress = [(number, "round_in_progress") for number in (1, 2, 3)]
    assert played.refusals == [*in_progress, (4, "not_entitled")]
    assert played.events("table_closed") == []


@pytest.mark.clause("WA-6.7")
def test_a_dealer_closes_an_empty_table_only_once_the_floor_has_announced_it() -> None:
    by_dealer = act("close_table", by="dealer:d1")
    announced = [act("announce_closing", by="dealer:d1"), act("announce_closing", by="supervisor:s1")]
    played = play("wa", "Ac 2c", by_dealer, announced[0], by_dealer, announced[1], by_dealer)
    assert played.refusals == [(0, "notice_too_short"), (1, "not_entitled"), (2, "notice_too_short")]
    assert played.refusal_clauses[0] == ["WA-6.7"]
    assert [closed["by"] for closed in played.events("table_closed")] == ["dealer:d1"]


@pytest.mark.clause("WA-6.2")
def test_three_rounds_without_a_wager_are_noted() -> None:
    seats = [act("seat_player", player="ben", box=2)]
    shoe = "Ac 2c " + "Kh 9d " * 3 + "Kd 9s Kc 9c Ks 9h"
    played = play("wa", shoe, *seats, *ANA * 3)
    assert [(noted["player"], noted["rounds"]) for noted in played.events("abstention_noted")] == [("ben", 3)]
    two = play("wa", shoe, *seats, *ANA * 2)
    assert two.events("abstention_noted") == []
    ben = [ANA[0], bet("ben", 2, "initial", 1000), deal()]
    again = play("wa", "Ac 2c Kh 9d Kh 9d Kh Kd 9d Kh 9d Kd 9s", *seats, *ANA * 2, *ben, *ANA * 2)
    assert again.refusals == []
    assert again.events("abstention_noted") == []
    asked = play("wa", shoe, *seats, *ANA * 3, act("vacate_seat", player="ben", by="operator:o1"))
    assert len(asked.events("seat_vacated")) == 1


@pytest.mark.clause("WA-6.2")
def test_a_round_called_twice_is_sat_out_once() -> None:
    """The cutting card right after the opening burn brings a shuffle, and the betting closes a second time."""
    seats = [act("seat_player", player="ben", box=2)]
    played = play("wa", "Ac 2c Kh 9d Kd 9s cut Kc", *seats, *ANA * 2, *ANA, later=("Ad 2d cut Ah 3d", "As 2s Kh 9h"))
    assert played.refusals == []
    assert [event["rounds"] for event in played.events("round_sat_out")] == [1, 2, 3]
    assert [event["rounds"] for event in played.events("abstention_noted")] == [3]
