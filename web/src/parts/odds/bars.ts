// Results and their chances as bars of equal width: only what the drawing needs, no figure of its own.

export type Point = readonly [net: number, chance: number]

export interface Frame {
  /** The middle of the first bar, the width of each, and how many there are. */
  first: number
  width: number
  count: number
}

const MOST_BARS = 121

/** The least distance between two results that are possible. */
export function stepOf(points: readonly Point[]): number {
  let step = Infinity
  for (let at = 1; at < points.length; at++) step = Math.min(step, points[at]![0] - points[at - 1]![0])
  return Number.isFinite(step) && step > 0 ? step : 1
}

/** Bars for several series at once. Each holds an odd number of the results of the wider spaced series, in its middle
 *  one that is possible, so that neighbours hold equally many and the shape is not ragged. */
export function frameOf(series: readonly (readonly Point[])[]): Frame {
  const filled = series.filter((points) => points.length > 0)
  if (filled.length === 0) return { first: 0, width: 1, count: 0 }
  const widest = filled.reduce((one, other) => (stepOf(other) > stepOf(one) ? other : one))
  const step = stepOf(widest)
  const low = Math.min(...filled.map((points) => points[0]![0]))
  const high = Math.max(...filled.map((points) => points.at(-1)![0]))
  const least = (high - low) / step / MOST_BARS
  const width = step * (2 * Math.ceil(Math.max(0, (least - 1) / 2)) + 1)
  const anchor = widest[0]![0]
  const first = anchor - Math.ceil((anchor - low) / width - 0.5) * width
  return { first, width, count: Math.max(1, Math.ceil((high - first) / width + 0.5)) }
}

/** What falls into each bar; a result on the border of two goes half to each. */
export function barsOf(points: readonly Point[], frame: Frame): number[] {
  const bars = new Array<number>(frame.count).fill(0)
  const add = (at: number, chance: number): void => {
    if (at >= 0 && at < bars.length) bars[at]! += chance
  }
  for (const [net, chance] of points) {
    const place = (net - frame.first) / frame.width
    const below = Math.floor(place)
    if (place - below === 0.5) {
      add(below, chance / 2)
      add(below + 1, chance / 2)
    } else add(Math.round(place), chance)
  }
  return bars
}

/** Round values for an axis, about `wanted` of them. */
export function ticksOf(low: number, high: number, wanted: number): number[] {
  const reach = high - low
  if (!(reach > 0)) return [low]
  const rough = reach / Math.max(1, wanted)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power
  const ticks: number[] = []
  for (let at = Math.ceil(low / step); at * step <= high + step * 1e-9; at++) ticks.push(at * step || 0)
  return ticks
}

/** The outline of bars as a line with steps, for a view box that is `height` high. */
export function outline(bars: readonly number[], width: number, height: number, most: number): string {
  const wide = width / Math.max(1, bars.length)
  const y = (chance: number): string => (height - (chance / most) * height).toFixed(1)
  return bars.map((chance, at) => `${at ? 'V' : 'M0 '}${y(chance)}H${((at + 1) * wide).toFixed(1)}`).join('')
}
