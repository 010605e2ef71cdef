// What the server tells of a round that is over, step by step. Amounts are minor units.

import { get, post } from '../../lib/api'
import type { Currency } from '../../lib/money'
import { session } from '../../lib/session.svelte'
import type { View } from '../../lib/wire'

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

export interface RoundStep {
  says: string
  clauses: string[]
  event: ToldEvent
  view: View
}

export interface Settlement {
  box: number
  player: string
  wager: string
  label: string
  amount: number
  outcome: string
  pays: string | null
  paid: number
  returned: number
  net: number
  clauses: string[]
}

export interface BoxTotal {
  box: number
  player: string
  net: number
}

/** A round under one book: as it was played, or as the same cards would have come out. */
export interface Played {
  rulebook: string
  book_title: string
  says?: string
  /** How many digits of an amount stand behind the point; a record has its own. */
  minor_digits?: number
  steps: RoundStep[]
  settlements: Settlement[]
  totals: BoxTotal[]
}

export interface RoundTold extends Played {
  table: string
  title: string
  number: number
  shoes: number[]
  /** Each with the moment at which it happened, in milliseconds UTC. */
  events: { at?: number | null }[]
}

export interface RecordTold extends Played {
  balances: Record<string, number>
  refusals?: string[]
}

export interface BookLine {
  id: string
  title: string
  short?: string
}

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
  return { name: house?.currency ?? '', digits: played.minor_digits ?? house?.minor_digits ?? 0 }
}

export { faultOf } from '../lobby/saying'
