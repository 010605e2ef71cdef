// The scene after a break, and at the end of a round, whichever way it ends.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Told } from '../../lib/live.svelte'
import type { View } from '../../lib/wire'
import { Scene } from './scene.svelte'

const limit = { minimum: 500, maximum: 100_000, unit: 500 }
function aView(change: Partial<View> = {}): View {
  const boxes = [1, 2].map((box) => ({ box, player: 'ana', wagers: [], cards: [], is_at_war: false, settled: [], open_wagers: [] }))
  return { layout: [], phase: 'betting', round: 3, dealer: [], asked: [], shoe_left: 300, discards: 0, burned: 0, boxes, signs: { limit, meter: null }, ...change } as unknown as View
}
const told = (name: string, fields: Record<string, unknown> = {}): Told => ({ name, version: 1, at: 0, ...fields }) as Told
const cards = ['2c', '3c', '4c', '5c'].map((card) => told('card_dealt', { box: 0, card }))
const ENDINGS = ['round_ended', 'round_voided', 'round_invalidated']

let isHidden = false
const clock = { now: () => Date.now(), after: (ms: number, act: () => void) => void setTimeout(act, ms), isHidden: () => isHidden }

beforeEach(() => {
  isHidden = false
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

describe('the scene', () => {
  test.each(['a snapshot', 'a while out of sight'])('deals at its pace after %s in mid-deal', (what) => {
    const scene = new Scene(() => 'ana', clock)
    scene.stand(aView())
    scene.happened(cards.slice(0, 2), aView({ phase: 'dealing' }))
    vi.advanceTimersByTime(100)
    if (what === 'a snapshot') scene.stand(aView({ phase: 'dealing' }))
    else {
      isHidden = true
      scene.happened([], aView({ phase: 'dealing' }))
      isHidden = false
    }
    scene.happened(cards, aView({ phase: 'dealing', dealer: ['2c', '3c', '4c', '5c'] }))
    // The first comes at once; each waits 360 ms for the next, and 400 more as the dealer's second.
    expect(scene.shown?.dealer).toHaveLength(1)
    vi.advanceTimersByTime(750)
    expect(scene.shown?.dealer).toHaveLength(1)
    vi.advanceTimersByTime(10)
    expect(scene.shown?.dealer).toHaveLength(2)
  })

  test('tells of a card only once it is turned up', () => {
    const scene = new Scene(() => 'ana', clock)
    scene.stand(aView())
    scene.happened([cards[0]!], aView({ phase: 'dealing', dealer: ['2c'] }))
    const seen = () => [scene.shown?.dealer.length, scene.known?.dealer.length, scene.told.length]
    vi.advanceTimersByTime(280) // The card goes to its place in 220 ms, and its back is turned away in 70.
    expect(seen()).toEqual([1, 0, 0])
    vi.advanceTimersByTime(80)
    expect(seen()).toEqual([1, 1, 1])
  })
  test('tells of a card at once when the rest is shown at once', () => {
    const scene = new Scene(() => 'ana', clock)
    scene.stand(aView())
    scene.happened(cards.slice(0, 1), aView({ phase: 'dealing' }))
    isHidden = true
    scene.happened(cards.slice(1, 2), aView({ phase: 'dealing', dealer: ['2c', '3c'] }))
    expect(scene.told).toEqual(cards.slice(0, 2))
    vi.advanceTimersByTime(1_000)
    expect([scene.known?.dealer.length, scene.told.length]).toEqual([2, 2])
  })

  test.each(ENDINGS)('out of sight tells nothing of a round before that came to %s', (ending) => {
    isHidden = true
    const scene = new Scene(() => 'ana', clock)
    scene.stand(aView())
    scene.happened([told('wager_settled', { box: 2, player: 'ana', wager: 'initial' }), told(ending)], aView())
    const next = told('wager_placed', { player: 'ben', box: 1, wager: 'initial', amount: 500 })
    scene.happened([next], aView({ round: 4 }))
    expect(scene.told).toEqual([next])
  })

  test.each(ENDINGS)('leaves the cards of a round that came to %s to be looked at', (ending) => {
    const scene = new Scene(() => 'ana', clock)
    scene.stand(aView())
    scene.happened([cards[0]!, told(ending), told('cards_collected', { hands: [[0, ['2c']]] })], aView())
    vi.advanceTimersByTime(1_000)
    expect(scene.shown).toMatchObject({ isOver: true, dealer: [{ card: '2c' }] })
  })
})
