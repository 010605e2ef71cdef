"""Events of the wagers: placed, limited, decided on, settled, reversed."""

from casinowar.engine.commands import Limit
from casinowar.engine.events.values import Clauses, Draw, EventStruct, Item, Outcome


class WagerPlaced(EventStruct, frozen=True):
    """`amount` came on top of what lay there."""

    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()
    coupon: int = 0


class WagerAmended(EventStruct, frozen=True):
    """`amount` is the new total."""

    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()


class WagerWithdrawn(EventStruct, frozen=True):
    """`gives_way_to` is who has first right to the place, where the player did not take the chips back freely."""

    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()
    gives_way_to: str | None = None


class WagerLimited(EventStruct, frozen=True):
    """The wager plays for less than was placed; the excess went back."""

    player: str
    box: int
    wager: str
    placed: int
    amount: int
    clauses: Clauses = ()


class LimitsAdvised(EventStruct, frozen=True):
    player: str
    box: int
    wager: str
    limit: Limit
    clauses: Clauses = ()


class BettingCalled(EventStruct, frozen=True):
    """The dealer called for last bets where the book closes the betting only with the first card."""

    clauses: Clauses = ()


class BettingClosed(EventStruct, frozen=True):
    """The boxes that get a card, and the bettors of each box from the dealer's side outwards.

    Where the deal begins at once, `draws` is what the dealer will draw, as in `deal_started`.
    """

    boxes: tuple[int, ...]
    bettors: dict[int, tuple[str, ...]]
    draws: tuple[Draw, ...] = ()
    clauses: Clauses = ()


class WarOffered(EventStruct, frozen=True):
    player: str
    box: int
    clauses: Clauses = ()


class SurrenderRuled(EventStruct, frozen=True):
    """A supervisor surrendered for a player who was absent or could not fund the war."""

    player: str
    box: int
    by: str
    reason: str
    clauses: Clauses = ()


class WarDeclared(EventStruct, frozen=True):
    """The war wager is down; `match` is what the dealer put beside it."""

    player: str
    box: int
    amount: int
    match: int = 0
    clauses: Clauses = ()


class MatchLimited(EventStruct, frozen=True):
    """The bank can match only part of a war: the initial wager plays for that part and the rest goes back."""

    player: str
    box: int
    placed: int
    amount: int
    clauses: Clauses = ()


class DecisionsClosed(EventStruct, frozen=True):
    """Everybody has chosen; at least one is at war."""

    clauses: Clauses = ()


class WagerSettled(EventStruct, frozen=True):
    """`paid` is winnings on top, `returned` is stake given back.

    `items` make up what a progressive was paid. `bank_left` is what a player's bank can still pay after this.
    `taken_back` is what the wager had brought when it was settled before: it is settled anew, and that is given up.
    """

    player: str
    box: int
    wager: str
    amount: int
    outcome: Outcome
    odds: str | None
    paid: int
    returned: int
    clauses: Clauses = ()
    items: tuple[Item, ...] = ()
    bank_left: int | None = None
    taken_back: int = 0


class WagerReversed(EventStruct, frozen=True):
    """A settled or open wager is void: what was paid and returned is taken back, and the stake goes to the player.

    `bank_left` is what a player's bank can pay out again after this.
    """

    player: str
    box: int
    wager: str
    amount: int
    clauses: Clauses = ()
    bank_left: int | None = None


class BettingOpened(EventStruct, frozen=True):
    """The dealer invites wagers."""

    clauses: Clauses = ()


class WarWagerConfirmed(EventStruct, frozen=True):
    player: str
    box: int
    amount: int
    clauses: Clauses = ()


WagerEvent = (
    WagerPlaced
    | WagerAmended
    | WagerWithdrawn
    | WagerLimited
    | LimitsAdvised
    | BettingCalled
    | BettingClosed
    | WarOffered
    | SurrenderRuled
    | WarDeclared
    | MatchLimited
    | DecisionsClosed
    | WagerSettled
    | WagerReversed
    | BettingOpened
    | WarWagerConfirmed
)
