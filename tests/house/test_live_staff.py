"""What staff do at a live table, by its effects: limits, decks, exclusion, voids, stops, closing; human dealers."""

from typing import Any

import pytest
from msgspec.structs import replace

from casinowar.engine import events as e
from casinowar.house.house import Who
from casinowar.house.signatures.countersignatures import signatures_due
from casinowar.protocol import Done, Part, Refused
from casinowar.store import BookResolved, MemoryStore, ShoeCommitted, StaffActed, audit
from tests.support.live_night import STAFF, Clock, Night, table

QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 0, "cut": 0}
MINUTE = 60_000
OZ = Who("oz", STAFF["oz"])


def ready(*players: str, book: str = "nz", **changed: Any) -> Night:
    there = Night(table(rulebook=book, **{"timers": QUICK, **changed}))
    there.sit(*players)
    there.until_ready()
    return there


def wager(player: str, amount: int = 1000) -> dict[str, Any]:
    return {"do": "place_wager", "player": player, "box": 1, "wager": "initial", "amount": amount}


def request(answer: Refused) -> str:
    assert answer.code == "second_signature_due"
    assert answer.request is not None
    return answer.request


@pytest.mark.clause("WA-6.4c")
def test_limits_change_when_their_notice_has_stood_ten_minutes() -> None:
    there = ready("ann", book="wa")
    new = {"minimum": 2000, "maximum": 40_000, "unit": 500}
    assert there.refusal("sue", "supervisor", "a busy night", do="announce_limits", **new).code == "not_entitled"
    there.must("oz", "operator", "a busy night", do="announce_limits", **new)
    there.wait(9 * MINUTE)
    change = {"do": "change_limits", "basis": "notice", **new}
    assert there.refusal("oz", "operator", "a busy night", **change).code == "notice_too_short"
    there.wait(MINUTE)
    there.must("oz", "operator", "a busy night", **change)
    assert there.live.table.limit.minimum == there.house.lobby()[0].minimum == 2000


@pytest.mark.clause("NZ-5.10-i")
def test_limits_change_at_an_empty_table_or_when_all_agree() -> None:
    there = ready("ann", "ben")
    change = {"do": "change_limits", "minimum": 2000, "maximum": 9000, "unit": 1000}
    assert there.refusal("sue", "supervisor", "busy", **change, basis="empty").code == "players_present"
    assert there.refusal("sue", "supervisor", "busy", **change, basis="agreed", consents=["ann"]).code
    there.must("sue", "supervisor", "they agree", **change, basis="agreed", consents=["ann", "ben"])
    assert there.refusal("ann", **wager("ann", 1000)).code == "wager_below_minimum"
    there.bet("ann", 2000)


@pytest.mark.parametrize("change", [{"do": "announce_limits"}, {"do": "change_limits", "basis": "empty"}])
@pytest.mark.parametrize(("name", "part"), [("oz", "operator"), ("dora", "dealer")])
def test_limits_at_which_nobody_could_bet_are_not_made(name: str, part: Part, change: dict[str, Any]) -> None:
    """Nor do they wait for the signature of whoever could make them."""
    there = ready("ann")
    new = {"minimum": 100, "maximum": 200, "unit": 300}
    assert there.refusal(name, part, "a busy night", **change, **new).code == "no_limits"
    assert there.live.table.floor.limits_notice is None


@pytest.mark.clause("WA-2.3b")
def test_decks_change_with_the_first_shoe_after_thirty_minutes_of_notice() -> None:
    there = ready("ann", book="wa", options={"wager.perfect_pairs": False})
    refused = there.refusal("sue", "supervisor", "new decks", do="announce_decks", decks=8)
    assert refused.says.endswith("this takes the Table Games Manager")
    assert refused.clauses == ("WA-2.3b",)
    there.must("mia", "manager", "new decks", do="announce_decks", decks=8)
    there.wait(29 * MINUTE)
    there.must("oz", "operator", "look at them", do="replace_cards")
    there.until_ready()
    assert [sum(shoe.counts) for shoe in there.told(ShoeCommitted)] == [6 * 52, 6 * 52]
    there.wait(2 * MINUTE)
    there.must("oz", "operator", "look at them", do="replace_cards")
    there.until_ready()
    assert [sum(shoe.counts) for shoe in there.told(ShoeCommitted)] == [6 * 52, 6 * 52, 8 * 52]
    assert [shoe.counts for shoe in there.told(ShoeCommitted)][-1] == (8,) * 52
    books = there.told(BookResolved)
    assert len(books) == 2
    assert books[0].digest != books[1].digest
    assert [one.decks for one in there.told(e.DecksChanged)] == [8]
    assert there.live.rules.shoe.decks == 8
    there.bet("ann")
    there.until_over()
    there.check()


