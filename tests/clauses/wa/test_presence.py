"""WA rules 6.4 and 6.7: who is at the table when limits change or it closes (AMB-75), and the time of closure."""

import pytest

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.view.signs import signs
from casinowar.rulebooks import load_rulebook
from tests.support.rounds import Act, act, bet, deal, play

OLDER = {"table.present": "seated"}
SHOE = "Ac 2c Kh Qh 9d"
ROUND = [bet("ana", 1, "initial", 1000), bet("ben", 1, "initial", 1000), deal()]
"""Ana has the seat, and ben bets from behind."""
LEFT = act("vacate_seat", player="ana")
CASHED = {who: act("cash_out", player=who, amount=101_000) for who in ("ana", "ben")}


def change(basis: str, *consents: str) -> Act:
    return act("change_limits", minimum=1000, maximum=9000, unit=1000, basis=basis, consents=list(consents))


@pytest.mark.clause("WA-6.4a")
def test_nobody_is_there_once_all_have_left_their_seats_and_cashed_out() -> None:
    acts = [*ROUND, LEFT, change("empty"), CASHED["ana"], change("empty"), CASHED["ben"], change("empty")]
    played = play("wa", SHOE, *acts)
    assert played.refusals == [(4, "players_present"), (6, "players_present")]
    older = play("wa", SHOE, *acts, options=OLDER)
    assert older.refusals == []


@pytest.mark.clause("WA-6.4b")
@pytest.mark.parametrize(
    ("consents", "is_agreed"), [((), False), (("ana",), False), (("ben",), False), (("ana", "ben"), True)]
)
def test_each_of_them_must_agree(consents: tuple[str, ...], is_agreed: bool) -> None:
    played = play("wa", SHOE, *ROUND, change("agreed", *consents))
    assert played.refusals == ([] if is_agreed else [(3, "consent_missing")])
    older = play("wa", SHOE, *ROUND, change("agreed", *consents), options=OLDER)
    assert older.refusals == ([] if "ana" in consents else [(3, "consent_missing")])


@pytest.mark.clause("WA-6.4b")
def test_who_has_cashed_out_is_not_asked_and_who_keeps_a_chip_is() -> None:
    some = act("cash_out", player="ben", amount=100_999)
    assert play("wa", SHOE, *ROUND, CASHED["ben"], change("agreed", "ana")).refusals == []
    assert play("wa", SHOE, *ROUND, some, change("agreed", "ana")).refusals == [(4, "consent_missing")]


@pytest.mark.clause("WA-6.4b", "WA-6.6b")
def test_who_is_excluded_or_has_lost_all_is_not_asked() -> None:
    """Ben bets from behind, has no seat to leave, and once all is lost nothing to cash out."""
    out = act("exclude_player", player="ben", reason="a device", by="operator:olga")
    assert play("wa", SHOE, *ROUND, out, change("agreed", "ana")).refusals == []
    early = [*ROUND[:2], deal(2), out, deal(), change("agreed", "ana")]
    assert play("wa", SHOE, *early).refusals == []
    lost = {"ana": 100_000, "ben": 1000}
    low = "Ac 2c 2h 9d"
    assert play("wa", low, *ROUND, change("agreed", "ana"), players=lost).refusals == []
    assert play("wa", low, *ROUND, change("agreed", "ana")).refusals == [(3, "consent_missing")]


@pytest.mark.clause("WA-6.4b")
def test_the_round_before_counts_until_another_is_over() -> None:
    """Ben sits the second round out, and is no player at the table after it."""
    again = [bet("ana", 1, "initial", 1000)]
    back = act("withdraw_wager", player="ana", box=1, wager="initial")
    played = play("wa", SHOE + " Kd 9s", *ROUND, *again, back, change("agreed", "ana"))
    assert played.refusals == [(5, "consent_missing")]
    played = play("wa", SHOE + " Kd 9s", *ROUND, *again, deal(), change("agreed", "ana"))
    assert played.refusals == []


