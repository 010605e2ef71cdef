// The forms of what staff can ask for: each command with its fields, as the wire has them. Whether the table takes it
// now is for the server to say, which previews it.

import type { Command } from '../../lib/live.svelte'
import { parseMoney } from '../../lib/money'
import { CAUSES, DELIVERIES, LEAST_REASON, MOST_REASON, STAFF_ACTS, STRATEGIES, type LiveView, type Step } from '../../lib/wire'
import { parseCard } from './card_entry'

export type FieldKind =
  | 'box'
  | 'boxes'
  | 'player'
  | 'players'
  | 'text'
  | 'card'
  | 'cards'
  | 'amount'
  | 'number'
  | 'wager'
  | 'choice'
  | 'yes'
  | 'moves'

export interface Field {
  name: string
  kind: FieldKind
  choices?: readonly string[]
  isOptional?: boolean
  /** What stands in the field before anybody has written there. */
  at?: Value
}

export interface Act {
  do: string
  fields: readonly Field[]
  /** Fixed parts of the command. */
  with?: Record<string, unknown>
  /** The command has a reason of its own besides that of whoever acts. */
  hasReason?: boolean
  /** The dealer's own procedure: no reason is asked for. */
  isPlain?: boolean
  /** The server tries it nowhere: it would move the shoe or the store itself. */
  isBlind?: boolean
}

export type Value = string | number | boolean | string[] | number[] | null
export type Values = Record<string, Value>

const box: Field = { name: 'box', kind: 'box' }
const player: Field = { name: 'player', kind: 'player' }
const face: Field = { name: 'card', kind: 'card', isOptional: true }
const limits: Field[] = [
  { name: 'minimum', kind: 'amount' },
  { name: 'maximum', kind: 'amount', isOptional: true },
  { name: 'unit', kind: 'amount' },
]

export const REPORTS: Act[] = [
  { do: 'report_misdelivered', fields: [box, { name: 'action', kind: 'choice', choices: DELIVERIES }] },
  { do: 'report_missed_hand', fields: [box] },
  {
    do: 'report_extra_draw',
    fields: [
      { name: 'exposed', kind: 'yes', at: false },
      face,
      { name: 'action', kind: 'choice', choices: DELIVERIES, isOptional: true },
    ],
  },
  { do: 'report_face_up_card', fields: [face] },
  {
    do: 'report_missed_offer',
    fields: [
      player,
      box,
      { name: 'cards', kind: 'number', at: 0 },
      { name: 'faces', kind: 'cards', isOptional: true },
    ],
  },
  { do: 'report_forgotten_burn', fields: [] },
  { do: 'report_damaged_card', fields: [face] },
  { do: 'report_wager', fields: [player, box, { name: 'wager', kind: 'wager' }, { name: 'amount', kind: 'amount' }] },
  { do: 'report_missing_cut_card', fields: [] },
  { do: 'report_missed_shuffle', fields: [] },
  { do: 'report_exposed_before_shoe', fields: [] },
  { do: 'report_contravention', fields: [player], hasReason: true },
]

export const DEALERS: Act[] = [
  {
    do: 'place_wager',
    fields: [player, box, { name: 'wager', kind: 'wager' }, { name: 'amount', kind: 'amount' }],
    with: { called: true },
  },
  { do: 'no_more_bets', fields: [], isPlain: true },
  { do: 'show_cut_card', fields: [], isPlain: true },
  { do: 'cut', fields: [{ ...player, isOptional: true }, { name: 'position', kind: 'number' }], isBlind: true },
  { do: 'decline_cut', fields: [player], isBlind: true },
  { do: 'offer_cut', fields: [player], isPlain: true },
  { do: 'confirm_war_wager', fields: [player, box], isPlain: true },
  { do: 'offer_bank', fields: [player], isPlain: true },
  { do: 'rotate_bank', fields: [], isPlain: true },
  { do: 'change_dealer', fields: [{ name: 'dealer', kind: 'text' }] },
  { do: 'idle_spread', fields: [] },
]

// What is asked for most comes first.
const actions = ['stand', 'reconstruct', 'void_hand', 'void_round', 'reshuffle', 'shuffle_discards'] as const

export const RULINGS: Act[] = [
  {
    do: 'rule',
    fields: [
      { name: 'action', kind: 'choice', choices: actions },
      { ...box, isOptional: true },
    ],
    hasReason: true,
  },
  { do: 'reconstruct', fields: [{ name: 'moves', kind: 'moves' }] },
  { do: 'void_hand', fields: [box, { name: 'decided', kind: 'yes', at: false }], hasReason: true },
  { do: 'void_player', fields: [player], hasReason: true },
  { do: 'void_round', fields: [], hasReason: true },
  { do: 'release_players', fields: [{ name: 'players', kind: 'players' }] },
  { do: 'invalidate_round', fields: [{ name: 'cause', kind: 'choice', choices: CAUSES }] },
  { do: 'report_shuffler_fault', fields: [{ name: 'boxes', kind: 'boxes', isOptional: true }] },
  { do: 'surrender', fields: [player, box], hasReason: true },
]

export const LIMITS: Act[] = [
  { do: 'announce_limits', fields: limits },
  {
    do: 'change_limits',
    fields: [
      ...limits,
      { name: 'basis', kind: 'choice', choices: ['notice', 'agreed', 'empty'] },
      { name: 'consents', kind: 'players', isOptional: true },
    ],
  },
  { do: 'direct_box_max', fields: [{ name: 'amount', kind: 'amount' }] },
  { do: 'direct_player_max', fields: [{ name: 'amount', kind: 'amount' }] },
  { do: 'set_bettors_per_area', fields: [{ name: 'bettors', kind: 'number' }] },
  {
    do: 'announce_decks',
    fields: [
      { name: 'decks', kind: 'number' },
      { name: 'perfect_pairs', kind: 'text', isOptional: true },
    ],
  },
]

