// Which chips an amount is made of, and which the tray holds.

import { CHIPS, chipFor, type ChipKind } from '../Chip.svelte'

export const MOST_SHOWN = 5

/** The chips of a stack from the bottom up, the largest first; no more than five are drawn. */
export function stackOf(amount: number, digits: number): ChipKind[] {
  let left = Math.floor(amount / 10 ** digits)
  const chips: ChipKind[] = []
  while (left > 0 && chips.length < MOST_SHOWN) {
    const kind = chipFor(left)
    chips.push(kind)
    left -= kind.value
  }
  return chips.length || amount <= 0 ? chips : [chipFor(1)]
}

/** Five chips at most, the smallest being the largest that fits the table's unit, and none that no wager could be. */
export function tray(unit: number, digits: number, most = Infinity): ChipKind[] {
  const smallest = chipFor(Math.max(1, Math.floor(unit / 10 ** digits)))
  const from = Math.min(CHIPS.indexOf(smallest), CHIPS.length - 5)
  return CHIPS.slice(from, from + 5).filter((kind, at) => at === 0 || kind.value * 10 ** digits <= most)
}

/** What a click with a chip puts down: the chip, and at first at least the least that the spot takes. */
export function stakeFor(chip: number, lies: number, limit: { minimum: number; unit: number }): number {
  if (lies > 0 || chip >= limit.minimum) return chip
  return Math.ceil(limit.minimum / limit.unit) * limit.unit
}
