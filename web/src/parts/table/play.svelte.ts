// A player's acts at one table: each is a command, and a refusal is told with its clause. What may be done is the
// view's to say; the limits here only save a chip that could never lie.

import { connection, type Command, type Live } from '../../lib/live.svelte'
import { money } from '../../lib/money'
import { promise, randomHex } from '../../lib/proof'
import { faultOf, sentence } from '../../lib/saying'
import { Sending } from '../../lib/sending.svelte'
import { Wishes } from '../../lib/wishes.svelte'
import type { LiveView, View } from '../../lib/wire'
import { t } from '../../texts'
import { tt } from '../../texts/en_table'
import { leastWager, possible, type Bet } from './again'
import { stakeFor, tray } from './chips'
import { Offers } from './offers.svelte'
import { type Ruling } from './strip_words'
import { labelOf } from './words'

/** A limit that was passed, by its name and amount. */
function limitWords(code: string, command: Command, view: View, has: number): string | null {
  if (code === 'insufficient_funds') return tt.ownBalance(money(has))
  if (code === 'initial_required' && command['do'] === 'place_wager') return tt.firstOn(labelOf(view.layout, 'initial'))
  const { box_maximum, player_maximum } = view.signs
  if (code === 'area_above_maximum' && box_maximum !== null) return tt.areaMost(money(box_maximum))
  if (code === 'player_above_maximum' && player_maximum !== null) return tt.ownMost(money(player_maximum))
  const spot = view.layout.find((one) => one.wager === command['wager'])
  if (!spot) return null
  if (code === 'wager_above_maximum' && spot.limit.maximum !== null) return tt.atMost(money(spot.limit.maximum), spot.label)
  if (code === 'wager_off_unit') return tt.inUnits(money(spot.limit.unit), spot.label)
  return code === 'wager_below_minimum' ? tt.atLeast(money(spot.limit.minimum), spot.label) : null
}

const sumOf = (bets: Bet[]): number => bets.reduce((sum, bet) => sum + bet.amount, 0)

/** How long a refusal is told where nothing else happens. */
const REFUSAL_MS = 6_000

/** As many letters have room in one line of an act on a phone. */
const LONG = 20

export class Play {
  chosen = $state(0)
  /** The box that was chosen to bet on, where only one is seen large; one's own without it. */
  at = $state<number | null>(null)
  refusal = $state.raw<Ruling | null>(null)
  /** What was done for this player, or came while they were away. */
  notice = $state.raw<Ruling | null>(null)
  /** Chips over their spots that are not put down yet, at a table where a wager stays as it was put down. */
  held = $state.raw<Bet[]>([])
  private refilling = new Sending()
  private told = ''
  private lasts = false
  private done = 0
  private seats = new Map<number, number>()
  private clearing: ReturnType<typeof setTimeout> | undefined
  private row: Promise<void> = Promise.resolve()
  readonly offers: Offers
  /** Entropy of this browser by the commitment it was promised under. */
  private entropy = new Map<string, string>()
  private shownFor = new Set<string>()

  constructor(
    readonly live: Live,
    readonly me: () => string,
  ) {
    this.offers = new Offers(this, new Wishes(me()))
  }

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
  /** Which chip is in hand: the chosen one, or the largest below it that can be paid. */
  get picked(): number {
    return Math.max(0, this.chips.findLastIndex((_, at) => at <= this.chosen && this.canPay(at)))
  }
  /** Whether there is money for a chip of the tray, beside what is held. */
  canPay(at: number): boolean {
    return this.worth(at) <= this.money - sumOf(this.held)
  }
  private worth(at: number): number {
    return (this.chips[at]?.value ?? 1) * 10 ** this.now.minor_digits
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
    return sumOf(this.bets)
  }
  get money(): number {
    return (this.view.balance ?? 0) + (this.now.purse ?? 0)
  }
  /** What this player had down in the last round they bet in, without the war's own wagers: on the same boxes, and what
   * lay on their own box on that where they sit now. */
  get before(): Bet[] {
    for (const line of [...this.now.rounds].sort((a, b) => b.number - a.number)) {
      // What was cut, as by a bank that did not cover it, is put down whole again.
      const laid = line.wagers.map(([box, wager, who, amount], at) => ({ box, wager, who, amount: line.placed[at] ?? amount }))
      const mine = laid.filter(({ wager, who }) => who === this.me() && !wager.startsWith('war'))
      const sat = this.seats.get(line.number)
      if (mine.length > 0) return mine.map(({ box, wager, amount }) => ({ box: box === sat ? (this.own ?? box) : box, wager, amount }))
    }
    return []
  }
  /** Which box was this player's own when a round was dealt. */
  sitsIn(round: number, phase: View['phase'], own: number | null): void {
    if (phase !== 'betting' && own !== null) this.seats.set(round, own)
  }

