// What a command would do, asked of the server and done nowhere.

import { ApiError, post } from '../../lib/api'
import type { Command } from '../../lib/live.svelte'
import type { Refused, View } from '../../lib/wire'
import { dealer as t } from '../../texts/en_dealer'
import { blank, build, type Act, type Values } from './acts'

export interface PreviewEvent extends Record<string, unknown> {
  name: string
  says?: string
  clauses?: string[]
}

export interface Preview {
  events: PreviewEvent[]
  refused: Refused | null
  view?: View | null
  needs_second?: boolean
  clauses?: string[]
  /** Who could, where whoever asked may not. */
  may?: string[]
  /** Whose chips would change by how much; the house has no name. */
  moved?: [string | null, number][]
  /** Where else chips come from or go to. */
  others?: ['layout' | 'bank' | 'purses', number][]
}

/** Stands for a reason that nobody has given yet, and is told to nobody. */
export const NO_REASON = '…'
const VOID = 'wager_reversed'
const MOST_TRIES = 8
const PAUSE_MS = 1_000

const isTooFast = (error: unknown): boolean => error instanceof ApiError && error.code === 'too_fast'

/** Without `expected` at the table as it is. A look that came too fast is no answer: it is made again in a moment. */
export async function preview(table: string, command: Command, part: string, expected?: number): Promise<Preview> {
  for (let tries = 1; ; tries++) {
    try {
      return await post<Preview>(`/api/tables/${encodeURIComponent(table)}/preview`, { command, as: part, expected })
    } catch (error) {
      if (!isTooFast(error) || tries === MOST_TRIES) throw error
    }
    await new Promise((after) => setTimeout(after, PAUSE_MS * (0.75 + Math.random() / 2)))
  }
}

/** A refusal over HTTP, told as one of the table: the preview shows it in its own place. */
export function refusalOf(error: unknown): Refused | null {
  if (!(error instanceof ApiError)) return null
  return { type: 'refused', id: '', code: error.code, says: error.message, clauses: error.clauses, request: null }
}

/** Which of these acts the table would refuse as things stand, as far as they can be asked for without more fields. What
 * another of one's own roles may do is not refused. What could not be looked into is not offered as if it had been. */
export async function refusals(table: string, acts: Act[], known: Values, parts: string[]): Promise<Record<string, Refused>> {
  const asked = acts.map(async (act): Promise<[string, Refused | null]> => {
    const { command } = build(act, blank(act, known), NO_REASON)
    if (!command || act.isBlind) return [act.do, null]
    try {
      const shown = await preview(table, command, parts[0] ?? '')
      return [act.do, roleFor(shown, parts) ? null : shown.refused]
    } catch (error) {
      return [act.do, isTooFast(error) ? refusalOf(error) : null]
    }
  })
  const told = await Promise.all(asked)
  return Object.fromEntries(told.filter((one): one is [string, Refused] => one[1] !== null))
}

/** Of one's own roles the one that may, where the one that was tried may not, or only with the signature of a higher one. */
export function roleFor(shown: Preview | null, parts: string[]): string | null {
  return ((shown?.refused || shown?.needs_second) && parts.find((part) => shown.may?.includes(part))) || null
}

/** Who gets and who gives, chips on the layout included, so that it adds up. */
export function movesOf(shown: Preview | null): [string, number][] {
  const named = (shown?.moved ?? []).map(([who, amount]): [string, number] => [who ?? t.act.house, amount])
  return [...named, ...(shown?.others ?? []).map(([where, amount]): [string, number] => [t.act.others[where] ?? where, amount])]
}

/** The rules behind what would happen, each once. */
export function clausesOf(shown: Preview): string[] {
  const told = [...(shown.refused?.clauses ?? []), ...(shown.clauses ?? []), ...shown.events.flatMap((e) => e.clauses ?? [])]
  return [...new Set(told)]
}

/** What would happen in sentences; wagers that are void together in the order of the boxes, as a dealer goes round. */
export function saysOf(shown: Preview): string[] {
  const runs: PreviewEvent[][] = []
  for (const event of shown.events) {
    const last = runs.at(-1)
    if (last && event.name === VOID && last[0]?.name === VOID) last.push(event)
    else runs.push([event])
  }
  const inOrder = runs.flatMap((run) => run.sort((one, other) => Number(one['box'] ?? 0) - Number(other['box'] ?? 0)))
  return inOrder.map((event) => (event.says ?? event.name.replaceAll('_', ' ')).replace(`: ${NO_REASON}`, ''))
}
