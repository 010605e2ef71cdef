// Outlines of the table, from the radii of the art direction: the arc of the felt meets the straight sides smoothly.

import { BOX, centre, onRing, RING, type Place } from '../../lib/geometry'

function outline(width: number, radius: number, left: number, top: number, corner: number, join: number): string {
  const middle = centre(width)
  const right = width - left
  // A narrower table has sharper corners, further out, where its outer boxes are.
  const narrow = (width / BOX.width) ** 2
  const at = left + (join - left) * (0.25 + 0.75 * narrow)
  const rise = Math.sqrt(radius ** 2 - (middle.x - at) ** 2)
  const y = middle.y + rise
  const control = y - (at - left) * ((middle.x - at) / rise)
  const straight = control - 130 * narrow
  return (
    `M${left + corner} ${top} H${right - corner} Q${right} ${top} ${right} ${top + corner} V${straight} ` +
    `Q${right} ${control} ${width - at} ${y} A${radius} ${radius} 0 0 1 ${at} ${y} ` +
    `Q${left} ${control} ${left} ${straight} V${top + corner} Q${left} ${top} ${left + corner} ${top} Z`
  )
}

export interface Outlines {
  felt: string
  rail: string
  railLine: string
}

export function outlines(width: number): Outlines {
  return {
    felt: outline(width, RING.felt, 31, 32, 60, 180),
    rail: outline(width, RING.rail, 4, 6, 84, 160),
    railLine: outline(width, RING.rail - 7, 11, 13, 78, 164),
  }
}

/** The arc of a ring between two angles, screen left to right. */
export function arc(radius: number, from: number, to: number, width = BOX.width): string {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  const start = onRing(radius, low, width)
  const end = onRing(radius, high, width)
  return `M${start.x} ${start.y} A${radius} ${radius} 0 0 0 ${end.x} ${end.y}`
}

/** Where the inner arc ends on either side. */
export function edgeOf(width: number): number {
  return 0.705 * (width / BOX.width)
}

/** The part of the felt before one box; that of an outer box reaches to the side of the table. */
export function wedge(place: Place, isOuter: boolean, width: number): string {
  const reach = isOuter ? 0.9 : 0
  const low = place.phi - place.arc / 2 - (place.phi < 0 ? reach : 0)
  const high = place.phi + place.arc / 2 + (place.phi > 0 ? reach : 0)
  const [a, b] = [onRing(RING.inner, low, width), onRing(RING.inner, high, width)]
  const far = isOuter ? RING.rail * 1.6 : RING.rail
  const [c, d] = [onRing(far, high, width), onRing(far, low, width)]
  return `M${a.x} ${a.y} A${RING.inner} ${RING.inner} 0 0 0 ${b.x} ${b.y} L${c.x} ${c.y} L${d.x} ${d.y} Z`
}

/** The line between a box and the next. */
export function border(phi: number, width: number): string {
  const [a, b] = [onRing(RING.inner, phi, width), onRing(RING.felt, phi, width)]
  return `M${a.x} ${a.y} L${b.x} ${b.y}`
}
