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
    by: str | None = None


class CloseTable(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="close_table"
):
    by: str | None = None
