// What the server tells of a round that is over, step by step. Amounts are minor units.

import { get, post } from '../../lib/api'
import type { Currency } from '../../lib/money'
import { session } from '../../lib/session.svelte'
import type { Replayed, RoundTold as Told, ToldStep } from '../../lib/wire'

export interface ToldEvent {
  name: string
  box?: number
  player?: string
  wager?: string
  burn?: string
  outcome?: string
  beside_dealer?: boolean
  [field: string]: unknown
}

export type RoundStep = Omit<ToldStep, 'event'> & { event: ToldEvent }

/** A round under one book: as it was played, or as the same cards would have come out. */
export type Played = Pick<Replayed, 'rulebook' | 'book_title' | 'minor_digits' | 'settlements' | 'totals'> & {
  steps: RoundStep[]
  says?: string
}
export type RoundTold = Played & Pick<Told, 'table' | 'title' | 'number' | 'shoes'> & {
  /** Each with the moment at which it happened, in milliseconds UTC. */
  events: { at?: number | null }[]
}
export type RecordTold = Played & Pick<Replayed, 'balances' | 'refusals'>

/** Where a round comes from, and how it is asked for under another book. */
export interface Source {
  table: string | null
  number: number | null
  under: (rulebook: string) => Promise<Played>
}

export function roundPath(table: string, number: number): string {
  return `/api/tables/${encodeURIComponent(table)}/rounds/${number}`
}

export function roundSource(table: string, number: number): Source {
  const path = roundPath(table, number)
  return { table, number, under: (book) => get<Played>(`${path}/under?rulebook=${encodeURIComponent(book)}`) }
}

export function recordSource(record: string): Source {
  return { table: null, number: null, under: (rulebook) => post<Played>('/api/replay', { record, rulebook }) }
}

/** How amounts of this round are written. */
export function coinOf(played: Played): Currency {
  const house = session.house
  return { name: house?.currency ?? '', digits: played.minor_digits }
}
