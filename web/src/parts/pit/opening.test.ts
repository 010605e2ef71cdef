import { expect, test } from 'vitest'
import type { TableSettings } from '../../lib/wire'
import { choicesOf, DECKS, faultsOf, fieldOf, PROGRESSIVE, settingsOf, typedOf, type Typed } from './opening'

const leaves = (decks: string | null, progressive: string | null = null) => [
  { key: DECKS, says: '6', allowed: decks },
  { key: PROGRESSIVE, says: 'off', allowed: progressive },
]
const some = choicesOf(leaves('4, 6, 8'))
const typed = (more: Partial<Typed> = {}): Typed => ({ ...typedOf(null), name: 'late', rulebook: 'nz', ...more })

test('what a book lets one choose is read from its rules', () => {
  expect(some.decks).toEqual({ value: '6', listed: ['4', '6', '8'], least: null })
  expect(choicesOf(leaves('6 or more')).decks).toEqual({ value: '6', listed: [], least: 6 })
  expect(choicesOf(leaves(null)).decks.listed).toEqual(['6'])
  expect(some.canHaveProgressive).toBe(false)
  expect(choicesOf(leaves('6', 'off, on')).canHaveProgressive).toBe(true)
})

test('what cannot be is told at its field', () => {
  const faults = (more: Partial<Typed>, choices = some) => Object.keys(faultsOf(typed(more), choices, ['Taken']))
  expect(faults({})).toEqual([])
  expect(faults({ name: 'bad name!' })).toEqual(['name'])
  expect(faults({ name: 'taken' })).toEqual(['name'])
  expect(faults({ minimum: 'five' })).toEqual(['minimum'])
  expect(faults({ unit: '0' })).toEqual(['unit'])
  expect(faults({ maximum: '' })).toEqual([])
  expect(faultsOf(typed({ minimum: '500', maximum: '5' }), some, [])).toEqual({ maximum: 'Write 500 or more: this is below the minimum.' })
  expect(faults({ decks: '5' }, choicesOf(leaves('6 or more')))).toEqual(['decks'])
  expect(faults({ isProgressive: true, meter: 'lots' })).toEqual(['meter'])
})

test('the settings hold what was chosen, and nothing that is the book’s own', () => {
  const open = choicesOf(leaves('6, 7, 8', 'off, on'))
  expect(settingsOf(typed({ decks: '6' }), open, null)).toMatchObject({ options: {}, limit: { minimum: 500, maximum: 50_000, unit: 500 } })
  const chosen = settingsOf(typed({ decks: '8', isProgressive: true, meter: '2,500', bots: '2' }), open, null)
  expect(chosen).toMatchObject({ options: { [DECKS]: 8, [PROGRESSIVE]: true }, meter: 250_000, bots: [{ strategy: 'war' }, { strategy: 'war' }] })
  expect(settingsOf(typed({ isProgressive: false, meter: '2,500' }), open, null)).not.toHaveProperty('meter')
})

test('a table is opened again as it was', () => {
  const was = {
    name: 'late', title: 'Late night', rulebook: 'wa', dealer: 'automatic', options: { [DECKS]: 8, 'limits.area_total_max': 5 },
    limit: { minimum: 1_000, maximum: null, unit: 250 }, limits: { tie: { minimum: 500, maximum: 5_000, unit: 500 } }, meter: null,
    timers: { betting: 7 }, timeout: 'wait', bots: [{ strategy: 'tie', box: 3 }], owner: null,
  } as unknown as TableSettings
  const { owner: _, meter: __, ...rest } = was
  expect(settingsOf(typedOf(was), some, was)).toEqual(rest)
  const other = settingsOf({ ...typedOf(was), rulebook: 'nz', decks: '6', bots: '0' }, some, was)
  expect(other).toMatchObject({ options: {}, bots: [] })
  expect(other).not.toHaveProperty('limits')
})

test('a refusal of the server finds its field', () => {
  expect(fieldOf('Maximum: is below the minimum of 10.')).toBe('maximum')
  expect(fieldOf('House players: 8 of them.')).toBe('bots')
  expect(fieldOf('The server cannot be reached.')).toBeNull()
})
