"""Pending signatures: what waits at a table for a second person, as the log has it, and what came of the rest."""

from collections import Counter

import msgspec

from casinowar.engine import Table
from casinowar.engine import commands as c
from casinowar.rulebooks import Rulebook
from casinowar.store import Recalled, SignatureAsked, SignatureClosed

UNSIGNED = ("refused", "lapsed", "taken_back")
AGREED = ("signed", "asked_anew")
"""Somebody else wanted it too."""

Void = tuple[int, str, str, tuple[str | int | None, ...]]
"""What one person asks for: the round, the person, the name of the command, and the player or box."""


class Wait(msgspec.Struct, frozen=True):
    """A command that waits, as it can be kept in a snapshot: without a moment of the monotonic clock."""

    request: str
    command: c.Command
    reason: str
    round: int
    at: int
    lapses: int
    is_passed_on: bool
    moves_chips: bool


class KeptSignatures(msgspec.Struct, frozen=True):
    """All that a table knows of signatures, as it is kept in a snapshot."""

    waiting: tuple[Wait, ...]
    asked: int
    unsigned: dict[str, int]
    waited: tuple[tuple[Void, int], ...]
    refused: frozenset[Void]


class Pending(msgspec.Struct, frozen=True):
    """A command that waits for a second person: the round and the time at which it was asked for.

    One that is passed on was not whoever asked's to decide: the floor gives it in their place. `until` is when it
    lapses, on the monotonic clock.
    """

    command: c.Command
    reason: str
    round: int
    at: int
    until: int
    lapses: int
    is_passed_on: bool
    moves_chips: bool

    @property
    def by(self) -> str:
        return str(self.command.by)


class Feasible(msgspec.Struct, frozen=True):
    """The commands of all that wait which can be done at this table; `asked` and `open` were so many then.

    `after` are the tables that would come of each alone, and of each after those before it.
    """

    table: Table
    rules: Rulebook
    asked: int
    open: int
    waiting: dict[str, Pending]
    after: tuple[Table, ...]


class PendingSignatures:
    """The commands that wait, as the log has them, so that none is lost with the process.

    `unsigned` counts for each person what they asked for and nobody signed. What was waited for and refused is known
    for the rounds since the last request: nobody can ask for anything in an earlier one.
    """

    def __init__(self) -> None:
        self.waiting: dict[str, Pending] = {}
        self.asked = 0
        self.unsigned: Counter[str] = Counter()
        self.feasible: Feasible | None = None
        self._waited: Counter[Void] = Counter()
        self._refused: set[Void] = set()

    def note(self, one: Recalled, tick: int, now: int) -> None:
        """Note an event about signatures.

        `tick` is the monotonic clock and `now` the wall's, by which only the time before a restart is counted.
        """
        match one.event:
            case SignatureAsked() as event if event.command is not None:
                self.asked += 1
                self._forget_before(event.round)
                self._wait(
                    Wait(
                        event.request,
                        event.command,
                        event.reason,
                        event.round,
                        one.at,
                        event.lapses,
                        event.is_passed_on,
                        event.moves_chips,
                    ),
                    tick,
                    now,
                )
            case SignatureClosed() as event if event.request in self.waiting:
                self._close(event, self.waiting.pop(event.request))

    def _wait(self, one: Wait, tick: int, now: int) -> None:
        gone = min(max(now - one.at, 0), one.lapses)
        self.waiting[one.request] = Pending(
            one.command,
            one.reason,
            one.round,
            one.at,
            tick + one.lapses - gone,
            one.lapses,
            one.is_passed_on,
            one.moves_chips,
        )

    def _forget_before(self, round_: int) -> None:
        self._waited = Counter({void: waited for void, waited in self._waited.items() if void[0] >= round_})
        self._refused = {void for void in self._refused if void[0] >= round_}

    def keep(self) -> KeptSignatures:
        """All of it, for a snapshot."""
        return KeptSignatures(
            tuple(
                Wait(
                    request,
                    one.command,
                    one.reason,
                    one.round,
                    one.at,
                    one.lapses,
                    one.is_passed_on,
                    one.moves_chips,
                )
                for request, one in self.waiting.items()
            ),
            self.asked,
            {who: count for who, count in self.unsigned.items() if count},
            tuple((void, waited) for void, waited in self._waited.items() if waited),
            frozenset(self._refused),
        )

    def resume(self, kept: KeptSignatures, tick: int, now: int) -> None:
        """Take up what was kept."""
        for one in kept.waiting:
            self._wait(one, tick, now)
        self.asked, self.unsigned = kept.asked, Counter(kept.unsigned)
        self._waited, self._refused = Counter(dict(kept.waited)), set(kept.refused)

    def _close(self, event: SignatureClosed, one: Pending) -> None:
        if not event.moves_chips:
            return
        void = _void(event.round, one.command)
        self.unsigned[person(event.asked_by)] += event.how in UNSIGNED
        if event.how not in AGREED:
            self._waited[void] += event.waited
        if event.how == "refused" and not event.is_passed_on:
            self._refused.add(void)

    def left(self, round_: int, command: c.Command, whole: int, tick: int) -> int:
        """The milliseconds for which whoever gives the command may still keep chips here for this void.

        Nothing is left to whoever was refused it, so that nobody alone keeps a winner's chips again and again; and to
        ask for it in other words while it waits gains no time.
        """
        void = _void(round_, command)
        waits = [one.until - tick for one in self.waiting.values() if _void(one.round, one.command) == void]
        return 0 if void in self._refused else max(0, min([whole - self._waited[void], *waits]))


def _void(round_: int, command: c.Command) -> Void:
    target = tuple(getattr(command, field, None) for field in ("action", "player", "box"))
    return round_, person(str(command.by)), str(command.__struct_config__.tag), target


def person(by: str) -> str:
    return by.partition(":")[2]
