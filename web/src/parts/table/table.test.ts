// The table's own logic: layout, chips, keys, and that what is shown always ends where the view stands.

import { describe, expect, test } from 'vitest'
import type { Told } from '../../lib/live.svelte'
import type { LiveView, View, WagerSpot } from '../../lib/wire'
import { CHIPS } from '../Chip.svelte'
import { stackOf, stakeFor, tray } from './chips'
import { actFor, neighbour } from './keys'
import { signed } from '../../lib/money'
import { belowChips, cutTo, ems, inRing, NEARLY } from './fitting'
import { areas, feltOdds, nameIn, oddsLines, signLines, sumIn } from './layout'
import { pauseAfter, Scene } from './scene.svelte'
import { fromView, settled, step } from './shown'
import { areaState, boxNet } from './spotstate'
import { callerLine } from './caller_words'
import { ruling } from './strip_words'

const odds = (...pairs: [string, string][]) => pairs.map(([situation, pays]) => ({ situation, pays, clauses: ['X-1'] }))
const limit = { minimum: 1000, maximum: 100_000, unit: 500 }
const LAYOUT: WagerSpot[] = [
  { wager: 'initial', label: 'Casino War', limit, odds: odds(['on_win', '1:1'], ['on_loss', 'lose']) },
  { wager: 'war', label: 'Go to War', limit, odds: odds(['on_win', '1:1'], ['on_tie', '2:1']) },
  { wager: 'tie', label: 'Tie', limit: { ...limit, minimum: 500 }, odds: odds(['on_win', '10:1']) },
  { wager: 'perfect_pairs', label: 'Perfect Pairs', limit, odds: odds(['on_perfect', '25:1'], ['on_coloured', '12:1'], ['on_mixed', '5:1']) },
  { wager: 'war_perfect_pairs', label: 'Perfect Pairs', limit, odds: odds(['on_perfect', '25:1']) },
]

function aView(change: Partial<View> = {}): View {
  return {
    layout: LAYOUT, phase: 'betting', round: 3, dealer: [], asked: [], shoe_left: 300, discards: 12, bank: null, burned: 0,
    boxes: [1, 2, 3].map((box) => ({ box, player: box === 2 ? 'ana' : null, wagers: box === 2 ? [['ana', 'initial', 5000]] : [], cards: [], is_at_war: false, settled: [] })),
    signs: { notices: [], rulebook: 'wa', decks: 6, limit }, is_player_banked: false, cut_offered_to: null, choices: [], open_wagers: ['initial'],
    ...change,
  } as unknown as View
}
const told = (name: string, fields: Record<string, unknown> = {}, version = 1): Told => ({ name, version, at: 0, clauses: [], ...fields }) as Told

