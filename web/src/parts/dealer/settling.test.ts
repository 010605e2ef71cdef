import { expect, test } from 'vitest'
import type { Told } from '../../lib/live.svelte'
import type { BoxView, Step } from '../../lib/wire'
import { rowsOf, settledOf } from './settling'

const box = (number: number, player: string | null, wagers: [string, string, number][]): BoxView => ({
  box: number,
  player,
  wagers,
  cards: [],
  is_at_war: false,
  settled: [],
  open_wagers: [],
})
const due = (act: Step['act'], at: number, player: string, amount: number, returned = 0, kept = 0): Step => ({
  act,
  command: null,
  clauses: [],
  box: at,
  player,
  wager: 'initial',
  amount,
  returned,
  kept,
  burn: null,
  waits_for: null,
  role: null,
})

test('a row for each bettor and each seat, the highest box first', () => {
  const rows = rowsOf(
    [box(1, 'a', [['a', 'initial', 50], ['b', 'tie', 10]]), box(2, 'c', []), box(3, null, [])],
    [[1, 'a']],
    [],
    [],
  )
  expect(rows.map((row) => [row.box, row.player, row.wagers, row.isAsked])).toEqual([
    [2, 'c', {}, false],
    [1, 'a', { initial: 50 }, true],
    [1, 'b', { tie: 10 }, false],
  ])
})

test('take and pay are what is due and what is done, apart', () => {
  const events = [
    { name: 'wager_settled', version: 1, at: 0, box: 1, player: 'a', wager: 'tie', amount: 10, paid: 0, returned: 0 },
    { name: 'card_dealt', version: 2, at: 0 },
  ] as Told[]
  const [row] = rowsOf([box(1, 'a', [['a', 'initial', 50]])], [], [due('pay', 1, 'a', 50, 50)], settledOf(events))
  expect(row?.wagers).toEqual({ initial: 50, tie: 10 })
  expect(row?.done).toEqual({ take: 10, pay: 0, back: 0 })
  expect(row?.due).toEqual({ take: 0, pay: 50, back: 50 })
})

test('a stake that is kept although the wager is paid is taken', () => {
  const paid = { box: 5, player: 'a', wager: 'progressive', amount: 500, paid: 100_000, returned: 0 }
  const [done] = rowsOf([box(5, 'a', [])], [], [], [paid])
  expect(done?.done).toEqual({ take: 500, pay: 100_000, back: 0 })
  const [coming] = rowsOf([box(5, 'a', [['a', 'progressive', 500]])], [], [due('pay', 5, 'a', 100_000, 0, 500)], [])
  expect(coming?.due).toEqual({ take: 500, pay: 100_000, back: 0 })
})

test('what a bank does not cover is given back with what is taken', () => {
  const events = [
    { name: 'wager_limited', version: 1, at: 0, box: 2, player: 'b', wager: 'initial', placed: 50, amount: 40 },
    { name: 'wager_settled', version: 2, at: 0, box: 2, player: 'b', wager: 'initial', amount: 40, paid: 0, returned: 0 },
    { name: 'match_limited', version: 3, at: 0, box: 3, player: 'c', placed: 80, amount: 30 },
  ] as unknown as Told[]
  const rows = rowsOf([], [], [], settledOf(events))
  expect(rows.map(({ box, wagers, done }) => [box, wagers, done])).toEqual([
    [3, {}, { take: 0, pay: 0, back: 50 }],
    [2, { initial: 40 }, { take: 40, pay: 0, back: 10 }],
  ])
})
