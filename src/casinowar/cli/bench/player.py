"""The players and watchers of a load: each a client of its own that follows one table."""

import random
import time
from collections.abc import Callable

import msgspec

from casinowar import protocol as f
from casinowar.client import Client, Happened, Live
from casinowar.engine import commands as c

PASTIMES = (f.BuyChips, f.CashChips)
BANK_STAKES = 100
"""A player who banks puts up so many times the least wager."""


class Viewer:
    """Somebody who looks at one table. `rounds` is what this player won or lost in each round that it was told of.

    `setbacks` counts views that are older than the one before.
    """

    def __init__(self, client: Client, live: Live) -> None:
        self.client = client
        self.live = live
        self.rounds: dict[int, int] = {}
        self.setbacks = 0
        self._version = 0
        self._lines: object = None
        self.note_view()

    def note_view(self) -> None:
        """Take over the rounds that the view lists, which are the last twenty; a view never goes back."""
        version, lines = self.live.view.version, self.live.view.rounds
        self.setbacks += version < self._version
        self._version = version
        if lines is not self._lines:
            self._lines = lines
            for line in reversed(lines):
                if line.number in self.rounds:
                    break
                self.rounds[line.number] = winnings(line, self.live.player)

    def gaps(self) -> int:
        """The number of rounds between the first and the last of which this viewer has heard nothing."""
        return max(self.rounds) - min(self.rounds) + 1 - len(self.rounds) if self.rounds else 0


def winnings(line: f.RoundLine, player: str) -> int:
    """What a round has brought a player, less what it has cost."""
    own = sum(paid + back - amount for _, _, who, amount, _, paid, back in line.wagers if who == player)
    return own + (line.bank[1] if line.bank is not None and line.bank[0] == player else 0)


def news_age(happened: Happened) -> float | None:
    """The seconds from the oldest commit that a frame tells of until now, by the clock of one machine."""
    return max(0.0, time.time() - happened.events[0]["at"] / 1000) if happened.events else None


class Player(Viewer):
    """A player at one box: bets the least, is ready, goes to every war, cuts in the middle, banks when it must be.

    `begin_with` is what the player had when the load began. `under_way` counts commands without an answer, and
    `is_playing` says that one of them is of the game.
    """

    def __init__(self, client: Client, live: Live, box: int, chance: random.Random) -> None:
        super().__init__(client, live)
        self.box = box
        self.chance = chance
        self.begin_with = 0
        self.under_way = 0
        self.is_playing = False
        self.wake: Callable[[], None] = lambda: None
        self._readied = -1

    def due(self, *, may_bet: bool = True) -> msgspec.Struct | None:
        """The command that the game waits for from this player now; without `may_bet`, only what ends the round."""
        live, view, me = self.live.view, self.live.view.view, self.live.player
        if live.seal.stage == "cutting":
            return c.Cut(player=me, position=26 * view.signs.decks) if view.cut_offered_to == me else None
        if view.choices:
            is_mine = any(one.player == me and one.can_now for one in view.choices)
            return c.GoToWar(player=me, box=self.box) if is_mine else None
        if live.seal.stage != "dealing" or view.phase != "betting":
            return None
        if view.is_player_banked and view.bank is None:
            return self._bank() if may_bet and (view.bank_offered_to == me or view.can_bank) else None
        banks = view.bank is not None and view.bank.player == me
        if may_bet and not banks and not self._has_wager():
            return c.PlaceWager(player=me, box=self.box, wager="initial", amount=view.signs.limit.minimum)
        if self._readied == view.round or not (may_bet or self.is_wagered):
            return None
        return f.Ready()

    @property
    def is_wagered(self) -> bool:
        """Whether anybody's chips lie on the layout."""
        return any(box.wagers for box in self.live.view.view.boxes)

    def _has_wager(self) -> bool:
        wagers = self.live.view.view.boxes[self.box - 1].wagers
        return any(player == self.live.player and wager == "initial" for player, wager, _ in wagers)

    def _bank(self) -> c.AcceptBank:
        live = self.live.view
        stake = max(live.bank_least or 0, BANK_STAKES * live.view.signs.limit.minimum)
        return c.AcceptBank(player=self.live.player, box=self.box, stake=stake)

    def pastime(self) -> msgspec.Struct:
        """A command where the game waits for nobody: chips are cashed, or bought where none are known to be there."""
        view = self.live.view.view
        amount = view.signs.limit.minimum
        can_cash = not self.under_way and (view.balance or 0) >= amount
        return f.CashChips(amount=amount) if can_cash else f.BuyChips(amount=amount)

    async def do(self, command: msgspec.Struct) -> None:
        """Send it and wait for the answer; what is refused is due again. Raises as `Live.do` does."""
        before, is_pastime = self._readied, isinstance(command, PASTIMES)
        self.is_playing |= not is_pastime
        if isinstance(command, f.Ready):
            self._readied = self.live.view.view.round
        self.under_way += 1
        try:
            await self.live.do(command)
        except Exception:
            self._readied = before
            raise
        finally:
            self.under_way -= 1
            self.is_playing &= is_pastime
