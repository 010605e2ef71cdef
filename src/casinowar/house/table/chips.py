"""Chips at a table: what a player has there, what a command or the rest of a round may cost, and what a bank stakes."""

from casinowar.engine import Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.decide.bank import most_owed
from casinowar.house.settings import TableSettings
from casinowar.rulebooks import Rulebook

PAID = (c.PlaceWager, c.AmendWager, c.GoToWar, c.AcceptBank)
"""What chips are put down for."""


def worth(table: Table, player: str) -> int:
    """The chips that a player has at this table, wagers and the bank's chips included."""
    return table.players.get(player, 0) + on_layout(table, player)


def on_layout(table: Table, player: str) -> int:
    """The chips that a player has in play: wagers that are not decided, and the chips of their bank."""
    wagers = {} if table.round.is_over else table.round.wagers
    laid = sum(one.amount for (_, _, who), one in wagers.items() if who == player and one.outcome is None)
    bank = table.bank.chips if table.bank is not None and table.bank.player == player else 0
    return laid + bank


def war_at_risk(rules: Rulebook, table: Table, player: str) -> int:
    """The cost of the wars that the player may yet be asked to go to in this round."""
    round_ = table.round
    wagers = {} if round_.is_over else round_.wagers
    return sum(
        war_stake(rules, laid.amount)
        for (box, wager, who), laid in wagers.items()
        if who == player and wager == "initial" and laid.outcome is None and (box, "war", who) not in wagers
    )


def price(rules: Rulebook, table: Table, command: c.Command) -> int:
    """The chips that a command puts down."""
    round_ = table.round
    wagers = {} if round_.is_over else round_.wagers
    match command:
        case c.PlaceWager():
            return command.amount
        case c.AmendWager():
            laid = wagers.get((command.box, command.wager, command.player))
            return command.amount - (laid.amount if laid else 0)
        case c.GoToWar():
            laid = wagers.get((command.box, "initial", command.player))
            return war_stake(rules, laid.amount) if laid else 0
        case c.AcceptBank():
            return command.stake
        case _:
            return 0


def war_stake(rules: Rulebook, initial: int) -> int:
    return initial * rules.war_stake.numerator // rules.war_stake.denominator


def least_stake(settings: TableSettings, table: Table) -> int:
    """The least stake of a bank: the table's minimum of this moment, unless the operator has set another."""
    return table.limit.minimum if settings.bank_minimum is None else settings.bank_minimum


def is_covered(rules: Rulebook, table: Table, command: c.PlaceWager) -> bool:
    """Whether the bank could pay all that lies and this wager, if everything won on the first deal.

    The players of the house bet only then. Where the house banks there is nothing to look at.
    """
    if table.bank is None:
        return True
    done = step(rules, table, command)
    return not isinstance(done, Refusal) and done[1].bank is not None and most_owed(rules, done[1]) <= done[1].bank.left
