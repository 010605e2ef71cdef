// What the console remembers of the round: the steps taken, what was settled, the faces entered last.

import { get } from '../../lib/api'
import type { Command, Live, Told } from '../../lib/live.svelte'
import type { LiveView, Refused, Step, View } from '../../lib/wire'
import { cardWords } from '../glyphs'
import { dealer as t } from '../../texts/en_dealer'
import { hasRole } from '../../lib/session.svelte'
import { preview } from './preview'
import { doneWith, passed, type Done, type Held } from './lines'
import { settledOf, type Settled } from './settling'
import { sentence } from '../../lib/saying'

const LAST_ENTERED = 8
const ENDS = ['round_ended', 'round_voided', 'round_invalidated']
const MOST_TRIES = 5

/** What one command brought, and what was due then. */
export interface ActDone {
  events: Told[]
  procedure: Step[]
  held: Held
}

export function heldIn(view: View): Held {
  const held: Held = { 0: view.dealer.length }
  for (const box of view.boxes) held[box.box] = box.cards.length
  return held
}

interface Typed {
  card: string
  isCorrecting: boolean
}

export class DealersConsole {
  done = $state.raw<Done[]>([])
  settled = $state.raw<Settled[]>([])
  /** A face nobody saw is null. */
  entered = $state.raw<(string | null)[]>([])
  refusal = $state.raw<Refused | null>(null)
  /** Cards that were typed behind what was refused, and went nowhere. */
  unentered = $state.raw<string[]>([])
  isBusy = $state(false)
  /** Real cards: the next act turns a card whose face is to be entered. */
  isFaceDue = $state(false)
  /** Where the last card went, which most incidents are about. */
  lastBox = $state<number | null>(null)
  /** The player to whom the bank was offered last, as long as nothing else is due. */
  offered = $state<string | null>(null)
  /** What a screen reader hears. */
  says = $state('')
  /** Cards that were typed while something was under way, as a scanner does. */
  private typed: Typed[] = []
  private steps: Step[] = []
  private refusedAt = ''
  private held: Held = {}
  private isOver = false
  /** The round of the list has ended: what comes next begins another. */
  private isListOver = false
  private snapshots = 0
  /** Version and head of the last look ahead: a view in which the table has not moved is not looked into again. */
  private lookedAt = ''

  constructor(readonly live: Live) {}

  /** The view as it is shown now; what happens next is compared with it. */
  see(view: LiveView): void {
    if (this.live.snapshots !== this.snapshots) void this.recall()
    this.snapshots = this.live.snapshots
    this.steps = view.view.procedure
    const head = this.steps[0]
    // A refusal is about the act that was due: with another one due, or its request gone, it says nothing any more.
    const request = this.refusal?.request
    const isGone = request && !view.signatures.some((due) => due.request === request)
    if (isGone || JSON.stringify(head) !== this.refusedAt) {
      this.refusal = null
      this.unentered = []
    }
    this.keepOffer(head)
    this.held = heldIn(view.view)
    void this.lookAhead(view)
  }

  private keepOffer(head: Step | undefined): void {
    if (head?.act !== 'offer_bank' || head.player !== this.offered) this.offered = null
  }

  /** Whether the next act needs a face: a card that was seen before its time does not, a card burned face up does. */
  private async lookAhead(view: LiveView): Promise<void> {
    const head = view.view.procedure[0]
    const act = head?.act
    if (view.dealer_kind !== 'real' || (act !== 'draw' && act !== 'burn') || !hasRole('dealer')) {
      this.isFaceDue = false
      this.lookedAt = ''
      return
    }
    const at = JSON.stringify([view.version, head])
    if (at === this.lookedAt) return
    this.lookedAt = at
    this.isFaceDue = act === 'draw'
    try {
      const told = await preview(this.live.table, { do: 'next' }, 'dealer', view.version)
      if (this.lookedAt === at) this.isFaceDue = told.refused?.code === 'card_unseen'
    } catch {
      // Without the preview the table itself says so when the act is tried; the next view is looked into again.
      if (this.lookedAt === at) this.lookedAt = ''
    }
  }

