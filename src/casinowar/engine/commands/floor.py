"""Commands of the floor: time, limits and the end of the day. Time enters as a command like everything else."""

from typing import Literal

import msgspec


class Tick(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="tick"):
    seconds: int
    by: str | None = None


class AnnounceLimits(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="announce_limits"
):
    """A sign with the limits that are to come; another announcement starts the notice anew."""

    minimum: int
    maximum: int | None = None
    unit: int = 1
    by: str | None = None


class ChangeLimits(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="change_limits"
):
    """`basis` is why it is allowed now: nobody at the table, everybody in `consents`, or notice given in time."""

    minimum: int
    maximum: int | None = None
    unit: int = 1
    basis: Literal["empty", "agreed", "notice"]
    consents: tuple[str, ...] = ()
    by: str | None = None


class AnnounceClosing(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="announce_closing"
):
    """A sign with the time of closure, `minutes` from now; where none are told, as soon as the book allows."""

    minutes: int | None = None
    by: str | None = None


class CloseTable(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="close_table"
):
    by: str | None = None


class AnnounceDecks(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="announce_decks"
):
    """A sign that another number of decks is to come; `perfect_pairs` names the pay table that goes with it."""

    decks: int
    perfect_pairs: str | None = None
    by: str | None = None


class DirectBoxMax(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="direct_box_max"
):
    """A most for all wagers on one area; 0 takes the direction back."""

    amount: int
    by: str | None = None


class DirectPlayerMax(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="direct_player_max"
):
    """A most for one player's wagers on a box; 0 takes the direction back."""

    amount: int
    by: str | None = None


class SetBettorsPerArea(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="set_bettors_per_area"
):
    bettors: int
    by: str | None = None
