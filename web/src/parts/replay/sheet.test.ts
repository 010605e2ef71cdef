import { expect, test } from 'vitest'
import type { Settlement } from '../../lib/wire'
import { byBox, handsOf } from './sheet'
import type { RoundStep } from './wire'

function step(boxes: Record<number, string[]>, dealer: string[], event: object = { name: 'card_dealt' }): RoundStep {
  const view = { dealer, boxes: Object.entries(boxes).map(([box, cards]) => ({ box: Number(box), cards })) }
  return { says: '', clauses: [], event, view } as unknown as RoundStep
}

const settled = (box: number, player: string, wager: string): RoundStep =>
  step({}, [], { name: 'wager_settled', box, player, wager })
const row = (box: number, player: string, wager: string): Settlement => ({ box, player, wager }) as Settlement

test('every hand is told as it lay last, the dealer’s first, also those that went to the rack earlier', () => {
  const steps = [step({ 2: [], 1: ['9h'] }, []), step({ 1: ['9h'], 2: ['4c'] }, ['9s']), step({ 1: ['9h', 'Kd'], 2: [] }, ['9s', '2c']), step({ 1: [], 2: [] }, [])]
  expect(handsOf(steps)).toEqual([
    [0, ['9s', '2c']],
    [1, ['9h', 'Kd']],
    [2, ['4c']],
  ])
})

test('money is told box by box, in the order in which it was settled, and what was not settled last', () => {
  const steps = [settled(3, 'ann', 'tie'), settled(1, 'ben', 'initial'), settled(3, 'ann', 'initial'), settled(3, 'cy', 'initial')]
  const settlements = [row(3, 'cy', 'initial'), row(3, 'ann', 'initial'), row(1, 'ben', 'tie'), row(3, 'ann', 'tie'), row(1, 'ben', 'initial')]
  expect(byBox({ steps, settlements }).map(({ box, player, wager }) => `${box} ${player} ${wager}`)).toEqual([
    '1 ben initial',
    '1 ben tie',
    '3 ann tie',
    '3 ann initial',
    '3 cy initial',
  ])
})
