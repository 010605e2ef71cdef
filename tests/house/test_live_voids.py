"""A void that waits for its second signature: no way leads its chips away from the table, and it waits ten minutes."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from casinowar.audit import Audit
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.view import Viewer
from casinowar.house.house import Who
from casinowar.house.signatures import kept_chips
from casinowar.house.signatures.countersignatures import signatures_due
from casinowar.house.signatures.pending_signatures import PendingSignatures
from casinowar.house.table import visibility
from casinowar.house.table.visibility import live_view
from casinowar.protocol import AnyCommand, Done, Refused
from casinowar.store import Recalled, SignatureAsked, SignatureClosed
from tests.support.live_night import NOON, STAFF, Night, table

QUICK: dict[str, Any] = {"card": 0, "pause": 0, "entropy": 0, "cut": 0}
MINUTE = 60_000
SUE = Who("sue", STAFF["sue"])
STAKE = 1000
VOID = {"do": "void_round", "reason": "seen"}
WayOut = Callable[[Night], object]


def won(book: str = "nz", **changed: Any) -> Night:
    """Ann and ben sit at a table where ann has just won and ben has lost."""
    there = Night(table(rulebook=book, **{"timers": QUICK, **changed}))
    there.sit("ann", "ben")
    for _ in range(100):
        there.until_ready()
        had = worth(there), worth(there, "ben")
        there.bet("ann", STAKE)
        there.bet("ben", STAKE)
        there.until_over()
        if worth(there) > had[0] and worth(there, "ben") < had[1]:
            return there
    raise AssertionError("ann never wins")


def worth(there: Night, player: str = "ann") -> int:
    return there.purse(player) + there.live.table.players.get(player, 0)


def ask_void(there: Night, who: str = "sue", **void: Any) -> str:
    asked = there.act(who, "operator" if who == "oz" else "supervisor", "a card was seen", **(void or VOID))
    assert isinstance(asked, Refused)
    assert asked.code == "second_signature_due", asked
    assert asked.request is not None
    return asked.request


def sign(there: Night, request: str) -> None:
    there.must("oz", "operator", "I saw it too", do="countersign", request=request)


def cash(there: Night) -> None:
    there.act("ann", do="cash_chips", amount=there.live.table.players["ann"])


def go(there: Night) -> None:
    there.act("ann", do="leave")
    there.wait(MINUTE)


def stay_away(there: Night) -> None:
    there.house.present("ann", "t", False)
    there.wait(5 * MINUTE)


def bet_again(there: Night) -> None:
    there.act("ann", do="place_wager", player="ann", box=1, wager="initial", amount=STAKE)
    cash(there)
    there.wait(2 * MINUTE)


def let_a_friend_bet(there: Night) -> None:
    there.act("ben", do="place_wager", player="ben", box=2, wager="initial", amount=STAKE)
    cash(there)


def be_put_off_the_seat(there: Night) -> None:
    there.must("sue", "supervisor", "asleep", do="vacate_seat", player="ann")
    stay_away(there)


def take_a_break(there: Night) -> None:
    there.house.take_break("ann", "b1", 60)
    go(there)


def see_the_table_closed(there: Night) -> None:
    there.act("sue", "supervisor", "end of the night", do="close_table")
    there.wait(MINUTE)


def come_back_after_a_restart(there: Night) -> None:
    there.house = there.open()
    there.come("ann", "ben")
    cash(there)
    go(there)


def have_the_table_opened_anew(there: Night) -> None:
    """A restart with other limits closes the table and opens it again."""
    changed = msgspec.structs.replace(there.settings.tables[0], meter=None, limit=other_limit(there))
    there.settings = msgspec.structs.replace(there.settings, tables=(changed,))
    there.house = there.open()
    there.wait(1)


def other_limit(there: Night) -> Any:
    return msgspec.structs.replace(there.live.table.limit, maximum=90_000)


WAYS_OUT: tuple[WayOut, ...] = (
    cash,
    go,
    stay_away,
    bet_again,
    let_a_friend_bet,
    be_put_off_the_seat,
    take_a_break,
    see_the_table_closed,
    come_back_after_a_restart,
    have_the_table_opened_anew,
)


def try_way_out(way: WayOut) -> None:
    """While the void waits ann tries to get her winnings away; then it is signed, and she has what she had before."""
    there = won()
    before = worth(there) - STAKE, worth(there, "ben")
    request = ask_void(there)
    way(there)
    sign(there, request)
    assert there.told(e.RoundVoided)
    assert worth(there) == before[0], "what she had won is taken back"
    there.check()


@pytest.mark.parametrize("way", WAYS_OUT, ids=lambda way: way.__name__)
def test_no_way_leads_chips_away_that_a_void_would_take(way: WayOut) -> None:
    try_way_out(way)


@pytest.mark.parametrize("way", WAYS_OUT, ids=lambda way: way.__name__)
def test_the_harness_sees_chips_that_get_away(way: WayOut, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: with nothing kept and a table that goes on, or a request that a restart forgets, each way leads out."""
    monkeypatch.setattr(kept_chips, "standstill", lambda live: None)
    monkeypatch.setattr(kept_chips, "kept", lambda live, player: 0)
    with pytest.raises(AssertionError):
        try_way_out(way)


