// The floor as the server tells it: asked for again and again while somebody looks, and sooner when something has come
// to wait for the floor.

import { get, post } from '../../lib/api'
import { connection } from '../../lib/live.svelte'
import type { Pit as PitView } from '../../lib/wire'

const EVERY_MS = 3_000
/** So long the pit rests after a look, however much changes: one player who comes and goes must not hurry it. */
const REST_MS = 500

/** Polls while the page is in sight. `stop` ends it. */
export class Pit {
  view = $state.raw<PitView | null>(null)
  fault = $state<string | null>(null)
  /** When the view came, by this page's clock. */
  at = $state(0)
  private timer: ReturnType<typeof setTimeout> | undefined
  private isOver = false
  private unwatch: () => void = () => undefined
  /** A look is under way, and something has changed since it began. */
  private isLooking = false
  private isStale = false
  private lookedAt = -REST_MS

  begin(): void {
    this.unwatch = connection.watchFloor(() => this.hasten())
    void this.look()
  }

  /** Many changes at once are one look, and one after it. */
  private hasten(): void {
    this.isStale = true
    if (!this.isLooking) this.plan()
  }

  /** The next look. */
  private plan(): void {
    clearTimeout(this.timer)
    const pause = this.isStale ? Math.max(0, this.lookedAt + REST_MS - performance.now()) : EVERY_MS
    if (!this.isOver) this.timer = setTimeout(() => void this.look(), pause)
  }

  stop(): void {
    this.isOver = true
    this.unwatch()
    clearTimeout(this.timer)
  }

  async look(): Promise<void> {
    clearTimeout(this.timer)
    this.isLooking = true
    this.isStale = false
    try {
      if (!document.hidden || this.view === null) this.view = await get<PitView>('/api/pit')
      this.at = performance.now()
      this.fault = null
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
    }
    this.isLooking = false
    this.lookedAt = performance.now()
    this.plan()
  }

  async audit(reason: string): Promise<void> {
    try {
      await post('/api/pit/audit', { reason })
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
    }
    await this.look()
  }
}
