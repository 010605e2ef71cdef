"""Tables that have closed: their rounds and shoes can still be told, out of their logs."""

from functools import cached_property

import msgspec

from casinowar.fairness import ExportedShoe
from casinowar.store import Store, TableListed
from casinowar.table.keeper import Keeper, ListedShoe, public_shoe
from casinowar.table.settings import TableSettings


class PastTable:
    """One opening of a table that is over. What is asked of it is read when it is asked for, and changes no more."""

    def __init__(self, store: Store, listed: TableListed, minor_digits: int) -> None:
        self.store, self.stream, self.minor_digits = store, listed.stream, minor_digits
        self.settings = msgspec.convert(listed.settings, TableSettings)
        self._exports: dict[int, ExportedShoe] = {}

    @cached_property
    def keeper(self) -> Keeper:
        keeper = Keeper(self.store.seed)
        keeper.recover((one.version, one.event) for one in self.store.read(self.stream))
        return keeper

    def shoes(self) -> tuple[ListedShoe, ...]:
        return tuple(self.keeper.listed)

    def shoe(self, number: int) -> ExportedShoe | None:
        return public_shoe(self.keeper, self.store, self.stream, number, self._exports)