export const PEOPLE: Act[] = [
  { do: 'grant_multi_box', fields: [player, { name: 'boxes', kind: 'number', at: 2 }] },
  { do: 'revoke_multi_box', fields: [player] },
  { do: 'vacate_seat', fields: [player] },
  { do: 'exclude_player', fields: [player], hasReason: true },
  { do: 'flag_partnership', fields: [{ name: 'players', kind: 'players' }] },
  {
    do: 'seat_bots',
    fields: [
      { name: 'count', kind: 'number', at: 1 },
      { name: 'strategy', kind: 'choice', choices: STRATEGIES, at: 'war' },
    ],
  },
  { do: 'dismiss_bots', fields: [] },
]

export const TABLE: Act[] = [
  { do: 'verify_cards', fields: [] },
  { do: 'cut', fields: [{ name: 'position', kind: 'number' }], isBlind: true },
  { do: 'pause', fields: [] },
  { do: 'resume', fields: [] },
  { do: 'announce_closing', fields: [{ name: 'minutes', kind: 'number', isOptional: true }] },
  { do: 'close_table', fields: [] },
  {
    do: 'supervisor_shuffle',
    fields: [{ name: 'reason', kind: 'choice', choices: ['discretion', 'suspect', 'vacant'] }],
  },
  { do: 'replace_cards', fields: [{ name: 'cards', kind: 'cards', isOptional: true }] },
  { do: 'change_dealer', fields: [{ name: 'dealer', kind: 'text' }] },
  { do: 'clear', fields: [], isBlind: true },
]

const FORMS = [...REPORTS, ...DEALERS, ...RULINGS, ...LIMITS, ...PEOPLE, ...TABLE]
const KINDS: Record<string, FieldKind> = {
  amount: 'amount',
  box: 'box',
  boxes: 'boxes',
  card: 'card',
  cards: 'cards',
  minimum: 'amount',
  maximum: 'amount',
  minutes: 'number',
  player: 'player',
  players: 'players',
  unit: 'amount',
  wager: 'wager',
}

/** A plain form for each act of staff that none of the lists above has, made from the fields of its command. */
export function plainForms(acts: Record<string, Record<string, boolean>>): Act[] {
  const known = new Set(FORMS.map((act) => act.do))
  return Object.entries(acts)
    .filter(([name]) => !known.has(name))
    .map(([name, fields]) => ({
      do: name,
      fields: Object.entries(fields)
        .filter(([field]) => field !== 'reason')
        .map(([field, isOptional]) => ({ name: field, kind: KINDS[field] ?? 'text', isOptional })),
      hasReason: 'reason' in fields,
    }))
}

TABLE.push(...plainForms(STAFF_ACTS))

/** Those that the table's book knows. */
export function inTheBook(acts: Act[], view: LiveView): Act[] {
  return acts.filter((act) => !view.unlisted.includes(act.do))
}

/** Those that make sense as the view has it: what is paused is resumed, what is not stopped need not be cleared. */
export function asThingsStand(acts: Act[], view: LiveView): Act[] {
  const step = view.view.procedure[0]
  const idle: Record<string, boolean> = {
    pause: view.is_paused,
    resume: !view.is_paused,
    clear: view.stopped === null,
    verify_cards: step?.act !== 'verify',
    cut: step?.act !== 'cut' || step.role === null,
  }
  return inTheBook(acts, view).filter((act) => !idle[act.do])
}

/** What the step at the head already says of its own command: who cuts, and where the middle is. */
export function knownOf(step: Step | undefined): Values {
  const { do: act, ...told } = (step?.command ?? {}) as { do?: string } & Values
  return act === 'cut' || act === 'offer_bank' ? told : {}
}

/** The fields as they first stand. */
export function blank(act: Act, known: Values = {}): Values {
  return Object.fromEntries(act.fields.map((field) => [field.name, known[field.name] ?? field.at ?? null]))
}

function isEmpty(value: Value | undefined): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A field's value as the wire has it; undefined where it cannot be read. */
function wired(field: Field, value: Value): unknown {
  const text = String(value)
  switch (field.kind) {
    case 'amount':
      return parseMoney(text) ?? undefined
    case 'number':
    case 'box':
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined
    case 'card':
      return parseCard(text) ?? undefined
    case 'cards': {
      const cards = text.split(/[\s,]+/).filter(Boolean).map(parseCard)
      return cards.includes(null) ? undefined : cards
    }
    case 'moves': {
      const moves = text.split(/[;,]+/).map((move) => /^\s*(\d+)\s*>\s*(-?\d+)\s*$/.exec(move.replace('−', '-')))
      return moves.includes(null) ? undefined : moves.map((move) => ({ from: Number(move![1]), to: Number(move![2]) }))
    }
    default:
      return value
  }
}

export interface Built {
  command: Command | null
  /** Fields that are still to be filled in. */
  missing: string[]
  /** Fields with something in them that cannot be read. */
  unread: string[]
}

export function build(act: Act, values: Values, reason: string): Built {
  const command: Command = { do: act.do, ...act.with }
  const missing: string[] = []
  const unread: string[] = []
  for (const field of act.fields) {
    const value = values[field.name]
    if (isEmpty(value)) {
      if (!field.isOptional) missing.push(field.name)
      continue
    }
    const told = wired(field, value as Value)
    if (told === undefined) unread.push(field.name)
    else command[field.name] = told
  }
  if (act.hasReason) command['reason'] = reason
  return { command: missing.length || unread.length ? null : command, missing, unread }
}

export function isReason(text: string): boolean {
  return text.trim().length >= LEAST_REASON && text.length <= MOST_REASON
}
