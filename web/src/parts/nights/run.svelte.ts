// One run of nights on the server: started, looked at a few times a second, paused, stopped; its exact figures beside.

import { get, post } from '../../lib/api'
import { faultOf } from '../../lib/saying'
import type { NightPlot, NightsTold } from '../../lib/wire'
import { latest } from '../odds/latest'
import { exactPath, type Asked } from './asked'

const OPEN = ['waiting', 'playing', 'paused']
const LOOK_MS = 250
const PAUSED_MS = 1_000
/** A look that does not come back is tried again so often, before the run is given up. */
const MOST_MISSED = 8

export class Run {
  exact = $state.raw<NightPlot | null>(null)
  told = $state.raw<NightsTold | null>(null)
  asked = $state.raw<Asked | null>(null)
  /** What went wrong with the run; figures that come later do not take it back. */
  private runFault = $state<string | null>(null)
  private figuresFault = $state<string | null>(null)
  isStarting = $state(false)
  private timer: ReturnType<typeof setTimeout> | undefined
  private missed = 0
  private isLeft = false
  private figures = latest<Asked, NightPlot>(
    (asked) => get<NightPlot>(exactPath(asked)),
    (answer) => {
      this.exact = answer
      this.figuresFault = null
    },
    (error) => {
      this.exact = null
      this.figuresFault = faultOf(error)
    },
  )

  get fault(): string | null {
    return this.runFault ?? this.figuresFault
  }

  /** Something that the page needs beside the figures has not come. */
  set fault(says: string) {
    this.runFault = says
  }

  get isOpen(): boolean {
    return this.isStarting || OPEN.includes(this.told?.state ?? '')
  }

  /** Nights a second while it was played. */
  get rate(): number {
    const { played, seconds } = this.told ?? {}
    return played && seconds ? played.nights / seconds : 0
  }

  /** Another night is wanted: what was played belongs to the one before. */
  study(asked: Asked, wait?: number): void {
    if (this.isOpen) return
    this.told = null
    this.asked = null
    this.runFault = null
    this.figures.ask(asked, wait)
  }

  async start(asked: Asked): Promise<void> {
    if (this.isOpen) return
    this.isStarting = true
    this.told = null
    this.runFault = null
    this.asked = asked
    this.figures.ask(asked, 0)
    try {
      this.take(await post<NightsTold>('/api/nights', asked))
    } catch (error) {
      this.asked = null
      this.runFault = faultOf(error)
    } finally {
      this.isStarting = false
    }
    if (this.isLeft) this.leave()
  }

  async act(act: 'pause' | 'go_on' | 'stop'): Promise<void> {
    if (!this.told || !this.isOpen) return
    try {
      this.take(await post<NightsTold>(`/api/nights/${this.told.run}`, { act }))
    } catch (error) {
      this.runFault = faultOf(error)
    }
  }

  toggle(): void {
    void this.act(this.told?.state === 'paused' ? 'go_on' : 'pause')
  }

  /** Nobody looks any more: the server need not wait until it has noticed. */
  leave(): void {
    this.isLeft = true
    clearTimeout(this.timer)
    this.figures.stop()
    if (!this.told || !this.isOpen) return
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ act: 'stop' })
    void fetch(`/api/nights/${this.told.run}`, { method: 'POST', body, headers, keepalive: true }).catch(() => {})
  }

  private take(told: NightsTold): void {
    this.told = told
    this.missed = 0
    clearTimeout(this.timer)
    if (OPEN.includes(told.state)) {
      this.timer = setTimeout(() => void this.look(), told.state === 'paused' ? PAUSED_MS : LOOK_MS)
    }
    if (told.state === 'failed') this.runFault = told.says
  }

  private async look(): Promise<void> {
    const run = this.told?.run
    try {
      const told = await get<NightsTold>(`/api/nights/${run}`)
      // What was asked for meanwhile, as a stop, has come with its own answer.
      if (run === this.told?.run && this.isOpen) this.take(told)
    } catch (error) {
      this.missed += 1
      const code = (error as { code?: string }).code
      if (code !== 'no_such_run' && this.missed < MOST_MISSED && this.isOpen) {
        this.timer = setTimeout(() => void this.look(), LOOK_MS * this.missed)
        return
      }
      this.runFault = faultOf(error)
      if (this.told) this.told = { ...this.told, state: 'stopped' }
    }
  }
}
