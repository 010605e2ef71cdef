"""What is asked of a live table: once for each id, by who may, of the game that was seen; refusals change nothing."""

import json
import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from casinowar.engine import Refusal
from casinowar.engine import events as e
from casinowar.house.house import House, RoleRequest, Who
from casinowar.protocol import CommandFrame, Done, Refused
from casinowar.store import Answer, MemoryStore, Proposal, StoreFailed, StoreInUse, audit
from casinowar.store import contract as k
from casinowar.words.refusals import REASONS, refused
from tests.support.live_night import STAFF, Clock, Night, table

RACES = int(os.environ.get("LIVE_RACES", "500"))


def ready(*players: str, **changed: Any) -> Night:
    there = Night(table(**{"timers": {"card": 0, "pause": 0, "entropy": 0, "cut": 0}, **changed}))
    there.sit(*players)
    there.until_ready()
    return there


def wager(player: str, box: int = 1, amount: int = 1000) -> dict[str, Any]:
    return {"do": "place_wager", "player": player, "box": box, "wager": "initial", "amount": amount}


def test_a_hundred_copies_of_a_command_have_one_effect_and_one_answer() -> None:
    there = ready("ann")
    ask = there.ask(**wager("ann"))
    answers = [msgspec.json.encode(there.send("ann", ask)) for _ in range(100)]
    assert len(set(answers)) == 1
    assert b'"done"' in answers[0]
    assert len(there.told(e.WagerPlaced)) == 1
    there.until_over()
    assert msgspec.json.encode(there.send("ann", ask)) == answers[0], "also when the round is over"
    assert there.live.table.round.is_over


def test_a_repetition_may_be_spaced_and_ordered_otherwise_but_not_changed() -> None:
    there = ready("ann")
    ask = there.ask(**wager("ann"))
    done = there.send("ann", ask)
    fields = json.loads(bytes(ask.command))
    same = json.dumps(dict(reversed(fields.items())), indent=3).encode()
    assert there.send("ann", replace(ask, command=msgspec.Raw(same))) == done
    other = json.dumps({**fields, "amount": 1500}).encode()
    for changed in (
        replace(ask, command=msgspec.Raw(other)),
        replace(ask, expected=ask.expected + 1),
        replace(ask, reason="another"),
        replace(ask, part="dealer"),
    ):
        assert there.refusal_of("ann", changed).code == "id_reused"


