// The rulebooks as the server gives them: each rule a value with its clauses. They do not change while it runs.

import { ApiError, get } from '../../lib/api'
import type { Book, BookLeaf } from '../../lib/wire'
import { ruleValues, rules as t, stakeValues } from '../../texts/en_rules'

export interface Group {
  name: string
  leaves: BookLeaf[]
}

let asked: Promise<Book[]> | null = null

export function loadBooks(): Promise<Book[]> {
  asked ??= get<{ id: string }[]>('/api/rulebooks')
    .then((lines) => Promise.all(lines.map((line) => get<Book>(`/api/rulebooks/${encodeURIComponent(line.id)}`))))
    .catch((error: unknown) => {
      asked = null
      throw error
    })
  return asked
}

/** How an edition is named in addresses: `ca@1`. */
export const editionName = (id: string, edition: number): string => `${id}@${edition}`

/** The book at an address, out of the current ones; an earlier edition is asked for. Null where there is none. */
export async function bookAt(name: string, books: Book[]): Promise<Book | null> {
  const there = name ? books.find((one) => name === one.id || name === editionName(one.id, one.edition)) : books[0]
  if (there || !name.includes('@')) return there ?? null
  try {
    return await get<Book>(`/api/rulebooks/${encodeURIComponent(name)}`)
  } catch (error: unknown) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** What a book calls each role of staff. */
export type Roles = Record<string, string>

export function rolesOf(leaves: BookLeaf[]): Roles {
  const named = leaves.filter((leaf) => leaf.key.startsWith('roles.'))
  return Object.fromEntries(named.map((leaf) => [leaf.key.slice('roles.'.length), String(leaf.value)]))
}

/** A value of a rule in words: "1 to 1", "Yes", "when the table is empty, after notice". What has none stays as it is. */
export function valueWords(key: string, value: unknown, roles: Roles = {}): string {
  if (value === true) return t.yes
  if (value === false) return t.no
  if (value === null || value === '') return t.nothing
  if (Array.isArray(value)) return value.length ? listed(value.map((one) => valueWords(key, one, roles))) : t.nothing
  if (typeof value === 'object') {
    return Object.entries(value as object).map(([name, one]) => `${name} ${valueWords(key, one, roles)}`).join(', ')
  }
  const text = String(value)
  const known = ruleValues[key]?.[text] ?? (key.startsWith('payout.') ? stakeValues[text] : undefined)
  if (known !== undefined) return known.replace(/{(\w+)}/, (_, role: string) => roles[role] ?? role)
  if (key.startsWith('authority.')) return roles[text] ?? text
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (/^\d+:\d+$/.test(text)) return t.odds(text)
  return text.replaceAll('_', ' ')
}

/** What the house may set in place of it, in the same words. */
export function allowedWords({ key, value, allowed }: BookLeaf, roles: Roles = {}): string {
  if (typeof value === 'boolean') return t.yesOrNo
  return listed((allowed ?? '').split(', ').map((one) => valueWords(key, one, roles)))
}

function listed(words: string[]): string {
  return words.join(words.some((one) => one.includes(',')) ? '; ' : ', ')
}

/** Whether every word that is looked for is in the rule, its value, its clauses or what these say. */
export function isFound(leaf: BookLeaf, book: Book, looked: string): boolean {
  const words = looked.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return true
  const says = leaf.clauses.map((id) => book.clauses[id] ?? '')
  const group = groupName(leaf.key)
  const text = [leaf.key, group, leaf.about, String(leaf.value), valueWords(leaf.key, leaf.value, rolesOf(book.leaves))]
    .concat(leaf.clauses, says)
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

function groupName(key: string): string {
  const id = key.split('.')[0] ?? key
  return t.groups[id] ?? id.charAt(0).toUpperCase() + id.slice(1)
}

export function grouped(leaves: BookLeaf[]): Group[] {
  const groups = new Map<string, BookLeaf[]>()
  for (const leaf of leaves) {
    const name = groupName(leaf.key)
    groups.set(name, [...(groups.get(name) ?? []), leaf])
  }
  return Array.from(groups, ([name, inside]) => ({ name, leaves: inside }))
}
