"""Roles, the names of wagers, and limits."""

from typing import Literal, get_args

import msgspec

Role = Literal["player", "dealer", "supervisor", "manager", "operator"]
ROLES: tuple[Role, ...] = get_args(Role)
WagerName = Literal["initial", "war", "tie", "war_tie", "a_bomb", "perfect_pairs", "war_perfect_pairs", "progressive"]


class Limit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Least and most for one wager, and the unit it is a multiple of; `None` is no maximum."""

    minimum: int = 1
    maximum: int | None = None
    unit: int = 1