def test_a_refusal_binds_no_id_and_writes_nothing() -> None:
    """Or whoever asks for what is refused, again and again, would fill the store."""
    there = ready("ann")
    ask = there.ask(do="cash_chips", amount=500)
    for _ in range(3):
        assert there.refusal_of("ann", ask).code == "insufficient_funds"
    there.must("ann", do="buy_chips", amount=500)
    done = there.send("ann", ask)
    assert isinstance(done, Done), "the same id is looked at anew"
    assert there.send("ann", ask) == done
    refused = there.ask(do="cash_chips", amount=9_000)
    there.refusal_of("ann", refused)
    other = msgspec.structs.replace(refused, command=msgspec.Raw(b'{"do": "buy_chips", "amount": 500}'))
    assert isinstance(there.send("ann", other), Done), "and may be used for another command"
    assert there.refusal_of("ann", refused).code == "id_reused", "to which it is bound from then on"
    assert "A refusal binds nothing" in (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")


def test_ids_of_two_people_are_their_own() -> None:
    there = ready("ann", "ben")
    ask = there.ask(**wager("ann"))
    assert isinstance(there.send("ann", ask), Done)
    own = replace(there.ask(**wager("ben", 2)), id=ask.id)
    assert isinstance(there.send("ben", own), Done)


def test_a_command_for_another_stage_of_play_is_stale_and_one_for_the_future_unknown() -> None:
    there = ready("ann", "ben")
    early = there.ask(**wager("ann"))
    beside = there.ask(**wager("ben", 2))
    assert isinstance(there.send("ben", beside), Done)
    assert isinstance(there.send("ann", early), Done), "ben's wager makes ann's no other game"
    late = there.ask(do="amend_wager", player="ann", box=1, wager="initial", amount=1500)
    there.until_over()
    assert there.refusal_of("ann", late).code == "stale"
    ahead = replace(there.ask(**wager("ann")), expected=there.live.version + 1)
    assert there.refusal_of("ann", ahead).code == "unknown_version"


def test_what_means_the_same_at_any_time_is_never_stale() -> None:
    there = ready("ann")
    leave = replace(there.ask(do="leave"), expected=0)
    assert isinstance(there.send("ann", leave), Done)


@pytest.mark.parametrize("field", ["by", "second"])
def test_nobody_says_who_acts(field: str) -> None:
    there = ready("ann")
    command = (
        {"do": "void_round", field: "supervisor:sue"} if field == "second" else {**wager("ann"), "by": "player:ann"}
    )
    name = "sue" if field == "second" else "ann"
    ask = there.ask("supervisor" if field == "second" else "player", "a reason", **command)
    assert there.refusal_of(name, ask).code == "by_is_the_servers"


@pytest.mark.parametrize(
    "command",
    [
        wager("ann"),
        {"do": "amend_wager", "player": "ann", "box": 1, "wager": "initial", "amount": 2000},
        {"do": "withdraw_wager", "player": "ann", "box": 1, "wager": "initial"},
        {"do": "view_initial_burn", "player": "ann"},
    ],
    ids=lambda command: str(command["do"]),
)
def test_nobody_acts_for_another_player(command: dict[str, Any]) -> None:
    there = ready("ann", "eve")
    if command["do"] != "place_wager":
        there.bet("ann")
    assert there.refusal("eve", **command).code == "not_entitled"


@pytest.mark.parametrize("do", ["seat_player", "vacate_seat"])
def test_a_player_takes_and_leaves_a_seat_by_sitting_and_leaving(do: str) -> None:
    """So that no way to a seat passes by a break that the player has taken."""
    box = {"box": 5} if do == "seat_player" else {}
    assert ready("ann").refusal("ann", do=do, player="ann", **box).code == "not_by_hand"


def test_nobody_decides_for_another_player() -> None:
    there = ready("ann", "eve")
    there.until_tie("ann")
    for do in ("go_to_war", "surrender"):
        assert there.refusal("eve", do=do, player="ann", box=1).code == "not_entitled"


STAFFS: list[tuple[dict[str, Any], str]] = [
    ({"do": "pause"}, "not_allowed"),
    ({"do": "resume"}, "not_allowed"),
    ({"do": "clear"}, "not_allowed"),
    ({"do": "countersign", "request": "s1"}, "not_allowed"),
    ({"do": "next"}, "not_allowed"),
    ({"do": "enter", "card": "Ks"}, "not_allowed"),
    ({"do": "seat_bots", "count": 1}, "not_allowed"),
    ({"do": "dismiss_bots"}, "not_allowed"),
    ({"do": "void_round", "reason": "I lost"}, "not_entitled"),
    ({"do": "exclude_player", "player": "ann"}, "not_entitled"),
    ({"do": "close_table"}, "not_entitled"),
    ({"do": "change_limits", "minimum": 1, "basis": "empty"}, "not_entitled"),
    ({"do": "supervisor_shuffle", "reason": "suspect"}, "not_entitled"),
    ({"do": "deal", "cards": ["As", "2c"]}, "cards_are_sealed"),
    ({"do": "no_more_bets"}, "dealer_is_automatic"),
    ({"do": "settle"}, "dealer_is_automatic"),
    ({"do": "buy_in", "player": "eve", "amount": 10}, "not_by_hand"),
    ({"do": "tick", "seconds": 9}, "not_by_hand"),
    ({"do": "open_table"}, "not_by_hand"),
    ({"do": "resume_table"}, "not_by_hand"),
]


@pytest.mark.parametrize(("command", "code"), STAFFS, ids=[str(one["do"]) for one, _ in STAFFS])
def test_a_player_does_nothing_that_is_staffs(command: dict[str, Any], code: str) -> None:
    there = ready("ann", "eve")
    there.bet("ann")
    assert there.refusal("eve", **command).code == code
    for part in ("dealer", "supervisor", "operator"):
        assert there.refusal("eve", part, "I would like to", **command).code == "not_allowed"


@pytest.mark.parametrize("why", ["", "  ", "no", "a\nb c", "\x07\x07\x07\x07"])
def test_staff_say_why(why: str) -> None:
    there = ready("ann")
    assert there.refusal("sue", "supervisor", why, do="pause").code == "reason_due"
    assert there.refusal("oz", "operator", why, do="close_table").code == "reason_due"


def test_staff_act_in_the_parts_that_were_granted_to_them() -> None:
    there = ready("ann")
    assert there.refusal("dora", "supervisor", "it is late", do="pause").code == "not_allowed"
    assert there.refusal("sue", "operator", "it is late", do="pause").code == "not_allowed"
    assert there.refusal("dora", "dealer", "it is late", do="pause").code == "not_allowed"
    there.must("una", "operator", "it is late", do="pause")


@pytest.mark.parametrize(
    "raw",
    [
        b"{}",
        b"[]",
        b"null",
        b'{"do":"fly"}',
        b'{"do":"sit"}',
        b'{"do":"sit","box":1.5}',
        b'{"do":"sit","box":"1"}',
        b'{"do":"sit","box":1,"more":1}',
        b'{"do":"place_wager","player":"ann","box":1,"wager":"jackpot","amount":5}',
        b'{"do":"buy_chips","amount":0}',
        b'{"do":"buy_chips","amount":-5}',
        b'{"do":"buy_chips","amount":9007199254740992}',
        b'{"do":"buy_chips","amount":1e400}',
        b'{"do":"seat_bots","count":10}',
        b'{"do":"countersign","request":"\xff"}',
        b'{"do":"countersign","request":"\\ud800"}',
        b'{"do":"cut","position":60,"player":"\\ud800"}',
        b'{"do":"sit","box":1',
        b'{"do":"leave","by":"player:ann"}',
        b"[" * 5_000,
    ],
    ids=range(20),
)
def test_what_cannot_be_read_is_refused(raw: bytes) -> None:
    there = ready("ann")
    ask = replace(there.ask(do="leave"), command=msgspec.Raw(raw))
    assert there.refusal_of("ann", ask).code == "malformed_command"


@pytest.mark.parametrize("number", [0, -1, 2**31, 2**53, 2**63, 2**64, 10**30])
@pytest.mark.parametrize("field", ["amount", "box"])
def test_a_number_out_of_all_bounds_is_refused(number: int, field: str) -> None:
    there = ready("ann")
    assert there.refusal("ann", **{**wager("ann"), field: number}).code


def test_no_such_table_and_no_such_seat() -> None:
    there = ready("ann")
    assert there.refusal_of("ann", replace(there.ask(do="leave"), table="nowhere")).code == "no_such_table"
    there.come("ben")
    assert there.refusal("ben", do="sit", box=1).code == "seat_taken"
    assert there.refusal("ben", do="sit", box=8).code == "unknown_box"
    assert there.refusal("ben", do="sit", box=0).code == "unknown_box"


@pytest.mark.parametrize(("options", "says"), [({}, "one each"), ({"table.multi_box": True}, "at most 2 each")])
def test_a_refusal_of_one_box_too_many_says_how_many_it_may_be(options: dict[str, Any], says: str) -> None:
    """NZ-5.7, and NZ-5.8 where the operator lets players have several."""
    there = ready("ann", options={**options, **({"table.max_boxes_per_player": 2} if options else {})})
    boxes = 2 if options else 1
    for box in range(1, boxes + 1):
        there.must("ann", **{**wager("ann"), "box": box})
    refusal = there.refusal("ann", **{**wager("ann"), "box": boxes + 1})
    assert (refusal.code, refusal.says) == ("too_many_boxes", f"too many boxes: {says}")


def test_no_refusal_speaks_of_the_player_to_the_player() -> None:
    """What the engine says in the third person has words of the table's own, in which staff are told it too."""
    for reason in REASONS:
        said = refused("x", Refusal(reason)).says
        assert not re.search(r"\b(the|this) player('s)?\b", said), said


def test_chips_are_bought_and_cashed_within_the_purse() -> None:
    there = ready("ann")
    assert there.refusal("ann", do="buy_chips", amount=100_001).code == "insufficient_funds"
    there.must("ann", do="buy_chips", amount=100_000)
    assert there.refusal("ann", do="cash_chips", amount=100_001).code == "insufficient_funds"
    assert there.refusal("ann", **wager("ann", amount=100_000)).code == "wager_above_maximum"
    there.come("eve")
    assert there.refusal("eve", do="buy_chips", amount=5).code == "not_seated"
    assert there.refusal("eve", do="cash_chips", amount=5).code == "unknown_player"


def test_a_dealers_called_wager_takes_chips_from_the_layout_and_never_from_a_purse() -> None:
    """NZ-5.12 has wagers called by a player and placed by the dealer; a purse is its owner's alone to open."""
    there = ready("ann", dealer="human")
    called = {**wager("ann"), "called": True}
    assert there.refusal("dora", "dealer", "ann called it", **called).code == "insufficient_funds"
    there.must("ann", do="buy_chips", amount=1_000)
    there.must("dora", "dealer", "ann called it", **called)
    there.come("eve")
    assert there.refusal("dora", "dealer", "eve called it", **{**called, "player": "eve"}).code == "unknown_player"


def test_of_200_racing_wagers_at_two_tables_a_purse_for_one_pays_for_one() -> None:
    there = Night(table("a", timers=FAST_ZERO), table("b", timers=FAST_ZERO), guest_purse=1_000)
    for name in ("a", "b"):
        there.sit("ann", table=name)
        there.until_ready(name)
    asks = [there.ask(table="ab"[n % 2], **wager("ann")) for n in range(200)]
    answers = [there.send("ann", ask) for ask in asks]
    assert sum(isinstance(answer, Done) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, Refused)} <= {"insufficient_funds", "wager_exists"}
    assert there.purse("ann") == 0
    there.check()


