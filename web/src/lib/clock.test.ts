import { expect, test } from 'vitest'
import { clock, timeIn } from './clock'

test('a time to come is told by the nearest minute', () => {
  const noon = new Date(2026, 0, 1, 12, 0, 10).getTime()
  expect(clock(noon)).toBe('12:00')
  expect([timeIn(600, noon), timeIn(585, noon), timeIn(640, noon)]).toEqual(['12:10', '12:10', '12:11'])
})
