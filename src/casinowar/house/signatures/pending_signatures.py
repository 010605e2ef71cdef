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

Void = tuple[int, str, type[c.Command], tuple[object, ...]]
"""What one person asks for: the round, the person, the kind of command, and the player or box."""


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

    `unsigned` counts for each person what they asked for and nobody signed.
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
                gone = min(max(now - one.at, 0), event.lapses)
                self.asked += 1
                self.waiting[event.request] = Pending(
                    event.command,
                    event.reason,
                    event.round,
                    one.at,
                    tick + event.lapses - gone,
                    event.lapses,
                    event.is_passed_on,
                    event.moves_chips,
                )
            case SignatureClosed() as event if event.request in self.waiting:
                self._close(event, self.waiting.pop(event.request))

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
    return round_, person(str(command.by)), type(command), target


def person(by: str) -> str:
    return by.partition(":")[2]