def test_a_purse_for_one_wager_never_pays_for_two() -> None:
    there = Night(table("a", timers=FAST_ZERO), table("b", timers=FAST_ZERO), guest_purse=1_000)
    for name in ("a", "b"):
        there.sit("ann", table=name)
        there.until_ready(name)
    for race in range(RACES):
        first, second = "ab" if race % 2 else "ba"
        answers = [there.act("ann", table=one, **wager("ann")) for one in (first, second) * 5]
        assert [type(answer) for answer in answers] == [Done] + [Refused] * 9
        taken = there.act("ann", table=first, do="withdraw_wager", player="ann", box=1, wager="initial")
        assert isinstance(taken, Done)
        assert isinstance(there.act("ann", table=first, do="cash_chips", amount=1_000), Done)
    assert there.purse("ann") == 1_000
    assert sum(there.store.balances().values()) == 0


FAST_ZERO: dict[str, Any] = {"entropy": 0, "cut": 0}


class FailingStore(MemoryStore):
    """A medium that fails at a certain call."""

    fails_at: str | None = None

    def commit(self, proposal: Proposal) -> k.Answer:
        if self.fails_at == "commit":
            raise StoreFailed("the disk is gone")
        return super().commit(proposal)

    def answer_to(self, actor: str, command: str, body: bytes) -> k.Answer | None:
        if self.fails_at == "answer_to":
            raise StoreFailed("the disk is gone")
        return super().answer_to(actor, command, body)


