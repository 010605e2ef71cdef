import { expect, test } from 'vitest'
import type { NightPlot } from '../../lib/wire'
import { band, barsIn, path, scaleOf, spread, steps } from './drawing'

const same = (value: number): number => value

test('the scale holds the bands, all ends but the thin ones, and an even night', () => {
  const exact = {
    wager: 10,
    bands: { '5': [0, -10, -20], '95': [0, 10, 30] },
    ends: [[-90, 0.0001], [-40, 0.2], [0, 0.5], [20, 0.2998], [80, 0.0001]].map(([gain, chance]) => ({ gain, chance })),
  } as unknown as NightPlot
  expect(scaleOf(exact)).toEqual({ low: -60, high: 50 })
})

test('bars are whole wagers wide, and one lies around the even night', () => {
  const frame = barsIn({ low: -1_000, high: 900 }, 25)
  expect(frame.width).toBe(50)
  expect(frame.first % frame.width).toBe(-0)
  expect(frame.first).toBeLessThanOrEqual(-1_000)
  expect(frame.first + (frame.count - 1) * frame.width).toBeGreaterThanOrEqual(900)
})

test('a band goes along its upper edge and back along the lower one', () => {
  expect(band([0, -1], [0, 2], same, same)).toBe('M0.0 0.0H1.0V2.0L1.0 -1.0H1.0V0.0H0.0Z')
})

test('a night begins with nothing', () => {
  expect(path([5, 10], [3, -2], same, same)).toBe('M0.0 0.0L5.0 3.0L10.0 -2.0')
})

test('lying bars have one step each, the longest as long as there is room', () => {
  expect(steps([1, 2], { first: 0, width: 2, count: 2 }, 2, 100, same)).toBe('M0 -1.0H50.0V1.0H100.0V3.0')
})

test('of many points some are marked, always the last', () => {
  expect(spread(32, 8)).toEqual([3, 7, 11, 15, 19, 23, 27, 31])
  expect(spread(3, 8)).toEqual([0, 1, 2])
})
