"""Environments for learning: Gymnasium's `casinowar/War-v0` and `casinowar/Counter-v0`, PettingZoo's `table_v0`.

They know no rule. The engine decides what a command leads to, or the compiled kernel plays what the rulebook's leaves
say, and the exact odds tell what the best that can be done is worth.

>>> import gymnasium
>>> import casinowar.envs
>>> env = gymnasium.make("casinowar/War-v0", rulebook="wa")
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(env.unwrapped.number("initial"))
>>> float(reward), terminated, info["nets"]
(-1.0, True, {'initial': -100})
>>> optimum = env.unwrapped.optimum()
>>> optimum.bet, optimum.decisions["K"], f"{float(optimum.value):.4f}"
('initial', 'war', '-0.0233')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from casinowar.extras import require

require("casinowar.envs", "envs", "gymnasium", "numpy")

if TYPE_CHECKING:
    from casinowar.envs import table_v0
    from casinowar.envs.actions import Action
    from casinowar.envs.counter_env import CounterEnv
    from casinowar.envs.counter_vector import CounterVectorEnv
    from casinowar.envs.optimum import Optimum
    from casinowar.envs.table_env import TableEnv
    from casinowar.envs.war_env import WarEnv
    from casinowar.envs.war_vector import WarVectorEnv

# Importing this package is what makes the environments known, so that it brings no more than that.
_HOMES = {
    "Action": "actions",
    "CounterEnv": "counter_env",
    "CounterVectorEnv": "counter_vector",
    "Optimum": "optimum",
    "TableEnv": "table_env",
    "WarEnv": "war_env",
    "WarVectorEnv": "war_vector",
}

__all__ = [
    "Action",
    "CounterEnv",
    "CounterVectorEnv",
    "Optimum",
    "TableEnv",
    "WarEnv",
    "WarVectorEnv",
    "register_environments",
    "table_v0",
]


def __getattr__(part: str) -> Any:
    if part in _HOMES:
        return getattr(import_module(f"casinowar.envs.{_HOMES[part]}"), part)
    if part == "table_v0":
        return import_module("casinowar.envs.table_v0")
    raise AttributeError(f"module 'casinowar.envs' has no attribute {part!r}")


def register_environments() -> None:
    """Make the environments known to Gymnasium, each once. Importing this package does it.

    Gymnasium imports it where a name says so, as in `gymnasium.make("casinowar.envs:casinowar/War-v0")`.

    >>> import gymnasium
    >>> from casinowar.envs import register_environments
    >>> register_environments()
    >>> "casinowar/War-v0" in gymnasium.registry
    True
    """
    from gymnasium.envs.registration import register, registry

    for name in ("War", "Counter"):
        if f"casinowar/{name}-v0" not in registry:
            module = f"casinowar.envs.{name.lower()}"
            register(
                f"casinowar/{name}-v0",
                entry_point=f"{module}_env:{name}Env",
                vector_entry_point=f"{module}_vector:{name}VectorEnv",
            )


register_environments()
