"""Commands of a round: wagers, the deal, war or surrender."""

from casinowar.cards import Card
from casinowar.engine.commands.values import CommandStruct
from casinowar.rulebooks.wagers import WagerName


class PlaceWager(CommandStruct, frozen=True, kw_only=True):
    """Chips on a spot; `called` where the player calls it out and the dealer puts the chips down.

    `coupon` is the worth of a match-play coupon laid beside an initial wager.
    """

    player: str
    box: int
    wager: WagerName
    amount: int
    called: bool = False
    coupon: int = 0
    by: str | None = None


class AmendWager(CommandStruct, frozen=True, kw_only=True):
    """`amount` is the new total on the spot."""

    player: str
    box: int
    wager: WagerName
    amount: int
    by: str | None = None


class WithdrawWager(CommandStruct, frozen=True, kw_only=True):
    player: str
    box: int
    wager: WagerName
    by: str | None = None


class NoMoreBets(CommandStruct, frozen=True, kw_only=True):
    by: str | None = None


class Deal(CommandStruct, frozen=True, kw_only=True):
    """Go on with the procedure as far as these cards reach; `None` is a card whose face nobody sees.

    With `hold` the dealer stops after the last of them, even where a settlement is due.
    """

    cards: tuple[Card | None, ...] = ()
    hold: bool = False
    by: str | None = None


class GoToWar(CommandStruct, frozen=True, kw_only=True):
    player: str
    box: int
    by: str | None = None


class Surrender(CommandStruct, frozen=True, kw_only=True):
    """A supervisor surrenders for a player who is absent or cannot fund the war, and gives the reason."""

    player: str
    box: int
    reason: str = ""
    by: str | None = None


class OpenBetting(CommandStruct, frozen=True, kw_only=True):
    """The dealer invites wagers."""

    by: str | None = None


class Settle(CommandStruct, frozen=True, kw_only=True):
    """Take and pay in the book's order, as far as no card and no choice is needed; `wagers` stops after so many."""

    wagers: int | None = None
    by: str | None = None


class EndRound(CommandStruct, frozen=True, kw_only=True):
    """Everything is settled: the cards go to the rack."""

    by: str | None = None


class ConfirmWarWager(CommandStruct, frozen=True, kw_only=True):
    """The dealer has seen that the war wager equals the initial wager."""

    player: str
    box: int
    by: str | None = None


class CorrectCard(CommandStruct, frozen=True, kw_only=True):
    """The face just entered was wrong; this is the card that lies there."""

    card: Card
    by: str | None = None


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
