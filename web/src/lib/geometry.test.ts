import { describe, expect, it } from 'vitest'
import { BOX, centre, clearOf, inBox, NARROWEST, onFelt, places, RING, sideSpots, tableSize } from './geometry'

describe('places around the table', () => {
  it('has box 1 at screen right', () => {
    const seen = places(7, null)
    expect(seen[0]!.x).toBeGreaterThan(seen[6]!.x)
  })
  it.each([[7, null, BOX.width], [7, 3, BOX.width], [8, null, BOX.width], [8, 8, BOX.width], [7, 1, NARROWEST], [8, 8, NARROWEST]] as const)(
    'keeps all of %i boxes on the ring and in the view box (own %s, %i wide)',
    (count, own, width) => {
      const middle = centre(width)
      for (const place of places(count, own, width)) {
        expect(Math.hypot(place.x - middle.x, place.y - middle.y)).toBeCloseTo(RING.main)
        expect(place.x).toBeGreaterThan(40)
        expect(place.x).toBeLessThan(width - 40)
        expect(place.y).toBeLessThan(BOX.height)
      }
    },
  )
  it('gives the arcs of the art direction: 186 of 856 to each of seven, 244 to one’s own', () => {
    const [first, own] = places(7, 2)
    expect(first!.arc).toBeCloseTo(186 / 856)
    expect(own!.arc).toBeCloseTo(244 / 856)
    expect(own!.scale).toBe(1.2)
    expect(places(8, 2).map((one) => Math.round(one.arc * 856))).toEqual([158, 226, 158, 158, 158, 158, 158, 158])
  })
  it('turns a box by half its angle, with v away from the dealer', () => {
    const place = places(7, null)[0]!
    expect(place.turn).toBeCloseTo((-place.phi / 2) * (180 / Math.PI))
    expect(inBox(place, 0, 0)).toEqual({ x: place.x, y: place.y })
    expect(inBox(place, 0, 60).y).toBeGreaterThan(place.y)
  })
  it('has a side spot for each of up to three', () => {
    expect([0, 1, 2, 3, 4].map((count) => sideSpots(count).length)).toEqual([0, 1, 2, 3, 4])
  })
  it.each([-1, 1])('moves a name off the rail on side %i, to the middle and no further', (side) => {
    const [middle, half] = [centre(), { x: 60, y: 10 }]
    const edge = Math.sqrt((RING.felt - 1) ** 2 - (310 - middle.y) ** 2) - half.x
    const at = (far: number) => ({ x: middle.x + side * far, y: 300 })
    expect(onFelt(at(edge - 1), half, 18)).toEqual(at(edge - 1))
    expect(onFelt(at(edge + 10), half, 18).x).toBeCloseTo(at(edge).x)
    expect(onFelt(at(edge + 40), half, 18).x).toBeCloseTo(at(edge + 22).x)
  })
  it('moves an area straight away from a ring until it is clear of it, and leaves one that is', () => {
    const ring = { x: 0, y: 0, r: 37 }
    const half = { x: 40, y: 20 }
    const moved = clearOf(ring, { x: -42, y: -60 }, half)
    const corner = { x: Math.min(0, moved.x + half.x), y: Math.min(0, moved.y + half.y) }
    expect(Math.hypot(corner.x, corner.y)).toBeGreaterThanOrEqual(41)
    expect(moved.x / moved.y).toBeCloseTo(42 / 60)
    expect(clearOf(ring, { x: 0, y: -120 }, half)).toEqual({ x: 0, y: -120 })
  })
})

describe('the size of a table in a window', () => {
  it('fills a wide window with all of the art direction', () => {
    expect(tableSize(1680, 1050)).toEqual({ width: 1392, drawn: 1632, top: 0, isCompact: false })
    expect(tableSize(1280, 860)).toEqual({ width: 1392, drawn: 1232, top: 0, isCompact: false })
  })
  it('is narrower in a small window, at the same scale', () => {
    for (const wide of [720, 800, 960]) {
      const { width, drawn, isCompact } = tableSize(wide, 1000)
      expect(drawn).toBeLessThanOrEqual(wide - 24)
      expect(drawn / width).toBeGreaterThan(0.72)
      expect(isCompact).toBe(true)
    }
  })
  it('begins below rail and float in a low window, and is compact where it is drawn under 1080', () => {
    expect(tableSize(1366, 640).top).toBe(0)
    const { top, drawn, isCompact } = tableSize(1366, 625)
    expect([top, isCompact]).toEqual([60, true])
    expect(drawn).toBeLessThan(1080)
    // 44 above, 40 and 84 below.
    expect((drawn * (BOX.height - 60)) / BOX.width).toBeLessThanOrEqual(625 - 168)
  })
  it('never falls below the scale at which it can be read, however low the window', () => {
    const { width, drawn } = tableSize(1366, 500)
    expect(drawn / width).toBeGreaterThan(0.61)
  })
})
