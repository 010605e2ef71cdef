// What lies on the felt. The view says how it stands; between two views, events move it one act at a time, so that
// cards can be dealt one by one. Whatever was moved, the last word is the view's: `settled` makes them agree.

import type { View } from '../../lib/wire'
import type { Told } from '../../lib/live.svelte'

export interface Result {
  outcome: string
  paid: number
  returned: number
  odds: string | null
  clauses: string[]
}

export interface Laid {
  player: string
  wager: string
  amount: number
  result: Result | null
  /** Still in the player's hand: nobody else sees it. */
  isHeld?: boolean
}

export interface ShownCard {
  key: string
  card: string | null
  /** Whether it has just left the shoe, so that it is seen to come. */
  isFresh: boolean
}

export interface ShownBox {
  box: number
  player: string | null
  cards: ShownCard[]
  laid: Laid[]
  isAtWar: boolean
}

export interface Shown {
  phase: View['phase']
  round: number
  dealer: ShownCard[]
  boxes: ShownBox[]
  burned: number
  asked: [number, string][]
  /** Cards burned into the rack in this round, so that each is seen to go there. */
  racked: number
  discards: number
  shoeLeft: number
  /** The progressive's, where the book has one: a hit is seen on it once its cards lie. */
  meter: number | null
  /** The round has ended and its cards and results still lie, until somebody bets again. */
  isOver: boolean
  isVoid: boolean
}

/** Whether somebody has gone to war there in this round. */
export function hasWar(box: ShownBox): boolean {
  return box.laid.some((laid) => laid.wager === 'war')
}

/** Whether the round has come to a war, or will. */
export function isWarOn(shown: Shown): boolean {
  return shown.asked.length > 0 || shown.boxes.some((one) => one.isAtWar || hasWar(one))
}

/** Whether no card is to come any more, and what each wager came to is being shown. */
export function isSettling(shown: Shown): boolean {
  const isAtWar = (one: ShownBox): boolean => one.isAtWar && one.laid.some((laid) => laid.wager === 'war' && !laid.result)
  return !shown.isOver && shown.asked.length === 0 && !shown.boxes.some(isAtWar) && shown.boxes.some((one) => one.laid.some((laid) => laid.result))
}

/** With chips that a player holds over their spots, in place of what came of the round before. */
export function withHeld(shown: Shown, player: string, held: { box: number; wager: string; amount: number }[]): Shown {
  const boxes = shown.boxes.map((one) => {
    const mine = held.filter((bet) => bet.box === one.box)
    if (mine.length === 0) return one
    const chips = mine.map(({ wager, amount }) => ({ player, wager, amount, result: null, isHeld: true }))
    return { ...one, laid: [...one.laid.filter((laid) => !laid.result), ...chips] }
  })
  return { ...shown, boxes }
}

function cardsOf(round: number, box: number, cards: string[]): ShownCard[] {
  return cards.map((card, at) => ({ key: `${round}/${box}/${at}`, card, isFresh: false }))
}

export function fromView(view: View): Shown {
  return {
    phase: view.phase,
    round: view.round,
    dealer: cardsOf(view.round, 0, view.dealer),
    boxes: view.boxes.map((one) => ({
      box: one.box,
      player: one.player,
      cards: cardsOf(view.round, one.box, one.cards),
      laid: [
        ...one.wagers.map(([player, wager, amount]) => ({ player, wager, amount, result: null })),
        ...(one.settled ?? []).map(({ player, wager, amount, ...result }) => ({ player, wager, amount, result })),
      ],
      isAtWar: one.is_at_war,
    })),
    burned: view.burned ?? 0,
    asked: view.asked,
    racked: 0,
    discards: view.discards,
    shoeLeft: view.shoe_left,
    meter: view.signs.meter,
    isOver: false,
    isVoid: false,
  }
}

const hasWagers = (view: View): boolean => view.boxes.some((one) => one.wagers.length > 0)

/** The shown state made to agree with the view; results of a round that is over stay until the next wager. */
export function settled(shown: Shown, view: View): Shown {
  const next = fromView(view)
  if (shown.isOver && !hasWagers(view) && view.dealer.length === 0) {
    const boxes = shown.boxes.map((one, at) => ({ ...one, player: next.boxes[at]?.player ?? null }))
    return { ...shown, phase: view.phase, asked: [], discards: next.discards, shoeLeft: next.shoeLeft, meter: next.meter, boxes }
  }
  if (shown.round !== view.round || shown.isOver) return next
  const keep = (now: ShownCard[], was: ShownCard[]): ShownCard[] =>
    now.map((card, at) => (was[at]?.card === card.card ? was[at]! : card))
  next.dealer = keep(next.dealer, shown.dealer)
  next.boxes = next.boxes.map((one, at) => {
    const was = shown.boxes[at]
    if (!was) return one
    return { ...one, cards: keep(one.cards, was.cards) }
  })
  return next
}

function isSame(one: Laid, other: { player: string; wager: string }): boolean {
  return one.player === other.player && one.wager === other.wager
}

function onBox(shown: Shown, box: number, change: (box: ShownBox) => ShownBox): Shown {
  return { ...shown, boxes: shown.boxes.map((one) => (one.box === box ? change(one) : one)) }
}

