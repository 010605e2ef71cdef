// What came of a player's wagers while nobody looked: the page was closed, hidden, or without a connection. This browser
// keeps, for each table, when the last round ended that the player has seen.

import { money, signed } from '../../lib/money'
import type { RoundLine } from '../../lib/wire'
import { tt } from '../../texts/en_table'

const KEY = 'casinowar-seen'
const MOST_TABLES = 20

type Seen = [place: string, at: number][]

function kept(): Seen {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? (found as Seen) : []
  } catch {
    return []
  }
}

/** "box 1 surrendered, back 5", of each box with a wager of this player. */
function boxWords(line: RoundLine, me: string): string[] {
  const mine = line.wagers.filter(([, , who]) => who === me)
  return [...new Set(mine.map(([box]) => box))].map((box) => {
    const there = mine.filter(([at]) => at === box)
    const back = there.find(([, , , , outcome]) => outcome === 'surrender')?.[6]
    const net = there.reduce((sum, [, , , amount, , paid, returned]) => sum + paid + returned - amount, 0)
    return back === undefined ? tt.awayCame(box, signed(net)) : tt.awaySurrendered(box, money(back))
  })
}

export class Away {
  private isBack = true
  private place: string
  private seen: number | null

  constructor(table: string, private me: string) {
    this.place = `${me}/${table}`
    this.seen = kept().find(([place]) => place === this.place)?.[1] ?? null
  }

  /** Nobody looks any more, or it is not known what has happened since. */
  leave(): void {
    this.isBack = true
  }
  /** Somebody looks at these rounds: what is to be told of them, if they have come back to it. */
  look(rounds: RoundLine[]): string {
    const { seen, isBack } = this
    const missed = seen === null ? [] : rounds.filter((one) => (one.at ?? 0) > seen && one.wagers.some(([, , who]) => who === this.me))
    this.isBack = false
    this.note(Math.max(seen ?? 0, ...rounds.map((one) => one.at ?? 0)))
    return isBack && missed.length > 0 ? tt.whileAway(missed.flatMap((one) => boxWords(one, this.me))) : ''
  }

  private note(at: number): void {
    if (at === this.seen) return
    this.seen = at
    const others = kept().filter(([place]) => place !== this.place)
    try {
      localStorage.setItem(KEY, JSON.stringify([[this.place, at], ...others].slice(0, MOST_TABLES)))
    } catch {
      // Without storage only what comes while the page is open is known.
    }
  }
}
