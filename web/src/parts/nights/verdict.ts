// What was played beside what is exact: difference, standard errors, and how rarely that should happen.

import type { NightPlot, NightsPlayed } from '../../lib/wire'

export const ROWS = ['ahead', 'even', 'behind', 'gone'] as const
export const RARE = 4
/** With fewer nights expected than this the law of errors does not hold, and none are told. */
const LEAST = 10

export interface Verdict {
  row: (typeof ROWS)[number]
  exact: number
  played: number | null
  difference: number | null
  errors: number | null
}

export function verdicts(exact: NightPlot, played: NightsPlayed | null): Verdict[] {
  return ROWS.map((row) => {
    const chance = exact[row]
    if (played === null || played.nights === 0) return { row, exact: chance, played: null, difference: null, errors: null }
    const share = played[row] / played.nights
    const expected = played.nights * Math.min(chance, 1 - chance)
    const error = Math.sqrt((chance * (1 - chance)) / played.nights)
    const errors = expected < LEAST ? null : (share - chance) / error
    return { row, exact: chance, played: share, difference: share - chance, errors }
  })
}

/** Once in how many times a difference of so many standard errors or more comes, to two digits. */
export function onceIn(errors: number): number {
  const times = 1 / erfc(Math.abs(errors) / Math.SQRT2)
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(times)) - 1)
  return Math.round(times / unit) * unit
}

/** The complementary error function to seven digits (Press et al., Numerical Recipes, `erfcc`). */
export function erfc(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x))
  const terms = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277]
  const sum = terms.reduceRight((rest, term) => rest * t + term, 0)
  const found = t * Math.exp(-x * x + sum)
  return x >= 0 ? found : 2 - found
}
