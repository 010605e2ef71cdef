"""Commands about the opening and the making of a stack: inspection, spread, wash, shuffle, and the players' rights."""

from typing import Literal

import msgspec

from casinowar.cards import Card

ShuffleStep = Literal["plug", "riffle", "turn", "strip"]


class InspectCards(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="inspect_cards"
):
    """The decks are sorted and checked; where the book asks for two people, `second` is the other."""

    by: str | None = None
    second: str | None = None


class VerifyCards(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="verify_cards"
):
    by: str | None = None


class SpreadForInspection(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="spread_for_inspection"
):
    """The cards lie fanned out for those who want to look; with two batches each by itself."""

    players: tuple[str, ...] = ()
    batch: int = 1
    by: str | None = None


class Wash(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="wash"):
    by: str | None = None


class Shuffle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="shuffle"):
    """By hand, with the steps in their order; `before_load` where a machine shuffles them again."""

    steps: tuple[ShuffleStep, ...] = ()
    before_load: bool = False
    by: str | None = None


class SwapBatch(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="swap_batch"
):
    """The used batch goes into the shuffler and the other comes out."""

    by: str | None = None


class OfferCut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="offer_cut"):
    player: str
    by: str | None = None


class IdleSpread(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="idle_spread"
):
    """Nobody plays: the cards come out of shoe and rack and lie spread."""

    by: str | None = None


class PlayerRequestInspect(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="player_request_inspect"
):
    player: str
    by: str | None = None


class PlayerRequireFullShuffle(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="player_require_full_shuffle",
):
    player: str
    by: str | None = None


class PlayerRequestsSpread(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="player_requests_spread"
):
    player: str
    by: str | None = None


class ViewInitialBurn(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="view_initial_burn"
):
    """`card` is its face, shown to the player alone."""

    player: str
    card: Card | None = None
    by: str | None = None
