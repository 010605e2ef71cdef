// Lines and names of the console in words, out of the catalogue.

import { money } from '../../lib/money'
import type { Step, View } from '../../lib/wire'
import { dealer as t } from '../../texts/en_dealer'
import { labelOf } from '../table/words'
import type { Line } from './lines'

export function lineText(line: Line, view?: View): string {
  const whose = view?.is_player_banked ? t.bankHand.toLowerCase() : t.dealerHand.toLowerCase()
  return t.lines[line.kind]?.({ ...line, whose }) ?? line.kind.replaceAll('_', ' ')
}

/** What the book of a table calls each role. */
export type RoleNames = Record<string, string>

/** Who rules, by the role that they have. */
const ARBITERS: RoleNames = { pit_boss: 'supervisor', licensee: 'operator' }

/** Whom a step waits for: a role as the book calls it, a player by name, or what must come about. */
export function waiterText(who: string, roles: RoleNames = {}): string {
  const name = roles[ARBITERS[who] ?? who]
  return t.procedure.waits(name ? t.theRole(name) : (t.waiters[who] ?? who.replaceAll('_', ' ')))
}

/** A signature as a person reads it: "Table Inspector sue". */
export function signatureText(by: string, roles: RoleNames = {}): string {
  const [role = '', person = ''] = by.split(':')
  return `${named(roles, role)} ${person}`
}

/** What a name of the server is called here; one that is new is shown as it comes. */
export function named(names: Record<string, string>, name: string): string {
  return names[name] ?? name.replaceAll('_', ' ')
}

/** A line that is half done is named whole. */
export function wholeText(before: Line | null, line: Line, view?: View): string {
  if (!before) return lineText(line, view)
  const boxes = [...new Set([...before.boxes, ...line.boxes])]
  return lineText({ ...line, steps: [...before.steps, ...line.steps], boxes }, view)
}

/** Where the line at the head stands: what is done of it and what the very next act is. */
export function nowText(view: View, line: Line, before: Line | null = null): string {
  const step = line.steps[0] as Step
  const wager = step.wager === null ? '' : labelOf(view.layout, step.wager)
  switch (step.act) {
    case 'take':
      return t.now.take(money(step.amount), wager, step.box ?? 0)
    case 'pay':
      return [t.now.pay(money(step.amount), wager, step.box ?? 0), step.kept ? t.now.keep(money(step.kept)) : '']
        .filter(Boolean)
        .join(', ')
    case 'give_back':
      return t.now.give_back(money(step.returned), wager, step.box ?? 0)
    case 'burn':
      return [line.steps.length > 1 ? t.now.burn(line.steps.length) : '', named(t.burns, step.burn ?? '')]
        .filter(Boolean)
        .join(', ')
    case 'draw':
      return step.box ? [doneText(line, before), t.now.box(step.box)].filter(Boolean).join(', ') : ''
    default:
      return ''
  }
}

/** A hand whose card was taken away again is due one, and not done. */
function doneText(line: Line, before: Line | null): string {
  const done = before?.boxes.filter((box) => !line.boxes.includes(box)) ?? []
  return done.length ? t.now.done(done) : ''
}
