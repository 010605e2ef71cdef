// A player's acts at one table: each is a command, and a refusal is told with its clause. What may be done is the
// view's to say; the limits here only save a chip that could never lie.

import { connection, type Command, type Live } from '../../lib/live.svelte'
import { money } from '../../lib/money'
import { promise, randomHex } from '../../lib/proof'
import { faultOf, sentence } from '../../lib/saying'
import { Sending } from '../../lib/sending.svelte'
import type { LiveView, View } from '../../lib/wire'
import { tt } from '../../texts/en_table'
import { stakeFor, tray } from './chips'
import { labelOf, type Ruling } from './words'

export interface Bet {
  box: number
  wager: string
  amount: number
}

/** A limit that was passed, by its name and amount. */
function limitWords(code: string, command: Command, view: View): string | null {
  const { box_maximum, player_maximum } = view.signs
  if (code === 'area_above_maximum' && box_maximum !== null) return tt.areaMost(money(box_maximum))
  if (code === 'player_above_maximum' && player_maximum !== null) return tt.ownMost(money(player_maximum))
  const spot = view.layout.find((one) => one.wager === command['wager'])
  if (!spot) return null
  if (code === 'wager_above_maximum' && spot.limit.maximum !== null) return tt.atMost(money(spot.limit.maximum), spot.label)
  if (code === 'wager_off_unit') return tt.inUnits(money(spot.limit.unit), spot.label)
  return code === 'wager_below_minimum' ? tt.atLeast(money(spot.limit.minimum), spot.label) : null
}

/** How long a refusal is told where nothing else happens. */
const REFUSAL_MS = 6_000

export class Play {
  chosen = $state(0)
  /** The box that was chosen to bet on, where only one is seen large; one's own without it. */
  at = $state<number | null>(null)
  refusal = $state.raw<Ruling | null>(null)
  /** Chips over their spots that are not put down yet, at a table where a wager stays as it was put down. */
  held = $state.raw<Bet[]>([])
  private refilling = new Sending()
  private told = ''
  private lasts = false
  private done = 0
  private seats = new Map<number, number>()
  private clearing: ReturnType<typeof setTimeout> | undefined
  private row: Promise<void> = Promise.resolve()
  /** Whether this player has let the bank pass since it was last taken. */
  hasDeclined = $state(false)
  /** Entropy of this browser by the commitment it was promised under. */
  private entropy = new Map<string, string>()
  private shownFor = new Set<string>()

  constructor(
    readonly live: Live,
    readonly me: () => string,
  ) {}

  get now(): LiveView {
    if (!this.live.view) throw new Error('no view yet')
    return this.live.view
  }
  get view(): View {
    return this.now.view
  }
  get chips() {
    const tops = this.view.layout.map((spot) => spot.limit.maximum ?? Infinity)
    return tray(this.view.signs.limit.unit, this.now.minor_digits, Math.max(...tops))
  }
  get chip(): number {
    return (this.chips[this.chosen]?.value ?? 1) * 10 ** this.now.minor_digits
  }
  get own(): number | null {
    return this.now.seats.find((seat) => seat.player === this.me())?.box ?? null
  }
  get isLeaving(): boolean {
    return this.now.seats.some((seat) => seat.player === this.me() && seat.is_leaving)
  }
  get bets(): Bet[] {
    return this.view.boxes.flatMap((one) =>
      one.wagers.filter(([who]) => who === this.me()).map(([, wager, amount]) => ({ box: one.box, wager, amount })),
    )
  }
  get onLayout(): number {
    return this.bets.reduce((sum, bet) => sum + bet.amount, 0)
  }
  get money(): number {
    return (this.view.balance ?? 0) + (this.now.purse ?? 0)
  }
  /** What this player had down in the last round they bet in, without the war's own wagers: on the same boxes, and what
   * lay on their own box on that where they sit now. */
  get before(): Bet[] {
    for (const line of [...this.now.rounds].sort((a, b) => b.number - a.number)) {
      const mine = line.wagers.filter(([, wager, who]) => who === this.me() && !wager.startsWith('war'))
      const sat = this.seats.get(line.number)
      if (mine.length > 0) return mine.map(([box, wager, , amount]) => ({ box: box === sat ? (this.own ?? box) : box, wager, amount }))
    }
    return []
  }
  /** Which box was this player's own when a round was dealt. */
  sitsIn(round: number, phase: View['phase'], own: number | null): void {
    if (phase !== 'betting' && own !== null) this.seats.set(round, own)
  }

  /** What "Same again" would put down: "5 on Casino War", or "65: 50, 5, 5, 5" of several. */
  get again(): string {
    const [first, ...others] = this.before
    if (!first) return ''
    if (others.length === 0) return tt.sameAgainOn(money(first.amount), labelOf(this.view.layout, first.wager))
    const isOne = others.every((bet) => bet.box === first.box)
    const parts = isOne ? this.before.map((bet) => money(bet.amount)) : this.parts(this.before)
    return tt.sameAgainOf(money(this.before.reduce((sum, bet) => sum + bet.amount, 0)), parts)
  }

