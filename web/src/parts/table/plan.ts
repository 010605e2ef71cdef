// Where everything lies on the felt of an upright or lying window, in pixels of the width and height that are left for
// it. The lower the felt, the more gives way, step by step; cards, caller and one's own spots never do.

import { clearOf, type Point } from '../../lib/geometry'

export type Others = 'cards' | 'small' | 'letters' | 'line'

interface Step {
  /** The felt is at least so high. */
  from: number
  others: Others
  dealer: number
  caller: number
  top: number
  /** From the edge of the lit half to one's own card. */
  margin: number
  /** How far the edge of the lit half, and that of the felt, hang down in the middle. */
  sag: [number, number]
}

const STEPS: Step[] = [
  { from: 500, others: 'cards', dealer: 60, caller: 34, top: 10, margin: 18, sag: [11, 18] },
  { from: 424, others: 'cards', dealer: 60, caller: 32, top: 10, margin: 18, sag: [11, 15] },
  { from: 330, others: 'small', dealer: 48, caller: 28, top: 9, margin: 18, sag: [7, 12] },
  { from: 280, others: 'letters', dealer: 44, caller: 26, top: 7, margin: 15, sag: [7, 10] },
  { from: 0, others: 'line', dealer: 40, caller: 24, top: 6, margin: 14, sag: [6, 8] },
]
/** Lower than this, the felt scrolls in its own frame. */
export const LOWEST = 200
const ROW_BELOW = 165
const TEXT = 12
const TOUCH = 22

export interface Ring extends Point {
  r: number
}

/** A curve that hangs down in the middle. */
export interface Edge {
  side: number
  middle: number
}

export interface Plan {
  width: number
  height: number
  text: number
  others: Others
  /** How far the boxes are apart, and where the middle one's card, number and status are. */
  pitch: number
  card: number
  at: { number: number; card: number; status: number; rise: number }
  dealer: Point & { width: number }
  caller: Point & { size: number }
  /** The first printed line of prices, and how far the lines are apart. */
  odds: { y: number; line: number }
  /** Rack and shoe: how large they are drawn; 0 where they are not. */
  rack: number
  hasWords: boolean
  edge: Edge
  floor: Edge
  rail: number
  own: { x: number; y: number; width: number; pitch: number; label: number }
  spots: Spots
}

export interface Spots {
  main: Ring
  sides: Ring[]
  war: Ring
  /** Side spots stand in one row, where a pill has room above them. */
  isRow: boolean
}

const within = (least: number, value: number, most: number): number => Math.max(least, Math.min(most, value))

/** The height of a curve at x. */
export function heightAt(edge: Edge, x: number, width: number): number {
  const far = (2 * x) / width - 1
  return edge.side + (edge.middle - edge.side) * (1 - far * far)
}

/** `half` is half the size of the one side area that is no ring; `lines` are the printed lines of prices. */
export function planOf(width: number, room: number, boxes: number, sides: number, lines: number, half: Point | null, isSeated = true): Plan {
  const height = Math.max(LOWEST, room)
  const step = STEPS.find((one) => height >= one.from)!
  // A high felt has more air between its parts.
  const air = within(0, (height - 500) / 6, 20)
  const hasOdds = height >= 500
  const top = step.top + air / 2
  const dealer = { x: Math.round(width / 2) + 4, y: top + 0.7 * step.dealer, width: step.dealer }
  const caller = { x: width / 2, y: top + 1.4 * step.dealer + 10 + air + step.caller / 2, size: step.caller }
  const line = TEXT * 1.15
  const odds = { y: caller.y + step.caller * 0.4 + 12 + air / 2, line }
  const printed = hasOdds ? odds.y - 12 + lines * line + air : caller.y + step.caller * 0.4
  // Who has no seat yet has no box of their own on the felt, and chooses one of these.
  const others = !isSeated && step.others === 'line' ? 'letters' : step.others
  const at = othersAt(others, printed)
  const edgeSide = at.status - at.rise + { cards: 20, small: 13, letters: 14, line: 12 }[others] + air
  const edge = { side: edgeSide, middle: edgeSide + step.sag[0] }
  const rail = hasOdds ? 18 : 14
  const floor = { side: height - rail - step.sag[1], middle: height - rail }
  const left = width < 340 ? 10 : 14
  const own = ownAt(width, left, edge, floor, step.margin, sides, half)
  const from = left + 2 * own.width + own.pitch - own.width + 14
  const spots = spotsAt({ from, to: width - 5 }, edge, floor, width, sides, half)
  const rack = step.others === 'cards' ? 0.45 : step.others === 'small' ? 0.34 : 0
  return {
    width, height, text: TEXT, others, pitch: Math.min(64, (width - 4) / boxes), card: step.others === 'cards' ? 34 : 26, at,
    dealer, caller, odds, rack, hasWords: step.others === 'cards', edge, floor, rail, own, spots,
  }
}

function othersAt(others: Others, from: number): Plan['at'] {
  switch (others) {
    case 'cards':
      return { number: from + 17, card: from + 51, status: from + 86, rise: 8 }
    case 'small':
      return { number: from + 11, card: from + 38, status: from + 66, rise: 0 }
    case 'letters':
      return { number: from + 14, card: 0, status: from + 31, rise: 0 }
    default:
      return { number: 0, card: 0, status: from + 13, rise: 0 }
  }
}

