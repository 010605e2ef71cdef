"""The plan of a load: how many play and look on where, at which pace, for how long."""

from typing import Literal

import msgspec


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A load. With a `pace`, so many commands a second are due in all, whatever has been answered; without one, each
    player thinks for `think` seconds on average before a command.

    With 0 `tables` they are those that are free, at a house that is there already. `watchers` look on at the first
    table. `open_tables` are there besides, and nobody uses them. `views` is how clients ask to be told.
    """

    tables: int = 20
    seats: int = 7
    watchers: int = 0
    open_tables: int = 0
    seconds: float = 20
    pace: float | None = None
    think: float = 1
    reconnects: float = 0
    books: tuple[str, ...] = ()
    seed: int = 1
    views: Literal["whole", "parts"] = "parts"
