// The list of a table's shoes: an honest one, each thing that can be wrong with it, and what an older program wrote.

import { beforeEach, expect, test, vi } from 'vitest'
import { complaintsOf, forgetSeen, keepSeen, remarksOf, seenBefore, sumOf } from './shoe_list'
import type { ListedShoe } from './wire'

function line(number: number, changes: Partial<ListedShoe> = {}): ListedShoe {
  const shoe = { number, shoe: `late/${number}`, commitment: `c${number}`, previous: number > 1 ? `c${number - 1}` : null }
  return { ...shoe, fate: 'finished', reason: null, by: null, kind: 'shoe', cards: 312, out: 240, marker: 234, is_numbered: true, seal: `s${number}`, ...changes }
}
const voided = (number: number, by: string | null): ListedShoe => line(number, { fate: 'voided', reason: 'the table closed', by, out: 3 })
const honest = (): ListedShoe[] => [voided(1, 'operator:oz'), voided(2, 'operator:oz'), voided(3, 'house'), line(4), line(5, { fate: 'running', out: 0 })]

test('an honest list says how many were voided and by whom', () => {
  expect(complaintsOf(honest(), { number: 3, commitment: 'c3' }, 'c5')).toEqual([])
  expect(sumOf(honest())).toBe('5 shoes under this name: 1 played out, 3 voided (2 by oz, operator, 1 by the house), 1 in play.')
  expect(remarksOf(honest())).toEqual([])
})

test.each([
  ['a shoe is left out', (all: ListedShoe[]) => all.filter((one) => one.number !== 3), ['Shoe 4: stands where 3 was due', 'Shoe 4: is not bound', 'Shoe 5: stands']],
  ['the first is left out', (all: ListedShoe[]) => all.slice(1).map((one) => ({ ...one, number: one.number - 1 })), ['Shoe 1: is bound to a shoe that the list does not have']],
  ['one begins anew', (all: ListedShoe[]) => [...all.slice(0, 4), line(5, { shoe: 'late.2/1', previous: null, fate: 'running' })], ['Shoe 5: is not bound to the shoe before it']],
  ['one was never opened', (all: ListedShoe[]) => all.map((one) => (one.number === 2 ? { ...one, fate: 'running' as const } : one)), ['Shoe 2: was never opened']],
  ['one is called finished', (all: ListedShoe[]) => all.map((one) => (one.number === 2 ? { ...one, fate: 'finished' as const } : one)), ['Shoe 2: called finished after 3 of 312 cards, before its cutting card at 234']],
  ['nobody voided it', (all: ListedShoe[]) => all.map((one) => (one.number === 2 ? { ...one, by: null } : one)), ['Shoe 2: nobody is named']],
  ['one is passed off as old', (all: ListedShoe[]) => [...all.slice(0, 4), line(5, { is_numbered: false, fate: 'running' })], ['Shoe 5: has no number of its own']],
])('%s', (_, change, says) => {
  const said = complaintsOf(change(honest()), null, null)
  expect(said).toHaveLength(says.length)
  for (const [at, begins] of says.entries()) expect(said[at]).toContain(begins)
})

test('the shoe in play is in the list', () => {
  expect(complaintsOf(honest(), null, 'other')).toEqual(['The shoe in play is not in the list.'])
})

test('what an older program wrote is a remark', () => {
  const older = { is_numbered: false, by: null }
  const lines = [line(1, { ...older, out: 3 }), line(2, { ...older, shoe: 'late.2/1', previous: null }), line(3, { fate: 'running' })]
  expect(complaintsOf(lines, null, null)).toEqual([])
  expect(remarksOf(lines)).toHaveLength(2)
  expect(remarksOf(lines).join(' ')).toContain('A chain began anew at shoe 2')
})

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, text: string) => kept.set(name, text) })
})

test('a list that has become shorter, or another, is found by a browser that has seen it', () => {
  keepSeen('late', honest())
  expect(seenBefore('late')).toEqual({ number: 5, commitment: 'c5', seal: 's5', out: 0 })
  const shorter = honest().slice(0, 2)
  expect(complaintsOf(shorter, seenBefore('late'), null)).toEqual(['Shoe 5: was in the list that this browser saw before, and is gone.'])
  keepSeen('late', shorter)
  expect(seenBefore('late')?.number).toBe(5)
  expect(seenBefore('other')).toBeNull()
  forgetSeen('late')
  keepSeen('late', shorter)
  expect(complaintsOf(shorter, seenBefore('late'), null)).toEqual([])
  for (let at = 0; at < 60; at++) keepSeen(`private-${at}`, shorter)
  expect([seenBefore('late'), seenBefore('private-59')?.number]).toEqual([null, 2])
})

/** The shoe in play as the list has it: not sealed yet, or with so many cards out. */
const inPlay = (seal: string | null, out: number): ListedShoe[] => [...honest().slice(0, 4), line(5, { fate: 'running', seal, out, marker: null })]

test.each([
  ['sealed anew', inPlay('other', 9), ['Shoe 5: had another seal']],
  ['back before it was sealed', inPlay(null, 0), ['Shoe 5: had another seal', 'Shoe 5: had 6 cards out when this browser saw it before, and has 0 now']],
  ['back before its rounds', inPlay('s5', 3), ['Shoe 5: had 6 cards out when this browser saw it before, and has 3 now']],
])('a copy that was put back is found by a browser that has seen the shoe: %s', (_, now, says) => {
  keepSeen('late', inPlay('s5', 6))
  const check = (): void => {
    const said = complaintsOf(now, seenBefore('late'), 'c5')
    expect(said).toHaveLength(says.length)
    for (const [at, begins] of says.entries()) expect(said[at]).toContain(begins)
  }
  check()
  keepSeen('late', now)
  check()
  forgetSeen('late')
  keepSeen('late', now)
  expect(complaintsOf(now, seenBefore('late'), 'c5')).toEqual([])
})

test('a shoe that goes on is not accused, nor is one that an older page has seen', () => {
  keepSeen('late', inPlay(null, 0))
  for (const now of [inPlay(null, 0), inPlay('s5', 0), inPlay('s5', 6), inPlay('s5', 6), [...honest().slice(0, 4), line(5), line(6, { fate: 'running', seal: null, out: 0 })]]) {
    expect(complaintsOf(now, seenBefore('late'), null)).toEqual([])
    keepSeen('late', now)
  }
  expect(complaintsOf(inPlay('s5', 6), { number: 5, commitment: 'c5' }, 'c5')).toEqual([])
})
