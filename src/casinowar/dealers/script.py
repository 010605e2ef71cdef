"""The script of a table of real cards: its stacks and its acts, as a record tells them.

Corrections are in the faces. The dealer's own steps are told one by one only where something else happened between.
"""

from collections.abc import Iterable
from itertools import groupby, zip_longest

import msgspec
from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.dealers.faces import DRAWN, Faces, in_hands
from casinowar.engine import Event, Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.dealing import is_cut_card_first
from casinowar.engine.decide.draws import burn_draws
from casinowar.records.parse import Stack
from casinowar.records.replay import Told
from casinowar.rulebooks import Rulebook

Act = dict[str, object]

UNWRITTEN = c.OpenTable | c.BuyIn | c.CorrectCard
"""What a record tells in its header and in its shoes."""

SHOWN = {
    "report_extra_draw": "card",
    "report_face_up_card": "card",
    "report_missed_offer": "faces",
    "view_initial_burn": "card",
}
"""Faces that the record's shoe tells."""

UNSEEN = Card("xx")
"""A face that nobody saw, where a record would otherwise presume the last one turned."""


class _Pile(msgspec.Struct, eq=False):
    """What has left one stack of `size` cards so far; the cutting card showed after `cut_card` of them."""

    size: int
    cards: list[Card | None] = []
    cut_card: int | None = None

    def stack(self, coming: Faces) -> Stack:
        cards = (*self.cards, *coming)
        return Stack((*cards, *(None,) * (self.size - len(cards))), self.cut_card)


class Script:
    """`acts` are what was done. A call that is followed by a card needs no act of its own.

    `coming` is what is known of the next cards: one drawn in error, or dealt before its time and taken back. `out` are
    the cards that have left the stack, with those that were in play when it was loaded; a continuous shuffler takes its
    discards back after each round.
    The cutting card has its place in the shoe, but where it comes first for a round and ends it, it is an act: the shoe
    would have it show before the call.
    """

    def __init__(self, decks: int, *, is_continuous: bool) -> None:
        self.acts: list[Act] = []
        self.coming: Faces = ()
        self.out: Faces = ()
        self._piles: list[_Pile] = []
        self._decks = decks
        self._is_continuous = is_continuous
        self._run: int | None = None
        self._is_called = False

    def note(self, rules: Rulebook, command: c.Command, events: list[Event], table: Table) -> None:
        """An accepted command, what came of it, and the table after it."""
        drawn = sum(isinstance(event, DRAWN) for event in events)
        self._follow_all(events, table)
        if isinstance(command, UNWRITTEN):
            return
        if isinstance(command, c.ShowCutCard) and not is_cut_card_first(rules, table):
            self._piles[-1].cut_card = len(self._piles[-1].cards)
            return
        if isinstance(command, c.Deal):
            self._deal(drawn, command.by)
        elif isinstance(command, c.InitialBurn):
            self._burn(drawn, command.by, is_done=not burn_draws(rules, table))
        else:
            self._act(_act(command), is_dealers=isinstance(command, c.Settle | c.EndRound))
        if self._run is not None and (table.phase == "deciding" or table.round.is_over):
            if not any("by" in act for act in self.acts[self._run :]):
                self.acts[self._run :] = [{"do": "deal"}]
            self._run = None

    def resume(self, acts: Iterable[Act], story: Iterable[Told]) -> None:
        """Go on after these acts, of which that story came. To a call at their end a card may still follow."""
        self.acts = list(acts)
        for _, told in groupby(story, key=lambda one: id(one.table)):
            events = list(told)
            self._follow_all([one.event for one in events], events[-1].table)
        if self.acts and self.acts[-1] == {"do": "call"}:
            self.acts.pop()
            self._is_called = True

    def _deal(self, drawn: int, by: str | None) -> None:
        signed: Act = {"by": by} if by else {}
        if not drawn:
            self._is_called = True
            return
        self._is_called = False
        last = self.acts[-1] if self._run is not None and len(self.acts) > self._run else {}
        if last.get("do") == "deal" and last.get("by") == by:
            last["cards"] = int(str(last["cards"])) + drawn
        else:
            self._act({"do": "deal", "cards": drawn, **signed}, is_dealers=True)

    def _burn(self, drawn: int, by: str | None, *, is_done: bool) -> None:
        """A burn of several cards is one act where nothing came between them."""
        signed: Act = {"by": by} if by else {}
        last = self.acts[-1] if self.acts else {}
        if last.get("do") == "initial_burn" and "cards" in last and last.get("by") == by:
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

    def _follow_all(self, events: Iterable[Event], table: Table) -> None:
        """What came of one command. Cards of a missed offer that were drawn before are told by their return."""
        events = list(events)
        is_taken_back = any(isinstance(event, e.CardsReturned) for event in events)
        for event in events:
            if not (is_taken_back and isinstance(event, e.OfferMissed)):
                self._follow(event, table)

    def _follow(self, event: Event, table: Table) -> None:
        match event:
            case e.ShoeLoaded():
                for face in self.coming if self._piles else ():
                    self._draw(face)
                self.coming = ()
                self.out = tuple(in_hands(table))
                self._piles.append(_Pile(0 if self._is_continuous else event.cards, cut_card=event.cut_card))
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                self._draw(event.card or next(iter(self.coming), None))
                self.coming = self.coming[1:]
            case e.CardCorrected():
                self._undraw()
                self._draw(event.card)
            case e.CardHeld():
                self.coming = (event.card or next(iter(self.coming), None), *self.coming[1:])
            case e.OfferMissed():
                self.coming = tuple(told or known for told, known in zip_longest(event.cards, self.coming))
            case e.DiscardsReturned():
                self.out = ()
            case e.CardsReturned():
                self.coming = (*reversed([self._undraw() for _ in range(event.cards)]), *self.coming)

    def _draw(self, face: Card | None) -> None:
        """A continuous shuffler's cards are parted where one would come too often for a stack."""
        cards = self._piles[-1].cards
        is_full = len(cards) >= 52 * self._decks or (face is not None and cards.count(face) >= self._decks)
        if self._is_continuous and is_full:
            self._piles.append(_Pile(0))
        self._piles[-1].cards.append(face)
        self.out = (*self.out, face)

    def _undraw(self) -> Card | None:
        if not self._piles[-1].cards:
            self._piles.pop()
        self.out = self.out[:-1]
        return self._piles[-1].cards.pop()

    def stacks(self) -> list[Stack]:
        """Every stack in whole: what nobody came to see of it has no face."""
        last = self._piles[-1:]
        return [pile.stack(self.coming if pile in last else ()) for pile in self._piles]


def _act(command: c.Command) -> Act:
    """The command as an act of a record, without the faces that the shoe tells and the fields that say nothing."""
    name = str(command.__struct_config__.tag)
    if isinstance(command, c.LoadShoe):
        return {"do": name, "by": command.by} if command.by else {"do": name}
    if isinstance(command, c.ReportDamagedCard):
        command = replace(command, card=command.card or UNSEEN)
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(command)}
    fields = {key: value for key, value in msgspec.to_builtins(command).items() if value != defaults.get(key, ...)}
    return {key: value for key, value in fields.items() if key != SHOWN.get(name)}
