// Words that several parts of the table say: wagers in the book's own names, limits, and notices of what is to come.

import { timeIn } from '../../lib/clock'
import { money } from '../../lib/money'
import type { Notice, WagerSpot } from '../../lib/wire'
import { tt } from '../../texts/en_table'

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export function labelOf(layout: WagerSpot[], wager: string): string {
  return layout.find((spot) => spot.wager === wager)?.label ?? wager.replaceAll('_', ' ')
}

/** "5 to 500", "from 5". */
export function limitWords({ minimum, maximum }: { minimum: number; maximum: number | null }): string {
  return maximum === null ? tt.limitFrom(money(minimum)) : tt.limitRange(money(minimum), money(maximum))
}

/** A sign of what is to come, by the minutes that it must still stand. */
export function noticeWords({ about, says, seconds_left, limit }: Notice): string {
  const minutes = Math.ceil(seconds_left / 60)
  if (about === 'closing') return tt.closesIn(minutes, timeIn(seconds_left))
  if (!limit) return tt.newDecks(minutes, capital(says))
  return tt.newLimits(minutes, limitWords(limit), money(limit.unit))
}
