"""A live table: its place in the store, who is there, its sealed shoe, and the one way in which anything changes.

Everything is decided and committed in one thread. Whatever is told to anybody has been committed before.
"""

import logging
from collections import deque
from collections.abc import Callable

import msgspec

from casinowar.dealers.real_table import TURNED
from casinowar.engine import Refusal, Table
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import burn_draws, is_shuffle_due
from casinowar.engine.view import Posted
from casinowar.engine.view.signs import layout, signs
from casinowar.fairness import ByteSource, ExportedShoe, ListedShoe
from casinowar.history.log_walk import ENDS
from casinowar.history.narrative import RoundLines
from casinowar.house.player_limits import PlayerLimits
from casinowar.house.seat_quota import SeatQuota
from casinowar.house.settings import HouseSettings, TableSettings, TimerName
from casinowar.house.shoes.keeper import Keeper, ShoeEnd, public_shoe
from casinowar.house.shoes.shoe_list import NONE_YET, Chain
from casinowar.house.signatures.pending_signatures import PendingSignatures
from casinowar.house.table.bot_strategies import BotPlayer
from casinowar.house.table.chips import PAID, price
from casinowar.house.table.draft import Draft
from casinowar.house.table.floor_calls import FloorCalls
from casinowar.house.table.seat_line import SeatLine
from casinowar.house.table.waits import Waits
from casinowar.protocol import ROUNDS_SHOWN, CardShown, Done, Refused, RoundLine, SealView
from casinowar.records.piles import Piles
from casinowar.rulebooks import Rulebook
from casinowar.store import (
    BookResolved,
    CashedOut,
    CommandReused,
    Imbalance,
    Overdrawn,
    Proposal,
    Recalled,
    Recorded,
    Store,
    StoreError,
    StreamStopped,
    rules_of,
    stand,
)
from casinowar.store import events as h
from casinowar.store.events import is_engines
from casinowar.words.refusals import refused

log = logging.getLogger(__name__)
NOTHING_SEALED = "Real cards are dealt by hand here, so that nothing is sealed and no shuffle can be proved."
GRACE_MS = 5_000
"""After a restart people have so long to connect again before the table goes on without them."""

DEALT = (e.CardDealt, e.CardBurned)
OnCommit = Callable[[str, list[Recalled]], None]
"""Called with the table's name and what was committed there; an empty list where only something passing has changed."""


