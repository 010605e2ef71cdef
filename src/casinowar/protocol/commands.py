"""Commands of a client to the server of live tables, and the frames in which they come over the WebSocket.

A command is one of the engine's or one of those here. Who acts is never in it: the server knows that by itself.
"""

from typing import Annotated, Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine.commands.values import TaggedCommand, tag_of

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._:-]+\Z")]
TableName = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*\Z")]
Amount = Annotated[int, msgspec.Meta(gt=0, lt=2**53)]
Reason = Annotated[str, msgspec.Meta(max_length=200)]
Entropy = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2}){16,64}\Z")]
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Part = Literal["player", "dealer", "supervisor", "manager", "operator"]
Strategy = Literal["war", "surrender", "tie", "bank"]


class Sit(TaggedCommand, frozen=True, kw_only=True):
    """Take a box; chips come out of the purse as wagers need them."""

    box: int


class Leave(TaggedCommand, frozen=True, kw_only=True):
    """Give up the seat and take all chips. With a wager in play, when the round is over."""


class BuyChips(TaggedCommand, frozen=True, kw_only=True):
    amount: Amount


class CashChips(TaggedCommand, frozen=True, kw_only=True):
    amount: Amount


class Ready(TaggedCommand, frozen=True, kw_only=True):
    """The player needs no more time to bet; when all who sit and are connected say so, the dealer waits no longer."""


class WaitForSeat(TaggedCommand, frozen=True, kw_only=True):
    """Stand in line for a seat at a full table, for as long as the player watches it."""


class StopWaiting(TaggedCommand, frozen=True, kw_only=True):
    """Leave the line for a seat."""


class PromiseEntropy(TaggedCommand, frozen=True, kw_only=True):
    promise: Digest


class AddEntropy(TaggedCommand, frozen=True, kw_only=True):
    entropy: Entropy


class Next(TaggedCommand, frozen=True, kw_only=True):
    """The human dealer takes the next step of the procedure."""


class Enter(TaggedCommand, frozen=True, kw_only=True):
    """The dealer of real cards tells the face of the card just turned."""

    card: Card


class SeatBots(TaggedCommand, frozen=True, kw_only=True):
    """Players that the house runs take empty boxes, each with this strategy."""

    count: Annotated[int, msgspec.Meta(ge=1, le=9)]
    strategy: Strategy = "war"


class DismissBots(TaggedCommand, frozen=True, kw_only=True):
    """The house's players leave; those with a wager in play when the round is over."""


class Pause(TaggedCommand, frozen=True, kw_only=True):
    """The automatic dealer and every timer wait."""


class Resume(TaggedCommand, frozen=True, kw_only=True):
    """The automatic dealer goes on."""


class Countersign(TaggedCommand, frozen=True, kw_only=True):
    """The second signature under what another member of staff has asked for."""

    request: Id


class RefuseSignature(TaggedCommand, frozen=True, kw_only=True):
    """The second person does not sign, or whoever asked takes it back: it waits no more."""

    request: Id


class Clear(TaggedCommand, frozen=True, kw_only=True):
    """Staff have looked into why the table was stopped: it goes on."""


class CallFloor(TaggedCommand, frozen=True, kw_only=True):
    """The dealer asks somebody of the floor to come to the table."""

    about: str = ""


class TakeCall(TaggedCommand, frozen=True, kw_only=True):
    """Somebody of the floor is coming."""


class EndCall(TaggedCommand, frozen=True, kw_only=True):
    """The call is over, or the dealer takes it back."""


LiveCommand = (
    Sit
    | Leave
    | BuyChips
    | CashChips
    | Ready
    | WaitForSeat
    | StopWaiting
    | PromiseEntropy
    | AddEntropy
    | Next
    | Enter
    | SeatBots
    | DismissBots
    | Pause
    | Resume
    | Countersign
    | RefuseSignature
    | Clear
    | CallFloor
    | TakeCall
    | EndCall
)
AnyCommand = LiveCommand | c.Command


class CommandFrame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"part": "as"}):
    """One command to one table. `id` is the client's own, used once; `expected` is the table's version it acted on.

    `part` is the role in which an account with several acts, and `reason` is why, which staff must say.
    """

    id: Id
    table: TableName
    expected: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    command: msgspec.Raw
    part: Part = "player"
    reason: Reason = ""


class ClientStruct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag=tag_of):
    """What all frames of a client have in common."""


class Watch(ClientStruct, frozen=True, kw_only=True, omit_defaults=True):
    """Send this table's snapshot and then its events, as to one who looks on in this role.

    With each frame of events comes the `whole` view, or the `parts` of it that have changed since the last frame.
    """

    table: TableName
    role: Literal["player", "watcher", "dealer", "supervisor", "auditor"] = "player"
    advice: bool = False
    views: Literal["whole", "parts"] = "whole"


class Unwatch(ClientStruct, frozen=True, kw_only=True):
    table: TableName


class Ping(ClientStruct, frozen=True, kw_only=True):
    """Is anybody there? For a client that does not see the pings of the WebSocket itself, as no page does."""


class WatchFloor(ClientStruct, frozen=True, kw_only=True):
    """Tell me whenever something comes to wait for the floor at any table, or waits no more."""


class Command(CommandFrame, frozen=True, tag_field="type", tag="command"):
    """A `CommandFrame` over the WebSocket."""


ClientFrame = Watch | Unwatch | Command | Ping | WatchFloor
