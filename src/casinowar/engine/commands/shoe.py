"""Commands about the cards: cut, load, shuffle, replace, and who deals them."""

from typing import Literal

import msgspec

from casinowar.cards import Card


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


class InitialBurn(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="initial_burn"
):
    """The cards that are burned when a shoe is opened, before the wagers; `None` is one whose face nobody sees.

    Where the first face says how many more are burned, those come with a command of their own.
    """

    cards: tuple[Card | None, ...] = ()
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


class ShowCutCard(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag="show_cut_card"
):
    """With real cards nobody knows where the cutting card lies until it shows: now, before the next card."""

    by: str | None = None
