"""Seats at a live table: who sits down and leaves, who waits for a seat, and which unused one is given up."""

from collections.abc import Callable, Iterator
from functools import partial

from casinowar.engine import Refusal
from casinowar.engine import commands as c
from casinowar.engine.decide.draw_order import is_mid_round
from casinowar.engine.roles import FLOOR
from casinowar.house.signatures import kept_chips
from casinowar.house.table.bot_strategies import seat_bots
from casinowar.house.table.draft import Draft
from casinowar.house.table.seat_line import TOLD_MS, Claim, Use
from casinowar.house.table.table import LiveTable
from casinowar.protocol import ClaimView, DismissBots, SeatBots
from casinowar.store import BotDismissed, CashedOut, LeaveCancelled, LeavePlanned, SeatGivenUp

MOST_CLAIMS = 20
"""So many wait at one table."""

MISSED_MS = 15_000
"""Whoever waits and is not connected keeps the place in the line for so long."""

NOTICE_MS = 30_000
"""So long before it is given up, whoever has an unused seat is told."""


def sit(live: LiveTable, draft: Draft, player: str, box: int) -> Refusal | None:
    """Have a player sit down, who need not have chips yet; who was about to leave stays."""
    if draft.table.is_closed:
        return Refusal("table_closed")
    refusal = live.restraint.refuse(player, 0) or refuse_seat(live, player)
    if refusal is None and player not in draft.table.players:
        refusal = draft.do(c.BuyIn(player=player, amount=0))
    if refusal:
        return refusal
    if player in live.leaving:
        draft.note(LeaveCancelled(player))
    if live.box_of(player) == box:
        return None
    return draft.do(c.SeatPlayer(player=player, box=box, by=f"player:{player}"))


def plan_to_leave(live: LiveTable, draft: Draft, player: str) -> Refusal | None:
    """Have a player leave at once, or as soon as nothing of theirs is in play."""
    if can_leave(live, player):
        if live.box_of(player) is None and not draft.table.players.get(player, 0):
            return Refusal("not_seated")
        leave(live, draft, player)
    else:
        draft.note(LeavePlanned(player))
    return None


def change_bots(
    live: LiveTable, draft: Draft, player: str, part: str, command: SeatBots | DismissBots
) -> Refusal | None:
    """Seat bots or dismiss them all: the floor's to do, and at a private table its owner's."""
    is_owner = part == "player" and live.settings.owner == player
    if not is_owner and part not in FLOOR:
        return Refusal("not_allowed")
    if isinstance(command, SeatBots):
        if command.strategy == "bank" and live.rules.bank.by != "player":
            return Refusal("not_in_the_book")
        return seat_bots(draft, {*live.bots, *live.leaving}, command.count, command.strategy, f"{part}:{player}")
    for name in live.bots:
        if can_leave(live, name):
            leave(live, draft, name)
        else:
            draft.note(LeavePlanned(name))
    return None


def leavers(live: LiveTable) -> list[str]:
    """The players who are to go: who asked or is excluded, who may be away too long, and all when the table closes."""
    if live.table.is_closed:
        return [player for player, chips in live.table.players.items() if chips]
    players, seated = live.table.players, set(live.table.seats.values())
    there = [player for player, chips in players.items() if chips or player in seated]
    away = [player for player in there if player not in live.bots and player not in live.present]
    going = dict.fromkeys([*live.leaving, *live.table.floor.excluded, *away])
    return [player for player in going if players.get(player) or player in seated]


def leaves_at(live: LiveTable, player: str) -> int:
    """The moment at which a player who is to go leaves."""
    if player in live.leaving or player in live.table.floor.excluded or live.table.is_closed:
        return live.now()
    return live.seen.get(player, live.started) + round(1000 * live.settings.timers.absent)


def can_leave(live: LiveTable, player: str) -> bool:
    """Whether nothing of a player is in play, and no void that waits would take of their chips.

    A bank is in play once somebody has bet against it, and as long as a void waits.
    """
    table = live.table
    if table.bank is not None and table.bank.player == player:
        return not table.has_wagers and kept_chips.standstill(live) is None
    if kept_chips.kept(live, player):
        return False
    return table.round.is_over or all(
        who != player or laid.outcome is not None for (_, _, who), laid in table.round.wagers.items()
    )


