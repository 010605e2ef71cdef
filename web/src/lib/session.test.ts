import { afterEach, expect, test, vi } from 'vitest'
import { connection } from './live.svelte'
import { beSomebody, session } from './session.svelte'

afterEach(() => {
  connection.close()
  session.me = null
  vi.unstubAllGlobals()
})

test('whoever becomes somebody anew is not told any more that the session before has ended', async () => {
  const json = (status: number, body: object): Response => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  vi.stubGlobal('fetch', async (path: string) => (path === '/api/socket-ticket' ? json(401, { says: 'begin' }) : json(200, { me: { player: 'ana' } })))
  connection.watch('nz')
  await vi.waitUntil(() => connection.state === 'lost')
  expect(connection.isSessionGone).toBe(true)
  expect((await beSomebody()).player).toBe('ana')
  expect([connection.state, connection.isSessionGone]).toEqual(['off', false])
})