  /** Whether this player has a place there: for a first wager, or on the second card in the same area. */
  isOpen(box: number, wager: string): boolean {
    if (this.live.fault || this.own === null) return false
    const places = this.view.boxes[box - 1]?.open_wagers ?? []
    return places.includes(this.view.phase === 'betting' ? wager : `war_${wager}`)
  }
  /** Whether what lies can still be changed: a place that takes no more of a wager holds it. */
  get canChange(): boolean {
    return this.held.length > 0 || this.areAllOpen(this.bets)
  }
  private areAllOpen(bets: Bet[]): boolean {
    return bets.length > 0 && bets.every((bet) => this.view.boxes[bet.box - 1]?.open_wagers.includes(bet.wager))
  }

  async act(command: Command): Promise<boolean> {
    this.forget()
    const answer = await this.live.do(command)
    if (answer.type === 'done') return true
    // A table that has gone meanwhile has no view to tell its limits.
    const limit = this.live.view ? limitWords(answer.code, command, this.view) : null
    this.refuse(limit ?? answer.says, answer.clauses)
    return false
  }

  /** What `lasts` is told for its whole time, whatever the table has to say meanwhile. */
  refuse(says: string, clauses: string[] = [], lasts = false): void {
    this.forget()
    this.lasts = lasts
    this.refusal = { says: sentence(says), clauses, kind: 'refused' }
    this.clearing = setTimeout(() => this.forget(), REFUSAL_MS)
  }
  forget(): void {
    clearTimeout(this.clearing)
    this.lasts = false
    this.refusal = null
  }
  /** What the table says now: a refusal gives way to the next thing that it has to say. */
  hear(says: string): void {
    if (says !== this.told && !this.lasts) this.forget()
    this.told = says
  }

  sit(box: number): Promise<boolean> {
    return this.act({ do: 'sit', box })
  }
  leave(): Promise<boolean> {
    return this.act({ do: 'leave' })
  }
  /** Whether this player has nothing down and too little for the least wager. */
  get isBroke(): boolean {
    return this.own !== null && this.bets.length === 0 && this.money < Math.min(...this.view.layout.map((spot) => spot.limit.minimum))
  }
  /** The house fills the purse again; what is in it now comes with a new snapshot. */
  async refill(): Promise<void> {
    this.forget()
    if (this.refilling.isBusy) return
    try {
      await this.refilling.post('/api/me/refill', {})
      connection.ask(this.live)
    } catch (error) {
      this.refuse(faultOf(error))
    }
  }

  /** A chip on a spot; on one's own war spot, the war itself. */
  async pick(box: number, wager: string): Promise<boolean> {
    if (wager === 'war') return this.war()
    if (this.own === null) return this.sit(box)
    const isLater = this.view.phase !== 'betting'
    const kind = isLater ? `war_${wager}` : wager
    const limit = this.view.layout.find((spot) => spot.wager === kind)?.limit ?? this.view.signs.limit
    const lies = [...this.bets, ...this.held].find((bet) => bet.box === box && bet.wager === kind)?.amount ?? 0
    const bet = { box, wager: kind, amount: stakeFor(this.chip, lies, limit) }
    if (!this.view.is_bet_final || !this.areAllOpen([bet])) return this.place(bet)
    this.forget()
    this.held = [...this.held.filter((one) => one.box !== box || one.wager !== kind), { ...bet, amount: lies + bet.amount }]
    return true
  }
  /** How much is held, and its parts. */
  get inHand(): [string, string[]] {
    return [money(this.held.reduce((sum, bet) => sum + bet.amount, 0)), this.parts(this.held)]
  }
  /** Put down what is held, the first wager before those that hang on it. */
  placeHeld(): Promise<void> {
    const order = this.view.layout.map((spot) => spot.wager)
    return this.each(() =>
      [...this.held]
        .sort((a, b) => order.indexOf(a.wager) - order.indexOf(b.wager))
        .map((bet) => async () => {
          const isDone = await this.place(bet)
          if (isDone) this.held = this.held.filter((one) => one !== bet)
          return isDone
        }),
    )
  }
  /** What can be put down no more is let go. It is told that it was not placed, also where a whole round has passed. */
  letGo(): void {
    const done = Math.max(0, ...this.now.rounds.map((line) => line.number))
    const left = this.held.filter((bet) => this.areAllOpen([bet]))
    const isPlaced = (bet: Bet): boolean => this.bets.some((one) => one.box === bet.box && one.wager === bet.wager)
    const isLost = this.held.some((bet) => (done !== this.done || !left.includes(bet)) && !isPlaced(bet))
    if (left.length < this.held.length) this.held = left
    this.done = done
    if (isLost) this.refuse(tt.notPlaced, [], true)
  }

  place(bet: Bet): Promise<boolean> {
    return this.act({ do: 'place_wager', player: this.me(), ...bet, called: false, coupon: 0 })
  }

