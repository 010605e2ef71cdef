"""What the log tells of sealed shoes, as published, digests and entropy in hexadecimal; seeds only when opened."""

from typing import Literal

import msgspec


class ShoeCommitted(msgspec.Struct, frozen=True, tag_field="name", tag="shoe_committed"):
    """A seed has been drawn for the cards of `counts`, and this is what binds the table to it.

    `number` counts the shoes under the table's name through all its openings; 0 is of a log from before it was told,
    when `previous` began anew with each opening.
    """

    shoe: str
    kind: Literal["shoe", "continuous"]
    counts: tuple[int, ...]
    cut_bounds: tuple[int, int] | None
    previous: str | None
    commitment: str
    number: int = 0


class EntropyPromised(msgspec.Struct, frozen=True, tag_field="name", tag="entropy_promised"):
    seat: int
    player: str
    promise: str


class EntropyAdded(msgspec.Struct, frozen=True, tag_field="name", tag="entropy_added"):
    seat: int
    player: str
    entropy: str


class ShoeSealed(msgspec.Struct, frozen=True, tag_field="name", tag="shoe_sealed"):
    """The order is fixed. `seal` is what a player notes before the first wager."""

    root: str
    seal: str


class ShoeCut(msgspec.Struct, frozen=True, tag_field="name", tag="shoe_cut"):
    """So many cards went from the front to the back; without a player the seed chose."""

    position: int
    player: str | None


class ShoeOpened(msgspec.Struct, frozen=True, tag_field="name", tag="shoe_opened"):
    """`by` is who had it voided: a member of staff with the role, or the house; empty in a log from before."""

    fate: Literal["finished", "voided"]
    reason: str | None
    seed: str
    by: str = ""


ShoeEvent = ShoeCommitted | EntropyPromised | EntropyAdded | ShoeSealed | ShoeCut | ShoeOpened
SHOE_EVENTS = (ShoeCommitted, EntropyPromised, EntropyAdded, ShoeSealed, ShoeCut, ShoeOpened)
