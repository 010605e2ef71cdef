// What is seen to happen: events are shown one act at a time, and at the end the felt agrees with the view.

import type { Told } from '../../lib/live.svelte'
import type { View } from '../../lib/wire'
import { fromView, settled, step, toCome, type Shown, type ShownCard, type Worth } from './shown'

/** How long each act is looked at before the next, in milliseconds. */
export const PACE: Record<string, number> = {
  betting_closed: 180,
  card_dealt: 360,
  card_burned: 160,
  wager_settled: 120,
  war_offered: 180,
  war_declared: 160,
}
/** After so long a card that was dealt is turned up: what it is, is not told before. See DealtCard. */
const TURNED = 300
const BEFORE_DEALERS_SECOND = 400
const RESULTS_LIE = 2_500
/** Further behind than this, the page shows how it stands instead of how it came. */
const LONGEST = 9_000

const ENDINGS = new Set(['round_ended', 'round_amended', 'round_voided', 'round_invalidated'])
const MOVING = new Set(['card_dealt', 'card_burned', 'card_placed_ahead', 'wager_settled', ...ENDINGS])

export function pauseAfter(event: Told, next: Told | undefined, shown: Shown): number {
  const isDealersSecond = next?.name === 'card_dealt' && next['box'] === 0 && shown.dealer.length > 0
  return (PACE[event.name] ?? 0) + (isDealersSecond ? BEFORE_DEALERS_SECOND : 0)
}

/** Cards that have come lie still, so that nothing is dealt twice when the page is drawn anew. */
function lain(shown: Shown): Shown {
  const still = (cards: ShownCard[]): ShownCard[] => cards.map((card) => (card.isFresh ? { ...card, isFresh: false } : card))
  return { ...shown, dealer: still(shown.dealer), boxes: shown.boxes.map((one) => ({ ...one, cards: still(one.cards) })) }
}

interface Clock {
  now(): number
  after(ms: number, act: () => void): void
  isHidden(): boolean
}

const browser: Clock = {
  now: () => performance.now(),
  after: (ms, act) => void setTimeout(act, ms),
  isHidden: () => document.hidden,
}

export class Scene {
  shown = $state.raw<Shown | null>(null)
  /** The last event that was shown, for the caller and the strip. */
  told = $state.raw<Told[]>([])
  isMoving = $state(false)
  /** The view as far as it has been shown: signs that tell of results follow the cards too. */
  seen = $state.raw<View | null>(null)
  private view: View | null = null
  /** A card on its way, face down, and how the table was known before it. */
  private down = $state.raw<{ event: Told; before: Shown } | null>(null)
  private queue = $state.raw<Told[]>([])
  private overAt = 0
  /** How many rounds have been seen to end, so that the results of one are not cleared for another. */
  private ends = 0
  private isRunning = false
  /** Which run of acts is shown: what one before it had still to show is not waited for. */
  private chain = 0

  constructor(
    private me: () => string,
    private clock: Clock = browser,
  ) {}

  /** What is shown, as far as it can be told: without a card that still lies face down. */
  get known(): Shown | null {
    return this.down?.before ?? this.shown
  }

  /** What the view has of this player's money that has not been shown yet. */
  get ahead(): Worth {
    return this.shown ? toCome(this.shown, this.queue, this.me()) : { money: 0, layout: 0 }
  }

  /** How the table stands, at first and after a break: what was told of the round is known, and not shown again. */
  stand(view: View, told: Told[] = []): void {
    this.view = view
    this.seen = view
    this.queue = []
    this.down = null
    this.stop()
    this.told = told
    this.shown = fromView(view)
  }

  happened(events: Told[], view: View): void {
    this.view = view
    if (!this.shown || this.clock.isHidden()) {
      this.skip(events)
      return
    }
    const isOver = events.some((one) => ENDINGS.has(one.name))
    const wanted = isOver ? events.filter((one) => one.name !== 'cards_collected') : events
    this.queue = [...this.queue, ...wanted]
    if (this.waits(this.queue) > LONGEST) this.skip([])
    else if (!this.isRunning) this.run()
    else this.isMoving ||= this.hasMoves()
  }

  private hasMoves(): boolean {
    return this.queue.some((one) => MOVING.has(one.name))
  }

  private waits(events: Told[]): number {
    return events.reduce((sum, one) => sum + (PACE[one.name] ?? 0), 0)
  }

  /** Take what is left at once. */
  private skip(events: Told[]): void {
    this.turn()
    for (const event of [...this.queue, ...events]) {
      if (this.shown) this.shown = step(this.shown, event)
      this.note(event)
    }
    this.queue = []
    this.finish()
  }

  private run(): void {
    this.isRunning = true
    this.isMoving = this.hasMoves()
    this.turn()
    for (;;) {
      const [event, ...later] = this.queue
      if (!event || !this.shown) break
      this.queue = later
      this.show(event)
      const pause = pauseAfter(event, this.queue[0], this.shown)
      if (pause > 0) {
        const chain = this.chain
        if (this.down) this.clock.after(TURNED, () => chain === this.chain && this.turn())
        this.clock.after(pause, () => chain === this.chain && this.run())
        return
      }
    }
    this.finish()
  }

  private show(event: Told): void {
    if (!this.shown) return
    if (this.shown.isOver && event.name === 'wager_placed') this.clear(event['player'] === this.me())
    if (event.name === 'card_dealt') this.down = { event, before: this.shown }
    else this.note(event)
    const wasOver = this.shown.isOver
    this.shown = step(this.shown, event)
    if (this.shown.isOver && !wasOver) {
      this.overAt = this.clock.now()
      this.ends += 1
    }
  }

  /** The card on its way is turned up, and can be told. */
  private turn(): void {
    const { down } = this
    this.down = null
    if (down) this.note(down.event)
  }

  /** The last round's cards go: at once when one's own chips come, else after they have been looked at. */
  private clear(isOwn: boolean): void {
    const left = this.overAt + RESULTS_LIE - this.clock.now()
    this.overAt = 0
    this.told = []
    if (isOwn || left <= 0) this.shown = this.view && fromView(this.view)
    else {
      const end = this.ends
      this.clock.after(left, () => {
        if (this.ends === end && this.shown?.isOver && this.view) this.shown = fromView(this.view)
      })
    }
  }

  private note(event: Told): void {
    if (event.name === 'wager_placed' && this.told.some((one) => ENDINGS.has(one.name))) this.told = []
    this.told = [...this.told.slice(-199), event]
  }

  private stop(): void {
    this.isRunning = false
    this.isMoving = false
    this.chain += 1
  }

  private finish(): void {
    this.stop()
    if (!this.view) return
    this.seen = this.view
    this.shown = this.shown && lain(this.shown)
    const isWaiting = this.shown?.isOver && this.clock.now() - this.overAt < RESULTS_LIE && this.overAt > 0
    if (this.shown && isWaiting && this.view.dealer.length === 0) this.shown = settled(this.shown, { ...this.view, boxes: this.view.boxes.map((one) => ({ ...one, wagers: [] })) })
    else this.shown = this.shown ? settled(this.shown, this.view) : fromView(this.view)
  }
}
