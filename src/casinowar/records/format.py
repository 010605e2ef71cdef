"""Acts of a record: what people did, as the record writes it. Cards are not named where the shoe's order tells them."""

from typing import Any, Literal, Union, get_args

import msgspec

from casinowar.engine import commands as c


class ActStruct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """What all acts of a record have in common: `by` says who acts, as `role:person`."""

    by: str | None = None


class CardsAct(ActStruct, frozen=True, kw_only=True):
    """The fields of acts that may say how many cards they take."""

    cards: int | None = None


class DealAct(CardsAct, frozen=True, kw_only=True, tag="deal"):
    """Cards are dealt. With `cards`, the deal stops after that many have left the shoe.

    With `hold` it is one step of the dealer's: these cards and no others, loading no shoe. Where `hold` is false, what
    follows the last card without another one is done too.
    """

    hold: bool | None = None


class CallAct(ActStruct, frozen=True, kw_only=True, tag="call"):
    """The deal begins, or the cutting card is found first, and no card is drawn yet."""


class DealWarAct(CardsAct, frozen=True, kw_only=True, tag="deal_war"):
    """The cards of a war are dealt; with `cards`, only so many."""


class InitialBurnAct(CardsAct, frozen=True, kw_only=True, tag="initial_burn"):
    """The opening burn by itself, before the wagers; with `cards`, only so many of it."""


class SettleWarAct(ActStruct, frozen=True, kw_only=True, tag="settle_war"):
    wagers: int | None = None


class LoadAct(CardsAct, frozen=True, kw_only=True, tag="load_shoe"):
    """The record's next stack goes into the shoe; `cards` is how many a continuous shuffler takes, else all."""


class ChangeDecksAct(ActStruct, frozen=True, kw_only=True, tag="change_decks"):
    """The decks of a notice that has stood are taken up before their stack is made, and not with its loading."""


class CashOutAct(ActStruct, frozen=True, kw_only=True, tag="cash_out"):
    """Chips that lie before the player are carried away from the table."""

    player: str
    amount: int


class ExtraDrawAct(ActStruct, frozen=True, kw_only=True, tag="report_extra_draw"):
    exposed: bool
    action: c.Delivery | None = None


class FaceUpAct(ActStruct, frozen=True, kw_only=True, tag="report_face_up_card"):
    """The next card lies face up in the shoe."""


class MissedOfferAct(ActStruct, frozen=True, kw_only=True, tag="report_missed_offer"):
    player: str
    box: int
    cards: int = 0


class DamagedAct(ActStruct, frozen=True, kw_only=True, tag="report_damaged_card"):
    """A damaged card: the one named, or else the one just dealt, or else the next."""

    card: str | None = None


class Move(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"origin": "from"}):
    """The last card of a hand, and where it goes."""

    origin: str | int
    to: str | int


class ReconstructAct(ActStruct, frozen=True, kw_only=True, tag="reconstruct"):
    """Cards are moved. Places are `box 2`, `dealer` and `discard`, or their numbers."""

    moves: list[Move]
    second: str | None = None


class ViewBurnAct(ActStruct, frozen=True, kw_only=True, tag="view_initial_burn"):
    player: str


class ReplaceAct(ActStruct, frozen=True, kw_only=True, tag="replace_cards"):
    """Cards are replaced: a list of them, or all."""

    cards: list[str] | Literal["all"] = "all"


class ReplaceAllAct(ActStruct, frozen=True, kw_only=True, tag="replace_all_cards"):
    """All cards of the table are replaced."""


OwnAct = (
    CashOutAct
    | DealAct
    | CallAct
    | DealWarAct
    | InitialBurnAct
    | SettleWarAct
    | LoadAct
    | ChangeDecksAct
    | ExtraDrawAct
    | FaceUpAct
    | MissedOfferAct
    | DamagedAct
    | ReconstructAct
    | ViewBurnAct
    | ReplaceAct
    | ReplaceAllAct
)
"""Acts that a record writes in its own way, most of them in place of the command with the same name."""

UNWRITTEN = (c.OpenTable, c.ResumeTable, c.CorrectCard)
"""Commands that no record has: a record opens its table itself, and holds the right faces."""

Act = c.Command | OwnAct
_OWN_NAMES = {kind.__struct_config__.tag for kind in get_args(OwnAct)}
_COMMANDS = tuple(
    kind for kind in get_args(c.Command) if kind not in UNWRITTEN and kind.__struct_config__.tag not in _OWN_NAMES
)
WRITTEN_ACTS: Any = Union[(*_COMMANDS, *get_args(OwnAct))]
"""The type by which acts are decoded: every command, but for those that have an act of their own."""


PLACES = {"dealer": 0, "discard": -1}


def place_of(text: str | int) -> int | None:
    """The number of a place: `box 3` and 3 are box 3. None where the text names no place."""
    if isinstance(text, int):
        return text
    number = text.removeprefix("box ")
    return PLACES.get(text, int(number) if number.isdecimal() else None)
