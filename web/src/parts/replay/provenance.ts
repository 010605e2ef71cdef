// Whether the cards that a round shows are cards of its sealed shoes, each in its turn.

import { isCardProved } from '../../lib/proof'
import type { Dealt, ExportedShoe } from '../../lib/shoe_check'

type Came = Exclude<Dealt, { act: 'put_back' }>

export interface Sum {
  good: number
  wrong: number
  down: number
}

const DRAWN = new Set(['card_dealt', 'card_burned', 'card_discarded', 'card_placed_ahead'])

/** The faces of a round in the order in which they came; null for a card that nobody saw. */
export function facesOf(events: { name: string; [key: string]: unknown }[]): (string | null)[] {
  return events.filter((one) => DRAWN.has(one.name)).map((one) => (typeof one['card'] === 'string' ? one['card'] : null))
}

/** A round's faces are to stand one after the other in its shoes, each proved where it was turned. */
export function held(shoes: ExportedShoe[], faces: (string | null)[]): Sum {
  const came = shoes.flatMap((shoe) => shoe.dealt.flatMap((one) => (one.act === 'put_back' ? [] : [{ shoe, one }])))
  const at = came.findIndex((_, from) => faces.every((face, step) => isSame(came[from + step]?.one, face)))
  if (at < 0) return { good: 0, wrong: faces.filter((face) => face !== null).length, down: 0 }
  const sum = { good: 0, wrong: 0, down: 0 }
  for (const { shoe, one } of came.slice(at, at + faces.length)) sum[judged(shoe, one)] += 1
  return sum
}

const isSame = (one: Came | undefined, face: string | null): boolean => !!one && (one.act === 'up' ? one.card : null) === face

function judged(shoe: ExportedShoe, one: Came): keyof Sum {
  if (one.act !== 'up') return 'down'
  const size = shoe.counts.reduce((all, count) => all + count, 0)
  const isPlace = one.index === (one.place + (shoe.cut?.position ?? 0)) % size
  return isPlace && shoe.root !== null && isCardProved({ ...one, shoe: shoe.shoe }, size, shoe.root) ? 'good' : 'wrong'
}
