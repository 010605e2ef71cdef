"""Commands of a round: wagers, the deal, war or surrender."""

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct, HandCommand, SpotCommand


class PlaceWager(SpotCommand, frozen=True, kw_only=True):
    """Chips on a spot; `called` where the player calls it out and the dealer puts the chips down.

    `coupon` is the worth of a match-play coupon laid beside an initial wager.
    """

    amount: int
    called: bool = False
    coupon: int = 0


class AmendWager(SpotCommand, frozen=True, kw_only=True):
    """`amount` is the new total on the spot."""

    amount: int


class WithdrawWager(SpotCommand, frozen=True, kw_only=True):
    """The player takes the wager back."""


class NoMoreBets(CommandStruct, frozen=True, kw_only=True):
    """The dealer calls the end of the betting."""


class Deal(CommandStruct, frozen=True, kw_only=True):
    """Go on with the procedure as far as these cards reach; `None` is a card whose face nobody sees.

    With `hold` the dealer stops after the last of them, even where a settlement is due.
    """

    cards: tuple[Card | None, ...] = ()
    hold: bool = False


class GoToWar(HandCommand, frozen=True, kw_only=True):
    """The tied player lays a war wager, equal to the initial wager."""


class Surrender(HandCommand, frozen=True, kw_only=True):
    """A supervisor surrenders for a player who is absent or cannot fund the war, and gives the reason."""

    reason: str = ""


class OpenBetting(CommandStruct, frozen=True, kw_only=True):
    """The dealer invites wagers."""


class Settle(CommandStruct, frozen=True, kw_only=True):
    """Take and pay in the book's order, as far as no card and no choice is needed; `wagers` stops after so many."""

    wagers: int | None = None


class EndRound(CommandStruct, frozen=True, kw_only=True):
    """Everything is settled: the cards go to the rack."""


class ConfirmWarWager(HandCommand, frozen=True, kw_only=True):
    """The dealer has seen that the war wager equals the initial wager."""


class CorrectCard(CommandStruct, frozen=True, kw_only=True):
    """The face just entered was wrong; this is the card that lies there."""

    card: Card


PlayCommand = (
    PlaceWager
    | AmendWager
    | WithdrawWager
    | NoMoreBets
    | Deal
    | GoToWar
    | Surrender
    | OpenBetting
    | Settle
    | EndRound
    | ConfirmWarWager
    | CorrectCard
)
