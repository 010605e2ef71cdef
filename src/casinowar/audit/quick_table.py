"""The audit of one table's stream command by command, while nothing is wrong: the checks of `TableAudit` in less time.

It says that all is well or that there is a doubt, and never what is wrong. Where there is a doubt the table is audited
again by `TableAudit`, so that all findings come from there.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from casinowar.audit.bodies import TableBodies
from casinowar.audit.due_entries import KINDS, QuickEntries
from casinowar.audit.quick_log import PRESENT, UNSURE, Doubt, QuickEvent, QuickLog, read_rows, require
from casinowar.audit.rounds import RoundAudit
from casinowar.audit.shoes import SHOE_KINDS, ShoeAudit
from casinowar.audit.stream_log import NAMES, Row
from casinowar.audit.table_money import NEVER, QuickMoney
from casinowar.audit.tables import END_KINDS, OWN_KINDS, TableAudit
from casinowar.cards import Card
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.signatures import SIGNED
from casinowar.store import BookResolved, CommandTaken, ShoeCommitted
from casinowar.store.ledger import RULES, Pairs

TWO_SIGNED = frozenset(SIGNED)
OWN_NAMES = frozenset(NAMES[kind] for kind in OWN_KINDS)


class QuickTable:
    """One walk over a table's events, whose state is that of its `TableAudit`."""

    def __init__(self, log: QuickLog, audit: TableAudit, bodies: TableBodies, rounds: RoundAudit) -> None:
        self._log, self._audit, self._bodies, self._rounds = log, audit, bodies, rounds
        self._shoes: ShoeAudit = audit.shoes
        self._money = QuickMoney(log.facts, log.positions)
        self._entries = QuickEntries(log.facts.stream)
        self._marks = [*reversed(bodies.versions)]
        self._next = self._marks[-1] if self._marks else NEVER
        self._followed = bodies.only if self._marks else None
        require(self._followed is not None or not self._marks)

    def walk(self, on_rounds: Callable[[int], None]) -> None:
        """Follow the stream to its end, or raise.

        The first of the rows is always an event of the store's own: the rules, or the first that was carried over.
        """
        carried: list[Row] = []
        for coming in self._log:
            is_first = not carried
            rows = carried + coming
            starts = [at for at, row in enumerate(rows) if row[3] in OWN_NAMES]
            require(bool(starts) and starts[0] == 0)
            own = read_rows([rows[at] for at in starts])
            require(not is_first or isinstance(own[0].event, BookResolved))
            ended = len(self._audit.rounds)
            for one, (start, end) in zip(own, pairwise(starts), strict=False):
                self._follow(one, rows[start + 1 : end])
            carried = rows[starts[-1] :]
            self._log.expect(self._money.take_rows())
            on_rounds(len(self._audit.rounds) - ended)
        if carried:
            self._follow(read_rows(carried[:1])[0], carried[1:])
        self._log.expect(self._money.take_rows())
        self._log.finish()
        self._money.finish()

    def _follow(self, one: QuickEvent, following: list[Row]) -> None:
        """Follow an event of the store's own, and the rows of the engine's events behind it.

        They are parts of the same command of the store, and follow at once. Positions only grow, as the log has seen.
        """
        self._money.begin(one)
        last = one.position + len(following)
        if following and following[-1][0] != last:
            raise Doubt(UNSURE)
        if type(one.event) is CommandTaken:
            if one.postings:
                raise Doubt(UNSURE)
            self._command(one, one.event.command, following)
        else:
            require(not following)
            self._own(one)
        version = one.version + len(following)
        self._money.go_on(last, version)
        if version >= self._next:
            self._hold(version)

    def _own(self, one: QuickEvent) -> None:
        """An event that the engine does not decide, such as a purse, a seal or a role.

        Limits and breaks, which `QuickLimits` does not count, are none of a table's: `TableAudit.own` tells them.
        """
        audit, event = self._audit, one.event
        kind = type(event)
        audit.own(one)
        require(not audit.told and not any(audit.staff(one)))
        if kind in SHOE_KINDS:
            require(not self._shoes.follow(one, audit.rules, audit.table))
        require((self._money.post(one.position, event) if kind in RULES else ()) == one.postings)
        if isinstance(event, ShoeCommitted):
            self._log.facts.committed.append((one, event))
        if self._followed is not None:
            self._followed.follow(one)

    def _command(self, taken: QuickEvent, command: c.Command, rows: list[Row]) -> None:
        """Hold the rows behind a command against what the engine decides on it."""
        audit = self._audit
        before, rules = audit.table, audit.rules
        assert rules is not None
        done = step(rules, before, command)
        if isinstance(done, Refusal) or len(done[0]) != len(rows):
            raise Doubt(UNSURE)
        events, table = done
        audit.table = table
        if command.by is not None or type(command) in TWO_SIGNED:
            require(not any(audit.staff(taken)))
        moved = self._post(taken.position, events)
        self._entries.require(taken, rows, events, moved)
        noted = self._note(taken, events, moved, before)
        if self._followed is not None and events:
            self._followed.follow_command(taken.version + len(events), events, noted, table)
        if noted and not END_KINDS.isdisjoint([type(one.event) for one in noted]):
            audit.rounds.add(table.round.number)
            require(not any(audit.imbalances(self._money.balance)))
        if self._rounds.follow(command, events, rules, before, table, False, bool(noted)):
            raise Doubt(UNSURE)

    def _post(self, position: int, events: Sequence[Event]) -> list[Pairs]:
        """Post the events of a command that is at this position; each gives the postings that it must have."""
        moved: list[Pairs] = []
        post = self._money.post
        for event in events:
            position += 1
            moved.append(post(position, event) if KINDS[type(event)].is_posted else ())
        return moved

    def _note(
        self, taken: QuickEvent, events: Sequence[Event], moved: Sequence[Pairs], before: Table
    ) -> list[QuickEvent]:
        """Follow the cards of a command; give the events that somebody takes note of."""
        noted: list[QuickEvent] = []
        run: list[Card | None] = []
        behind = 0
        for event in events:
            behind += 1
            kind = KINDS[type(event)]
            if not kind.is_followed:
                continue
            if kind.is_drawn:
                run.append(event.card)  # type: ignore[union-attr]
            elif kind.is_noted:
                if run:
                    self._draw(run)
                    run = []
                one = _recalled(taken, behind, event, moved[behind - 1])
                for seen in (one,) if noted else (taken, one):
                    require(not self._shoes.follow(seen, self._audit.rules, before))
                    if self._followed is not None:
                        self._followed.follow_shoe(seen)
                noted.append(one)
            else:
                require(self._shoes.is_ready)
        if run:
            self._draw(run)
        return noted

    def _draw(self, faces: list[Card | None]) -> None:
        require(self._shoes.draw(faces))
        if self._followed is not None:
            self._followed.draw(faces)

    def _hold(self, version: int) -> None:
        """Hold the snapshots at this version against what was followed."""
        require(version == self._marks.pop())
        self._log.facts.layouts[version] = (self._log.hashes[version], self._money.layouts.layout)
        require(not any(self._bodies.findings(version)))
        self._next = self._marks[-1] if self._marks else NEVER
        if not self._marks:
            self._followed = None


def _recalled(taken: QuickEvent, behind: int, event: Any, moved: Pairs) -> QuickEvent:
    """An event of a command as it would be read, so many places behind the command."""
    form, name, written = PRESENT[type(event)]
    return QuickEvent(
        position=taken.position + behind, stream=taken.stream, version=taken.version + behind, at=taken.at,
        actor=taken.actor, command=taken.command, postings=moved, event=event,
        format=form, name=name, event_version=written,
    )  # fmt: skip
