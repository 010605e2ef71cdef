import { expect, test } from 'vitest'
import type { RoundOfTable } from '../../lib/wire'
import { shareOf } from './rounds'

const told: RoundOfTable = {
  table: 'nz',
  title: 'New Zealand',
  rulebook: 'nz',
  labels: { initial: 'Casino War', war: 'Go to War' },
  at: 0,
  round: {
    number: 4,
    version: 80,
    hands: [
      [2, ['9s', 'Kd']],
      [3, ['4c']],
      [0, ['9h', '2c']],
    ],
    wagers: [
      [2, 'initial', 'me', 1_000, 'push', 0, 1_000],
      [2, 'war', 'me', 1_000, 'won', 1_000, 1_000],
      [2, 'war_tie', 'me', 500, 'lost', 0, 0],
      [3, 'initial', 'other', 9_000, 'lost', 0, 0],
    ],
    is_void: false,
    odds: [],
    clauses: [],
    at: null,
    bank: null,
    placed: [],
  },
}

test('a share has the own hand, the dealer’s and what came of the own wagers alone', () => {
  const share = shareOf(told, 'me')
  expect(share.own).toEqual(['9s', 'Kd'])
  expect(share.dealer).toEqual(['9h', '2c'])
  expect(share.result).toBe(1_000 - 500)
  expect(share.wagers.map((wager) => wager.label)).toEqual(['Casino War', 'Go to War', 'war tie'])
})

test('whoever banked has no hand but the dealer’s, and what the bank came to', () => {
  const banked = { ...told, round: { ...told.round, bank: ['banker', -2_500] as [string, number] } }
  expect(shareOf(banked, 'banker')).toMatchObject({ isBank: true, own: [], dealer: ['9h', '2c'], wagers: [], result: -2_500 })
  expect(shareOf(banked, 'me')).toMatchObject({ isBank: false, result: 500 })
})
