import { afterEach, expect, test, vi } from 'vitest'
import type { Act } from './acts'
import { clausesOf, movesOf, refusals, roleFor, saysOf, type Preview } from './preview'

const reversed = (box: number, says: string): Preview['events'][number] => ({ name: 'wager_reversed', box, says, clauses: ['X-1'] })

test('what is void is told box by box, and no placeholder for a reason', () => {
  const shown: Preview = {
    events: [
      reversed(4, 'four'),
      reversed(1, 'one'),
      { name: 'cards_collected', says: 'To the rack' },
      reversed(2, 'two'),
      { name: 'round_voided', says: 'All hands are void, by operator olga and a second person: …', clauses: ['X-2'] },
    ],
    refused: null,
  }
  expect(saysOf(shown)).toEqual(['one', 'four', 'To the rack', 'two', 'All hands are void, by operator olga and a second person'])
  expect(clausesOf(shown)).toEqual(['X-1', 'X-2'])
})

test('who gets and who gives are told with the layout, so that it adds up', () => {
  const shown: Preview = { events: [], refused: null, moved: [['ann', 1000], [null, 500]], others: [['layout', -1500]] }
  expect(movesOf(shown)).toEqual([['ann', 1000], ['house', 500], ['layout', -1500]])
})

test('of two roles the one is taken that may', () => {
  const refused: Preview['refused'] = { type: 'refused', id: '', code: 'not_entitled', says: '', clauses: [], request: null }
  expect(roleFor({ events: [], refused, may: ['operator'] }, ['supervisor', 'operator'])).toBe('operator')
  expect(roleFor({ events: [], refused, may: ['operator'] }, ['supervisor'])).toBeNull()
  expect(roleFor({ events: [], refused: null, may: [] }, ['supervisor', 'operator'])).toBeNull()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const ACTS: Act[] = ['pause', 'close_table', 'next'].map((name) => ({ do: name, fields: [] }) as unknown as Act)

/** A server that takes so many looks a second, and refuses every act that it looks into. */
function paced(most: number): { looks: () => number } {
  vi.useFakeTimers()
  let [room, looks] = [most, 0]
  setInterval(() => (room = most), 1_000)
  vi.stubGlobal('fetch', async () => {
    looks += 1
    const isTaken = room-- > 0
    const told = isTaken ? { events: [], refused: { code: 'wrong_phase', says: 'not now' } } : { code: 'too_fast', says: 'wait a little' }
    return new Response(JSON.stringify(told), { status: isTaken ? 200 : 429, headers: { 'content-type': 'application/json' } })
  })
  return { looks: () => looks }
}

test('acts whose look came too fast are looked into again, and not offered unseen', async () => {
  paced(1)
  const told = refusals('nz', ACTS, {}, ['supervisor'])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(Object.values(await told).map((one) => one.code)).toEqual(['wrong_phase', 'wrong_phase', 'wrong_phase'])
})

test('a server that is always too busy is not asked for ever, and what it said is told', async () => {
  const { looks } = paced(0)
  const told = refusals('nz', ACTS.slice(0, 1), {}, ['supervisor'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await told)['pause']).toMatchObject({ code: 'too_fast', says: 'wait a little' })
  expect(looks()).toBeLessThanOrEqual(10)
})
