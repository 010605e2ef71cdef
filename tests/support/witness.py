"""A witness at the table: keeps its own account of chips and cards and holds the engine to it after every command."""

import random
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import chain

import msgspec

from casinowar.cards import Card, composition
from casinowar.engine import Event, Refusal, Table, decide, evolve, step
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.state import NOWHERE
from casinowar.rulebooks import Rulebook, load_clauses

FACE = re.compile(rb"\xa2([2-9TJQKA][cdhs])")
"""A card as MessagePack writes it: a text of two characters."""
RULINGS = (
    e.HandVoided,
    e.PlayerVoided,
    e.RoundVoided,
    e.RulingGiven,
    e.ContraventionReported,
    e.PlayerExcluded,
    e.ShuffleOrdered,
    e.SurrenderRuled,
)
"""Events that take something from somebody or change what comes next: they say who ruled, and why."""
KNOWN_CLAUSES = frozenset(load_clauses())
End = e.RoundEnded | e.RoundInvalidated | e.RoundVoided


@cache
def whole(decks: int) -> Counter[Card]:
    """So many decks, counted once. Do not change it."""
    return composition(decks)


def is_within(some: Mapping[Card | None, int], cards: Mapping[Card, int]) -> bool:
    """Whether the cards hold as many of each: what `<=` of two counters says, without a look at all the others."""
    return all(count <= cards.get(card, 0) for card, count in some.items() if card)


def faces_in(written: bytes) -> set[Card]:
    """Every card that stands somewhere in what was written as MessagePack."""
    return {Card(face.decode()) for face in set(FACE.findall(written))}


def sound(options: Mapping[str, object]) -> dict[str, object]:
    """Options that were drawn apart, less those that do not go with each other."""
    is_covered = options.get("bank.model") == "covered"
    return {key: value for key, value in options.items() if not (is_covered and key == "bank.after_exhaustion")}


