"""The events that the store records beside the engine's: books, purses, stops, commands, staff, bots, sealed shoes.

Of sealed shoes it is what was published, digests and entropy in hexadecimal; a seed only when its shoe is opened.
"""

from typing import Any, Literal, TypeGuard

import msgspec

from casinowar.engine import Event, Refusal, Table, evolve
from casinowar.engine import commands as c
from casinowar.engine.events.values import TaggedEvent
from casinowar.engine.evolve.table import carry_chips_away


class BookResolved(TaggedEvent, frozen=True):
    """The rules of the table from here on, every leaf resolved, and the digest of all that stands here.

    What the leaves do not tell by themselves is beside them: the operator's options, the bounds of the cutting card,
    the deck counts one may change to, and the notes of a house rulebook. A book without an `edition` was stored before
    there were any: it is of the first one, and its digest is over what stands there.
    """

    id: str
    title: str
    version: str
    extends: str | None
    origin: str
    options: dict[str, Any]
    leaves: dict[str, Any]
    marker_bounds: tuple[int, int]
    deck_choices: dict[int, tuple[str, ...]]
    notes: dict[str, Any]
    digest: str = ""
    edition: int | msgspec.UnsetType = msgspec.UNSET


class PlayerEvent(TaggedEvent, frozen=True):
    """The fields of every event of one player."""

    player: str


class PurseEvent(PlayerEvent, frozen=True):
    """The fields of every event of a purse: who moved the play money, and why."""

    amount: int
    by: str
    reason: str


class PurseFunded(PurseEvent, frozen=True):
    """Play money issued into a player's purse, from which chips are bought at any table."""


class PurseDrained(PurseEvent, frozen=True):
    """Play money taken out of a purse and out of issue."""


class CashedOut(PlayerEvent, frozen=True):
    """Chips at this table turned back into the player's purse."""

    amount: int


class TableStopped(TaggedEvent, frozen=True):
    """The accounts did not balance; nothing more is written to the table until staff have looked."""

    reason: str


class CommandTaken(TaggedEvent, frozen=True):
    """The command from which the engine's events that follow came, so that anybody can decide it again.

    `reason` is why staff gave it.
    """

    command: c.Command
    reason: str = ""


class StaffEvent(TaggedEvent, frozen=True):
    """The fields of events that begin with the member of staff who acted."""

    by: str


class TableCleared(StaffEvent, frozen=True):
    """Staff have looked into a stop and let the table go on."""

    reason: str


class StaffActed(TaggedEvent, frozen=True):
    """Something that staff did which is no command of the game."""

    act: str
    by: str
    reason: str


class TableListed(TaggedEvent, frozen=True):
    """A table that the house has opened, with its settings, so that it is there again after a restart.

    `stream` is where its events are: a table that opens again under its old name has a new one.
    """

    table: str
    stream: str
    settings: dict[str, Any]
    by: str
    reason: str


class RoleEvent(TaggedEvent, frozen=True):
    """The fields of every event of an account's role."""

    account: str
    role: str
    by: str
    reason: str


class RoleGranted(RoleEvent, frozen=True):
    """The account has the role from now on."""


class RoleRevoked(RoleEvent, frozen=True):
    """The account does not have the role any more."""


class BotSeated(PlayerEvent, frozen=True):
    """A player that the house runs, with the strategy it declares."""

    box: int
    strategy: str
    by: str


class BotDismissed(PlayerEvent, frozen=True):
    """A player of the house has left the table; `by` is who sent it away."""

    by: str


class LeavePlanned(PlayerEvent, frozen=True):
    """The player gives up the seat when the round is over."""


class LeaveCancelled(PlayerEvent, frozen=True):
    """The player keeps the seat after all."""


class SeatGivenUp(PlayerEvent, frozen=True):
    """Somebody waited for a seat, and this player had put down no wager for so many rounds and seconds."""

    rounds: int
    seconds: int


class PlayerLimitsSet(PlayerEvent, frozen=True):
    """What a player may lose and how long play in a day of UTC, as that player chose; none is no limit.

    It counts from `begins`, in milliseconds UTC: a stricter limit at once, a looser one a day later.
    """

    loss: int | None
    minutes: int | None
    begins: int


class BreakTaken(PlayerEvent, frozen=True):
    """The player takes no part until then, in milliseconds UTC, and cannot end the break earlier."""

    until: int


class SignatureEvent(TaggedEvent, frozen=True):
    """The fields of every event of a request for a second signature."""

    request: str
    round: int


class SignatureAsked(SignatureEvent, frozen=True):
    """A command that waits for a second person. `by` asked, `round` is the one it was asked in.

    `lapses` is after how many milliseconds it waits no more. `moves_chips` says that the table stands still until then.
    Whoever is not of the staff is told of it without the command, the person and the reason.
    """

    command: c.Command | None
    by: str
    reason: str
    lapses: int
    is_passed_on: bool = False
    moves_chips: bool = False


