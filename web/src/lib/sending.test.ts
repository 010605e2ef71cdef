import { afterEach, expect, test, vi } from 'vitest'
import { Sending } from './sending.svelte'

afterEach(() => vi.unstubAllGlobals())

/** A server that answers with these statuses in turn; null is an answer that is lost. */
function served(...statuses: (number | null)[]): { ids: string[] } {
  const ids: string[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    ids.push(JSON.parse(body).id)
    const status = statuses.shift()
    if (status === null) throw new TypeError('lost')
    return new Response('{}', { status: status!, headers: { 'Content-Type': 'application/json' } })
  })
  return { ids }
}

async function sent(forms: object[]): Promise<void> {
  const sending = new Sending()
  for (const form of forms) await sending.post('/fund', form).catch(() => undefined)
}

test('a form whose answer was lost is sent again under its id, until it is answered', async () => {
  const { ids } = served(null, 503, 200, 200)
  await sent([{ amount: 1 }, { amount: 1 }, { amount: 1 }, { amount: 1 }])
  expect([ids[1], ids[2]]).toEqual([ids[0], ids[0]])
  expect(ids[3]).not.toBe(ids[0])
})

test('a form that was refused or changed has another id', async () => {
  const { ids } = served(409, null, 200)
  await sent([{ amount: 1 }, { amount: 1 }, { amount: 2 }])
  expect(new Set(ids).size).toBe(3)
})

test('it is busy until the answer is there', async () => {
  served(200)
  const sending = new Sending()
  const answer = sending.post('/fund', {})
  expect(sending.isBusy).toBe(true)
  await answer
  expect(sending.isBusy).toBe(false)
})