class Witness:
    """`do` gives a command to the engine; whatever the engine says is checked against what the witness saw."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self.table = Table()
        self.written = msgspec.msgpack.encode(self.table)
        self.log: list[Event] = []
        self.bought: Counter[str] = Counter()
        self.stack: tuple[Card, ...] = ()
        self.out = 0
        self.cut: int | None = None
        self.carried: list[Card] = []
        self.shown: list[Card] = []
        self.named: set[Card] = set()
        self.hands: dict[int, tuple[Card, ...]] = {}
        self.reshuffled: set[int] = set()
        self.rack_start = 0
        self.before_round: tuple[int, dict[str, int]] = (0, {})
        self.before_bank: tuple[int, dict[str, int]] = (0, {})
        self.meter = 0
        self.meter_before = 0
        self.banker: str | None = None

    @property
    def left(self) -> tuple[Card, ...]:
        """The cards that are still in the shoe: the engine must not know them."""
        return self.stack[self.out :]

    def possible(self, stack: tuple[Card, ...]) -> tuple[Card, ...]:
        """The stack without the cards of which the decks hold no more beside those that lie on the layout."""
        room = composition(self.rules.shoe.decks)
        if not self.table.round.is_over:
            room -= Counter(card for box, hand in self.hands.items() for card in hand if box not in self.reshuffled)
        kept: list[Card] = []
        for card in stack:
            if room[card]:
                room[card] -= 1
                kept.append(card)
        return tuple(kept)

    def do(self, command: c.Command, stack: tuple[Card, ...] = ()) -> list[Event] | Refusal:
        """Give the command; a load brings its stack, which the engine does not see."""
        before = self.table
        answer = step(self.rules, before, command)
        decided = decide(self.rules, before, command)
        assert msgspec.msgpack.encode(before) == self.written, "a value of the past was changed in place"
        self._check_clauses(decided)
        if isinstance(answer, Refusal):
            assert decided == answer, "decide and step refuse for different reasons"
            return answer
        events, self.table = answer
        self.written = msgspec.msgpack.encode(self.table)
        assert decided == events, "decide and step tell different stories"
        assert events, "a command that is not refused leaves a trace"
        self.log += events
        folded = before
        for event in events:
            self._see(event, folded, stack)
            folded = evolve(folded, event)
        assert folded == self.table, "folding the events does not give the live table"
        self._check_signatures(events, command)
        self._check_leaks(events, command)
        self.check()
        return events

    def _check_signatures(self, events: list[Event], command: c.Command) -> None:
        """Whoever ruled is named with the reason, and nobody else is named for what a person has signed."""
        for event in events:
            if isinstance(event, RULINGS):
                assert event.by, f"{event} does not say who ruled"
                assert event.reason, f"{event} does not say why"
            if isinstance(event, e.RoundInvalidated):
                assert event.by
                assert event.cause
            by = None if _is_noted_by_engine(event) else getattr(event, "by", None)
            if command.by is not None and by is not None:
                assert by == command.by, f"{event} names somebody else than {command.by}"
            if hasattr(event, "second") and hasattr(command, "second"):
                assert event.second == command.second or command.second is None

    def _check_clauses(self, decided: list[Event] | Refusal) -> None:
        told = [decided] if isinstance(decided, Refusal) else decided
        for clause in chain.from_iterable(one.clauses for one in told):
            assert clause in KNOWN_CLAUSES
            assert clause.startswith(self.rules.id.upper() + "-"), f"{clause} is of another book"

    def _see(self, event: Event, before: Table, stack: tuple[Card, ...]) -> None:
        match event:
            case e.BoughtIn():
                self.bought[event.player] += event.amount
                for _, players in (self.before_round, self.before_bank):
                    players[event.player] = players.get(event.player, 0) + event.amount
            case e.TableOpened():
                self.meter = event.meter
            case e.BankAccepted():
                self.before_bank = (before.house, dict(before.players))
            case e.WagerPlaced() if before.round.is_over:
                self.banker = None if before.bank is None else before.bank.player
                house, players = (before.house, before.players) if before.bank is None else self.before_bank
                self.before_round = (house, dict(players))
                self.meter_before = before.meter
                self.hands, self.reshuffled, self.rack_start = {}, set(), len(before.rack)
            case e.ShoeLoaded():
                self._see_load(event, before, stack)
            case e.TableResumed():
                self.stack, self.out, self.cut = stack, 0, event.cut_in
            case e.CutCardDrawn():
                assert self.cut == 0, "the cutting card was not next"
                self.cut = None
            case e.CutCardMissed():
                self.cut = None
            case e.CutCardReached():
                self.cut = 0
            case e.CardDealt() | e.CardBurned() | e.CardDiscarded() | e.CardPlacedAhead():
                self._see_card(event)
            case e.CardMoved() | e.CardCorrected() | e.RoundReconstructed() | e.CardsReturned():
                self._see_change(event)
            case e.DiscardsReturned():
                self._see_return(event)
            case e.CardHeld():
                assert event.card in (None, self.left[0])
                self.shown += [event.card] if event.card else []
            case e.RoundEnded() | e.RoundInvalidated() | e.RoundVoided():
                if not before.round.is_over:
                    self._rebuild_hands(before, event)
                self._see_end(event, evolve(before, event))
            case _:
                pass

    def _see_load(self, event: e.ShoeLoaded, before: Table, stack: tuple[Card, ...]) -> None:
        """Cards on the layout stay there in the middle of a round; those in the rack are among the shuffled."""
        assert event.cards == len(stack)
        self.stack, self.out, self.cut = stack, 0, event.cut_card
        self.reshuffled = set() if before.round.is_over else set(before.round.collected)
        on_layout = {} if before.round.is_over else self.hands
        self.carried = [card for box, hand in on_layout.items() if box not in self.reshuffled for card in hand]
        self.rack_start = 0
        self.shown = [card for hand in self.hands.values() for card in hand]

    def _see_card(self, event: e.CardDealt | e.CardBurned | e.CardDiscarded | e.CardPlacedAhead) -> None:
        assert self.cut != 0, "a card from behind the cutting card came out before it"
        card = self.left[0]
        self.out += 1
        self.cut = None if self.cut is None else self.cut - 1
        match event:
            case e.CardDealt() | e.CardPlacedAhead():
                assert event.card == card
                self.hands[event.box] = (*self.hands.get(event.box, ()), card)
            case e.CardDiscarded():
                assert event.card in (None, card)
            case e.CardBurned():
                is_turned = self.rules.shoe.initial_burn == "face_up_plus_value"
                is_face_up = is_turned and event.burn in ("opening", "midround")
                assert event.card == (card if is_face_up else None), "a sealed burn shows its face"
        if event.card is not None:
            self.shown.append(card)

    def _see_change(self, event: e.CardMoved | e.CardCorrected | e.RoundReconstructed | e.CardsReturned) -> None:
        """Cards that have left the shoe change their place or their face, and some are the shoe's next ones again."""
        match event:
            case e.CardMoved():
                assert self.hands[event.box][-1] == event.card
                self._take(event.box)
                if event.to != NOWHERE:
                    self.hands[event.to] = (*self.hands.get(event.to, ()), event.card)
            case e.CardCorrected():
                assert self.stack[self.out - 1] == event.was, "only the last card can be corrected"
                self.stack = (*self.stack[: self.out - 1], event.card, *self.stack[self.out :])
                if event.box != NOWHERE:
                    self._take(event.box)
                    self.hands[event.box] = (*self.hands.get(event.box, ()), event.card)
                self.shown.append(event.card)
            case e.RoundReconstructed():
                before, after = Counter(_faces(event.before)), Counter(_faces(event.hands))
                assert dict(event.before) == self.hands
                assert before == after + Counter(event.discards)
                self.hands = dict(event.hands)
            case e.CardsReturned():
                before, after = Counter(_faces(tuple(self.hands.items()))), Counter(_faces(event.hands))
                back = self.stack[self.out - event.cards : self.out]
                assert before - after <= Counter(back), "other cards go back than were dealt"
                assert after <= before
                assert (before - after).total() + event.burned == event.cards
                self.out -= event.cards
                self.cut = None if self.cut is None else self.cut + event.cards
                self.hands = dict(event.hands)

    def _take(self, box: int) -> None:
        self.hands[box] = self.hands[box][:-1]
        self.hands = {at: hand for at, hand in self.hands.items() if hand}

    def _see_return(self, event: e.DiscardsReturned) -> None:
        """Every card that was out is in the continuous shuffler again, at a depth that nobody knows."""
        assert event.cards == self.out + len(self.carried), "a card is lost on its way into the shuffler"
        cards = [*self.stack, *self.carried]
        random.Random(len(self.log)).shuffle(cards)
        self.stack, self.out, self.carried = tuple(cards), 0, []
        self.rack_start = 0

    def _rebuild_hands(self, before: Table, event: End) -> None:
        """Every hand can be rebuilt from the rack."""
        rebuilt: dict[int, tuple[Card, ...]] = {}
        for box, cards in evolve(before, event).rack[self.rack_start :]:
            faces = tuple(card for card in cards if card is not None)
            if box != NOWHERE and faces:
                rebuilt[box] = rebuilt.get(box, ()) + faces
        assert rebuilt == {box: hand for box, hand in self.hands.items() if box not in self.reshuffled}

    def _see_end(self, event: End, after: Table) -> None:
        """What the players won is what the house or the bank lost."""
        nets: Counter[str] = Counter()
        for (_, _, player), wager in after.round.wagers.items():
            assert wager.outcome is not None
            is_part_left = isinstance(event, e.RoundInvalidated) and self.rules.irreg.invalidate_scope == "open"
            assert wager.outcome == "void" or isinstance(event, e.RoundEnded) or is_part_left
            nets[player] += wager.paid + wager.returned - wager.amount
        if self.banker is not None:
            nets[self.banker] = -nets.total()
        house, players = self.before_round
        assert {player: after.players[player] - players[player] for player in players} == {
            player: nets[player] for player in players
        }
        assert after.house - house == -nets.total()
        assert after.escrow == 0
        assert after.bank is None
        self._check_meter(event, after)

    def _check_meter(self, event: End, after: Table) -> None:
        """The meter took its part of each wager of a round that stood, and whatever was on it has been paid out."""
        progressive = self.rules.progressive
        wagers = [w for (_, name, _), w in after.round.wagers.items() if name == "progressive" and w.outcome != "void"]
        hits = [item.amount for w in wagers for item in w.items if item.item == "meter"]
        self.meter = self.meter_before + sum(w.amount * progressive.increment_bp // 10_000 for w in wagers)
        if hits:
            assert hits == [self.meter] * len(hits) if progressive.hitters == "full_each" else sum(hits) == self.meter
            self.meter = progressive.seed
        assert after.meter == self.meter

    def _check_leaks(self, events: list[Event], command: c.Command) -> None:
        """No face in the events or in the table that people at the table have not seen."""
        told = faces_in(msgspec.msgpack.encode(events)) | faces_in(self.written)
        if not isinstance(command, c.Deal):
            self.named |= faces_in(msgspec.msgpack.encode(command))
        leaked = told.difference(self.shown, self.named)
        assert not leaked, f"{leaked} should be unknown"

    def check(self) -> None:
        table = self.table
        laid = [] if table.round.is_over else [w for w in table.round.wagers.values() if w.outcome is None]
        assert table.bought_in == self.bought.total()
        banked = table.bank.chips if table.bank else 0
        assert table.house + table.escrow + banked + sum(table.players.values()) == table.bought_in
        assert table.escrow == sum(wager.amount + wager.match for wager in laid)
        assert min(table.players.values(), default=0) >= 0
        assert all(wager.amount >= 0 for wager in table.round.wagers.values())
        assert table.shoe_left == len(self.left)
        assert table.cut_in == self.cut
        assert table.cut_in is None or 0 <= table.cut_in <= table.shoe_left
        assert table.held is None or (self.left and table.held == self.left[0]), "the card held is not the next one"
        self._check_bank()
        self._check_cards()

    def _check_bank(self) -> None:
        """The bank can pay what it says it can, and where a player banks the house has nothing."""
        bank = self.table.bank
        if self.rules.bank.by == "player":
            assert self.table.house == 0
        if bank is None:
            return
        assert 0 <= bank.left <= bank.chips
        assert (bank.left == bank.chips) if self.rules.bank.model == "revolving" else (bank.left <= bank.stake)

    def _check_cards(self) -> None:
        """Every card that left the shoe lies once, in the rack or on the layout."""
        round_ = self.table.round
        faces: Counter[Card | None] = Counter(chain.from_iterable(cards for _, cards in self.table.rack))
        if not round_.is_over:
            lying = (hand for box, hand in round_.hands.items() if box not in round_.collected)
            faces.update(chain.from_iterable(lying))
        assert faces.total() == self.out + len(self.carried)
        assert is_within(faces, Counter([*self.stack[: self.out], *self.carried]))
        assert is_within(faces, whole(self.rules.shoe.decks)), "more of a card than the decks hold"


def _is_noted_by_engine(event: Event) -> bool:
    """Whether no person signs it: the engine itself notes a shoe that runs dry, and cards that replace damaged ones."""
    is_dry_shoe = isinstance(event, e.IncidentReported) and event.incident == "short_shoe"
    return is_dry_shoe or isinstance(event, e.CardsReplaced)


def _faces(hands: tuple[tuple[int, tuple[Card, ...]], ...]) -> list[Card]:
    return [card for _, hand in hands for card in hand]
