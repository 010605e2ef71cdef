import { expect, test } from 'vitest'
import type { NightPlot, NightsPlayed } from '../../lib/wire'
import { erfc, onceIn, verdicts } from './verdict'

const exact = { ahead: 0.5, even: 0.1, behind: 0.4, gone: 0.00001 } as NightPlot
const played = { nights: 10_000, ahead: 5_100, even: 1_000, behind: 3_900, gone: 1 } as NightsPlayed

test('the difference is told in standard errors of that many nights', () => {
  // sqrt(0.5 * 0.5 / 10000) = 0.005, so that one point is two of them.
  const [ahead, even] = verdicts(exact, played)
  expect(ahead).toMatchObject({ row: 'ahead', exact: 0.5, played: 0.51 })
  expect(ahead!.difference).toBeCloseTo(0.01, 12)
  expect(ahead!.errors).toBeCloseTo(2, 9)
  expect(even!.errors).toBeCloseTo(0, 12)
})

test('where too few are expected no standard errors are told, nor before anything is played', () => {
  expect(verdicts(exact, played)[3]).toMatchObject({ row: 'gone', played: 0.0001, errors: null })
  expect(verdicts(exact, null).every((row) => row.played === null && row.errors === null)).toBe(true)
})

test('how rarely a difference comes', () => {
  // Of the normal law beyond 1.96, 3, 4 and 5: once in 20, 370, 15,787 and 1,744,278 times.
  expect(onceIn(1.959964)).toBe(20)
  expect(onceIn(3)).toBe(370)
  expect(onceIn(4)).toBe(16_000)
  expect(onceIn(-5)).toBe(1_700_000)
  expect(erfc(0)).toBeCloseTo(1, 6)
  expect(erfc(-1)).toBeCloseTo(1.8427008, 6)
})
