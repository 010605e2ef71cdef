// What the table tells beside the cards: notices, its closing, a burned card on request, the meter, and why.

import { expect, test } from 'vitest'
import { timeIn } from '../../lib/clock'
import type { Told } from '../../lib/live.svelte'
import type { LiveView, Notice, View } from '../../lib/wire'
import { fromView, step } from './shown'
import { areaState } from './spotstate'
import { callerLine } from './caller_words'
import { ruling } from './strip_words'
import { noticeWords } from './words'

const limit = { minimum: 1000, maximum: 20_000, unit: 500 }

function aView(change: Partial<View> = {}): View {
  return {
    layout: ['initial', 'tie', 'a_bomb', 'perfect_pairs'].map((wager) => ({ wager, label: wager, limit, odds: [] })),
    phase: 'betting', round: 3, dealer: [], asked: [], shoe_left: 300, discards: 12, bank: null, burned: 0, is_closed: false,
    boxes: [{ box: 1, player: 'ana', wagers: [], cards: [], is_at_war: false, settled: [], open_wagers: [] }],
    signs: { notices: [], rulebook: 'wa', decks: 6, limit, meter: 100_000 }, is_player_banked: false, cut_offered_to: null, choices: [], open_wagers: [],
    ...change,
  } as unknown as View
}
const live = (view: View): LiveView => ({ view, stopped: null, is_paused: false, seal: { stage: 'dealing' }, rounds: [] }) as unknown as LiveView
const told = (name: string, fields: Record<string, unknown> = {}): Told => ({ name, version: 1, at: 0, clauses: [], ...fields }) as Told
const notice = (change: Partial<Notice>): Notice => ({ about: 'closing', says: 'the table closes', seconds_left: 0, clauses: [], limit: null, at: null, ...change })

test('a notice says in how many minutes what comes', () => {
  expect(noticeWords(notice({ seconds_left: 541 }))).toBe(`The table closes at ${timeIn(541)}, in 10 minutes`)
  expect(noticeWords(notice({ seconds_left: 60 }))).toBe(`The table closes at ${timeIn(60)}, in 1 minute`)
  expect(noticeWords(notice({}))).toBe('The table is about to close')
  expect(noticeWords(notice({ about: 'limits', limit, seconds_left: 600 }))).toBe('New limits in 10 minutes: 10 to 200, unit 5')
  expect(noticeWords(notice({ about: 'limits', limit: { ...limit, maximum: null } }))).toBe('New limits to come: from 10, unit 5')
  expect(noticeWords(notice({ about: 'decks', says: '8 decks', seconds_left: 1800 }))).toBe('8 decks in 30 minutes')
  expect(noticeWords(notice({ about: 'decks', says: '8 decks' }))).toBe('8 decks from the next shoe on')
})

test('a closed table takes no bets, and one whose bets are closed is not closed', () => {
  const shut = aView({ is_closed: true })
  expect(callerLine(live(shut), fromView(shut), 'ana', 1)).toBe('The table is closed')
  expect(ruling(live(shut), fromView(shut), [told('table_closed', { clauses: ['X-7'] })], 'ana')).toMatchObject({ clauses: ['X-7'] })
  const called = aView({ phase: 'closed' })
  expect(callerLine(live(called), fromView(called), 'ana', 1)).toBe('No more bets')
})

test('a burned card is told to the one who asked, until they act again', () => {
  const seen = told('burn_viewed', { player: 'ana', card: '2c', clauses: ['X-8'] })
  const of = (...events: Told[]): string => ruling(live(aView()), fromView(aView()), events, 'ana').says
  expect(of(seen)).toContain('2♣')
  expect(of(told('burn_viewed', { player: 'ana', card: null }))).toBe('The dealer shows you the burned card.')
  expect(of(seen, told('wager_placed', { player: 'ana', wager: 'tie' }))).not.toContain('2♣')
  expect(of(seen, told('wager_placed', { player: 'ben', wager: 'tie' }))).toContain('2♣')
  expect(of(told('burn_viewed', { player: 'ben', card: null }))).toBe('Bets are open.')
})

test('the meter rises with each wager and falls with a hit', () => {
  const fed = step(fromView(aView()), told('meter_fed', { amount: 50 }))
  expect(fed.meter).toBe(100_050)
  expect(step(fed, told('meter_paid', { amount: 100_050, seed: 70_000 })).meter).toBe(70_000)
})

test('each wager that was settled has a clause within reach', () => {
  const events = ['initial', 'tie', 'a_bomb', 'perfect_pairs'].map((wager, at) =>
    told('wager_settled', { player: 'ana', box: 1, wager, amount: 500, outcome: 'lose', paid: 0, returned: 0, odds: null, clauses: [`X-${at}`, 'X-9'] }))
  const shown = events.reduce(step, fromView(aView()))
  expect(ruling(live(aView()), shown, events, 'ana').clauses.slice(0, 4)).toEqual(['X-0', 'X-1', 'X-2', 'X-3'])
})

test('of an area with two results the first deal’s comes first', () => {
  const won = (wager: string, clause: string) => ({ player: 'ana', wager, amount: 500, result: { outcome: 'win', paid: 5000, returned: 500, odds: '10:1', clauses: [clause] } })
  expect(areaState([won('war_tie', 'X-2'), won('tie', 'X-1')], 'tie', 'ana', 'ana')).toMatchObject({ says: '+100', clauses: ['X-1', 'X-2'] })
})

test('who gave way to another is told so, with the clause', () => {
  const event = told('wager_withdrawn', { player: 'ana', box: 1, wager: 'tie', amount: 500, gives_way_to: 'dan', clauses: ['NZ-5.11b'] })
  const said = ruling(live(aView()), fromView(aView()), [event], 'ana')
  expect(said.says).toBe('tie goes back to you: dan has first right to the place.')
  expect(said.clauses).toEqual(['NZ-5.11b'])
})
