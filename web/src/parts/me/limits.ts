// A player's own limits as they are typed, and moments as they are told.

import { money, parseMoney, type Currency } from '../../lib/money'

export type Typed = { value: number | null } | { fault: 'loss' | 'minutes' }

/** Empty is no limit; a limit of nothing is one too. */
export function typedLoss(text: string, currency?: Currency): Typed {
  if (!text.trim()) return { value: null }
  const value = currency ? parseMoney(text, currency) : parseMoney(text)
  return value === null || value > Number.MAX_SAFE_INTEGER ? { fault: 'loss' } : { value }
}

export function typedMinutes(text: string): Typed {
  const trimmed = text.replace(/[,\s]/g, '')
  if (!trimmed) return { value: null }
  const value = /^\d{1,4}$/.test(trimmed) ? Number(trimmed) : 0
  return value >= 1 && value <= 1_440 ? { value } : { fault: 'minutes' }
}

/** A limit as it would be typed. */
export function shownLoss(limit: number | null): string {
  return limit === null ? '' : money(limit)
}

export function shownMinutes(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

/** "16 Nov 2026, 14:05", in the reader's own time. */
export function moment(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).replace(' at ', ', ')
}
