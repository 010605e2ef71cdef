"""Commands about seats, chips, grants and the bank."""

import msgspec

from casinowar.engine.commands.values import Limit


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


class OfferBank(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="offer_bank"
):
    player: str
    by: str | None = None


class RotateBank(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="rotate_bank"
):
    """The dealer passes the bank on from a player who has held it as long as the book allows."""

    by: str | None = None
