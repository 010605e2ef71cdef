// Where things lie on the table, in the view box of 1392 by 672 that the art direction gives.

export interface Point {
  x: number
  y: number
}

export interface Place extends Point {
  box: number
  /** The angle from the table's middle line, in radians; positive is screen right. */
  phi: number
  /** How far the box's own frame is turned, in degrees. */
  turn: number
  scale: number
  /** The arc that the box takes along the ring of main spots, in radians. */
  arc: number
}

export const BOX = { width: 1392, height: 672 }
export const CENTRE: Point = { x: 696, y: -300 }
export const RING = { main: 856, felt: 942, rail: 968, inner: 620, odds: 596 }
const WIDTH = { seven: 186, eight: 158, own: 244, ownOfEight: 226 }

/** The boxes along the ring, box 1 at the dealer's left; `isTurned` shows the table from the dealer's side. */
export function places(boxes: number, own: number | null, isTurned = false): Place[] {
  const usual = boxes > 7 ? WIDTH.eight : WIDTH.seven
  const widths = Array.from({ length: boxes }, (_, at) =>
    at + 1 === own ? (boxes > 7 ? WIDTH.ownOfEight : WIDTH.own) : usual,
  )
  const arcs = widths.map((width) => width / RING.main)
  const total = arcs.reduce((sum, arc) => sum + arc, 0)
  let passed = 0
  return arcs.map((arc, at) => {
    const phi = (total / 2 - passed - arc / 2) * (isTurned ? -1 : 1)
    passed += arc
    const x = CENTRE.x + RING.main * Math.sin(phi)
    const y = CENTRE.y + RING.main * Math.cos(phi)
    return { box: at + 1, phi, turn: (-phi / 2) * (180 / Math.PI), x, y, arc, scale: at + 1 === own ? 1.2 : 1 }
  })
}

/** A point in a box's own frame, where v points away from the dealer, on the table. */
export function inBox(place: Place, u: number, v: number): Point {
  const alpha = (place.turn * Math.PI) / 180
  const s = place.scale
  return {
    x: place.x + s * (u * Math.cos(alpha) - v * Math.sin(alpha)),
    y: place.y + s * (u * Math.sin(alpha) + v * Math.cos(alpha)),
  }
}

/** A point on a ring around the table's centre. */
export function onRing(radius: number, phi: number): Point {
  return { x: CENTRE.x + radius * Math.sin(phi), y: CENTRE.y + radius * Math.cos(phi) }
}

const SIDES: Record<number, Point[]> = {
  1: [{ x: 0, y: -68 }],
  2: [
    { x: -42, y: -60 },
    { x: 42, y: -60 },
  ],
  3: [
    { x: -58, y: -46 },
    { x: 0, y: -68 },
    { x: 58, y: -46 },
  ],
}

export function sideSpots(count: number): Point[] {
  return SIDES[Math.min(3, count)] ?? []
}