@pytest.mark.clause("NZ-3.4a")
def test_a_book_without_notice_of_decks_keeps_them() -> None:
    there = ready("ann")
    assert there.refusal("sue", "supervisor", "new decks", do="announce_decks", decks=8).code == "not_in_the_book"


def test_who_is_excluded_plays_no_more_and_takes_all_chips_along() -> None:
    there = ready("ann", "ben", book="wa")
    there.must("ann", do="buy_chips", amount=5_000)
    assert there.purse("ann") == 95_000
    there.must("oz", "operator", "was warned twice", do="exclude_player", player="ann")
    assert there.refusal("ann", **wager("ann")).code == "player_excluded"
    there.wait(1)
    assert there.purse("ann") == 100_000
    assert there.refusal("ann", do="sit", box=1).code == "player_excluded"


def test_a_void_after_the_cards_are_known_takes_two_persons() -> None:
    there = ready("ann")
    there.until_tie("ann")
    chips = there.purse("ann") + there.live.table.players["ann"] + 1000
    asked = there.act("sue", "supervisor", "a card was seen", do="void_round", reason="seen")
    assert isinstance(asked, Refused)
    sign = {"do": "countersign", "request": request(asked)}
    assert there.refusal("sue", "supervisor", "I am sure", **sign).code == "same_person"
    assert there.refusal("dora", "dealer", "I saw it", **sign).code == "not_allowed"
    assert there.refusal("ann", **sign).code == "not_allowed"
    due = signatures_due(there.live)
    assert [(one.by, one.reason) for one in due] == [("supervisor:sue", "a card was seen")]
    there.must("oz", "operator", "I saw it too", **sign)
    assert there.live.table.round.is_over
    assert there.told(e.RoundVoided)
    assert there.purse("ann") + there.live.table.players["ann"] == chips, "as if nothing had been wagered"
    assert there.refusal("sam", "supervisor", "once more", **sign).code == "no_such_request"
    there.check()


def test_what_nobody_signed_in_its_round_is_not_signed_in_another() -> None:
    there = ready("ann")
    there.until_tie("ann")
    asked = there.act("sue", "supervisor", "a card was seen", do="void_round", reason="seen")
    assert isinstance(asked, Refused)
    assert there.refusal("ann", do="surrender", player="ann", box=1).code == "void_waits"
    there.wait(10 * MINUTE)
    there.must("ann", do="surrender", player="ann", box=1)
    there.until_ready()
    there.bet("ann")
    sign = {"do": "countersign", "request": request(asked)}
    assert there.refusal("sam", "supervisor", "I saw it too", **sign).code == "no_such_request"
    assert signatures_due(there.live) == ()


def test_who_asks_twice_for_a_signature_has_asked_once_and_what_was_done_waits_no_more() -> None:
    there = ready("ann")
    there.until_tie("ann")
    void = {"do": "void_round", "reason": "seen"}
    first, second = (there.act("sue", "supervisor", "a card was seen", **void) for _ in range(2))
    assert isinstance(first, Refused)
    assert isinstance(second, Refused)
    assert request(first) == request(second)
    other = there.act("sue", "supervisor", "a card was seen", do="void_hand", box=1, reason="seen")
    assert isinstance(other, Refused)
    assert [one.request for one in signatures_due(there.live)] == [request(first), request(other)]
    there.must("oz", "operator", "I saw it too", do="countersign", request=request(first))
    assert signatures_due(there.live) == (), "the hand is void with its round"


