// Where things stand in the drawings of nights: fan and ends share one scale of gains.

import type { NightEnd, NightPlot } from '../../lib/wire'
import type { Frame } from '../odds/bars'

export interface Scale {
  low: number
  high: number
}

const TAIL = 0.0005
const MOST_BARS = 56

/** The gains that are drawn: all but the thin ends, and always those of the bands and of an even night. */
export function scaleOf(exact: NightPlot): Scale {
  const edge = (ends: readonly NightEnd[]): number => {
    let sum = 0
    return ends.find(({ chance }) => (sum += chance) >= TAIL)?.gain ?? 0
  }
  const low = Math.min(edge(exact.ends), ...(exact.bands['5'] ?? []), -exact.wager)
  const high = Math.max(edge([...exact.ends].reverse()), ...(exact.bands['95'] ?? []), exact.wager)
  return { low: low - 2 * exact.wager, high: high + 2 * exact.wager }
}

/** Bars of whole wagers, one of them around the even night; half of a wager falls on a border and goes to both. */
export function barsIn(scale: Scale, wager: number): Frame {
  const width = wager * Math.max(1, Math.ceil((scale.high - scale.low) / wager / MOST_BARS))
  const first = Math.floor(scale.low / width) * width
  return { first, width, count: Math.ceil((scale.high - first) / width) + 1 }
}

type Place = (value: number) => number
const at = (value: number): string => value.toFixed(1)

/** A band between two courses: each holds its value until the next round. */
export function band(lower: readonly number[], upper: readonly number[], x: Place, y: Place): string {
  const there = upper.map((gain, round) => `${round ? `H${at(x(round))}V` : `M${at(x(0))} `}${at(y(gain))}`).join('')
  const back = lower.map((_, place) => {
    const round = lower.length - 1 - place
    const gain = lower[round]!
    return `${place ? `V${at(y(gain))}` : `L${at(x(round))} ${at(y(gain))}`}${round ? `H${at(x(round))}` : `H${at(x(0))}`}`
  })
  return `${there}${back.join('')}Z`
}

/** One night: from nothing through its points. */
export function path(points: readonly number[], gains: readonly number[], x: Place, y: Place): string {
  return `M${at(x(0))} ${at(y(0))}` + gains.map((gain, place) => `L${at(x(points[place] ?? 0))} ${at(y(gain))}`).join('')
}

/** The outline of bars that lie: `wide` is how long the longest is. */
export function steps(bars: readonly number[], frame: Frame, most: number, wide: number, y: Place): string {
  return bars
    .map((share, place) => {
      const upper = y(frame.first + (place + 0.5) * frame.width)
      const lower = y(frame.first + (place - 0.5) * frame.width)
      const long = at(Math.min(1, share / most) * wide)
      return `${place ? `H${long}` : `M0 ${at(lower)}H${long}`}V${at(upper)}`
    })
    .join('')
}

/** Some of the points, evenly spread, the last among them. */
export function spread(count: number, wanted: number): number[] {
  const step = Math.max(1, Math.round(count / wanted))
  return Array.from({ length: count }, (_, place) => place).filter((place) => (count - 1 - place) % step === 0)
}
