// An exported shoe, checked in the page: seed to commitment, mix, order, salts, root, cut, and each card that was dealt.
// It finds what verify_shoe.py finds; the bytes are those of docs/fairness.md.

import { shoeTexts as t } from '../texts/en_shoe'
import { bytesToHex, concatBytes, hexToBytes, hmac, leafDigest, nodeDigest, rootOfPath, sha256, tagged, utf8ToBytes, wholeNumber } from './proof'

export interface ExportedShoe {
  format: string
  shoe: string
  kind: 'shoe' | 'continuous'
  counts: number[]
  cut_bounds: [number, number] | null
  previous: string | null
  commitment: string
  entropy: { seat: number; player: string; promise: string | null; bytes: string | null }[]
  root: string | null
  cut: { position: number; player: string | null } | null
  dealt: Dealt[]
  fate: 'running' | 'finished' | 'voided'
  reason: string | null
  seed: string | null
  /** Its place in the list of the table's name; a shoe of an older program has none, and tells less of its end. */
  number?: number
  /** After how many cards the cutting card lies; null where there is none. */
  marker?: number | null
  /** Who had it voided. */
  by?: string
}

export type Dealt =
  | { act: 'up'; place: number; index: number; card: string; salt: string; path: string[] }
  | { act: 'down'; place: number }
  | { act: 'put_back'; cards: number }

export interface Finding {
  where: string
  what: string
}

/** What this browser noted while the shoe was in play. */
export interface Noted {
  commitment?: string | null
  root?: string | null
  seal?: string | null
  entropy?: string | null
  /** After how many cards the cutting card lies; missing where it was not seen before the first card. */
  marker?: number | null
  /** The faces that were shown, by the place from which they came. */
  faces?: Map<number, string>
}

export const DECK = [...'cdhs'].flatMap((suit) => [...'23456789TJQKA'].map((rank) => rank + suit))
const MOST = 65_535
const raw = (hex: string | null): Uint8Array => hexToBytes(hex ?? '')
const mac = (key: Uint8Array, message: Uint8Array): Uint8Array => hmac(sha256, key, message)
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

export function commitmentOf(shoe: ExportedShoe): string {
  const counts = concatBytes(...shoe.counts.map((count) => wholeNumber(count, 2)))
  const bounds = concatBytes(...(shoe.cut_bounds ?? []).map((bound) => wholeNumber(bound, 4)))
  const header = tagged('header', utf8ToBytes(shoe.shoe), utf8ToBytes(shoe.kind), counts, bounds, raw(shoe.previous))
  return bytesToHex(tagged('commitment', header, raw(shoe.seed)))
}

export function mixOf(shoe: ExportedShoe): Uint8Array {
  const parts = shoe.entropy.flatMap((one) => [wholeNumber(one.seat, 2), utf8ToBytes(one.player), raw(one.promise), raw(one.bytes)])
  return tagged('mix', raw(shoe.commitment), ...parts)
}

export function sealOf(shoe: ExportedShoe): string {
  return bytesToHex(tagged('seal', raw(shoe.commitment), mixOf(shoe), raw(shoe.root)))
}

function keyFor(shoe: ExportedShoe, purpose: string): Uint8Array {
  return mac(raw(shoe.seed), tagged(purpose, raw(shoe.commitment), mixOf(shoe)))
}

/** Blocks of HMAC-SHA-256 over 0, 1, 2 and so on, taken byte by byte; a number is drawn again while it is too large. */
class Stream {
  private block = 0
  private left: number[] = []
  constructor(private key: Uint8Array) {}

  below(bound: number): number {
    const bits = bound <= 1 ? 0 : 32 - Math.clz32(bound - 1)
    const size = Math.ceil(bits / 8)
    for (;;) {
      while (this.left.length < size) this.left.push(...mac(this.key, wholeNumber(this.block++, 8)))
      let drawn = 0
      for (let at = 0; at < size; at++) drawn = drawn * 256 + this.left.shift()!
      drawn %= 2 ** bits
      if (drawn < bound) return drawn
    }
  }
}

export function orderOf(shoe: ExportedShoe): string[] {
  const cards = DECK.flatMap((card, at) => Array<string>(shoe.counts[at] ?? 0).fill(card))
  const stream = new Stream(keyFor(shoe, 'order'))
  for (let last = cards.length - 1; last > 0; last--) {
    const chosen = stream.below(last + 1)
    ;[cards[last], cards[chosen]] = [cards[chosen]!, cards[last]!]
  }
  return cards
}