def leave(live: LiveTable, draft: Draft, player: str) -> None:
    """Free the player's seat and put all chips into the purse, those of a bank against which nobody has bet too."""
    if draft.table.bank is not None and draft.table.bank.player == player:
        draft.do(c.RelinquishBank(player=player))
    if player in draft.table.seats.values() and not draft.table.is_closed:
        draft.do(c.VacateSeat(player=player))
    chips = draft.table.players.get(player, 0)
    if chips:
        draft.note(CashedOut(player, chips))
    if player in live.bots:
        draft.note(BotDismissed(player, "house"))


def is_deserted(live: LiveTable) -> bool:
    """Whether nobody is at the table who could mind that it closes."""
    return not (live.humans or live.present or live.table.has_wagers or is_mid_round(live.table))


def wait(live: LiveTable, player: str) -> Refusal | None:
    """Let a player wait in the line for a seat. It is for who looks at the table; to ask again changes nothing."""
    if player in live.line.claims:
        return None
    if live.table.is_closed:
        return Refusal("table_closed")
    if live.box_of(player) is not None:
        return Refusal("seated_already")
    if player not in live.present:
        return Refusal("not_watching")
    if _free(live) > len(live.line.kept):
        return Refusal("seat_is_free")
    if len(live.line.claims) >= MOST_CLAIMS:
        return Refusal("too_many_wait")
    refusal = live.restraint.refuse(player, 0) or live.quota.refuse_seat(player, live.name)
    if refusal is None:
        live.line.claims[player] = Claim(live.now())
    return refusal


def stop_waiting(live: LiveTable, player: str) -> Refusal | None:
    return None if live.line.claims.pop(player, None) else Refusal("not_waiting")


def refuse_seat(live: LiveTable, player: str) -> Refusal | None:
    """Why a player may not take a seat now. Who sits here already may take another box."""
    if live.box_of(player) is not None:
        return None
    others = [one for one in live.line.kept if one != player]
    if others and _free(live) <= len(others):
        return Refusal("seat_is_kept")
    return live.quota.refuse_seat(player, live.name)


def _free(live: LiveTable) -> int:
    return live.rules.table.boxes - len(live.table.seats)


def _in_line(live: LiveTable) -> list[str]:
    """The players who wait and have not been offered a seat; who sits at another table comes after who does not."""
    waiting = {player: claim for player, claim in live.line.claims.items() if claim.kept_until is None}
    return sorted(waiting, key=lambda player: (live.quota.sits_elsewhere(player, live.name), waiting[player].since))


def settle(live: LiveTable) -> None:
    """Bring the line up to date, and tell everybody where it has changed."""
    is_open = _is_open(live)
    if not (is_open and live.line.was_open):
        _begin_anew(live)
    live.line.was_open = is_open
    if not (live.line.claims or live.line.waiting or live.line.wanted or _is_news(live)):
        return
    for player, claim in list(live.line.claims.items()):
        _look_after(live, player, claim)
    live.line.waiting = _in_line(live)
    while live.line.waiting and _free(live) > len(live.line.kept):
        live.line.claims[live.line.waiting.pop(0)].kept_until = live.now() + live.timer("offer")
    live.line.wanted = _unused(live) if is_open else []
    # Who was told once and has not played since is not told anew.
    known = {player: at for player, at in live.line.warned.items() if live.line.uses[player].at < at}
    live.line.warned = dict.fromkeys(live.line.wanted, live.now()) | known
    _tell(live)


def _is_open(live: LiveTable) -> bool:
    """Whether nothing keeps everybody from betting: no pause, no incident and no void that waits."""
    return not live.is_paused and live.table.incident is None and kept_chips.standstill(live) is None


def _begin_anew(live: LiveTable) -> None:
    """Count the use of seats anew: nobody could bet since the last look, so none of that time counts."""
    live.line.uses = {player: Use(use.round, live.now()) for player, use in live.line.uses.items()}


def _tell(live: LiveTable) -> None:
    if _is_news(live) and live.now() - live.line.told_at >= TOLD_MS:
        live.line.shown, live.line.told_at = live.line.summary, live.now()
        live.tell([])