  /** One row of acts after the other: what a key asks for is not lost, and is made up when its turn comes. */
  private each(made: () => (() => Promise<boolean>)[]): Promise<void> {
    this.row = this.row.then(async () => {
      for (const act of made()) if (!(await act())) break
    })
    return this.row
  }

  bet(): Promise<boolean> {
    const wager = this.view.layout[0]?.wager ?? 'initial'
    const box = this.at !== null && this.isOpen(this.at, wager) ? this.at : this.own
    return box === null || this.own === null ? Promise.resolve(false) : this.pick(box, wager)
  }
  repeat(): Promise<void> {
    return this.each(() => {
      const there = [...this.bets, ...this.held]
      const missing = this.before.filter((bet) => !there.some((one) => one.box === bet.box && one.wager === bet.wager))
      if (this.view.is_bet_final) this.held = [...this.held, ...missing.filter((bet) => this.areAllOpen([bet]))]
      return this.view.is_bet_final ? [] : missing.map((bet) => () => this.place(bet))
    })
  }
  double(): Promise<void> {
    if (this.held.length > 0) {
      this.held = this.held.map((bet) => ({ ...bet, amount: 2 * bet.amount }))
      return this.row
    }
    return this.each(() => this.bets.map((bet) => () => this.place(bet)))
  }
  /** Side wagers first: a book may not let the main one go before them. */
  clear(): Promise<void> {
    if (this.held.length > 0) {
      this.held = []
      return this.row
    }
    return this.each(() => [...this.bets].reverse().map(({ box, wager }) => () => this.act({ do: 'withdraw_wager', player: this.me(), box, wager })))
  }
  ready(): Promise<boolean> {
    return this.act({ do: 'ready' })
  }
  /** What this player had down in the last round, and what it came to. */
  get last(): { wagers: number; net: number } {
    const line = this.now.rounds.reduce((found, one) => (one.number > (found?.number ?? -1) ? one : found), this.now.rounds[0])
    const mine = line?.wagers.filter(([, , who]) => who === this.me()) ?? []
    return { wagers: mine.length, net: mine.reduce((sum, [, , , amount, , paid, returned]) => sum + paid + returned - amount, 0) }
  }
  get isBanker(): boolean {
    return this.view.bank?.player === this.me()
  }
  /** Others have bet and are waited for no longer than this player: who bets nothing can say so, and so can the bank. */
  get isAwaited(): boolean {
    return this.own !== null && this.view.phase === 'betting' && this.bets.length === 0 && this.view.boxes.some((one) => one.wagers.length > 0)
  }
  get choice() {
    return this.view.choices.find((one) => one.player === this.me()) ?? null
  }
  async war(): Promise<boolean> {
    return this.choice ? this.act({ do: 'go_to_war', player: this.me(), box: this.choice.box }) : false
  }
  async surrender(): Promise<boolean> {
    return this.choice ? this.act({ do: 'surrender', player: this.me(), box: this.choice.box, reason: '' }) : false
  }
  cut(position: number): Promise<boolean> {
    return this.act({ do: 'cut', position, player: this.me() })
  }
  viewBurn(): Promise<boolean> {
    return this.act({ do: 'view_initial_burn', player: this.me() })
  }
  declineCut(): Promise<boolean> {
    return this.act({ do: 'decline_cut', player: this.me() })
  }
  acceptBank(stake: number): Promise<boolean> {
    return this.act({ do: 'accept_bank', player: this.me(), box: this.own ?? 0, stake })
  }
  async declineBank(): Promise<boolean> {
    const isDone = await this.act({ do: 'decline_bank', player: this.me() })
    this.hasDeclined ||= isDone
    return isDone
  }
  relinquishBank(): Promise<boolean> {
    return this.act({ do: 'relinquish_bank', player: this.me() })
  }

  /** This browser's part of the shuffle, made and told without being asked: first the promise, then the bytes. */
  async addEntropy(): Promise<void> {
    const { stage, commitment } = this.now.seal
    const seat = this.own
    if (seat === null || !commitment) return
    const key = `${commitment}/${seat}`
    if (stage === 'promising' && !this.entropy.has(key)) {
      const bytes = randomHex(32)
      this.entropy.set(key, bytes)
      await this.live.do({ do: 'promise_entropy', promise: promise(commitment, seat, bytes) })
    } else if (stage === 'showing' && this.entropy.has(key) && !this.shownFor.has(key)) {
      this.shownFor.add(key)
      const entropy = this.entropy.get(key)!
      const answer = await this.live.do({ do: 'add_entropy', entropy })
      if (answer.type === 'done') this.live.shoe.add(entropy)
    }
  }

  /** "Primary 40, Tie 5" of what lies; with the box where there are several. */
  parts(bets: Bet[]): string[] {
    const isOne = new Set(bets.map((bet) => bet.box)).size < 2
    return bets.map((bet) => {
      const says = `${labelOf(this.view.layout, bet.wager)} ${money(bet.amount)}`
      return isOne ? says : tt.onBox(says, bet.box)
    })
  }
}
