import { expect, test } from 'vitest'
import { isKnown, minutesLeft, onLine, outside, percent, type Known } from './figures'

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
