"""What was done in a round, as a record tells it: acts, and the stacks with the faces that people have seen."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

import msgspec
from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import Event, Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draws import burn_draws
from casinowar.history.log_walk import Step
from casinowar.records.opening_state import plain
from casinowar.records.parse import Stack
from casinowar.rulebooks import Rulebook
from casinowar.store import CashedOut

Act = dict[str, object]

DRAWN = e.CardDealt | e.CardBurned | e.CardDiscarded | e.CardPlacedAhead
DEALERS = c.Deal | c.Settle | c.EndRound
"""What a record's `deal` does by itself, where nothing else happens between."""

SHOWN = {
    "report_extra_draw": "card",
    "report_face_up_card": "card",
    "report_missed_offer": "faces",
    "view_initial_burn": "card",
}
"""Faces that the record's shoe tells."""

UNSEEN = Card("xx")


def retell(steps: Sequence[Step]) -> list[Act]:
    """The steps as acts. A run of the dealer's own up to a decision or the round's end is one `deal`."""
    acts: list[Act] = []
    run: int | None = None
    decks = steps[0].rules.shoe.decks
    for step in steps:
        if step.rules.shoe.decks != decks and not isinstance(step.command, c.LoadShoe):
            acts.append({"do": "change_decks"})
            run = None
        changed = [event.decks for event in step.events if isinstance(event, e.DecksChanged)]
        decks = changed[0] if changed else step.rules.shoe.decks
        if isinstance(step.command, c.CorrectCard):
            continue
        is_dealers = isinstance(step.command, DEALERS) and step.command.by is None
        run = (len(acts) if run is None else run) if is_dealers else None
        _add(acts, _act(step), run)
        if run is not None and (step.table.phase == "deciding" or step.table.round.is_over):
            acts[run:] = [{"do": "deal"}]
            run = None
    return acts


def _add(acts: list[Act], act: Act, run: int | None) -> None:
    """Further cards of the same run, and further seconds, belong to the act before; a call belongs to its deal."""
    last = acts[-1] if acts and (run is None or len(acts) > run) else {}
    if run is not None and act["do"] == "deal" and "hold" not in act:
        if last == {"do": "call"}:
            acts.pop()
        elif last.get("do") == "deal" and "hold" not in last:
            last["cards"] = _count(last, "cards") + _count(act, "cards")
            return
    elif act["do"] == last.get("do") == "tick" and "by" not in act and "by" not in last:
        last["seconds"] = _count(last, "seconds") + _count(act, "seconds")
        return
    elif act["do"] == last.get("do") == "initial_burn" and "cards" in last and act.get("by") == last.get("by"):
        acts.pop()
        if "cards" in act:
            act["cards"] = _count(last, "cards") + _count(act, "cards")
    acts.append(act)


def _count(act: Act, field: str) -> int:
    count = act[field]
    assert isinstance(count, int)
    return count


def _act(step: Step) -> Act:
    """One step as an act, without the faces that the shoe tells and the fields that say nothing."""
    command = step.command
    match command:
        case CashedOut():
            return {"do": "cash_out", "player": command.player, "amount": command.amount}
        case c.Deal():
            return _deal(command, step.before)
        case c.InitialBurn():
            is_rest = not burn_draws(step.rules, step.table)
            return {"do": "initial_burn"} | ({} if is_rest else {"cards": len(command.cards)}) | _signed(command)
        case c.LoadShoe():
            is_continuous = step.rules.shoe.shuffler == "continuous"
            return {"do": "load_shoe"} | ({"cards": command.cards} if is_continuous else {}) | _signed(command)
        case c.ReportDamagedCard():
            command = replace(command, card=command.card or UNSEEN)
    name = str(command.__struct_config__.tag)
    defaults = {field.encode_name: field.default for field in msgspec.structs.fields(command)}
    fields: Act = msgspec.to_builtins(command)
    told = {key: value for key, value in fields.items() if value != defaults.get(key, ...)}
    return {key: plain(value) for key, value in told.items() if key != SHOWN.get(name)}


def _deal(command: c.Deal, before: Table) -> Act:
    """A step of the dealer's; where it only closes the betting it is a call."""
    drawn = len(command.cards)
    if drawn and command.hold:
        return {"do": "deal", "cards": drawn} | _signed(command)
    if not drawn and not command.hold and before.phase != "dealing":
        return {"do": "call"} | _signed(command)
    return {"do": "deal", "cards": drawn, "hold": command.hold} | _signed(command)


def _signed(command: c.Deal | c.InitialBurn | c.LoadShoe) -> Act:
    return {"by": command.by} if command.by else {}


class _Pile(msgspec.Struct, eq=False):
    """What has left one stack of `size` cards so far; the cutting card was put in after `cut_card` of them."""

    size: int
    cut_card: int | None
    cards: list[Card | None] = []


class Stacks:
    """The stacks of a record, from the events that tell which cards left the shoe.

    A burn that stayed sealed has no face here, whoever knew it. A continuous shuffler's cards are parted where one
    would come more often than its decks hold it.
    """

    def __init__(self, rules: Rulebook, table: Table) -> None:
        self._is_continuous = rules.shoe.shuffler == "continuous"
        self._decks = rules.shoe.decks
        self._coming: tuple[Card | None, ...] = () if table.held is None else (table.held,)
        self._piles = [self._pile(table.shoe_left, table.cut_in)] if table.batch else []

    def _pile(self, cards: int, cut_card: int | None) -> _Pile:
        return _Pile(0 if self._is_continuous else cards, cut_card)

    def follow(self, events: Iterable[Event]) -> None:
        """What came of one command. Cards of a missed offer that were drawn before are told by their return."""
        events = tuple(events)
        is_taken_back = any(isinstance(event, e.CardsReturned) for event in events)
        for event in events:
            if not (is_taken_back and isinstance(event, e.OfferMissed)):
                self._follow(event)

    def _follow(self, event: Event) -> None:
        match event:
            case e.ShoeLoaded():
                self._fill()
                self._piles.append(self._pile(event.cards, event.cut_card))
            case e.DecksChanged():
                self._decks = event.decks
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                self._draw(event.card or next(iter(self._coming), None))
                self._coming = self._coming[1:]
            case e.CardCorrected():
                self._undraw()
                self._draw(event.card)
            case e.CardHeld():
                self._coming = (event.card or next(iter(self._coming), None), *self._coming[1:])
            case e.OfferMissed():
                self._coming = tuple(told or known for told, known in zip_longest(event.cards, self._coming))
            case e.CardsReturned():
                self._coming = (*reversed([self._undraw() for _ in range(event.cards)]), *self._coming)

    def _fill(self) -> None:
        """What is left of the last stack: faces that were seen before their time, and cards nobody came to see."""
        if self._piles and not self._is_continuous:
            cards = self._piles[-1].cards
            cards += self._coming
            cards += [None] * (self._piles[-1].size - len(cards))
        self._coming = ()

    def _draw(self, face: Card | None) -> None:
        cards = self._piles[-1].cards
        is_full = len(cards) >= 52 * self._decks or (face is not None and cards.count(face) >= self._decks)
        if self._is_continuous and is_full:
            self._piles.append(_Pile(0, None))
        self._piles[-1].cards.append(face)

    def _undraw(self) -> Card | None:
        if not self._piles[-1].cards:
            self._piles.pop()
        return self._piles[-1].cards.pop()

    def written(self) -> list[Stack]:
        """Every stack in whole."""
        self._fill()
        return [Stack(tuple(pile.cards), pile.cut_card) for pile in self._piles]
