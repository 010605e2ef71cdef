"""The audit of one table's stream command by command, while nothing is wrong: the checks of `TableAudit` in less time.

It says that all is well or that there is a doubt, and never what is wrong. Where there is a doubt the table is audited
again by `TableAudit`, so that all findings come from there.
"""

import hashlib
from collections.abc import Callable, Iterable
from itertools import pairwise
from operator import attrgetter
from typing import Any

from casinowar.audit.bodies import TableBodies, new_limits
from casinowar.audit.quick_log import UNSURE, Doubt, QuickEvent, QuickLog, require
from casinowar.audit.rounds import RoundAudit
from casinowar.audit.shoes import DRAWN_KINDS, SHOE_KINDS, ShoeAudit
from casinowar.audit.stream_log import SHARED, StreamFacts, is_payable, name_command
from casinowar.audit.tables import END_KINDS, OWN_KINDS, TableAudit
from casinowar.cards import Card
from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.signatures import SIGNED
from casinowar.house.player_limits import CHIPS, DAY_MS, MINUTE_MS, MOVED, SYSTEM, KeptLimits
from casinowar.house.table.followed_table import NOTED
from casinowar.store import BookResolved, CommandTaken, ShoeCommitted
from casinowar.store.ledger import BOUND, RULES, LayoutWalk

TWO_SIGNED = frozenset(SIGNED)
NEVER = 1 << 62
"""A version that no stream reaches, and no position."""

Cause = tuple[str, str, int]
"""Who gave a command of the store, its name, and when."""

_cause: Callable[[QuickEvent], Cause] = attrgetter("actor", "command", "at")


class QuickLimits:
    """The limits of players by the commands of one stream, kept behind some positions of the log.

    What was spent of a player's chips is what has gone from them since, without what was bought in or cashed out.
    """

    def __init__(self, held: dict[str, int], positions: Iterable[int]) -> None:
        self.kept: dict[int, KeptLimits] = {}
        self.is_waiting = bool(positions)
        self._waiting = sorted(positions, reverse=True)
        self._limits = new_limits()
        self._held, self._before = held, dict(held)
        self._bought: dict[str, int] = {}
        self._touched: set[str] = set()
        self._minutes: dict[str, set[int]] = {}
        self._day = self._latest = 0

    def buy(self, account: str, amount: int) -> None:
        """Chips that only change between purse and table."""
        self._bought[account] = self._bought.get(account, 0) + amount

    def note(self, first: int, last: int, cause: Cause, moved: dict[str, int]) -> None:
        """Note a command before what it has moved is in the accounts; what it only bought is not among `moved`."""
        actor, _, at = cause
        if self._waiting[-1] < first:
            self.keep(first)
            if not self.is_waiting:
                return
        require(self._waiting[-1] >= last)
        if actor == SYSTEM:
            require(not moved)
            return
        day, minute = at // DAY_MS, at // MINUTE_MS
        if day != self._day:
            self._flush()
            self._day = day
        self._latest = max(self._latest, at)
        self._minutes.setdefault(actor, set()).add(minute)
        self._touched.update(moved)

    def keep(self, first: int = NEVER) -> None:
        """Keep the limits as they are before the position."""
        while self._waiting and self._waiting[-1] < first:
            self._flush()
            self.kept[self._waiting.pop()] = self._limits.keep()
        self.is_waiting = bool(self._waiting)

    def _flush(self) -> None:
        held, before, bought = self._held, self._before, self._bought
        if self._minutes:
            chips = [account for account in self._touched if account.startswith(CHIPS)]
            gone = [before.get(account, 0) + bought.get(account, 0) - held.get(account, 0) for account in chips]
            players = [account.partition(":")[2].partition(":")[2] for account in chips]
            self._limits.note_acts(self._latest, self._minutes, zip(players, gone, strict=True))
        self._before = dict(held)
        self._bought, self._touched, self._minutes, self._latest = {}, set(), {}, 0


class QuickMoney:
    """The money of one stream: what each command of the store moves."""

    def __init__(self, facts: StreamFacts, positions: Iterable[int]) -> None:
        self.layouts = LayoutWalk(facts.stream)
        self._facts, self._digest = facts, hashlib.sha256()
        self._moved: dict[str, int] = {}
        self._bought: dict[str, int] = {}
        self._cause: Cause = ("", "", 0)
        self._first = self._last = self._version = 0
        self._limits = QuickLimits(facts.held, positions)

    def balance(self, account: str) -> int:
        return self._facts.held.get(account, 0) + self._moved.get(account, 0) + self._bought.get(account, 0)

    def begin(self, one: QuickEvent, cause: Cause) -> None:
        """Begin with the events of the store's next command, or go on with those of the last."""
        if cause != self._cause or one.position != self._last + 1:
            require(cause[:2] != self._cause[:2] or one.position != self._last + 1)
            self.end()
            self._cause, self._first = cause, one.position

    def go_on(self, one: QuickEvent) -> None:
        """Go on behind an event of the same command."""
        self._last, self._version = one.position, one.version

    def post(self, one: QuickEvent) -> None:
        """Post one event: the layout gives the postings that it must have."""
        event = one.event
        postings = self.layouts.post(event)
        if postings != one.postings:
            raise Doubt(UNSURE)
        moved = self._bought if type(event) in MOVED else self._moved
        for account, amount in postings:
            moved[account] = moved.get(account, 0) + amount

    def end(self) -> None:
        """Note a command, and what it has moved in all: nothing comes from nowhere, and no account here owes."""
        if not self._first:
            return
        actor, command, _ = self._cause
        self._digest.update(name_command(self._first, self._last, self._version, actor, command))
        moved, bought = self._moved, self._bought
        if self._limits.is_waiting:
            self._limits.note(self._first, self._last, self._cause, moved)
        for account, amount in bought.items():
            self._limits.buy(account, amount)
            moved[account] = moved.get(account, 0) + amount
        bought.clear()
        if moved:
            self._book(moved)
            moved.clear()

    def _book(self, moved: dict[str, int]) -> None:
        held = self._facts.held
        require(not sum(moved.values()))
        for account, amount in moved.items():
            if not amount:
                continue
            if account.startswith(SHARED):
                self._facts.moved.append((self._last, account, amount))
                continue
            held[account] = balance = held.get(account, 0) + amount
            if not 0 <= balance < BOUND:
                require(is_payable(account, balance))

    def finish(self) -> None:
        """Tell what all of it came to."""
        self.end()
        self._limits.keep()
        facts = self._facts
        facts.limits = self._limits.kept
        facts.commands = self._digest.digest()
        facts.is_sound = True


