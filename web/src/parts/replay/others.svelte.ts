// The same cards under other books: each asked for once, and shown as it comes.

import { SvelteMap } from 'svelte/reactivity'
import { get } from '../../lib/api'
import { faultOf } from '../../lib/saying'
import type { BookLine, Settlement, Total } from '../../lib/wire'
import type { Played, Source } from './wire'

export type Other = { played: Played } | { fault: string }

export class Others {
  books = $state.raw<BookLine[]>([])
  chosen = $state<string | null>(null)
  fault = $state<string | null>(null)
  readonly found = new SvelteMap<string, Other>()

  constructor(
    private source: Source,
    readonly own: Played,
  ) {
    this.found.set(own.rulebook, { played: own })
    void this.read()
  }

  titleOf(id: string): string {
    const book = this.books.find((one) => one.id === id)
    return book?.short ?? (id === this.own.rulebook ? this.own.book_title : id)
  }

  private async read(): Promise<void> {
    try {
      this.books = await get<BookLine[]>('/api/rulebooks')
    } catch (error) {
      this.fault = faultOf(error)
      return
    }
    this.chosen = this.books.find((book) => book.id !== this.own.rulebook)?.id ?? null
    for (const book of this.books) await this.play(book.id)
  }

  private async play(id: string): Promise<void> {
    if (this.found.has(id)) return
    try {
      this.found.set(id, { played: await this.source.under(id) })
    } catch (error) {
      this.found.set(id, { fault: faultOf(error) })
    }
  }
}

/** What is this player's on this box. A book with fewer boxes may have the only box of a player elsewhere. */
export function ofFocus<T extends { box: number; player: string }>(rows: readonly T[], focus: Total): T[] {
  const own = rows.filter((row) => row.player === focus.player)
  const here = own.filter((row) => row.box === focus.box)
  return here.length || new Set(own.map((row) => row.box)).size !== 1 ? here : own
}

export interface Pair {
  wager: string
  label: string
  amount: number
  here: Settlement | null
  there: Settlement | null
}

/** The wagers of one player on one box in two books, side by side, in the order of the first. */
export function pairs(here: Settlement[], there: Settlement[]): Pair[] {
  const left = [...there]
  const found: Pair[] = here.map((row) => {
    const at = left.findIndex((one) => one.wager === row.wager)
    const other = at < 0 ? null : (left.splice(at, 1)[0] ?? null)
    return { wager: row.wager, label: row.label, amount: row.amount, here: row, there: other }
  })
  return [...found, ...left.map((row) => ({ wager: row.wager, label: row.label, amount: row.amount, here: null, there: row }))]
}

export function isDifferent(pair: Pair): boolean {
  return pair.here?.net !== pair.there?.net
}