ASKED: dict[str, Any] = {
    "act": lambda house: house.act(
        Who("ann"), CommandFrame(id="z", table="t", expected=0, command=msgspec.Raw(b'{"do":"leave"}'))
    ),
    "refill": lambda house: house.refill("ann", "z"),
    "fund": lambda house: house.fund(Who("oz", STAFF["oz"]), "z", "ann", 5, "a present"),
    "limits": lambda house: house.set_limits("ann", "z", 5, None),
    "break": lambda house: house.take_break("ann", "z", 5),
    "private": lambda house: house.open_private("ann", "z", "nz", ()),
    "open": lambda house: house.open_table(Who("oz", STAFF["oz"]), "z", table("new"), "more room"),
}


@pytest.mark.parametrize("call", ["commit", "answer_to"])
@pytest.mark.parametrize("asked", ASKED)
def test_when_the_medium_fails_nothing_is_acknowledged_from_then_on(call: str, asked: str) -> None:
    clock = Clock()
    store = FailingStore(clock.now)
    there = Night(store=store, clock=clock, refill_below=10**9)
    there.sit("ann")
    store.fails_at = call
    answer = ASKED[asked](there.house)
    assert isinstance(answer, Refused)
    assert answer.code == "out_of_service"
    assert there.house.out_of_service == "the disk is gone"
    store.fails_at = None
    commands = store.head().commands
    for again in ASKED.values():
        assert again(there.house).code == "out_of_service"
    assert there.house.advance() is None
    assert store.head().commands == commands
    assert audit(store) == []


