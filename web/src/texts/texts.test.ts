// No text is kept that nothing shows.

import { expect, test } from 'vitest'

const sources = import.meta.glob<string>(['../**/*.{ts,svelte}', '!../**/*.test.ts'], { query: '?raw', import: 'default', eager: true })
const catalogues = import.meta.glob<Record<string, object>>('./en*.ts', { eager: true })

/** "a.b" of each text; a list is one text. */
function paths(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && !Array.isArray(value) ? paths(value as object, `${before}${key}.`) : [`${before}${key}`],
  )
}

/** What is read of a catalogue, by whatever name a file has it: "a.b" of `t.a.b(n)`, "a" of `t.a[name]`. */
function readOf(catalogue: string, source: string): string[] {
  const alias = new RegExp(`import \\{[^}]*\\b${catalogue}(?: as (\\w+))?\\b[^}]*\\} from '[./]*texts`).exec(source)
  const isOwn = source.includes(`export const ${catalogue} =`)
  if (!alias && !isOwn) return []
  const name = alias?.[1] ?? catalogue
  return [...source.matchAll(new RegExp(`(?<![\\w.'])${name}((?:\\??\\.\\w+)+)`, 'g'))].map((found) => found[1]!.replaceAll('?', '').slice(1))
}

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}.`)

/** Words by the names of rules and of their values, which the server gives. */
const TABLES = ['ruleValues', 'stakeValues']
const named = Object.values(catalogues).flatMap((module) => Object.entries(module)).filter(([name]) => !TABLES.includes(name))

test.each(named)('every text of %s is shown somewhere', (name, texts) => {
  // The page's own texts are read by the name that the index gives them.
  const read = Object.values(sources).flatMap((source) => readOf(name === 'en' ? 't' : name, source))
  const unused = paths(texts).filter((path) => !read.some((one) => isWithin(path, one) || isWithin(one, path)))
  expect(unused).toEqual([])
})
