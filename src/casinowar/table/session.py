"""The automatic dealer: one table, its shoe, and what people did, in the order in which it can be replayed.

The engine knows every rule and no undealt card; the dealer here knows the cards and no rule.
"""

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from casinowar.cards import DECK, Card, composition
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine.bank import candidates
from casinowar.engine.dealing import cards_due, is_shuffle_due, refuse_deal
from casinowar.engine.shoe import cutter
from casinowar.engine.state import NO_LIMIT
from casinowar.rulebooks import Rulebook

Shuffle = Callable[[Iterable[Card]], tuple[Card, ...]]
UNRECORDED = c.OpenTable | c.BuyIn | c.PlaceMarker | c.LoadShoe | c.Deal


class Stack(msgspec.Struct, frozen=True):
    """Cards in the order in which they leave the shoe; the cutting card shows after `cut_card` of them."""

    cards: tuple[Card, ...]
    cut_card: int | None


class Session:
    """A table with its dealer. Chance comes in as `shuffle`; everything else comes in as commands.

    `acts` are the accepted commands as a record tells them, `chips` is what each player bought in all, and `stacks` are
    the shoes loaded so far. `meter` is where the progressive's meter stands at the start, without it at the seed.
    """

    def __init__(self, rules: Rulebook, shuffle: Shuffle, limit: c.Limit = NO_LIMIT, meter: int | None = None) -> None:
        self.rules = rules
        self.shuffle = shuffle
        self.table = Table()
        self.limit = limit
        self.chips: dict[str, int] = {}
        self.acts: list[dict[str, object]] = []
        self.stacks: list[Stack] = []
        self._out = 0
        self._cut_at: int | None = None
        self._is_dealing = False
        opened = self.do(c.OpenTable(limit=limit, meter=meter))
        if isinstance(opened, Refusal):
            raise ValueError(f"the table cannot be opened: {opened.reason} ({', '.join(opened.clauses)})")
        self.opening = opened
        self.meter = self.table.meter

    def buy_in(self, player: str, amount: int) -> list[Event] | Refusal:
        """Chips for money. A record knows opening balances only, so chips bought later count among those."""
        done = self.do(c.BuyIn(player=player, amount=amount))
        if not isinstance(done, Refusal):
            self.chips[player] = self.chips.get(player, 0) + amount
        return done

    def preview(self, *commands: c.Command) -> list[Event] | Refusal:
        """What would come of these commands, one after the other, without doing them."""
        tried = self._try(commands)
        return tried if isinstance(tried, Refusal) else tried[0]

    def do(self, *commands: c.Command) -> list[Event] | Refusal:
        """Do all of these commands, or none of them if one is refused."""
        tried = self._try(commands)
        if isinstance(tried, Refusal):
            return tried
        events, self.table = tried
        for command in commands:
            if isinstance(command, c.Cut):
                self._cut_at = command.position
            if not isinstance(command, UNRECORDED) and not self._is_dealing:
                self.acts.append(_act(command))
        return events

    def _try(self, commands: Iterable[c.Command]) -> tuple[list[Event], Table] | Refusal:
        events: list[Event] = []
        table = self.table
        for command in commands:
            done = step(self.rules, table, command)
            if isinstance(done, Refusal):
                return done
            events += done[0]
            table = done[1]
        return events, table

    def _accepted(self, *commands: c.Command) -> list[Event]:
        done = self.do(*commands)
        if isinstance(done, Refusal):
            raise RuntimeError(f"the dealer's own act was refused: {done.reason} {done.clauses}")
        return done

    @property
    def is_cut_due(self) -> bool:
        """Whether the cards wait to be cut before the dealer can go on."""
        return is_shuffle_due(self.table) and self.rules.shoe.cut_offered and not self.table.cut_made

    @property
    def cutter(self) -> str | None:
        """Whose turn it is to cut or to pass the cut on; none when it falls to staff."""
        return cutter(self.rules, self.table)

    @property
    def bank_offers(self) -> list[str]:
        """The seated players to whom the bank is offered, the next one first."""
        offered = candidates(self.rules, self.table)
        if offered is not None:
            return offered
        seated = [self.table.seats[box] for box in sorted(self.table.seats)]
        return [player for player in seated if player not in self.table.bank_declined] or seated

    def cut_in_the_middle(self) -> list[Event]:
        """Whoever is entitled cuts, halfway down."""
        return self._accepted(c.Cut(player=self.cutter, position=26 * self.rules.shoe.decks))

    @property
    def is_deal_unfinished(self) -> bool:
        """Whether the deal stopped for a cut and waits for another call of `deal`."""
        return self._is_dealing

    def deal(self) -> list[Event] | Refusal:
        """Deal on until a decision, the end of the round, or a cut that people must make first.

        A record's deal goes through such a cut, so a cut inside a deal is no act of its own.
        """
        refusal = refuse_deal(self.rules, self.table)
        if refusal and refusal.reason != "shuffle_due":
            return refusal
        if not self._is_dealing:
            self.acts.append({"do": "deal"})
            self._is_dealing = True
        events: list[Event] = []
        while True:
            if is_shuffle_due(self.table):
                is_mid_round = bool(self.table.queue)
                if self.is_cut_due and not is_mid_round:
                    return events
                events += self._reload(is_mid_round)
            count = cards_due(self.rules, self.table)
            cards = self.stacks[-1].cards[self._out : self._out + count]
            self._out += count
            events += self._accepted(c.Deal(cards=cards))
            if self.table.round.is_over or self.table.phase == "deciding":
                self._is_dealing = False
                return events

    def _reload(self, is_mid_round: bool) -> list[Event]:
        """A shuffled and cut stack into the shoe: all cards, or in the middle of a round those not in play."""
        events = self.cut_in_the_middle() if self.is_cut_due else []
        decks = self.rules.shoe.decks
        cards = self.shuffle(self._discards() if is_mid_round else DECK * decks)
        if self._cut_at is not None:
            at = self._cut_at * len(cards) // (52 * decks)
            cards = cards[at:] + cards[:at]
        stack = Stack(cards, max(0, len(cards) - self.rules.shoe.marker_from_back))
        self.stacks.append(stack)
        self._out, self._cut_at = 0, None
        marker = c.PlaceMarker(from_back=self.rules.shoe.marker_from_back)
        return events + self._accepted(marker, c.LoadShoe(cards=len(cards), cut_card=stack.cut_card))

    def _discards(self) -> tuple[Card, ...]:
        """With the shoe empty, every card that is not in a hand of this round lies in the rack."""
        round_ = self.table.round
        in_play = Counter(card for box, hand in round_.hands.items() if box not in round_.collected for card in hand)
        return tuple((composition(self.rules.shoe.decks) - in_play).elements())


def _act(command: c.Command) -> dict[str, object]:
    """The command as an act of a record, without the fields that say nothing."""
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(command)}
    return {key: value for key, value in msgspec.to_builtins(command).items() if value != defaults.get(key, ...)}