class SignatureClosed(SignatureEvent, frozen=True):
    """What came of a request for a signature: `signed`, `refused`, `taken_back`, `lapsed`, or another word.

    It is `asked_anew` where it takes one more person, and `overtaken` where it could not be done any more, as with the
    next round. `asked_by` asked, `by` answered, and it had waited so many milliseconds.
    """

    how: str
    asked_by: str
    by: str
    waited: int
    is_passed_on: bool = False
    moves_chips: bool = False


class FloorCalled(StaffEvent, frozen=True):
    """The dealer asks somebody of the floor to come to the table."""

    about: str = ""


class FloorCallTaken(StaffEvent, frozen=True):
    """Somebody of the floor is coming."""


class FloorCallEnded(StaffEvent, frozen=True):
    """The call is over, or was taken back."""


class ShoeCommitted(TaggedEvent, frozen=True):
    """A seed was drawn for the cards of `counts`, and `commitment` binds the table to it.

    `number` counts the shoes under the table's name through all its openings; 0 is of a log from before it was told,
    when `previous` began anew with each opening.
    """

    shoe: str
    kind: Literal["shoe", "continuous"]
    counts: tuple[int, ...]
    cut_bounds: tuple[int, int] | None
    previous: str | None
    commitment: str
    number: int = 0


class EntropyEvent(TaggedEvent, frozen=True):
    """The fields of every event of a player's entropy for a shoe."""

    seat: int
    player: str


class EntropyPromised(EntropyEvent, frozen=True):
    """The player has promised entropy; `promise` is its digest."""

    promise: str


class EntropyAdded(EntropyEvent, frozen=True):
    """The player has given the entropy that was promised."""

    entropy: str


class ShoeSealed(TaggedEvent, frozen=True):
    """The order of the cards is fixed. `seal` is what a player notes before the first wager."""

    root: str
    seal: str


class ShoeCut(TaggedEvent, frozen=True):
    """The shoe was cut: `position` cards went from the front to the back.

    Without a player, the seed chose the position.
    """

    position: int
    player: str | None


class ShoeOpened(TaggedEvent, frozen=True):
    """A shoe is opened.

    `by` is who had it voided: a member of staff with the role, or the house; empty in older logs.
    """

    fate: Literal["finished", "voided"]
    reason: str | None
    seed: str
    by: str = ""


SHOE_EVENTS = (ShoeCommitted, EntropyPromised, EntropyAdded, ShoeSealed, ShoeCut, ShoeOpened)
OWN = (
    BookResolved, PurseFunded, PurseDrained, CashedOut, TableStopped, TableCleared, CommandTaken, StaffActed,
    TableListed, RoleGranted, RoleRevoked, BotSeated, BotDismissed, LeavePlanned, LeaveCancelled, SeatGivenUp,
    PlayerLimitsSet, BreakTaken, SignatureAsked, SignatureClosed, FloorCalled, FloorCallTaken, FloorCallEnded,
    *SHOE_EVENTS,
)  # fmt: skip
"""The events that the engine does not decide."""

_OWN_TYPES = frozenset(OWN)

ShoeEvent = ShoeCommitted | EntropyPromised | EntropyAdded | ShoeSealed | ShoeCut | ShoeOpened
"""Every event of a sealed shoe."""
Own = (
    BookResolved
    | PurseFunded
    | PurseDrained
    | CashedOut
    | TableStopped
    | TableCleared
    | CommandTaken
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
    | ShoeEvent
)
Recorded = Event | Own
"""Every event that a store may hold: the engine's, and those of a live house."""


def name_of(event: Recorded) -> str:
    """The name of the event in the log."""
    return str(type(event).__struct_config__.tag)


def is_engines(event: Recorded) -> TypeGuard[Event]:
    """Whether the engine has decided the event. It is asked of every event, so it looks the type up."""
    return type(event) not in _OWN_TYPES


def stand(table: Table, event: Recorded) -> Table:
    """The table after a recorded event: the engine's fold, and chips that were carried away."""
    if is_engines(event):
        return evolve(table, event)
    if isinstance(event, CashedOut):
        return carry_chips_away(table, event.player, event.amount)
    return table


def cash_out(table: Table, player: str, amount: int) -> CashedOut | Refusal:
    """Chips that lie before the player and nowhere else can be carried away."""
    if player not in table.players:
        return Refusal("unknown_player")
    if amount <= 0:
        return Refusal("amount_not_positive")
    if amount > table.players[player]:
        return Refusal("insufficient_funds")
    return CashedOut(player, amount)
