import { expect, test } from 'vitest'
import type { PitTable } from '../../lib/wire'
import { timeIn } from '../../lib/clock'
import { isKnown, minutesLeft, noticeText, ofHouse, onLine, outside, ticks, type Known } from './figures'

const hold = (actual: number): Known => ({ rounds: 1, staked: 1, won: 1, actual, expected: 0.02, low: 0.01, high: 0.03 })

test('theory is in the middle and everything is on the line', () => {
  for (const actual of [0.02, -0.3, 0.4]) {
    const at = onLine(hold(actual), 200)
    expect(at(0.02)).toBe(100)
    expect(at(actual)).toBeGreaterThanOrEqual(0)
    expect(at(actual)).toBeLessThanOrEqual(200)
  }
})

test('a hold outside its band is told', () => {
  expect([outside(hold(0)), outside(hold(0.02)), outside(hold(0.04))]).toEqual(['below', null, 'above'])
  expect([isKnown(null), isKnown(hold(0)), isKnown({ ...hold(0), low: null })]).toEqual([false, true, false])
})

test('minutes of a notice are whole', () => {
  expect([minutesLeft(0), minutesLeft(1), minutesLeft(60), minutesLeft(61)]).toEqual([0, 1, 1, 2])
})

test('a notice tells limits in money, and other things in the server’s words', () => {
  const limit = { minimum: 1_000, maximum: 100_000, unit: 500 }
  const notice = { about: 'limits' as const, says: 'new limits: minimum 1000', seconds_left: 60, clauses: [], limit, at: null }
  expect(noticeText(notice)).toBe('new limits 10 to 1,000, unit 5')
  expect(noticeText({ ...notice, limit: { ...limit, maximum: null } })).toBe('new limits 10 to no maximum, unit 5')
  const closing = { ...notice, about: 'closing' as const, says: 'the table closes', limit: null }
  expect(noticeText(closing)).toBe(`the table closes at ${timeIn(60)}`)
  expect(noticeText({ ...closing, seconds_left: 0 })).toBe('the table closes')
})

test('the levels of a chart are round and hold everything', () => {
  expect(ticks(-54_500, 30_100)).toEqual([-60_000, -40_000, -20_000, 0, 20_000, 40_000])
  expect(ticks(0, 30_100)).toEqual([0, 10_000, 20_000, 30_000, 40_000])
  expect(ticks(0, 0)).toEqual([0, 1])
})

test('tables that players bank are none of the house’s figures', () => {
  const table = (float: number | null, staked: number, won: number): PitTable =>
    ({ float, hold: { rounds: 1, staked, won } }) as PitTable
  expect(ofHouse([table(500, 1_000, 200), table(null, 4_000, 0), table(-300, 500, -300)])).toEqual({ staked: 1_500, won: -100 })
  expect(ofHouse([table(null, 4_000, -900)])).toEqual({ staked: 0, won: 0 })
})
