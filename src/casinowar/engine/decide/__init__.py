"""Decide: whether a command may be done now, and the events it leads to. Any command in any state has an answer."""

from collections.abc import Callable
from typing import Any

from casinowar.engine import commands as c
from casinowar.engine import events as e
from casinowar.engine.decide import (
    bank,
    betting,
    dealing,
    decisions,
    floor,
    incidents,
    manual_settlement,
    preparation,
    rulings,
    seats,
    shoe,
    voids,
)
from casinowar.engine.decide.draws import is_short_ruling_due
from casinowar.engine.events import Refusal
from casinowar.engine.evolve import evolve_all
from casinowar.engine.fields import check_fields
from casinowar.engine.signatures import SIGNED, refuse_signatures
from casinowar.engine.state import Table
from casinowar.rulebooks import Rulebook

DECISIONS = (c.GoToWar, c.Surrender)
TWO_SIGNED = frozenset(SIGNED)
HELD_UP = frozenset(
    (
        c.GoToWar,
        c.Surrender,
        c.LoadShoe,
        c.InitialBurn,
        *c.CARD_REPORTS,
        c.ReportShufflerFault,
    )
)
"""What waits while a ruling is due."""


def decide(rules: Rulebook, table: Table, command: c.Command) -> list[e.Event] | Refusal:
    """The events that the command leads to, or why it is refused."""
    result = step(rules, table, command)
    return result if isinstance(result, Refusal) else result[0]


def step(rules: Rulebook, table: Table, command: c.Command) -> tuple[list[e.Event], Table] | Refusal:
    """Decide and evolve in one go: the events, and the table after them. A shoe that has run dry may need a ruling."""
    done = _step(rules, table, command)
    if isinstance(done, Refusal) or done[1].incident is not None or not is_short_ruling_due(rules, done[1]):
        return done
    called = incidents.short_shoe(rules)
    return [*done[0], *called], evolve_all(done[1], called)


def _step(rules: Rulebook, table: Table, command: c.Command) -> tuple[list[e.Event], Table] | Refusal:
    kind = type(command)
    check_fields(command)
    if command.by is not None or kind in TWO_SIGNED:
        refusal = refuse_signatures(rules, table, command)
        if refusal:
            return refusal
    if table.is_closed:
        return Refusal("table_closed")
    if isinstance(command, c.Deal):
        return dealing.deal(rules, table, command)
    try:
        answer = _ANSWERS[kind]
    except KeyError:
        raise TypeError(f"no such command: {command!r}") from None
    if table.incident is not None and kind in HELD_UP:
        return Refusal("ruling_due", rules.clauses["irreg.arbiter"])
    events = answer(rules, table, command)
    if isinstance(events, Refusal):
        return events
    before, table = table, evolve_all(table, events)
    if kind in TWO_SIGNED and min(table.players.values(), default=0) < 0:
        return Refusal("chips_gone")
    following: list[e.Event] = []
    if isinstance(command, DECISIONS):
        following = decisions.put_away(rules, table, command.box)
    elif not _goes_on(before, table):
        return events, table
    while True:
        table = evolve_all(table, following)
        events = events + following
        following = decisions.after_decision(rules, table)
        if not following:
            return events, table


def _goes_on(before: Table, table: Table) -> bool:
    """Whether something follows at once: nobody is left to choose, or a bank may not cover all of whoever is next."""
    if table.phase == "deciding":
        return table.bank is not None
    return before.phase in ("deciding", "war_betting") and table.phase == "dealing" and not table.queue


