"""What the log tells of the house around the tables: commands taken, roles, bots, players' own limits, pauses,
second signatures, calls for the floor."""

from typing import Any

import msgspec

from casinowar.engine import commands as c


class CommandTaken(msgspec.Struct, frozen=True, tag_field="name", tag="command_taken"):
    """The command from which the engine's events that follow came, so that anybody can decide it again.

    `reason` is why staff gave it.
    """

    command: c.Command
    reason: str = ""


class StaffActed(msgspec.Struct, frozen=True, tag_field="name", tag="staff_acted"):
    """Something that staff did which is no command of the game."""

    act: str
    by: str
    reason: str


class TableListed(msgspec.Struct, frozen=True, tag_field="name", tag="table_listed"):
    """A table that the house has opened, with its settings, so that it is there again after a restart.

    `stream` is where its events are: a table that opens again under its old name has a new one.
    """

    table: str
    stream: str
    settings: dict[str, Any]
    by: str
    reason: str


class RoleGranted(msgspec.Struct, frozen=True, tag_field="name", tag="role_granted"):
    account: str
    role: str
    by: str
    reason: str


class RoleRevoked(msgspec.Struct, frozen=True, tag_field="name", tag="role_revoked"):
    account: str
    role: str
    by: str
    reason: str


class BotSeated(msgspec.Struct, frozen=True, tag_field="name", tag="bot_seated"):
    """A player that the house runs, with the strategy it declares."""

    player: str
    box: int
    strategy: str
    by: str


class BotDismissed(msgspec.Struct, frozen=True, tag_field="name", tag="bot_dismissed"):
    player: str
    by: str


class LeavePlanned(msgspec.Struct, frozen=True, tag_field="name", tag="leave_planned"):
    """The player gives up the seat when the round is over."""

    player: str


class LeaveCancelled(msgspec.Struct, frozen=True, tag_field="name", tag="leave_cancelled"):
    player: str


class SeatGivenUp(msgspec.Struct, frozen=True, tag_field="name", tag="seat_given_up"):
    """Somebody waited for a seat, and this player had put down no wager for so many rounds and seconds."""

    player: str
    rounds: int
    seconds: int


class PlayerLimitsSet(msgspec.Struct, frozen=True, tag_field="name", tag="player_limits_set"):
    """What a player may lose and how long play in a day of UTC, as that player chose; none is no limit.

    It counts from `begins`, in milliseconds UTC: a stricter limit at once, a looser one a day later.
    """

    player: str
    loss: int | None
    minutes: int | None
    begins: int


class BreakTaken(msgspec.Struct, frozen=True, tag_field="name", tag="break_taken"):
    """The player takes no part until then, in milliseconds UTC, and cannot end the break earlier."""

    player: str
    until: int


class SignatureAsked(msgspec.Struct, frozen=True, tag_field="name", tag="signature_asked"):
    """A command that waits for a second person. `by` asked, `round` is the one it was asked in.

    `lapses` is after how many milliseconds it waits no more. `moves_chips` says that the table stands still until then.
    Whoever is not of the staff is told of it without the command, the person and the reason.
    """

    request: str
    round: int
    command: c.Command | None
    by: str
    reason: str
    lapses: int
    is_passed_on: bool = False
    moves_chips: bool = False


class SignatureClosed(msgspec.Struct, frozen=True, tag_field="name", tag="signature_closed"):
    """What came of it: `signed`, `refused`, `taken_back`, `lapsed`, or `asked_anew` where it takes one more person.

    It is `overtaken` where it could not be done any more, as with the next round. `asked_by` asked, `by` answered, and
    it had waited so many milliseconds.
    """

    request: str
    round: int
    how: str
    asked_by: str
    by: str
    waited: int
    is_passed_on: bool = False
    moves_chips: bool = False


class FloorCalled(msgspec.Struct, frozen=True, tag_field="name", tag="floor_called"):
    """The dealer asks somebody of the floor to come to the table."""

    by: str
    about: str = ""


class FloorCallTaken(msgspec.Struct, frozen=True, tag_field="name", tag="floor_call_taken"):
    """Somebody of the floor is coming."""

    by: str


class FloorCallEnded(msgspec.Struct, frozen=True, tag_field="name", tag="floor_call_ended"):
    """The call is over, or was taken back."""

    by: str


HouseEvent = (
    CommandTaken
    | StaffActed
    | TableListed
    | RoleGranted
    | RoleRevoked
    | BotSeated
    | BotDismissed
    | LeavePlanned
    | LeaveCancelled
    | SeatGivenUp
    | PlayerLimitsSet
    | BreakTaken
    | SignatureAsked
    | SignatureClosed
    | FloorCalled
    | FloorCallTaken
    | FloorCallEnded
)
HOUSE_EVENTS = (
    CommandTaken,
    StaffActed,
    TableListed,
    RoleGranted,
    RoleRevoked,
    BotSeated,
    BotDismissed,
    LeavePlanned,
    LeaveCancelled,
    SeatGivenUp,
    PlayerLimitsSet,
    BreakTaken,
    SignatureAsked,
    SignatureClosed,
    FloorCalled,
    FloorCallTaken,
    FloorCallEnded,
)