describe('layout', () => {
  test('the wager on the second card has the area of the first', () => {
    const { main, war, sides } = areas(LAYOUT)
    expect([main.wager, war?.wager, sides.map((area) => area.wager)]).toEqual(['initial', 'war', ['perfect_pairs', 'tie']])
    expect(sides[0]?.later?.wager).toBe('war_perfect_pairs')
  })
  test('odds on the felt', () => {
    expect(feltOdds(LAYOUT[3]!)).toBe('25·12·5:1')
  })
  test('the printed odds leave no price out, in as few lines as they need', () => {
    const printed = 'Casino War pays 1 to 1 · Tie 10 to 1 · Perfect Pairs 25, 12, 5 to 1 · Go to War 1 to 1, a tied war 2 to 1'
    expect(oddsLines(LAYOUT, 200)).toEqual([printed])
    const two = oddsLines(LAYOUT, 70)
    expect(two).toHaveLength(2)
    expect(two.join(' · ')).toBe(printed)
    expect(oddsLines(LAYOUT, 5).join(' · ')).toBe(printed)
  })
  test('a name goes into its ring in as few lines as it can, and the odds where there is room', () => {
    expect(inRing('A Bomb', '10:1', 35, 13)).toEqual({ name: ['A Bomb'], note: '10:1' })
    expect(inRing('A Bomb', '10:1', 27, 13)).toEqual({ name: ['A', 'Bomb'], note: '10:1' })
    expect(inRing('Perfect Pairs', '25·12·5:1', 27, 13)).toEqual({ name: ['Perfect', 'Pairs'], note: '' })
    expect(inRing('Perfect Pairs', '−5', 20, 13, true).note).toBe('−5')
  })
  test('below the chips a ring keeps its name, or the last word of it', () => {
    expect(['Tie', 'A Bomb', 'Perfect Pairs', 'Progressive'].map((name) => belowChips(name, 29, 15, 11))).toEqual(['Tie', 'A Bomb', 'Pairs', ''])
  })
  test.each([390, 360, 320])('what a box came to is told to the last digit on a felt of %s', (width) => {
    const pitch = (width - 4) / 7
    expect(sumIn(6750, signed, (pitch - 3) * NEARLY, 11.2 * 1.1)).toBe('+67.50')
  })
  test('a name is cut where it has no more room', () => {
    expect(cutTo('bot-heron', 200, 12)).toBe('bot-heron')
    const short = cutTo('a-player-with-a-long-name', 80, 12)
    expect(short.endsWith('…')).toBe(true)
    expect(ems(short) * 12).toBeLessThanOrEqual(80)
  })
  test('bots have names of one kind on the felt, however much room there is', () => {
    expect(['bot-ibis', 'bot-plover'].map((who) => [200, 50].map((room) => nameIn(who, room, 12, '…')))).toEqual([['ibis', 'ibis'], ['plover', 'plover']])
    expect(nameIn('guest-ab', 200, 12, '…')).toBe('guest-ab')
  })
  test('the sign tells each limit', () => {
    expect(signLines(LAYOUT, String)).toEqual([
      { names: 'Casino War', says: '1000 to 100000' }, { names: 'Tie', says: '500 to 100000' }, { names: 'Perfect Pairs', says: '1000 to 100000' },
    ])
  })
})

describe('chips', () => {
  test('an amount in chips, the largest at the bottom, five at most', () => {
    expect(stackOf(4000, 2).map((kind) => kind.value)).toEqual([25, 5, 5, 5])
    expect(stackOf(999_900, 2)).toHaveLength(5)
    expect(stackOf(50, 2).map((kind) => kind.value)).toEqual([1])
  })
  test('the tray fits the unit', () => {
    expect(tray(500, 2).map((kind) => kind.value)).toEqual([5, 25, 100, 500, 1000])
    expect(tray(100, 2)[0]).toBe(CHIPS[0])
  })
  test('the first chip is at least the least that lies there', () => {
    expect(stakeFor(500, 0, { minimum: 1000, unit: 500 })).toBe(1000)
    expect(stakeFor(500, 1000, { minimum: 1000, unit: 500 })).toBe(500)
    expect(stakeFor(2500, 0, { minimum: 1000, unit: 500 })).toBe(2500)
  })
})

describe('keys', () => {
  const key = (name: string) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, repeat: false })
  const acts = { chip: () => 0, war: () => 'war', ready: () => 'ready', rules: () => 'rules' }
  test('a key does its act, and none while somebody types', () => {
    expect(actFor(key('W'), acts, false, false)?.()).toBe('war')
    expect(actFor(key('?'), acts, false, false)?.()).toBe('rules')
    expect(actFor(key('w'), acts, true, false)).toBeNull()
    expect(actFor({ ...key('w'), ctrlKey: true }, acts, false, false)).toBeNull()
    expect(actFor({ ...key('w'), repeat: true }, acts, false, false)).toBeNull()
  })
  test('Enter belongs to what has the focus', () => {
    expect(actFor(key('Enter'), acts, false, true)).toBeNull()
    expect(actFor(key('Enter'), acts, false, false)?.()).toBe('ready')
  })
  test('arrows go from spot to spot; box 1 is on the right', () => {
    const wagers = ['initial', 'tie']
    expect(neighbour({ box: 2, wager: 'initial' }, 'ArrowLeft', 7, wagers)).toEqual({ box: 3, wager: 'initial' })
    expect(neighbour({ box: 1, wager: 'initial' }, 'ArrowRight', 7, wagers)).toBeNull()
    expect(neighbour({ box: 2, wager: 'initial' }, 'ArrowUp', 7, wagers)).toEqual({ box: 2, wager: 'tie' })
  })
})

