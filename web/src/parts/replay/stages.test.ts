import { describe, expect, it } from 'vitest'
import type { View } from '../../lib/wire'
import type { Settlement } from '../../lib/wire'
import { burnedAt, spansOf, spotsAt, stagesOf } from './stages'
import type { RoundStep, ToldEvent } from './wire'

const events: ToldEvent[] = [
  { name: 'wager_placed', box: 4, player: 'ann', wager: 'initial' },
  { name: 'betting_closed' },
  { name: 'card_burned', burn: 'opening' },
  { name: 'card_dealt', box: 4 },
  { name: 'card_dealt', box: 0 },
  { name: 'wager_settled', box: 4, player: 'ann', wager: 'tie', outcome: 'win' },
  { name: 'war_offered', box: 4, player: 'ann' },
  { name: 'war_declared', box: 4, player: 'ann' },
  { name: 'wager_placed', box: 4, player: 'ann', wager: 'war_perfect_pairs' },
  { name: 'card_burned', burn: 'war' },
  { name: 'card_burned', burn: 'war' },
  { name: 'card_dealt', box: 4 },
  { name: 'card_dealt', box: 0 },
  { name: 'wager_settled', box: 4, player: 'ann', wager: 'initial', outcome: 'win' },
  { name: 'cards_collected' },
  { name: 'round_ended' },
]

describe('stages of a round', () => {
  it('tells a war from what came before it', () => {
    expect(stagesOf(events.map((event) => ({ event })))).toEqual([
      'bets', 'bets', 'deal', 'deal', 'deal', 'settlement', 'choice', 'choice', 'choice',
      'burn', 'burn', 'war_deal', 'war_deal', 'war_settlement', 'rack', 'rack',
    ])
  })

  it('puts a surrender under the choice', () => {
    const surrendered = [{ event: { name: 'wager_settled', outcome: 'surrender' } }]
    expect(stagesOf(surrendered)).toEqual(['choice'])
  })

  it('leaves unnamed events with the stage before them', () => {
    const told = [{ event: { name: 'card_dealt' } }, { event: { name: 'meter_fed' } }]
    expect(stagesOf(told)).toEqual(['deal', 'deal'])
  })

  it('takes hands collected before the war for no end', () => {
    const told = ['war_declared', 'cards_collected', 'card_dealt', 'cards_collected'].map((name) => ({ event: { name } }))
    expect(stagesOf(told)).toEqual(['choice', 'choice', 'war_deal', 'rack'])
  })

  it('joins neighbours and nothing else', () => {
    expect(spansOf(['bets', 'bets', 'deal', 'bets'])).toEqual([
      { stage: 'bets', first: 0, count: 2 },
      { stage: 'deal', first: 2, count: 1 },
      { stage: 'bets', first: 3, count: 1 },
    ])
  })
})

const layout = ['initial', 'war', 'tie', 'a_bomb'].map((wager) => ({ wager, label: wager.toUpperCase() }))

function step(event: ToldEvent, wagers: [string, string, number][]): RoundStep {
  const view = { layout, boxes: [{ box: 4, player: 'ann', wagers, cards: [], is_at_war: false }] }
  return { says: '', clauses: [], event, view: view as unknown as View }
}

const row = { box: 4, player: 'ann', wager: 'tie', amount: 500, net: -500 } as Settlement

describe('what lies on a box', () => {
  const steps = [
    step({ name: 'wager_placed', box: 4, player: 'ann', wager: 'initial' }, [['ann', 'initial', 5000]]),
    step({ name: 'wager_placed', box: 4, player: 'ann', wager: 'tie' }, [
      ['ann', 'initial', 5000],
      ['ann', 'tie', 500],
      ['bob', 'tie', 900],
    ]),
    step({ name: 'wager_settled', box: 4, player: 'ann', wager: 'tie' }, [['ann', 'initial', 5000]]),
  ]

  it('has an empty spot for a wager that is to come, and none for one that never comes', () => {
    expect(spotsAt(steps, 0, [row], 4, 'ann').map((one) => [one.wager, one.amount])).toEqual([
      ['initial', 5000],
      ['tie', 0],
    ])
  })

  it('counts only the player looked at', () => {
    expect(spotsAt(steps, 1, [row], 4, 'ann').find((one) => one.wager === 'tie')?.amount).toBe(500)
  })

  it('shows a settlement from its own step on', () => {
    expect(spotsAt(steps, 1, [row], 4, 'ann')[1]?.settled).toBeNull()
    expect(spotsAt(steps, 2, [row], 4, 'ann')[1]).toMatchObject({ amount: 500, settled: { net: -500 } })
  })

  it('counts burned cards of the war until the round is over', () => {
    const told = events.map((event) => step(event, []))
    expect(burnedAt(told, 4)).toBe(0)
    expect(burnedAt(told, 12)).toBe(2)
    expect(burnedAt(told, 15)).toBe(0)
  })
})