  /** What "Same again" puts down: of the last wagers those that do not lie yet, as far as they can be placed. */
  get again(): Bet[] {
    const there = [...this.bets, ...this.held]
    const missing = this.before.filter((bet) => !there.some((one) => one.box === bet.box && one.wager === bet.wager))
    return this.live.fault || this.own === null ? [] : possible(missing, this.view, this.money - sumOf(this.held), there)
  }
  /** "Casino War 10, Tie 5", and whether that is less than it was. */
  get againSays(): string {
    const again = this.again
    return (sumOf(again) < sumOf(this.before) ? tt.sameAgainLess : tt.sameAgainOf)(money(sumOf(again)), this.parts(again))
  }

  /** The same where room is short: without the sum, and by the last words of long names. */
  get againShort(): string {
    const again = this.again
    const long = this.parts(again)
    const isLong = long.length > 2 || long.some((part) => part.length > LONG)
    const parts = isLong ? this.parts(again, (label) => label.split(' ').at(-1)!) : long
    return sumOf(again) < sumOf(this.before) ? tt.onlyAgain(parts) : tt.listed(parts)
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
    this.dismiss()
    const answer = await this.live.do(command)
    if (answer.type === 'done') return true
    // A table that has gone meanwhile has no view to tell its limits.
    const limit = this.live.view ? limitWords(answer.code, command, this.view, this.money) : null
    const silence = answer.says.includes(t.silent) ? ` (${t.silent})` : ''
    this.refuse(limit === null ? answer.says : limit + silence, answer.clauses)
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
  /** Tell what nobody asked for. It stays until this player acts, or the bets are closed: then other things are told. */
  tell(says: string): void {
    this.notice = { says, clauses: [], kind: 'plain' }
  }
  dismiss(): void {
    this.notice = null
  }
  /** What the table says now: a refusal gives way to the next thing that it has to say. */
  hear(says: string): void {
    if (says !== this.told && !this.lasts) this.forget()
    this.told = says
  }

  sit(box: number): Promise<boolean> {
    return this.act({ do: 'sit', box })
  }
  waitForSeat(): Promise<boolean> {
    return this.act({ do: 'wait_for_seat' })
  }
  stopWaiting(): Promise<boolean> {
    return this.act({ do: 'stop_waiting' })
  }
  leave(): Promise<boolean> {
    return this.act({ do: 'leave' })
  }
  /** Whether this player has nothing down and too little for the least wager that begins a round. */
  get isBroke(): boolean {
    return this.own !== null && this.bets.length === 0 && this.money < leastWager(this.view)
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
    const bet = { box, wager: kind, amount: stakeFor(this.worth(this.picked), lies, limit) }
    if (!this.view.is_bet_final || !this.areAllOpen([bet])) return this.place(bet)
    return this.hold([...this.held.filter((one) => one.box !== box || one.wager !== kind), { ...bet, amount: lies + bet.amount }])
  }
  /** Chips come into hand only as far as they could be placed: none above a limit or the balance. */
  private hold(bets: Bet[]): boolean {
    this.forget()
    const spots = bets.map((bet) => ({ bet, spot: this.view.layout.find((one) => one.wager === bet.wager) }))
    const above = spots.find(({ bet, spot }) => bet.amount > (spot?.limit.maximum ?? Infinity))?.spot
    if (above) this.refuse(tt.atMost(money(above.limit.maximum!), above.label))
    else if (sumOf(bets) > this.money) this.refuse(tt.ownBalance(money(this.money)))
    else this.held = bets
    return this.refusal === null
  }
  /** How much is held, and its parts. */
  get inHand(): [string, string[]] {
    return [money(sumOf(this.held)), this.parts(this.held)]
  }
  /** Why what is held cannot be placed: the book wants the first wager before those beside it. */
  get heldNeeds(): string {
    const first = this.view.layout[0]
    const lies = [...this.bets, ...this.held]
    const isAlone = this.held.some((bet) => !lies.some((one) => one.box === bet.box && one.wager === first?.wager))
    return first && isAlone && this.view.phase === 'betting' && this.view.is_initial_first ? tt.firstOn(first.label) : ''
  }
  /** Put down what is held, the first wager before those that hang on it; then the dealer may deal. */
  placeHeld(...then: (() => Promise<boolean>)[]): Promise<void> {
    if (this.heldNeeds) {
      this.refuse(this.heldNeeds)
      return this.row
    }
    const order = this.view.layout.map((spot) => spot.wager)
    const place = async (bet: Bet): Promise<boolean> => {
      const isDone = await this.place(bet)
      if (isDone) this.held = this.held.filter((one) => one !== bet)
      return isDone
    }
    return this.each(() => [
      ...this.held.toSorted((a, b) => order.indexOf(a.wager) - order.indexOf(b.wager)).map((bet) => () => place(bet)),
      ...then,
    ])
  }
  placeAndDeal(): Promise<void> {
    return this.placeHeld(() => this.ready())
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
  /** The last wagers once more, or into hand where they stay as they are put down: there is time to change them. */
  repeat(): Promise<void> {
    return this.each(() => {
      if (!this.view.is_bet_final) return this.again.map((bet) => () => this.place(bet))
      this.held = [...this.held, ...this.again]
      return []
    })
  }
  /** "Same again": the last wagers once more, and the dealer need not wait for this player. */
  sameAgain(): Promise<void> {
    return this.each(() => {
      const again = this.again
      return again.length > 0 ? [...again.map((bet) => () => this.place(bet)), () => this.ready()] : []
    })
  }
  /** Whether there is room under each limit, and money, for as much again. */
  get canDouble(): boolean {
    const isHeld = this.held.length > 0
    const bets = isHeld ? this.held : this.bets
    const most = (bet: Bet): number => this.view.layout.find((spot) => spot.wager === bet.wager)?.limit.maximum ?? Infinity
    return this.canChange && bets.every((bet) => 2 * bet.amount <= most(bet)) && (isHeld ? 2 : 1) * sumOf(bets) <= this.money
  }
  double(): Promise<void> {
    if (this.held.length > 0) {
      this.hold(this.held.map((bet) => ({ ...bet, amount: 2 * bet.amount })))
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
  /** What the dock's first act does, so that the cards come: chips in hand are placed, wagers that lie are enough, or
   * the last ones are put down again. */
  async deal(): Promise<void> {
    const isAutomatic = this.now.dealer_kind === 'automatic'
    if (this.held.length > 0) await (isAutomatic ? this.placeAndDeal() : this.placeHeld())
    else if (this.bets.length > 0 || (this.isBanker && this.isAwaited)) await this.ready()
    else if (this.view.phase === 'betting') await this.sameAgain()
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
  /** Why this player cannot go to war: there is too little for it. Nothing where there is enough. */
  get warNeeds(): string {
    return this.choice && this.choice.war > this.money ? tt.warNeeds(money(this.choice.war), money(this.money)) : ''
  }
  async war(): Promise<boolean> {
    if (this.warNeeds) {
      this.refuse(tt.refillForWar(this.warNeeds))
      return false
    }
    return this.choice ? this.act({ do: 'go_to_war', player: this.me(), box: this.choice.box }) : false
  }
  async surrender(): Promise<boolean> {
    return this.choice ? this.act({ do: 'surrender', player: this.me(), box: this.choice.box, reason: '' }) : false
  }
  viewBurn(): Promise<boolean> {
    return this.act({ do: 'view_initial_burn', player: this.me() })
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
  parts(bets: Bet[], named = (label: string): string => label): string[] {
    const isOne = new Set(bets.map((bet) => bet.box)).size < 2
    return bets.map((bet) => {
      const says = `${named(labelOf(this.view.layout, bet.wager))} ${money(bet.amount)}`
      return isOne ? says : tt.onBox(says, bet.box)
    })
  }
}
