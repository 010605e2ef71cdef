"""The automatic dealer: one table, its shoe, and what people did, in the order in which it can be replayed.

The engine knows every rule and no undealt card; the dealer here knows the cards and no rule.
"""

from collections.abc import Iterable
from copy import copy, deepcopy
from typing import Any

import msgspec

from casinowar.cards import DECK
from casinowar.dealers.real_table import RealTable
from casinowar.dealers.shoe import Shoe, Shuffle
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.bank import candidates
from casinowar.engine.decide.dealing import refuse_deal
from casinowar.engine.decide.draw_order import burn_draws, is_mid_round, is_shuffle_due
from casinowar.engine.decide.floor import rules_due
from casinowar.engine.decide.preparation import is_cut_due
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.roles import takes_words
from casinowar.engine.state import NO_LIMIT
from casinowar.engine.view.procedure import Step, procedure
from casinowar.errors import Refused
from casinowar.records import write
from casinowar.records.parse import Stack
from casinowar.records.write import Act, act_of
from casinowar.rulebooks import Rulebook
from casinowar.rulebooks.editions import without_edition
from casinowar.words.refusals import reason_in_words

UNRECORDED = (
    c.OpenTable
    | c.BuyIn
    | c.PlaceMarker
    | c.LoadShoe
    | c.InitialBurn
    | c.Deal
    | c.Settle
    | c.EndRound
    | c.InspectCards
    | c.VerifyCards
    | c.SpreadForInspection
    | c.Wash
    | c.Shuffle
    | c.SwapBatch
)
"""What a record's deal does by itself."""

NO_FLOOR = "the house has it so where no floor is on hand"
CUTS = (c.Cut, c.DeclineCut, c.OfferCut)


