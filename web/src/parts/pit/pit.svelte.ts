// The floor as the server tells it, asked for again and again while somebody looks.

import { get, post } from '../../lib/api'
import type { Pit as PitView } from '../../lib/wire'

const EVERY_MS = 3_000

/** Polls while the page is in sight. `stop` ends it. */
export class Pit {
  view = $state.raw<PitView | null>(null)
  fault = $state<string | null>(null)
  private timer: ReturnType<typeof setTimeout> | undefined
  private isOver = false

  begin(): void {
    void this.look()
  }

  stop(): void {
    this.isOver = true
    clearTimeout(this.timer)
  }

  async look(): Promise<void> {
    clearTimeout(this.timer)
    try {
      if (!document.hidden || this.view === null) this.view = await get<PitView>('/api/pit')
      this.fault = null
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
    }
    clearTimeout(this.timer)
    if (!this.isOver) this.timer = setTimeout(() => void this.look(), EVERY_MS)
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
