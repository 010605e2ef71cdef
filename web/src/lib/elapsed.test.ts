import { expect, test } from 'vitest'
import { lasted, minutesSeconds } from './elapsed.svelte'

test('a running clock has two digits for its seconds', () => {
  expect([0, 42_900, 60_000, 671_000].map(minutesSeconds)).toEqual(['0:00', '0:42', '1:00', '11:11'])
})

test('how long somebody is away is told as exactly as it matters', () => {
  expect([900, 40_000, 60_000, 185_000, 305_000].map(lasted)).toEqual(['0 s', '40 s', '1 min', '3 min 5 s', '5 min'])
})
