"""The script of a table of real cards: its stacks and its acts, as a record tells them.

Corrections are in the faces. The dealer's own steps are told one by one only where something else happened between.
"""

from collections.abc import Iterable
from itertools import groupby

from casinowar.dealers.faces import DRAWN
from casinowar.engine import Event, Table
from casinowar.engine import commands as c
from casinowar.engine.decide.dealing import is_cut_card_first
from casinowar.engine.decide.draws import burn_draws
from casinowar.records.piles import Piles
from casinowar.records.replay import Told
from casinowar.records.write import Act, act_of, signature_of
from casinowar.rulebooks import Rulebook

UNWRITTEN = c.OpenTable | c.BuyIn | c.CorrectCard
"""What a record tells in its header and in its shoes."""


class Script:
    """`acts` are what was done, and `piles` the cards. A call that is followed by a card needs no act of its own.

    The cutting card has its place in the shoe, but where it comes first for a round and ends it, it is an act: the shoe
    would have it show before the call.
    """

    def __init__(self, rules: Rulebook) -> None:
        self.acts: list[Act] = []
        self.piles = Piles(rules)
        self._run: int | None = None
        self._is_called = False

    def note(self, rules: Rulebook, command: c.Command, events: list[Event], table: Table) -> None:
        """An accepted command, what came of it, and the table after it."""
        drawn = sum(isinstance(event, DRAWN) for event in events)
        self.piles.follow(events, table)
        if isinstance(command, UNWRITTEN):
            return
        if isinstance(command, c.ShowCutCard) and not is_cut_card_first(rules, table):
            self.piles.show_cut_card()
            return
        if isinstance(command, c.Deal):
            self._deal(drawn, signature_of(command))
        elif isinstance(command, c.InitialBurn):
            self._burn(drawn, signature_of(command), is_done=not burn_draws(rules, table))
        else:
            self._act(act_of(command), is_dealers=isinstance(command, c.Settle | c.EndRound))
        if self._run is not None and (table.phase == "deciding" or table.round.is_over):
            if not any("by" in act for act in self.acts[self._run :]):
                self.acts[self._run :] = [{"do": "deal"}]
            self._run = None

    def resume(self, acts: Iterable[Act], story: Iterable[Told]) -> None:
        """Go on after these acts, of which that story came. To a call at their end a card may still follow."""
        self.acts = list(acts)
        for _, told in groupby(story, key=lambda one: id(one.table)):
            events = list(told)
            self.piles.follow([one.event for one in events], events[-1].table)
        if self.acts and self.acts[-1] == {"do": "call"}:
            self.acts.pop()
            self._is_called = True

    def _deal(self, drawn: int, signed: Act) -> None:
        if not drawn:
            self._is_called = True
            return
        self._is_called = False
        last = self.acts[-1] if self._run is not None and len(self.acts) > self._run else {}
        if last.get("do") == "deal" and last.get("by") == signed.get("by"):
            last["cards"] = int(str(last["cards"])) + drawn
        else:
            self._act({"do": "deal", "cards": drawn, **signed}, is_dealers=True)

    def _burn(self, drawn: int, signed: Act, *, is_done: bool) -> None:
        """A burn of several cards is one act where nothing came between them."""
        last = self.acts[-1] if self.acts else {}
        if last.get("do") == "initial_burn" and "cards" in last and last.get("by") == signed.get("by"):
            last["cards"] = int(str(last["cards"])) + drawn
        else:
            self._act({"do": "initial_burn", "cards": drawn, **signed}, is_dealers=False)
        if is_done:
            del self.acts[-1]["cards"]

    def _act(self, act: Act, *, is_dealers: bool) -> None:
        if self._is_called:
            self.acts.append({"do": "call"})
            self._is_called = False
        if not is_dealers:
            self._run = None
        elif self._run is None:
            self._run = len(self.acts)
        self.acts.append(act)

    def written(self) -> list[Act]:
        """The acts so far, with a call that nothing has followed yet."""
        return [*self.acts, {"do": "call"}] if self._is_called else list(self.acts)
