// What "Same again" puts down when money or limits are short: side wagers go first, then the sum goes down.

import { describe, expect, test } from 'vitest'
import type { View } from '../../lib/wire'
import { leastWager, possible, type Bet } from './again'

const limit = { minimum: 500, maximum: 50_000, unit: 500 }
function aView(change: Partial<typeof limit> = {}, open = ['initial', 'tie'], isInitialFirst = false): View {
  return {
    is_initial_first: isInitialFirst,
    layout: [
      { wager: 'initial', label: 'Casino War', limit: { ...limit, ...change }, odds: [] },
      { wager: 'tie', label: 'Tie', limit, odds: [] },
    ],
    signs: { limit },
    boxes: [1, 2].map((box) => ({ box, open_wagers: open })),
  } as unknown as View
}
const initial = (amount: number, box = 1): Bet => ({ box, wager: 'initial', amount })
const tie = (amount: number): Bet => ({ box: 1, wager: 'tie', amount })

test('what can be paid is put down as it was, the first wager before others', () => {
  expect(possible([tie(500), initial(1000)], aView(), 1500)).toEqual([initial(1000), tie(500)])
})
test('a side wager goes before the first wager goes down', () => {
  expect(possible([initial(1000), tie(500)], aView(), 1499)).toEqual([initial(1000)])
})
test('the first wager goes down by units to what is there, and not below the least', () => {
  expect(possible([initial(2500), tie(500)], aView(), 1900)).toEqual([initial(1500)])
  expect(possible([initial(2500)], aView(), 499)).toEqual([])
})
test('a limit that is lower now is kept', () => {
  expect(possible([initial(40_000)], aView({ maximum: 10_000 }), 99_000)).toEqual([initial(10_000)])
})
test('of several boxes the later ones get what is left', () => {
  expect(possible([initial(2000), initial(2000, 2)], aView(), 3000)).toEqual([initial(2000), initial(1000, 2)])
})
test('where there is no place, nothing is offered', () => {
  expect(possible([initial(1000), tie(500)], aView({}, ['initial']), 9000)).toEqual([initial(1000)])
  expect(possible([initial(1000)], aView({}, []), 9000)).toEqual([])
})

describe('where the book wants the first wager before those beside it', () => {
  const wants = (isFirst: boolean): View => aView({ minimum: 1000 }, ['initial', 'tie'], isFirst)
  test('a side wager that alone could be paid is not offered', () => {
    expect(possible([initial(1000), tie(500)], wants(true), 700)).toEqual([])
    expect(possible([initial(1000), tie(500)], wants(false), 700)).toEqual([tie(500)])
  })
  test('one is offered beside a first wager of its box that is offered too, or is there already', () => {
    expect(possible([initial(1000), tie(500)], wants(true), 1500)).toEqual([initial(1000), tie(500)])
    expect(possible([tie(500)], wants(true), 700, [initial(1000)])).toEqual([tie(500)])
    expect(possible([tie(500)], wants(true), 700, [initial(1000, 2)]), 'of another box').toEqual([])
    expect(possible([tie(500)], wants(true), 700, [{ box: 1, wager: 'a_bomb', amount: 500 }]), 'another wager').toEqual([])
  })
  test('a round begins with no less than the first wager’s least', () => {
    expect([true, false].map((isFirst) => leastWager(wants(isFirst)))).toEqual([1000, 500])
  })
})
