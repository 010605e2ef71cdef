"""Legal commands: everything that would be accepted of a table now, found by asking the deciders and nobody else."""

from casinowar.engine.legal.legal import Legal
from casinowar.engine.legal.players import player_commands
from casinowar.engine.legal.staff import staff_commands
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook

__all__ = ["Legal", "legal_commands"]


def legal_commands(rules: Rulebook, table: Table, player: str | None = None, *, staff: bool = False) -> list[Legal]:
    """All commands that would be accepted now of this player, or of every player, and with `staff` those of staff too.

    Nobody has to sign them: without `by` the entitled person is presumed. Staff's commands about players are those
    about this player, where one is named.
    """
    players = tuple(table.players) if player is None else (player,) if player in table.players else ()
    legal = [one for name in players for one in player_commands(rules, table, name)]
    return [*legal, *staff_commands(rules, table, players, legal)] if staff else legal
