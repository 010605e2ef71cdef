// What the printed page tells at a glance: when the round was over, its cards, and its money box by box.

import type { Settlement } from '../../lib/wire'
import type { Played, RoundStep } from './wire'

const DEALER = 0

/** "16 November 2026 at 14:05:09 CET": whoever reads it elsewhere must know whose clock it is. */
export function moment(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'long' })
}

/** Every hand as it lay last, also one that went to the rack before the end; the dealer's first, under 0. */
export function handsOf(steps: readonly RoundStep[]): [box: number, cards: string[]][] {
  const hands = new Map<number, string[]>()
  for (const { view } of steps) {
    for (const { box, cards } of [{ box: DEALER, cards: view.dealer }, ...view.boxes]) {
      if (cards.length) hands.set(box, cards)
    }
  }
  return [...hands].sort(([one], [other]) => one - other)
}

/** Box by box and player by player, and within them in the order in which the wagers were settled. */
export function byBox({ steps, settlements }: Pick<Played, 'steps' | 'settlements'>): Settlement[] {
  const settled = steps.filter(({ event }) => event.name === 'wager_settled').map(({ event }) => event)
  const turn = (row: Settlement): number => {
    const at = settled.findLastIndex((event) => event.box === row.box && event.player === row.player && event.wager === row.wager)
    return at < 0 ? settled.length : at
  }
  const first = (row: Settlement): number => Math.min(...settlements.filter((one) => one.box === row.box && one.player === row.player).map(turn))
  return settlements.toSorted((one, other) => one.box - other.box || first(one) - first(other) || turn(one) - turn(other))
}
