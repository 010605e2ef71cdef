import { expect, test, vi } from 'vitest'
import type { Book } from '../../lib/wire'
import { allowedWords, bookAt, grouped, isFound, rolesOf, valueWords } from './books'

const book: Book = {
  id: 'nz',
  title: 'New Zealand',
  version: '',
  short: 'New Zealand',
  edition: 2,
  editions: [1, 2],
  leaves: [
    { key: 'war.burn', about: 'Cards burned before a war', allowed: null, value: 3, says: '3', clauses: ['NZ-5.4'], supplied: false, see: [], ambiguity: null },
    { key: 'payout.tie.on_win', about: 'Tie pays', allowed: null, value: '10:1', says: '10:1', clauses: ['NZ-5.6'], supplied: false, see: [], ambiguity: null },
    { key: 'war.burn_place', about: 'Where they go', allowed: null, value: 'rack', says: 'rack', clauses: ['NZ-8.7'], supplied: false, see: [], ambiguity: null },
  ],
  clauses: { 'NZ-5.4': 'Three cards are set aside before the second cards.' },
}

test('values become words', () => {
  expect(valueWords('payout.tie.on_win', '10:1')).toBe('10 to 1')
  expect(valueWords('wager.tie', true)).toBe('Yes')
  expect(valueWords('limits.linked_players', [])).toBe('None')
  expect(valueWords('limits.change', ['empty', 'agreed'])).toBe('when the table is empty, when all players agree')
  expect(valueWords('shoe.burn_value', { A: 1, K: 10 })).toBe('A 1, K 10')
  expect(valueWords('cards.ranks', '23456789TJQKA')).toBe('2 3 4 5 6 7 8 9 10 J Q K A')
})

test('a value is called by what it means in its rule', () => {
  expect(valueWords('surrender.forfeit', '1:2')).toBe('half of the first wager')
  expect(valueWords('irreg.misdealt', 'pit_boss')).toBe('as the pit boss rules')
  expect(valueWords('irreg.arbiter', 'pit_boss')).toBe('the pit boss')
  expect(valueWords('payout.initial.on_loss', 'lose')).toBe('the stake is lost')
  expect(valueWords('limits.area_total_max', 0)).toBe('no such maximum')
})

test('a role goes by the name that the book has for it', () => {
  const roles = { supervisor: 'Table Inspector', operator: 'Casino Operator' }
  expect(valueWords('shoe.cut_last', 'supervisor', roles)).toBe('the Table Inspector')
  expect(valueWords('open.inspection', 'two_people')).toBe('the dealer and the supervisor, each alone')
  expect(valueWords('authority.void_hand', 'operator', roles)).toBe('Casino Operator')
  expect(valueWords('authority.deal', 'dealer', roles)).toBe('dealer')
  const leaf = { about: '', allowed: null, says: '', clauses: [], supplied: false, see: [], ambiguity: null }
  expect(rolesOf([{ ...leaf, key: 'roles.supervisor', value: 'Pit Boss' }, ...book.leaves])).toEqual({ supervisor: 'Pit Boss' })
})

test('a value without words of its own stays as it is', () => {
  expect(valueWords('names.tie', 'Tie')).toBe('Tie')
  expect(valueWords('new.rule', ['empty', 'all_agreed'])).toBe('empty, all agreed')
  expect(valueWords('new.rule', '23456789TJQKA')).toBe('23456789TJQKA')
})

test('what the house may set is in the words of the values', () => {
  const leaf = (key: string, value: unknown, allowed: string) => ({ key, about: '', allowed, value, says: '', clauses: [], supplied: false, see: [], ambiguity: null })
  expect(allowedWords(leaf('wager.tie', true, 'on, off'))).toBe('yes or no')
  expect(allowedWords(leaf('shoe.decks', 6, '4, 6, 8'))).toBe('4, 6, 8')
  expect(allowedWords(leaf('bank.by', 'house', 'house, player'))).toBe('the house, a player')
  expect(allowedWords(leaf('perfect_pairs.table', 'P6a', 'P6a, P6b'))).toBe('25, 12 and 5 to 1; 30, 12 and 5 to 1')
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
  expect(found('discard rack')).toEqual(['war.burn_place'])
  expect(found('rack')).toEqual(['war.burn_place'])
  expect(found('nz-8.7')).toEqual(['war.burn_place'])
  expect(found('where they')).toEqual(['war.burn_place'])
  expect(found('set aside')).toEqual(['war.burn'])
  expect(found('  ')).toHaveLength(3)
})

test('a book is found at its name and at its edition, and an earlier edition is asked for', async () => {
  const first: Book = { ...book, edition: 1 }
  const asked = vi.fn((path: string) =>
    Promise.resolve(
      path.endsWith('nz%401')
        ? new Response(JSON.stringify(first), { headers: { 'content-type': 'application/json' } })
        : new Response('{}', { status: 404, headers: { 'content-type': 'application/json' } }),
    ),
  )
  vi.stubGlobal('fetch', asked)
  expect(await bookAt('', [book])).toBe(book)
  expect(await bookAt('nz', [book])).toBe(book)
  expect(await bookAt('nz@2', [book])).toBe(book)
  expect(await bookAt('zz', [book])).toBe(null)
  expect(asked).not.toHaveBeenCalled()
  expect((await bookAt('nz@1', [book]))?.edition).toBe(1)
  expect(await bookAt('nz@9', [book])).toBe(null)
  vi.unstubAllGlobals()
})
