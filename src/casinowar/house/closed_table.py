"""Tables that have closed: their rounds and shoes can still be told, out of their logs."""

from collections.abc import Iterable
from functools import cached_property

import msgspec

from casinowar.fairness import ExportedShoe, ListedShoe
from casinowar.house.settings import TableSettings
from casinowar.house.shoes.keeper import Keeper, public_shoe
from casinowar.house.shoes.shoe_list import chain_of
from casinowar.store import Store, TableListed


class ClosedTable:
    """One opening of a table that is over. What is asked of it is read when it is asked for, and changes no more.

    `earlier` are the streams of the openings before it, whose shoes stand before its own in the list.
    """

    def __init__(self, store: Store, listed: TableListed, minor_digits: int, earlier: Iterable[str] = ()) -> None:
        self.store, self.stream, self.minor_digits = store, listed.stream, minor_digits
        self.settings = msgspec.convert(listed.settings, TableSettings)
        self._earlier = tuple(earlier)

    @cached_property
    def keeper(self) -> Keeper:
        keeper = Keeper(self.store.seed, self.stream, chain_of(self.store, self._earlier))
        keeper.recover((one.version, one.event) for one in self.store.read(self.stream))
        return keeper

    def shoes(self) -> tuple[ListedShoe, ...]:
        return self.keeper.listed.lines

    def shoe(self, number: int) -> ExportedShoe | None:
        return public_shoe(self.keeper, self.store, number)