def test_a_signature_is_refused_by_the_floor_or_taken_back_by_who_asked() -> None:
    there = ready("ann")
    there.until_tie("ann")
    void = {"do": "void_round", "reason": "seen"}
    for name in ("sue", "sam"):
        asked = there.act("sue", "supervisor", "a card was seen", **void)
        assert isinstance(asked, Refused)
        no = {"do": "refuse_signature", "request": request(asked)}
        assert there.refusal("dora", "dealer", "I saw nothing", **no).code == "not_allowed"
        assert there.refusal("ann", **no).code == "not_allowed"
        there.must(name, "supervisor", "I saw nothing", **no)
        assert signatures_due(there.live) == ()
        assert there.refusal("sam", "supervisor", "after all", **no).code == "no_such_request"
    assert [one.act for one in there.told(StaffActed)] == ["refuse_signature"] * 2
    assert not there.live.table.round.is_over


def test_nobody_is_staff_at_a_table_where_they_play() -> None:
    """Or they would void a round that they have lost, or sign that somebody else does."""
    there = ready("ann", "sam")
    there.until_tie("ann", "sam")
    void = {"do": "void_round", "reason": "seen"}
    assert there.refusal("sam", "supervisor", "I lost it", **void).code == "plays_here"
    asked = there.act("sue", "supervisor", "a card was seen", **void)
    assert isinstance(asked, Refused)
    sign = {"do": "countersign", "request": request(asked)}
    assert there.refusal("sam", "supervisor", "I saw it too", **sign).code == "plays_here"
    there.must("una", "operator", "I saw it too", **sign)
    there.must("sam", do="leave")
    assert there.refusal("sam", "supervisor", "a quiet hour", do="pause").code == "plays_here", "it was the last round"
    there.bet("ann")
    there.must("sam", "supervisor", "a quiet hour", do="pause")


def test_one_person_with_two_roles_is_one_person() -> None:
    there = ready("ann")
    there.until_tie("ann")
    asked = there.act("una", "supervisor", "a card was seen", do="void_round", reason="seen")
    assert isinstance(asked, Refused)
    sign = {"do": "countersign", "request": request(asked)}
    assert there.refusal("una", "operator", "as operator", **sign).code == "same_person"


@pytest.mark.clause("WA-5.4-ii")
def test_where_the_book_leaves_voids_to_the_operator_one_of_the_two_is_that() -> None:
    there = ready("ann", book="wa")
    there.until_tie("ann")
    void = {"do": "void_round", "reason": "seen"}
    asked = there.act("oz", "operator", "a card was seen", **void)
    assert isinstance(asked, Refused)
    there.must("sue", "supervisor", "I saw it too", do="countersign", request=request(asked))
    assert there.told(e.RoundVoided)


@pytest.mark.clause("WA-5.4-ii", "NZ-9.4a")
@pytest.mark.parametrize("book", ["wa", "nz"])
def test_what_takes_the_operator_waits_for_the_operators_signature(book: str) -> None:
    """Another supervisor or a manager cannot sign it, and nobody of the floor does it alone."""
    there = ready("ann", book=book)
    there.until_tie("ann")
    asked = there.act("sue", "supervisor", "a card was seen", do="void_round", reason="seen")
    assert isinstance(asked, Refused)
    assert (asked.code, asked.says.partition(": ")[2]) == ("second_signature_due", "this takes the Casino Operator")
    sign = {"do": "countersign", "request": request(asked)}
    second = there.refusal("sam", "supervisor", "I saw it too", **sign)
    for refused in (second, there.refusal("mia", "manager", "I saw it too", **sign)):
        assert (refused.code, refused.says.partition(": ")[2]) == ("not_entitled", "this takes the Casino Operator")
    assert not there.told(e.RoundVoided)
    there.must("oz", "operator", "I saw it too", **sign)
    [voided] = there.told(e.RoundVoided)
    assert (voided.by, voided.second) == ("supervisor:sue", "operator:oz")
    there.check()


class BrokenStore(MemoryStore):
    """Chips appear in an account behind the ledger's back."""

    def add_chips(self, account: str, amount: int) -> None:
        self._balances[account] = self._balances.get(account, 0) + amount


