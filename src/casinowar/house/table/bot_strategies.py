"""Players that the house runs: each bets the least it can and does on a tie what it has declared."""

import itertools
from collections.abc import Iterator

import msgspec

from casinowar.engine import Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine.decide.betting import is_offered
from casinowar.house.table.chips import is_covered
from casinowar.house.table.draft import Draft
from casinowar.protocol import Strategy
from casinowar.store import BotSeated

BIRDS = ("wren", "ibis", "tern", "heron", "robin", "plover", "finch", "swift")
BANK_STAKE = 20
"""A bot that banks does so with so many times the least wager of every box, and never below the least stake."""


class BotPlayer(msgspec.Struct, frozen=True):
    """A bot and its strategy: `war` and `surrender` do that on a tie, `tie` bets on ties beside and goes to war, `bank`
    takes the bank too."""

    name: str
    box: int
    strategy: Strategy

    def purse(self, table: Table, stake: int) -> int:
        """The chips it should have before a round: its wagers many times over, and where it banks twice the bank's
        stake."""
        return 2 * stake if self.strategy == "bank" else 20 * max(1, table.limit.minimum)

    def bet(self, draft: Draft) -> None:
        """Bet the least initial wager that is taken, and what the strategy adds to it."""
        limit = draft.table.limit
        for amount in (limit.minimum, limit.minimum + limit.unit, 2 * limit.minimum):
            if self._put(draft, "initial", amount):
                break
        else:
            return
        if is_offered(draft.rules, "progressive"):
            self._put(draft, "progressive", draft.rules.progressive.unit)
        if self.strategy == "tie" and is_offered(draft.rules, "tie"):
            self._put(draft, "tie", draft.table.limit_of("tie").minimum)

    def _put(self, draft: Draft, wager: c.WagerName, amount: int) -> bool:
        """Put down a wager that is taken, and that a player who banks could pay."""
        command = c.PlaceWager(player=self.name, box=self.box, wager=wager, amount=amount)
        return is_covered(draft.rules, draft.table, command) and draft.do(command) is None

    def decide(self, draft: Draft) -> bool:
        """Choose war or surrender as declared; who cannot pay for a war surrenders. Give whether it was its turn."""
        war = c.GoToWar(player=self.name, box=self.box)
        if self.strategy != "surrender" and draft.do(war) is None:
            return True
        return draft.do(c.Surrender(player=self.name, box=self.box)) is None

    def answer_bank(self, draft: Draft, stake: int) -> None:
        """Take the bank, if that is its strategy, or leave it to the next."""
        accept = c.AcceptBank(player=self.name, box=self.box, stake=stake)
        if self.strategy != "bank" or draft.do(accept) is not None:
            draft.do(c.DeclineBank(player=self.name))


def bot_names() -> Iterator[str]:
    """The names of bots, short enough for the felt; a bot of the same name at another table has the same purse."""
    for number in itertools.count(1):
        yield from (f"bot-{bird}" if number == 1 else f"bot-{bird}-{number}" for bird in BIRDS)


def seat_bots(
    draft: Draft, taken: set[str], count: int, strategy: Strategy, by: str, box: int | None = None
) -> Refusal | None:
    """Seat bots in the empty boxes from the last on, so that people find the first ones free; or in the named box."""
    boxes = reversed(range(1, draft.rules.table.boxes + 1)) if box is None else (box,)
    free = [at for at in boxes if at not in draft.table.seats]
    if len(free) < count:
        return Refusal("seat_taken")
    fresh = (name for name in bot_names() if name not in {*taken, *draft.table.seats.values()})
    for at, name in zip(free[:count], fresh, strict=False):
        draft.do(c.BuyIn(player=name, amount=0))
        refusal = draft.do(c.SeatPlayer(player=name, box=at))
        if refusal:
            return refusal
        draft.note(BotSeated(name, at, strategy, by))
    return None