def test_what_the_void_would_not_take_can_be_carried_away_and_who_cannot_is_told_why() -> None:
    there = won()
    there.must("ann", do="buy_chips", amount=5_000)
    held = there.live.table.players["ann"]
    ask_void(there)
    refused = there.refusal("ann", do="cash_chips", amount=held - STAKE + 1)
    assert refused.code == "chips_are_kept"
    number = there.live.table.round.number
    assert refused.says.endswith(f": 10 from round {number}, for at most 10 more minutes")
    there.must("ann", do="cash_chips", amount=held - STAKE)
    assert there.live.table.players["ann"] == STAKE
    there.must("ben", do="leave")
    assert there.live.box_of("ben") is None, "of ben it would take nothing"


def test_everybody_is_told_that_a_void_waits_and_only_staff_who_asked() -> None:
    there = won()
    ask_void(there)
    there.wait(4 * MINUTE)
    own, others = (live_view(there.live, Viewer("player", name)).void for name in ("ann", "ben"))
    assert own is not None
    assert others is not None
    assert (own.left, own.kept, others.kept) == (6 * MINUTE, STAKE, 0)
    [due] = signatures_due(there.live)
    assert due.left == 6 * MINUTE
    asked = there.log()[-1]
    told, staff = (
        visibility.seen_event(asked, viewer, there.live) for viewer in (Viewer("player", "ann"), Viewer("supervisor"))
    )
    assert told is not None
    assert staff is not None
    assert (told["by"], told["reason"], told["command"]) == ("", "", None)
    assert staff["by"] == "supervisor:sue"
    assert told["says"].endswith("waits for its second signature, for at most 10 minutes")


def test_a_void_that_nobody_answers_lapses_after_ten_minutes_and_says_so() -> None:
    there = won()
    request = ask_void(there)
    there.wait(10 * MINUTE - 1)
    assert [one.request for one in signatures_due(there.live)] == [request]
    there.wait(1)
    assert signatures_due(there.live) == ()
    [closed] = there.told(SignatureClosed)
    assert (closed.how, closed.asked_by, closed.waited) == ("lapsed", "supervisor:sue", 10 * MINUTE)
    told = visibility.seen_event(there.log()[-1], Viewer("player", "ann"), there.live)
    assert told is not None
    assert "was not signed in time and has lapsed" in told["says"]
    assert there.refusal("sam", "supervisor", "late", do="countersign", request=request).code == "no_such_request"
    there.must("ann", do="cash_chips", amount=there.live.table.players["ann"])
    there.must("ann", do="leave")
    there.check()


def test_how_long_it_waits_is_a_setting() -> None:
    there = won(timers={**QUICK, "signature": 60})
    ask_void(there)
    there.wait(MINUTE)
    assert signatures_due(there.live) == ()


def test_whoever_wanted_to_go_goes_when_the_void_is_answered() -> None:
    there = won()
    request = ask_void(there)
    there.must("ann", do="leave")
    assert there.live.box_of("ann") == 1, "the seat and the chips wait"
    there.must("sam", "supervisor", "I saw nothing", do="refuse_signature", request=request)
    there.wait(1)
    assert there.live.box_of("ann") is None
    assert not there.live.table.players["ann"]


