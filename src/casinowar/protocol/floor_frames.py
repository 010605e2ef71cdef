"""What is said to and of the floor: signatures that wait, the void for which a table stands still, calls."""

from typing import Any

import msgspec


class CallFloor(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="call_floor"
):
    """The dealer asks somebody of the floor to come to the table."""

    about: str = ""


class TakeCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="take_call"):
    """Somebody of the floor is coming."""


class EndCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="end_call"):
    """The call is over, or the dealer takes it back."""


class WatchFloor(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="watch_floor"
):
    """Tell me whenever something comes to wait for the floor at any table, or waits no more."""


class SignatureDue(msgspec.Struct, frozen=True):
    """What waits for a second person: the command as asked, by whom, why, and when.

    What is passed on is not the dealer's to decide: whoever signs gives the command alone. It lapses in `left`
    milliseconds, and `unsigned` is how often nobody signed what this person asked for here.
    """

    request: str
    command: dict[str, Any]
    by: str
    reason: str
    at: int = 0
    is_passed_on: bool = False
    left: int = 0
    unsigned: int = 0


class CallView(msgspec.Struct, frozen=True):
    """A dealer's call for the floor: who called, about what, for how many milliseconds, and who is coming.

    `clauses` are those of the incident that waits for a ruling, if one does.
    """

    by: str
    about: str
    at: int
    waited: int
    taken_by: str | None = None
    clauses: tuple[str, ...] = ()


class VoidWaits(msgspec.Struct, frozen=True):
    """A void of this round waits for its second signature, for at most `left` milliseconds more.

    Until then nothing is bet or dealt, and of the viewer's chips so many stay at the table.
    """

    round: int
    left: int
    kept: int = 0


class FloorChanged(msgspec.Struct, frozen=True, tag_field="type", tag="floor"):
    """What waits for the floor at this table has changed: the pit has it."""

    table: str
