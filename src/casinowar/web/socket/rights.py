"""Which roles let an account look at a table in which way; a player's and a watcher's view are everybody's."""

from collections.abc import Set

from casinowar.engine.roles import FLOOR, STAFF

CONSOLE = STAFF[:-1]
"""Who has the dealer's console: the operator is not at the table."""

MAY_LOOK: dict[str, frozenset[str]] = {
    "dealer": frozenset(CONSOLE),
    "supervisor": frozenset(FLOOR),
    "auditor": frozenset({"auditor", *FLOOR}),
}


def can_look(roles: Set[str], role: str) -> bool:
    """Whether somebody with these roles may look on in this one."""
    return role not in MAY_LOOK or bool(MAY_LOOK[role] & roles)
