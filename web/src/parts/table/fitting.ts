// How much room words take. Nothing is downloaded, so the font is not known; these are the widths of a wide one
// (DejaVu Sans), and others are narrower.

const WIDTHS: [RegExp, number][] = [
  [/[ijlI.,;:·'’| ]/, 0.32],
  [/[frt()/-]/, 0.39],
  [/[mwMW+−…]/, 0.95],
  [/[A-Z]/, 0.69],
]
const USUAL = 0.63

/** The width of a text in its own size. */
export function ems(text: string): number {
  return [...text].reduce((sum, letter) => sum + (WIDTHS.find(([of]) => of.test(letter))?.[1] ?? USUAL), 0)
}

/** How high a line stands, and how much of it the letters take, in the size of the text. */
export const LINE = 1.15
const LETTERS = 0.8
/** What is left free at either end of a line in a ring, together. */
const MARGIN = 1.085

/** A name that has nearly room is written out: most fonts are narrower than was counted with. */
export const NEARLY = 1.12

/** The room across a ring at a row of text, given by how many rows it is away from the middle. */
function across(r: number, row: number, size: number): number {
  const far = Math.abs(row) * LINE * size + (LETTERS * size) / 2
  return far < r ? 2 * Math.sqrt(r * r - far * far) : 0
}

/** Every way to put some words, or longer parts of a text, into lines: the fewest and most even first. */
export function breaks(parts: string[], between = ' '): string[][] {
  const ways = Array.from({ length: 2 ** (parts.length - 1) }, (_, mask) =>
    parts.reduce<string[]>((lines, part, at) => {
      const isNew = at === 0 || (mask >> (at - 1)) & 1
      return isNew ? [...lines, part] : [...lines.slice(0, -1), `${lines.at(-1)}${between}${part}`]
    }, []),
  )
  const widest = (lines: string[]): number => Math.max(...lines.map(ems))
  return ways.sort((a, b) => a.length - b.length || widest(a) - widest(b))
}

export interface Printed {
  name: string[]
  /** The odds or what else stands below the name; left out where there is no room for it. */
  note: string
}

function fits({ name, note }: Printed, r: number, size: number): boolean {
  const rows = note ? [...name, note] : name
  return rows.every((row, at) => ems(row) * size * MARGIN <= across(r, at - (rows.length - 1) / 2, size))
}

/** What names a ring below the chips in it: the name, or its last word, or nothing where there is no room at `y`. */
export function belowChips(label: string, r: number, y: number, size: number): string {
  const room = across(r, y / (LINE * size), size) * NEARLY
  return [label, label.split(' ').at(-1)!].find((way) => ems(way) * size * MARGIN <= room) ?? ''
}

/** A name and a note as they go into a ring: the note in any case where it `isNeeded`, else if there is room. */
export function inRing(label: string, note: string, r: number, size: number, isNeeded = false): Printed {
  const ways = breaks(label.split(' '))
  const found = ways.map((name) => ({ name, note })).find((way) => fits(way, r, size))
  if (found) return found
  const alone = ways.map((name) => ({ name, note: '' })).find((way) => fits(way, r, size))
  const whole = ways.at(-1)!
  // Where a whole name has no room by far, its last word stands for it.
  const last = [whole.at(-1)!]
  const name = fits({ name: whole, note: '' }, r * NEARLY, size) ? whole : last
  if (isNeeded) return { name, note }
  return alone ?? { name, note: name === last && fits({ name, note }, r, size) ? note : '' }
}

/** As many letters of a text as have room, with an ellipsis or another end if some have not. */
export function cutTo(text: string, room: number, size: number, end = '…'): string {
  if (ems(text) * size <= room) return text
  let letters = text.length - 1
  while (letters > 1 && ems(text.slice(0, letters) + end) * size > room) letters -= 1
  return text.slice(0, letters).trimEnd() + end
}
