"""What a client and the server of live tables say to each other: commands, answers, snapshots and events.

Everything is JSON. A command is one of the engine's or one of those here; who acts is never in it, since the server
knows that by itself.
"""

from typing import Annotated, Any, Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine.view import BankView, View
from casinowar.protocol.floor_frames import CallFloor as CallFloor
from casinowar.protocol.floor_frames import CallView as CallView
from casinowar.protocol.floor_frames import EndCall as EndCall
from casinowar.protocol.floor_frames import FloorChanged as FloorChanged
from casinowar.protocol.floor_frames import SignatureDue as SignatureDue
from casinowar.protocol.floor_frames import TakeCall as TakeCall
from casinowar.protocol.floor_frames import VoidWaits as VoidWaits
from casinowar.protocol.floor_frames import WatchFloor as WatchFloor

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9._:-]+\Z")]
TableName = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*\Z")]
Amount = Annotated[int, msgspec.Meta(gt=0, lt=2**53)]
Reason = Annotated[str, msgspec.Meta(max_length=200)]
Entropy = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2}){16,64}\Z")]
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Part = Literal["player", "dealer", "supervisor", "manager", "operator"]
Strategy = Literal["war", "surrender", "tie", "bank"]


class Sit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="sit"):
    """Take a box; chips come out of the purse as wagers need them."""

    box: int


class Leave(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="leave"):
    """Give up the seat and take all chips. With a wager in play, when the round is over."""


class BuyChips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="buy_chips"):
    amount: Amount


class CashChips(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="cash_chips"
):
    amount: Amount


class Ready(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="ready"):
    """The player needs no more time to bet; when all who sit and are connected say so, the dealer waits no longer."""


class WaitForSeat(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="wait_for_seat"
):
    """Stand in line for a seat at a full table, for as long as the player watches it."""


class StopWaiting(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="stop_waiting"
):
    """Leave the line for a seat."""


class PromiseEntropy(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="promise_entropy"
):
    promise: Digest


class AddEntropy(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="add_entropy"
):
    entropy: Entropy


class Next(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="next"):
    """The human dealer takes the next step of the procedure."""


class Enter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="enter"):
    """The dealer of real cards tells the face of the card just turned."""

    card: Card


class SeatBots(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="seat_bots"):
    """Players that the house runs take empty boxes, each with this strategy."""

    count: Annotated[int, msgspec.Meta(ge=1, le=9)]
    strategy: Strategy = "war"


class DismissBots(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="dismiss_bots"
):
    """The house's players leave; those with a wager in play when the round is over."""


class Pause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="pause"):
    """The automatic dealer and every timer wait."""


class Resume(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="resume"):
    """The automatic dealer goes on."""


class Countersign(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="countersign"
):
    """The second signature under what another member of staff has asked for."""

    request: Id


class RefuseSignature(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="refuse_signature"
):
    """The second person does not sign, or whoever asked takes it back: it waits no more."""

    request: Id


class Clear(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="clear"):
    """Staff have looked into why the table was stopped: it goes on."""


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


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """The command was done and is on the disk; the table is at `version` after it."""

    id: str
    table: str
    version: int


class Refused(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """Nothing changed. `code` is stable, `says` is for people, `clauses` are the rules behind it.

    `request` is what another member of staff can countersign: that it waits is in the log.
    """

    id: str
    code: str
    says: str
    clauses: tuple[str, ...] = ()
    request: str | None = None


Answer = Done | Refused


class Watch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="watch"):
    """Send this table's snapshot and then its events, as to one who looks on in this role."""

    table: TableName
    role: Literal["player", "watcher", "dealer", "supervisor", "auditor"] = "player"
    advice: bool = False


class Unwatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="unwatch"):
    table: TableName


class Command(CommandFrame, frozen=True, tag_field="type", tag="command"):
    """An `Ask` over the WebSocket."""


class Ping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="ping"):
    """Is anybody there? For a client that does not see the pings of the WebSocket itself, as no page does."""


ClientFrame = Watch | Unwatch | Command | Ping | WatchFloor


class Timer(msgspec.Struct, frozen=True):
    """What the automatic dealer waits for, and for how many milliseconds more when this was sent."""

    waits_for: str
    left: int


class SealView(msgspec.Struct, frozen=True):
    """The sealed shoe as published so far. `stage` is where it stands; a table of real cards has nothing sealed."""

    stage: Literal["nothing_sealed", "none_yet", "promising", "showing", "cutting", "dealing"]
    shoe: str | None = None
    cards: int | None = None
    commitment: str | None = None
    root: str | None = None
    seal: str | None = None
    cut_bounds: tuple[int, int] | None = None
    cut: int | None = None
    says: str = ""


class SeatView(msgspec.Struct, frozen=True):
    """Who sits at a box: whether connected, leaving, ready, and with which strategy if the house runs the player.

    `away` is for how many milliseconds nobody has seen a player who is not connected.
    """

    box: int
    player: str
    is_present: bool
    is_leaving: bool
    is_ready: bool
    strategy: str | None
    away: int | None = None


