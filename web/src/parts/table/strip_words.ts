// What the strip under the felt says and why: from the events and the view.

import type { Told } from '../../lib/live.svelte'
import { money, signed } from '../../lib/money'
import { sentence } from '../../lib/saying'
import type { BankView, LiveView, View, VoidWaits, WagerSpot } from '../../lib/wire'
import { tt } from '../../texts/en_table'
import { cardSign, rankOf } from '../glyphs'
import { seatSays } from './seat_words'
import type { Shown, ShownBox } from './shown'
import { labelOf, limitWords } from './words'

export interface Ruling {
  says: string
  clauses: string[]
  kind: 'plain' | 'refused' | 'lost' | 'war'
}

/** What the list of rulings holds: that which has a clause and a sentence, and is no wager or preparation. */
export function isTold(event: Told): boolean {
  return clausesOf(event).length > 0 && typeof event['says'] === 'string' && !PASSED_OVER.test(event.name)
}
const PASSED_OVER = /^(wager_(placed|amended|withdrawn)|player_seated|cards_prepared|cut_offered)$/

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
  bank_left?: number | null
}

/** What the odds alone come to, which a bank may not cover. */
function dueOf({ amount, odds }: SettledEvent): number {
  const [pays, against] = (odds ?? '0:1').split(':').map(Number) as [number, number]
  return Math.floor((amount * pays) / against)
}
const isShort = (event: SettledEvent): boolean => event.outcome === 'win' && event.paid < dueOf(event)

/** What of a wager went back just before it was settled, because a bank did not cover it. */
function uncovered(told: Told[], settled: SettledEvent): number {
  const cut = told.find((one) => one.name === 'wager_limited' && one.version === settled.version - 1)
  return cut ? Number(cut['placed']) - Number(cut['amount']) : 0
}

/** "Tie paid 10 to 1", "A Bomb lost". */
export function settledWords(event: SettledEvent, layout: WagerSpot[], box: number | null = null, back = 0): string {
  const said = outcomeWords(event, layout, box)
  return back > 0 ? tt.notCovered(said, money(back)) : said
}

function outcomeWords(event: SettledEvent, layout: WagerSpot[], box: number | null): string {
  const name = labelOf(layout, event.wager)
  const label = box === null ? name : tt.onBox(name, box)
  switch (event.outcome) {
    case 'win': {
      const extra = (event.items ?? []).flatMap((one) =>
        one.item === 'envy' ? [tt.envy(money(one.amount), one.of)] : one.item === 'meter' ? [tt.meterHit(money(one.amount))] : [],
      )
      const due = dueOf(event)
      const said = event.paid < due ? tt.paidShort(label, money(event.paid), money(due)) : event.odds ? tt.paid(label, tt.oddsInWords(...(event.odds.split(':') as [string, string]))) : tt.paidAmount(label, money(event.paid))
      const isKept = event.returned < event.amount
      return [said, ...extra, ...(isKept ? [tt.stakeKept] : [])].join(', ')
    }
    case 'lose':
      return tt.lost(label)
    case 'surrender':
      return tt.surrendered(label, money(event.returned))
    case 'void':
      return tt.voidWager(label)
    case 'returned':
      return event.bank_left ? tt.noneCovered(label) : tt.returned(label)
    default:
      return tt.pushed(label)
  }
}

function isTied(one: ShownBox, dealers: string | undefined): boolean {
  const card = one.cards[0]?.card
  return !!card && !!dealers && rankOf(card) === rankOf(dealers)
}

/** Which round may be taken back, for how long at most the table waits, and which of my chips stay until then. */
function voidWords({ round, left, kept }: VoidWaits): string {
  const says = tt.voidWaits(round, Math.max(1, Math.ceil(left / 60_000)))
  return kept ? `${says} ${tt.voidKeeps(money(kept))}` : says
}

