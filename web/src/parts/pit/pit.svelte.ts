// The floor as the server tells it, asked for again and again while somebody looks.

import { get, post } from '../../lib/api'
import type { Limit, Notice, SignatureDue, Step, TableSettings } from '../../lib/wire'

export interface Hold {
  rounds: number
  staked: number
  won: number
  actual: number | null
  expected: number | null
  low: number | null
  high: number | null
}

export interface PitTable {
  name: string
  title: string
  rulebook: string
  book_title?: string
  phase: string
  round: number
  float: number | null
  meter: number | null
  limit: Limit
  notices: Notice[]
  seats: number
  players: string[]
  is_paused: boolean
  stopped: string | null
  incident: string | null
  signatures: SignatureDue[]
  /** The next step of the procedure, where it is the floor's. */
  due?: Step | null
  hold: Hold | null
  version?: number
  boxes?: number
  taken?: number[]
  dealer_kind?: string
  is_closed?: boolean
  /** Of a table that is closed, how it was opened. */
  settings?: TableSettings | null
}

export interface Incident {
  table: string
  at: number
  says: string
  clauses: string[]
}

export interface FloorPoint {
  rounds: number
  actual: number
  expected: number
  low: number
  high: number
}

export interface PitView {
  tables: PitTable[]
  audit: { state: string; at: number | null; findings: string[] }
  unopened: number
  trial_balance: number
  out_of_service: string | null
  incidents?: Incident[]
  floor?: FloorPoint[]
}

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