class QuickTable:
    """One walk over a table's events, whose state is that of its `TableAudit`."""

    def __init__(self, log: QuickLog, audit: TableAudit, bodies: TableBodies, rounds: RoundAudit) -> None:
        self._log, self._audit, self._bodies, self._rounds = log, audit, bodies, rounds
        self._shoes: ShoeAudit = audit.shoes
        self._money = QuickMoney(log.facts, log.positions)
        self._marks = [*reversed(bodies.versions)]
        self._next = self._marks[-1] if self._marks else NEVER
        self._followed = bodies.only if self._marks else None
        require(self._followed is not None or not self._marks)

    def walk(self, on_rounds: Callable[[int], None]) -> None:
        """Follow the stream to its end, or raise.

        The first of the `ones` is always an event of the store's own: the rules, or the first that was carried over.
        """
        carried: list[QuickEvent] = []
        for coming in self._log:
            if not carried:
                require(coming[0].version > 1 or isinstance(coming[0].event, BookResolved))
            ones = carried + coming
            starts = [at for at, one in enumerate(ones) if type(one.event) in OWN_KINDS]
            ended = len(self._audit.rounds)
            for start, end in pairwise(starts):
                self._follow(ones[start], ones[start + 1 : end])
            carried = ones[starts[-1] :]
            on_rounds(len(self._audit.rounds) - ended)
        if carried:
            self._follow(carried[0], carried[1:])
        self._money.finish()

    def _follow(self, one: QuickEvent, following: list[QuickEvent]) -> None:
        """Follow an event of the store's own, and the engine's events behind it.

        They are parts of the same command of the store, and follow at once. Positions only grow, as the log has seen.
        """
        cause = _cause(one)
        self._money.begin(one, cause)
        last = following[-1] if following else one
        if last.position - one.position != len(following) or any(map(cause.__ne__, map(_cause, following))):
            raise Doubt(UNSURE)
        if type(one.event) is CommandTaken:
            if one.postings:
                raise Doubt(UNSURE)
            self._command(one, one.event.command, following)
        else:
            require(not following)
            self._own(one)
        self._money.go_on(last)
        if last.version >= self._next:
            self._hold(last.version)

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
        if kind in RULES or one.postings:
            self._money.post(one)
        if isinstance(event, ShoeCommitted):
            self._log.facts.committed.append((one, event))
        if self._followed is not None:
            self._followed.follow(one)

    def _command(self, taken: QuickEvent, command: c.Command, following: list[QuickEvent]) -> None:
        """Hold the events behind a command against what the engine decides on it."""
        audit = self._audit
        before, rules = audit.table, audit.rules
        assert rules is not None
        events: list[Any] = [one.event for one in following]
        done = step(rules, before, command)
        if isinstance(done, Refusal) or done[0] != events:
            raise Doubt(UNSURE)
        audit.table = table = done[1]
        if command.by is not None or type(command) in TWO_SIGNED:
            require(not any(audit.staff(taken)))
        if len(events) == 1 and type(events[0]) is e.WagerPlaced:
            noted: list[QuickEvent] = []
            if not self._shoes.is_ready:
                raise Doubt(UNSURE)
            self._money.post(following[0])
        else:
            noted = self._note(taken, following, before)
        if self._followed is not None and following:
            self._followed.follow_command(following, noted, table)
        if noted and not END_KINDS.isdisjoint([type(one.event) for one in noted]):
            audit.rounds.add(table.round.number)
            require(not any(audit.imbalances(self._money.balance)))
        if self._rounds.follow(command, events, rules, before, table, may_end=bool(noted)):
            raise Doubt(UNSURE)

    def _note(self, taken: QuickEvent, following: list[QuickEvent], before: Table) -> list[QuickEvent]:
        """Follow the money and the cards of a command; give the events that somebody takes note of."""
        noted: list[QuickEvent] = []
        run: list[Card | None] = []
        for one in following:
            event: Any = one.event
            kind = type(event)
            if kind in DRAWN_KINDS:
                if one.postings:
                    raise Doubt(UNSURE)
                run.append(event.card)
                continue
            if kind in RULES or one.postings:
                self._money.post(one)
            if kind is e.WagerPlaced:
                require(self._shoes.is_ready)
            elif kind in NOTED:
                self._draw(run)
                run = []
                for seen in (one,) if noted else (taken, one):
                    require(not self._shoes.follow(seen, self._audit.rules, before))
                    if self._followed is not None:
                        self._followed.follow_shoe(seen)
                noted.append(one)
        self._draw(run)
        return noted

    def _draw(self, faces: list[Card | None]) -> None:
        if faces:
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