/** What happened to me in this round, then why; at other times what the table waits for. */
export function ruling(live: LiveView, shown: Shown, told: Told[], me: string): Ruling {
  const { view } = live
  if (live.stopped !== null) return { says: sentence(live.stopped), clauses: [], kind: 'refused' }
  if (view.is_closed) return { says: tt.closedSays, clauses: clausesOf(told.findLast((one) => one.name === 'table_closed')), kind: 'plain' }
  if (live.void) return { says: voidWords(live.void), clauses: [], kind: 'refused' }
  // What was in play when somebody was excluded is played out, and told as ever.
  if (view.is_excluded && shown.phase === 'betting') return { says: tt.excludedSays, clauses: clausesOf(told.findLast((one) => one.name === 'player_excluded')), kind: 'plain' }
  const burn = burnSeen(told, me)
  if (burn) return burn
  const seat = shown.phase === 'betting' ? seatSays(live, told, me) : null
  if (seat) return { says: seat, clauses: [], kind: 'plain' }
  // With the bank taken again, what came before is over and done with.
  if (shown.isOver && view.bank?.player === me) return banking(view.bank, told, me)
  const asked = shown.asked.find(([, who]) => who === me)
  const parts = [
    ...(asked ? tieOf(shown, told, me, asked[0], view) : []),
    ...(shown.isVoid ? [] : cutDown(view, shown, told, me)),
    ...(shown.isVoid ? [] : cameOf(live, shown, told, me)),
    ...(shown.isOver || asked ? [] : openLater(view, me)),
    ...endOf(live, shown, told, me),
  ]
  const says = parts.map((part) => part.says).filter((words) => words)
  if (asked) says.push(tt.nowChoose)
  else if (shown.asked[0]) says.push(tt.waitsFor(shown.asked[0][1]))
  // Beside an offer stand the clauses of the offer: where room is short, it alone is told.
  const why = shown.isOver && view.can_bank ? [offerOf(told, me)] : parts.map((part) => part.clauses)
  if (says.length > 0) return { says: says.join(' '), clauses: firstOfEach(why).slice(0, Math.max(4, why.length)), kind: asked ? 'war' : 'plain' }
  const last = told.findLast((one) => typeof one['says'] === 'string' && (one['clauses'] as string[] | undefined)?.length)
  if (last && shown.phase !== 'betting') return { says: sentence(String(last['says'])), clauses: clausesOf(last).slice(0, 4), kind: 'plain' }
  return betting(live, shown, told, me)
}

/** One thing that is told, and why it is so. */
interface Part {
  says: string
  clauses: string[]
}

const mineOf = (told: Told[], me: string, ...names: string[]): Told[] => told.filter((one) => one['player'] === me && names.includes(one.name))

function tieOf(shown: Shown, told: Told[], me: string, box: number, view: View): Part[] {
  const one = shown.boxes.find((found) => found.box === box)
  const [card, dealers] = [one?.cards[0]?.card, shown.dealer[0]?.card]
  const says = one && card && dealers && isTied(one, dealers) ? [tt.yourTie(cardSign(card), tt.theDealer(view.is_player_banked), cardSign(dealers))] : []
  return says.map((words) => ({ says: words, clauses: clausesOf(mineOf(told, me, 'war_offered').at(-1)) }))
}

/** That a wager plays for less than was put down, until there is a result after it. */
function cutDown(view: View, shown: Shown, told: Told[], me: string): Part[] {
  const result = mineOf(told, me, 'wager_settled').at(-1)?.version ?? 0
  if (shown.isOver || shown.phase === 'betting') return []
  const since = mineOf(told, me, 'wager_limited', 'match_limited', 'limits_advised').filter((one) => one.version > result)
  return since.map((one) => {
    const label = labelOf(view.layout, String(one['wager'] ?? 'initial'))
    if (one.name === 'limits_advised') return { says: tt.limitsAre(label, limitWords(one['limit'] as View['signs']['limit'])), clauses: clausesOf(one) }
    const [placed, amount] = [Number(one['placed']), Number(one['amount'])]
    return { says: tt.playsFor(label, money(amount), money(placed - amount)), clauses: clausesOf(one) }
  })
}

/** What my wagers came to; after a war, what it came to. */
function cameOf({ view }: LiveView, shown: Shown, told: Told[], me: string): Part[] {
  const mine = mineOf(told, me, 'wager_settled') as unknown as SettledEvent[]
  const war = mineOf(told, me, 'war_declared').at(-1)
  const since = war ? mine.filter((one) => one.version > war.version) : mine
  if (war && since.length === 0) {
    const later = mineOf(told, me, 'wager_placed').findLast((one) => one.version > war.version)
    if (later) return [{ says: ownBet(view, shown, later, me), clauses: clausesOf(later) }]
    return [{ says: tt.wentToWar(tt.youWent, money(Number(war['amount']))), clauses: clausesOf(war) }]
  }
  if (since.length === 0) return []
  const isOne = new Set(since.map((one) => one.box)).size < 2
  const words = tt.sentence(since.slice(-5).map((one) => settledWords(one, view.layout, isOne ? null : one.box, uncovered(told, one))))
  const why = since.slice(-5).map((one) => (isShort(one) || uncovered(told, one) ? [...one.clauses].reverse() : one.clauses))
  // What the first cards paid was told before the war, and stands on the felt.
  return [{ says: since.length < mine.length ? tt.afterWar(words) : words, clauses: why[0]! }, ...why.slice(1).map((clauses) => ({ says: '', clauses }))]
}

/** Why the bank is offered to me, where that was ruled. */
function offerOf(told: Told[], me: string): string[] {
  return clausesOf(told.findLast((one) => (one.name === 'bank_offered' && one['player'] === me) || (one.name === 'bank_rotated' && one['to'] === me)))
}