_ANSWERS: dict[type, Callable[[Rulebook, Table, Any], list[e.Event] | Refusal]] = {
    c.OpenTable: seats.open_table,
    c.ResumeTable: seats.resume_table,
    c.BuyIn: seats.buy_in,
    c.SeatPlayer: seats.seat_player,
    c.VacateSeat: seats.vacate_seat,
    c.GrantMultiBox: seats.grant_multi_box,
    c.RevokeMultiBox: seats.revoke_multi_box,
    c.PlaceWager: betting.place_wager,
    c.AmendWager: betting.amend_wager,
    c.WithdrawWager: betting.withdraw_wager,
    c.NoMoreBets: betting.no_more_bets,
    c.GoToWar: decisions.go_to_war,
    c.Surrender: decisions.surrender,
    c.Cut: shoe.cut,
    c.DeclineCut: shoe.decline_cut,
    c.PlaceMarker: shoe.place_marker,
    c.LoadShoe: shoe.load_shoe,
    c.InitialBurn: dealing.initial_burn,
    c.SupervisorShuffle: shoe.supervisor_shuffle,
    c.ReplaceCards: shoe.replace_cards,
    c.ChangeDealer: shoe.change_dealer,
    c.ShowCutCard: shoe.show_cut_card,
    c.AcceptBank: bank.accept_bank,
    c.DeclineBank: bank.decline_bank,
    c.RelinquishBank: bank.relinquish_bank,
    c.ReportFaceUpCard: incidents.report_face_up_card,
    c.ReportExtraDraw: incidents.report_extra_draw,
    c.ReportMisdelivered: incidents.report_misdelivered,
    c.ReportMissedHand: incidents.report_missed_hand,
    c.ReportMissedOffer: rulings.report_missed_offer,
    c.ReportForgottenBurn: incidents.report_forgotten_burn,
    c.ReportMissingCutCard: incidents.report_missing_cut_card,
    c.ReportMissedShuffle: incidents.report_missed_shuffle,
    c.ReportExposedBeforeShoe: incidents.report_exposed_before_shoe,
    c.ReportShufflerFault: incidents.report_shuffler_fault,
    c.ReportDamagedCard: incidents.report_damaged_card,
    c.ReportWager: incidents.report_wager,
    c.Reconstruct: rulings.reconstruct,
    c.VoidHand: voids.void_hand,
    c.VoidPlayer: voids.void_player,
    c.VoidRound: voids.void_round,
    c.InvalidateRound: voids.invalidate_round,
    c.ReleasePlayers: voids.release_players,
    c.Rule: rulings.rule,
    c.ReportContravention: rulings.report_contravention,
    c.ExcludePlayer: rulings.exclude_player,
    c.FlagPartnership: rulings.flag_partnership,
    c.OpenBetting: betting.open_betting,
    c.Settle: manual_settlement.settle,
    c.EndRound: manual_settlement.end_round,
    c.ConfirmWarWager: decisions.confirm_war_wager,
    c.CorrectCard: dealing.correct_card,
    c.OfferBank: bank.offer_bank,
    c.RotateBank: bank.rotate_bank,
    c.InspectCards: preparation.inspect_cards,
    c.VerifyCards: preparation.verify_cards,
    c.SpreadForInspection: preparation.spread_for_inspection,
    c.Wash: preparation.wash,
    c.Shuffle: preparation.shuffle,
    c.SwapBatch: preparation.swap_batch,
    c.OfferCut: shoe.offer_cut,
    c.IdleSpread: preparation.idle_spread,
    c.PlayerRequestInspect: preparation.player_request_inspect,
    c.PlayerRequireFullShuffle: preparation.player_require_full_shuffle,
    c.PlayerRequestsSpread: preparation.player_requests_spread,
    c.ViewInitialBurn: preparation.view_initial_burn,
    c.AnnounceDecks: floor.announce_decks,
    c.DirectBoxMax: floor.direct_box_max,
    c.DirectPlayerMax: floor.direct_player_max,
    c.SetBettorsPerArea: floor.set_bettors_per_area,
    c.Tick: floor.tick,
    c.AnnounceLimits: floor.announce_limits,
    c.ChangeLimits: floor.change_limits,
    c.AnnounceClosing: floor.announce_closing,
    c.CloseTable: floor.close_table,
}
