"""Commands that report what went wrong, and rulings on it."""

from typing import Literal

import msgspec

from casinowar.cards import Card


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
