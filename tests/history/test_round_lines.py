"""The list of rounds: every hand that was dealt, what each wager came to, and what the bank won or lost."""

from itertools import groupby
from random import Random

from casinowar.engine import events as e
from casinowar.history.log_walk import ENDS
from casinowar.protocol import Done
from casinowar.web.workers.round_index import RoundIndex, last_rounds
from tests.support.live_night import FAST, Night, table


def opened(*players: str, book: str) -> Night:
    there = Night(table(rulebook=book, timers=FAST), source=Random(5).randbytes, guest_purse=10_000_000)
    there.sit(*players)
    there.until_ready() if book != "ca" else there.until(lambda: there.live.is_ready)
    return there


def dealt(there: Night) -> list[set[int]]:
    """The boxes that got a card, round by round, as the log tells it."""
    ends = 0
    found: list[tuple[int, int]] = []
    for one in there.log():
        if isinstance(one.event, e.CardDealt):
            found.append((ends, one.event.box))
        ends += isinstance(one.event, ENDS)
    return [{box for _, box in boxes} for _, boxes in groupby(found, key=lambda one: one[0])]


def test_hands_that_went_to_the_rack_before_a_war_are_told_too() -> None:
    """MA-8d-i: after the first settlement only the hands at war stay on the layout."""
    there = opened("ann", "ben", "cat", "dan", book="ma")
    there.play(30, ("ann", "ben", "cat", "dan"), Random(5))
    early = [one for one in there.told(e.CardsCollected) if one.hands]
    assert early, "some round had a war while others were settled"
    lines = RoundIndex(there.house).lines(there.table, None, 50)
    assert [line.number for line in lines] == list(range(len(lines), 0, -1))
    assert [{box for box, _ in line.hands} for line in reversed(lines)] == dealt(there)
    assert lines[:20] == list(reversed(there.live.rounds)), "a page of the log is what the table itself shows"


def test_the_hands_of_a_void_round_are_told() -> None:
    there = opened("ann", "ben", book="nz")
    there.until_tie("ann", "ben")
    asked = there.act("sue", "supervisor", "a card was seen", do="void_round", reason="seen")
    there.must("oz", "operator", "I saw it too", do="countersign", request=getattr(asked, "request", None))
    line = RoundIndex(there.house).lines(there.table, None, 1)[0]
    assert line.is_void
    assert {box for box, _ in line.hands} == {0, 1, 2}


def test_a_round_that_somebody_banked_has_the_banks_result() -> None:
    """CA-RP-9d: nothing goes to the house, so that the bank has what the others lose."""
    there = opened("ann", "ben", book="ca")
    assert isinstance(there.act("ben", do="accept_bank", player="ben", box=2, stake=10_000), Done)
    there.bet("ann", 1_000)
    there.until_over()
    line = there.live.rounds[-1]
    lost = sum(amount - paid - returned for _, _, _, amount, _, paid, returned in line.wagers)
    assert line.bank == ("ben", lost)
    assert lost
    assert RoundIndex(there.house).lines(there.table, None, 1) == [line]
    for player in ("ann", "ben"):
        assert [one.round for one in last_rounds(there.house, player, 5)] == [line]


def test_a_wager_that_the_bank_covers_in_part_is_told_with_what_was_put_down() -> None:
    """CA-BS-5b: of 5,000 against a bank of 1,000 a fifth is in play, whatever the cards are."""
    there = opened("ann", "ben", book="ca")
    there.must("ben", do="accept_bank", player="ben", box=2, stake=1_000)
    there.bet("ann", 5_000)
    there.until_over()
    line = there.live.rounds[-1]
    first = next(at for at, (_, wager, *_) in enumerate(line.wagers) if wager == "initial")
    assert (line.wagers[first][3], line.placed[first]) == (1_000, 5_000)
    there.must("ben", do="accept_bank", player="ben", box=2, stake=5_000)
    there.bet("ann", 5_000)
    there.until_over()
    assert there.live.rounds[-1].placed == ()
