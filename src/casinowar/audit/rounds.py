"""The audit of rounds: each written as a round record, as a player would get it, and replayed to the same money."""

from collections.abc import Callable

from casinowar.audit.findings import Finding, Findings, in_words
from casinowar.engine import Table
from casinowar.engine import commands as c
from casinowar.history.log_walk import ENDS, Step
from casinowar.history.round_record import record_of
from casinowar.records import Replay, parse_record, replay

IsChosen = Callable[[], bool]


class RoundAudit:
    """The audit of rounds, one after the other; `is_chosen` says of each whether it is replayed."""

    def __init__(self, stream: str, is_chosen: IsChosen = lambda: True) -> None:
        self.replayed = 0
        self._stream, self._is_chosen = stream, is_chosen
        self._steps: list[Step] = []
        self._number, self._end = 0, 0

    def follow(self, step: Step) -> Findings:
        """Take the next step. A round is complete when the next one begins: until then it can still be voided."""
        if isinstance(step.command, c.OpenTable):
            return
        if self._end and step.table.round.number > self._number:
            yield from self.finish()
        self._steps.append(step)
        for event in step.events:
            if isinstance(event, ENDS):
                self._number, self._end = event.number, len(self._steps)

    def finish(self) -> Findings:
        """Replay the last round that is over."""
        steps, end = self._steps, self._end
        self._steps, self._end = steps[end:], 0
        if end and self._is_chosen():
            self.replayed += 1
            fault = _fault(steps[:end])
            if fault:
                yield Finding(f"{self._stream}, round {self._number}", fault)


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
