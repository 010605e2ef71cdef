import { describe, expect, it } from 'vitest'
import { figuresOf, oddsPath, pagePath, parsePageParts, waysOf, type WagerFigures } from './wire'

const exact = (decimal: number) => ({ fraction: String(decimal), decimal })
const wager: WagerFigures = {
  offered: true,
  house_edge: exact(0.02),
  hit_frequency: exact(0.5),
  distribution: [],
  by_decision: { war: { house_edge: exact(0.02), hit_frequency: exact(0.5) }, surrender: { house_edge: exact(0.04), hit_frequency: exact(0.4) } },
}

describe('a study in an address', () => {
  it('comes back as it was', () => {
    const changes: [string, string][] = [['payout.war.on_tie', '1:1'], ['shoe.decks', '8']]
    const path = pagePath('wa', changes)
    expect(path).toBe('/odds/wa/payout.war.on_tie=1:1/shoe.decks=8')
    expect(parsePageParts(path.split('/').slice(2).map(decodeURIComponent))).toEqual({ book: 'wa', changes })
  })

  it('keeps what somebody typed in one part', () => {
    expect(pagePath('nz', [['payout.tie.on_win', '3/1?x']])).toBe('/odds/nz/payout.tie.on_win=3%2F1%3Fx')
  })

  it('is the book alone where it would be too long', () => {
    const changes = Array.from({ length: 20 }, (_, at): [string, string] => [`payout.line.${at}`, '1:1'])
    expect(pagePath('ma', changes)).toBe('/odds/ma')
  })

  it('leaves out what is no change', () => {
    expect(parsePageParts(['nz', 'nothing', '=x'])).toEqual({ book: 'nz', changes: [] })
    expect(parsePageParts([])).toEqual({ book: null, changes: [] })
  })

  it('writes every change as the server takes it', () => {
    expect(oddsPath('nz', [['payout.tie.on_win', '9:1']])).toBe('/api/odds?rulebook=nz&set=payout.tie.on_win%3D9%3A1')
  })
})

describe('figures', () => {
  it('goes by what is done at a tie where that moves the edge', () => {
    expect(waysOf(wager)).toEqual(['war', 'surrender'])
    expect(figuresOf(wager, 'surrender')?.house_edge.decimal).toBe(0.04)
  })

  it('is the wager’s own where a way has no edge', () => {
    const progressive = { ...wager, by_decision: { war: {} } }
    expect(waysOf(progressive)).toEqual([])
    expect(figuresOf(progressive, 'war')?.house_edge.decimal).toBe(0.02)
    expect(figuresOf(undefined, 'war')).toBeNull()
  })
})
