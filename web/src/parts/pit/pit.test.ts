import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connection } from '../../lib/live.svelte'
import { Pit } from './pit.svelte'

let looks: number[] = []
let changed: () => void = () => undefined

beforeEach(() => {
  vi.useFakeTimers()
  looks = []
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('fetch', async () => {
    looks.push(performance.now())
    return new Response('{"tables":[]}', { headers: { 'content-type': 'application/json' } })
  })
  vi.spyOn(connection, 'watchFloor').mockImplementation((told) => {
    changed = told
    return () => undefined
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function changes(count: number, everyMs: number): Promise<void> {
  for (let change = 0; change < count; change++) {
    changed()
    await vi.advanceTimersByTimeAsync(everyMs)
  }
}

test('what comes to wait for the floor is looked at at once', async () => {
  const pit = new Pit()
  pit.begin()
  await vi.advanceTimersByTimeAsync(1_000)
  await changes(1, 1)
  expect(looks).toHaveLength(2)
  pit.stop()
})

test('somebody who flaps does not hurry the pit: half a second lies between two looks, and the last change is seen', async () => {
  const pit = new Pit()
  pit.begin()
  await changes(500, 10)
  const gaps = looks.slice(1).map((at, before) => at - looks[before]!)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500)
  expect(looks.length).toBeGreaterThanOrEqual(9)
  const last = performance.now() - 10
  await vi.advanceTimersByTimeAsync(600)
  expect(looks.at(-1)).toBeGreaterThanOrEqual(last)
  pit.stop()
})

test('when nothing changes the pit is looked at every three seconds, and not after the end', async () => {
  const pit = new Pit()
  pit.begin()
  await vi.advanceTimersByTimeAsync(6_100)
  expect(looks).toHaveLength(3)
  pit.stop()
  await changes(3, 1_000)
  expect(looks).toHaveLength(3)
})
