// The list of all shoes under a table's name: whether one is missing in it, and how many were voided and by whom. It
// complains of what `casinowar verify` complains of; each shoe's own file is checked in shoe_check.ts.

import { listTexts as t, shoeTexts } from '../texts/en_shoe'
import { isAtEnd } from './shoe_check'
import type { ListedShoe } from './wire'

/** The last shoe of a list as this browser saw it. An older page kept neither the seal nor how many cards were out. */
export interface Seen {
  number: number
  commitment: string
  seal?: string | null
  out?: number
}

/** What is wrong with a list; `seen` is what this browser saw of it before, `inPlay` the commitment of the shoe in play. */
export function complaintsOf(lines: ListedShoe[], seen: Seen | null, inPlay: string | null): string[] {
  const said = lines.flatMap((line, at) => [...wrongWith(line, at, lines[at - 1], at === lines.length - 1)].map((says) => t.complaint(line.number, says)))
  if (seen) said.push(...changesSince(lines, seen).map((says) => t.complaint(seen.number, says)))
  if (inPlay && !lines.some((line) => line.commitment === inPlay)) said.push(t.notListed)
  return said
}

function* wrongWith(line: ListedShoe, at: number, before: ListedShoe | undefined, isLast: boolean): Generator<string> {
  if (line.number !== at + 1) yield t.gap(at + 1)
  if (!before && line.previous !== null) yield t.boundToNone
  if (before && line.previous !== before.commitment && !beginsAnew(line, before)) yield t.notBound
  if (before?.is_numbered && !line.is_numbered) yield t.unnumbered
  if (line.fate === 'running' && !isLast) yield t.neverOpened
  if (line.fate === 'voided' && line.is_numbered && line.by === null) yield shoeTexts.byNobody
  if (line.is_numbered && isEarly(line)) yield shoeTexts.early(line.out, line.cards, line.marker)
}

/** What an older program wrote, and nobody can tell from a shoe that was left out. */
export function remarksOf(lines: ListedShoe[]): string[] {
  return lines.flatMap((line, at) => {
    const before = lines[at - 1]
    const said = before && beginsAnew(line, before) ? [t.anew(line.number)] : []
    return !line.is_numbered && isEarly(line) ? [...said, t.earlyBefore(line.number, line.out, line.cards)] : said
  })
}

function isEarly(line: ListedShoe): boolean {
  return line.fate === 'finished' && !isAtEnd(line.kind, line.cards, line.out, line.marker)
}

/** Whether it is the first shoe of another opening as an older program began it: `nz.2/1` behind `nz/7`. */
function beginsAnew(line: ListedShoe, before: ListedShoe): boolean {
  const [stream, last] = [streamOf(line), streamOf(before)]
  const isOld = !line.is_numbered && !before.is_numbered && line.previous === null
  return isOld && line.shoe.endsWith('/1') && stream !== last && tableOf(stream) === tableOf(last)
}

const streamOf = (line: ListedShoe): string => line.shoe.slice(0, line.shoe.lastIndexOf('/'))
const tableOf = (stream: string): string => stream.replace(/\.[0-9]+$/, '')

/** Who had it voided, in words. */
export function voidedBy(line: ListedShoe): string {
  const [role = '', name] = (line.by ?? '').split(':')
  if (line.by === null) return t.unnamed
  return name === undefined ? t.house : t.staff(name, role)
}

/** All shoes of the list in one sentence. */
export function sumOf(lines: ListedShoe[]): string {
  const [voided, played, running] = (['voided', 'finished', 'running'] as const).map((fate) => lines.filter((line) => line.fate === fate))
  const by = new Map<string, number>()
  for (const line of voided!) by.set(voidedBy(line), (by.get(voidedBy(line)) ?? 0) + 1)
  const parts = [
    ...(played!.length > 0 ? [t.played(played!.length)] : []),
    ...(voided!.length > 0 ? [t.voided(voided!.length, [...by].map(([who, count]) => t.voidedBy(count, who)))] : []),
    ...(running!.length > 0 ? [t.running(running!.length)] : []),
  ]
  return t.sum(lines.length, parts)
}

const KEY = 'casinowar-shoes'
const MOST_TABLES = 50

function remembered(): Record<string, Seen> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return found !== null && typeof found === 'object' ? (found as Record<string, Seen>) : {}
  } catch {
    return {}
  }
}

function remember(all: Record<string, Seen>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-MOST_TABLES))))
  } catch {
    // A browser without storage remembers nothing.
  }
}

export function seenBefore(table: string): Seen | null {
  const seen = remembered()[table]
  return typeof seen?.number === 'number' && typeof seen.commitment === 'string' ? seen : null
}

/** Whether a list has the shoe that this browser saw last no more, or another way: sealed or dealt anew. */
export function isUndone(lines: ListedShoe[], seen: Seen | null): boolean {
  return seen !== null && changesSince(lines, seen).length > 0
}

function changesSince(lines: ListedShoe[], seen: Seen): string[] {
  const line = lines[seen.number - 1]
  if (line?.commitment !== seen.commitment) return [t.gone]
  const said = seen.seal && line.seal !== seen.seal ? [t.sealedAnew] : []
  return seen.out && line.out < seen.out ? [...said, t.fewerOut(seen.out, line.out)] : said
}

/** The last shoe is kept in mind, unless the one that is was undone: then that one stays. */
export function keepSeen(table: string, lines: ListedShoe[]): void {
  const last = lines.at(-1)
  if (!last || isUndone(lines, seenBefore(table))) return
  const { [table]: _, ...others } = remembered()
  remember({ ...others, [table]: { number: lines.length, commitment: last.commitment, seal: last.seal, out: last.out } })
}

/** As after a house has begun with an empty log, and everybody knows. */
export function forgetSeen(table: string): void {
  const { [table]: _, ...others } = remembered()
  remember(others)
}
