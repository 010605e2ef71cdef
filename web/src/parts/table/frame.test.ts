import { describe, expect, it } from 'vitest'
import { columnOf, frameOf, isTight } from './frame'
import { planOf } from './plan'
import { inStrip } from './strip_room'

describe('the frame of a window', () => {
  it.each([
    [320, 480, 'upright'], [390, 664, 'upright'], [719, 900, 'upright'], [600, 559, 'lying'], [559, 559, 'upright'],
    [844, 390, 'lying'], [840, 525, 'lying'], [1366, 559, 'lying'], [1366, 560, 'wide'], [1366, 625, 'wide'], [720, 1024, 'wide'],
    [720, 560, 'upright'], [779, 799, 'upright'], [780, 600, 'wide'], [740, 800, 'wide'],
  ])('of %i by %i is %s', (width, height, frame) => {
    expect(frameOf(width, height)).toBe(frame)
  })
  it('has a column of 36 %, 232 to 300 wide', () => {
    expect([480, 700, 1366].map(columnOf)).toEqual([232, 252, 300])
  })
  it('is tight under 380 where it stands, and where so much stands in one row', () => {
    expect([379, 380].map((width) => isTight('upright', width))).toEqual([true, false])
    expect([979, 980].map((width) => isTight('wide', width))).toEqual([true, false])
    expect(isTight('lying', 379)).toBe(false)
  })
})

describe('the ladder of a felt that gives way', () => {
  const plan = (height: number, sides = 3, width = 390) => planOf(width, height, 7, sides, 2, null)
  it.each([
    [500, 'cards', 60, 0.45, true], [424, 'cards', 60, 0.45, true], [423, 'small', 48, 0.34, false], [330, 'small', 48, 0.34, false],
    [329, 'letters', 44, 0, false], [280, 'letters', 44, 0, false], [279, 'line', 40, 0, false],
  ] as const)('at %i shows others as %s, the dealer’s card %i wide', (height, others, dealer, rack, hasWords) => {
    const found = plan(height)
    expect([found.others, found.dealer.width, found.rack, found.hasWords]).toEqual([others, dealer, rack, hasWords])
  })
  it.each([[423, 28], [329, 26], [279, 24]])('at %i the caller is %i', (height, size) => {
    expect(plan(height).caller.size).toBe(size)
  })
  it('is never drawn lower than 200', () => {
    expect(plan(120).height).toBe(200)
    expect(plan(248).height).toBe(248)
  })
  it('has side spots in one row where the lit half is low, their r 22 to 28', () => {
    for (const height of [248, 288, 336, 350]) {
      const { sides, isRow } = plan(height).spots
      expect(isRow).toBe(true)
      expect(new Set(sides.map((one) => one.y)).size).toBe(1)
      for (const { r } of sides) expect(r >= 22 && r <= 28).toBe(true)
    }
    expect(plan(432).spots.isRow).toBe(false)
  })
  const CASES = [[320, 248], [320, 336], [360, 408], [375, 435], [390, 432], [390, 612], [336, 276], [427, 331], [540, 481], [544, 346], [248, 276]]
  it.each(CASES)('keeps %i by %i: nothing of one’s own over anything else, and all of it on the felt', (width, height) => {
    for (const sides of width < 320 ? [1, 2, 3] : [1, 2, 3, 4]) {
      const { spots, own, edge, floor } = plan(height, sides, width)
      const rings = [spots.main, ...spots.sides, spots.war]
      expect(own.y - 0.7 * own.width).toBeGreaterThan(edge.side + 8)
      expect(own.label).toBeLessThanOrEqual(floor.side)
      rings.forEach((one, at) => {
        expect(one.x - one.r).toBeGreaterThanOrEqual(own.x + own.pitch + own.width / 2)
        expect(one.x + one.r).toBeLessThanOrEqual(width)
        expect(one.y - one.r).toBeGreaterThan(edge.side)
        expect(one.y + one.r).toBeLessThanOrEqual(floor.middle + 3)
        for (const other of rings.slice(at + 1)) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(one.r + other.r - 0.5)
      })
    }
  })
})

describe('a strip with little room', () => {
  const says = 'Your 9♥ ties the dealer’s 9♦. Tie paid 10 to 1, A Bomb lost, Perfect Pairs paid 12 to 1. Now choose.'
  it('says all where it can, and always what is to be done', () => {
    expect(inStrip(says, 2000, 13)).toBe(says)
    expect(inStrip(says, 620, 13)).toBe('Tie paid 10 to 1, A Bomb lost, Perfect Pairs paid 12 to 1. Now choose.')
    expect(inStrip(says, 380, 13)).toBe('Tie paid 10 to 1, A Bomb lost. Now choose.')
    expect(inStrip(says, 50, 13)).toBe('Now choose.')
  })
  it('does not end a sentence at a sum', () => {
    expect(inStrip('Casino War surrendered, 2.50 back.', 10, 13)).toBe('Casino War surrendered, 2.50 back.')
  })
})
