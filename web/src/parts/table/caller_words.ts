// What the dealer says at the table's centre, and what is heard of it.

import type { LiveView } from '../../lib/wire'
import { tt } from '../../texts/en_table'
import { rankWord } from '../glyphs'
import type { Shown } from './shown'
import { capital } from './words'

/** The line at the table's centre. */
export function callerLine(live: LiveView, shown: Shown, me: string, own: number | null): string {
  const { view } = live
  if (live.stopped !== null) return tt.stopped
  if (view.is_closed) return tt.closed
  if (shown.isVoid) return tt.voided
  // An offer that has its time is told before what the last round came to.
  const isOffered = shown.isOver && view.can_bank
  const duel = isOffered ? null : duelOf(shown, own, view.is_player_banked)?.says
  if (shown.isOver && view.bank?.player === me) return tt.youBank
  if (shown.isOver && !isOffered) return duel ?? tt.placeYourBets
  if (live.is_paused) return tt.paused
  if (duel) return duel
  if (shown.phase !== 'betting') return tt.noMoreBets
  if (live.seal.stage === 'nothing_sealed' && view.cut_offered_to) return view.cut_offered_to === me ? tt.yourCut : tt.cutIs(view.cut_offered_to)
  if (live.seal.stage === 'cutting') return view.cut_offered_to === me ? tt.yourCut : view.cut_offered_to ? tt.cutIs(view.cut_offered_to) : tt.shuffling
  if (live.seal.stage === 'promising' || live.seal.stage === 'showing') return tt.shuffling
  if (view.is_player_banked && !view.bank) return view.can_bank ? tt.yourBank : tt.whoBanks
  return view.bank?.player === me ? tt.youBank : tt.placeYourBets
}

/** Whom the dealer waits for, as the dealer does: before the cards all who sit there, at a war those who may still bet. */
export function waitedFor({ seats, view }: LiveView, me: string): string[] {
  const atWar = new Set(view.boxes.filter((one) => one.is_at_war).flatMap((one) => one.wagers.map(([who]) => who)))
  const isAsked = (who: string, isHere: boolean): boolean => (view.phase === 'war_betting' ? atWar.has(who) : isHere)
  return seats
    .filter((one) => one.player !== me && one.strategy === null && !one.is_ready && isAsked(one.player, one.is_present && !one.is_leaving))
    .map((one) => one.player)
}

/** The line as it is heard: of second cards it says so, since the same words as before would not be read out again. */
export function spoken(line: string, shown: Shown, own: number | null, isPlayerBanked: boolean): string {
  const duel = duelOf(shown, own, isPlayerBanked)
  return duel?.says === line && duel.index > 0 ? tt.secondCards(line.charAt(0).toLowerCase() + line.slice(1)) : line
}

/** "Nine against nine": one's own box, else the first at war, else the dealer alone. */
function duelOf(shown: Shown, own: number | null, isPlayerBanked: boolean): { says: string; index: number } | null {
  const asked = shown.asked.find(([box]) => box === own)?.[0] ?? shown.asked[0]?.[0]
  const mine = shown.boxes.find((one) => one.box === own && one.cards.length > 0)
  const box = shown.boxes.find((one) => one.box === asked) ?? mine ?? shown.boxes.find((one) => one.cards.length > 1)
  const index = Math.min(shown.dealer.length, box ? box.cards.length : shown.dealer.length) - 1
  const dealers = shown.dealer[index]?.card
  if (!dealers) return null
  const card = box?.cards[index]?.card
  if (!card || !box) return { says: tt.dealerShows(tt.theDealer(isPlayerBanked), rankWord(dealers)), index }
  if (own !== null && box.box !== own) return { says: tt.boxAgainst(box.box, rankWord(card), rankWord(dealers)), index }
  return { says: tt.against(capital(rankWord(card)), rankWord(dealers)), index }
}
