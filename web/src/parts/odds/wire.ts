// What the server tells about odds. Figures are exact there; here they are only shown.

export interface Exact {
  fraction: string
  decimal: number
}

export interface Figures {
  house_edge: Exact
  hit_frequency: Exact
}

export interface WagerFigures extends Figures {
  offered: boolean
  given?: string
  distribution: { net: string; probability: Exact }[]
  /** By what is done at a tie; of some wagers only part of the figures. */
  by_decision?: Record<string, Partial<Figures>>
}

export interface Choice {
  value: string
  says: string
}

export interface RuleLeaf {
  key: string
  says: string
  value: string
  book: string
  choices: Choice[]
  typed: 'odds' | 'count' | null
  clauses: string[]
  is_changed: boolean
}

export interface OddsTold {
  rulebook: string
  title: string
  /** Whose edge it is. */
  banked_by: 'house' | 'player'
  decks: number
  labels: Record<string, string>
  wagers: Record<string, WagerFigures>
  leaves: RuleLeaf[]
  by_decks?: { decks: number; house_edge: Exact }[]
  difference?: Record<string, Record<string, Exact>>
}

export interface Chance {
  decimal: number
}

/** Amounts are minor units. */
export interface SessionTold {
  rounds: number
  points: [number, number][]
  quantiles: Record<string, number>
  expected_amount?: number
  ahead: Chance
  even: Chance
  behind: Chance
  hour: { rounds: number; expected_loss: Exact } | null
  ruin: { ever: Exact; within: Chance | null } | null
}

export interface SessionAsked {
  kind: string
  strategy: string
  rounds: number
  stake: number
  bankroll: number
}

export type Changes = readonly (readonly [key: string, value: string])[]

function query(book: string, changes: Changes): URLSearchParams {
  const found = new URLSearchParams({ rulebook: book })
  for (const [key, value] of changes) found.append('set', `${key}=${value}`)
  return found
}

export function oddsPath(book: string, changes: Changes): string {
  return `/api/odds?${query(book, changes)}`
}

export function parPath(book: string, changes: Changes, format: string): string {
  const asked = query(book, changes)
  asked.set('format', format)
  return `/api/par?${asked}`
}

export function sessionPath(book: string, changes: Changes, asked: SessionAsked): string {
  const found = query(book, changes)
  found.set('rounds', String(asked.rounds))
  found.set('bankroll', String(asked.bankroll))
  found.set('wager', String(asked.stake))
  found.set('kind', asked.kind)
  found.set('strategy', asked.strategy)
  return `/api/odds/session?${found}`
}

const LONGEST_ADDRESS = 190

/** The page's own address, so that a study can be sent to somebody; without the changes where they are too many. */
export function pagePath(book: string, changes: Changes): string {
  const written = changes.map(([key, value]) => `/${encodeURIComponent(`${key}=${value}`)}`).join('')
  const rest = `${encodeURIComponent(book)}${written}`.replaceAll('%3D', '=').replaceAll('%3A', ':')
  return `/odds/${rest.length > LONGEST_ADDRESS ? encodeURIComponent(book) : rest}`
}

export function parsePageParts(parts: readonly string[]): { book: string | null; changes: [string, string][] } {
  const changes = parts.slice(1).flatMap((one): [string, string][] => {
    const at = one.indexOf('=')
    return at > 0 ? [[one.slice(0, at), one.slice(at + 1)]] : []
  })
  return { book: parts[0] ?? null, changes }
}

/** What can be done at a tie that moves the edge of this wager; nothing where it does not hang on it. */
export function waysOf(wager: WagerFigures | undefined): string[] {
  return Object.entries(wager?.by_decision ?? {}).flatMap(([way, figures]) => (figures.house_edge ? [way] : []))
}

/** The figures of a wager when ties are played this way. */
export function figuresOf(wager: WagerFigures | undefined, way: string): Figures | null {
  if (!wager) return null
  const { house_edge, hit_frequency } = wager.by_decision?.[way] ?? {}
  return house_edge && hit_frequency ? { house_edge, hit_frequency } : wager
}
