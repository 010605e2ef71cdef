"""The limits that players set for themselves: a day's loss, a day's time at play, and breaks. Days are those of UTC."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from casinowar.engine import Refusal
from casinowar.engine import events as e
from casinowar.store import BreakTaken, CashedOut, PlayerLimitsSet, Recalled

DAY_MS = 24 * 3_600_000
MINUTE_MS = 60_000
HOUSE = "house"
"""The stream in which nobody plays."""

SYSTEM = "system"
"""Who acts where the store itself writes, which is nobody's play."""

DAYS_KEPT = 2
"""The day that counts, and one beside it: the clock may have been wrong, and be set right."""

CHIPS = "chips:"
"""How the accounts of players' chips begin."""

MOVED = frozenset((e.BoughtIn, CashedOut))
"""Chips that only change between purse and table."""

RESTRAINTS = frozenset((PlayerLimitsSet, BreakTaken))


class Today(msgspec.Struct):
    """One player's day: chips that have gone into the game and not come back, and the minutes in which they acted."""

    spent: int = 0
    minutes: set[int] = msgspec.field(default_factory=set)


class KeptLimits(msgspec.Struct, frozen=True):
    """The limits of all players and the days that count, as they are kept in a snapshot."""

    days: tuple[tuple[int, dict[str, Today]], ...]
    limits: dict[str, tuple[PlayerLimitsSet, ...]]
    breaks: dict[str, int]
    latest: int
    newest: int


