// Small figures: where a hold lies on its line, and what a notice says.

import { timeIn } from '../../lib/clock'
import { money } from '../../lib/money'
import type { FloorPoint, Hold, Notice, PitTable } from '../../lib/wire'
import { pit as t } from '../../texts/en_pit'

export type Known = Hold & { actual: number; expected: number; low: number; high: number }

export function isKnown(hold: Hold | null): hold is Known {
  return hold !== null && hold.actual !== null && hold.expected !== null && hold.low !== null && hold.high !== null
}

/** What was staked with the house and what it has won: a table that players bank has no float and is none of it. */
export function ofHouse(tables: PitTable[]): { staked: number; won: number } {
  const holds = tables.filter((table) => table.float !== null).map((table) => table.hold)
  return {
    staked: holds.reduce((sum, hold) => sum + hold.staked, 0),
    won: holds.reduce((sum, hold) => sum + hold.won, 0),
  }
}

export function outside(hold: Known): 'below' | 'above' | null {
  return hold.actual < hold.low ? 'below' : hold.actual > hold.high ? 'above' : null
}

/** A place on the line for a share: theory in the middle, all that is told in sight. */
export function onLine(hold: Known, width: number): (share: number) => number {
  const reach = Math.max(...[hold.low, hold.high, hold.actual].map((one) => Math.abs(one - hold.expected)), 0.001) * 1.15
  return (share) => Math.round(((share - hold.expected + reach) / (2 * reach)) * width * 10) / 10
}

/** A notice: whole minutes that it must still stand. */
export function minutesLeft(seconds: number): number {
  return Math.ceil(seconds / 60)
}

/** What a notice says, limits in money of the house. */
export function noticeText({ about, says, limit, seconds_left }: Notice): string {
  if (about === 'closing' && seconds_left > 0) return t.closesAt(timeIn(seconds_left))
  if (!limit) return says
  return t.newLimits(t.table.to(money(limit.minimum), limit.maximum === null ? t.table.noMaximum : money(limit.maximum), money(limit.unit)))
}

/** Before the first round nothing was won and nothing could be expected. */
export const START: FloorPoint = { rounds: 0, actual: 0, expected: 0, low: 0, high: 0 }

const MOST_STEPS = 5

/** Round levels, as many as an axis has room for, from at most the least to at least the greatest amount. */
export function ticks(least: number, greatest: number): number[] {
  const raw = Math.max(1, (greatest - least) / MOST_STEPS)
  const size = 10 ** Math.floor(Math.log10(raw))
  const step = size * [1, 2, 5, 10].find((times) => size * times >= raw)!
  const [first, last] = [Math.floor(least / step), Math.ceil(Math.max(greatest, least + 1) / step)]
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}
