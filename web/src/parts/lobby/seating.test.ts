import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '../../lib/session.svelte'
import { openPrivate } from './seating'

const json = (body: object, status = 200): Response => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const looked = { seats: [], view: { boxes: [{ box: 1 }, { box: 2 }, { box: 3 }] } }
let ids: string[] = []
/** What the server says to each request in turn. */
let answers: (() => Response)[] = []
const lost = (): Response => {
  throw new TypeError('gone')
}
const opened = (): Response => json({ table: 'private-1' })

beforeEach(() => {
  ids = []
  session.me = { player: 'ana' } as never
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    if (body) ids.push((JSON.parse(String(body)) as { id: string }).id)
    return answers.shift()!()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a private table whose answer was lost is asked for under the same id, and the next under another', async () => {
  answers = [lost, opened, lost, opened, () => json(looked), opened, () => json(looked)]
  await expect(openPrivate('nz', 4)).rejects.toThrow()
  await expect(openPrivate('nz', 4)).rejects.toThrow()
  expect(await openPrivate('nz', 4)).toBe('/table/private-1/2')
  await openPrivate('nz', 4)
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 0, 3])
})

test('another choice, and a table that is there no more, are asked for under a new id', async () => {
  answers = [lost, lost, opened, () => json({ code: 'no_such_table', says: 'none' }, 404), lost]
  for (const bots of [4, 5, 5, 5]) await expect(openPrivate('nz', bots)).rejects.toThrow()
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 1, 1, 3])
})
