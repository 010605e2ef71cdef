import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Wishes } from './wishes.svelte'

let kept: Record<string, string> = {}
beforeEach(() => {
  kept = {}
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept[key] ?? null, setItem: (key: string, value: string) => void (kept[key] = value) })
})
afterEach(() => vi.unstubAllGlobals())

test('what somebody has asked for is known at the next table, and nobody else has asked for it', () => {
  new Wishes('ana').set('bank')
  expect([new Wishes('ana').has('bank'), new Wishes('ana').has('cut'), new Wishes('guest-2').has('bank')]).toEqual([true, false, false])
  new Wishes('ana').set('bank', false)
  expect(new Wishes('ana').has('bank')).toBe(false)
})

test('without storage a wish is for this visit, and what cannot be read is none', () => {
  kept['casinowar-wishes'] = '{'
  const wishes = new Wishes('ana')
  expect(wishes.has('cut')).toBe(false)
  vi.stubGlobal('localStorage', undefined)
  wishes.set('cut')
  expect(wishes.has('cut')).toBe(true)
})
