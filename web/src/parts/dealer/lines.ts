// The procedure as lines for a dealer: like steps that follow each other are one line, with how far it has come.

import type { Step } from '../../lib/wire'

export type Kind = Step['act'] | 'call_war' | 'draw_dealer' | 'second' | 'second_dealer'

export interface Line {
  kind: Kind
  steps: Step[]
  boxes: number[]
  players: string[]
  clauses: string[]
}

const SETTLING = ['take', 'pay', 'give_back']

/** How many cards lie before each hand now: boxes by number, the dealer 0. */
export type Held = Record<number, number>

/** A second card to a hand is another line than its first: war has its own order and clauses. */
function kindOf(step: Step, held: Held): Kind {
  if (SETTLING.includes(step.act)) return 'settle'
  if (step.act === 'call') return (held[0] ?? 0) > 0 ? 'call_war' : 'call'
  if (step.act !== 'draw') return step.act
  const isSecond = (held[step.box ?? 0] ?? 0) > 0
  if (!step.box) return isSecond ? 'second_dealer' : 'draw_dealer'
  return isSecond ? 'second' : 'draw'
}

function isSameLine(line: Line, kind: Kind, step: Step): boolean {
  const last = line.steps.at(-1)
  return line.kind === kind && last?.burn === step.burn && !['decide', 'shuffle', 'spread'].includes(kind)
}

const fresh = <T>(seen: T[], one: T | null | undefined): T[] =>
  one === null || one === undefined || seen.includes(one) ? seen : [...seen, one]

function lineOf(kind: Kind, step: Step): Line {
  return { kind, steps: [step], boxes: fresh([], step.box), players: fresh([], step.player), clauses: [...step.clauses] }
}

function join(line: Line, step: Step): void {
  line.steps.push(step)
  line.boxes = fresh(line.boxes, step.box)
  line.players = fresh(line.players, step.player)
  line.clauses = step.clauses.reduce<string[]>(fresh, line.clauses)
}

export function linesOf(steps: Step[], held: Held = {}): Line[] {
  const lines: Line[] = []
  const coming: Held = { ...held }
  for (const step of steps) {
    const kind = kindOf(step, coming)
    if (step.act === 'draw') coming[step.box ?? 0] = (coming[step.box ?? 0] ?? 0) + 1
    const last = lines.at(-1)
    if (last && isSameLine(last, kind, step)) join(last, step)
    else lines.push(lineOf(kind, step))
  }
  return lines
}

const UNDOING = [
  'round_voided',
  'round_invalidated',
  'incident_reported',
  'round_reconstructed',
  'cards_returned',
  'card_moved',
  'hand_missed',
  'hand_voided',
  'player_voided',
]

/** What an act brings about. A step that is gone without it was not done: a card was corrected, a cutter has left. */
const BRINGS: Partial<Record<Step['act'], string[]>> = {
  cut: ['cut_made'],
  marker: ['marker_placed'],
  load: ['shoe_loaded'],
  offer_bank: ['bank_offered', 'bank_accepted'],
  draw: ['card_dealt', 'card_placed_ahead'],
  burn: ['card_burned', 'burn_skipped'],
  take: ['wager_settled'],
  pay: ['wager_settled'],
  give_back: ['wager_settled', 'match_limited'],
  offer: ['war_offered'],
  end_round: ['round_ended'],
}

/** The steps that were done: of those that are over the ones that have brought about what they should. */
export function passed(before: Step[], now: Step[], events: string[] = []): Step[] {
  const isDone = (step: Step): boolean => BRINGS[step.act]?.some((name) => events.includes(name)) ?? true
  const over = overNow(before, now, events)
  return events.length ? over.filter(isDone) : over
}

/** The steps that are over: those at the head of the old list that the new one begins behind. What undoes a round, or
 * an opening wager taken back, is no step of the procedure. */
function overNow(before: Step[], now: Step[], events: string[]): Step[] {
  if (events.some((name) => UNDOING.includes(name))) return []
  if (before[0]?.act === 'call' && now[0]?.act === 'invite') return []
  const told = now.map((step) => JSON.stringify(step))
  const was = before.map((step) => JSON.stringify(step))
  for (let gone = 0; gone < was.length; gone++) {
    if (was.slice(gone).every((step, at) => told[at] === step)) return before.slice(0, gone)
  }
  // Players choose in any order, and one act offers the choice to all of them.
  if (before[0]?.act === 'decide') return before.filter((_, at) => !told.includes(was[at]!))
  if (was[0] === told[0]) return []
  // What follows could not be known before: only the act at the head was done.
  const offers = before.findIndex((step) => step.act !== 'offer')
  return before.slice(0, Math.max(1, offers < 0 ? before.length : offers))
}

export interface Done {
  step: Step
  kind: Kind
}

/** The steps taken in this round so far, with those just taken; behind the end of a round a new list begins. */
export function doneWith(done: Done[], steps: Step[], held: Held): Done[] {
  const coming: Held = { ...held }
  let all = done
  for (const step of steps) {
    if (all.at(-1)?.step.act === 'end_round') all = []
    all = [...all, { step, kind: kindOf(step, coming) }]
    if (step.act === 'draw') coming[step.box ?? 0] = (coming[step.box ?? 0] ?? 0) + 1
  }
  return all
}

/** The line at the head together with what of it is already done, where the last line that was done is the same. */
export function inProgress(past: Line[], coming: Line[]): { past: Line[]; before: Line | null } {
  const [last, head] = [past.at(-1), coming[0]]
  const first = head?.steps[0]
  if (!last || !head || !first || !isSameLine(last, head.kind, first)) return { past, before: null }
  return { past: past.slice(0, -1), before: last }
}

export function doneLines(done: Done[]): Line[] {
  const lines: Line[] = []
  for (const { step, kind } of done) {
    const last = lines.at(-1)
    if (last && isSameLine(last, kind, step)) join(last, step)
    else lines.push(lineOf(kind, step))
  }
  return lines
}
