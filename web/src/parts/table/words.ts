// What the dealer says, and what the strip under the felt says and why: from the events and the view, in the book's
// own names of wagers.

import type { Told } from '../../lib/live.svelte'
import { money, signed } from '../../lib/money'
import type { LiveView, WagerSpot } from '../../lib/wire'
import { tt } from '../../texts/en_table'
import { cardSign, rankOf, RANK_WORDS } from '../glyphs'
import type { Shown, ShownBox } from './shown'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const rankWord = (card: string): string => RANK_WORDS[rankOf(card)] ?? ''

/** The line at the table's centre. */
export function callerLine(live: LiveView, shown: Shown, me: string, own: number | null): string {
  const { view } = live
  if (live.stopped !== null) return tt.stopped
  if (shown.isVoid) return tt.voided
  const duel = duelLine(shown, own)
  if (shown.isOver) return duel ?? tt.placeYourBets
  if (view.phase === 'closed') return tt.closed
  if (live.is_paused) return tt.paused
  if (duel) return duel
  if (shown.phase !== 'betting') return tt.noMoreBets
  if (live.seal.stage === 'nothing_sealed' && view.cut_offered_to) return view.cut_offered_to === me ? tt.yourCut : tt.cutIs(view.cut_offered_to)
  if (live.seal.stage === 'cutting') return view.cut_offered_to === me ? tt.yourCut : view.cut_offered_to ? tt.cutIs(view.cut_offered_to) : tt.shuffling
  if (live.seal.stage === 'promising' || live.seal.stage === 'showing') return tt.shuffling
  if (view.is_player_banked && !view.bank) return view.bank_offered_to === me ? tt.yourBank : tt.whoBanks
  return tt.placeYourBets
}

/** "Nine against nine": one's own box, else the first at war, else the dealer alone. */
function duelLine(shown: Shown, own: number | null): string | null {
  const asked = shown.asked.find(([box]) => box === own)?.[0] ?? shown.asked[0]?.[0]
  const mine = shown.boxes.find((one) => one.box === own && one.cards.length > 0)
  const box = shown.boxes.find((one) => one.box === asked) ?? mine ?? shown.boxes.find((one) => one.cards.length > 1)
  const index = Math.min(shown.dealer.length, box ? box.cards.length : shown.dealer.length) - 1
  const dealers = shown.dealer[index]?.card
  if (!dealers) return null
  const card = box?.cards[index]?.card
  if (!card || !box) return tt.dealerShows(rankWord(dealers))
  if (own !== null && box.box !== own) return tt.boxAgainst(box.box, rankWord(card), rankWord(dealers))
  return tt.against(capital(rankWord(card)), rankWord(dealers))
}

export interface Ruling {
  says: string
  clauses: string[]
  kind: 'plain' | 'refused' | 'lost' | 'war'
}

export function labelOf(layout: WagerSpot[], wager: string): string {
  return layout.find((spot) => spot.wager === wager)?.label ?? wager
}

interface SettledEvent {
  version: number
  player: string
  box: number
  wager: string
  amount: number
  outcome: string
  odds: string | null
  paid: number
  returned: number
  clauses: string[]
  items?: { item: string; amount: number; of: string }[]
}

/** "Tie paid 10 to 1", "A Bomb lost". */
export function settledWords(event: SettledEvent, layout: WagerSpot[]): string {
  const label = labelOf(layout, event.wager)
  switch (event.outcome) {
    case 'win': {
      const extra = (event.items ?? []).flatMap((one) =>
        one.item === 'envy' ? [tt.envy(money(one.amount), one.of)] : one.item === 'meter' ? [tt.meterHit(money(one.amount))] : [],
      )
      const said = event.odds ? tt.paid(label, tt.oddsInWords(...(event.odds.split(':') as [string, string]))) : tt.paidAmount(label, money(event.paid))
      return [said, ...extra].join(', ')
    }
    case 'lose':
      return tt.lost(label)
    case 'surrender':
      return tt.surrendered(label, money(event.returned))
    case 'void':
      return tt.voidWager(label)
    case 'returned':
      return tt.returned(label)
    default:
      return tt.pushed(label)
  }
}

function isTied(one: ShownBox, dealers: string | undefined): boolean {
  const card = one.cards[0]?.card
  return !!card && !!dealers && rankOf(card) === rankOf(dealers)
}

