"""A legal command as it is listed: the command, the amounts that it can have, and what else in it may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from casinowar.engine.commands.values import SIGNATURES
from casinowar.engine.legal.amounts import ENDLESS

if TYPE_CHECKING:
    from casinowar.engine.commands import Command
else:
    # The union would be spelled out in the signature that `help` shows.
    from casinowar.engine.commands.values import CommandStruct as Command


class Legal(msgspec.Struct, frozen=True, gc=False):
    """A command that would be accepted now.

    `command` has the least of its `amounts`, which are those of the field named in `amount_of`; a range that stops at
    `ENDLESS` has no end. Fields in `free` may hold something else, such as a reason or a face; whether it is
    accepted then hangs on what they hold.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> legal = session.legal_commands("ana")[0]
    >>> legal.least, legal.most, legal.at(500).amount
    (1, 10000, 500)
    """

    command: Command
    amount_of: str = ""
    amounts: range | None = None
    free: tuple[str, ...] = ()

    @property
    def least(self) -> int | None:
        """The least amount; none of a command without one."""
        return None if self.amounts is None else self.amounts[0]

    @property
    def most(self) -> int | None:
        """The greatest amount; none of a command without one, or where nothing bounds it."""
        return None if self.amounts is None or self.amounts.stop == ENDLESS else self.amounts[-1]

    def at(self, amount: int) -> Command:
        """The command with this amount, which is one of its `amounts`.

        >>> from casinowar.engine.commands import BuyIn
        >>> Legal(BuyIn(player="ana", amount=1), "amount", range(1, 100)).at(7).amount
        7
        """
        if self.amounts is None or type(amount) is not int or amount not in self.amounts:
            raise ValueError(f"{amount!r} is no amount for {type(self.command).__name__}: {self.amounts}")
        return replace(self.command, **{self.amount_of: amount})

    def includes(self, command: Command) -> bool:
        """Whether this listing speaks of the command: the same act, with an amount within the bounds."""
        if type(command) is not type(self.command):
            return False
        return all(self._holds(name, getattr(command, name)) for name in command.__struct_fields__)

    def _holds(self, name: str, value: Any) -> bool:
        if name in SIGNATURES or name in self.free:
            return True
        if name == self.amount_of and self.amounts is not None:
            # A range looks for what is no whole number among all of its own, one after the other.
            is_beyond = self.amounts.stop == ENDLESS and type(value) is int and value >= self.amounts.start
            return is_beyond or (type(value) is int and value in self.amounts)
        return bool(getattr(self.command, name) == value)