function lay(box: ShownBox, laid: Laid): ShownBox {
  const isThere = box.laid.some((one) => isSame(one, laid))
  return { ...box, laid: isThere ? box.laid.map((one) => (isSame(one, laid) ? laid : one)) : [...box.laid, laid] }
}

/** The fields that the events named below have. */
interface Fields extends Result {
  name: string
  box: number
  card: string
  player: string
  wager: string
  amount: number
  beside_dealer: boolean
  seed: number
  hands: [number, string[]][]
}

/** One event as it changes what lies on the felt; those that move nothing change nothing. */
export function step(shown: Shown, event: Told): Shown {
  const e = event as unknown as Fields
  switch (event.name) {
    case 'betting_closed':
      return { ...shown, phase: 'dealing' }
    case 'card_dealt':
    case 'card_placed_ahead':
      return dealt(shown, e.box, e.card)
    case 'card_burned':
      return e.beside_dealer
        ? { ...shown, burned: shown.burned + 1, shoeLeft: shown.shoeLeft - 1 }
        : { ...shown, racked: shown.racked + 1, discards: shown.discards + 1, shoeLeft: shown.shoeLeft - 1 }
    case 'wager_settled': {
      const { player, wager, amount, outcome, paid, returned, odds, clauses } = e
      const laid = { player, wager, amount, result: { outcome, paid, returned, odds, clauses } }
      return { ...onBox(shown, e.box, (box) => lay(box, laid)), asked: withoutAsked(shown, e.box, player, wager) }
    }
    case 'wager_reversed': {
      // Whatever came of it before, its stake goes back and nothing else.
      const { player, wager, amount, clauses } = e
      return onBox(shown, e.box, (box) => lay(box, { player, wager, amount, result: { outcome: 'void', paid: 0, returned: amount, odds: null, clauses } }))
    }
    case 'war_offered':
      return { ...shown, phase: 'deciding', asked: [...shown.asked, [e.box, e.player]] }
    case 'war_declared': {
      const war = { player: e.player, wager: 'war', amount: e.amount, result: null }
      const next = onBox(shown, e.box, (box) => ({ ...lay(box, war), isAtWar: true }))
      return { ...next, asked: shown.asked.filter(([at, who]) => at !== e.box || who !== e.player) }
    }
    case 'wager_limited':
    case 'match_limited': {
      // It plays for less, and the rest has gone back.
      const laid = { player: e.player, wager: event.name === 'match_limited' ? 'initial' : e.wager, amount: e.amount, result: null }
      return onBox(shown, e.box, (box) => lay(box, laid))
    }
    case 'decisions_closed':
      return { ...shown, phase: 'dealing', asked: [] }
    case 'meter_fed':
      return { ...shown, meter: (shown.meter ?? 0) + e.amount }
    case 'meter_paid':
      return { ...shown, meter: (shown.meter ?? 0) - e.amount + e.seed }
    case 'cards_collected':
      return collected(shown, e.hands)
    case 'round_ended':
      return { ...shown, isOver: true, asked: [] }
    case 'round_voided':
    case 'round_invalidated':
      return { ...shown, isOver: true, isVoid: true, asked: [] }
    default:
      return shown
  }
}

function withoutAsked(shown: Shown, box: number, player: string, wager: string): [number, string][] {
  return wager === 'initial' ? shown.asked.filter(([at, who]) => at !== box || who !== player) : shown.asked
}

function dealt(shown: Shown, box: number, card: string): Shown {
  const add = (cards: ShownCard[]): ShownCard[] => [
    ...cards,
    { key: `${shown.round}/${box}/${cards.length}`, card, isFresh: true },
  ]
  const left = { ...shown, shoeLeft: shown.shoeLeft - 1 }
  if (box === 0) return { ...left, dealer: add(shown.dealer) }
  return onBox(left, box, (one) => ({ ...one, cards: add(one.cards) }))
}

function collected(shown: Shown, hands: [number, string[]][]): Shown {
  const gone = new Set(hands.map(([box]) => box))
  const count = hands.reduce((sum, [, cards]) => sum + cards.length, 0)
  return {
    ...shown,
    discards: shown.discards + count,
    dealer: gone.has(0) ? [] : shown.dealer,
    boxes: shown.boxes.map((one) => (gone.has(one.box) ? { ...one, cards: [] } : one)),
  }
}

export interface Worth {
  money: number
  layout: number
}

/** What one player's wagers have cost and brought so far, and what of them still lies. */
function standing(shown: Shown, player: string): Worth {
  const mine = shown.boxes.flatMap((one) => one.laid).filter((one) => one.player === player)
  return {
    money: mine.reduce((sum, { amount, result }) => sum - amount + (result ? result.paid + result.returned : 0), 0),
    layout: mine.reduce((sum, { amount, result }) => sum + (result ? 0 : amount), 0),
  }
}

/** What events that are not shown yet bring to a player. The view has it already, and it would give the cards away. */
export function toCome(shown: Shown, events: Told[], player: string): Worth {
  const [now, then] = [standing(shown, player), standing(events.reduce(step, shown), player)]
  const bank = events.filter((one) => one.name === 'bank_returned' && one['player'] === player)
  return {
    money: bank.reduce((sum, one) => sum + Number(one['amount']), then.money - now.money),
    layout: then.layout - now.layout,
  }
}