/** What was ruled for me, and how the round ended. */
function endOf(live: LiveView, shown: Shown, told: Told[], me: string): Part[] {
  const parts: Part[] = []
  // Whoever did not choose in time is told so.
  const ruled = shown.isVoid ? undefined : mineOf(told, me, 'surrender_ruled').at(-1)
  if (ruled) parts.push({ says: tt.surrenderRuled(String(ruled['reason'])), clauses: clausesOf(ruled) })
  const bank = shown.isOver ? mineOf(told, me, 'bank_returned').at(-1) : undefined
  if (bank) parts.push({ says: tt.bankOver(signed(Number(bank['net']))), clauses: clausesOf(bank) })
  if (shown.isOver && live.view.can_bank) {
    // The offer has the dock's place, so that what the round came to is told here.
    const mine = (shown.isVoid ? [] : mineOf(told, me, 'wager_settled')) as unknown as SettledEvent[]
    if (mine.length > 0) parts.push({ says: tt.roundCame(signed(mine.reduce((sum, one) => sum + one.paid + one.returned - one.amount, 0))), clauses: [] })
    // What has just been told leaves little room: the terms stand with the stake.
    parts.push({ says: parts.length > 0 ? tt.bankOffered : tt.bankIsYours, clauses: [] })
  }
  if (shown.isVoid) parts.push({ says: tt.roundIsVoid, clauses: clausesOf(told.findLast((one) => one.name === 'round_voided' || one.name === 'round_invalidated')) })
  return parts
}

/** Wagers on the second card for which there is a place, and none of one's own lies yet. */
function openLater(view: View, me: string): Part[] {
  if (view.phase === 'betting') return []
  const down = new Set(view.boxes.flatMap((one) => one.wagers).filter(([who]) => who === me).map(([, wager]) => wager))
  const open = new Set(view.boxes.flatMap((one) => one.open_wagers))
  const labels = [...open].filter((wager) => !down.has(wager)).map((wager) => labelOf(view.layout, wager))
  return labels.length > 0 ? [{ says: tt.laterIsOpen(labels), clauses: [] }] : []
}

/** The first clause of each ruling before the second of any, so that each has one within reach. */
function firstOfEach(rulings: string[][]): string[] {
  return [...new Set([...rulings.flatMap((one) => one.slice(0, 1)), ...rulings.flatMap((one) => one.slice(1))])]
}

const clausesOf = (event: Told | undefined): string[] => (event?.['clauses'] as string[] | undefined) ?? []

/** "Tie: 5 down." of the last that one has put down or taken back. */
function ownBet(view: View, shown: Shown, mine: Told, me: string): string {
  const laid = shown.boxes.find((one) => one.box === mine['box'])?.laid
  const lies = laid?.find((one) => one.player === me && one.wager === mine['wager'])?.amount ?? 0
  if (mine['gives_way_to']) return tt.ownBets['gave_way']!(labelOf(view.layout, String(mine['wager'])), String(mine['gives_way_to']))
  return tt.ownBets[mine.name]!(labelOf(view.layout, String(mine['wager'])), money(lies))
}

/** What one was shown of the burn, until one acts again or the cards come. */
function burnSeen(told: Told[], me: string): Ruling | null {
  const last = told.findLast((one) => one['player'] === me || one.name === 'betting_closed')
  if (last?.name !== 'burn_viewed') return null
  const card = last['card'] as string | null
  return { says: card ? tt.burnViewed(cardSign(card)) : tt.burnShown, clauses: clausesOf(last), kind: 'plain' }
}

/** Who has the bank does not bet: the others do. */
function banking(bank: BankView, told: Told[], me: string): Ruling {
  return { says: tt.youBankSays(money(bank.chips)), clauses: clausesOf(mineOf(told, me, 'bank_accepted').at(-1)), kind: 'plain' }
}

/** While bets are open: what one has just put down, or that they are open. */
function betting(live: LiveView, shown: Shown, told: Told[], me: string): Ruling {
  const { view } = live
  if (live.seal.stage === 'promising' || live.seal.stage === 'showing') return { says: tt.sealingSays, clauses: [], kind: 'plain' }
  if (live.seal.stage === 'cutting') return { says: view.cut_offered_to === me ? tt.cutSays : tt.cutOfOther(view.cut_offered_to ?? ''), clauses: clausesOf(told.findLast((one) => one.name === 'cut_offered')), kind: 'plain' }
  if (view.phase === 'betting' && view.is_player_banked && !view.bank) return { says: view.can_bank ? tt.bankIsYours : tt.bankFirst, clauses: view.can_bank ? offerOf(told, me) : [], kind: 'plain' }
  if (view.phase === 'betting' && view.bank?.player === me) return banking(view.bank, told, me)
  const mine = told.findLast((one) => one['player'] === me && one.name in tt.ownBets)
  const opened = told.findLast((one) => one.name === 'betting_opened')
  if (!mine || view.phase !== 'betting') return { says: view.phase === 'betting' ? tt.betsAreOpen : tt.betsClosed, clauses: clausesOf(opened), kind: 'plain' }
  return { says: ownBet(view, shown, mine, me), clauses: clausesOf(mine).slice(0, 3), kind: 'plain' }
}
