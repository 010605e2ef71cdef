// The dealer's timer, counted down here between two messages of the server.

import type { Live } from '../../lib/live.svelte'
import type { Timer } from '../../lib/wire'

/** One wait of the dealer: for what, when it ends on this page's clock, and how long it is from when it was first seen. */
export interface Wait {
  kind: string
  ends: number
  whole: number
}

/** Messages of one wait give its end with so much of a difference, by the way they took. */
const SAME_MS = 1_500

/** The wait that a timer tells of: the one before goes on, and another begins full, whatever came before it. */
export function waitOf({ waits_for, left }: Timer, told: number, now: number, before: Wait | null): Wait {
  const ends = told + left
  const isSame = before?.kind === waits_for && Math.abs(ends - before.ends) < SAME_MS
  return { kind: waits_for, ends, whole: isSame ? before.whole : ends - now }
}

/** Counts once `isShown`: cards that are still coming take nothing off the bar. */
export class Countdown {
  private now = $state(0)
  private wait = $state.raw<Wait | null>(null)

  constructor(
    private live: Live,
    isShown: () => boolean,
  ) {
    let before: Wait | null = null
    $effect(() => {
      const timer = this.live.view?.timer
      if (!timer || !isShown()) return
      this.now = performance.now()
      this.wait = before = waitOf(timer, this.live.at, performance.now(), before)
      const every = setInterval(() => (this.now = performance.now()), 200)
      return () => clearInterval(every)
    })
  }

  get waitsFor(): string | null {
    return this.live.view?.timer?.waits_for ?? null
  }
  /** Milliseconds left. */
  get left(): number {
    const timer = this.live.view?.timer
    return timer ? Math.max(0, timer.left - Math.max(0, this.now - this.live.at)) : 0
  }
  get seconds(): number {
    return Math.ceil(this.left / 1000)
  }
  /** Milliseconds that it began with. */
  get whole(): number {
    return this.wait?.whole ?? 0
  }
  /** Which part is left, 0 to 1. */
  get part(): number {
    return this.wait && this.wait.whole > 0 ? Math.min(1, this.left / this.wait.whole) : 1
  }
}
