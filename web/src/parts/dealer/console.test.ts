import { afterEach, expect, test, vi } from 'vitest'
import type { Command } from '../../lib/live.svelte'
import { session } from '../../lib/session.svelte'
import { DealersConsole } from './console.svelte'

type Answer = { type: 'done' } | { type: 'refused'; says: string; clauses: string[]; request: null }

/** A table that answers when it is told to. */
function slow(): { desk: DealersConsole; asked: Command[]; answer: (refusal?: string) => Promise<void> } {
  const asked: Command[] = []
  const waiting: ((answer: Answer) => void)[] = []
  const live = { view: null, do: (command: Command) => (asked.push(command), new Promise((settle) => waiting.push(settle))) }
  const answer = async (refusal?: string): Promise<void> => {
    waiting.shift()!(refusal ? { type: 'refused', says: refusal, clauses: [], request: null } : { type: 'done' })
    await new Promise((after) => setTimeout(after))
  }
  return { desk: new DealersConsole(live as never), asked, answer }
}

test('cards typed while one is under way are entered in their turn', async () => {
  const { desk, asked, answer } = slow()
  void desk.enter('Kh', false)
  void desk.enter('Qd', false)
  void desk.enter('Qs', true)
  expect(asked).toEqual([{ do: 'enter', card: 'Kh' }])
  await answer()
  expect(asked.slice(1)).toEqual([{ do: 'enter', card: 'Qd' }])
  await answer()
  expect(asked.slice(2)).toEqual([{ do: 'correct_card', card: 'Qs' }])
  await answer()
  expect(desk.isBusy).toBe(false)
  expect(desk.says).toBe('Corrected to queen of spades.')
})

test('a card waits for the next act, which is not done twice', async () => {
  const { desk, asked, answer } = slow()
  void desk.next()
  void desk.next()
  void desk.enter('Kh', false)
  await answer()
  expect(asked).toEqual([{ do: 'next' }, { do: 'enter', card: 'Kh' }])
})

test('behind a card that is refused none is entered, and that is said', async () => {
  const { desk, asked, answer } = slow()
  for (const card of ['Kh', 'Qd', '7s']) void desk.enter(card, false)
  await answer('no card is due')
  expect(asked).toHaveLength(1)
  expect(desk.unentered).toEqual(['Qd', '7s'])
  expect(desk.says).toBe('No card is due. Not entered either: queen of diamonds, seven of spades.')
  void desk.enter('Qd', false)
  await answer()
  expect(asked).toHaveLength(2)
  expect(desk.unentered).toEqual([])
})

afterEach(() => {
  session.me = null
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A dealer at real cards, and what the server was asked for. Each look is answered as the next of `answers` says. */
function looking(answers: [number, object][] = []): { see: (version: number, act: string) => void; desk: DealersConsole; looks: () => number } {
  vi.useFakeTimers()
  session.me = { player: 'dora', roles: ['dealer'] } as never
  let looks = 0
  const json = (status: number, body: object): Response => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  vi.stubGlobal('fetch', async (path: string) => {
    if (!path.endsWith('/preview')) return json(404, {})
    looks += 1
    return json(...(answers.shift() ?? [200, { events: [], refused: { code: 'card_unseen' } }]))
  })
  const live = { table: 'real', view: null as unknown, snapshots: 0 }
  const desk = new DealersConsole(live as never)
  const see = (version: number, act: string): void => {
    live.view = { version, dealer_kind: 'real', signatures: [], view: { procedure: [{ act }], dealer: [], boxes: [] } }
    desk.see(live.view as never)
  }
  return { see, desk, looks: () => looks }
}

test('views in which the table has not moved are not looked into again', async () => {
  const { see, desk, looks } = looking()
  for (let view = 0; view < 16; view++) see(7, 'burn')
  await vi.advanceTimersByTimeAsync(10)
  for (let view = 0; view < 16; view++) see(7, 'burn')
  await vi.advanceTimersByTimeAsync(10)
  expect([looks(), desk.isFaceDue]).toEqual([1, true])
  see(7, 'draw')
  see(8, 'draw')
  await vi.advanceTimersByTimeAsync(10)
  expect([looks(), desk.isFaceDue]).toEqual([3, true])
  see(8, 'settle')
  expect(desk.isFaceDue).toBe(false)
  see(8, 'draw')
  await vi.advanceTimersByTimeAsync(10)
  expect([looks(), desk.isFaceDue]).toEqual([4, true])
})

test('a look that came too fast is made again in a moment, and one that failed with the next view', async () => {
  const { see, desk, looks } = looking([[429, { code: 'too_fast', says: 'wait' }], [503, { code: 'draining', says: 'later' }]])
  see(7, 'burn')
  await vi.advanceTimersByTimeAsync(10)
  expect([looks(), desk.isFaceDue]).toEqual([1, false])
  await vi.advanceTimersByTimeAsync(3_000)
  expect([looks(), desk.isFaceDue]).toEqual([2, false])
  see(7, 'burn')
  await vi.advanceTimersByTimeAsync(10)
  expect([looks(), desk.isFaceDue]).toEqual([3, true])
})
