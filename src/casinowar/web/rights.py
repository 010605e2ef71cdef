"""Which roles let an account look at a table in which way; a player's and a watcher's view are everybody's."""

from collections.abc import Set

STAFF = frozenset({"dealer", "supervisor", "operator", "auditor"})
MAY_LOOK: dict[str, frozenset[str]] = {
    "dealer": frozenset({"dealer", "supervisor"}),
    "supervisor": frozenset({"supervisor", "operator"}),
    "auditor": frozenset({"auditor", "supervisor", "operator"}),
}


def can_look(roles: Set[str], role: str) -> bool:
    """Whether somebody with these roles may look on in this one."""
    return role not in MAY_LOOK or bool(MAY_LOOK[role] & roles)
