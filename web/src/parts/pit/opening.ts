// The form of a new table: what was typed, what is wrong with it field by field, and the settings that it comes to.

import { money, parseMoney } from '../../lib/money'
import { isTableName } from '../../lib/names'
import type { TableSettings } from '../../lib/wire'
import { pit as t } from '../../texts/en_pit'
import { isReason } from '../dealer/acts'

export interface Typed {
  name: string
  title: string
  rulebook: string
  dealer: string
  minimum: string
  maximum: string
  unit: string
  decks: string
  isProgressive: boolean
  meter: string
  bots: string
  strategy: string
  reason: string
}

export type Field = 'name' | 'title' | 'minimum' | 'maximum' | 'unit' | 'decks' | 'meter' | 'bots'
export type Faults = Partial<Record<Field, string>>

/** What a book lets one choose when its table is opened. */
export interface Choices {
  decks: { value: string; listed: string[]; least: number | null }
  canHaveProgressive: boolean
}

interface Leaf {
  key: string
  says: string
  allowed: string | null
}

export const DECKS = 'shoe.decks'
export const PROGRESSIVE = 'wager.progressive'

export function choicesOf(leaves: readonly Leaf[]): Choices {
  const of = (key: string): Leaf | undefined => leaves.find((leaf) => leaf.key === key)
  const decks = of(DECKS)
  const least = /^(\d+) or more$/.exec(decks?.allowed ?? '')
  const listed = least ? [] : (decks?.allowed ?? decks?.says ?? '').split(', ')
  return {
    decks: { value: decks?.says ?? '', listed, least: least ? Number(least[1]) : null },
    canHaveProgressive: Boolean(of(PROGRESSIVE)?.allowed),
  }
}

/** An empty form, or one that tells a table as it was opened before. */
export function typedOf(was: TableSettings | null): Typed {
  const bots = was?.bots ?? []
  return {
    name: was?.name ?? '',
    title: was?.title ?? '',
    rulebook: was?.rulebook ?? '',
    dealer: was?.dealer ?? 'automatic',
    minimum: was ? money(was.limit.minimum) : '5',
    maximum: was ? (was.limit.maximum === null ? '' : money(was.limit.maximum)) : '500',
    unit: was ? money(was.limit.unit) : '5',
    decks: String(was?.options[DECKS] ?? ''),
    isProgressive: was?.options[PROGRESSIVE] === true,
    meter: was?.meter == null ? '' : money(was.meter),
    bots: String(bots.length),
    strategy: bots[0]?.strategy ?? 'war',
    reason: '',
  }
}

/** What cannot be sent, at its field. The rest is for the server to judge, which knows the book. */
export function faultsOf(typed: Typed, choices: Choices, open: readonly string[]): Faults {
  const found: Faults = {}
  const [minimum, maximum, unit] = [typed.minimum, typed.maximum, typed.unit].map((text) => parseMoney(text))
  if (typed.name && !isTableName(typed.name)) found.name = t.opening.wrongName
  else if (open.some((name) => name.toLowerCase() === typed.name.toLowerCase())) found.name = t.opening.nameTaken
  if (minimum == null) found.minimum = t.opening.wrongAmount
  if (!unit) found.unit = t.opening.wrongUnit
  if (typed.maximum.trim()) {
    if (maximum == null) found.maximum = t.opening.wrongMaximum
    else if (minimum != null && maximum < minimum) found.maximum = t.opening.below(money(minimum))
  }
  const { least } = choices.decks
  if (least !== null && typed.decks && !(/^\d{1,2}$/.test(typed.decks) && Number(typed.decks) >= least)) found.decks = t.opening.decksLeast(least)
  if (typed.isProgressive && typed.meter.trim() && parseMoney(typed.meter) === null) found.meter = t.opening.wrongAmount
  return found
}

export function canOpen(typed: Typed, faults: Faults): boolean {
  return typed.name !== '' && typed.rulebook !== '' && Object.keys(faults).length === 0 && isReason(typed.reason)
}

/** Of a table that was open before, what the form does not ask for stays as it was. */
export function settingsOf(typed: Typed, choices: Choices, was: TableSettings | null): object {
  const isSame = was?.rulebook === typed.rulebook
  const { name, title, rulebook, dealer } = typed
  const options: Record<string, unknown> = isSame ? { ...was.options } : {}
  delete options[DECKS]
  delete options[PROGRESSIVE]
  const hasProgressive = choices.canHaveProgressive && typed.isProgressive
  if (typed.decks && typed.decks !== choices.decks.value) options[DECKS] = Number(typed.decks)
  if (hasProgressive) options[PROGRESSIVE] = true
  const isAsBefore = isSame && was.bots.length === Number(typed.bots) && was.bots.every((bot) => bot.strategy === typed.strategy)
  return {
    name,
    title,
    rulebook,
    dealer,
    options,
    limit: {
      minimum: parseMoney(typed.minimum),
      maximum: typed.maximum.trim() ? parseMoney(typed.maximum) : null,
      unit: parseMoney(typed.unit),
    },
    bots: isAsBefore ? was.bots : Array.from({ length: Number(typed.bots) || 0 }, () => ({ strategy: typed.strategy })),
    ...(hasProgressive && typed.meter.trim() ? { meter: parseMoney(typed.meter) } : {}),
    ...(was ? { timers: was.timers, ...(isSame ? { limits: was.limits } : {}), ...(was.dealer === dealer ? { timeout: was.timeout } : {}) } : {}),
  }
}

/** The field that a refusal of the server is about: it begins with what the field is called. */
export function fieldOf(says: string): Field | null {
  const found = Object.entries(t.opening.fields).find(([, label]) => says.startsWith(`${label}: `))
  return found ? (found[0] as Field) : null
}
