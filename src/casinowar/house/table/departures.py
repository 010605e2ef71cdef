"""Who leaves a live table: who asks to, who is excluded, who has been away too long, and everybody when it closes."""

from casinowar.engine import commands as c
from casinowar.engine.decide.draws import is_mid_round
from casinowar.house.signatures import kept_chips
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable
from casinowar.store import BotDismissed, CashedOut


def leavers(live: LiveTable) -> list[str]:
    """Whoever is to go: who asked to or is excluded, who may have been away too long, all when the table closes."""
    if live.table.is_closed:
        return [player for player, chips in live.table.players.items() if chips]
    away = [player for player in live.table.players if player not in live.bots and player not in live.present]
    going = dict.fromkeys([*live.leaving, *live.table.floor.excluded, *away])
    return [player for player in going if live.table.players.get(player) or player in live.table.seats.values()]


def leaves_at(live: LiveTable, player: str) -> int:
    if player in live.leaving or player in live.table.floor.excluded or live.table.is_closed:
        return live.now()
    return live.seen.get(player, live.started) + round(1000 * live.settings.timers.absent)


def can_leave(live: LiveTable, player: str) -> bool:
    """Nothing of theirs is in play, and no void that waits would take of their chips.

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
    """The seat is free and all chips go into the purse, those of a bank against which nobody has bet too."""
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
