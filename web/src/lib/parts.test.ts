import { describe, expect, it } from 'vitest'
import { putTogether } from './parts'

const box = (number: number, more: object = {}) => ({ box: number, player: null, wagers: [], cards: [], open_wagers: [], ...more })
const line = (number: number, more: object = {}) => ({ number, version: number, wagers: [], ...more })
const before = {
  version: 3,
  purse: 100,
  timer: { waits_for: 'betting', left: 900 },
  rounds: [line(1), line(2)],
  view: { phase: 'betting', bank: { player: 'ann', chips: 5 }, boxes: [box(1), box(2, { open_wagers: ['initial'] })] },
} as never
const frame = (view: object, own: object = {}) => ({ table: 'nz', version: 4, events: [], proofs: [], view, own }) as never

describe('a view in parts', () => {
  it('keeps what is not told and takes null for a value', () => {
    const after = putTogether(before, frame({ timer: null, view: { bank: null } }))
    expect(after).toEqual({ ...(before as object), version: 4, timer: null, view: { ...(before as { view: object }).view, bank: null } })
  })
  it('puts boxes together by their number, each part of a box by itself', () => {
    const after = putTogether(before, frame({ view: { boxes: [{ box: 2, player: 'ann', cards: ['9h'] }] } }))
    expect(after.view.boxes).toEqual([box(1), box(2, { player: 'ann', cards: ['9h'], open_wagers: ['initial'] })])
  })
  it('puts own parts over those of everybody', () => {
    const after = putTogether(before, frame({ purse: null, view: { phase: 'dealing' } }, { purse: 70, view: { boxes: [{ box: 2, open_wagers: [] }] } }))
    expect(after).toMatchObject({ purse: 70, view: { phase: 'dealing' } })
    expect(after.view.boxes[1]).toEqual(box(2))
  })
  it('puts a new round behind the others, one that changed into its place, and keeps the last twenty', () => {
    const changed = line(2, { is_void: true })
    expect(putTogether(before, frame({ rounds: [changed] })).rounds).toEqual([line(1), changed])
    const many = Array.from({ length: 20 }, (_, at) => line(at + 3))
    expect(putTogether(before, frame({ rounds: many })).rounds).toEqual(many)
  })
  it('leaves the view that was there as it was', () => {
    const was = JSON.stringify(before)
    putTogether(before, frame({ rounds: [line(3)], view: { boxes: [{ box: 1, player: 'ben' }] } }, { purse: 1 }))
    expect(JSON.stringify(before)).toBe(was)
  })
})