describe('what is shown', () => {
  const dealing = [
    told('betting_closed'), told('card_dealt', { box: 2, card: '9h' }), told('card_dealt', { box: 0, card: '9d' }),
    told('wager_settled', { player: 'ana', box: 2, wager: 'tie', amount: 500, outcome: 'win', paid: 5000, returned: 500, odds: '10:1', clauses: ['X-2'] }),
    told('war_offered', { player: 'ana', box: 2, clauses: ['X-3'] }),
  ]
  test('events move the cards one by one', () => {
    let shown = fromView(aView())
    for (const event of dealing) shown = step(shown, event)
    expect(shown.boxes[1]?.cards.map((card) => card.card)).toEqual(['9h'])
    expect(shown.dealer[0]?.isFresh).toBe(true)
    expect(shown.asked).toEqual([[2, 'ana']])
    expect(shown.shoeLeft).toBe(298)
    expect(areaState(shown.boxes[1]!.laid, 'tie', 'ana', 'ana')).toMatchObject({ kind: 'win', says: '+50', clauses: ['X-2'] })
  })
  test('a void round gives back every stake, whatever was paid before', () => {
    const voided = [
      ...['tie', 'initial'].map((wager) => told('wager_reversed', { player: 'ana', box: 2, wager, amount: wager === 'tie' ? 500 : 5000, clauses: ['X-9'] })),
      told('round_voided', { number: 3, reason: 'lost', clauses: ['X-9'] }),
    ]
    const shown = [...dealing, ...voided].reduce(step, fromView(aView()))
    expect(areaState(shown.boxes[1]!.laid, 'tie', 'ana', 'ana')).toMatchObject({ kind: 'void', says: 'back 5', clauses: ['X-9'] })
    expect(boxNet(shown.boxes[1]!.laid)).toBe(0)
  })
  test('who has bet on a box is told where there are several', () => {
    const laid = ['ben', 'ana'].map((player) => ({ player, wager: 'initial', amount: 500, result: null }))
    expect(areaState(laid, 'initial', 'ana', 'ana')).toMatchObject({ kind: 'down', says: 'You 5, ben 5' })
    expect(areaState(laid.slice(1), 'initial', 'ana', 'ana').says).toBe('')
  })
  test('the view has the last word, whatever the events said', () => {
    const wrong = step(fromView(aView()), told('card_dealt', { box: 1, card: '2c' }))
    const view = aView({ phase: 'deciding', dealer: ['9d'], asked: [[2, 'ana']] })
    const { boxes, dealer, asked, phase } = settled(wrong, view)
    expect([boxes[0]?.cards, dealer.map((card) => card.card), asked, phase]).toEqual([[], ['9d'], [[2, 'ana']], 'deciding'])
  })
  test('a burn beside the dealer is counted there, one to the rack goes to the rack', () => {
    const shown = step(fromView(aView()), told('card_burned', { beside_dealer: true }))
    expect([shown.burned, shown.discards]).toEqual([1, 12])
    expect(step(shown, told('card_burned', { beside_dealer: false }))).toMatchObject({ burned: 1, discards: 13, racked: 1 })
  })
  test('results of a round lie until the next wager', () => {
    const over = [...dealing, told('round_ended', { number: 3 })].reduce(step, fromView(aView()))
    const empty = aView({ boxes: aView().boxes.map((box) => ({ ...box, wagers: [] })) })
    expect(settled(over, empty).boxes[1]?.cards).toHaveLength(1)
    expect(settled(over, aView({ round: 4 })).boxes[1]?.cards).toHaveLength(0)
  })
  test('what a box came to', () => {
    const laid = [{ player: 'ana', wager: 'initial', amount: 50, result: { outcome: 'lose', paid: 0, returned: 0, odds: null, clauses: [] } }]
    expect(boxNet(laid)).toBe(-50)
    expect(boxNet(laid, 'ben')).toBeNull()
  })
})

