// Whoever comes back is told what their wagers came to meanwhile.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RoundLine } from '../../lib/wire'
import { Away } from './away'

let kept: Record<string, string> = {}
beforeEach(() => {
  kept = {}
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, value: string) => void (kept[key] = value) })
})
afterEach(() => vi.unstubAllGlobals())

const line = (at: number, ...wagers: RoundLine['wagers']): RoundLine => ({ number: at, at, wagers }) as unknown as RoundLine
const gaveUp = line(2, [1, 'initial', 'ana', 1000, 'surrender', 0, 500], [2, 'initial', 'ben', 500, 'lose', 0, 0])
const won = line(3, [1, 'initial', 'ana', 1000, 'win', 1000, 1000], [1, 'tie', 'ana', 500, 'lose', 0, 0])

test('a choice that timed out is told on return, also in a page that was loaded anew', () => {
  new Away('nz', 'ana').look([])
  expect(new Away('nz', 'ana').look([gaveUp])).toBe('While you were away: box 1 surrendered, back 5.')
  expect(new Away('nz', 'ana').look([gaveUp]), 'once').toBe('')
})

test('what was seen to happen is not told again', () => {
  const away = new Away('nz', 'ana')
  away.look([])
  expect(away.look([gaveUp])).toBe('')
  away.leave()
  expect(away.look([gaveUp, won])).toBe('While you were away: box 1 came to +5.')
})

test('nothing is told at a table where one was never seen, of others, or of another player', () => {
  expect(new Away('nz', 'ana').look([gaveUp])).toBe('')
  new Away('ma', 'cat').look([])
  expect(new Away('ma', 'cat').look([gaveUp])).toBe('')
  expect(new Away('ma', 'ana').look([gaveUp])).toBe('')
})

test('of several rounds each box is told, the last of them at most', () => {
  new Away('nz', 'ana').look([])
  const many = Array.from({ length: 6 }, (_, at) => ({ ...gaveUp, at: 10 + at }))
  expect(new Away('nz', 'ana').look([...many, { ...won, at: 30 }])).toBe('While you were away, 7 hands were played: … box 1 surrendered, back 5; box 1 surrendered, back 5; box 1 came to +5.')
})