def test_a_failure_while_the_house_itself_acts_puts_it_out_of_service() -> None:
    clock = Clock()
    store = FailingStore(clock.now)
    there = Night(table(timers=FAST_ZERO), store=store, clock=clock)
    there.sit("ann")
    there.until_ready()
    there.bet("ann")
    store.fails_at = "commit"
    clock.pass_(20_000)
    assert there.house.advance() is None
    assert there.act("ann", do="leave").code == "out_of_service"  # type: ignore[union-attr]


def test_a_house_that_closes_takes_nothing_more() -> None:
    there = ready("ann")
    there.house.close()
    assert there.refusal("ann", **wager("ann")).code == "draining"
    assert there.house.advance() is None


def test_no_id_of_a_player_is_mistaken_for_a_request_of_roles() -> None:
    there = ready("ann")
    assert isinstance(there.house.take_break("ann", "role-request-999", 1), Done)
    assert isinstance(there.house.take_break("ann", "role-request-none", 1), Done)
    there.house.import_roles([RoleRequest(1, "ben", "supervisor", True, "operator", "he asked")])
    assert there.house.roles("ben") == frozenset({"supervisor"})
    again = House(there.store, there.settings, tick=there.clock.tick)
    assert (again.last_request, again.roles("ben"), again.roles("ann")) == (1, frozenset({"supervisor"}), frozenset())


def test_a_request_of_roles_counts_once_however_often_it_comes() -> None:
    there = ready("ann")
    grant = RoleRequest(1, "ben", "dealer", True, "operator", "a new dealer")
    revoke = RoleRequest(2, "ben", "dealer", False, "operator", "has gone")
    there.house.import_roles([grant])
    there.house.import_roles([revoke, grant])
    there.house.import_roles([grant])
    assert there.house.roles("ben") == frozenset()
    assert there.house.last_request == 2


def test_roles_are_taken_in_at_the_next_look_where_another_server_is_in_the_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    there = Night(table())

    def refuse(proposal: Proposal) -> Answer:
        raise StoreInUse("another server holds house: try again")

    grant = RoleRequest(1, "ben", "supervisor", True, "operator", "he asked")
    with monkeypatch.context() as held:
        held.setattr(there.house.store, "commit", refuse)
        there.house.import_roles([grant])
    assert [one.message for one in caplog.records] == ["roles are not taken in yet"]
    assert there.house.last_request == 0
    there.house.import_roles([grant])
    assert there.house.roles("ben") == {"supervisor"}


def test_what_another_player_has_set_is_not_told_by_a_refusal() -> None:
    there = ready("ann", "eve")
    there.house.take_break("ann", "b", 60)
    assert there.refusal("eve", **wager("ann")).code == "not_entitled"


@pytest.mark.parametrize("text", ["x" * 201, "red \x1b[31m", "left \u202e right"])
def test_a_text_that_would_trouble_a_reader_is_refused(text: str) -> None:
    there = ready("ann")
    command = {"do": "void_round", "reason": text}
    assert there.refusal("sue", "supervisor", "a reason", **command).code == "malformed_command"


def test_a_player_gives_no_reason_for_a_surrender() -> None:
    there = ready("ann")
    command = {"do": "surrender", "player": "ann", "box": 1, "reason": "because"}
    assert there.refusal("ann", **command).code == "not_entitled"
