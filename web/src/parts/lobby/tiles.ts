// What a tile of the lobby says about its table, from the line that the server gives of it.

import { money } from '../../lib/money'
import type { LobbyLine } from '../../lib/wire'
import { lobby as t } from '../../texts/en_lobby'

export type Line = LobbyLine

/** What each table is called, by its name: its title; where several have that, also its book, or else its name. */
export function callNames(lines: readonly Line[], bookOf: (line: Line) => string): Map<string, string> {
  const ways = [(line: Line) => line.title, (line: Line) => `${line.title}, ${bookOf(line)}`, (line: Line) => `${line.title}, ${line.name}`]
  const isAlone = (line: Line, call: (line: Line) => string): boolean => lines.filter((one) => call(one) === call(line)).length === 1
  return new Map(lines.map((line) => [line.name, (ways.find((call) => isAlone(line, call)) ?? ways[2]!)(line)]))
}

/** Whether each box is taken, box 1 first. */
export function seatsTaken(line: Line): boolean[] {
  return Array.from({ length: line.boxes }, (_, at) => line.taken.includes(at + 1))
}

export function freeBoxes(line: Line): number[] {
  return seatsTaken(line).flatMap((isTaken, at) => (isTaken ? [] : [at + 1]))
}

/** The free box nearest the middle, where the table is seen best. */
export function bestBox(free: number[], boxes: number): number | null {
  const middle = (boxes + 1) / 2
  return free.reduce<number | null>(
    (best, box) => (best === null || Math.abs(box - middle) < Math.abs(best - middle) ? box : best),
    null,
  )
}

export function limitsLine(line: Line): string {
  return t.tile.limits(money(line.minimum), line.maximum === null ? null : money(line.maximum))
}

/** "10 to 1"; several as "25, 12, 5": on a tile the odds are only a hint, and the felt prints them in full. */
function oddsHint(pays: string[]): string {
  return pays.length === 1 ? t.tile.odds(...(pays.join('').split(':') as [string, string])) : pays.map((odds) => odds.replace(/:1$/, '')).join(', ')
}

/** Its meter; or its decks, and what sets the table apart: its bank, or the last of its side wagers. */
export function detailLine(line: Line): string {
  const metered = line.sides.find((side) => side.wager === 'progressive')
  if (line.meter !== null && metered) return t.tile.meter(metered.label, money(line.meter))
  const last = line.sides.at(-1)
  const apart = line.bank ? t.tile.bank(line.bank.box) : last ? `${last.label} ${oddsHint(last.pays)}`.trim() : ''
  return [t.tile.decks(line.decks), apart].filter(Boolean).join(', ')
}

/** How many wait for a seat; else how fast it goes: the time to bet where a clock deals, or who does. */
export function paceLine(line: Line): string {
  if (line.waiting > 0) return t.tile.waiting(line.waiting)
  return t.tile.dealers[line.dealer] || t.tile.pace(line.betting_seconds)
}

/** What happens at the table now; `passed` is how many milliseconds ago the line was told. */
export function stateLine(line: Line, passed: number): string {
  if (line.is_closed) return t.state.closed
  if (line.is_stopped) return t.state.stopped
  if (line.is_paused) return t.state.paused
  const seconds = line.timer ? Math.ceil((line.timer.left - passed) / 1000) : 0
  const waits = line.timer ? t.state.waits[line.timer.waits_for] : undefined
  if (waits) return seconds > 0 ? t.state.counted(waits, seconds) : waits
  if (line.seated === 0 && line.bots === 0) return t.state.empty
  return t.state.phases[line.phase] ?? t.tile.rounds(line.rounds)
}

/** Names of tables in the order wanted; those that are new come last, so that no tile moves by itself. */
export function keepOrder(order: string[], names: string[]): string[] {
  const kept = order.filter((name) => names.includes(name))
  return [...kept, ...names.filter((name) => !kept.includes(name))]
}

export function byFreeSeats(lines: Line[]): string[] {
  const free = (line: Line): number => (line.is_closed || line.is_stopped ? -1 : freeBoxes(line).length)
  return lines.toSorted((a, b) => free(b) - free(a)).map((line) => line.name)
}
