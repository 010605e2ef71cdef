// Outlines of the table, from the radii of the art direction: the arc of the felt meets the straight sides smoothly.

import { CENTRE, onRing, RING, type Place } from '../../lib/geometry'

function outline(radius: number, left: number, top: number, corner: number, join: number): string {
  const right = 2 * CENTRE.x - left
  const rise = Math.sqrt(radius ** 2 - (CENTRE.x - join) ** 2)
  const y = CENTRE.y + rise
  const control = y - (join - left) * ((CENTRE.x - join) / rise)
  const straight = control - 130
  return (
    `M${left + corner} ${top} H${right - corner} Q${right} ${top} ${right} ${top + corner} V${straight} ` +
    `Q${right} ${control} ${2 * CENTRE.x - join} ${y} A${radius} ${radius} 0 0 1 ${join} ${y} ` +
    `Q${left} ${control} ${left} ${straight} V${top + corner} Q${left} ${top} ${left + corner} ${top} Z`
  )
}

export const FELT = outline(RING.felt, 31, 32, 60, 180)
export const RAIL = outline(RING.rail, 4, 6, 84, 160)
export const RAIL_LINE = outline(RING.rail - 7, 11, 13, 78, 164)

/** The arc of a ring between two angles, screen left to right. */
export function arc(radius: number, from: number, to: number): string {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  const start = onRing(radius, low)
  const end = onRing(radius, high)
  return `M${start.x} ${start.y} A${radius} ${radius} 0 0 0 ${end.x} ${end.y}`
}

/** Where the inner arc ends on either side. */
export const EDGE = 0.705

/** The part of the felt before one box; that of an outer box reaches to the side of the table. */
export function wedge(place: Place, isOuter = false): string {
  const reach = isOuter ? 0.9 : 0
  const low = place.phi - place.arc / 2 - (place.phi < 0 ? reach : 0)
  const high = place.phi + place.arc / 2 + (place.phi > 0 ? reach : 0)
  const [a, b] = [onRing(RING.inner, low), onRing(RING.inner, high)]
  const far = isOuter ? RING.rail * 1.6 : RING.rail
  const [c, d] = [onRing(far, high), onRing(far, low)]
  return `M${a.x} ${a.y} A${RING.inner} ${RING.inner} 0 0 0 ${b.x} ${b.y} L${c.x} ${c.y} L${d.x} ${d.y} Z`
}

/** The line between a box and the next. */
export function border(phi: number): string {
  const [a, b] = [onRing(RING.inner, phi), onRing(RING.felt, phi)]
  return `M${a.x} ${a.y} L${b.x} ${b.y}`
}
