// Where things lie on the table, in the view box of 1392 by 672 that the art direction gives. A small window has a
// narrower table of the same height, so that what is written on it stays as large.

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
export const NARROWEST = 960
export const RING = { main: 856, felt: 942, rail: 968, inner: 620, odds: 596 }
/** What seven boxes and one's own of them, or eight, take along the ring; the scale of one's own. */
const WIDTH = { seven: 186, eight: 158, own: 244, ownOfEight: 226 }
export const OWN_SCALE = 1.2

/** The middle of the table's arcs. */
export function centre(width = BOX.width): Point {
  return { x: width / 2, y: -300 }
}

/** How a table is drawn in a window: the width of its view box, and in pixels. */
export interface TableSize {
  width: number
  drawn: number
  /** Where its view box begins: a low window has rail and float at the dealer's side under the bar. */
  top: number
  /** Others show card, one stack and status alone. */
  isCompact: boolean
}

/** Pixels above and below the table, in a low window and in others. */
const AROUND = { low: 172, high: 228 }
const LOW = 800
const CUT_BELOW = 640
const CUT = 60
/** The scales at which it is still easy to read, or just so. */
const EASY = 0.7226
const LEAST = 0.62

/** `wide` is the width of the place for it, which a scroll bar makes less than that of the window. */
export function tableSize(windowWidth: number, windowHeight: number, wide = windowWidth): TableSize {
  const room = Math.min(windowWidth, wide || windowWidth) - (windowWidth < 1200 ? 24 : 48)
  const top = windowHeight < CUT_BELOW ? CUT : 0
  const high = Math.max(LEAST, (windowHeight - (windowHeight < LOW ? AROUND.low : AROUND.high)) / (BOX.height - top))
  const width = Math.round(Math.max(NARROWEST, Math.min(BOX.width, room / Math.min(EASY, high))))
  const drawn = Math.min(room, Math.floor(width * high))
  return { width, drawn, top, isCompact: windowWidth < 1200 || drawn < 1080 }
}

/** The boxes along the ring, box 1 at the dealer's left, which is screen right. */
export function places(boxes: number, own: number | null, width = BOX.width, ownScale = OWN_SCALE): Place[] {
  const [usual, mine] = boxes > 7 ? [WIDTH.eight, WIDTH.ownOfEight] : [WIDTH.seven, WIDTH.own]
  const ring = (boxes - 1) * usual + mine - (BOX.width - width) * 1.06
  // Larger than the art direction has it, one's own takes what its war spot needs on either side.
  const ownWidth = ownScale > OWN_SCALE ? 2 * (96 * ownScale + 16) : mine
  const others = own === null ? Math.min(usual, ring / boxes) : (ring - ownWidth) / (boxes - 1)
  const widths = Array.from({ length: boxes }, (_, at) => (at + 1 === own ? ownWidth : others))
  const arcs = widths.map((one) => one / RING.main)
  const total = arcs.reduce((sum, arc) => sum + arc, 0)
  let passed = 0
  return arcs.map((arc, at) => {
    const phi = total / 2 - passed - arc / 2
    passed += arc
    return { box: at + 1, phi, turn: (-phi / 2) * (180 / Math.PI), ...onRing(RING.main, phi, width), arc, scale: at + 1 === own ? ownScale : 1 }
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

/** A point on a ring around the middle of the table's arcs. */
export function onRing(radius: number, phi: number, width = BOX.width): Point {
  const middle = centre(width)
  return { x: middle.x + radius * Math.sin(phi), y: middle.y + radius * Math.cos(phi) }
}

/** What would lie on the rail, half so wide and high, moved to the table's middle until it is on the felt, `most` at most. */
export function onFelt(at: Point, half: Point, most: number, width = BOX.width, rim = 1): Point {
  const middle = centre(width)
  const low = at.y + half.y - middle.y
  const far = Math.sqrt(Math.max(0, (RING.felt - rim) ** 2 - low ** 2)) - half.x
  const over = Math.max(0, Math.abs(at.x - middle.x) - far)
  return { x: at.x - Math.sign(at.x - middle.x) * Math.min(over, most), y: at.y }
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
  4: [
    { x: -76, y: -26 },
    { x: -30, y: -68 },
    { x: 30, y: -68 },
    { x: 76, y: -26 },
  ],
}

/** The wagers of the rulebooks that lie beside the main one are four. */
export function sideSpots(count: number): Point[] {
  return SIDES[count] ?? []
}

/** The middle of an area of half the size `half`, moved straight away from a ring until it is clear of it. */
export function clearOf(ring: Point & { r: number }, at: Point, half: Point, gap = 4): Point {
  const [dx, dy] = [at.x - ring.x, at.y - ring.y]
  const far = Math.hypot(dx, dy) || 1
  let moved = at
  for (let more = 0; more < 200; more += 1) {
    moved = { x: at.x + (dx / far) * more, y: at.y + (dy / far) * more }
    const [outX, outY] = [Math.max(0, Math.abs(moved.x - ring.x) - half.x), Math.max(0, Math.abs(moved.y - ring.y) - half.y)]
    if (Math.hypot(outX, outY) >= ring.r + gap) break
  }
  return moved
}
