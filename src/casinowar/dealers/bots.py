"""Bots that play other boxes: each bets the least it can, banks with one stake, and always answers a tie in one way."""

from typing import Literal

import msgspec

from casinowar.dealers.session import Session
from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.decide.betting import is_offered
from casinowar.engine.legal.amounts import least_wager

BOT_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
"""The names of the bots, in the order in which they sit down."""


class Bot(msgspec.Struct, frozen=True):
    """A player who bets the minimum, always does the same on a tie, and banks with `stake` when it is its turn.

    >>> import casinowar
    >>> from casinowar.dealers import Bot
    >>> session = casinowar.Session("nz", seed="dawn", players={"bot": 10_000})
    >>> Bot("bot", 1, "war").bet(session)
    1
    """

    name: str
    box: int
    habit: Literal["war", "surrender"]
    stake: int = 0

    def __str__(self) -> str:
        return f"{self.name} (box {self.box}) {'goes to war' if self.habit == 'war' else 'surrenders'}"

    def bet(self, session: Session) -> int:
        """Put down the least that is accepted and give its amount, 0 for a round sat out; a progressive goes along."""
        limit = session.table.limit
        least = least_wager(session.rules, limit) or limit.minimum
        for amount in (least, least + limit.unit, 2 * least):
            if not isinstance(session.do(self._wager("initial", amount)), Refusal):
                if is_offered(session.rules, "progressive"):
                    session.do(self._wager("progressive", session.rules.progressive.unit))
                return amount
        return 0

    def _wager(self, wager: c.WagerName, amount: int) -> c.PlaceWager:
        return c.PlaceWager(player=self.name, box=self.box, wager=wager, amount=amount)

    def take_bank(self, session: Session) -> c.AcceptBank:
        """The bank with the declared stake, or with all chips where they are fewer."""
        return c.AcceptBank(player=self.name, box=self.box, stake=min(self.stake, session.table.players[self.name]))

    def choice(self, session: Session) -> c.GoToWar | c.Surrender:
        """War or surrender by habit; a bot that cannot pay for a war surrenders."""
        war = c.GoToWar(player=self.name, box=self.box)
        if self.habit == "war" and not isinstance(session.preview(war), Refusal):
            return war
        return c.Surrender(player=self.name, box=self.box)
