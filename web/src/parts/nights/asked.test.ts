import { expect, test } from 'vitest'
import { exactPath, freshSeed, pagePath, parseAsked, parseSeed, settingOf, withSetting } from './asked'

const asked = {
  rulebook: 'wa',
  set: ['shoe.decks=8', 'payout.tie.on_win=11:1'],
  strategy: 'surrender' as const,
  rounds: 150,
  bankroll: 50_000,
  wager: 500,
  nights: 100_000,
  seed: '7f3a-91c2',
}

test('an address that was written is read back, and says whether to play', () => {
  expect(parseAsked(pagePath(asked).replace('/nights', ''), 100)).toEqual({ ...asked, plays: false })
  expect(parseAsked(pagePath(asked, true).replace('/nights', ''), 100)).toEqual({ ...asked, plays: true })
})

test('an address that says nothing, or nonsense, is the usual night', () => {
  const usual = { rulebook: 'nz', set: [], strategy: 'war', rounds: 200, wager: 2_500, bankroll: 100_000, nights: 1_000, plays: false }
  expect(parseAsked('', 100)).toMatchObject(usual)
  expect(parseAsked('?rounds=-3&wager=x&nights=1.5&strategy=best&set=nothing&seed=zzzz', 100)).toMatchObject(usual)
  expect(parseAsked('?nights=99999999', 1).nights).toBe(1_000_000)
})

test('a seed is eight signs in two groups, however it was typed', () => {
  expect(parseSeed(' 7F3A91C2 ')).toBe('7f3a-91c2')
  expect(parseSeed('7f3a-91c2')).toBe('7f3a-91c2')
  for (const text of ['', '7f3a-91c', '7f3a-91c2f', '7g3a-91c2', '7f-3a91c2']) expect(parseSeed(text)).toBeNull()
  expect(freshSeed()).toMatch(/^[0-9a-f]{4}-[0-9a-f]{4}$/)
  expect(freshSeed()).not.toBe(freshSeed())
})

test('the exact night is asked for without what only a run has', () => {
  const path = decodeURIComponent(exactPath(asked))
  expect(path).toContain('rounds=150')
  expect(path).toContain('set=shoe.decks=8')
  expect(path).not.toContain('seed')
  expect(path).not.toContain('nights=')
})

test('a setting is found, replaced and taken away', () => {
  expect(settingOf(asked.set, 'shoe.decks')).toBe('8')
  expect(settingOf([], 'shoe.decks')).toBeNull()
  expect(withSetting(asked.set, 'shoe.decks', '6')).toEqual(['payout.tie.on_win=11:1', 'shoe.decks=6'])
  expect(withSetting(asked.set, 'shoe.decks', null)).toEqual(['payout.tie.on_win=11:1'])
})