/** What happened to me in this round, then why; at other times what the table waits for. */
export function ruling(live: LiveView, shown: Shown, told: Told[], me: string): Ruling {
  const { view } = live
  if (live.stopped !== null) return { says: tt.refusedWords(live.stopped), clauses: [], kind: 'refused' }
  const mine = (shown.isVoid ? [] : told.filter((one) => one.name === 'wager_settled' && one['player'] === me)) as unknown as SettledEvent[]
  const asked = shown.asked.find(([, who]) => who === me)
  const says: string[] = []
  const clauses: string[] = []
  if (asked) {
    const box = shown.boxes.find((one) => one.box === asked[0])
    const [card, dealers] = [box?.cards[0]?.card, shown.dealer[0]?.card]
    if (box && card && dealers && isTied(box, dealers)) says.push(tt.yourTie(cardSign(card), cardSign(dealers)))
    clauses.push(...(told.findLast((one) => one.name === 'war_offered' && one['player'] === me)?.['clauses'] as string[] ?? []))
  }
  const war = shown.isVoid ? undefined : told.findLast((one) => one.name === 'war_declared' && one['player'] === me)
  const since = war ? mine.filter((one) => one.version > war.version) : mine
  if (war && since.length === 0) {
    const later = told.findLast((one) => one.name === 'wager_placed' && one['player'] === me && one.version > war.version)
    if (later) says.push(ownBet(live, later, me))
    else says.push(tt.wentToWar(tt.youWent, money(Number(war['amount']))))
    clauses.push(...clausesOf(later ?? war))
  } else if (since.length > 0) {
    says.push(tt.sentence(since.slice(-5).map((one) => settledWords(one, view.layout))))
    clauses.push(...since.slice(-5).flatMap((one) => one.clauses))
  }
  const bank = shown.isOver ? told.findLast((one) => one.name === 'bank_returned' && one['player'] === me) : undefined
  if (bank) {
    says.push(tt.bankOver(signed(Number(bank['net']))))
    clauses.push(...clausesOf(bank))
  }
  if (shown.isVoid) {
    says.push(tt.roundIsVoid)
    clauses.push(...clausesOf(told.findLast((one) => one.name === 'round_voided' || one.name === 'round_invalidated')))
  }
  if (asked) says.push(tt.nowChoose)
  else if (shown.asked[0] && shown.asked[0][1] !== me) says.push(tt.waitsFor(shown.asked[0][1]))
  if (says.length > 0) return { says: says.join(' '), clauses: [...new Set(clauses)].slice(0, 4), kind: asked ? 'war' : 'plain' }
  const last = told.findLast((one) => typeof one['says'] === 'string' && (one['clauses'] as string[] | undefined)?.length)
  if (last && shown.phase !== 'betting') return { says: sentence(String(last['says'])), clauses: clausesOf(last).slice(0, 4), kind: 'plain' }
  return betting(live, told, me)
}

const clausesOf = (event: Told | undefined): string[] => (event?.['clauses'] as string[] | undefined) ?? []

/** "Tie: 5 down." of the last that one has put down or taken back. */
function ownBet({ view }: LiveView, mine: Told, me: string): string {
  const lies = view.boxes.flatMap((one) => one.wagers).find(([who, wager]) => who === me && wager === mine['wager'])?.[2] ?? 0
  return tt.ownBets[mine.name]!(labelOf(view.layout, String(mine['wager'])), money(lies))
}

/** While bets are open: what one has just put down, or that they are open. */
function betting(live: LiveView, told: Told[], me: string): Ruling {
  const { view } = live
  const notice = view.signs.notices[0]
  if (notice) return { says: tt.refusedWords(notice.says), clauses: notice.clauses, kind: 'plain' }
  if (live.seal.stage === 'promising' || live.seal.stage === 'showing') return { says: tt.sealingSays, clauses: [], kind: 'plain' }
  if (live.seal.stage === 'cutting') return { says: view.cut_offered_to === me ? tt.cutSays : tt.cutOfOther(view.cut_offered_to ?? ''), clauses: clausesOf(told.findLast((one) => one.name === 'cut_offered')), kind: 'plain' }
  if (view.phase === 'betting' && view.is_player_banked && !view.bank) return { says: tt.bankFirst, clauses: [], kind: 'plain' }
  const mine = told.findLast((one) => one['player'] === me && one.name in tt.ownBets)
  const opened = told.findLast((one) => one.name === 'betting_opened')
  if (!mine || view.phase !== 'betting') return { says: view.phase === 'betting' ? tt.betsAreOpen : tt.betsClosed, clauses: clausesOf(opened), kind: 'plain' }
  return { says: ownBet(live, mine, me), clauses: clausesOf(mine).slice(0, 3), kind: 'plain' }
}

export function sentence(says: string): string {
  const plain = says.replace(/\s*\([A-Z]{2,5}-[^)]*\)$/, '')
  return tt.refusedWords(plain)
}