@pytest.mark.clause("WA-6.4b")
def test_a_void_round_is_over_too_and_brings_nobody_back() -> None:
    void = act("void_round", reason="an error", by="operator:olga", second="supervisor:sam")
    gone = [act("cash_out", player="ben", amount=100_000), change("agreed", "ana")]
    assert play("wa", SHOE, *ROUND[:2], deal(3), void, change("agreed", "ana")).refusals == [(4, "consent_missing")]
    assert play("wa", SHOE, *ROUND[:2], deal(3), void, *gone).refusals == []
    lost = "Ac 2c 8h 9d"
    cashed = act("cash_out", player="ben", amount=99_000)
    assert play("wa", lost, *ROUND, cashed, void, change("agreed", "ana")).refusals == []


@pytest.mark.clause("WA-6.7")
def test_a_table_closes_without_notice_only_when_none_of_them_is_there() -> None:
    close = act("close_table")
    acts = [*ROUND, LEFT, close, CASHED["ana"], close, CASHED["ben"], close]
    played = play("wa", SHOE, *acts)
    assert played.refusals == [(4, "notice_too_short"), (6, "notice_too_short")]
    assert len(played.events("table_closed")) == 1
    older = play("wa", SHOE, *acts, options=OLDER)
    assert [reason for _, reason in older.refusals] == ["table_closed"] * 2, "in the older reading at once"


@pytest.mark.clause("WA-6.7")
@pytest.mark.parametrize(("minutes", "is_enough"), [(0, False), (9, False), (10, True), (45, True)])
def test_the_time_of_closure_lies_ten_minutes_off_or_more(minutes: int, is_enough: bool) -> None:
    early, rest = act("tick", seconds=60 * minutes - 1), act("tick", seconds=1)
    notice = [act("announce_closing", minutes=minutes)]
    waited = [early, act("close_table"), rest, act("close_table")] if is_enough else [act("close_table")]
    played = play("wa", SHOE, *ROUND, *notice, *waited)
    assert played.refusals == ([(5, "notice_too_short")] if is_enough else [(n, "notice_too_short") for n in (3, 4)])
    assert played.refusal_clauses[0] == ["WA-6.7"]
    assert len(played.events("table_closed")) == is_enough


@pytest.mark.clause("WA-6.7")
@pytest.mark.parametrize("fields", [{}, {"minutes": 10}])
def test_without_minutes_the_table_closes_in_ten(fields: dict[str, int]) -> None:
    announced = [act("announce_closing", **fields), act("tick", seconds=600), act("close_table")]
    played = play("wa", SHOE, *ROUND, *announced)
    assert played.refusals == []
    assert [event["minutes"] for event in played.events("closing_announced")] == [10]


NO_TIME = {
    ("wa", -1): "notice_too_short",
    ("nz", -1): "amount_not_positive",
    ("wa", 10**9): "amount_not_positive",
    ("nz", 10**9): "amount_not_positive",
}


@pytest.mark.parametrize(("book", "minutes"), NO_TIME)
def test_minutes_that_are_no_time_are_refused(book: str, minutes: int) -> None:
    played = play(book, "2c", act("announce_closing", minutes=minutes))
    assert played.refusals == [(0, NO_TIME[book, minutes])]


def test_a_book_without_such_notice_takes_any_and_closes_at_once() -> None:
    acts = [act("seat_player", player="ana", box=1), act("announce_closing", minutes=3), act("close_table")]
    assert play("nz", "2c", *acts).refusals == []


def _after(*commands: c.Command) -> Table:
    table = Table()
    for command in (c.OpenTable(), *commands):
        done = step(load_rulebook("wa"), table, command)
        assert not isinstance(done, Refusal)
        table = done[1]
    return table


@pytest.mark.clause("WA-6.7")
def test_the_sign_shows_the_time_of_closure() -> None:
    table = _after(c.Tick(seconds=100), c.AnnounceClosing(minutes=45), c.Tick(seconds=60))
    notice = signs(load_rulebook("wa"), table).notices[0]
    assert (notice.about, notice.at, notice.seconds_left) == ("closing", 100 + 45 * 60, 44 * 60)
    again = _after(c.AnnounceClosing(minutes=45), c.Tick(seconds=60), c.AnnounceClosing())
    assert signs(load_rulebook("wa"), again).notices[0].at == 60 + 600, "another sign starts anew"
