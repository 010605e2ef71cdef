"""The table of an environment: the engine decides, and a shoe of its own is dealt from."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from casinowar.cards import DECK, Card
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import candidates
from casinowar.engine.decide.dealing import draws_due, is_burned_face_up
from casinowar.engine.decide.draw_order import is_mid_round, is_shuffle_due
from casinowar.engine.view.procedure import procedure
from casinowar.errors import Refused
from casinowar.rulebooks import Rulebook
from casinowar.words.refusals import reason_in_words

Commands = tuple[c.Command, ...]

CHIPS = 10**15
"""What every player buys in: an environment asks what an action is worth, and not who can pay for it."""

BANK_STAKE = 10**12
"""What a companion banks with, which is enough for every wager, and the most that anybody banks with."""

NO_FLOOR = "the house has it so where no floor is on hand"


class Kept(NamedTuple):
    """A table that comes again and again, with its events and what is drawn next; `key` is what leads to it."""

    key: object
    table: Table
    events: tuple[Event, ...]
    draws: tuple[e.Draw, ...]


class EngineTable:
    """A table that the engine rules on, with its players and the cards of its shoe.

    `seats` has each player's box. `companions` are players who are there to bank where players bank; they take the bank
    whenever it is offered to them, and others decline it. Only `left` cards are in the shoe at first, if that is given:
    any of the full stack, with the cutting card gone.
    """

    def __init__(
        self, rules: Rulebook, seats: Mapping[str, int], companions: Mapping[str, int] | None = None, left: int = 0
    ) -> None:
        self.rules = rules
        self.companions = dict(companions or {})
        self.boxes = {**seats, **self.companions}
        self.left = left
        self.events: list[Event] = []
        self.table = Table()
        self._cards: list[Card] = []
        self._undrawn = 0
        self._kept: dict[int, Kept] = {}
        self._burned: dict[tuple[int, Card | None], Kept] = {}
        self._draws: tuple[e.Draw, ...] | None = None
        self.start_over(Random(0))
        self._open()

    def start_over(self, chance: Random) -> None:
        """Begin anew with this chance, with the cards in their first order."""
        self.chance = chance
        self._cards = list(DECK) * self.rules.shoe.decks
        self._undrawn = len(self._cards)

    def _open(self) -> None:
        """Open the table: everybody is seated, a stack is in the shoe, and a companion banks if somebody must."""
        self.do(c.OpenTable())
        for player, box in self.boxes.items():
            self.do(c.BuyIn(player=player, amount=CHIPS), c.SeatPlayer(player=player, box=box))
        if self.left:
            self.do(c.ResumeTable(shoe_left=self.left, seats={box: player for player, box in self.boxes.items()}))
        else:
            self._load_shoe()
        if self.companions:
            self.offer_bank()
        self.opening = self.table

    def do(self, *commands: c.Command) -> None:
        """Do what nobody here may refuse."""
        if refusal := self.attempt(commands):
            raise Refused(refusal.reason, reason_in_words(refusal.reason), refusal.clauses)

    def begin_fresh(self) -> None:
        """Begin a round at the table as it was opened, with all its cards in the shoe again."""
        self.table = self.opening
        self.events = []
        self._undrawn = len(self._cards)
        if self.left:
            self._leave_some()

    def _leave_some(self) -> None:
        """Leave any `left` cards of the stack undrawn: they stand at its front."""
        cards, randrange = self._cards, self.chance.randrange
        for place in range(self.left):
            other = randrange(place, len(cards))
            cards[place], cards[other] = cards[other], cards[place]
        self._undrawn = self.left

    def undrawn(self) -> list[Card]:
        """The cards that are left in the shoe, in no order."""
        return self._cards[: self._undrawn]

    def begin_next(self) -> None:
        """Begin the next round with what is left in the shoe; a stack that is due comes first."""
        self.events = []
        self._load_shoe()
        if self.companions:
            self.offer_bank()

    def offer_bank(self) -> None:
        """Offer the bank in turn until a companion takes it; everybody else declines."""
        while self.rules.bank.by == "player" and self.table.bank is None:
            who = candidates(self.rules, self.table)[0]
            if who in self.companions:
                self.do(c.AcceptBank(player=who, box=self.boxes[who], stake=BANK_STAKE))
            else:
                self.do(c.DeclineBank(player=who))

    def attempt(self, commands: Commands) -> Refusal | None:
        """Do all of these commands, or none of them: then why the first that was refused was so."""
        table = self.table
        events: list[Event] = []
        for command in commands:
            done = step(self.rules, table, command)
            if isinstance(done, Refusal):
                return done
            events += done[0]
            table = done[1]
        self.table = table
        self.events += events
        self._draws = None
        return None

    def attempt_first(self, commands: Commands) -> Refusal | None:
        """Do as `attempt` does at the table as it was opened, and deal to the first card that somebody sees.

        The same commands always lead to the same table, which is kept. Cards that are burned unseen stay among the
        undrawn ones: nobody can tell one from a card that lies behind the marker.
        """
        kept = self._kept.get(id(commands))
        if kept is None:
            if refusal := self.attempt(commands):
                return refusal
            kept = self._kept[id(commands)] = self._burn_unseen(commands)
        self._take_up(kept)
        return None

    def _burn_unseen(self, key: object) -> "Kept":
        """Burn what comes face down before the first card that is seen, and give what has come of it all."""
        draws = draws_due(self.rules, self.table)
        while draws and not self._is_seen(draws[0]):
            unseen = next((at for at, draw in enumerate(draws) if self._is_seen(draw)), len(draws))
            self.do(c.Deal(cards=(None,) * unseen))
            draws = draws_due(self.rules, self.table)
        return Kept(key, self.table, tuple(self.events), draws)

    def _take_up(self, kept: "Kept") -> None:
        self.table, self._draws, self.events = kept.table, kept.draws, [*kept.events]

    def _burn_first(self) -> None:
        """Turn up the opening burn of a table that was kept, with the burns that its face asks for."""
        before, card = self.table, self._draw("opening")
        kept = self._burned.get((id(before), card))
        if kept is None:
            self.do(c.Deal(cards=(card,)))
            kept = self._burned[id(before), card] = self._burn_unseen(before)
        self._take_up(kept)

    def _is_seen(self, draw: e.Draw) -> bool:
        """Whether the card of this draw is turned up."""
        return isinstance(draw, int) or is_burned_face_up(self.rules, draw)

    def refusal(self, commands: Commands) -> Refusal | None:
        """Why these commands would be refused; none where they would not be. Nothing is done."""
        table = self.table
        for command in commands:
            done = step(self.rules, table, command)
            if isinstance(done, Refusal):
                return done
            table = done[1]
        return None

    def deal(self) -> None:
        """Deal until somebody must decide, or the round is over."""
        rules = self.rules
        if self._draws and not isinstance(self._draws[0], int):
            self._burn_first()
        draws, self._draws = self._draws, None
        while self.table.phase != "deciding" and not self.table.round.is_over:
            if is_shuffle_due(self.table):
                self._load_shoe()
                continue
            drawn = [self._draw(draw) for draw in draws or draws_due(rules, self.table)]
            draws = None
            self.do(c.Deal(cards=tuple(drawn)))
            if self.table.incident is not None:
                self.do(c.Rule(action="shuffle_discards", reason=NO_FLOOR))
        if rules.shoe.shuffler == "continuous" and self.table.round.is_over:
            self._undrawn = len(self._cards)

    def _draw(self, draw: e.Draw) -> Card | None:
        """Any of the cards in the shoe; nobody sees the face of one that is burned face down."""
        cards, place = self._cards, self.chance.randrange(self._undrawn)
        self._undrawn = last = self._undrawn - 1
        card, cards[place] = cards[place], cards[last]
        cards[last] = card
        return card if self._is_seen(draw) else None

    def _load_shoe(self) -> None:
        """Go through the dealer's procedure with the cards, where they are due, until a stack is in the shoe."""
        while is_shuffle_due(self.table):
            command = procedure(self.rules, self.table)[0].command
            assert command is not None
            in_play = self._in_play() if isinstance(command, c.LoadShoe) else []
            self.do(command)
            if isinstance(command, c.LoadShoe):
                rest = list((Counter(self._cards) - Counter(in_play)).elements())
                self._cards, self._undrawn = rest + in_play, len(rest)

    def _in_play(self) -> list[Card]:
        """The cards on the layout, which a shuffle in the middle of a round leaves there."""
        round_ = self.table.round
        if not is_mid_round(self.table):
            return []
        return [card for box, hand in round_.hands.items() if box not in round_.collected for card in hand]
