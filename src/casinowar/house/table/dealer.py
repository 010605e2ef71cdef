"""The automatic dealer: what is due at a live table, when, and what is done about it."""

import logging
from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from casinowar.engine import commands as c
from casinowar.engine.decide.bank import candidates
from casinowar.engine.decide.betting import is_offered
from casinowar.engine.decide.dealing import refuse_deal
from casinowar.engine.decide.draw_order import is_mid_round, is_shuffle_due
from casinowar.engine.decide.floor import decks_due
from casinowar.engine.decide.incidents import SHORT_SHOE
from casinowar.engine.decide.shoe import cutter
from casinowar.engine.view.procedure import procedure
from casinowar.fairness import SealRefused
from casinowar.house.shoes import steps
from casinowar.house.signatures import kept_chips
from casinowar.house.table import seats
from casinowar.house.table.bots import bot_answers_bank, bots_bet, bots_decide, idle_bots
from casinowar.house.table.draft import Draft
from casinowar.house.table.floor_calls import DEALER_CALLS
from casinowar.house.table.next_step import burn, deal
from casinowar.house.table.table import LiveTable
from casinowar.protocol import Done
from casinowar.rulebooks.wagers import WAR_DEAL
from casinowar.store import FloorCallEnded

log = logging.getLogger(__name__)
MOST_STEPS = 64
"""So many dealer's acts in one go, before other tables have their turn."""

BOT_DELAY_MS = 600
"""A bot's choice is seen to be made."""

BANK_HELD_MS = 4_000
"""So long a bank that was just taken, or goes on, can be given up before the house's players bet against it."""

TICK_MS = 60_000
DESERTED_MS = 10 * 60_000
"""A private table that everybody has left closes after so long."""

LATE = "did not decide in time"
NOBODY_RULED = "the shoe ran dry, and nobody ruled in time"
HOUSE = "operator:house"
"""Who gives the word of the house where no person does."""

DESERTED = "too few are seated to play it"
CLOSE = c.CloseTable()
Do = Callable[[Draft], None]


class Due(msgspec.Struct, frozen=True):
    """An act that is due at a moment of the monotonic clock; `what` names it for those who wait."""

    what: str
    at: int
    do: Do


def advance(live: LiveTable, begin: Callable[[], None] = lambda: None) -> int | None:
    """Do whatever is due at the table; give the milliseconds until the next thing is due, or none.

    `begin` is called before anything is done.
    """
    for _ in range(MOST_STEPS):
        seats.settle(live)
        waiting = [due for due in dues(live) if live.waits.snoozed != (due.what, live.version)]
        now = live.now()  # After the list is made: what is due at once is due by then.
        ready = next((due for due in waiting if due.at <= now), None)
        if ready is None:
            return min((due.at - now for due in waiting), default=None)
        begin()
        _run(live, ready)
    return 0


def _run(live: LiveTable, due: Due) -> None:
    """Do an act that is due. One that cannot be done is left alone until something else has happened."""
    draft, was = Draft(live.rules, live.table), live.keeper.stage
    try:
        due.do(draft)
    except (RuntimeError, SealRefused) as error:
        log.error("an act of the dealer failed", extra={"table": live.name, "act": due.what, "error": str(error)})
        draft = Draft(live.rules, live.table)
    if draft.events:
        answer = live.commit(draft, "house", f"{live.stream}.{live.version + 1}")
        if isinstance(answer, Done):
            return
        log.error("an act of the dealer was refused", extra={"table": live.name, "act": due.what, "error": answer.says})
    elif live.keeper.stage != was:
        live.tell([])
        return
    live.waits.snoozed = (due.what, live.version)


def dues(live: LiveTable) -> Iterator[Due]:
    """The acts that are due or will be at a table."""
    if live.stopped is not None:
        return
    yield from _leaving(live)
    yield from _bank_given_back(live)
    yield from (Due("signature", at, do) for at, do in kept_chips.lapses(live))
    table = live.table
    if live.keeper.shoe is not None and _is_spent(live):
        yield Due("opening", live.now(), lambda draft: steps.open_shoe(live, draft))
        return
    if table.is_closed or live.is_paused:
        return
    yield from _ticking(live)
    yield from _deserted(live)
    yield from _call_over(live)
    main = dealers_act(live)
    if main is not None:
        yield main


