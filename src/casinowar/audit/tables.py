"""The audit of one table's stream: every command decided again, and the ledger held against the engine's own count.

It reads the log itself and not by `history.log_walk`: that walk stops at a missing command and trusts each event, while
the audit reports such a fault and goes on behind it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from casinowar.audit.bodies import TableBodies
from casinowar.audit.findings import Finding, Findings, in_words, place_of
from casinowar.audit.shoes import SHOE_KINDS, ShoeAudit
from casinowar.audit.stream_log import StreamLog
from casinowar.engine import Event, Refusal, Table, evolve, step
from casinowar.engine.commands import Command
from casinowar.engine.decide.floor import decks_due
from casinowar.history.log_walk import ENDS
from casinowar.house.signatures import kept_chips
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.editions import edition_name
from casinowar.store import (
    OWN,
    BookResolved,
    BotDismissed,
    BotSeated,
    CashedOut,
    CommandTaken,
    FloorCalled,
    FloorCallEnded,
    FloorCallTaken,
    LeaveCancelled,
    LeavePlanned,
    Recalled,
    Recorded,
    SeatGivenUp,
    SignatureAsked,
    SignatureClosed,
    StaffActed,
    TableCleared,
    TableStopped,
    cash_out,
    name_of,
    rules_of,
    stand,
)
from casinowar.store.events import SHOE_EVENTS
from casinowar.store.ledger import accounts_of

ABOUT_TABLES = (
    BookResolved,
    CommandTaken,
    CashedOut,
    TableStopped,
    TableCleared,
    StaffActed,
    BotSeated,
    BotDismissed,
    LeavePlanned,
    LeaveCancelled,
    SeatGivenUp,
    SignatureAsked,
    SignatureClosed,
    FloorCalled,
    FloorCallTaken,
    FloorCallEnded,
    *SHOE_EVENTS,
)
"""What the store's own events at a table can be; purses, roles and lists are the house's."""

MOST = 20
"""Findings at one table: when so many have been made, the rest most likely follows from them."""

OWN_KINDS = frozenset(OWN)
TABLE_KINDS = frozenset(ABOUT_TABLES)
END_KINDS = frozenset(ENDS)

SeenEvent = Callable[[Recalled], Iterable[Finding]]
SeenStep = Callable[[Command | CashedOut, Sequence[Event], Rulebook, Table, Table, bool], Iterable[Finding]]


class TableAudit:
    """One walk over a table's events.

    `staff` looks at who gave a command, and `on_step` at each command with what came of it, its rules, the table before
    and after it, and whether that is odd.
    Up to the version `audited` the stream was audited before, and is only followed. `on_rounds` is told of each end.
    """

    def __init__(
        self,
        log: StreamLog,
        shoes: ShoeAudit,
        bodies: TableBodies,
        staff: SeenEvent,
        on_step: SeenStep,
        audited: int = 0,
        on_rounds: Callable[[int], None] = lambda rounds: None,
    ) -> None:
        self.stream, self.shoes, self._bodies = log.facts.stream, shoes, bodies
        self.table = Table()
        self.rules: Rulebook | None = None
        self.rounds: set[int] = set()
        self.stopped: str | None = None
        self.told: list[Finding] = []
        self._log = log
        self.staff, self._on_step, self._on_rounds = staff, on_step, on_rounds
        self._audited = audited
        self._taken: Recalled | None = None
        self._following: list[Recalled] = []
        self._waiting: dict[str, SignatureAsked] = {}

    def findings(self) -> Findings:
        """What is wrong with the stream, up to the point from which nothing can be told any more."""
        for made, one in enumerate(self._walk(), start=1):
            yield one
            if made == MOST:
                yield Finding(self.stream, f"{MOST} findings were made here; what else is wrong was not looked for")
                return

    def _walk(self) -> Findings:
        """The findings as they are made: what finds something notes it in `told`, which is emptied behind each event.

        A generator for each of these steps would cost more than the steps themselves.
        """
        one: Recalled | None = None
        told, last = self.told, self._bodies.last
        try:
            for one in self._log:
                if one.version <= self._audited:
                    self._recall(one)
                    if one.version <= last:
                        yield from self._hold(one)
                    continue
                if one.version == 1 and not isinstance(one.event, BookResolved):
                    told.append(Finding(place_of(one), "a table begins with its rules"))
                self._follow(one)
                if one.version <= last:
                    told += self._hold(one)
                if told:
                    yield from told
                    told.clear()
            self._close()
        except Exception as error:  # An error that an altered event causes is a finding too.
            where = self.stream if one is None else place_of(one)
            told.append(Finding(where, f"cannot follow from what was before: {in_words(error)}"))
        yield from told

    def _hold(self, one: Recalled) -> list[Finding]:
        """Follow what is kept in snapshots, and hold those at this version against it."""
        if not self._bodies.follow(one):
            return []
        self._close()
        return list(self._bodies.findings(one.version))

    def _recall(self, one: Recalled) -> None:
        """The table after an event that was audited before."""
        event = one.event
        kind = type(event)
        if kind in SHOE_KINDS:
            self.shoes.recall(one)
        if kind is CashedOut or kind not in OWN_KINDS:
            self.table = stand(self.table, event)
        elif kind is not CommandTaken:
            self.own(one)
        if one.version == self._audited:
            self.told.clear()
            self.told += self.shoes.resume()

    def _follow(self, one: Recalled) -> None:
        kind = type(one.event)
        if kind not in OWN_KINDS:
            self._following.append(one)
        else:
            self._close()
            if kind is CommandTaken:
                self._taken = one
            else:
                self.own(one)
            if told := self.staff(one):
                self.told += told
        if kind in SHOE_KINDS and (told := self.shoes.follow(one, self.rules, self.table)):
            self.told += told
        if one.version % 1_000 == 1:
            self._on_rounds(0)

    def own(self, one: Recalled) -> None:
        """An event that the engine does not decide, such as a purse, a seal or a role."""
        event = one.event
        if type(event) not in TABLE_KINDS:
            self.told.append(Finding(place_of(one), f"{name_of(event)} is none of a table's"))
        match event:
            case BookResolved():
                self.told += self._resolve(one, event)
            case CashedOut():
                self.told += self._carry_away(one, event)
            case SignatureAsked():
                self._waiting[event.request] = event
            case SignatureClosed():
                self._waiting.pop(event.request, None)
            case TableStopped():
                self.stopped = event.reason
            case TableCleared():
                self.stopped = None

    def _carry_away(self, one: Recalled, event: CashedOut) -> Findings:
        refusal = cash_out(self.table, event.player, event.amount)
        if isinstance(refusal, Refusal):
            yield Finding(place_of(one), f"{event.player} could not carry {event.amount} away: {refusal.reason}")
        is_odd = isinstance(refusal, Refusal)
        before, self.table = self.table, stand(self.table, event)
        if self._is_taken_from_void(before):
            yield Finding(place_of(one), f"{event.player} carried away what a void that waited would take")
        yield from self._on_step(event, (), self._known_rules(), before, self.table, is_odd)

    def _is_taken_from_void(self, before: Table) -> bool:
        """Whether something that waits for a second signature could be done before these chips went, and no more."""
        waiting = [one for one in self._waiting.values() if one.round == before.round.number]
        tried = [
            [
                kept_chips.trial(self._known_rules(), table, one.command, one.is_passed_on)
                for table in (before, self.table)
            ]
            for one in waiting
            if one.command is not None
        ]
        return any(not isinstance(was, Refusal) and isinstance(now, Refusal) for was, now in tried)

    def _resolve(self, one: Recalled, book: BookResolved) -> Findings:
        """The first book is the table's; a later one is of the number of decks that a notice has announced."""
        was = self.rules
        self.rules = rules = rules_of(book)
        if was is None:
            return
        if _head(was) != _head(rules):
            now, before = (edition_name(each.id, each.edition) for each in (rules, was))
            yield Finding(place_of(one), f"{now} is another book than the {before} of this table")
        if self.table.floor.decks_notice is None or rules.shoe.decks != decks_due(was, self.table):
            yield Finding(place_of(one), f"no notice of {rules.shoe.decks} decks has stood long enough")

    def _known_rules(self) -> Rulebook:
        if self.rules is None:
            raise LookupError("no rules stand in the log before it")
        return self.rules

    def _close(self) -> None:
        """Hold what follows the last command against what the engine decides on it."""
        taken, following = self._taken, self._following
        if taken is None:
            if following:
                self._following = []
                what = f"no command explains {name_of(following[0].event)}"
                self.told.append(Finding(place_of(following[0]), what))
                self.table = _fold(self.table, following)
            return
        self._taken, self._following = None, []
        assert isinstance(taken.event, CommandTaken)
        before, rules = self.table, self._known_rules()
        events: list[Any] = [one.event for one in following]
        done = step(rules, before, taken.event.command)
        is_odd = isinstance(done, Refusal) or done[0] != events
        if isinstance(done, Refusal):
            self.told.append(Finding(place_of(taken), f"{_name(taken)} would have been refused: {done.reason}"))
            self.table = _fold(before, following)
        elif is_odd:
            self.told.append(_difference(taken, following, done[0]))
            self.table = _fold(before, following)
        else:
            self.table = done[1]
        self._bodies.end_command(self.table)
        if not END_KINDS.isdisjoint(map(type, events)):
            self.rounds.add(self.table.round.number)
            self._on_rounds(1)
            self.told += self._balance(following[-1])
        self.told += self._on_step(taken.event.command, events, rules, before, self.table, is_odd)

    def _balance(self, one: Recalled) -> Findings:
        for account, held, counted in self.imbalances(self._log.balance):
            what = f"{account} holds {held} by the ledger and {counted} by the table"
            yield Finding(f"{place_of(one)}, round {self.table.round.number}", what)

    def imbalances(self, balance: Callable[[str], int]) -> Iterator[tuple[str, int, int]]:
        """The accounts of this table that hold something else by the ledger than by the engine's count."""
        for account, counted in accounts_of(self.stream, self.table).items():
            held = balance(account)
            if held != counted:
                yield account, held, counted