class Session:
    """A table with its dealer. Chance comes in as `shuffle`; everything else comes in as commands.

    `acts` are the accepted commands as a record tells them, `chips` is what each player bought in all, and `stacks` are
    the shoes loaded so far. `book` is the rulebook as the table was opened, and `rules` is what is played by now, which
    differs where the number of decks has changed. `meter` is where the progressive's meter stands at the start, without
    it at the seed.
    """

    def __init__(self, rules: Rulebook, shuffle: Shuffle, limit: c.Limit = NO_LIMIT, meter: int | None = None) -> None:
        if not callable(shuffle):
            raise TypeError(
                f"a shuffle is called with cards and gives them in another order: {shuffle!r} cannot be called"
            )
        self.book = rules
        self.rules = rules
        self.table = Table()
        self.limit = limit
        self.chips: dict[str, int] = {}
        self.opening_chips: dict[str, int] = {}
        self.acts: list[Act] = []
        self._shoe = Shoe(shuffle, rules)
        self._is_dealing = False
        opened = self.do(c.OpenTable(limit=limit, meter=meter))
        if isinstance(opened, Refusal):
            raise ValueError(f"the table cannot be opened: {opened.reason} ({', '.join(opened.clauses)})")
        self.opening = opened
        self.meter = self.table.meter

    def __copy__(self) -> "Session":
        """A table of its own that goes on from here with the same cards, if its shuffle can be copied.

        Practice shuffles can be copied and pickled; fresh ones of the operating system's entropy repeat for nobody.
        """
        twin = object.__new__(type(self))
        own = {
            "chips": dict(self.chips),
            "opening_chips": dict(self.opening_chips),
            "acts": deepcopy(self.acts),
            "opening": [*self.opening],
            "_shoe": copy(self._shoe),
        }
        vars(twin).update(vars(self) | own)
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> "Session":
        """A copy as `copy` makes it: the rest, such as rulebook, table and limits, never changes."""
        return copy(self)

    def buy_in(self, player: str, amount: int) -> list[Event] | Refusal:
        """Chips for money. What is bought before anything was done is an opening balance in a record, later an act."""
        bought = c.BuyIn(player=player, amount=amount)
        done = self.do(bought)
        if isinstance(done, Refusal):
            return done
        self.chips[player] = self.chips.get(player, 0) + amount
        if self.acts:
            self._add(act_of(bought))
        else:
            self.opening_chips[player] = self.chips[player]
        return done

    def preview(self, *commands: c.Command) -> list[Event] | Refusal:
        """What would come of these commands, one after the other, without doing them."""
        tried = self._try(commands)
        return tried if isinstance(tried, Refusal) else tried[0]

    def do(self, *commands: c.Command) -> list[Event] | Refusal:
        """Do all of these commands, or none of them if one is refused. The dealer shuffles before a cut."""
        tried = self._try(commands)
        if isinstance(tried, Refusal):
            return tried
        events, self.table = tried
        for command in commands:
            if isinstance(command, c.Cut):
                self._shoe.cut(command.position)
            self._record(command)
        self._shoe.follow(events)
        return events

    def must(self, *commands: c.Command) -> list[Event]:
        """Do all of these commands as `do` does, and raise `Refused` where `do` gives a refusal."""
        done = self.do(*commands)
        if isinstance(done, Refusal):
            takes = f": {takes_words(self.rules, done.takes)}" if done.takes else ""
            raise Refused(done.reason, f"{reason_in_words(done.reason)}{takes}", done.clauses)
        return done

    def _record(self, command: c.Command) -> None:
        """Record a command.

        While a deal waits for its cut, it goes before that deal, and the cut is part of the deal.
        """
        if isinstance(command, UNRECORDED) or (self._is_dealing and isinstance(command, CUTS)):
            return
        self._add(act_of(command))

    def _add(self, act: Act) -> None:
        self.acts.insert(len(self.acts) - 1 if self._is_dealing else len(self.acts), act)

    def _try(self, commands: Iterable[c.Command]) -> tuple[list[Event], Table] | Refusal:
        events: list[Event] = []
        table = self.table
        for command in commands:
            before = self._before_cut(table) if isinstance(command, CUTS) else []
            for one in (*before, command):
                done = step(self.rules, table, one)
                if isinstance(done, Refusal):
                    return done
                events += done[0]
                table = done[1]
        return events, table

    def _before_cut(self, table: Table) -> list[c.Command]:
        """What the dealer does with the cards before anybody can cut them."""
        steps = procedure(self.rules, table)
        acts = [one.act for one in steps]
        return [one.command for one in steps[: acts.index("cut")] if one.command] if "cut" in acts else []

    def _accepted(self, *commands: c.Command) -> list[Event]:
        done = self.do(*commands)
        if isinstance(done, Refusal):
            raise RuntimeError(f"the dealer's own act was refused: {done.reason} {done.clauses}")
        return done

    @property
    def is_cut_due(self) -> bool:
        """Whether the cards wait to be cut before the dealer can go on."""
        return is_cut_due(self.rules, self.table)

    @property
    def cutter(self) -> str | None:
        """Whose turn it is to cut or to pass the cut on; none when it falls to staff."""
        return cutter(self.rules, self.table)

    @property
    def bank_offers(self) -> list[str]:
        """The seated players to whom the bank is offered, the next one first."""
        return candidates(self.rules, self.table)

    def cut_in_the_middle(self) -> list[Event]:
        """Cut the cards halfway down, for whoever is entitled to cut."""
        return self._accepted(c.Cut(player=self.cutter, position=26 * self.rules.shoe.decks))

    @property
    def is_deal_unfinished(self) -> bool:
        """Whether the deal stopped for a cut and waits for another call of `deal`."""
        return self._is_dealing

    @property
    def stacks(self) -> list[Stack]:
        """The shoes loaded so far, in the order in which their cards leave them."""
        return self._shoe.stacks

    def prepare(self) -> list[Event]:
        """Shuffle, load and burn, as far as no wager is needed: up to a cut that people must make, or to the betting.

        A deal does all of this too, where nobody has asked for it before the wagers.
        """
        events: list[Event] = []
        while self._is_shoe_due:
            self._change_decks()
            following = procedure(self.rules, self.table)[0]
            if following.act == "cut":
                return events
            events += self._perform(following)
            if following.act == "load":
                self.acts.append({"do": "load_shoe"})
        if any(isinstance(event, e.CardBurned) for event in events):
            self.acts.append({"do": "initial_burn"})
        return events

    @property
    def _is_shoe_due(self) -> bool:
        """Whether cards must be shuffled or burned between rounds. A deal that has begun does that itself."""
        is_between = self.table.phase == "betting" and not self._is_dealing
        return is_between and (is_shuffle_due(self.table) or bool(burn_draws(self.rules, self.table)))

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
            self._change_decks()
            following = procedure(self.rules, self.table)[0]
            if following.act == "cut" and not is_mid_round(self.table):
                return events
            is_undone = isinstance(following.command, c.InitialBurn)
            events += self._accepted(c.Deal()) if is_undone else self._perform(following)
            if self.table.incident is not None:
                events += self._rule()
            if self.table.round.is_over or self.table.phase == "deciding":
                self._is_dealing = False
                return events

    def _rule(self) -> list[Event]:
        """Rule on a shoe that ran dry, where the book leaves it to somebody: no floor is here, so the house rules."""
        self._is_dealing = False
        ruled = self._accepted(c.Rule(action="shuffle_discards", reason=NO_FLOOR))
        self.acts.append({"do": "deal"})
        self._is_dealing = True
        return ruled

    def _change_decks(self) -> None:
        """Take up the decks of a notice that has stood long enough, from the next shuffle on."""
        if is_shuffle_due(self.table):
            self.rules = self._shoe.rules = rules_due(self.rules, self.table)

    def _perform(self, following: Step) -> list[Event]:
        """Perform a step of the procedure, with the next card of the shoe where it turns one."""
        command = following.command
        assert command is not None
        if isinstance(command, c.Deal | c.InitialBurn) and following.turns_card:
            command = msgspec.structs.replace(command, cards=(self._shoe.next_card(),))
        if isinstance(command, c.LoadShoe):
            self._shoe.load(DECK * self.rules.shoe.decks, self.table, command.cut_card)
        return self._accepted(command)


def record_of(session: Session | RealTable, rulebook: str | None = None) -> dict[str, Any]:
    """The record of a session, for `replay` to run again; a deal that still waits for a cut is left out.

    Of an automatic dealer it holds every face of every shoe, sealed burns too, so it is for a session that is over.
    Of a table of real cards it holds the faces that were turned, and no other. `rulebook` is how the record names a
    house rulebook, by its path or name; the five books go by their ids, and the edition stands beside it.
    """
    return write.record_of(
        session.book,
        session.stacks,
        session.acts[:-1] if isinstance(session, Session) and session.is_deal_unfinished else session.acts,
        name=without_edition(rulebook or ""),
        meter=session.meter,
        limits=write.limit_of(session.limit),
        players=session.opening_chips if isinstance(session, Session) else session.chips,
    )
