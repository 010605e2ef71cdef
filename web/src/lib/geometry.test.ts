import { describe, expect, it } from 'vitest'
import { BOX, CENTRE, inBox, places, RING, sideSpots } from './geometry'

describe('places around the table', () => {
  it('has box 1 at screen right, and at the left for the dealer', () => {
    const seen = places(7, null)
    expect(seen[0]!.x).toBeGreaterThan(seen[6]!.x)
    const turned = places(7, null, true)
    expect(turned[0]!.x).toBeLessThan(turned[6]!.x)
  })
  it.each([[7, null], [7, 3], [8, null], [8, 8]] as const)('keeps all of %i boxes on the ring and in the view box', (count, own) => {
    for (const place of places(count, own)) {
      expect(Math.hypot(place.x - CENTRE.x, place.y - CENTRE.y)).toBeCloseTo(RING.main)
      expect(place.x).toBeGreaterThan(0)
      expect(place.x).toBeLessThan(BOX.width)
      expect(place.y).toBeLessThan(BOX.height)
    }
  })
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
    expect([0, 1, 2, 3, 5].map((count) => sideSpots(count).length)).toEqual([0, 1, 2, 3, 3])
  })
})
