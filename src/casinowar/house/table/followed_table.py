"""A table as its log tells it: whatever follows from the events of its stream, and from nothing else."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, get_args

from casinowar.cards import Card
from casinowar.dealers.real_table import TURNED
from casinowar.engine import Event, Table
from casinowar.engine import events as e
from casinowar.history.log_walk import ENDS
from casinowar.history.narrative import RoundLines
from casinowar.history.round_spans import RoundSpans
from casinowar.house.shoes.keeper import ENDING, STEPS, ShoeEnd, ShoeSteps
from casinowar.house.shoes.shoe_list import LISTED, NONE_YET, Chain, ShoeList
from casinowar.house.signatures.pending_signatures import PendingSignatures
from casinowar.house.table.bot_strategies import BotPlayer
from casinowar.house.table.floor_calls import FloorCalls
from casinowar.house.table.seat_line import SeatLine
from casinowar.protocol import ROUNDS_SHOWN, RoundLine
from casinowar.records.piles import DRAWN, Piles
from casinowar.rulebooks import Rulebook
from casinowar.store import CashedOut, Recalled, rules_of, stand
from casinowar.store import events as h

OWN_KINDS = frozenset(h.OWN)
TURNED_KINDS = frozenset(get_args(TURNED))
OF_PEOPLE = frozenset(
    (
        *ENDS,
        e.PlayerSeated,
        e.SeatVacated,
        e.BankAccepted,
        e.BankReturned,
        e.BurnViewed,
        e.ShoeLoaded,
        e.BettingOpened,
    )
)
"""Events that say who uses their seats and sees the burn, or what a round came to."""

NOTED = (OF_PEOPLE | ENDING | LISTED | STEPS) - frozenset(get_args(DRAWN))
"""Events that change something else than the table and the place in its shoe."""


def no_clock() -> int:
    """The moment for whoever reads what has been, and waits for nothing."""
    return 0


class FollowedTable:
    """The table, its rules, its people and its shoes after each command of the log.

    `tick` is a monotonic clock and `wall` the wall's, both in milliseconds: by them the moments of the log become
    deadlines. `turn` is the version behind the command that last changed the stage of play: whoever acted on an older
    version acted on another game. `book` is the version of the event with its rules, `saved` that of the last snapshot.
    `earlier` are the shoes of earlier openings under the table's name, which its own go on from. `spans` are those of
    the rounds since the last page; `pages` are the versions of the pages, with so many `paged_shoes`.
    """

    rules: Rulebook

    def __init__(
        self,
        stream: str,
        dealer: str,
        earlier: Chain = NONE_YET,
        tick: Callable[[], int] = no_clock,
        wall: Callable[[], int] = no_clock,
    ) -> None:
        self.stream, self.dealer, self.earlier = stream, dealer, earlier
        self.now, self.wall = tick, wall
        self.line = SeatLine()
        self.begin()

    def begin(self) -> None:
        """Be the table before its first event."""
        self.table, self.version, self.turn, self.book, self.saved = Table(), 0, 0, 0, 0
        self.opened_with = ""
        self.line.forget_uses()
        self.listed = ShoeList(self.stream, self.earlier)
        self.shoe_end, self.steps = ShoeEnd(), ShoeSteps()
        self.piles: Piles | None = None
        self.bots: dict[str, BotPlayer] = {}
        self.leaving: set[str] = set()
        self.pending, self.calls = PendingSignatures(), FloorCalls()
        self.burn_viewers: set[str] = set()
        self.rounds: deque[RoundLine] = deque(maxlen=ROUNDS_SHOWN)
        self.lines = RoundLines()
        self.spans, self.paged_shoes = RoundSpans(), 0
        self.pages: tuple[int, ...] = ()
        self.is_paused = self.is_card_last = False
        self.invited = -1
        self._events: list[Recalled] = []
        self.be_at_stage()

    def follow(self, one: Recalled) -> None:
        """Follow the next event. What the engine's own events come to is known at the end of their command."""
        event = one.event
        kind = type(event)
        self.version = one.version
        self.follow_shoe(one)
        if kind in OWN_KINDS:
            self.end_command()
            self._note_own(one)
        else:
            self._events.append(one)

    def follow_shoe(self, one: Recalled) -> None:
        """Follow what an event says about the shoe."""
        event = one.event
        kind = type(event)
        if kind in ENDING:
            self.shoe_end.follow(one)
        if kind in LISTED:
            self.listed.follow(one.version, event)
        if kind in STEPS:
            self.steps.follow(event)

    def draw(self, faces: Sequence[Card | None]) -> None:
        """Follow cards that leave the shoe one after the other."""
        self.listed.draw(len(faces))
        self.steps.draw(faces)

    def end_command(self, table: Table | None = None) -> None:
        """Follow what the events of the last command came to: the table after them, if the caller knows it."""
        events, self._events = self._events, []
        if events:
            of_people = [one for one in events if type(one.event) in OF_PEOPLE]
            told: list[Any] = [one.event for one in events]
            self._end(events[-1].version, told, of_people, _fold(self.table, events) if table is None else table)

    def follow_command(self, version: int, events: Sequence[Event], noted: Sequence[Recalled], table: Table) -> None:
        """Follow all events of a command at once, of which the last is at `version`.

        The shoe has been told of them: `noted` are those of `NOTED`.
        """
        self.version = version
        self._end(version, events, noted, table)

    def _end(self, version: int, events: Sequence[Event], noted: Sequence[Recalled], table: Table) -> None:
        self.table = table
        for one in noted:
            if type(one.event) in OF_PEOPLE:
                self._note_people(one)
        last = events[-1]
        self.is_card_last = type(last) in TURNED_KINDS and last.card is not None  # type: ignore[union-attr]
        if self.piles is not None:
            self.piles.follow(events, table)
        before = self.stage
        self.be_at_stage()
        if self.stage != before:
            self.turn = version

    def _take_book(self, version: int, book: h.BookResolved) -> None:
        self.rules, self.book = rules_of(book), version
        if not self.opened_with:
            self.opened_with = book.digest
            self.begin_piles()

    def begin_piles(self) -> None:
        """Follow the piles where the cards are real ones."""
        if self.dealer == "real":
            self.piles = Piles(self.rules)

    def _note_own(self, one: Recalled) -> None:
        match one.event:
            case h.BookResolved() as event:
                self._take_book(one.version, event)
            case h.CommandTaken():
                return
            case h.BotSeated() as event:
                self.bots[event.player] = BotPlayer(event.player, event.box, event.strategy)  # type: ignore[arg-type]
            case h.BotDismissed() as event:
                self.bots.pop(event.player, None)
            case h.LeavePlanned() as event:
                self.leaving.add(event.player)
            case CashedOut() as event:
                self.leaving.discard(event.player)
                self.table = stand(self.table, event)
            case h.LeaveCancelled() as event:
                self.leaving.discard(event.player)
            case h.SeatGivenUp():
                self.line.follow(one.event, self.table, self.now())
            case h.StaffActed() as event if event.act in ("pause", "resume"):
                self.is_paused = event.act == "pause"
        for follower in (self.pending, self.calls):
            follower.note(one, self.now(), self.wall())

    def _note_people(self, one: Recalled) -> None:
        """Note who uses their seats and sees the burn, and what the round came to."""
        match one.event:
            case e.SeatVacated() as event:
                self.leaving.discard(event.player)
            case e.BurnViewed() as event:
                self.burn_viewers.add(event.player)
            case e.ShoeLoaded():
                self.burn_viewers.clear()
            case e.BettingOpened():
                self.invited = self.rounds_done
        self.line.follow(one.event, self.table, self.now())
        self.spans.follow(one)
        line = self.lines.after(one, self.table)
        if line is not None:
            if self.rounds and self.rounds[-1].number == line.number:
                self.rounds.pop()
            self.rounds.append(line)

    def be_at_stage(self) -> None:
        """Note the stage of play as the table is; a dealer's hand-made steps are stages of their own."""
        table, round_ = self.table, self.table.round
        done = round_.number if round_.is_over else round_.number - 1
        stage: tuple[object, ...] = (table.phase, done, table.is_closed, table.incident is not None)
        if self.dealer == "automatic":
            self.stage = stage
            return
        if table.phase == "dealing":
            settled = sum(laid.outcome is not None for laid in table.round.wagers.values())
            stage = (*stage, table.shoe_left, settled, len(table.queue))
        else:
            stage = (*stage, table.opening_burn, len(table.queue))
        self.stage = stage

    @property
    def rounds_done(self) -> int:
        round_ = self.table.round
        return round_.number if round_.is_over else round_.number - 1


def _fold(table: Table, events: list[Recalled]) -> Table:
    for one in events:
        table = stand(table, one.event)
    return table
