"""A player who broke a rule, at a live table and after payment: the chips stay until both have signed, and the log,
its lines, its records and the hold all tell the round as it then stands."""

from typing import Any

import pytest

from casinowar.engine import events as e
from casinowar.history.round_record import told_round
from casinowar.protocol import Part, Refused
from casinowar.records import parse_record, replay
from casinowar.web.workers.hold import HoldIndex
from casinowar.web.workers.round_index import RoundIndex
from tests.house.test_live_voids import MINUTE, STAKE, ask_void, findings, won, worth
from tests.support.live_night import Night, table

OUT: dict[str, Any] = {"do": "void_player", "player": "ann", "reason": "a device"}
FORFEIT = {"irreg.contravention": "forfeit"}
TWO = [("oz", "sam"), ("sue", "oz")]
"""Who asks for it and who signs beside them: one of the two is the operator, whom WA-6.6 names."""


def sign(there: Night, second: str, request: str) -> None:
    part: Part = "operator" if second == "oz" else "supervisor"
    there.must(second, part, "I saw it too", do="countersign", request=request)


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize(("first", "second"), TWO)
@pytest.mark.parametrize(("options", "taken"), [({}, STAKE), (FORFEIT, 2 * STAKE)])
def test_what_it_would_take_stays_until_it_is_signed(
    options: dict[str, str], taken: int, first: str, second: str
) -> None:
    there = won("wa", options=options)
    had, held, number = worth(there), there.live.table.players["ann"], there.live.table.round.number
    request = ask_void(there, first, **OUT)
    assert there.refusal("ann", do="cash_chips", amount=held - taken + 1).code == "chips_are_kept"
    assert (
        there.refusal("ben", do="place_wager", player="ben", box=2, wager="initial", amount=1000).code == "void_waits"
    )
    there.must("ben", do="leave")
    sign(there, second, request)
    assert worth(there) == had - taken
    [line] = [one for one in there.live.rounds if one.number == number]
    outcomes = {wager[4] for wager in line.wagers if wager[2] == "ann"}
    assert outcomes == ({"lose"} if options else {"void"})
    assert not line.is_void
    assert findings(there) == []
    there.check()


@pytest.mark.clause("WA-6.6a")
def test_chips_that_left_before_are_gone() -> None:
    there = won("wa")
    there.must("ann", do="cash_chips", amount=there.live.table.players["ann"])
    refused = there.act("oz", "operator", "a device", **OUT)
    assert isinstance(refused, Refused)
    assert refused.code == "chips_gone"
    assert "ann lacks" in refused.says


@pytest.mark.clause("WA-6.6a")
def test_two_of_the_floor_are_not_the_operator() -> None:
    there = won("wa")
    request = ask_void(there, "sue", **OUT)
    refused = there.refusal("sam", "supervisor", "I saw it too", do="countersign", request=request)
    assert refused.code == "not_entitled"
    assert there.refusal("sue", "supervisor", "sure", do="countersign", request=request).code == "same_person"


@pytest.mark.clause("WA-6.6a")
@pytest.mark.parametrize("options", [{}, FORFEIT])
def test_the_round_is_told_listed_and_summed_as_it_then_stands(options: dict[str, str]) -> None:
    there = won("wa", options=options)
    number = there.live.table.round.number
    sign(there, "sam", ask_void(there, "oz", **OUT))
    there.until_ready()
    there.bet("ben", STAKE)
    there.until_over()
    record = told_round(there.log(), number).record
    assert [act["do"] for act in record["acts"]][-1] == "void_player"
    again = replay(parse_record(record))
    assert not again.refusals
    assert len(there.told(e.RoundAmended)) == 1
    index = RoundIndex(there.house)
    assert index.spans("t")[number].is_void is False
    lines = {line.number: line for line in index.lines("t", None, 10)}
    assert {wager[4] for wager in lines[number].wagers if wager[2] == "ann"} == {"lose" if options else "void"}
    held = [one for one in HoldIndex(there.house)._rounds("t") if one.number == number]
    assert len(held) == 1
    assert held[0].won == sum(amount - paid - back for *_, amount, _, paid, back in lines[number].wagers)


@pytest.mark.clause("NZ-5.11b")
def test_who_gives_way_has_the_chips_back_and_is_told() -> None:
    there = Night(table(rulebook="nz", timers={"card": 0, "pause": 0, "entropy": 0, "cut": 0}))
    there.sit("ann", "ben", "cat", "dan", boxes=(1, 2, 3, 4))
    there.until_ready()
    had = {player: there.live.table.players.get(player, 0) + there.purse(player) for player in ("ann", "ben", "dan")}
    for player in ("ben", "cat", "dan"):
        there.must(player, do="place_wager", player=player, box=1, wager="tie", amount=1000)
    for wager in ("initial", "tie"):
        there.must("ann", do="place_wager", player="ann", box=1, wager=wager, amount=1000)
    [gone] = there.told(e.WagerWithdrawn)
    assert isinstance(gone, e.WagerWithdrawn)
    assert (gone.player, gone.gives_way_to, gone.clauses) == ("dan", "ann", ("NZ-5.11b",))
    assert worth(there, "dan") == had["dan"]
    there.until_over()
    there.check()


@pytest.mark.clause("WA-6.7")
def test_a_table_closes_at_the_time_on_its_sign() -> None:
    there = won("wa")
    there.must("sue", "supervisor", "the night is over", do="announce_closing", minutes=20)
    there.wait(19 * MINUTE)
    assert there.refusal("sue", "supervisor", "now", do="close_table").code == "notice_too_short"
    there.wait(2 * MINUTE)
    there.must("sue", "supervisor", "now", do="close_table")
    assert there.refusal("sue", "supervisor", "again", do="announce_closing").code == "table_closed"