class LiveTable:
    """One live table. `tick` is a monotonic clock in milliseconds; deadlines count on it and begin anew on a restart.

    `turn` is the version at which the stage of play last changed: whoever acted on an older one acted on another game.
    `earlier` are the shoes of earlier openings under its name, which its own go on from.
    """

    def __init__(
        self,
        store: Store,
        stream: str,
        settings: TableSettings,
        house: HouseSettings,
        restraint: PlayerLimits,
        quota: SeatQuota,
        tick: Callable[[], int],
        source: ByteSource,
        fund: Callable[[str, int], None],
        earlier: Chain = NONE_YET,
    ) -> None:
        self.store, self.stream, self.settings, self.earlier = store, stream, settings, earlier
        self.name = settings.name
        self.currency, self.minor_digits = house.currency, house.minor_digits
        self.restraint, self.quota, self.source, self.now, self.fund = restraint, quota, source, tick, fund
        self.present: set[str] = set()
        self.seen: dict[str, int] = {}
        self.started = tick()
        self.are_signs_steady = False
        self.unlisted: tuple[Rulebook, tuple[str, ...]] | None = None
        self.line = SeatLine()
        self.on_commit: OnCommit | None = None
        for one in self.reload():
            restraint.note(one)
        self._grace_until = self.started + (GRACE_MS if self.version else 0)

    def reload(self) -> list[Recalled]:
        """Read the table from the store, and nothing else; give the events from which it was made again."""
        self.table, self.version, self.turn = Table(), 0, 0
        self.line.forget_uses()
        self.keeper = Keeper(self.store.seed, self.stream, self.earlier)
        self.shoe_end = ShoeEnd()
        self.piles: Piles | None = None
        self.bots: dict[str, BotPlayer] = {}
        self.leaving: set[str] = set()
        self.pending, self.calls = PendingSignatures(), FloorCalls()
        self.burn_viewers: set[str] = set()
        self.ready: set[str] = set()
        self.rounds: deque[RoundLine] = deque(maxlen=ROUNDS_SHOWN)
        self._lines = RoundLines()
        self.is_paused = self.is_card_last = False
        self.invited = self.bots_have_bet = -1
        self.bots_decided = (-1, -1)
        self.waits = Waits(self.now)
        self.proofs: dict[int, CardShown] = {}
        self.posted: Posted | None = None
        self._posted_for: tuple[object, ...] = ()
        self._sealed: tuple[object, SealView] | None = None
        self._stage: tuple[object, ...] = ()
        self._command: c.Command | None = None
        self._events: list[e.Event] = []
        self._mark()
        recalled = list(self.store.read(self.stream))
        first = next((one.event for one in recalled if isinstance(one.event, BookResolved)), None)
        self.opened_with = "" if first is None else first.digest
        if first is not None:
            self._take_rules(rules_of(first))
        for one in recalled:
            if isinstance(one.event, BookResolved) and one.event is not first:
                self.rules = rules_of(one.event)
            self._fold(one)
        self._flush()
        if first is not None:
            self._post()
        self.keeper.recover((one.version, one.event) for one in recalled)
        self.stopped = self.store.stopped(self.stream) if recalled else None
        return recalled

    def _take_rules(self, rules: Rulebook) -> None:
        self.rules = rules
        if self.settings.dealer == "real":
            self.piles = Piles(rules)

    def _fold(self, one: Recalled) -> None:
        """Fold one recorded event into the table."""
        event = one.event
        self.shoe_end.follow(one)
        match event:
            case h.CommandTaken():
                self._flush()
                self._command = event.command
            case h.BotSeated():
                self.bots[event.player] = BotPlayer(event.player, event.box, event.strategy)  # type: ignore[arg-type]
            case h.BotDismissed():
                self.bots.pop(event.player, None)
            case h.LeavePlanned():
                self.leaving.add(event.player)
            case h.LeaveCancelled() | e.SeatVacated() | CashedOut():
                self.leaving.discard(event.player)
            case h.StaffActed() if event.act in ("pause", "resume"):
                self.is_paused = event.act == "pause"
                self.waits.clear()
            case h.SignatureClosed() if event.moves_chips and event.how != "overtaken":
                self.waits.clear()
            case e.BurnViewed():
                self.burn_viewers.add(event.player)
            case e.ShoeLoaded():
                self.burn_viewers.clear()
            case e.BettingOpened():
                self.invited = self.rounds_done
        for follower in (self.pending, self.calls):
            follower.note(one, self.now(), self.store.now())
        self.table = stand(self.table, event)
        self.line.follow(event, self.table, self.now())
        if is_engines(event):
            self._events.append(event)
            self.is_card_last = isinstance(event, TURNED) and event.card is not None
        line = self._lines.after(one, self.table)
        if line is not None:
            if self.rounds and self.rounds[-1].number == line.number:
                self.rounds.pop()
            self.rounds.append(line)
        self.version = one.version
        self._mark()

    def _flush(self) -> None:
        """Follow the piles at a table of real cards: its commands tell which faces are out."""
        if self.piles is not None and self._command is not None:
            self.piles.follow(self._events, self.table)
        self._command, self._events = None, []

    def _mark(self) -> None:
        """Note where a stage of play begins; a dealer's hand-made steps are stages of their own."""
        table = self.table
        stage: tuple[object, ...] = (table.phase, self.rounds_done, table.is_closed, table.incident is not None)
        if self.settings.dealer != "automatic" and table.phase == "dealing":
            settled = sum(laid.outcome is not None for laid in table.round.wagers.values())
            stage = (*stage, table.shoe_left, settled, len(table.queue))
        elif self.settings.dealer != "automatic":
            stage = (*stage, table.opening_burn, len(table.queue))
        if stage != self._stage:
            self._stage, self.turn = stage, self.version
            self.ready.clear()

    # The table as it stands.

    @property
    def rounds_done(self) -> int:
        round_ = self.table.round
        return round_.number if round_.is_over else round_.number - 1

    @property
    def is_sealed(self) -> bool:
        """Whether cards come from a sealed shoe and not from a real one."""
        return self.settings.dealer != "real"

    @property
    def is_ready(self) -> bool:
        """Whether the shoe is sealed, cut, loaded and its opening burn done, so that wagers can be taken."""
        return not self.is_sealed or (self.is_shoe_ready and not self.is_burn_due)

    @property
    def is_shoe_ready(self) -> bool:
        """Whether cards can leave the sealed shoe."""
        return self.keeper.stage == "dealing" and not self.is_played_out

    @property
    def is_played_out(self) -> bool:
        """Whether no round begins from the sealed shoe: a shuffle is due, or a shuffler has all cards back."""
        table, shoe = self.table, self.keeper.shoe
        assert shoe is not None
        is_back = shoe.header.kind == "continuous" and bool(shoe.dealt) and table.shoe_left == shoe.header.size
        return is_shuffle_due(table) or (is_back and table.round.is_over)

    @property
    def is_burn_due(self) -> bool:
        """Whether the automatic dealer burns before it takes wagers; a person's wagers wait for the person's word."""
        return self.settings.dealer == "automatic" and bool(burn_draws(self.rules, self.table))

    @property
    def humans(self) -> list[str]:
        return [player for player in dict.fromkeys(self.table.seats.values()) if player not in self.bots]

    def is_here(self, player: str) -> bool:
        """Whether somebody is waited for: connected, or not yet back after a restart."""
        return player in self.present or self.now() < self._grace_until

    @property
    def grace_left(self) -> int:
        """The milliseconds for which those who are not back after a restart are still waited for."""
        return max(0, self._grace_until - self.now())

    @property
    def are_all_ready(self) -> bool:
        """Whether nobody who sits here and is connected needs more time to bet."""
        there = {player for player in self.humans if player in self.present and player not in self.leaving}
        return bool(there) and there <= self.ready

    def box_of(self, player: str) -> int | None:
        return next((box for box, who in self.table.seats.items() if who == player), None)

    def timer(self, name: TimerName) -> int:
        """A timer of the settings in milliseconds."""
        seconds: float = getattr(self.settings.timers, name)
        return round(1000 * seconds)

    def is_in_play(self, account: str) -> bool:
        """Whether somebody sits here or has bet in the round that is played, or was the last."""
        table = self.table
        return account in table.seats.values() or any(who == account for _, _, who in table.round.wagers)

    def do_funded(self, draft: Draft, command: c.Command, reason: str = "") -> Refusal | None:
        """Do a command; chips that are missing for it are bought out of the player's purse, in the same transaction."""
        player = getattr(command, "player", None)
        if isinstance(command, PAID) and isinstance(player, str):
            short = price(self.rules, draft.table, command) - draft.table.players.get(player, 0)
            is_new = player not in draft.table.players
            is_there = short <= self.store.known_balance(f"purse:{player}")
            if is_new or (short > 0 and is_there):
                refusal = draft.do(c.BuyIn(player=player, amount=max(short, 0) if is_there else 0))
                if refusal:
                    return refusal
        return draft.do(command, reason)

    # How anything changes.

    def commit(self, draft: Draft, actor: str, id: str, body: bytes = b"") -> Done | Refused:
        """Write the draft and follow it. Where that fails, the table is as the store has it."""
        done = Done(id, self.name, self.version + len(draft.events))
        proposal = Proposal(
            stream=self.stream,
            expected=self.version,
            actor=actor,
            command=id,
            body=body,
            answer=msgspec.json.encode(done).decode(),
            events=tuple(draft.events),
            table=draft.table,
            seeds=tuple(draft.seeds),
        )
        try:
            self.store.commit(proposal)
        except Overdrawn:
            return refused(id, Refusal("insufficient_funds"))
        except CommandReused:
            return refused(id, Refusal("id_reused"))
        except (Imbalance, StreamStopped):
            self.reload()
            self.tell([])
            return refused(id, Refusal("table_stopped"))
        except StoreError as error:
            log.error("table %s: %s", self.name, error)
            self.reload()
            return refused(id, Refusal("not_written"))
        self._follow(draft)
        return done

    def _follow(self, draft: Draft) -> None:
        recalled = list(self.store.read(self.stream, self.version)) if draft.events else []
        if not self.version:
            self._take_rules(draft.rules)
        before = self.posted
        self.rules = draft.rules
        self.proofs = {}
        for one in recalled:
            shown = self.keeper.follow(one.version, one.event)
            if shown is not None:
                self.proofs[one.version] = shown
            self._fold(one)
            self.restraint.note(one)
        self._flush()
        self._post()
        self.are_signs_steady = self.posted is before
        self.waits.look_on(self._quiet_ms(draft.events))
        if recalled:
            self.tell(recalled)

    def _post(self) -> None:
        """Put up signs and layout as they are now, which every view shows; they stay while nothing in them changes."""
        table = self.table
        made_of = (self.rules, table.floor, table.limit, table.limits, table.meter)
        if self.posted is None or self._posted_for != made_of:
            posted = (signs(self.rules, table), layout(self.rules, table))
            self.posted = self.posted if self.posted == posted else posted
            self._posted_for = made_of

    @property
    def seal(self) -> SealView:
        """The sealed shoe as published so far, made again only where it has moved on."""
        shoe, stage = self.keeper.shoe, self.keeper.stage
        key = (shoe, stage, None if shoe is None else shoe.cut_made)
        if self._sealed is None or self._sealed[0] != key:
            self._sealed = (key, _seal_view(self.keeper) if self.is_sealed else NO_SEAL)
        return self._sealed[1]

    def _quiet_ms(self, events: list[Recorded]) -> int:
        """The milliseconds for which people look at what has happened before anything follows."""
        cards = sum(isinstance(event, DEALT) for event in events)
        is_over = any(isinstance(event, ENDS) for event in events)
        return cards * self.timer("card") + (self.timer("pause") if is_over else 0)

    def tell(self, recalled: list[Recalled]) -> None:
        """Tell everybody who looks on."""
        if self.on_commit is not None:
            self.on_commit(self.name, recalled)

    def shoes(self) -> tuple[ListedShoe, ...]:
        """The shoes under this table's name: every commitment and its fate."""
        return self.keeper.listed.lines

    def shoe(self, number: int) -> ExportedShoe | None:
        """The public part of a shoe now."""
        return public_shoe(self.keeper, self.store, number)


NO_SEAL = SealView("nothing_sealed", says=NOTHING_SEALED)


def _seal_view(keeper: Keeper) -> SealView:
    shoe = keeper.shoe
    if shoe is None:
        return SealView("none_yet")
    header = shoe.header
    return SealView(
        keeper.stage,
        header.shoe,
        header.size,
        shoe.commitment.hex(),
        None if shoe.root is None else shoe.root.hex(),
        None if shoe.seal_digest is None else shoe.seal_digest.hex(),
        header.cut_bounds,
        shoe.cut_made.position if shoe.cut_made else None,
    )
