"""State: the table and its round, as frozen values. Only `evolve` makes new ones.

Mappings in here are never changed in place.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from casinowar.cards import Card
from casinowar.engine.commands import Limit
from casinowar.engine.events import DEALER, Draw, Event, Item, Outcome, Preparation, Refusal
from casinowar.rulebooks import Rulebook

Phase = Literal["betting", "closed", "dealing", "deciding", "war_betting"]
Spot = tuple[int, str, str]
"""Where a wager lies and whose it is: box, wager, player."""

NO_LIMIT = Limit()
NOWHERE = -1
"""The place in the rack of a card that belonged to nobody's hand."""

Rack = tuple[tuple[int, tuple[Card | None, ...]], ...]
"""Discards in order: the box (0: dealer) and its cards; a sealed burn has no face."""


class Wager(msgspec.Struct, frozen=True, gc=False):
    """Chips of one player on one spot. `placed` exceeds `amount` where a limit cut it; `match` is the bank's stake.

    `turn` counts up with every placing of the round, an addition too: the highest was placed last.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round(casinowar.strategies.flat(500))
    >>> wager = session.table.round.wagers[1, "initial", "ana"]
    >>> wager.amount, wager.outcome, wager.odds, wager.paid, wager.returned, wager.clauses
    (500, 'win', '1:1', 500, 500, ('NZ-5.3a', 'NZ-5.13a'))
    """

    placed: int
    amount: int
    match: int = 0
    outcome: Outcome | None = None
    odds: str | None = None
    paid: int = 0
    returned: int = 0
    clauses: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    coupon: int = 0
    turn: int = 0


class Bank(msgspec.Struct, frozen=True, gc=False):
    """The player who banks this round: `chips` lie before them, of which `left` can still be paid out."""

    player: str
    box: int
    stake: int
    chips: int
    left: int


class BankTurn(msgspec.Struct, frozen=True, gc=False):
    """Who banked last, and for how many rounds in a row."""

    player: str
    box: int
    rounds: int


class Round(msgspec.Struct, frozen=True, gc=False):
    """Every box's hand and the one dealer's card they share. `hands` holds the dealer's under 0.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round()
    >>> round_ = session.table.round
    >>> round_.number, round_.hands[1], round_.hands[casinowar.DEALER], round_.wagers[1, "initial", "ana"].outcome
    (1, ('Qd',), ('3c',), 'win')
    """

    number: int
    wagers: dict[Spot, Wager] = {}
    boxes: tuple[int, ...] = ()
    bettors: dict[int, tuple[str, ...]] = {}
    hands: dict[int, tuple[Card, ...]] = {}
    asked: tuple[tuple[int, str], ...] = ()
    at_war: frozenset[int] = frozenset()
    collected: frozenset[int] = frozenset()
    face_up: int = 0
    banker: str | None = None
    is_over: bool = False
    is_misdelivered: bool = False
    is_disturbed: bool = False
    war_burns: int = 0
    is_reloaded: bool = False


class Incident(msgspec.Struct, frozen=True, gc=False):
    """What was reported and waits for a ruling: the hand and the player it concerns, and what the report asked for."""

    kind: str
    box: int = 0
    player: str = ""
    cards: int = 0
    action: str | None = None
    card: Card | None = None


class Floor(msgspec.Struct, frozen=True, gc=False):
    """What the floor keeps: seconds so far, decks in use, signs and since when they stand, and what it has directed.

    `sat_out` counts rounds without a wager; a maximum, a number of bettors or minutes to the closing of 0 are the
    book's own. A floor is plain that has excluded nobody, flagged no partners and directed no maximum: a wager asks for
    that first.
    """

    clock: int = 0
    decks: int = 0
    limits_notice: tuple[Limit, int] | None = None
    decks_notice: tuple[int, str | None, int] | None = None
    closing_notice: int | None = None
    closing_minutes: int = 0
    sat_out: dict[str, tuple[int, int]] = {}
    excluded: frozenset[str] = frozenset()
    partners: tuple[frozenset[str], ...] = ()
    box_max: int = 0
    player_max: int = 0
    bettors: int = 0
    is_plain: bool = True


class Table(msgspec.Struct, frozen=True, gc=False):
    """A live place: seats, money, shoe, and the round being played.

    Money: `players` hold their balances, `house` is the float, `escrow` is all that lies on the layout, and what lies
    before a player who banks is in `bank`. The meter is a count of what the next jackpot pays, out of the float.
    `patrons` had chips on the layout in the last round that is over, and have not carried all of theirs away.
    Shoe: `shoe_left` cards can still be drawn, the cutting card shows after `cut_in` of them, `queue` is what the
    dealer draws next, and `shuffle` is why the cards must be shuffled before another round. `prepared` is what has been
    done with the cards since then, `inspected_by` is whoever looked at them, and `last` the place of the card just
    turned.
    Trouble: `incident` waits for a ruling, `damaged` cards for the end of the round, `forgot_burn` is a burn that the
    next deal leaves out, and with `is_short_ruled` the discards may be shuffled for a shoe that ran dry.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> played = session.play_round()
    >>> table = session.table
    >>> table.phase, table.players, table.house, table.shoe_left
    ('betting', {'ana': 10001}, -1, 309)
    """

    phase: Phase = "betting"
    limit: Limit = NO_LIMIT
    limits: dict[str, Limit] = {}
    players: dict[str, int] = {}
    house: int = 0
    escrow: int = 0
    bought_in: int = 0
    round: Round = Round(0, is_over=True)
    seats: dict[int, str] = {}
    grants: dict[str, int] = {}
    reminded: frozenset[str] = frozenset()
    shoe_left: int = 0
    cut_in: int | None = None
    opening_burn: bool = False
    dealer_burns: int = 0
    queue: tuple[Draw, ...] = ()
    shuffle: str | None = "start"
    was_vacant: bool = True
    arrivals: tuple[str, ...] = ()
    patrons: frozenset[str] = frozenset()
    marker: int | None = None
    batch: int = 0
    cut_made: bool = False
    cut_declined: tuple[str, ...] = ()
    cut_card_at: int | None = None
    held: Card | None = None
    dealer: str = ""
    bank: Bank | None = None
    bank_turn: BankTurn | None = None
    bank_declined: frozenset[str] = frozenset()
    floor: Floor = Floor()
    is_closed: bool = False
    meter: int = 0
    face_up: int = 0
    rack: Rack = ()
    prepared: tuple[Preparation, ...] = ()
    inspected_by: str = ""
    opening_burned: bool = False
    full_shuffle: bool = False
    last: int | None = None
    incident: Incident | None = None
    damaged: tuple[Card | None, ...] = ()
    forgot_burn: bool = False
    is_short_ruled: bool = False

    @property
    def has_wagers(self) -> bool:
        """Whether chips lie on the layout for a round that is not over."""
        return not self.round.is_over and bool(self.round.wagers)

    def limit_of(self, wager: str) -> Limit:
        """The limits of one kind of wager: its own, or the table's."""
        return self.limits.get(wager, self.limit)


Deciders = dict[type, Callable[[Rulebook, Table, Any], list[Event] | Refusal]]
"""For each type of command, the function that decides it."""

Changes = dict[type, Callable[[Table, Any], Table]]
"""For each type of event, the function that gives the table after it."""

__all__ = [
    "DEALER",
    "NOWHERE",
    "NO_LIMIT",
    "Changes",
    "Deciders",
    "Floor",
    "Incident",
    "Phase",
    "Rack",
    "Round",
    "Spot",
    "Table",
    "Wager",
]
