"""What commands are made of: the bases that they share, roles, and limits."""

import re
from typing import Literal, get_args

import msgspec

from casinowar.errors import require_whole
from casinowar.rulebooks.wagers import WagerName

Role = Literal["player", "dealer", "supervisor", "manager", "operator"]
ROLES: tuple[Role, ...] = get_args(Role)

SIGNATURES = ("by", "second")
"""The fields that say who acts. They are written after all others."""


def tag_of(name: str) -> str:
    """The tag under which a command or an event is stored, from the name of its class: `place_wager` of `PlaceWager`.

    A test pins every tag, so that renaming a class cannot change what is stored.
    """
    return re.sub("(?<!^)(?=[A-Z])", "_", name).lower()


class TaggedCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=tag_of):
    """A command in JSON has its tag under `do`. Those of a live table have no more in common with the engine's own."""


class CommandStruct(TaggedCommand, frozen=True, kw_only=True):
    """All commands of the engine have `by`: who acts, as `role:person`. Without it the entitled person is presumed."""

    by: str | None = None


class TwoSignedCommand(CommandStruct, frozen=True, kw_only=True):
    """A command of staff with `second`, the second signature, where the act takes two people."""

    second: str | None = None


class PlayerCommand(CommandStruct, frozen=True, kw_only=True):
    """A command of a player, or about one."""

    player: str


class HandCommand(PlayerCommand, frozen=True, kw_only=True):
    """A command about the hand of a player at a box."""

    box: int


class SpotCommand(HandCommand, frozen=True, kw_only=True):
    """A command about a player's chips on one spot."""

    wager: WagerName


class Limit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Least and most for one wager, and the unit it is a multiple of; `None` is no maximum.

    >>> import casinowar
    >>> limit = casinowar.Limit(minimum=500, maximum=5_000, unit=500)
    >>> session = casinowar.Session("nz", limit=limit, players={"ana": 10_000})
    >>> session.legal_commands("ana")[0].amounts
    range(500, 5001, 500)
    """

    minimum: int = 1
    maximum: int | None = None
    unit: int = 1

    def __post_init__(self) -> None:
        require_whole(minimum=self.minimum, maximum=1 if self.maximum is None else self.maximum, unit=self.unit)
