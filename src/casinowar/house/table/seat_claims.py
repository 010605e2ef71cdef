"""Who waits for a seat at a full live table, to whom a free one is offered, and which unused one is given up for them.

Nothing of it outlives the process but the seats that were given up: after a restart people ask again.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from casinowar.engine import Refusal
from casinowar.engine import events as e
from casinowar.engine.state import Round
from casinowar.house.signatures import kept_chips
from casinowar.house.table import departures
from casinowar.house.table.draft import Draft
from casinowar.protocol.frames import ClaimView
from casinowar.store import Recorded, SeatGivenUp

if TYPE_CHECKING:
    from casinowar.house.table.table import LiveTable

MOST_CLAIMS = 20
"""So many wait at one table."""

MISSED_MS = 15_000
"""Whoever waits and is not connected keeps the place in the line for so long."""

NOTICE_MS = 30_000
"""So long before it is given up, whoever has an unused seat is told."""

TOLD_MS = 1_000
"""Everybody is told of the line no more often, so that nobody has them told all the time by coming and going."""


class Use(msgspec.Struct, frozen=True):
    """When a seat was last used: the round, and the moment of the monotonic clock."""

    round: int
    at: int


class Claim(msgspec.Struct):
    """Since when somebody waits, or is not there to wait, and how long a free seat is kept for them."""

    since: int
    missed: int | None = None
    kept_until: int | None = None


class SeatClaims:
    """The line at one table. `sits_elsewhere` and `refuse_more` are the house's: what other tables know."""

    def __init__(self, live: "LiveTable") -> None:
        self.live = live
        self.claims: dict[str, Claim] = {}
        self.sits_elsewhere: Callable[[str], bool] = lambda player: False
        self.refuse_more: Callable[[str], Refusal | None] = lambda player: None
        self._uses: dict[str, Use] = {}
        self._warned: dict[str, int] = {}
        self._wanted: list[str] = []
        self._line: list[str] = []
        self._was_open = True
        self._shown = self._seen_now()
        self._told_at = -TOLD_MS

    # What the table tells.

    def forget_uses(self) -> None:
        for known in (self._uses, self._warned, self._wanted):
            known.clear()

    def follow(self, event: Recorded) -> None:
        """After the table has been folded on."""
        table = self.live.table
        for player in _users(event, table.round):
            if player in table.seats.values():
                self._uses[player] = Use(table.round.number, self.live.now())
        if isinstance(event, e.PlayerSeated | SeatGivenUp):
            self.claims.pop(event.player, None)
        if isinstance(event, e.SeatVacated):
            self._forget(event.player)

    def _forget(self, player: str) -> None:
        self._uses.pop(player, None)
        self._warned.pop(player, None)
        self._wanted = [one for one in self._wanted if one != player]

    # What people ask.

    def wait(self, player: str) -> Refusal | None:
        """Get into the line. It is for who looks at the table; to ask again changes nothing."""
        live = self.live
        if player in self.claims:
            return None
        if live.table.is_closed:
            return Refusal("table_closed")
        if live.box_of(player) is not None:
            return Refusal("seated_already")
        if player not in live.present:
            return Refusal("not_watching")
        if self._free > len(self._kept):
            return Refusal("seat_is_free")
        if len(self.claims) >= MOST_CLAIMS:
            return Refusal("too_many_wait")
        refusal = live.restraint.refuse(player, 0) or self.refuse_more(player)
        if refusal is None:
            self.claims[player] = Claim(live.now())
        return refusal

    def leave(self, player: str) -> Refusal | None:
        return None if self.claims.pop(player, None) else Refusal("not_waiting")

    def refuse_seat(self, player: str) -> Refusal | None:
        """Why somebody without a seat may not take one now."""
        others = [one for one in self._kept if one != player]
        if others and self._free <= len(others):
            return Refusal("seat_is_kept")
        return self.refuse_more(player)

    # What follows.

    @property
    def _free(self) -> int:
        return self.live.rules.table.boxes - len(self.live.table.seats)

    @property
    def _kept(self) -> list[str]:
        return [player for player, claim in self.claims.items() if claim.kept_until is not None]

    def _in_line(self) -> list[str]:
        """Those who wait and have not been offered a seat; who sits at another table comes after who does not."""
        waiting = {player: claim for player, claim in self.claims.items() if claim.kept_until is None}
        return sorted(waiting, key=lambda player: (self.sits_elsewhere(player), waiting[player].since))

    def settle(self) -> None:
        """Have the line be as it is now, and everybody know where it has changed."""
        is_open = self._is_open
        if not (is_open and self._was_open):
            self._begin_anew()
        self._was_open = is_open
        if not (self.claims or self._line or self._wanted or self._is_news):
            return
        for player, claim in list(self.claims.items()):
            self._look_after(player, claim)
        self._line = self._in_line()
        while self._line and self._free > len(self._kept):
            self.claims[self._line.pop(0)].kept_until = self.live.now() + self.live.timer("offer")
        self._wanted = self._unused() if is_open else []
        # Who was told once and has not played since is not told anew.
        known = {player: at for player, at in self._warned.items() if self._uses[player].at < at}
        self._warned = dict.fromkeys(self._wanted, self.live.now()) | known
        self._tell()

    @property
    def _is_open(self) -> bool:
        """Whether nothing keeps everybody from betting: no pause, no incident and no void that waits."""
        live = self.live
        return not live.is_paused and live.table.incident is None and kept_chips.standstill(live) is None

    def _begin_anew(self) -> None:
        """Nobody could bet since the last look, so none of that time counts."""
        self._uses = {player: Use(use.round, self.live.now()) for player, use in self._uses.items()}

    def _tell(self) -> None:
        if self._is_news and self.live.now() - self._told_at >= TOLD_MS:
            self._shown, self._told_at = self._seen_now(), self.live.now()
            self.live.tell([])

    def _seen_now(self) -> list[str]:
        return [*self._kept, "", *self._wanted, "", *self._line]

    @property
    def _is_news(self) -> bool:
        return self._shown != self._seen_now()

    def _look_after(self, player: str, claim: Claim) -> None:
        """An offer that was not taken, and somebody who has gone, are no more in the line."""
        now = self.live.now()
        claim.missed = None if player in self.live.present else (now if claim.missed is None else claim.missed)
        is_gone = claim.missed is not None and now - claim.missed >= MISSED_MS
        is_late = claim.kept_until is not None and now >= claim.kept_until
        if is_gone or is_late or self.live.table.is_closed or self.live.box_of(player) is not None:
            del self.claims[player]

    def _unused(self) -> list[str]:
        """Of the seats that are not used, as many as people wait for, the longest unused first."""
        if not self._line:
            return []
        unused = [player for player in self.live.humans if self._is_unused(player)]
        return sorted(unused, key=lambda player: self._uses[player].at)[: len(self._line)]

    def _is_unused(self, player: str) -> bool:
        """Whether a round has gone by without a wager, or half the time that a seat is kept without one."""
        use = self._uses.get(player)
        table = self.live.table
        is_in_round = table.has_wagers and any(who == player for _, _, who in table.round.wagers)
        if use is None or is_in_round or player in self.live.leaving or not departures.can_leave(self.live, player):
            return False
        return self._rounds(player) >= 1 or self.live.now() - self._since(player) >= self.live.timer("idle") // 2

    def _rounds(self, player: str) -> int:
        return max(0, self.live.rounds_done - self._uses[player].round)

    def _since(self, player: str) -> int:
        """Where a person deals, time counts only while bets are taken."""
        at = self._uses[player].at
        if self.live.settings.dealer == "automatic":
            return at
        return max(at, self.live.since("bets", (self.live.rounds_done, self.live.table.phase)))

    def gives_up_at(self, player: str) -> int | None:
        """When a wanted seat is given up: after so many rounds or so long, and not before its player was told."""
        live = self.live
        if player not in self._wanted:
            return None
        are_bets_taken = live.settings.dealer == "automatic" or live.table.phase == "betting"
        if not (are_bets_taken and self._is_open):
            return None
        most = live.settings.idle_rounds
        due = live.now() if most and self._rounds(player) >= most else self._since(player) + live.timer("idle")
        return max(due, self._warned[player] + min(NOTICE_MS, live.timer("idle") // 2))

    def give_up(self, draft: Draft, player: str) -> None:
        idle = self.live.now() - self._uses[player].at
        draft.note(SeatGivenUp(player, self._rounds(player), idle // 1000))
        departures.leave(self.live, draft, player)

    def dues(self) -> Iterator[tuple[int, Callable[[Draft], None]]]:
        """Seats to be given up, and the moments at which `settle` is to look again."""
        for player in self._wanted:
            at = self.gives_up_at(player)
            if at is not None and departures.can_leave(self.live, player):
                yield at, partial(self.give_up, player=player)
        yield from ((at, _nothing) for at in self._moments() if at > self.live.now())

    def _moments(self) -> Iterator[int]:
        for claim in self.claims.values():
            if claim.kept_until is not None:
                yield claim.kept_until
            if claim.missed is not None:
                yield claim.missed + MISSED_MS
        if self._is_news:
            yield self._told_at + TOLD_MS
        if self._line:
            half = self.live.timer("idle") // 2
            yield from (self._since(one) + half for one in self.live.humans if one in self._uses)

    # What is seen.

    def place(self, player: str) -> ClaimView | None:
        """Where somebody stands in the line."""
        claim = self.claims.get(player)
        if claim is None:
            return None
        if claim.kept_until is not None:
            return ClaimView(0, max(0, claim.kept_until - self.live.now()))
        return ClaimView(self._line.index(player) + 1 if player in self._line else len(self.claims))

    def left(self, player: str) -> int | None:
        """How long a seat is still kept without a wager, where somebody waits for it."""
        at = self.gives_up_at(player)
        return None if at is None else max(0, at - self.live.now())


def _users(event: Recorded, round_: Round) -> list[str]:
    """Whose seat is used by this: who comes to it, takes the bank, or has played a round to its end.

    A wager that is taken back and a change of boxes are no use, so that nobody keeps a seat by them.
    """
    match event:
        case e.RoundEnded() | e.RoundVoided() | e.RoundInvalidated():
            return [player for player in (*(who for _, _, who in round_.wagers), round_.banker) if player]
        case e.PlayerSeated(player, _, ()) | e.BankAccepted(player):
            return [player]
        case _:
            return []


def _nothing(draft: Draft) -> None:
    """The look at the line itself was what was due."""