def _is_news(live: LiveTable) -> bool:
    return live.line.shown != live.line.summary


def _look_after(live: LiveTable, player: str, claim: Claim) -> None:
    """Drop a claim from the line where an offer was not taken, or somebody has gone."""
    now = live.now()
    claim.missed = None if player in live.present else (now if claim.missed is None else claim.missed)
    is_gone = claim.missed is not None and now - claim.missed >= MISSED_MS
    is_late = claim.kept_until is not None and now >= claim.kept_until
    if is_gone or is_late or live.table.is_closed or live.box_of(player) is not None:
        del live.line.claims[player]


def _unused(live: LiveTable) -> list[str]:
    """The players whose seats are not used, as many as people wait for, the longest unused first."""
    if not live.line.waiting:
        return []
    unused = [player for player in live.humans if _is_unused(live, player)]
    return sorted(unused, key=lambda player: live.line.uses[player].at)[: len(live.line.waiting)]


def _is_unused(live: LiveTable, player: str) -> bool:
    """Whether a round has gone by without a wager, or half the time that a seat is kept without one."""
    use = live.line.uses.get(player)
    table = live.table
    is_in_round = table.has_wagers and any(who == player for _, _, who in table.round.wagers)
    if use is None or is_in_round or player in live.leaving or not can_leave(live, player):
        return False
    return _rounds(live, player) >= 1 or live.now() - _since(live, player) >= live.timer("idle") // 2


def _rounds(live: LiveTable, player: str) -> int:
    return max(0, live.rounds_done - live.line.uses[player].round)


def _since(live: LiveTable, player: str) -> int:
    """The moment from which a seat is unused. Where a person deals, time counts only while bets are taken."""
    at = live.line.uses[player].at
    if live.settings.dealer == "automatic":
        return at
    return max(at, live.waits.since("bets", (live.rounds_done, live.table.phase)))


def gives_up_at(live: LiveTable, player: str) -> int | None:
    """The moment when a wanted seat is given up: after so many rounds or so long, and after its player was told."""
    if player not in live.line.wanted:
        return None
    are_bets_taken = live.settings.dealer == "automatic" or live.table.phase == "betting"
    if not (are_bets_taken and _is_open(live)):
        return None
    most = live.settings.idle_rounds
    due = live.now() if most and _rounds(live, player) >= most else _since(live, player) + live.timer("idle")
    return max(due, live.line.warned[player] + min(NOTICE_MS, live.timer("idle") // 2))


def give_up(live: LiveTable, draft: Draft, player: str) -> None:
    idle = live.now() - live.line.uses[player].at
    draft.note(SeatGivenUp(player, _rounds(live, player), idle // 1000))
    leave(live, draft, player)


def dues(live: LiveTable) -> Iterator[tuple[int, Callable[[Draft], None]]]:
    """The seats to be given up, and the moments at which `settle` is to look again."""
    for player in live.line.wanted:
        at = gives_up_at(live, player)
        if at is not None and can_leave(live, player):
            yield at, partial(give_up, live, player=player)
    yield from ((at, _nothing) for at in _moments(live) if at > live.now())


def _moments(live: LiveTable) -> Iterator[int]:
    for claim in live.line.claims.values():
        if claim.kept_until is not None:
            yield claim.kept_until
        if claim.missed is not None:
            yield claim.missed + MISSED_MS
    if _is_news(live):
        yield live.line.told_at + TOLD_MS
    if live.line.waiting:
        half = live.timer("idle") // 2
        yield from (_since(live, one) + half for one in live.humans if one in live.line.uses)


def place(live: LiveTable, player: str) -> ClaimView | None:
    """The place of a player in the line."""
    claim = live.line.claims.get(player)
    if claim is None:
        return None
    if claim.kept_until is not None:
        return ClaimView(0, max(0, claim.kept_until - live.now()))
    return ClaimView(live.line.waiting.index(player) + 1 if player in live.line.waiting else len(live.line.claims))


def left(live: LiveTable, player: str) -> int | None:
    """The milliseconds for which a seat is still kept without a wager, where somebody waits for it."""
    at = gives_up_at(live, player)
    return None if at is None else max(0, at - live.now())


def _nothing(draft: Draft) -> None:
    """Do nothing: the look at the line itself was what was due."""