class ClaimView(msgspec.Struct, frozen=True):
    """A place in the line for a seat, 1 the next. At 0 a free seat is kept for the player, for `left` milliseconds."""

    place: int
    left: int | None = None


class RoundLine(msgspec.Struct, frozen=True):
    """One of the last rounds: its hands, and what each wager came to, with its odds and clauses in the same order.

    `bank` is the player who banked it, and what the bank won or lost. `placed` is what was put down of each wager,
    which may be more than was in play; it is empty where that is all the same.
    """

    number: int
    version: int
    hands: tuple[tuple[int, tuple[Card, ...]], ...]
    wagers: tuple[tuple[int, str, str, int, str, int, int], ...]
    is_void: bool = False
    odds: tuple[str | None, ...] = ()
    clauses: tuple[tuple[str, ...], ...] = ()
    at: int | None = None
    bank: tuple[str, int] | None = None
    placed: tuple[int, ...] = ()


class LiveView(msgspec.Struct, frozen=True, kw_only=True):
    """A live table as one viewer sees it. `turn` is the least version that a command may still expect.

    `can_view_burn` says that this player may still ask to see the card burned from the new shoe. Where players bank,
    `bank_least` is the least stake of a bank. So many are `waiting` for a seat; `claim` is this player's place among
    them, and after `seat_left` milliseconds without a wager this player's own seat is given up for one of them.
    `unlisted` are the commands of staff that this book does not know.
    """

    table: str
    title: str
    version: int
    turn: int
    view: View
    dealer_kind: Literal["automatic", "human", "real"]
    timeout: str
    timer: Timer | None
    is_paused: bool
    stopped: str | None
    seal: SealView
    seats: tuple[SeatView, ...]
    rounds: tuple[RoundLine, ...]
    currency: str
    minor_digits: int
    owner: str | None = None
    purse: int | None = None
    signatures: tuple[SignatureDue, ...] = ()
    can_view_burn: bool = False
    bank_least: int | None = None
    waiting: int = 0
    claim: ClaimView | None = None
    seat_left: int | None = None
    void: VoidWaits | None = None
    call: CallView | None = None
    unlisted: tuple[str, ...] = ()


class SideWager(msgspec.Struct, frozen=True):
    """A wager beside the first one, under its name on the layout, and all that it can pay."""

    wager: str
    label: str
    pays: tuple[str, ...]


class LobbyLine(msgspec.Struct, frozen=True):
    """A table as the lobby shows it. `version` is how far its log has come, `taken` are the boxes with somebody, and
    so many are `waiting` for a seat.

    `own_box` is the caller's.
    """

    name: str
    title: str
    rulebook: str
    book_title: str
    dealer: str
    boxes: int
    seated: int
    bots: int
    watching: int
    minimum: int
    maximum: int | None
    unit: int
    betting_seconds: float
    rounds: int
    version: int
    owner: str | None
    is_closed: bool
    is_stopped: bool
    phase: str = ""
    timer: Timer | None = None
    taken: tuple[int, ...] = ()
    own_box: int | None = None
    decks: int = 0
    sides: tuple[SideWager, ...] = ()
    meter: int | None = None
    bank: BankView | None = None
    is_paused: bool = False
    waiting: int = 0


class PlayerView(msgspec.Struct, frozen=True):
    """A player's own affairs: money, and what they have set for themselves.

    By table, `chips` are those before the player, and `on_layout` what lies in play: wagers, and the bank's chips.
    """

    player: str
    purse: int
    chips: dict[str, int]
    loss_limit: int | None
    minutes_limit: int | None
    coming_loss_limit: int | None
    coming_minutes_limit: int | None
    coming_from: int | None
    lost_today: int
    minutes_today: int
    break_until: int | None
    can_refill: bool
    on_layout: dict[str, int] = {}


class CardShown(msgspec.Struct, frozen=True):
    """The proof of a card that has been turned: it hashes up to the root of its shoe."""

    shoe: str
    place: int
    index: int
    card: Card
    salt: str
    path: tuple[str, ...]


class Snapshot(msgspec.Struct, frozen=True, tag_field="type", tag="snapshot"):
    """How the table stands, and what has been told of the round that is on."""

    table: str
    view: LiveView
    events: list[dict[str, Any]] = []


class Happened(msgspec.Struct, frozen=True, tag_field="type", tag="events"):
    """What happened up to `version`, the proofs of the cards turned, and the parts of the view that have changed."""

    table: str
    version: int
    events: list[dict[str, Any]]
    proofs: tuple[CardShown, ...]
    view: dict[str, Any]


class Failed(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    """A frame that could not be taken; `id` and `table` where it had them."""

    code: str
    says: str
    id: str | None = None
    table: str | None = None


class Goodbye(msgspec.Struct, frozen=True, tag_field="type", tag="goodbye"):
    """The server ends the connection, and why."""

    code: str
    says: str


class Pong(msgspec.Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to a ping."""


ServerFrame = Done | Refused | Snapshot | Happened | Failed | Goodbye | Pong | FloorChanged
