import { expect, test } from 'vitest'
import type { Book } from '../../lib/wire'
import { grouped, isFound, valueWords } from './books'

const book: Book = {
  id: 'nz',
  title: 'New Zealand',
  version: '',
  short: 'New Zealand',
  leaves: [
    { key: 'war.burn', about: 'Cards burned before a war', allowed: null, value: 3, says: '3', clauses: ['NZ-5.4'] },
    { key: 'payout.tie.on_win', about: 'Tie pays', allowed: null, value: '10:1', says: '10:1', clauses: ['NZ-5.6'] },
    { key: 'war.burn_place', about: 'Where they go', allowed: null, value: 'rack', says: 'rack', clauses: ['NZ-8.7'] },
  ],
  clauses: { 'NZ-5.4': 'Three cards are set aside before the second cards.' },
}

test('values become words', () => {
  expect(valueWords('10:1')).toBe('10 to 1')
  expect(valueWords(true)).toBe('Yes')
  expect(valueWords([])).toBe('None')
  expect(valueWords(['empty', 'all_agreed'])).toBe('empty, all agreed')
  expect(valueWords({ A: 1, K: 10 })).toBe('A 1, K 10')
  expect(valueWords('23456789TJQKA')).toBe('23456789TJQKA')
})

test('groups keep the order of the book', () => {
  expect(grouped(book.leaves).map((group) => [group.name, group.leaves.length])).toEqual([
    ['War', 2],
    ['What is paid', 1],
  ])
})

test('rules are found by key, value, clause and what the clause says', () => {
  const found = (looked: string) => book.leaves.filter((leaf) => isFound(leaf, book, looked)).map((leaf) => leaf.key)
  expect(found('burn')).toEqual(['war.burn', 'war.burn_place'])
  expect(found('10 to 1')).toEqual(['payout.tie.on_win'])
  expect(found('nz-8.7')).toEqual(['war.burn_place'])
  expect(found('where they')).toEqual(['war.burn_place'])
  expect(found('set aside')).toEqual(['war.burn'])
  expect(found('  ')).toHaveLength(3)
})
