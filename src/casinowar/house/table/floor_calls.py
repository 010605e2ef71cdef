"""Calls for the floor: the dealer asks somebody to come, somebody does, and every call stays in the log."""

from collections import deque

import msgspec

from casinowar import protocol as f
from casinowar.engine import Refusal
from casinowar.engine.roles import FLOOR
from casinowar.store import FloorCalled, FloorCallEnded, FloorCallTaken, Recalled, Recorded

CALLS_KEPT = 20
DEALER_CALLS = "dealer:house"
"""By whom a call is that the automatic dealer makes."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call for the floor at a moment of the wall's clock; `answered` is how long it took somebody to take it."""

    by: str
    about: str
    at: int
    taken_by: str | None
    answered: int | None
    is_over: bool


class FloorCall(Call, frozen=True, kw_only=True):
    """A call in the memory of its table. `since` is its moment on the monotonic clock."""

    since: int


class FloorCalls:
    """The calls of one table as its log has them, the last of them first out."""

    def __init__(self) -> None:
        self.kept: deque[FloorCall] = deque(maxlen=CALLS_KEPT)

    @property
    def open(self) -> FloorCall | None:
        return self.kept[-1] if self.kept and not self.kept[-1].is_over else None

    def note(self, one: Recalled, tick: int, now: int) -> None:
        """Note an event about calls.

        `tick` is the monotonic clock and `now` the wall's, by which only the time before a restart is counted.
        """
        match one.event:
            case FloorCalled() as event:
                self.kept.append(
                    FloorCall(
                        by=event.by,
                        about=event.about,
                        at=one.at,
                        since=_since(one.at, tick, now),
                        taken_by=None,
                        answered=None,
                        is_over=False,
                    )
                )
            case FloorCallTaken() as event if self.open:
                call = self.kept.pop()
                answered = max(0, one.at - call.at)
                self.kept.append(msgspec.structs.replace(call, taken_by=event.by, answered=answered))
            case FloorCallEnded() if self.open:
                self.kept.append(msgspec.structs.replace(self.kept.pop(), is_over=True))

    def keep(self) -> tuple[Call, ...]:
        """The calls, for a snapshot."""
        fields = Call.__struct_fields__
        return tuple(Call(**{field: getattr(one, field) for field in fields}) for one in self.kept)

    def resume(self, kept: tuple[Call, ...], tick: int, now: int) -> None:
        """Take up what was kept."""
        self.kept.extend(FloorCall(**msgspec.structs.asdict(one), since=_since(one.at, tick, now)) for one in kept)

    def answer(
        self, frame: f.CommandFrame, command: f.CallFloor | f.TakeCall | f.EndCall, by: str
    ) -> Recorded | Refusal:
        """The event that answers a command about calls.

        The dealer calls, the floor takes the call, and either says that it is over.
        """
        if isinstance(command, f.CallFloor):
            if frame.part != "dealer":
                return Refusal("not_allowed")
            return FloorCalled(by, command.about) if self.open is None else Refusal("called_already")
        if frame.part not in FLOOR and (frame.part != "dealer" or isinstance(command, f.TakeCall)):
            return Refusal("not_allowed")
        if self.open is None:
            return Refusal("no_call")
        if isinstance(command, f.EndCall):
            return FloorCallEnded(by)
        return FloorCallTaken(by) if self.open.taken_by is None else Refusal("call_taken")


def _since(at: int, tick: int, now: int) -> int:
    """The moment on the monotonic clock of what happened at a moment of the wall's."""
    return tick - max(0, now - at)
