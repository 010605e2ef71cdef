"""A live table: its place in the store, who is there, its sealed shoe, and the one way in which anything changes.

Everything is decided and committed in one thread. Whatever is told to anybody has been committed before.
"""

import logging
from collections.abc import Callable

import msgspec

from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide.draw_order import burn_draws, is_shuffle_due
from casinowar.engine.view import Posted
from casinowar.engine.view.signs import layout, signs
from casinowar.fairness import ByteSource, ExportedShoe, ListedShoe
from casinowar.history.log_walk import ENDS
from casinowar.house.player_limits import PlayerLimits
from casinowar.house.seat_quota import SeatQuota
from casinowar.house.settings import HouseSettings, TableSettings, TimerName
from casinowar.house.shoes.keeper import Keeper, public_shoe
from casinowar.house.shoes.shoe_list import NONE_YET, Chain
from casinowar.house.table.chips import PAID, price
from casinowar.house.table.draft import Draft
from casinowar.house.table.followed_table import FollowedTable
from casinowar.house.table.table_snapshots import read_table
from casinowar.house.table.waits import Waits
from casinowar.protocol import CardShown, Done, Refused, SealView
from casinowar.rulebooks import Rulebook
from casinowar.store import (
    CommandReused,
    Imbalance,
    LeaseLost,
    Overdrawn,
    Proposal,
    Recalled,
    Recorded,
    Store,
    StoreError,
    StreamStopped,
)
from casinowar.store import events as h
from casinowar.words.refusals import refused

log = logging.getLogger(__name__)
NOTHING_SEALED = "Real cards are dealt by hand here, so that nothing is sealed and no shuffle can be proved."
GRACE_MS = 5_000
"""After a restart people have so long to connect again before the table goes on without them."""

DEALT = (e.CardDealt, e.CardBurned)
OnCommit = Callable[[str, list[Recalled]], None]
"""Called with the table's name and what was committed there; an empty list where only something passing has changed."""


class LiveTable(FollowedTable):
    """One live table. `tick` is a monotonic clock in milliseconds: deadlines count on it, and anew after a restart."""

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
        super().__init__(stream, settings.dealer, earlier, tick, store.now)
        self.store, self.settings = store, settings
        self.name = settings.name
        self.currency, self.minor_digits = house.currency, house.minor_digits
        self.restraint, self.quota, self.source, self.fund = restraint, quota, source, fund
        self.present: set[str] = set()
        self.seen: dict[str, int] = {}
        self.started = tick()
        self.are_signs_steady = False
        self.unlisted: tuple[Rulebook, tuple[str, ...]] | None = None
        self.on_commit: OnCommit | None = None
        self.reload()
        self.is_in_grace = bool(self.version)
        self._grace_until = self.started + (GRACE_MS if self.version else 0)

    def reload(self) -> None:
        """Read the table from the store, and nothing else: from its newest snapshot, where there is a good one."""
        self.ready: set[str] = set()
        self.bots_have_bet = -1
        self.bots_decided = (-1, -1)
        self.waits = Waits(self.now)
        self.proofs: dict[int, CardShown] = {}
        self.posted: Posted | None = None
        self._posted_for: tuple[object, ...] = ()
        self._sealed: tuple[object, SealView] | None = None
        read_table(self, self.store)
        self.keeper = Keeper(self.store.seed, self.listed)
        self.keeper.recover(self.steps.keep())
        if self.version:
            self._post()
        self.stopped = self.store.stopped(self.stream) if self.version else None

    # The table as it stands.

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
        except LeaseLost:
            raise
        except StoreError as error:
            log.error("a table is out of order", extra={"table": self.name, "error": str(error)})
            self.reload()
            return refused(id, Refusal("not_written"))
        self._follow(draft)
        return done

    def _follow(self, draft: Draft) -> None:
        recalled = list(self.store.read(self.stream, self.version)) if draft.events else []
        before, turn = self.posted, self.turn
        self.proofs = {}
        for one in recalled:
            shown = self.keeper.follow(one.event)
            if shown is not None:
                self.proofs[one.version] = shown
            self.follow(one)
            self.restraint.note(one)
            if is_interruption(one.event):
                self.waits.clear()
        self.end_command(draft.table)
        if self.turn != turn:
            self.ready.clear()
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
        return self.listed.lines

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


def is_interruption(event: Recorded) -> bool:
    """Whether all waits of the table begin anew: it was paused or goes on, or chips need be kept no longer."""
    match event:
        case h.StaffActed():
            return event.act in ("pause", "resume")
        case h.SignatureClosed():
            return event.moves_chips and event.how != "overtaken"
        case _:
            return False
