// What is taken and paid per box and player: the steps that are due and what the round has settled so far.

import type { BoxView, Step } from '../../lib/wire'
import type { Told } from '../../lib/live.svelte'

export interface Amounts {
  take: number
  pay: number
  back: number
}

export interface Row {
  box: number
  player: string
  wagers: Record<string, number>
  isAtWar: boolean
  isAsked: boolean
  due: Amounts
  done: Amounts
}

/** A wager of this round that is off the layout again. */
export interface Settled {
  box: number
  player: string
  wager: string
  amount: number
  paid: number
  returned: number
  /** What went back before, as above a maximum or not covered by a bank. */
  cut?: number
}

const NOTHING: Amounts = { take: 0, pay: 0, back: 0 }

export function settledOf(events: Told[]): Settled[] {
  return events.flatMap((event): Settled[] => {
    const { box, player, wager, amount, paid, returned, placed } = event as unknown as Settled & { placed: number }
    if (event.name === 'wager_settled') return [{ box, player, wager, amount, paid, returned }]
    const isCut = event.name === 'wager_limited' || event.name === 'match_limited'
    return isCut ? [{ box, player, wager: wager ?? 'initial', amount: 0, paid: 0, returned: 0, cut: placed - amount }] : []
  })
}

/** The highest box first: it lies at the right hand of whoever stands behind the table. */
export function rowsOf(boxes: BoxView[], asked: [number, string][], steps: Step[], settled: Settled[]): Row[] {
  const rows = new Map<string, Row>()
  const row = (box: number, player: string): Row => {
    const key = `${box} ${player}`
    const found = rows.get(key) ?? {
      box,
      player,
      wagers: {},
      isAtWar: false,
      isAsked: asked.some(([at, who]) => at === box && who === player),
      due: { ...NOTHING },
      done: { ...NOTHING },
    }
    rows.set(key, found)
    return found
  }
  for (const one of boxes) {
    if (one.player !== null) row(one.box, one.player)
    for (const [player, wager, amount] of one.wagers) {
      const at = row(one.box, player)
      at.wagers[wager] = amount
      at.isAtWar = one.is_at_war
    }
  }
  for (const one of settled) {
    const at = row(one.box, one.player)
    if (one.cut === undefined) at.wagers[one.wager] ??= one.amount
    at.done.pay += one.paid
    at.done.take += one.amount - one.returned
    at.done.back += one.returned + (one.cut ?? 0)
  }
  for (const step of steps) {
    if (step.box === null || step.player === null) continue
    const at = row(step.box, step.player)
    if (step.act === 'pay') at.due.pay += step.amount
    if (step.act === 'take') at.due.take += step.amount
    // Some books keep the stake of a wager that is paid.
    at.due.take += step.kept
    if (['pay', 'take', 'give_back'].includes(step.act)) at.due.back += step.returned
  }
  return [...rows.values()].sort((one, other) => other.box - one.box)
}
