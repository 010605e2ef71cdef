// What is to be played, as the address of the page has it and as the server takes it.

import type { NightsWanted } from '../../lib/wire'

export type Asked = Required<NightsWanted>
export const COUNTS = [1_000, 100_000, 1_000_000] as const
export const DECKS = 'shoe.decks'
const SEED = /^[0-9a-f]{4}-?[0-9a-f]{4}$/

/** Eight hexadecimal signs in two groups, however they were typed; null where it is no seed. */
export function parseSeed(text: string): string | null {
  const plain = text.trim().toLowerCase()
  if (!SEED.test(plain)) return null
  const signs = plain.replace('-', '')
  return `${signs.slice(0, 4)}-${signs.slice(4)}`
}

export function freshSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4))
  return parseSeed(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''))!
}

function count(text: string | null, usual: number): number {
  const found = Number(text ?? NaN)
  return Number.isInteger(found) && found > 0 ? found : usual
}

/** What an address asks for; where it says nothing, or what cannot be, the usual night. */
export function parseAsked(search: string, unit: number): Asked & { plays: boolean } {
  const query = new URLSearchParams(search)
  const nights = count(query.get('nights'), 1_000)
  return {
    rulebook: query.get('rulebook') || 'nz',
    set: query.getAll('set').filter((one) => one.includes('=')),
    strategy: query.get('strategy') === 'surrender' ? 'surrender' : 'war',
    rounds: count(query.get('rounds'), 200),
    wager: count(query.get('wager'), 25 * unit),
    bankroll: count(query.get('bankroll'), 1_000 * unit),
    nights: Math.min(nights, 1_000_000),
    seed: parseSeed(query.get('seed') ?? '') ?? freshSeed(),
    plays: query.get('play') === '1',
  }
}

function query(asked: Partial<Asked>): URLSearchParams {
  const found = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) {
    for (const one of Array.isArray(value) ? value : [value]) found.append(name, String(one))
  }
  return found
}

/** The page's own address; with `plays` it begins to play at once. */
export function pagePath(asked: Partial<Asked>, plays = false): string {
  const found = query(asked)
  if (plays) found.set('play', '1')
  return `/nights?${found}`.replaceAll('%3D', '=').replaceAll('%3A', ':')
}

export function exactPath(asked: Asked): string {
  const { rulebook, set, strategy, rounds, wager, bankroll } = asked
  return `/api/odds/night?${query({ rulebook, set, strategy, rounds, wager, bankroll })}`
}

/** A value of the settings, and the settings with another one. */
export function settingOf(set: readonly string[], key: string): string | null {
  return set.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1) ?? null
}

export function withSetting(set: readonly string[], key: string, value: string | null): string[] {
  const others = set.filter((one) => !one.startsWith(`${key}=`))
  return value === null ? others : [...others, `${key}=${value}`]
}
