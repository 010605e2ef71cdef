"""A table of real cards: a human dealer, faces entered as they are turned, burned cards unseen.

It uses the same engine as the automatic dealer. The cards lie in a real shoe: no face is known before its card is
turned, and the place of the cutting card is known when the dealer says that it shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy, deepcopy
from itertools import groupby

from msgspec.structs import replace

from casinowar.cards import Card
from casinowar.engine import Event, Refusal, Table, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.dealing import is_cut_card_first
from casinowar.engine.decide.floor import rules_due
from casinowar.engine.legal.amounts import least_wager, refuse_limits
from casinowar.engine.state import NO_LIMIT
from casinowar.engine.view.procedure import Step, procedure
from casinowar.records import Record, replay
from casinowar.records.parse import Stack
from casinowar.records.piles import Faces, Piles
from casinowar.records.write import Act, Script
from casinowar.rulebooks import Rulebook, clauses_in_case
from casinowar.words.phrases import limit_for_player

CARD = "card"
"""What a step waits for that turns a card which everybody sees."""

CHOICES = {
    "rule": "ruling_due",
    "verify": "verify_due",
    "cut": "cut_due",
    "offer_bank": "no_bank",
    "invite": "no_wager",
    "decide": "decision_open",
}
"""Why the dealer cannot take a step alone: somebody must choose first."""

TURNED = e.CardDealt | e.CardBurned | e.CardCorrected


def refuse_new(rules: Rulebook, command: c.Command) -> Refusal | None:
    """Refuse what no table takes any more, and records of before may hold: a name of blanks, impossible limits."""
    if isinstance(command, c.BuyIn) and str(command.player).isspace():
        return Refusal("name_taken")
    return refuse_limits(rules, command)


def require_possible(rules: Rulebook, limit: c.Limit) -> None:
    """Refuse to open a table at which no wager is possible."""
    is_upside_down = limit.maximum is not None and limit.maximum < limit.minimum
    if is_upside_down or least_wager(rules, limit) is None:
        raise ValueError(f"nobody could bet at these limits: {limit_for_player(limit)}")


class RealTable:
    """A table whose dealer takes the steps of the procedure and enters faces.

    `log` is every event in order; `chips` is what each player bought in all; `book` is the rulebook as the table was
    opened, and `rules` is what is played by now, which differs where the number of decks has changed.

    >>> import casinowar
    >>> from casinowar.dealers import RealTable
    >>> from casinowar.engine.commands import BuyIn
    >>> table = RealTable(casinowar.load_rulebook("nz"))
    >>> bought = table.do(BuyIn(player="ana", amount=10_000))
    >>> table.procedure[0].act
    'inspect'
    """

    def __init__(self, rules: Rulebook, limit: c.Limit = NO_LIMIT, meter: int | None = None) -> None:
        self.book = rules
        self.rules = rules
        self.table = Table()
        self.limit = limit
        self.log: list[Event] = []
        self.chips: dict[str, int] = {}
        self._script = Script()
        self._piles = Piles(rules)
        opened = self.do(c.OpenTable(limit=limit, meter=meter))
        if isinstance(opened, Refusal):
            raise ValueError(f"the table cannot be opened: {opened.reason} ({', '.join(opened.clauses)})")
        require_possible(rules, limit)
        self.meter = self.table.meter

    @classmethod
    def resumed(cls, record: Record, acts: list[Act]) -> RealTable:
        """The table as its own record left it, to go on from there; `acts` are the record's as they are written."""
        again = replay(record)
        if again.refusals:
            first = again.refusals[0]
            raise ValueError(f"acts[{first.act}] is refused: {first.reason}")
        real = cls(record.rulebook, meter=record.meter)
        real.limit = record.limit
        real.table, real.log = again.table, [told.event for told in again.story]
        real.chips = dict(record.players)
        real.rules = again.rules
        real._script = Script(acts)
        for _, told in groupby(again.story, key=lambda one: id(one.table)):
            events = list(told)
            real._piles.follow([one.event for one in events], events[-1].table)
        if record.limits or record.before or (real.stacks or [Stack((), None)]) != list(record.stacks):
            raise ValueError("it was not kept at a table of real cards")
        return real

    def __copy__(self) -> RealTable:
        """A table of its own that goes on from here; what happens at one does not happen at the other."""
        twin = object.__new__(type(self))
        own = {"log": [*self.log], "chips": dict(self.chips)}
        vars(twin).update(vars(self) | own | deepcopy({"_script": self._script, "_piles": self._piles}))
        return twin

    def __deepcopy__(self, memo: dict[int, object]) -> RealTable:
        return copy(self)

    def do(self, command: c.Command) -> list[Event] | Refusal:
        """Do a command of a player, the dealer or the floor. Impossible faces are refused, and nothing changes."""
        if isinstance(command, c.CorrectCard) and not self._is_card_last:
            return Refusal("no_card_to_correct")
        rules = self._rules_for(command)
        refusal = refuse_faces(rules, self.table, self._piles.out, self._piles.coming, command)
        if refusal:
            return refusal
        done = refuse_new(rules, command) or step(rules, self.table, command)
        if isinstance(done, Refusal):
            return done
        before, (events, self.table) = self.table, done
        self.rules = rules
        self.log += events
        if isinstance(command, c.BuyIn):
            self.chips[command.player] = self.chips.get(command.player, 0) + command.amount
        self._piles.follow(events, self.table)
        if isinstance(command, c.ShowCutCard) and not is_cut_card_first(rules, self.table):
            self._piles.show_cut_card()
        elif not isinstance(command, c.OpenTable | c.BuyIn):
            self._script.note(rules, command, before, self.table)
        return events

    @property
    def _is_card_last(self) -> bool:
        """Whether a face was the last thing entered, so that it can still be corrected."""
        last = self.log[-1] if self.log else None
        return isinstance(last, TURNED) and last.card is not None

    def _rules_for(self, command: c.Command) -> Rulebook:
        """The rules for a command: a stack of another number of decks brings the book for that number."""
        return rules_due(self.rules, self.table) if isinstance(command, c.LoadShoe) else self.rules

    @property
    def procedure(self) -> tuple[Step, ...]:
        """What the dealer does next, in order, as far as it is known."""
        return procedure(self.rules, self.table)

    @property
    def next_step(self) -> Step | None:
        """The next step of the procedure, or none once the table is closed."""
        return next(iter(self.procedure), None)

    @property
    def waits_for(self) -> str | None:
        """What the next step needs: a card's face, a player, the players, or whoever rules; none where nothing is."""
        following = self.next_step
        if following is None:
            return "nobody"
        is_seen = following.turns_card and not (self._known_face) and self._is_turned_up(following)
        return CARD if is_seen else following.waits_for

    @property
    def _known_face(self) -> Card | None:
        """The face of the next card, where it was seen before its time."""
        return next(iter(self._piles.coming), None)

    def _is_turned_up(self, following: Step) -> bool:
        """Whether the step turns its card up: a hand's card, or a burned one whose value says how many more to burn."""
        is_first = following.burn in ("opening", "midround")
        return following.act == "draw" or (is_first and self.rules.shoe.initial_burn == "face_up_plus_value")

    def enter(self, card: Card) -> list[Event] | Refusal:
        """Enter the face of the card that the next step turns."""
        following = self.next_step
        if following is None or not following.turns_card:
            return Refusal("too_many_cards")
        if not self._is_turned_up(following):
            return Refusal("burn_sealed", following.clauses)
        return self.do(turned(following, card))

    def step(self) -> list[Event] | Refusal:
        """Take the next step. It is refused where it waits for a face or a choice."""
        following = self.next_step
        if following is None:
            return Refusal("table_closed")
        if self.waits_for == CARD:
            return Refusal("card_unseen", following.clauses)
        if following.waits_for is not None:
            return Refusal(self._choice_due(following), following.clauses)
        return self.do(self._command(following))

    def _choice_due(self, following: Step) -> str:
        is_bank_due = self.rules.bank.by == "player" and self.table.bank is None
        return "no_bank" if following.act == "invite" and is_bank_due else CHOICES[following.act]

    def _command(self, following: Step) -> c.Command:
        command = following.command
        assert command is not None
        if following.turns_card:
            return turned(following, self._known_face)
        if isinstance(command, c.LoadShoe):
            decks = self._rules_for(command).shoe.decks
            return replace(command, cards=command.cards + 52 * (decks - self.rules.shoe.decks), cut_card=None)
        return command

    def go_on(self) -> list[Event] | Refusal:
        """Take steps until one waits for a face or a choice; a refusal where not even one could be taken.

        It also stops before a call, which ends the betting and is the dealer's own word.
        """
        events: list[Event] = []
        while True:
            done = self.step()
            if isinstance(done, Refusal):
                return events or done
            events += done
            following = self.next_step
            if following is not None and following.act == "call":
                return events

    @property
    def acts(self) -> list[Act]:
        """What was done, as a record tells it."""
        return list(self._script.acts)

    @property
    def stacks(self) -> list[Stack]:
        """The stacks so far, with the faces as corrected; what nobody has seen has none."""
        return self._piles.stacks()