def test_a_restart_gives_nobody_more_time_and_nobody_less() -> None:
    there = won()
    request = ask_void(there)
    there.wait(4 * MINUTE)
    there.house = there.open()
    there.come("ann", "ben")
    there.wait(6 * MINUTE - 1)
    assert [one.request for one in signatures_due(there.live)] == [request]
    there.wait(1)
    assert signatures_due(there.live) == ()


def test_a_wall_clock_that_is_set_anew_changes_no_deadline() -> None:
    there = won()
    ask_void(there)
    there.clock.wall += 3_600_000
    there.wait(10 * MINUTE - 1)
    assert signatures_due(there.live)
    there.wait(1)
    assert not signatures_due(there.live)


@pytest.mark.parametrize("how", ["lapsed", "refused"])
def test_nobody_alone_keeps_a_winners_chips_again_and_again(how: str) -> None:
    there = won()
    request = ask_void(there)
    if how == "lapsed":
        there.wait(10 * MINUTE)
    else:
        there.must("sam", "supervisor", "I saw nothing", do="refuse_signature", request=request)
    again = there.refusal("sue", "supervisor", "look again", **VOID)
    assert (again.code, again.request) == ("void_answered", None)
    other = {"do": "invalidate_round", "cause": "shuffler_failure"}
    assert there.refusal("una", "operator", "look again", **other).code != "void_answered"
    shown = there.house.preview(SUE, there.ask("supervisor", "preview", **VOID), decoded(VOID)).refused
    assert shown is not None
    assert shown.code == "void_answered", "and it is not offered"
    second = ask_void(there, "una")
    there.must("oz", "operator", "I saw it", do="countersign", request=second)
    assert there.told(e.RoundVoided), "two persons who agree are not stopped"


def test_taking_it_back_and_asking_again_gains_no_time() -> None:
    there = won()
    for minutes, left in ((4, 10), (5, 6)):
        request = ask_void(there)
        [due] = signatures_due(there.live)
        assert due.left == left * MINUTE
        there.wait(minutes * MINUTE)
        there.must("sue", "supervisor", "wrong box", do="refuse_signature", request=request)
    ask_void(there)
    [due] = signatures_due(there.live)
    assert (due.left, due.unsigned) == (MINUTE, 2)
    there.wait(MINUTE)
    assert there.refusal("sue", "supervisor", "once more", **VOID).code == "void_answered"


def test_of_the_next_round_it_may_be_asked_again_and_the_count_goes_on() -> None:
    there = won()
    ask_void(there)
    there.wait(10 * MINUTE)
    there.bet("ann", STAKE)
    there.until_over()
    there.until_ready()
    ask_void(there)
    [due] = signatures_due(there.live)
    assert due.unsigned == 1
    there.house = there.open()
    assert there.live.pending.unsigned == {"sue": 1}, "a restart forgets no count"


@pytest.mark.parametrize("how", ["lapsed", "refused"])
def test_an_answer_stops_the_same_void_and_no_other(how: str) -> None:
    there = Night(table(timers=QUICK))
    there.sit("ann", "ben")
    there.until_tie("ann", "ben")
    hand: dict[str, Any] = {"do": "void_hand", "box": there.live.table.round.asked[0][0]}
    request = ask_void(there, **hand, reason="seen")
    if how == "lapsed":
        there.wait(10 * MINUTE)
    else:
        there.must("sam", "supervisor", "I saw nothing", do="refuse_signature", request=request)
    again = there.refusal("sue", "supervisor", "look again", **hand, reason="in other words")
    assert again.code == "void_answered"
    ask_void(there)
    assert [due.left for due in signatures_due(there.live)] == [10 * MINUTE]


def test_to_ask_for_the_same_in_other_words_gains_no_time() -> None:
    there = won()
    ask_void(there)
    there.wait(9 * MINUTE)
    ask_void(there, do="void_round", reason="seen by two")
    assert [due.left for due in signatures_due(there.live)] == [MINUTE, MINUTE]
    there.wait(MINUTE)
    assert signatures_due(there.live) == ()
    assert there.refusal("sue", "supervisor", "once more", **VOID).code == "void_answered"


