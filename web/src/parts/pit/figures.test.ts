import { expect, test } from 'vitest'
import { apart, isKnown, minutesLeft, noticeText, onLine, outside, percent, type Known } from './figures'

const hold = (actual: number): Known => ({ rounds: 1, staked: 1, won: 1, actual, expected: 0.02, low: 0.01, high: 0.03 })

test('shares in percent, with a real minus', () => {
  expect([percent(0.031), percent(-0.0164), percent(0)]).toEqual(['3.10 %', '−1.64 %', '0.00 %'])
})

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
  const notice = { about: 'limits' as const, says: 'new limits: minimum 1000', seconds_left: 60, clauses: [], limit }
  expect(noticeText(notice)).toBe('new limits 10 to 1,000, unit 5')
  expect(noticeText({ ...notice, limit: { ...limit, maximum: null } })).toBe('new limits 10 to no maximum, unit 5')
  expect(noticeText({ ...notice, about: 'closing', says: 'the table closes', limit: null })).toBe('the table closes')
})

test('leaves out labels that would lie on others, those named first kept', () => {
  const y = (level: number): number => 100 - level
  expect(apart([0, -60, 80], y, 16)).toEqual([0, -60, 80])
  expect(apart([0, -60, 10], y, 16)).toEqual([0, -60])
  expect(apart([0, 0, 1], y, 16)).toEqual([0])
})
