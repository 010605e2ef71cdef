"""What commands are made of: their common form, roles, the names of wagers, and limits."""

import re
from typing import Literal, get_args

import msgspec

Role = Literal["player", "dealer", "supervisor", "manager", "operator"]
ROLES: tuple[Role, ...] = get_args(Role)


def tag_of(name: str) -> str:
    """The tag under which a command or an event is stored, from the name of its class: `place_wager` of `PlaceWager`.

    A test pins every tag, so that renaming a class cannot change what is stored.
    """
    return re.sub("(?<!^)(?=[A-Z])", "_", name).lower()


class CommandStruct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=tag_of):
    """What all commands have in common."""


class Limit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Least and most for one wager, and the unit it is a multiple of; `None` is no maximum."""

    minimum: int = 1
    maximum: int | None = None
    unit: int = 1