@pytest.mark.parametrize(("how", "left"), [("signed", 10), ("asked_anew", 10), ("lapsed", 6), ("overtaken", 6)])
def test_time_is_counted_against_whoever_asked_alone(how: str, left: int) -> None:
    pending, void = PendingSignatures(), c.VoidHand(box=1, reason="seen", by="supervisor:sue")
    asked = SignatureAsked("s1", 3, void, "supervisor:sue", "seen", 10 * MINUTE, moves_chips=True)
    closed = SignatureClosed("s1", 3, how, "supervisor:sue", "", 4 * MINUTE, moves_chips=True)
    pending.note(Recalled(1, "t", 1, NOON, "sue", "i1", (), asked), 0, NOON)
    pending.note(Recalled(2, "t", 2, NOON, "sam", "i2", (), closed), 0, NOON)
    assert pending.left(3, void, 10 * MINUTE, 0) == left * MINUTE


def next_round(there: Night) -> None:
    there.until_ready()
    there.bet("ben", STAKE)


def close(there: Night) -> None:
    there.must("sue", "supervisor", "end of the night", do="close_table")


def time_is_up(there: Night) -> None:
    there.wait(10 * MINUTE)


@pytest.mark.parametrize("then", [next_round, close, time_is_up])
def test_what_cannot_be_done_any_more_is_closed_once_and_nobody_is_blamed(then: WayOut) -> None:
    there = won()
    signed, other = ask_void(there), ask_void(there, "una")
    sign(there, signed)
    assert signatures_due(there.live) == (), "the round is void already"
    then(there)
    there.wait(MINUTE)
    assert [(one.request, one.how, one.by) for one in there.told(SignatureClosed)] == [
        (signed, "signed", "operator:oz"),
        (other, "overtaken", "house"),
    ]
    assert there.live.pending.waiting == {}
    assert not any(there.live.pending.unsigned.values())
    told = [visibility.seen_event(one, Viewer("player", "ann"), there.live) for one in there.log()]
    assert not any("stands" in str(one.get("says")) for one in told if one is not None)
    assert findings(there) == []
    there.house = there.open()
    assert there.live.pending.waiting == {}


