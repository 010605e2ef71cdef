"""Commands of a round: wagers, the deal, war or surrender."""

import msgspec

from casinowar.cards import Card
from casinowar.engine.commands.values import WagerName


class PlaceWager(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="place_wager"
):
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


class AmendWager(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="amend_wager"
):
    """`amount` is the new total on the spot."""

    player: str
    box: int
    wager: WagerName
    amount: int
    by: str | None = None


class WithdrawWager(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="withdraw_wager"
):
    player: str
    box: int
    wager: WagerName
    by: str | None = None


class NoMoreBets(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="no_more_bets"
):
    by: str | None = None


class Deal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="deal"):
    """Go on with the procedure as far as these cards reach; `None` is a card whose face nobody sees.

    With `hold` the dealer stops after the last of them, even where a settlement is due.
    """

    cards: tuple[Card | None, ...] = ()
    hold: bool = False
    by: str | None = None


class GoToWar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="go_to_war"):
    player: str
    box: int
    by: str | None = None


class Surrender(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="surrender"):
    """A supervisor surrenders for a player who is absent or cannot fund the war, and gives the reason."""

    player: str
    box: int
    reason: str = ""
    by: str | None = None


class OpenBetting(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="open_betting"
):
    """The dealer invites wagers."""

    by: str | None = None


class Settle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="settle"):
    """Take and pay in the book's order, as far as no card and no choice is needed; `wagers` stops after so many."""

    wagers: int | None = None
    by: str | None = None


class EndRound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="end_round"):
    """Everything is settled: the cards go to the rack."""

    by: str | None = None


class ConfirmWarWager(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="confirm_war_wager"
):
    """The dealer has seen that the war wager equals the initial wager."""

    player: str
    box: int
    by: str | None = None


class CorrectCard(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="correct_card"
):
    """The face just entered was wrong; this is the card that lies there."""

    card: Card
    by: str | None = None
