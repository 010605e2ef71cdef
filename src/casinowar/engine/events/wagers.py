"""Events of the wagers: placed, limited, decided on, settled, reversed."""

from casinowar.engine.commands import Limit
from casinowar.engine.events.values import Draw, EventStruct, HandEvent, Item, Outcome, SpotEvent


class WagerPlaced(SpotEvent, frozen=True):
    """`amount` came on top of what lay there."""

    amount: int
    coupon: int = 0


class WagerAmended(SpotEvent, frozen=True):
    """`amount` is the new total."""

    amount: int


class WagerWithdrawn(SpotEvent, frozen=True):
    """`gives_way_to` is who has first right to the place, where the player did not take the chips back freely."""

    amount: int
    gives_way_to: str | None = None


class WagerLimited(SpotEvent, frozen=True):
    """The wager plays for less than was placed; the excess went back."""

    placed: int
    amount: int


class LimitsAdvised(SpotEvent, frozen=True):
    limit: Limit


class BettingCalled(EventStruct, frozen=True):
    """The dealer called for last bets where the book closes the betting only with the first card."""


class BettingClosed(EventStruct, frozen=True):
    """The boxes that get a card, and the bettors of each box from the dealer's side outwards.

    Where the deal begins at once, `draws` is what the dealer will draw, as in `deal_started`.
    """

    boxes: tuple[int, ...]
    bettors: dict[int, tuple[str, ...]]
    draws: tuple[Draw, ...] = ()


class WarOffered(HandEvent, frozen=True):
    """The tied player may go to war or surrender."""


class SurrenderRuled(HandEvent, frozen=True):
    """A supervisor surrendered for a player who was absent or could not fund the war."""

    by: str
    reason: str


class WarDeclared(HandEvent, frozen=True):
    """The war wager is down; `match` is what the dealer put beside it."""

    amount: int
    match: int = 0


class MatchLimited(HandEvent, frozen=True):
    """The bank can match only part of a war: the initial wager plays for that part and the rest goes back."""

    placed: int
    amount: int


class DecisionsClosed(EventStruct, frozen=True):
    """Everybody has chosen; at least one is at war."""


class WagerSettled(SpotEvent, frozen=True):
    """`paid` is winnings on top, `returned` is stake given back.

    `items` make up what a progressive was paid. `bank_left` is what a player's bank can still pay after this.
    `taken_back` is what the wager had brought when it was settled before: it is settled anew, and that is given up.
    """

    amount: int
    outcome: Outcome
    odds: str | None
    paid: int
    returned: int
    items: tuple[Item, ...] = ()
    bank_left: int | None = None
    taken_back: int = 0


class WagerReversed(SpotEvent, frozen=True):
    """A settled or open wager is void: what was paid and returned is taken back, and the stake goes to the player.

    `bank_left` is what a player's bank can pay out again after this.
    """

    amount: int
    bank_left: int | None = None


class BettingOpened(EventStruct, frozen=True):
    """The dealer invites wagers."""


class WarWagerConfirmed(HandEvent, frozen=True):
    amount: int


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
