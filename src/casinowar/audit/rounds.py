"""The audit of rounds: those whose records tell more than their commands are written, and replayed to the same money.

Every command of a round is decided again where the table's stream is walked, from the table that stood there. A record
that holds the same commands on the same table can then come to nothing else. What only the record shows is that cards
which no sealed shoe vouches for are those of the decks, and that what staff reported, ruled and corrected can be told
again without the log.
"""

from collections.abc import Callable, Sequence

from casinowar.audit.findings import Finding, in_words
from casinowar.engine import Event, Table
from casinowar.engine import commands as c
from casinowar.history.log_walk import ENDS, Step
from casinowar.history.round_record import record_of
from casinowar.records import Replay, parse_record, replay
from casinowar.rulebooks import Rulebook
from casinowar.store import CashedOut

IsChosen = Callable[[], bool]
END_KINDS = frozenset(ENDS)
USUAL = frozenset(
    (
        c.BuyIn,
        CashedOut,
        c.SeatPlayer,
        c.VacateSeat,
        c.AcceptBank,
        c.DeclineBank,
        c.OfferBank,
        c.RotateBank,
        c.RelinquishBank,
        c.OpenBetting,
        c.PlaceWager,
        c.AmendWager,
        c.WithdrawWager,
        c.NoMoreBets,
        c.Deal,
        c.GoToWar,
        c.Surrender,
        c.ConfirmWarWager,
        c.Settle,
        c.EndRound,
        c.InspectCards,
        c.VerifyCards,
        c.SpreadForInspection,
        c.Wash,
        c.Shuffle,
        c.SwapBatch,
        c.OfferCut,
        c.Cut,
        c.DeclineCut,
        c.PlaceMarker,
        c.LoadShoe,
        c.InitialBurn,
        c.ChangeDealer,
        c.Tick,
    )
)
"""What is done in a round in which nothing is out of the ordinary."""


class RoundAudit:
    """The audit of rounds, one after the other; `is_chosen` says of each whether it is looked at.

    With `is_written` each of them is written as a record, and not only those that have something unusual.
    """

    def __init__(self, stream: str, is_chosen: IsChosen = lambda: True, *, is_written: bool = False) -> None:
        self.replayed = self.records = 0
        self._stream, self._is_chosen, self._is_written = stream, is_chosen, is_written
        self._steps: list[tuple[c.Command | CashedOut, Sequence[Event], Rulebook, Table, Table]] = []
        self._unusual: list[int] = []
        self._number, self._end = 0, 0
        self._before: int | None = None

    def follow(
        self,
        command: c.Command | CashedOut,
        events: Sequence[Event],
        rules: Rulebook,
        before: Table,
        table: Table,
        is_odd: bool = False,
        may_end: bool = True,
    ) -> list[Finding]:
        """Take the next step. A round is complete when the next one begins: until then it can still be voided.

        A step is odd where the engine decides otherwise. A round that had begun before the first step cannot be
        replayed. A `Step` is made of it only where the round is written. `may_end` is false where no event is an end.
        """
        kind = type(command)
        if self._before is None:
            self._before = before.round.number
        if kind is c.OpenTable:
            return []
        told = self.finish() if self._end and table.round.number > self._number else []
        self._steps.append((command, events, rules, before, table))
        if is_odd or kind not in USUAL:
            self._unusual.append(len(self._steps))
        if may_end and not END_KINDS.isdisjoint(map(type, events)):
            self._number = [event.number for event in events if isinstance(event, ENDS)][-1]
            self._end = len(self._steps)
        return told

    def finish(self) -> list[Finding]:
        """Replay the last round that is over."""
        steps, unusual, end = self._steps, self._unusual, self._end
        self._steps, self._unusual, self._end = steps[end:], [at - end for at in unusual if at > end], 0
        if not end or self._number <= (self._before or 0) or not self._is_chosen():
            return []
        self.replayed += 1
        is_usual = not unusual or unusual[0] > end
        if is_usual and not self._is_written:
            return []
        self.records += 1
        fault = _fault([Step(one[0], tuple(one[1]), *one[2:]) for one in steps[:end]])
        return [Finding(f"{self._stream}, round {self._number}", fault)] if fault else []


def _fault(steps: list[Step]) -> str | None:
    try:
        again = replay(parse_record(record_of(steps)))
    except Exception as error:  # A record that cannot be made or read is a finding, whatever the reason.
        return f"cannot be replayed from its record: {in_words(error)}"
    return _difference(again, steps[0].before, steps[-1].table)


def _difference(again: Replay, before: Table, after: Table) -> str | None:
    """Chips, float, bank and meter of the replay against those of the log; a record begins with an empty float."""
    if again.refusals:
        return f"act {again.refusals[0].act + 1} of its record is refused: {again.refusals[0].reason}"
    for what, replayed, logged in (
        ("players", again.table.players, after.players),
        ("the float", again.table.house, after.house - before.house),
        ("the bank", _banked(again.table), _banked(after)),
        ("the layout", again.table.escrow, after.escrow),
        ("the meter", again.table.meter, after.meter),
    ):
        if replayed != logged:
            return f"{what}: its record comes to {replayed}, and the log to {logged}"
    return None


def _banked(table: Table) -> int:
    return table.bank.chips if table.bank else 0
