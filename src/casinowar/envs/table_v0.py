"""PettingZoo's way in: `from casinowar.envs import table_v0`, then `table_v0.env(rulebook="ca", players=3)`.

Agents act in turns, as at a table: the bank is offered to one after the other, and who is tied answers when asked. So
there is no parallel form.
"""

from typing import Any

from casinowar.envs.table_env import TableEnv
from casinowar.extras import require

require("casinowar.envs.table_v0", "envs", "pettingzoo")


def raw_env(**arguments: Any) -> TableEnv:
    """The table as it is: an action that the engine does not take changes nothing, and `info["refused"]` says why."""
    return TableEnv(**arguments)


def env(**arguments: Any) -> Any:
    """The table with PettingZoo's usual wrappers: an action outside the mask ends the episode and costs a unit."""
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

    table: Any = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))
