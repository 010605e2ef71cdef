// How an area of the layout stands: what lies there, what came of it, and what is to be written on it.

import { money, signed } from '../../lib/money'
import { tt } from '../../texts/en_table'
import { areaOf } from './layout'
import type { Laid } from './shown'

export interface AreaState {
  /** Stacks that lie there, the seated player's first. */
  stacks: { player: string; amount: number; wager: string }[]
  /** Winnings put beside the stake. */
  winnings: number
  /** What was lost and is taken away. */
  taken: number
  kind: 'idle' | 'down' | 'win' | 'back' | 'lost' | 'void'
  /** The pill or the line that tells the result. */
  says: string
  clauses: string[]
  /** Whether what lies is still in this player's hand. */
  isHeld?: boolean
  /** Each wager's own result, where the area has held more than one. */
  parts: Part[]
}

export interface Part {
  player: string
  isLater: boolean
  says: string
  clauses: string[]
}

/** The wagers of one area, those of the seated player first. `whose` narrows results to one player where they have any. */
export function areaState(laid: Laid[], area: string, seated: string | null, whose: string): AreaState {
  const here = laid.filter((one) => areaOf(one.wager) === area)
  const open = here.filter((one) => !one.result)
  const order = (one: { player: string }): number => (one.player === seated ? 0 : 1)
  const [held] = open.filter((one) => one.isHeld)
  if (held) {
    const { player, amount, wager } = held
    return { stacks: [{ player, amount, wager }], winnings: 0, taken: 0, kind: 'down', says: tt.heldOn(money(amount)), clauses: [], isHeld: true, parts: [] }
  }
  if (open.length > 0) {
    const stacks = open.map(({ player, amount, wager }) => ({ player, amount, wager }))
    stacks.sort((a, b) => order(a) - order(b))
    const owners = new Set(stacks.map((one) => one.player))
    const says = owners.size > 1 ? stacks.map((one) => `${one.player === whose ? tt.you : one.player} ${money(one.amount)}`).join(', ') : ''
    return { stacks, winnings: 0, taken: 0, kind: 'down', says, clauses: [], parts: [] }
  }
  const mine = here.filter((one) => one.player === whose)
  const told = mine.length > 0 ? mine : here
  if (told.length === 0) return { stacks: [], winnings: 0, taken: 0, kind: 'idle', says: '', clauses: [], parts: [] }
  // What came of the first deal stands before what came of the war.
  const inOrder = [...told.filter((one) => one.wager === area), ...told.filter((one) => one.wager !== area)]
  const parts = inOrder.map((one) => ({ ...result([one]), player: one.player, isLater: one.wager !== area }))
  return { ...result(inOrder), parts: told.length > 1 ? parts.map(({ player, isLater, says, clauses }) => ({ player, isLater, says, clauses })) : [] }
}

function result(told: Laid[]): Omit<AreaState, 'parts'> {
  const sum = (pick: (one: Laid) => number): number => told.reduce((total, one) => total + pick(one), 0)
  const paid = sum((one) => one.result?.paid ?? 0)
  const back = sum((one) => one.result?.returned ?? 0)
  const lost = sum((one) => one.amount) - back
  const clauses = [...new Set(told.flatMap((one) => one.result?.clauses ?? []))]
  const stake = back > 0 ? [{ player: told[0]!.player, amount: back, wager: told[0]!.wager }] : []
  const outcomes = new Set(told.map((one) => one.result?.outcome))
  if (outcomes.has('void')) return { stacks: stake, winnings: 0, taken: 0, kind: 'void', says: tt.back(money(back)), clauses }
  if (paid > 0) return { stacks: stake, winnings: paid, taken: lost, kind: 'win', says: signed(paid - lost), clauses }
  if (back > 0) return { stacks: stake, winnings: 0, taken: lost, kind: 'back', says: tt.back(money(back)), clauses }
  return { stacks: [], winnings: 0, taken: lost, kind: 'lost', says: money(-lost), clauses }
}

/** What a whole box came to for all who bet on it, or for one of them. */
export function boxNet(laid: Laid[], whose: string | null = null): number | null {
  const told = laid.filter((one) => one.result && (whose === null || one.player === whose))
  if (told.length === 0) return null
  return told.reduce((sum, one) => sum + one.result!.paid + one.result!.returned - one.amount, 0)
}
