// Where the hands lie on the dealer's felt: along its edge at equal distances, so that neighbours at war lie clear.

export interface Place {
  x: number
  y: number
  /** In degrees; the cards of the outer boxes lean a little, their text does not. */
  turn: number
}

export const WIDE = 680
const TOP = 68
const ACROSS = 250
const DEEP = 150
const WIDEST = (84 * Math.PI) / 180
const LEAN = 0.15
/** Two cards side by side take this many widths. */
export const PAIR = 2.15
const LARGEST = 41
const SHARE = 0.41
const PARTS = 400

/** The angles at which the edge is as long from box to box. */
function angles(count: number): number[] {
  if (count < 2) return [0]
  const part = (2 * WIDEST) / PARTS
  const lengths = [0]
  for (let at = 0; at < PARTS; at++) {
    const angle = -WIDEST + (at + 0.5) * part
    lengths.push(lengths[at]! + Math.hypot(ACROSS * Math.cos(angle), DEEP * Math.sin(angle)) * part)
  }
  const whole = lengths[PARTS]!
  return Array.from({ length: count }, (_, box) => {
    const at = lengths.findIndex((length) => length >= (whole * box) / (count - 1) - 1e-9)
    return -WIDEST + at * part
  })
}

export function placesOf(count: number): Place[] {
  return angles(count).map((angle) => ({
    x: WIDE / 2 + ACROSS * Math.sin(angle),
    y: TOP + DEEP * (1 - Math.cos(angle)),
    turn: ((angle * 180) / Math.PI) * LEAN,
  }))
}

/** So wide that two cards of a box have room beside those of the next. */
export function cardWidth(places: Place[]): number {
  const gaps = places.slice(1).map((place, at) => Math.hypot(place.x - places[at]!.x, place.y - places[at]!.y))
  return Math.min(LARGEST, ...gaps.map((gap) => gap * SHARE))
}