def _is_spent(live: LiveTable) -> bool:
    """Whether the sealed shoe is to be opened: it is played out, the table is closed, or it has the wrong cards."""
    if live.table.is_closed:
        return True
    if live.keeper.stage == "dealing":
        return live.is_played_out
    return decks_due(live.rules, live.table) != live.rules.shoe.decks or _is_shuffled_again(live)


def _is_shuffled_again(live: LiveTable) -> bool:
    """Whether somebody has undone what was done with the cards before their cut."""
    is_open = live.keeper.stage == "cutting" and live.table.incident is None
    return is_open and procedure(live.rules, live.table)[0].act != "cut"


def _leaving(live: LiveTable) -> Iterator[Due]:
    """The leaving of players who asked to, are excluded or away too long, as soon as nothing of theirs is in play.

    So does whoever has not used a seat for which somebody waits.
    """
    for player in seats.leavers(live):
        if seats.can_leave(live, player):
            leaves = partial(seats.leave, live, player=player)
            yield Due("leaving", seats.leaves_at(live, player), leaves)
    for at, do in seats.dues(live):
        yield Due("seat", at, do)


def _ticking(live: LiveTable) -> Iterator[Due]:
    """The tick of the clock: time enters the game only while a notice stands."""
    floor = live.table.floor
    notices = (floor.limits_notice, floor.decks_notice, floor.closing_notice)
    if any(notice is not None for notice in notices):
        since = live.waits.since("notice", live.table.floor.clock)
        yield Due("notice", since + TICK_MS, lambda draft: draft.must(c.Tick(seconds=TICK_MS // 1000)))


def _call_over(live: LiveTable) -> Iterator[Due]:
    """The end of the automatic dealer's call for the floor, once what it was for is ruled on."""
    call = live.calls.open
    if call is not None and call.by == DEALER_CALLS and live.table.incident is None:
        yield Due("call", live.now(), lambda draft: draft.note(FloorCallEnded(DEALER_CALLS)))


def _deserted(live: LiveTable) -> Iterator[Due]:
    if live.settings.owner is None or not seats.is_deserted(live) or kept_chips.standstill(live) is not None:
        live.waits.stop("deserted")
        return
    since = live.waits.since("deserted", True)
    yield Due("deserted", since + DESERTED_MS, lambda draft: _close(live, draft))


def _bank_given_back(live: LiveTable) -> Iterator[Due]:
    """The return of a bank against which nobody bets: it does not outlast a break or a limit of its holder.

    While a void waits it stays, as whoever holds it does.
    """
    bank = live.table.bank
    if bank is None or live.table.has_wagers or kept_chips.standstill(live) is not None:
        return
    if live.restraint.is_over(bank.player):
        given = c.RelinquishBank(player=bank.player)
        yield Due("bank", live.now(), lambda draft: draft.must(given, "takes no part for now"))


def _close(live: LiveTable, draft: Draft) -> None:
    for bot in live.bots.values():
        seats.leave(live, draft, bot.name)
    draft.do(CLOSE, "everybody has left")


def awaited(live: LiveTable) -> Due | None:
    """The dealer's act that people see coming, with its moment."""
    if live.stopped is not None or live.is_paused or live.table.is_closed:
        return None
    return dealers_act(live)


def dealers_act(live: LiveTable) -> Due | None:
    """The one act that the table waits for, where no person need act for it."""
    table = live.table
    if kept_chips.standstill(live) is not None:
        return None
    if table.incident is not None:
        return _ruling(live)
    if live.settings.dealer == "real" and table.phase != "deciding" and is_shuffle_due(table):
        return _bots_pass_cut(live)
    if live.is_shoe_ready and live.is_burn_due:
        is_awaited = live.humans or table.has_wagers
        return Due("burn", live.now(), lambda draft: burn(live, draft)) if is_awaited else None
    if not live.is_ready:
        return _making(live) if live.humans or is_mid_round(table) or table.has_wagers else None
    if table.phase == "deciding":
        return _deciding(live)
    if table.phase == "betting":
        return _betting(live)
    if live.settings.dealer != "automatic":
        return None
    at = live.now()
    if table.phase == "war_betting" and _is_war_bet_awaited(live):
        at = max(live.waits.since("war_betting", live.rounds_done) + live.timer("war_betting"), live.waits.quiet_until)
    return Due("war_betting" if table.phase == "war_betting" else "deal", at, lambda draft: deal(live, draft))


def _ruling(live: LiveTable) -> Due | None:
    """The ruling where the shoe ran dry: the floor has its time to rule; then the house has the discards shuffled."""
    incident = live.table.incident
    if incident is None or incident.kind != SHORT_SHOE or live.settings.dealer != "automatic":
        return None
    since = live.waits.since("ruling", (live.rounds_done, live.table.batch, len(live.table.queue)))
    rule = c.Rule(action="shuffle_discards", reason=NOBODY_RULED, by=HOUSE)
    return Due("ruling", since + live.timer("ruling"), lambda draft: draft.must(rule, NOBODY_RULED))


def _is_war_bet_awaited(live: LiveTable) -> bool:
    """Whether somebody who is no bot, and has not said to be ready, could still bet on the war's deal."""
    is_any = any(is_offered(live.rules, wager) for wager in WAR_DEAL)
    round_ = live.table.round
    there = {who for box, _, who in round_.wagers if box in round_.at_war}
    return is_any and bool(there - live.bots.keys() - live.ready)


def _making(live: LiveTable) -> Due:
    """The next step in making a sealed shoe: commit, promise, show, seal, cut."""
    now, keeper = live.now(), live.keeper
    window = live.waits.since(keeper.stage, len(keeper.listed)) + live.timer("entropy")
    there = {player for player in live.humans if live.is_here(player)}
    contributions = keeper.shoe.contributions if keeper.shoe else ()
    match keeper.stage:
        case "none_yet" | "dealing":
            return Due("shoe", now, lambda draft: steps.commit_shoe(live, draft))
        case "promising":
            is_early = there <= {one.player for one in contributions}
            return Due("promising", now if is_early else window, lambda draft: steps.close_promises(live, draft))
        case "showing":
            is_early = all(one.entropy is not None for one in contributions)
            return Due("showing", now if is_early else window, lambda draft: steps.seal_shoe(live, draft))
        case "cutting":
            return _cutting(live)


def _cutting(live: LiveTable) -> Due:
    player = cutter(live.rules, live.table)
    if player is None:
        return Due("cutting", live.now(), lambda draft: steps.house_cut(live, draft))
    at = live.now()
    if live.is_here(player):
        at = live.waits.since("cut", (len(live.keeper.listed), player)) + live.timer("cut")
    return Due("cutting", at, lambda draft: _pass_cut(draft, player))


def _bots_pass_cut(live: LiveTable) -> Due | None:
    """A bot's cut of real cards, which is passed on: no program cuts them."""
    following = procedure(live.rules, live.table)[0]
    if following.act != "cut" or following.player not in live.bots:
        return None
    return Due("cutting", live.now(), lambda draft: draft.must(c.DeclineCut(player=str(following.player))))


def _pass_cut(draft: Draft, player: str) -> None:
    draft.must(c.DeclineCut(player=player), "did not cut in time")
    offer_cut(draft)


def offer_cut(draft: Draft) -> None:
    """Offer the cut to whoever has the right after those who have declined, if anybody is left."""
    following = cutter(draft.rules, draft.table)
    if following is not None:
        draft.must(c.OfferCut(player=following))


def _betting(live: LiveTable) -> Due | None:
    table, now = live.table, live.now()
    if not live.humans and not table.has_wagers:
        return None
    if live.rules.bank.by == "player" and table.bank is None:
        return _bank_due(live)
    is_asked_for = live.settings.dealer == "automatic" and live.rules.betting.opens == "by_invitation"
    if is_asked_for and live.invited < live.rounds_done and not table.has_wagers:
        return Due("invitation", now, lambda draft: draft.must(c.OpenBetting()))
    if not table.has_wagers:
        live.waits.stop("betting")
        return _bots_open(live)
    if idle_bots(live):
        return Due("bots", now, lambda draft: bots_bet(live, draft))
    if live.settings.dealer != "automatic":
        return None
    at = live.waits.since("betting", live.rounds_done) + live.timer("betting")
    refusal = refuse_deal(live.rules, table)
    if refusal is not None:
        is_deserted = refusal.reason == "too_few_seated"
        void = c.VoidRound(reason=DESERTED)
        return Due("betting", at, lambda draft: draft.must(void, DESERTED)) if is_deserted else None
    if live.are_all_ready:
        at = now
    return Due("betting", max(at, live.waits.quiet_until), lambda draft: deal(live, draft))


def _bots_open(live: LiveTable) -> Due | None:
    """The first bets of bots: they wait for a person.

    Where a person banks they bet after a while, in which the bank can still go.
    """
    bank = live.table.bank
    if bank is None or bank.player in live.bots or not idle_bots(live):
        return None
    since = max(live.waits.since("bank_held", (live.rounds_done, bank.player)), live.waits.quiet_until)
    return Due("bots", since + BANK_HELD_MS, lambda draft: bots_bet(live, draft))


def _bank_due(live: LiveTable) -> Due | None:
    """The answer of the next player to the bank: it is offered round the table once, then waits for
    whoever wants it."""
    table, now = live.table, live.now()
    if len(set(table.seats.values())) < live.rules.bank.least_seated:
        return None
    willing = [player for player in candidates(live.rules, table) if player not in table.bank_declined]
    if not willing:
        return None
    player = willing[0]
    if player in live.bots:
        return Due("bank", max(now, live.waits.quiet_until), lambda draft: bot_answers_bank(live, draft, player))
    at = live.waits.since("bank", (live.rounds_done, player)) + live.timer("bank")
    do: Do = lambda draft: draft.must(c.DeclineBank(player=player), "did not take the bank in time")  # noqa: E731
    return Due("bank", at if live.is_here(player) else now, do)


def _deciding(live: LiveTable) -> Due | None:
    """The decisions: bots choose after a moment; for a player whose time is up the table's own rule decides.

    Where players choose in turn, the time is that of whoever's turn it is.
    """
    asked = live.table.round.asked
    turn = asked[:1] if _is_in_turn(live) else ()
    since = max(live.waits.since("decision", (live.rounds_done, turn)), live.waits.quiet_until)
    rule = live.settings.timeout if live.settings.dealer == "automatic" else "wait"
    if any(player in live.bots for _, player in turn or asked) and live.bots_decided != (
        live.rounds_done,
        live.version,
    ):
        return Due("bots", since + BOT_DELAY_MS, lambda draft: bots_decide(live, draft))
    if rule == "wait" or not asked:
        return None
    return Due("decision", since + live.timer("decision"), lambda draft: _time_out(live, draft))


def _is_in_turn(live: LiveTable) -> bool:
    """Whether of those who are asked only the first may choose now."""
    return live.rules.decision.order != "any"


def _time_out(live: LiveTable, draft: Draft) -> None:
    asked = live.table.round.asked
    for box, player in asked[:1] if _is_in_turn(live) else asked:
        if player in live.bots:
            live.bots[player].decide(draft)
            continue
        war = c.GoToWar(player=player, box=box)
        if live.settings.timeout == "war" and live.do_funded(draft, war, LATE) is None:
            continue
        draft.must(c.Surrender(player=player, box=box, reason=LATE), LATE)
