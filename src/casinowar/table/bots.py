"""Bots on other boxes: each bets the least it can and always answers a tie in the same declared way."""

from typing import Literal

import msgspec

from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.table.session import Session

BOT_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


class Bot(msgspec.Struct, frozen=True):
    """A player who bets the minimum and always does the same on a tie."""

    name: str
    box: int
    habit: Literal["war", "surrender"]

    def __str__(self) -> str:
        return f"{self.name} (box {self.box}) {'goes to war' if self.habit == 'war' else 'surrenders'}"

    def bet(self, session: Session) -> int:
        """Put down the least that is accepted and give its amount: 0 for a round sat out."""
        limit = session.table.limit
        for amount in (limit.minimum, limit.minimum + limit.unit, 2 * limit.minimum):
            wager = c.PlaceWager(player=self.name, box=self.box, wager="initial", amount=amount)
            if not isinstance(session.do(wager), Refusal):
                return amount
        return 0

    def choice(self, session: Session) -> c.GoToWar | c.Surrender:
        """War or surrender by habit; a bot that cannot pay for a war surrenders."""
        war = c.GoToWar(player=self.name, box=self.box)
        if self.habit == "war" and not isinstance(session.preview(war), Refusal):
            return war
        return c.Surrender(player=self.name, box=self.box)
