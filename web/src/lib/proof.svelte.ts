// What this browser has noted of the shoe in play, and whether each card that it was shown is the sealed one.

import { isCardProved } from './proof'
import type { Noted } from './shoe_check'
import type { CardShown, SealView } from './wire'

/** What happened at the table, as far as cards go: `card` is the face, and missing where nobody saw it. */
export interface Turned {
  name: string
  card?: unknown
  cards?: unknown
}

export interface ShoeWatch {
  readonly shoe: string | null
  readonly root: string | null
  readonly checked: number
  /** Faces that were shown and are not proved to be the sealed ones. */
  readonly wrong: string[]
  /** Whether this browser saw the root before the first card of the shoe. */
  readonly isFromStart: boolean
  /** `isUntouched` says that no card has left the shoe yet; `lying` are cards that lay there before this browser came. */
  see(seal: SealView, isUntouched?: boolean, lying?: string[]): void
  /** What this page has noted of a shoe since it was opened; nothing of one that it has not seen. */
  noted(shoe: string): Noted | undefined
  /** Where the cutting card lies, as the table tells it before the first card of the shoe. */
  mark(marker: number | null): void
  /** What this browser has added to the shoe in the making. */
  add(entropy: string): void
  /** The cards of one frame against their proofs, and then those that lie on the felt against the cards that came. */
  check(events: Turned[], proofs: CardShown[], lying: string[]): void
}

/** What takes a card from the shoe. */
const DRAWN = new Set(['card_dealt', 'card_burned', 'card_discarded', 'card_placed_ahead'])

export function shoeWatch(): ShoeWatch {
  let shoe = $state<string | null>(null)
  let root = $state<string | null>(null)
  let checked = $state(0)
  let wrong = $state<string[]>([])
  let isFromStart = $state(false)
  let [size, cut] = [0, 0]
  /** The place of the card that comes next; unknown to whoever came in the middle. */
  let due: number | null = null
  let known: string[] = []
  let book = $state.raw<Record<string, Noted & { faces: Map<number, string> }>>({})

  function isSealed(face: string, proof: CardShown | undefined): boolean {
    if (!proof || root === null || proof.shoe !== shoe || proof.card !== face) return false
    const isPlace = (due === null || proof.place === due) && proof.index === (proof.place + cut) % size
    return isPlace && isCardProved(proof, size, root)
  }

  return {
    get shoe() {
      return shoe
    },
    get root() {
      return root
    },
    get checked() {
      return checked
    },
    get wrong() {
      return wrong
    },
    get isFromStart() {
      return isFromStart
    },
    see(seal, isUntouched = false, lying) {
      if (seal.shoe !== shoe) {
        shoe = seal.shoe
        root = null
        checked = 0
        isFromStart = seal.root === null || isUntouched
        due = isFromStart ? 0 : null
        if (shoe !== null && !book[shoe]) book = { ...book, [shoe]: { faces: new Map() } }
      }
      if (shoe !== null) {
        // What was seen first counts, whatever is told later.
        const { commitment, root: first, seal: whole } = seal
        const noted = book[shoe]!
        book = { ...book, [shoe]: { ...noted, commitment: noted.commitment ?? commitment, root: noted.root ?? first, seal: noted.seal ?? whole } }
      }
      if (seal.root !== null && root === null) {
        root = seal.root
        size = seal.cards ?? 0
      }
      cut = seal.cut ?? 0
      if (lying) {
        known = [...lying]
        if (!isUntouched) due = null
      }
    },
    noted: (name) => book[name],
    mark(marker) {
      if (shoe !== null && book[shoe]?.marker === undefined) book = { ...book, [shoe]: { ...book[shoe]!, marker } }
    },
    add(entropy) {
      if (shoe !== null) book = { ...book, [shoe]: { ...book[shoe]!, entropy } }
    },
    check(events, proofs, lying) {
      if (shoe === null) return
      const coming = [...proofs]
      for (const event of events) {
        if (event.name === 'cards_returned' && due !== null) due -= Number(event.cards)
        if (!DRAWN.has(event.name)) continue
        if (typeof event.card === 'string') {
          const proof = coming.shift()
          if (isSealed(event.card, proof)) checked += 1
          else wrong = [...wrong, event.card]
          known.push(event.card)
          if (proof) {
            due = proof.place
            book[shoe]!.faces.set(proof.place, event.card)
          }
        }
        if (due !== null) due += 1
      }
      const left = [...known]
      for (const face of lying) {
        const at = left.indexOf(face)
        if (at < 0) wrong = [...wrong, face]
        else left.splice(at, 1)
      }
      if (lying.length === 0) known = []
    },
  }
}