def _head(rules: Rulebook) -> tuple[object, ...]:
    """The part of a table's book that stays while the number of decks changes."""
    return rules.id, rules.title, rules.version, rules.edition, rules.origin


def _fold(table: Table, following: Iterable[Recalled]) -> Table:
    for one in following:
        table = evolve(table, _engine_event(one))
    return table


def _engine_event(one: Recalled) -> Event:
    assert not isinstance(one.event, OWN)
    return one.event


def _name(taken: Recalled) -> str:
    assert isinstance(taken.event, CommandTaken)
    return str(taken.event.command.__struct_config__.tag)


def _difference(taken: Recalled, following: list[Recalled], decided: list[Event]) -> Finding:
    """The first event that is not the one which the engine decides on the command."""
    for one, due in zip(following, decided, strict=False):
        if one.event != due:
            return Finding(place_of(one), f"{_name(taken)} gives {_brief(due)}, and {_brief(one.event)} stands here")
    if len(following) > len(decided):
        one = following[len(decided)]
        return Finding(place_of(one), f"{_name(taken)} does not give {name_of(one.event)}")
    return Finding(
        place_of(following[-1] if following else taken),
        f"{_name(taken)} gives {name_of(decided[len(following)])} next, and it is gone",
    )


def _brief(event: Recorded) -> str:
    """The event in brief, without its clauses."""
    return str(replace(event, clauses=()) if hasattr(event, "clauses") else event)[:160]