describe('the scene', () => {
  function clock() {
    const due: { at: number; act: () => void }[] = []
    let time = 1
    return {
      now: () => time, isHidden: () => false, after: (ms: number, act: () => void) => void due.push({ at: time + ms, act }),
      run(): void {
        for (let next = due.shift(); next; next = due.shift()) {
          time = Math.max(time, next.at)
          next.act()
        }
      },
    }
  }
  test('cards come one after the other, and at the end it is the view', () => {
    const time = clock()
    const scene = new Scene(() => 'ana', time)
    scene.stand(aView())
    const view = aView({ phase: 'deciding', dealer: ['9d'], asked: [[2, 'ana']], boxes: aView().boxes.map((box) => (box.box === 2 ? { ...box, cards: ['9h'] } : box)) })
    scene.happened([told('betting_closed'), told('card_dealt', { box: 2, card: '9h' }), told('card_dealt', { box: 0, card: '9d' }), told('war_offered', { player: 'ana', box: 2 })], view)
    expect(scene.shown?.dealer).toHaveLength(0)
    expect(scene.isMoving).toBe(true)
    time.run()
    expect(scene.isMoving).toBe(false)
    expect(scene.shown?.dealer.map((card) => card.card)).toEqual(['9d'])
    expect(scene.shown?.asked).toEqual([[2, 'ana']])
  })
  test('results of a round lie until they have been looked at, whatever was to be cleared before', () => {
    const acts: { at: number; act: () => void }[] = []
    let now = 1
    const time = { now: () => now, after: (ms: number, act: () => void) => void acts.push({ at: now + ms, act }), isHidden: () => false }
    const until = (end: number): void => {
      for (let due = acts.findIndex((one) => one.at <= end); due >= 0; due = acts.findIndex((one) => one.at <= end)) {
        const [one] = acts.splice(due, 1)
        now = Math.max(now, one!.at)
        one!.act()
      }
      now = end
    }
    const scene = new Scene(() => 'ana', time)
    scene.stand(aView())
    const ended = [told('card_dealt', { box: 2, card: '3h' }), told('card_dealt', { box: 0, card: '9d' }), told('round_ended')]
    scene.happened(ended, aView())
    until(1_000)
    expect(scene.shown?.isOver).toBe(true)
    scene.happened([told('wager_placed', { player: 'ben', box: 3, wager: 'initial', amount: 500 })], aView())
    scene.happened([told('betting_closed'), ...ended], aView())
    until(2_400)
    expect(scene.shown?.isOver).toBe(true)
    until(3_600)
    expect(scene.shown?.isOver).toBe(true)
  })
  test('a hidden page is not told a story', () => {
    const scene = new Scene(() => 'ana', { ...clock(), isHidden: () => true })
    scene.stand(aView())
    scene.happened([told('card_dealt', { box: 0, card: '9d' })], aView({ dealer: ['9d'], phase: 'dealing' }))
    expect(scene.shown?.dealer).toHaveLength(1)
    expect(scene.isMoving).toBe(false)
  })
  test('the dealer’s second card is waited for', () => {
    const shown = step(fromView(aView()), told('card_dealt', { box: 0, card: '9d' }))
    const next = told('card_dealt', { box: 0, card: '2c' })
    expect(pauseAfter(told('card_dealt', { box: 2, card: '3c' }), next, shown)).toBe(760)
  })
})

describe('words', () => {
  const live = (view: View): LiveView => ({ view, stopped: null, is_paused: false, seal: { stage: 'dealing' }, rounds: [] }) as unknown as LiveView
  test('the caller says who stands against whom, and the strip why', () => {
    const view = aView({ phase: 'deciding' })
    const events = [
      told('card_dealt', { box: 2, card: '9h' }), told('card_dealt', { box: 0, card: '9d' }),
      told('wager_settled', { player: 'ana', box: 2, wager: 'tie', amount: 500, outcome: 'win', paid: 5000, returned: 500, odds: '10:1', clauses: ['X-2'] }),
      told('war_offered', { player: 'ana', box: 2, clauses: ['X-3'] }),
    ]
    const shown = events.reduce(step, fromView(aView()))
    expect(callerLine(live(view), shown, 'ana', 2)).toBe('Nine against nine')
    expect(ruling(live(view), shown, events, 'ana')).toEqual({ says: 'Your 9♥ ties the dealer’s 9♦. Tie paid 10 to 1. Now choose.', clauses: ['X-3', 'X-2'], kind: 'war' })
    expect(callerLine(live(view), shown, 'ben', 3)).toBe('Box 2, nine against nine')
  })
  test('before any card the bets are open', () => {
    expect(callerLine(live(aView()), fromView(aView()), 'ana', 2)).toBe('Place your bets')
    expect(ruling(live(aView()), fromView(aView()), [], 'ana').says).toBe('Bets are open.')
  })
})
