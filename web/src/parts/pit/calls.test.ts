import { expect, test } from 'vitest'
import type { PastCall, PitTable } from '../../lib/wire'
import { averageAnswer, callsOf } from './calls'

const table = (name: string, waited: number | null, taken_by: string | null = null): PitTable =>
  ({ name, call: waited === null ? null : { by: 'dealer:dora', about: '', at: 0, waited, taken_by, clauses: [] } }) as unknown as PitTable

test('the oldest call that nobody has taken comes first, and what is taken last', () => {
  const tables = [table('a', 1_000), table('b', null), table('c', 9_000, 'supervisor:sue'), table('d', 5_000), table('e', 2_000, 'supervisor:sam')]
  expect(callsOf(tables).map((one) => one.table.name)).toEqual(['d', 'a', 'c', 'e'])
})

test('the average is of those that were answered', () => {
  const call = (answered: number | null): PastCall => ({ answered }) as PastCall
  expect(averageAnswer([call(60_000), call(null), call(30_000)])).toBe(45_000)
  expect(averageAnswer([call(null)])).toBeNull()
})
