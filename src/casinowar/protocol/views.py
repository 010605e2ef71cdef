"""Views of what a server of live tables shows: a table, its seats and rounds, the lobby, a player's own affairs."""

from typing import Any, Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine.view import BankView, View


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


ROUNDS_SHOWN = 20
"""So many of the last rounds a view shows."""


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


class LiveView(msgspec.Struct, frozen=True, kw_only=True):
    """A live table as one viewer sees it. `turn` is the least version that a command may still expect.

    `can_view_burn` says that this player may still ask to see the card burned from the new shoe. Where players bank,
    `bank_least` is the least stake of a bank. So many are `waiting` for a seat; `claim` is this player's place among
    them, and after `seat_left` milliseconds without a wager this player's own seat is given up for one of them.
    `unlisted` are the commands of staff that this book does not know.

    >>> from casinowar.testing.scripted_server import live_view
    >>> view = live_view()
    >>> view.title, view.view.phase, view.purse
    ('New Zealand', 'betting', 100000)
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
