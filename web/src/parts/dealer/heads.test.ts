import { expect, test } from 'vitest'
import type { LiveView, SeatView, SignatureDue, Step } from '../../lib/wire'
import { headOf } from './heads'

interface Table {
  step: Partial<Step> | null
  kind?: LiveView['dealer_kind']
  signatures?: Partial<SignatureDue>[]
  seats?: Partial<SeatView>[]
  isShuffleDue?: boolean
}

function at({ step, kind = 'real', signatures = [], seats = [], isShuffleDue = false }: Table): LiveView {
  const whole = step && { command: null, clauses: [], box: null, player: null, waits_for: null, role: null, ...step }
  const view = { procedure: whole ? [whole] : [], is_shuffle_due: isShuffleDue }
  return { view, dealer_kind: kind, signatures, seats } as unknown as LiveView
}
const cut = (player: string | null, role: string | null = null): Partial<Step> =>
  ({ act: 'cut', player, waits_for: player, role, command: { do: 'cut', player, position: 156 } }) as unknown as Partial<Step>
const inspect = { act: 'inspect', command: { do: 'inspect_cards' } } as unknown as Partial<Step>

test('what has a command and waits for nobody is the dealer’s', () => {
  expect(headOf(at({ step: inspect }), ['dealer'])).toEqual({ kind: 'act' })
  expect(headOf(at({ step: null }), ['dealer'])).toEqual({ kind: 'none' })
  expect(headOf(at({ step: { act: 'decide', waits_for: 'ibis' } }), ['dealer'])).toEqual({ kind: 'waits', who: 'ibis' })
})

test('what waits for a second signature is not asked for again', () => {
  const due = { request: 's1', command: { do: 'inspect_cards' }, is_passed_on: false }
  expect(headOf(at({ step: inspect, signatures: [due] }), ['dealer'])).toEqual({ kind: 'signature', request: 's1' })
  const other = { request: 's2', command: { do: 'void_round' }, is_passed_on: false }
  expect(headOf(at({ step: inspect, signatures: [other] }), ['dealer'])).toEqual({ kind: 'act' })
})

test('another role’s act is not the dealer’s, unless the same person has that role', () => {
  const verify = at({ step: { act: 'verify', role: 'supervisor', command: { do: 'verify_cards' } as never } })
  expect(headOf(verify, ['dealer'])).toEqual({ kind: 'role', role: 'supervisor', isOwn: false })
  expect(headOf(verify, ['dealer', 'supervisor'])).toEqual({ kind: 'role', role: 'supervisor', isOwn: true })
  expect(headOf(at({ step: cut(null, 'supervisor') }), ['dealer']).kind).toBe('role')
  expect(headOf(at({ step: cut(null) }), ['dealer']).kind).toBe('act')
})

test('a player’s cut is noted by hand at real cards, and only passed on from a sealed shoe', () => {
  const real = headOf(at({ step: cut('ibis'), isShuffleDue: true }), ['dealer'])
  expect(real).toEqual({ kind: 'cut', player: 'ibis', position: 156, canNote: true })
  expect(headOf(at({ step: cut('ibis'), kind: 'human', isShuffleDue: true }), ['dealer'])).toMatchObject({ canNote: false })
})

test('a sealed shoe is nobody’s act, and waits for somebody to play', () => {
  const bot = { player: 'b', strategy: 'war' }
  const sealing = (seats: Partial<SeatView>[]): unknown =>
    headOf(at({ step: inspect, kind: 'human', isShuffleDue: true, seats }), ['dealer'])
  expect(sealing([bot])).toEqual({ kind: 'waits', who: 'player' })
  expect(sealing([bot, { player: 'ibis', strategy: null }])).toEqual({ kind: 'waits', who: 'seal' })
})

test('the bank is offered once and then waits', () => {
  const offer = at({ step: { act: 'offer_bank', player: 'ibis', waits_for: 'ibis', command: { do: 'offer_bank' } as never } })
  expect(headOf(offer, ['dealer'])).toEqual({ kind: 'act' })
  expect(headOf(offer, ['dealer'], 'ibis')).toEqual({ kind: 'waits', who: 'ibis' })
  expect(headOf(offer, ['dealer'], 'wren')).toEqual({ kind: 'act' })
})
