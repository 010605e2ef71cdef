import { expect, test } from 'vitest'
import type { Step } from '../../lib/wire'
import { doneLines, doneWith, inProgress, linesOf, passed, type Done } from './lines'

function step(act: Step['act'], more: Partial<Step> = {}): Step {
  return {
    act,
    command: null,
    clauses: [],
    box: null,
    player: null,
    wager: null,
    amount: 0,
    returned: 0,
    kept: 0,
    burn: null,
    waits_for: null,
    role: null,
    ...more,
  }
}
const draw = (box: number): Step => step('draw', { box, clauses: ['X-1'] })
const burn = step('burn', { burn: 'war' })

test('cards to boxes are one line, the card to the dealer another', () => {
  const lines = linesOf([step('call'), draw(1), draw(2), draw(0), step('settle')])
  expect(lines.map((line) => line.kind)).toEqual(['call', 'draw', 'draw_dealer', 'settle'])
  expect(lines[1]?.boxes).toEqual([1, 2])
  expect(lines[1]?.clauses).toEqual(['X-1'])
})

test('cards in a war are second cards, and burns are one line', () => {
  const lines = linesOf([burn, burn, burn, draw(2), draw(0)], { 0: 1, 2: 1 })
  expect(lines.map((line) => [line.kind, line.steps.length])).toEqual([
    ['burn', 3],
    ['second', 1],
    ['second_dealer', 1],
  ])
})

test('takes and payments are one line with their boxes', () => {
  const settling = [step('take', { box: 3, amount: 5 }), step('pay', { box: 2 }), step('give_back', { box: 2 })]
  expect(linesOf([...settling, step('end_round', { box: 0 })]).map((line) => [line.kind, line.boxes])).toEqual([
    ['settle', [3, 2]],
    ['end_round', [0]],
  ])
})

test('what has passed is the head that the new list lacks', () => {
  const steps = [burn, burn, draw(2), draw(0), step('settle')]
  expect(passed(steps, steps.slice(1))).toEqual([burn])
  expect(passed(steps, steps)).toEqual([])
  expect(passed([draw(0), step('settle')], [step('take'), step('end_round')])).toEqual([draw(0)])
})

test('more wagers, a wager taken back, a void and an incident pass nothing', () => {
  const dealt = [step('call'), draw(1), draw(0)]
  expect(passed(dealt, [step('call'), draw(1), draw(2), draw(0)])).toEqual([])
  expect(passed(dealt, [step('invite')])).toEqual([])
  expect(passed([draw(1), draw(0)], [step('invite')], ['round_voided'])).toEqual([])
  expect(passed([draw(1), draw(0)], [step('rule')], ['incident_reported'])).toEqual([])
})

test('a new list begins behind the end of a round', () => {
  let done: Done[] = doneWith([], [draw(1), draw(2)], {})
  done = doneWith(done, [draw(1)], { 1: 1, 2: 1 })
  expect(doneLines(done).map((line) => line.kind)).toEqual(['draw', 'second'])
  done = doneWith(done, [step('end_round')], {})
  expect(doneWith(done, [step('invite')], {}).map((one) => one.step.act)).toEqual(['invite'])
})

test('players choose in any order, and one act offers to all', () => {
  const [five, two] = [step('decide', { box: 5 }), step('decide', { box: 2 })]
  expect(passed([five, two], [five])).toEqual([two])
  expect(passed([five, two], [step('call')])).toEqual([five, two])
  expect(passed([step('offer', { box: 5 }), step('offer', { box: 2 })], [five, two])).toHaveLength(2)
})

test('a line that is half done is one line', () => {
  const held = { 0: 1, 2: 1, 5: 1 }
  const past = doneLines(doneWith([], [burn, draw(2)], held))
  const merged = inProgress(past, linesOf([draw(5), draw(0)], { ...held, 2: 2 }))
  expect(merged.past.map((line) => line.kind)).toEqual(['burn'])
  expect(merged.before?.boxes).toEqual([2])
  expect(inProgress(past, linesOf([draw(0)], held)).before).toBeNull()
})

test('the call before a war is another one', () => {
  expect(linesOf([step('call')], { 0: 1 })[0]?.kind).toBe('call_war')
})

test('a step that is gone without its effect was not done', () => {
  const pay = step('pay', { box: 1, amount: 2500 })
  const offer = step('offer', { box: 1 })
  expect(passed([pay, step('end_round')], [offer], ['command_taken', 'card_corrected'])).toEqual([])
  expect(passed([pay, step('end_round')], [step('end_round')], ['command_taken', 'wager_settled'])).toEqual([pay])
  const [mine, yours] = [step('cut', { player: 'a' }), step('cut', { player: 'b' })]
  expect(passed([mine, step('marker')], [yours, step('marker')], ['cut_declined'])).toEqual([])
  expect(passed([yours, step('marker')], [step('marker')], ['cut_made'])).toEqual([yours])
})