def turned(following: Step, face: Card | None) -> c.Command:
    """The command of a step that turns a card, with the card's face."""
    assert isinstance(following.command, c.Deal | c.InitialBurn)
    return replace(following.command, cards=(face,))


def refuse_faces(rules: Rulebook, table: Table, out: Faces, coming: Faces, command: c.Command) -> Refusal | None:
    """Refuse impossible faces: the decks hold no more of one, or another card is known to be next.

    `out` are the cards that are not in the stack any more, the one just turned last.
    """
    if isinstance(command, c.CorrectCard):
        return _refuse_excess(rules, out[:-1], coming, (command.card,))
    faces = _faces_of(table, command)
    for face, known in zip(faces, coming, strict=False):
        if face is not None and known is not None and face != known:
            return Refusal("another_card_next", clauses_in_case(rules, "irreg.exposed_extra", "needed"))
    told = tuple(face if known is None else None for face, known in zip(faces, coming, strict=False))
    return _refuse_excess(rules, out, coming, (*told, *faces[len(coming) :]))


def _refuse_excess(rules: Rulebook, out: Faces, coming: Faces, faces: Faces) -> Refusal | None:
    known = Counter(_known((*out, *coming, *faces)))
    if any(known[face] > rules.shoe.decks for face in _known(faces)):
        return Refusal("card_exhausted", rules.clauses["shoe.decks"])
    return None


def _known(faces: Iterable[Card | None]) -> list[Card]:
    return [face for face in faces if face is not None]


def _faces_of(table: Table, command: c.Command) -> Faces:
    """The faces that a command tells of the next cards in the shoe."""
    match command:
        case c.Deal() | c.InitialBurn():
            return command.cards
        case c.ReportExtraDraw() | c.ReportFaceUpCard():
            return (command.card,)
        case c.ReportMissedOffer() if table.phase == "deciding":
            return command.faces
        case _:
            return ()
