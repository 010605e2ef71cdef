"""A testing kit for those who build on this library.

`generators` has Hypothesis strategies: cards, shoes, rulebooks, whole rounds, tables and records. `store_contract` is
what every store must do, as a class of tests to inherit. `scripted_server` is a server of live tables that says what a
test tells it to. Each part says what to install where it needs more than the library itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casinowar.testing.generators import (
        RoundPlayed,
        cards,
        records,
        rounds,
        rulebooks,
        seeds,
        shoes,
        stretches,
        tables,
    )
    from casinowar.testing.scripted_server import ScriptedServer, live_view, say, scripted
    from casinowar.testing.store_contract import StoreContract

_GENERATORS = ("RoundPlayed", "cards", "records", "rounds", "rulebooks", "seeds", "shoes", "stretches", "tables")
_HOMES = {
    **dict.fromkeys(_GENERATORS, "generators"),
    **dict.fromkeys(("ScriptedServer", "live_view", "say", "scripted"), "scripted_server"),
    "StoreContract": "store_contract",
}

__all__ = [
    "RoundPlayed",
    "ScriptedServer",
    "StoreContract",
    "cards",
    "live_view",
    "records",
    "rounds",
    "rulebooks",
    "say",
    "scripted",
    "seeds",
    "shoes",
    "stretches",
    "tables",
]


def __getattr__(part: str) -> Any:
    if part in _HOMES:
        return getattr(import_module(f"casinowar.testing.{_HOMES[part]}"), part)
    raise AttributeError(f"module 'casinowar.testing' has no attribute {part!r}")