def test_what_waits_is_tried_once_for_each_state_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every view asks for it, and each trial is a round taken back."""
    there, tries = won(), []

    def counted(*tried: Any) -> Any:
        tries.append(tried)
        return trial(*tried)

    trial = kept_chips.trial
    monkeypatch.setattr(kept_chips, "trial", counted)
    for number in range(10):
        ask_void(there, do="void_round", reason=f"seen {number}")
    tries.clear()
    for _ in range(20):
        for viewer in (Viewer("supervisor"), Viewer("player", "ann"), Viewer("player", "ben"), Viewer("watcher")):
            live_view(there.live, viewer)
        there.house.advance()
    assert len(tries) <= 20, "ten alone and one after another"
    there.must("ann", do="buy_chips", amount=500)
    assert kept_chips.kept(there.live, "ann") == STAKE
    there.must("sam", "supervisor", "all well", do="refuse_signature", request=signatures_due(there.live)[0].request)
    assert len(signatures_due(there.live)) == 9


def test_where_the_chips_are_gone_the_answer_says_who_lacks_how_much() -> None:
    there = won()
    there.must("ann", do="cash_chips", amount=there.live.table.players["ann"])
    refused = there.refusal("sue", "supervisor", "a card was seen", **VOID)
    assert (refused.code, refused.request) == ("chips_gone", None)
    assert refused.says == "somebody has left with the chips that would have to come back: ann lacks 10"
    shown = there.house.preview(SUE, there.ask("supervisor", "preview", **VOID), decoded(VOID)).refused
    assert shown is not None
    assert shown.says == refused.says


def decoded(command: dict[str, Any]) -> Any:
    return msgspec.convert(command, AnyCommand)


def test_nobody_pushes_a_void_out_of_the_list_with_other_requests() -> None:
    there = won()
    request = ask_void(there)
    for number in range(30):
        there.act("sue", "supervisor", f"again {number}", do="void_round", reason=f"seen {number}")
    assert request in [one.request for one in signatures_due(there.live)]
    assert len(signatures_due(there.live)) == 10


def test_while_a_hand_waits_to_be_void_its_round_does_not_go_on() -> None:
    """Or the round would be over before the second signature, and the hand could not be void any more."""
    there = Night(table(timers=QUICK))
    there.sit("ann", "ben")
    there.until_ready()
    there.until_tie("ann", "ben")
    box = there.live.table.round.asked[0][0]
    request = ask_void(there, do="void_hand", box=box, reason="seen")
    there.wait(9 * MINUTE)
    assert there.live.table.phase == "deciding", "nobody's time runs"
    assert live_view(there.live, Viewer("watcher")).timer is None
    sign(there, request)
    assert there.told(e.HandVoided)
    there.check()


def test_after_it_is_refused_a_choice_has_its_whole_time() -> None:
    there = Night(table(timers=QUICK))
    there.sit("ann")
    there.until_ready()
    there.until_tie("ann")
    request = ask_void(there)
    there.wait(5 * MINUTE)
    there.must("sam", "supervisor", "I saw nothing", do="refuse_signature", request=request)
    timer = live_view(there.live, Viewer("player", "ann")).timer
    assert timer is not None
    assert timer.left == 20_000


def test_a_human_dealer_waits_too() -> None:
    there = Night(table(timers=QUICK, dealer="human"))
    there.sit("ann")
    there.until_ready()
    there.bet("ann")
    for _ in range(20):
        if there.live.table.round.hands.get(0):
            break
        there.must("dora", "dealer", do="next")
    ask_void(there)
    assert there.refusal("dora", "dealer", do="next").code == "void_waits"
    assert isinstance(there.act("dora", "dealer", do="call_floor"), Done)


def test_a_private_table_that_everybody_left_waits_for_the_void() -> None:
    there = won(owner="ann", timers={**QUICK, "signature": 1800})
    request = ask_void(there)
    there.must("ben", do="leave")
    be_put_off_the_seat(there)
    there.wait(20 * MINUTE)
    assert not there.live.table.is_closed
    sign(there, request)
    there.check()


def bank_worth(there: Night) -> int:
    bank = there.live.table.bank
    return worth(there) + (bank.chips if bank is not None and bank.player == "ann" else 0)


def bank_won() -> tuple[Night, int]:
    """Ann banks a round and wins; what she had before it."""
    for _ in range(50):
        there = Night(table(rulebook="ca", timers=QUICK))
        there.sit("ann", "ben", "cat")
        there.until(lambda there=there: there.live.is_ready)  # type: ignore[misc]
        there.must("ann", do="accept_bank", player="ann", box=1, stake=6_000)
        before = bank_worth(there)
        there.bet("ben", STAKE)
        there.until_over()
        if bank_worth(there) > before:
            return there, before
    raise AssertionError("the bank never wins")


def test_a_bank_that_has_won_does_not_carry_its_winnings_away() -> None:
    there, before = bank_won()
    request = ask_void(there)
    ways: list[dict[str, Any]] = [
        {"do": "relinquish_bank", "player": "ann"},
        {"do": "leave"},
        {"do": "cash_chips", "amount": 6_000 + STAKE},
    ]
    for way in ways:
        there.act("ann", **way)
        there.wait(MINUTE)
    sign(there, request)
    assert bank_worth(there) == before
    there.check()


def test_a_bank_stays_while_a_void_waits_also_where_its_player_takes_a_break() -> None:
    there, _ = bank_won()
    there.must("ann", do="accept_bank", player="ann", box=1, stake=6_400)
    request = ask_void(there)
    there.house.take_break("ann", "b1", 60)
    there.wait(MINUTE)
    assert there.told(e.BankRelinquished) == []
    there.must("sam", "supervisor", "I saw nothing", do="refuse_signature", request=request)
    assert len(there.told(e.BankRelinquished)) == 1
    there.check()


def findings(there: Night) -> list[str]:
    """What the audit says of chips; that nobody here was granted a role is another matter."""
    return [str(one) for one in Audit(there.store).findings() if "did not have the role" not in str(one)]


def test_the_audit_finds_chips_that_were_carried_away_from_a_void(monkeypatch: pytest.MonkeyPatch) -> None:
    there = won()
    ask_void(there)
    assert findings(there) == []
    monkeypatch.setattr(kept_chips, "kept", lambda live, player: 0)
    cash(there)
    [found] = findings(there)
    assert found.endswith("ann carried away what a void that waited would take")
