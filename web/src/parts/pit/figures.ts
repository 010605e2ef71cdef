// Small figures: where a hold lies on its line, and how a share is written.

import { money } from '../../lib/money'
import type { Hold, Notice } from '../../lib/wire'
import { pit as t } from '../../texts/en_pit'

/** "3.10 %", with a real minus. */
export function percent(share: number): string {
  return `${share < 0 ? '−' : ''}${(Math.abs(share) * 100).toFixed(2)} %`
}

export type Known = Hold & { actual: number; expected: number; low: number; high: number }

export function isKnown(hold: Hold | null): hold is Known {
  return hold !== null && hold.actual !== null && hold.expected !== null && hold.low !== null && hold.high !== null
}

export function outside(hold: Known): 'below' | 'above' | null {
  return hold.actual < hold.low ? 'below' : hold.actual > hold.high ? 'above' : null
}

/** A place on the line for a share: theory in the middle, all that is told in sight. */
export function onLine(hold: Known, width: number): (share: number) => number {
  const reach = Math.max(...[hold.low, hold.high, hold.actual].map((one) => Math.abs(one - hold.expected)), 0.001) * 1.15
  return (share) => Math.round(((share - hold.expected + reach) / (2 * reach)) * width * 10) / 10
}

/** The time of day, as a clock in the pit shows it. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

/** A notice: whole minutes that it must still stand. */
export function minutesLeft(seconds: number): number {
  return Math.ceil(seconds / 60)
}

/** What a notice says, limits in money of the house. */
export function noticeText({ says, limit }: Notice): string {
  if (!limit) return says
  return t.newLimits(t.table.to(money(limit.minimum), limit.maximum === null ? t.table.noMaximum : money(limit.maximum), money(limit.unit)))
}

/** Of some levels those whose labels have room, the first before the others. */
export function apart(levels: number[], y: (level: number) => number, room: number): number[] {
  return levels.reduce<number[]>(
    (kept, level) => (kept.some((other) => Math.abs(y(level) - y(other)) < room) ? kept : [...kept, level]),
    [],
  )
}
