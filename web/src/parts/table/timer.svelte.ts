// The dealer's timer, counted down here between two messages of the server.

import type { Live } from '../../lib/live.svelte'

export class Countdown {
  private now = $state(0)
  private longest = $state(1)
  private kind = ''

  constructor(private live: Live) {
    $effect(() => {
      const timer = this.live.view?.timer
      if (!timer) {
        this.kind = ''
        return
      }
      this.now = performance.now()
      if (timer.waits_for !== this.kind) this.longest = timer.left
      else this.longest = Math.max(this.longest, timer.left)
      this.kind = timer.waits_for
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
  /** Which part is left, 0 to 1. */
  get part(): number {
    return this.longest > 0 ? Math.min(1, this.left / this.longest) : 0
  }
}
