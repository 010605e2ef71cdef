"""The money of one table's stream command by command, and what players have spent of it, while nothing is wrong."""

import hashlib
from collections.abc import Iterable

from casinowar.audit.bodies import new_limits
from casinowar.audit.quick_log import QuickEvent, require
from casinowar.audit.stream_log import SHARED, NamedCommand, PostingRow, StreamFacts, is_payable, name_commands
from casinowar.house.player_limits import CHIPS, DAY_MS, MINUTE_MS, MOVED, SYSTEM, KeptLimits
from casinowar.store import Recorded
from casinowar.store.ledger import BOUND, LayoutWalk, Pairs

NEVER = 1 << 62
"""A version that no stream reaches, and no position."""

Cause = tuple[str, str, int]
"""Who gave a command of the store, its name, and when."""


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
        self._rows: list[PostingRow] = []
        self._named: list[NamedCommand] = []
        self._cause: Cause = ("", "", 0)
        self._first = self._last = self._version = 0
        self._limits = QuickLimits(facts.held, positions)

    def balance(self, account: str) -> int:
        return self._facts.held.get(account, 0) + self._moved.get(account, 0) + self._bought.get(account, 0)

    def begin(self, one: QuickEvent) -> None:
        """Begin with the events of the store's next command, or go on with those of the last."""
        cause = one.actor, one.command, one.at
        is_next = one.position == self._last + 1
        if is_next and cause == self._cause:
            return
        require(not is_next or cause[:2] != self._cause[:2])
        self.end()
        self._cause, self._first = cause, one.position

    def go_on(self, last: int, version: int) -> None:
        """Go on behind an event of the same command."""
        self._last, self._version = last, version

    def post(self, position: int, event: Recorded) -> Pairs:
        """Post one event, and give the postings that it must have."""
        postings = self.layouts.post(event)
        moved, note = self._bought if type(event) in MOVED else self._moved, self._rows.append
        for line, (account, amount) in enumerate(postings):
            moved[account] = moved.get(account, 0) + amount
            note((position, line, account, amount))
        return postings

    def take_rows(self) -> list[PostingRow]:
        """The rows of postings that there must be since the last time."""
        rows, self._rows = self._rows, []
        self._digest.update(name_commands(self._named))
        self._named.clear()
        return rows

    def end(self) -> None:
        """Note a command, and what it has moved in all: nothing comes from nowhere, and no account here owes."""
        if not self._first:
            return
        actor, command, _ = self._cause
        self._named.append((self._first, self._last, self._version, actor, command))
        moved, bought = self._moved, self._bought
        if self._limits.is_waiting:
            self._limits.note(self._first, self._last, self._cause, moved)
        if bought:
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
        self.take_rows()
        self._limits.keep()
        facts = self._facts
        facts.limits = self._limits.kept
        facts.commands = self._digest.digest()
        facts.is_sound = True
