"""What one player sees of a table, as a strategy is given it: a snapshot, worked out where it is looked at."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from casinowar.cards import Card
from casinowar.engine import commands as c
from casinowar.engine.decide.betting import is_offered, own_boxes
from casinowar.engine.decide.draw_order import is_shuffle_due
from casinowar.engine.events import DEALER
from casinowar.engine.legal import Legal, legal_commands
from casinowar.engine.legal.amounts import spot_totals
from casinowar.engine.state import Phase, Table
from casinowar.engine.view import Choice, View, Viewer, view
from casinowar.errors import require_whole
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.wagers import SIDE


class PlayerView:
    """The table as one player sees it now. It does not change when the game goes on.

    `choices` are the player's own hands whose turn it is to choose war or surrender, `legal` is all that the player may
    do, and `whole` is the engine's view with boxes, signs and bank. Nothing in it is hidden from the player: no card
    still in the shoe, no sealed burn.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 10_000})
    >>> seen = session.view("ana")
    >>> seen.phase, seen.balance, seen.bet(500)
    ('betting', 10000, PlaceWager(by=None, player='ana', box=1, wager='initial', amount=500, called=False, coupon=0))
    """

    def __init__(self, rules: Rulebook, table: Table, player: str) -> None:
        require_player(table, player)
        self.rules = rules
        self.player = player
        self._table = table

    def __repr__(self) -> str:
        return f"<{self.player}: {self.phase}, {self.balance} chips, round {self.round}>"

    @property
    def phase(self) -> Phase:
        """`betting`, `deciding`, `war_betting`, or between them `closed` and `dealing`."""
        return self._table.phase

    @property
    def round(self) -> int:
        """The number of the round that is on, or of the last one."""
        return self._table.round.number

    @property
    def balance(self) -> int:
        """The player's chips, without those on the layout."""
        return self._table.players[self.player]

    @property
    def limit(self) -> c.Limit:
        """Least and most for the initial wager, and its unit."""
        return self._table.limit

    @property
    def boxes(self) -> tuple[int, ...]:
        """The boxes on which the player has a wager."""
        return tuple(sorted(own_boxes(self._table.round, self.player)))

    @cached_property
    def box(self) -> int | None:
        """The player's box: where a wager of theirs lies, else their seat, else the first where one is accepted."""
        if self.boxes:
            return self.boxes[0]
        seats = [box for box, who in self._table.seats.items() if who == self.player]
        placed = [command.box for one in self.legal if isinstance(command := one.command, c.PlaceWager)]
        free = [box for box in placed if box not in self._table.seats]
        return min(seats) if seats else next(iter(free or placed), None)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The player's hands whose turn it is to choose."""
        round_ = self._table.round
        if round_.is_over or not any(who == self.player for _, who in round_.asked):
            return ()
        return tuple(one for one in self.whole.choices if one.player == self.player and one.can_now)

    def hand(self, box: int | None = None) -> tuple[Card, ...]:
        """The cards of a box, without one the player's; the dealer's lie under 0."""
        round_ = self._table.round
        at = self.box if box is None else box
        return () if round_.is_over or at is None else round_.hands.get(at, ())

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards."""
        return self.hand(DEALER)

    @cached_property
    def legal(self) -> tuple[Legal, ...]:
        """All that the player may do now."""
        return tuple(legal_commands(self.rules, self._table, self.player))

    @property
    def can_bank(self) -> bool:
        """Whether the bank can be taken now."""
        return any(isinstance(one.command, c.AcceptBank) for one in self.legal)

    @cached_property
    def cards_seen(self) -> Counter[Card]:
        """The cards that everybody has seen since the shoe was loaded: who counts, counts these."""
        table = self._table
        faces = [card for _, cards in table.rack for card in cards if card is not None]
        if not table.round.is_over:
            lying = (hand for box, hand in table.round.hands.items() if box not in table.round.collected)
            faces += [card for hand in lying for card in hand]
        return Counter(faces)

    @property
    def cards_left(self) -> int:
        """How many cards the shoe still has."""
        return self._table.shoe_left

    @property
    def is_shuffle_due(self) -> bool:
        """Whether the cards are shuffled before another one is dealt, so that what was seen tells nothing."""
        return is_shuffle_due(self._table)

    @cached_property
    def whole(self) -> View:
        """The engine's view of the table for this player."""
        return view(self.rules, self._table, Viewer("player", self.player))

    def least(self, wager: c.WagerName = "initial", box: int | None = None) -> int | None:
        """The least amount that is accepted of this wager, now or beside an initial one; none where there is no
        place.
        """
        at = self.box if box is None else box
        if at is None:
            return None
        mine = next((one.least for one in self.legal if _is_bet(one.command, wager, at)), None)
        spot, laid = (at, wager, self.player), () if self._table.round.is_over else self._table.round.wagers
        is_later = wager in SIDE and self.phase == "betting" and is_offered(self.rules, wager) and spot not in laid
        if mine is not None or not is_later:
            return mine
        return next((amounts[0] for amounts in spot_totals(self.rules, self._table, spot, 0)), None)

    def bet(self, amount: int, wager: c.WagerName = "initial", box: int | None = None) -> c.PlaceWager:
        """The command that puts down a wager, on the player's box where none is named."""
        at = self.box if box is None else box
        require_whole(amount=amount)
        if at is None:
            raise ValueError(f"{self.player} can bet on no box now")
        return c.PlaceWager(player=self.player, box=at, wager=wager, amount=amount)

    def war(self, box: int | None = None) -> c.GoToWar:
        """The command to go to war, on the hand whose turn it is where no box is named."""
        return c.GoToWar(player=self.player, box=self._choosing(box))

    def surrender(self, box: int | None = None) -> c.Surrender:
        """The command to give up half of the initial wager."""
        return c.Surrender(player=self.player, box=self._choosing(box))

    def _choosing(self, box: int | None) -> int:
        if box is not None:
            return box
        asked = [at for at, who in self._table.round.asked if who == self.player]
        if not asked:
            raise ValueError(f"{self.player} has no choice to make now")
        return asked[0]

    def take_bank(self, stake: int) -> c.AcceptBank:
        """The command to take the bank, with all chips where they are fewer than the stake."""
        require_whole(stake=stake)
        if self.box is not None and self._table.seats.get(self.box, self.player) == self.player:
            at = self.box
        else:
            at = next(command.box for one in self.legal if isinstance(command := one.command, c.AcceptBank))
        return c.AcceptBank(player=self.player, box=at, stake=min(stake, self.balance))


def require_player(table: Table, player: str) -> None:
    """A name that nobody at the table has is a ValueError, which tells those that there are."""
    if player not in table.players:
        raise ValueError(f"nobody called {player!r} has chips at this table: {', '.join(table.players) or 'nobody'}")


def _is_bet(command: c.Command, wager: c.WagerName, box: int) -> bool:
    return isinstance(command, c.PlaceWager) and (command.wager, command.box) == (wager, box)
