import { expect, test } from 'vitest'
import type { Command } from '../../lib/live.svelte'
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