def test_an_imbalance_stops_the_table_loudly_until_the_floor_clears_it(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    store = BrokenStore(clock.now)
    there = Night(table(timers=QUICK), table("other", timers=QUICK), store=store, clock=clock)
    there.sit("ann")
    there.until_ready()
    told: list[str] = []
    there.house.on_commit = lambda name, recalled: told.append(name)
    store.add_chips("purse:ann", 1)
    answer = there.act("ann", **wager("ann"))
    assert isinstance(answer, Refused)
    assert answer.code == "table_stopped"
    assert any(record.levelname == "CRITICAL" for record in caplog.records)
    assert told == ["t"], "whoever looks on is told"
    assert there.live.stopped
    assert there.house.lobby()[0].is_stopped
    assert not there.house.lobby()[1].is_stopped
    assert not there.live.table.has_wagers
    assert there.refusal("ann", do="leave").code == "table_stopped"
    there.wait(3_600_000)
    assert there.refusal("ann", do="clear").code == "not_allowed"
    still_wrong = there.act("sue", "supervisor", "looks good to me", do="clear")
    assert isinstance(still_wrong, Refused)
    assert still_wrong.code == "table_stopped"
    assert there.live.stopped
    store.add_chips("purse:ann", -1)
    clear = there.ask("supervisor", "one chip was counted twice", do="clear")
    done = there.send("sue", clear)
    assert isinstance(done, Done)
    assert there.send("sue", clear) == done, "a repetition has the same answer"
    assert [one.act for one in there.told(StaffActed)][-1] == "clear"
    assert there.refusal("sue", "supervisor", "to be sure", do="clear").code == "not_stopped"
    there.bet("ann")
    there.until_over()
    there.check()


def test_a_house_whose_accounts_do_not_balance_goes_out_of_service_and_comes_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Clock()
    store = BrokenStore(clock.now)
    there = Night(table(timers=QUICK), store=store, clock=clock)
    there.house.welcome("zoe")
    store.add_chips("purse:zoe", 1)
    there.house.welcome("ann")
    assert there.house.out_of_service is not None
    assert "do not balance" in there.house.out_of_service
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]
    assert there.refusal("ann", do="sit", box=1).code == "out_of_service"
    store.add_chips("purse:zoe", -1)
    again = Night(table(timers=QUICK), store=store, clock=clock)
    again.sit("ann")
    again.until_ready()
    assert again.house.out_of_service is None
    again.check()


@pytest.mark.clause("WA-6.7")
def test_a_table_closes_after_its_notice_with_its_shoe_opened_and_all_chips_back() -> None:
    there = ready("ann", book="wa")
    there.must("ann", do="buy_chips", amount=5_000)
    close = {"do": "close_table"}
    assert there.refusal("sue", "supervisor", "end of the night", **close).code == "notice_too_short"
    there.must("sue", "supervisor", "end of the night", do="announce_closing")
    there.wait(10 * MINUTE)
    there.must("sue", "supervisor", "end of the night", **close)
    assert there.live.table.is_closed
    assert there.live.keeper.shoe is None
    assert there.live.shoes()[-1].fate != "running"
    assert there.purse("ann") == 100_000
    assert there.refusal("ann", do="sit", box=1).code == "table_closed"
    there.check()


def test_a_table_with_wagers_on_it_does_not_close() -> None:
    there = ready("ann")
    there.bet("ann")
    assert there.refusal("sue", "supervisor", "end of the night", do="close_table").code == "round_in_progress"


def test_a_name_is_opened_again_at_once_and_nobodys_chips_stay_behind() -> None:
    there = ready("ann")
    there.must("ann", do="buy_chips", amount=5_000)
    assert isinstance(there.act("sue", "supervisor", "end of the night", do="close_table"), Done)
    opened = there.house.open_table(OZ, "again", table("t", rulebook="ma"), "another game")
    assert isinstance(opened, Done)
    assert there.live.rules.id == "ma"
    assert there.purse("ann") == 100_000
    assert audit(there.store) == []


def test_a_table_that_could_not_be_opened_leaves_no_rules_under_its_name() -> None:
    there = ready("ann")
    crowd = table("new", rulebook="ma", bots=[{"strategy": "war"}] * 8)
    refused = there.house.open_table(OZ, "a", crowd, "a new table")
    assert isinstance(refused, Refused)
    assert refused.code == "table_refused"
    assert "new" not in there.house.tables
    opened = there.house.open_table(OZ, "b", table("new", rulebook="wa"), "a new table")
    assert isinstance(opened, Done)
    assert there.at("new").rules.id == "wa"


