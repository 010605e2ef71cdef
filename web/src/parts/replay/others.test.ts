import { describe, expect, it } from 'vitest'
import type { Settlement } from '../../lib/wire'
import { isDifferent, ofFocus, pairs } from './others.svelte'

const row = (wager: string, net: number): Settlement => ({
  box: 4, player: 'ann', wager, label: wager, amount: 50, outcome: 'win', pays: null, paid: 0, returned: 0, net, clauses: [],
})

describe('two books side by side', () => {
  it('puts a wager beside itself and keeps what one of them lacks', () => {
    const found = pairs([row('initial', 50), row('a_bomb', -5)], [row('war', 150), row('initial', 0)])
    expect(found.map((pair) => [pair.wager, pair.here?.net, pair.there?.net])).toEqual([
      ['initial', 50, 0],
      ['a_bomb', -5, undefined],
      ['war', undefined, 150],
    ])
  })

  it('marks only what comes to other money', () => {
    const [same] = pairs([row('tie', 50)], [row('tie', 50)])
    const [other] = pairs([row('tie', 50)], [row('tie', 0)])
    expect([isDifferent(same!), isDifferent(other!)]).toEqual([false, true])
  })

  it('finds the only box of a player elsewhere, but takes nothing from another of theirs', () => {
    const at = (box: number, player: string) => ({ box, player, net: 0 })
    expect(ofFocus([at(7, 'ann'), at(8, 'bob')], at(8, 'ann'))).toEqual([at(7, 'ann')])
    expect(ofFocus([at(1, 'ann'), at(2, 'ann')], at(8, 'ann'))).toEqual([])
    expect(ofFocus([at(1, 'ann'), at(2, 'ann')], at(2, 'ann'))).toEqual([at(2, 'ann')])
  })
})
