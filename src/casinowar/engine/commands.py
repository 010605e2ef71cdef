"""Commands: what people at the table ask for. Cards and shuffles come in as the dealer's commands.

`by` says who acts, as `role:person`; without it the entitled person is presumed.
"""

from typing import Literal

import msgspec

from casinowar.cards import Card

Role = Literal["player", "dealer", "supervisor", "operator"]
ROLES: tuple[Role, ...] = ("player", "dealer", "supervisor", "operator")
WagerName = Literal["initial", "war", "tie", "war_tie", "a_bomb", "perfect_pairs", "war_perfect_pairs", "progressive"]


class Limit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Least and most for one wager, and the unit it is a multiple of; `None` is no maximum."""

    minimum: int = 1
    maximum: int | None = None
    unit: int = 1


class OpenTable(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="open_table"
):
    """Limits for every wager, those that differ per kind, and the progressive's meter, else its seed."""

    limit: Limit = Limit()
    limits: dict[str, Limit] = {}
    meter: int | None = None
    by: str | None = None


class ResumeTable(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="resume_table"
):
    """Take up a table in the middle of a shoe: cards left, and what was still to come of it.

    `bank_turn` is who banked last, from which box, and for how many rounds in a row.
    """

    rounds: int = 0
    shoe_left: int = 0
    cut_in: int | None = None
    shuffle: str | None = None
    dealer_burns: int = 0
    seats: dict[int, str] = {}
    reminded: tuple[str, ...] = ()
    bank_turn: tuple[str, int, int] | None = None
    by: str | None = None


class BuyIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="buy_in"):
    player: str
    amount: int
    by: str | None = None


class SeatPlayer(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="seat_player"
):
    player: str
    box: int
    by: str | None = None


class VacateSeat(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="vacate_seat"
):
    player: str
    by: str | None = None


class GrantMultiBox(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="grant_multi_box"
):
    """The supervisor attests that there are places enough; `boxes` is how many the player may then bet on."""

    player: str
    boxes: int
    by: str | None = None


class RevokeMultiBox(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="revoke_multi_box"
):
    player: str
    by: str | None = None


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


class Cut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="cut"):
    """`position` is how many cards lie in front of the cutting card. Without a player, staff cut."""

    position: int
    player: str | None = None
    by: str | None = None


class DeclineCut(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="decline_cut"
):
    player: str
    by: str | None = None


class PlaceMarker(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="place_marker"
):
    """The dealer puts the cutting card into the cut stack, with `from_back` cards behind it."""

    from_back: int
    by: str | None = None


class LoadShoe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="load_shoe"):
    """A shuffled and cut stack goes into the shoe; `cut_card` is how many cards lie in front of the cutting card.

    `presumed` is for a record, which need not tell how the cutting card was put in.
    """

    cards: int
    cut_card: int | None = None
    presumed: bool = False
    by: str | None = None


class SupervisorShuffle(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="supervisor_shuffle"
):
    reason: Literal["vacant", "suspect", "discretion"]
    by: str | None = None


class ReplaceCards(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="replace_cards"
):
    """Some cards change one for one; with none named, all do, and the new ones are shuffled and cut."""

    cards: tuple[Card, ...] = ()
    by: str | None = None


class ChangeDealer(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="change_dealer"
):
    dealer: str
    by: str | None = None


class AcceptBank(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="accept_bank"
):
    """Take the bank for the next round with this stake, from this seat."""

    player: str
    box: int
    stake: int
    by: str | None = None


class DeclineBank(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="decline_bank"
):
    player: str
    by: str | None = None


class RelinquishBank(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="relinquish_bank"
):
    player: str
    by: str | None = None


class ReportFaceUpCard(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="report_face_up_card"
):
    """The next card of the shoe lies face up; `card` is its face."""

    card: Card | None = None
    by: str | None = None


class ReportExtraDraw(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="report_extra_draw"
):
    """The next card of the shoe was drawn in error; `card` is its face where it was exposed."""

    exposed: bool
    card: Card | None = None
    by: str | None = None


class InvalidateRound(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="invalidate_round"
):
    cause: Literal["fire", "riot", "brawl", "robbery", "commotion", "act_of_god", "fraud"]
    by: str | None = None


Command = (
    OpenTable
    | ResumeTable
    | BuyIn
    | SeatPlayer
    | VacateSeat
    | GrantMultiBox
    | RevokeMultiBox
    | PlaceWager
    | AmendWager
    | WithdrawWager
    | NoMoreBets
    | Deal
    | GoToWar
    | Surrender
    | Cut
    | DeclineCut
    | PlaceMarker
    | LoadShoe
    | SupervisorShuffle
    | ReplaceCards
    | ChangeDealer
    | AcceptBank
    | DeclineBank
    | RelinquishBank
    | ReportFaceUpCard
    | ReportExtraDraw
    | InvalidateRound
)