@pytest.mark.parametrize(
    ("changed", "code", "says"),
    [
        ({"name": "t"}, "name_taken", "Name: another table has it: take another."),
        (
            {"limit": {"minimum": 50_000, "maximum": 500, "unit": 500}},
            "table_refused",
            "Maximum: is below the minimum of 500.",
        ),
        ({"limit": {"minimum": 0, "unit": 0}}, "table_refused", "Unit: write 0.01 or more"),
        ({"meter": 500}, "table_refused", "Meter: nz has no progressive here"),
        ({"bots": [{"strategy": "war"}] * 8}, "table_refused", "House players: 8 of them, and the table has 7 boxes"),
    ],
)
def test_why_a_table_is_not_opened_is_said_in_plain_words_and_money(
    changed: dict[str, Any], code: str, says: str
) -> None:
    """Amounts have two digits behind the point."""
    there = ready("ann")
    answer = there.house.open_table(OZ, "a", table(**{"name": "new", **changed}), "a new table")
    assert isinstance(answer, Refused)
    assert answer.code == code
    assert answer.says.startswith(says)


def test_a_table_never_takes_up_the_stream_of_another() -> None:
    there = ready("ann")
    assert isinstance(there.act("sue", "supervisor", "end of the night", do="close_table"), Done)
    assert isinstance(there.house.open_table(OZ, "a", table("t"), "once more"), Done)
    stream = there.live.stream
    refusal = there.house.open_table(OZ, "b", table(stream, rulebook="ma"), "a clash")
    assert isinstance(refusal, Refused)
    assert refusal.code == "name_taken"
    assert there.live.rules.id == "nz"


def test_a_table_of_the_file_never_takes_up_the_stream_of_another() -> None:
    """Where an operator has such a name in the tables file of a house that had it before, the streams stay apart."""
    there = ready("ann")
    assert isinstance(there.act("sue", "supervisor", "end of the night", do="close_table"), Done)
    assert isinstance(there.house.open_table(OZ, "a", table("t"), "once more"), Done)
    stream = there.live.stream
    there.settings = replace(there.settings, tables=(*there.settings.tables, table(stream, rulebook="ma")))
    there.house = there.open()
    assert there.at(stream).rules.id == "ma"
    assert there.at(stream).stream != stream
    assert there.live.rules.id == "nz"


@pytest.mark.parametrize("book", ["nz", "wa", "ctg", "ma"])
def test_a_human_dealer_takes_each_step_of_a_round_with_war(book: str) -> None:
    there = ready("ann", book=book, dealer="human")
    for _ in range(300):
        if book == "ctg":
            there.must("dora", "dealer", do="next")
        there.bet("ann")
        there.wait(600_000)
        assert not there.live.table.round.hands, "no clock deals for a person"
        deal_on(there)
        if there.live.table.phase == "deciding":
            break
    assert there.refusal("dora", "dealer", do="next").code == "decision_open"
    there.wait(600_000)
    assert there.live.table.phase == "deciding"
    there.must("ann", do="go_to_war", player="ann", box=1)
    deal_on(there)
    assert there.live.table.round.is_over
    assert len(there.live.table.round.hands[1]) == len(there.live.table.round.hands[0]) == 2
    there.check()


def deal_on(there: Night) -> None:
    """The dealer's next steps until somebody else must act."""
    for _ in range(60):
        if there.live.table.round.is_over or there.live.table.phase == "deciding":
            there.until(lambda: there.live.is_ready)
            return
        there.until(lambda: there.live.is_ready)
        there.must("dora", "dealer", do="next")
    raise AssertionError(there.stuck())


def test_a_human_dealer_enters_no_faces_and_an_automatic_table_has_no_dealer() -> None:
    there = ready("ann", dealer="human")
    there.bet("ann")
    assert there.refusal("dora", "dealer", do="enter", card="Ks").code == "cards_are_sealed"
    assert there.refusal("dora", "dealer", do="deal", cards=["Ks", "2c"]).code == "cards_are_sealed"
    assert there.refusal("sue", "supervisor", "the dealer is slow", do="next").code == "not_allowed"
    automatic = ready("ann")
    automatic.bet("ann")
    assert automatic.refusal("dora", "dealer", do="next").code == "dealer_is_automatic"


def test_a_step_that_was_asked_for_on_an_older_table_is_stale_for_a_dealer() -> None:
    there = ready("ann", dealer="human")
    there.bet("ann")
    twice = [there.ask("dealer", do="next") for _ in range(2)]
    assert isinstance(there.send("dora", twice[0]), Done)
    there.must("dora", "dealer", do="next")
    assert there.refusal_of("dora", twice[1]).code == "stale"