  /** A snapshot, after loading or a break, tells nothing of what was done before: the server does. */
  private async recall(): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      try {
        const told = await get<{ version: number; acts: ActDone[] }>(`/api/tables/${encodeURIComponent(this.live.table)}/acts`)
        // What has happened meanwhile is not in it.
        if (told.version === this.live.view?.version) return this.again(told.acts)
      } catch {
        return // The list goes on from here.
      }
    }
  }

  /** The list from its beginning. */
  again(acts: ActDone[]): void {
    this.done = []
    this.entered = []
    this.settled = []
    this.steps = []
    this.held = {}
    this.isOver = this.isListOver = false
    for (const act of acts) {
      this.follow(act.events, act.procedure)
      this.keepOffer(act.procedure[0])
      this.steps = act.procedure
      this.held = act.held
    }
  }

  happened(events: Told[]): void {
    const view = this.live.view
    if (view) this.follow(events, view.view.procedure)
  }

  private follow(events: Told[], now: Step[]): void {
    const names = events.map((event) => event.name)
    const steps = passed(this.steps, now, names)
    if (steps.length && this.isListOver) this.done = []
    if (steps.length) this.isListOver = false
    this.done = doneWith(this.done, steps, this.held)
    this.isListOver ||= names.some((name) => ENDS.includes(name))
    for (const event of events) this.note(event)
  }

  private note(event: Told): void {
    switch (event.name) {
      case 'wager_placed':
        if (this.isOver) this.settled = []
        this.isOver = false
        break
      case 'bank_offered':
        this.offered = event['player'] as string
        break
      case 'wager_settled':
      case 'wager_limited':
      case 'match_limited':
        this.settled = [...this.settled, ...settledOf([event])]
        break
      case 'round_voided':
      case 'round_invalidated':
        this.settled = []
        break
      case 'round_ended':
        this.isOver = true
        break
      case 'card_dealt':
        this.lastBox = (event['box'] as number) || this.lastBox
        this.face(event)
        break
      case 'card_burned':
      case 'card_placed_ahead':
        this.face(event)
        break
      case 'card_corrected':
        this.entered = [...this.entered.slice(0, -1), event['card'] as string]
        break
    }
  }

  private face(event: Told): void {
    this.entered = [...this.entered, (event['card'] as string | null) ?? null].slice(-LAST_ENTERED)
  }

  /**
   * One command of the dealer. While it is under way no other is sent, so that a key held down does nothing twice; only
   * cards wait for it, and go nowhere if it is refused.
   */
  async send(command: Command, reason = ''): Promise<boolean> {
    if (this.isBusy) return false
    this.isBusy = true
    const answer = await this.live.do(command, { as: 'dealer', reason })
    this.isBusy = false
    this.refusal = answer.type === 'refused' ? answer : null
    this.refusedAt = JSON.stringify(this.live.view?.view.procedure[0])
    if (answer.type === 'refused') {
      this.unentered = this.typed.splice(0).map(({ card }) => card)
      const behind = this.unentered.length ? ` ${t.entry.unentered(this.unentered.map(cardWords))}` : ''
      this.says = sentence(answer.says) + behind
      return false
    }
    this.unentered = []
    void this.enterNext()
    return true
  }

  next(): Promise<boolean> {
    return this.send({ do: 'next' })
  }

  /** A call for the floor waits for nothing that is under way, and stands in nobody's way. */
  async call(command: Command, says: string): Promise<void> {
    const answer = await this.live.do(command, { as: 'dealer' })
    if (answer.type === 'refused') this.refusal = answer
    this.says = answer.type === 'refused' ? sentence(answer.says) : says
  }

  async enter(card: string, isCorrecting: boolean): Promise<void> {
    this.typed.push({ card, isCorrecting })
    if (!this.isBusy) await this.enterNext()
  }

  private async enterNext(): Promise<void> {
    const next = this.typed.shift()
    if (!next) return
    const { card, isCorrecting } = next
    const isDone = await this.send({ do: isCorrecting ? 'correct_card' : 'enter', card })
    if (isDone) this.says = isCorrecting ? t.entry.corrected(cardWords(card)) : t.entry.entered(cardWords(card))
  }
}