/** One's own card and slot at the left, as large as leaves the spots their room. */
function ownAt(width: number, left: number, edge: Edge, floor: Edge, margin: number, sides: number, half: Point | null): Plan['own'] {
  const span = floor.side - edge.side
  const needs = isInRow(floor, edge, sides) ? rowNeeds(sides, half) : 7 * 26
  const most = Math.min((0.45 * width - 20) / 2, (width - 5 - needs - left - 24) / 2)
  const card = within(36, Math.min((span - margin - 22) / 1.4, Math.max(72, 0.42 * span), most), 100)
  const spare = Math.max(0, span - margin - 22 - 1.4 * card)
  const y = edge.side + margin + spare * 0.4 + 0.7 * card
  return { x: left + card / 2 + 3, y, width: card, pitch: card + 9, label: y + 0.7 * card + 14 }
}

/** Four side spots have no other place. */
const isInRow = (floor: Edge, edge: Edge, sides: number): boolean => floor.middle - edge.middle < ROW_BELOW || sides > 3

function rowNeeds(sides: number, half: Point | null): number {
  if (sides > 2) return sides * (2 * TOUCH + 2)
  return 2 * (half?.x ?? TOUCH) + 56 + 2 * TOUCH + 12
}

function spotsAt(x: { from: number; to: number }, edge: Edge, floor: Edge, width: number, sides: number, half: Point | null): Spots {
  if (!isInRow(floor, edge, sides)) return fanned(x, edge, floor, sides, half)
  return sides > 2 ? inRow(x, edge, floor, width, sides) : besideMain(x, edge, floor, width, sides, half)
}

/** As the art direction has it: around the main spot, with the war at its side. */
function fanned(x: { from: number; to: number }, edge: Edge, floor: Edge, sides: number, half: Point | null): Spots {
  const lit = floor.middle - edge.middle
  const r = Math.min((lit - 38) / 4.667, (x.to - x.from) / 7, 36)
  const rm = (4 / 3) * r
  const all = Math.max(0, lit - 38 - (14 / 3) * r)
  // On a high felt the areas are further apart.
  const more = Math.min(0.8 * r, all / 3)
  const [above, spare] = [(7 / 3) * r + 8 + more, all - more]
  const main = { x: (x.from + x.to) / 2, y: edge.middle + 16 + above + r + spare / 2, r: rm }
  const fan: Record<number, Point[]> = {
    1: [{ x: 0, y: -above }],
    2: [{ x: -1.9 * r, y: -2.15 * r - more / 2 }, { x: 1.9 * r, y: -2.05 * r - more / 2 }],
    3: [{ x: -2.5 * r, y: -1.8 * r - more / 2 }, { x: 0, y: -above }, { x: 2.5 * r, y: -1.9 * r - more / 2 }],
  }
  const placed = (fan[sides] ?? []).map((one, index) => {
    const point = { x: main.x + one.x, y: main.y + one.y }
    return { ...(half && index === 0 ? clearOf(main, point, half) : point), r }
  })
  return { main, sides: placed, war: { x: main.x + 2.5 * r, y: main.y + 0.15 * r, r: r * 0.98 }, isRow: false }
}

/** Low: the side spots in one row, the main spot has the rest below it. */
function inRow(x: { from: number; to: number }, edge: Edge, floor: Edge, width: number, sides: number): Spots {
  const r = within(TOUCH, Math.min(0.19 * (floor.side - edge.side), (x.to - x.from) / (2 * sides) - 1), 28)
  const apart = Math.min(100, (x.to - x.from - 2 * r) / (sides - 1))
  const middle = (x.from + x.to) / 2
  const y = edge.middle + 12 + r
  const row = Array.from({ length: sides }, (_, at) => ({ x: middle + (at - (sides - 1) / 2) * apart, y, r }))
  const [top, bottom] = [y + r + 2, floor.middle - 12]
  const main = { x: middle, y: (top + bottom) / 2, r: Math.min(40, (bottom - top) / 2, apart - r - 2) }
  return { main, sides: row, war: warBelow(row.at(-1)!, floor, width), isRow: true }
}

function warBelow(side: Ring, floor: Edge, width: number): Ring {
  const top = side.y + side.r + 3
  const r = within(18, (heightAt(floor, side.x + side.r / 2, width) - top) / 2, side.r)
  return { x: side.x, y: top + r, r }
}

/** Low, with one side spot or two: they stand beside the main spot, which has the whole height. */
function besideMain(x: { from: number; to: number }, edge: Edge, floor: Edge, width: number, sides: number, half: Point | null): Spots {
  const r = within(TOUCH, Math.min(0.19 * (floor.side - edge.side), (x.to - x.from - 64) / 4), 28)
  const reach = half?.x ?? r
  const apart = Math.min(x.to - x.from, 240 + reach - r)
  const from = (x.from + x.to - apart) / 2
  const [left, right] = [from + reach, from + apart - r]
  const [top, bottom] = [edge.middle + 10, floor.middle - 12]
  const y = edge.middle + 12 + r
  const first = { x: left, y: half ? edge.middle + 14 + half.y : y, r }
  const free = (right - r - left - reach) / 2 - 4
  const below = first.y + (half?.y ?? r) + 3
  // A wide area leaves a narrow felt no room beside it.
  const main = free < 18
    ? { x: right - 2 * r - 4, y: (below + bottom) / 2, r: Math.min(r, (bottom - below) / 2) }
    : { x: (left + reach + right - r) / 2, y: (top + bottom) / 2, r: Math.min(40, (bottom - top) / 2, free) }
  if (sides < 2) return { main, sides: [first].slice(0, sides), war: { x: right, y: main.y, r }, isRow: true }
  const second = { x: right, y, r }
  return { main, sides: [first, second], war: warBelow(second, floor, width), isRow: true }
}
