import { expect, test } from 'vitest'
import { percent } from './percent'

test('a share has a true minus, and none before nought', () => {
  expect([percent(0.031), percent(-0.01641), percent(0)]).toEqual(['3.10\u00a0%', '−1.64\u00a0%', '0.00\u00a0%'])
  expect(percent(-0.00001)).toBe('0.00\u00a0%')
  expect(percent(0.02331, 3)).toBe('2.331\u00a0%')
})