function rootOf(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!
  const split = 2 ** (31 - Math.clz32(leaves.length - 1))
  return nodeDigest(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

function leafOf(index: number, card: string, salt: Uint8Array): Uint8Array {
  return concatBytes(wholeNumber(index, 4), utf8ToBytes(card), salt)
}

/** All that is wrong, by field; nothing where everything agrees. */
export function checkShoe(shoe: ExportedShoe, noted: Noted = {}): Finding[] {
  const steps = [...checkSteps(shoe)]
  return [...(steps.length > 0 ? steps : checkPlay(shoe)), ...checkEnd(shoe), ...checkNoted(shoe, noted)]
}

function* checkSteps(shoe: ExportedShoe): Generator<Finding> {
  const size = sum(shoe.counts)
  const { cut_bounds: bounds, fate } = shoe
  if (!(size > 0 && size <= MOST)) yield { where: 'counts', what: t.size(MOST) }
  if (bounds && shoe.kind === 'continuous') yield { where: 'cut_bounds', what: t.notCutContinuous }
  if (bounds && !(bounds[0] > 0 && bounds[0] <= bounds[1] && bounds[1] < size)) yield { where: 'cut_bounds', what: t.cutBounds }
  yield* checkEntropy(shoe)
  if ((shoe.seed === null) !== (fate === 'running')) yield { where: 'seed', what: t.opened }
  if ((shoe.reason === null) !== (fate !== 'voided')) yield { where: 'reason', what: t.reason }
  if (shoe.root === null && fate === 'finished') yield { where: 'root', what: t.neverSealed }
  if (shoe.root === null && (shoe.cut || shoe.dealt.length > 0)) yield { where: 'root', what: t.beforeSeal }
  if (shoe.cut && !bounds) yield { where: 'cut', what: t.notCut }
  if (shoe.dealt.length > 0 && bounds && !shoe.cut) yield { where: 'cut', what: t.beforeCut }
}

function* checkEntropy(shoe: ExportedShoe): Generator<Finding> {
  const seats = shoe.entropy.map((one) => one.seat)
  if (seats.some((seat, at) => at > 0 && seat <= seats[at - 1]!)) yield { where: 'entropy', what: t.seats }
  const without = shoe.entropy.filter((one) => one.promise === null).length
  if (without > 0 && without < seats.length) yield { where: 'entropy', what: t.somePromised }
  for (const [at, one] of shoe.entropy.entries()) {
    if (one.bytes === null && one.promise === null) yield { where: `entropy[${at}]`, what: t.nothingAdded }
    if (one.bytes === null || one.promise === null) continue
    const promised = tagged('promise', raw(shoe.commitment), wholeNumber(one.seat, 2), raw(one.bytes))
    if (bytesToHex(promised) !== one.promise) yield { where: `entropy[${at}].promise`, what: t.notPromised }
  }
}

function* checkPlay(shoe: ExportedShoe): Generator<Finding> {
  const { cut, cut_bounds: bounds } = shoe
  const isOpened = shoe.seed !== null
  if (isOpened && commitmentOf(shoe) !== shoe.commitment) yield { where: 'commitment', what: t.commitment }
  if (cut && bounds && !(bounds[0] <= cut.position && cut.position <= bounds[1])) yield { where: 'cut.position', what: t.cutOutside(cut.position, ...bounds) }
  if (cut && bounds && cut.player === null && isOpened) {
    const position = bounds[0] + new Stream(keyFor(shoe, 'cut')).below(bounds[1] - bounds[0] + 1)
    if (position !== cut.position) yield { where: 'cut.position', what: t.houseCut(position) }
  }
  yield* checkDealt(shoe, sum(shoe.counts), cut?.position ?? 0)
  if (isOpened && shoe.root !== null) yield* checkOrder(shoe)
}

function* checkOrder(shoe: ExportedShoe): Generator<Finding> {
  const order = orderOf(shoe)
  const saltKey = keyFor(shoe, 'salt')
  const leaves = order.map((card, index) => leafDigest(leafOf(index, card, mac(saltKey, wholeNumber(index, 8)))))
  if (bytesToHex(rootOf(leaves)) !== shoe.root) yield { where: 'root', what: t.otherOrder }
  for (const [at, one] of shoe.dealt.entries()) {
    if (one.act === 'up' && one.index < order.length && one.card !== order[one.index]) {
      yield { where: `dealt[${at}].card`, what: t.otherFace(one.card, order[one.index]!) }
    }
  }
}

function* checkDealt(shoe: ExportedShoe, size: number, cut: number): Generator<Finding> {
  let due = 0
  const faces = new Map<number, string>()
  for (const [at, one] of shoe.dealt.entries()) {
    const where = `dealt[${at}]`
    if (one.act === 'put_back') {
      due -= one.cards
      if (due >= 0) continue
      yield { where: `${where}.cards`, what: t.tooManyBack }
      return
    }
    if (one.place !== due || due >= size) {
      yield { where: `${where}.place`, what: t.otherPlace(one.place, due, size) }
      return
    }
    due += 1
    if (one.act === 'down') continue
    if (one.index !== (one.place + cut) % size) yield { where: `${where}.index`, what: t.otherIndex(one.place, one.index) }
    if (rootOfPath(leafOf(one.index, one.card, raw(one.salt)), one.index, size, one.path) !== shoe.root) {
      yield { where, what: t.notToRoot(one.card) }
    }
    if ((faces.get(one.place) ?? one.card) !== one.card) yield { where: `${where}.card`, what: t.faceChanged }
    if (!faces.has(one.place)) faces.set(one.place, one.card)
  }
  yield* checkHeld(shoe, [...faces.values()])
}

function* checkHeld(shoe: ExportedShoe, came: string[]): Generator<Finding> {
  for (const card of new Set(came)) {
    const [times, held] = [came.filter((one) => one === card).length, shoe.counts[DECK.indexOf(card)] ?? 0]
    if (times > held) yield { where: 'dealt', what: t.tooOften(card, times, held) }
  }
}

/** How many cards were out at most. */
export function reached(dealt: Dealt[]): number {
  return dealt.reduce((most, one) => (one.act === 'put_back' ? most : Math.max(most, one.place + 1)), 0)
}

/** Whether the cutting card has come, or all cards have; a continuous shuffler's stack is for one round. */
export function isAtEnd(kind: ExportedShoe['kind'], cards: number, out: number, marker: number | null): boolean {
  return kind === 'continuous' ? out > 0 : out >= (marker ?? cards)
}

function* checkEnd(shoe: ExportedShoe): Generator<Finding> {
  const { number, marker = null, fate } = shoe
  const [cards, out] = [sum(shoe.counts), reached(shoe.dealt)]
  if (marker !== null && (marker > cards || shoe.kind === 'continuous')) yield { where: 'marker', what: t.noMarker }
  if (shoe.by !== undefined && fate !== 'voided') yield { where: 'by', what: t.notVoided }
  if (number === undefined) return
  if (!shoe.shoe.endsWith(`/${number}`)) yield { where: 'number', what: t.otherNumber }
  if ((shoe.previous === null) !== (number === 1)) yield { where: 'previous', what: t.firstShoe }
  if (shoe.by === undefined && fate === 'voided') yield { where: 'by', what: t.byNobody }
  if (fate !== 'finished') return
  if (shoe.marker === undefined) yield { where: 'marker', what: t.markerUntold }
  else if (!isAtEnd(shoe.kind, cards, out, marker)) yield { where: 'fate', what: t.early(out, cards, marker) }
}

function* checkNoted(shoe: ExportedShoe, noted: Noted): Generator<Finding> {
  if (noted.commitment && noted.commitment !== shoe.commitment) yield { where: 'commitment', what: t.otherNoted }
  if (noted.root && noted.root !== shoe.root) yield { where: 'root', what: t.otherNoted }
  if (noted.seal && (shoe.root === null || sealOf(shoe) !== noted.seal)) yield { where: 'root', what: t.otherSeal }
  for (const [place, card] of noted.faces ?? []) {
    const isHeld = shoe.dealt.some((one) => one.act === 'up' && one.place === place && one.card === card)
    if (!isHeld) yield { where: 'dealt', what: t.notHeld(card, place) }
  }
  if (noted.marker !== undefined && noted.marker !== (shoe.marker ?? null)) yield { where: 'marker', what: t.otherNoted }
  if (noted.entropy && !shoe.entropy.some((one) => one.bytes === noted.entropy)) yield { where: 'entropy', what: t.entropyNotHeld }
}
