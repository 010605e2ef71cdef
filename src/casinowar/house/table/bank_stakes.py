"""The bank at a live table as the house looks at it: the least stake that it takes, and what a bank could still pay."""

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.decide.bank import owed
from casinowar.house.settings import TableSettings
from casinowar.rulebooks import Rulebook


def least_stake(settings: TableSettings, table: Table) -> int:
    """Of a bank: the table's minimum of this moment, unless the operator has set another."""
    return table.limit.minimum if settings.bank_minimum is None else settings.bank_minimum


def is_covered(rules: Rulebook, table: Table, command: c.PlaceWager) -> bool:
    """Whether the bank could pay all that lies and this wager, if everything won on the first deal.

    The players of the house bet only then. Where the house banks there is nothing to look at.
    """
    if table.bank is None:
        return True
    done = step(rules, table, command)
    return not isinstance(done, Refusal) and done[1].bank is not None and owed(rules, done[1]) <= done[1].bank.left
