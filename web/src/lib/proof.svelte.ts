// What this browser has noted of the shoe in play, and how many of its cards it has checked.

import { isCardProved } from './proof'
import type { CardShown, SealView } from './wire'

export interface ShoeWatch {
  readonly shoe: string | null
  readonly root: string | null
  readonly checked: number
  readonly wrong: CardShown[]
  /** Whether this browser saw the root before the first card of the shoe. */
  readonly isFromStart: boolean
  /** `isUntouched` says that no card has left the shoe yet. */
  see(seal: SealView, isUntouched?: boolean): void
  check(cards: CardShown[]): void
}

export function shoeWatch(): ShoeWatch {
  let shoe = $state<string | null>(null)
  let root = $state<string | null>(null)
  let size = 0
  let checked = $state(0)
  let wrong = $state<CardShown[]>([])
  let isFromStart = $state(false)
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
    see(seal, isUntouched = false) {
      if (seal.shoe !== shoe) {
        shoe = seal.shoe
        root = null
        checked = 0
        isFromStart = seal.root === null || isUntouched
      }
      if (seal.root !== null && root === null) {
        root = seal.root
        size = seal.cards ?? 0
      }
    },
    check(cards) {
      for (const one of cards) {
        if (one.shoe !== shoe || root === null) continue
        if (isCardProved(one, size, root)) checked += 1
        else wrong = [...wrong, one]
      }
    },
  }
}