class PlayerLimits:
    """The limits of all players. It reads every event of the log once, in order, and forgets old days.

    `at_war` gives what the wars that a player may yet be asked to fund would cost, at all tables. `read_to` is the
    position up to which the log was read at the start. `catch_up` reads what other servers have written since, before
    anything is decided for a player with limits.
    """

    read_to = 0
    catch_up: Callable[[], None] | None = None

    def __init__(self, now: Callable[[], int], at_war: Callable[[str], int]) -> None:
        self._now, self._at_war = now, at_war
        self._days: dict[int, dict[str, Today]] = {}
        self._limits: dict[str, list[PlayerLimitsSet]] = {}
        self._breaks: dict[str, int] = {}
        self._latest, self._newest = 0, 0
        self._act, self._act_day = (0, "", ""), 0

    @property
    def players(self) -> int:
        """How many players are counted, those of each day."""
        return sum(map(len, self._days.values()))

    def keep(self) -> KeptLimits:
        """All of it, for a snapshot."""
        days = ((day, {player: _copy(one) for player, one in today.items()}) for day, today in self._days.items())
        limits = {player: tuple(known) for player, known in self._limits.items()}
        return KeptLimits(tuple(days), limits, dict(self._breaks), self._latest, self._newest)

    def resume(self, kept: KeptLimits) -> None:
        """Take up what was kept."""
        self._days = dict(kept.days)
        self._limits = {player: list(known) for player, known in kept.limits.items()}
        self._breaks = dict(kept.breaks)
        self._latest, self._newest = kept.latest, kept.newest

    def note(self, one: Recalled) -> None:
        """Note the next event of the log. Those of one command count as one act."""
        kind, act = type(one.event), (one.at, one.actor, one.stream)
        if one.actor == SYSTEM:
            return
        if act != self._act:
            self._act, self._act_day = act, self._day_of(one.at)
            if one.stream != HOUSE:
                self._on(self._act_day, one.actor).minutes.add(one.at // MINUTE_MS)
        if one.postings and kind not in MOVED:
            for posting in one.postings:
                if posting.account.startswith(CHIPS):
                    player = posting.account.partition(":")[2].partition(":")[2]
                    self._on(self._act_day, player).spent -= posting.amount
        if kind in RESTRAINTS:
            self._restrain(one)

    def note_acts(self, latest: int, minutes: Mapping[str, Iterable[int]], spent: Iterable[tuple[str, int]]) -> None:
        """Note the events of several commands of one day at tables, of which the last was at `latest`.

        `minutes` are those in which each actor acted. What was bought in or cashed out is not among what was `spent`.
        """
        day = self._day_of(latest)
        for actor, counted in minutes.items():
            self._on(day, actor).minutes.update(counted)
        for player, amount in spent:
            self._on(day, player).spent += amount

    def _restrain(self, one: Recalled) -> None:
        match one.event:
            case PlayerLimitsSet() as event:
                self._limits[event.player] = [*self._standing(event.player, self._time(one.at)), event]
            case BreakTaken() as event:
                self._breaks[event.player] = max(event.until, self._breaks.get(event.player, 0))

    def _day_of(self, at: int) -> int:
        """The day to which an event counts: not one before the day that had begun when it was written."""
        day = at // DAY_MS
        self._latest = max(self._latest, at)
        if day > self._newest:
            self._newest = day
        return self._newest if self._newest - day <= 1 else day

    def _time(self, now: int | None = None) -> int:
        """The time, which only goes forward: a clock that is set back begins no day anew and undoes no limit.

        What lies more than a day ahead was never there: the clock was wrong then.
        """
        now = self._now() if now is None else now
        return self._latest if 0 <= self._latest - now <= DAY_MS else now

    def _day(self) -> int:
        return self._time() // DAY_MS

    def _on(self, day: int, player: str) -> Today:
        """The counts of a player for a day, to be counted on. Those of the last two days that were counted are kept."""
        if day not in self._days:
            self._days = dict([*self._days.items()][1 - DAYS_KEPT :]) | {day: {}}
        return self._days[day].setdefault(player, Today())

    def _at(self, player: str) -> Today:
        return self._days.get(self._day(), {}).get(player) or Today()

    def lost(self, player: str) -> int:
        """The chips that a player has lost today, wagers that still lie included."""
        return max(0, self._at(player).spent)

    def minutes(self, player: str) -> int:
        return len(self._at(player).minutes)

    def _standing(self, player: str, now: int) -> list[PlayerLimitsSet]:
        """The limit that counts at a moment and those set after it; older ones never count again."""
        known = self._limits.get(player, [])
        begun = [at for at, one in enumerate(known) if one.begins <= now]
        return known[begun[-1] :] if begun else known[-1:]

    def limits(self, player: str) -> tuple[int | None, int | None]:
        """The loss and the minutes that count now."""
        now = self._time()
        counting = [one for one in self._limits.get(player, []) if one.begins <= now]
        return (counting[-1].loss, counting[-1].minutes) if counting else (None, None)

    def coming(self, player: str) -> PlayerLimitsSet | None:
        """A looser limit that does not count yet."""
        newest = self._limits.get(player, [])[-1:]
        return newest[0] if newest and newest[0].begins > self._time() else None

    def break_until(self, player: str) -> int | None:
        """The end of a player's break, by the wall's clock: an event from a clock that was ahead
        ends nobody's break."""
        until = self._breaks.get(player, 0)
        return until if until > self._now() else None

    def are_set(self, player: str) -> bool:
        """Whether a player has ever set a limit or taken a break: nobody else is kept from play by the time."""
        return player in self._limits or player in self._breaks

    def refuse(self, player: str, risk: int) -> Refusal | None:
        """Why this player may not stake so much more now."""
        if self.catch_up is not None and self.are_set(player):
            self.catch_up()
        if self.break_until(player) is not None:
            return Refusal("away_from_play")
        loss, minutes = self.limits(player)
        if minutes is not None and self._is_time_up(player, minutes):
            return Refusal("time_limit")
        if loss is not None and risk > 0 and self._at(player).spent + self._at_war(player) + risk > loss:
            return Refusal("loss_limit")
        return None

    def is_over(self, player: str) -> bool:
        """Whether this player shall risk nothing more now, not even what is put down and can still be taken back."""
        loss, _ = self.limits(player)
        is_lost = loss is not None and self._at(player).spent + self._at_war(player) > loss
        return is_lost or self.refuse(player, 0) is not None

    def _is_time_up(self, player: str, minutes: int) -> bool:
        """Whether a player's minutes of the day are used up. A minute that has begun may be played to its end."""
        return len(self._at(player).minutes | {self._time() // MINUTE_MS}) > minutes

    def set_limits(self, player: str, loss: int | None, minutes: int | None) -> list[PlayerLimitsSet]:
        """The events of a change: what is stricter counts at once, what is looser a day later."""
        now = self._time()
        was_loss, was_minutes = self.limits(player)
        at_once = (_stricter(was_loss, loss), _stricter(was_minutes, minutes))
        events = [PlayerLimitsSet(player, *at_once, begins=now)]
        if at_once != (loss, minutes):
            events.append(PlayerLimitsSet(player, loss, minutes, begins=now + DAY_MS))
        return events


def _stricter(was: int | None, wanted: int | None) -> int | None:
    if was is None or wanted is None:
        return wanted if was is None else was
    return min(was, wanted)


def _copy(today: Today) -> Today:
    return Today(today.spent, set(today.minutes))
