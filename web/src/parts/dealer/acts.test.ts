import { expect, test } from 'vitest'
import { ACTIONS, BASES, SHUFFLE_REASONS, STAFF_ACTS, type LiveView, type Step } from '../../lib/wire'
import { asThingsStand, blank, build, DEALERS, inTheBook, isReason, knownOf, LIMITS, plainForms, REPORTS, RULINGS, TABLE, type Act } from './acts'

const act = (acts: Act[], name: string): Act => acts.find((one) => one.do === name)!

test('a command is built when every field is there', () => {
  const called = act(DEALERS, 'place_wager')
  expect(build(called, { player: 'ibis', box: 2, wager: 'initial' }, '').missing).toEqual(['amount'])
  expect(build(called, { player: 'ibis', box: 2, wager: 'initial', amount: '25.50' }, '').command).toEqual({
    do: 'place_wager',
    called: true,
    player: 'ibis',
    box: 2,
    wager: 'initial',
    amount: 2550,
  })
})

test('what is optional may be left out, and what cannot be read is missing', () => {
  const faceUp = act(REPORTS, 'report_face_up_card')
  expect(build(faceUp, { card: '' }, '').command).toEqual({ do: 'report_face_up_card' })
  expect(build(faceUp, { card: '10h' }, '').command).toEqual({ do: 'report_face_up_card', card: 'Th' })
  expect(build(faceUp, { card: 'ZZ' }, '')).toEqual({ command: null, missing: [], unread: ['card'] })
})

test('no maximum is no field', () => {
  const limits = build(act(LIMITS, 'announce_limits'), { minimum: '5', maximum: null, unit: '5' }, '')
  expect(limits.command).toEqual({ do: 'announce_limits', minimum: 500, unit: 500 })
})

test('moves and cards are lists', () => {
  expect(build(act(RULINGS, 'reconstruct'), { moves: '4>5, 2>-1' }, '').command).toEqual({
    do: 'reconstruct',
    moves: [
      { from: 4, to: 5 },
      { from: 2, to: -1 },
    ],
  })
  expect(build(act(REPORTS, 'report_missed_offer'), { player: 'a', box: 1, cards: 2, faces: 'Kh 10d' }, '').command)
    .toMatchObject({ cards: 2, faces: ['Kh', 'Td'] })
})

test('a ruling carries its reason, and a reason is neither short nor long', () => {
  const ruling = act(RULINGS, 'void_round')
  expect(build(ruling, blank(ruling), 'a fight broke out').command).toEqual({
    do: 'void_round',
    reason: 'a fight broke out',
  })
  expect([isReason('  a '), isReason('why'), isReason('x'.repeat(201))]).toEqual([false, true, false])
})

test('the floor cuts only where the cut falls to the floor, halfway down unless it says otherwise', () => {
  const last = { act: 'cut', role: 'supervisor', command: { do: 'cut', player: null, position: 156 } } as unknown as Step
  const offered = (step: Step): string[] =>
    asThingsStand(TABLE, { view: { procedure: [step] }, is_paused: false, stopped: null, unlisted: [] } as unknown as LiveView).map((one) => one.do)
  expect(offered(last)).toContain('cut')
  expect(offered({ ...last, role: null })).not.toContain('cut')
  const cut = act(TABLE, 'cut')
  expect(build(cut, blank(cut, knownOf(last)), '').command).toEqual({ do: 'cut', position: 156 })
})

test('what stands in an order of the page’s own is all that the server knows', () => {
  const choices = (acts: Act[], name: string, field: string) => [...act(acts, name).fields.find((one) => one.name === field)!.choices!].sort()
  expect(choices(RULINGS, 'rule', 'action')).toEqual([...ACTIONS].sort())
  expect(choices(LIMITS, 'change_limits', 'basis')).toEqual([...BASES].sort())
  expect(choices(TABLE, 'supervisor_shuffle', 'reason')).toEqual([...SHUFFLE_REASONS].sort())
})

test('what the book does not know is not offered', () => {
  const view = { unlisted: ['void_player', 'release_players'] } as unknown as LiveView
  const offered = inTheBook(RULINGS, view).map((one) => one.do)
  expect(offered).not.toContain('void_player')
  expect(offered).toHaveLength(RULINGS.length - 2)
})

test('an act of staff that has no form of its own gets a plain one', () => {
  expect(plainForms({ inspect_seat: { box: false, note: true, reason: false }, void_round: { reason: false } })).toEqual([
    {
      do: 'inspect_seat',
      fields: [
        { name: 'box', kind: 'box', isOptional: false },
        { name: 'note', kind: 'text', isOptional: true },
      ],
      hasReason: true,
    },
  ])
  expect(plainForms(STAFF_ACTS)).toEqual([])
})
