import { describe, expect, it, vi } from 'vitest'
import { Connection, Live } from './live.svelte'

const view = (version: number, more: { view?: object } = {}) =>
  ({ version, table: 'nz', seal: { shoe: null, root: null, cards: null }, seats: [], ...more, view: { phase: 'betting', round: 1, shoe_left: 0, dealer: [], boxes: [], ...more.view } }) as never
const frame = (version: number, more: object = {}) => ({ table: 'nz', version, events: [], proofs: [], view: { version, ...more } }) as never

describe('a live table', () => {
  it('takes the parts of a view that have changed and keeps the rest', () => {
    const live = new Live(null as never, 'nz', 'player', false)
    live.snapshot(view(3))
    live.happened(frame(4, { view: { phase: 'dealing' } }))
    expect(live.view).toMatchObject({ version: 4, table: 'nz', view: { phase: 'dealing', round: 1 } })
  })
  it('takes nothing older than what it has, and nothing before a snapshot', () => {
    const live = new Live(null as never, 'nz', 'player', false)
    live.happened(frame(4))
    expect(live.view).toBeNull()
    live.snapshot(view(5, { view: { phase: 'deciding' } }))
    live.happened(frame(4, { view: { phase: 'betting' } }))
    expect(live.view).toMatchObject({ version: 5, view: { phase: 'deciding' } })
  })
  it('tells its listeners the events, until they are let go', () => {
    const live = new Live(null as never, 'nz', 'player', false)
    live.snapshot(view(1))
    const heard = vi.fn()
    const stop = live.onEvents(heard)
    live.happened({ ...(frame(2) as object), events: [{ name: 'card_dealt', version: 2, at: 0 }] } as never)
    stop()
    live.happened(frame(3))
    expect(heard).toHaveBeenCalledTimes(1)
  })
  it('says which version a command was made for', () => {
    const sent: string[] = []
    const connection = { send: (_: string, text: string) => (sent.push(text), Promise.resolve()) }
    const live = new Live(connection as never, 'nz', 'player', false)
    live.snapshot(view(7))
    void live.do({ do: 'ready' })
    expect(JSON.parse(sent[0]!)).toMatchObject({ type: 'command', table: 'nz', expected: 7, command: { do: 'ready' }, as: 'player' })
  })
})

/** A server's side of a socket. */
class FakeSocket {
  static all: FakeSocket[] = []
  sent: { type: string; id?: string }[] = []
  onopen = (): void => {}
  onclose = (): void => {}
  onmessage = (_: { data: string }): void => {}
  constructor() {
    FakeSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(): void {}
}

describe('the connection', () => {
  it.each([['draining', 2], ['slow_reader', 2], ['logged_out', 1]])('after a goodbye with %s has opened %i sockets, and sends what waits again under its id', async (code, count) => {
    vi.useFakeTimers()
    FakeSocket.all = []
    vi.stubGlobal('WebSocket', FakeSocket)
    vi.stubGlobal('location', { protocol: 'http:', host: 'x' })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"ticket":"t"}', { headers: { 'content-type': 'application/json' } })))
    const connection = new Connection()
    const live = connection.watch('nz')
    await vi.advanceTimersByTimeAsync(10)
    FakeSocket.all[0]!.onopen()
    void live.do({ do: 'ready' })
    FakeSocket.all[0]!.onmessage({ data: JSON.stringify({ type: 'goodbye', code, says: 'so long' }) })
    FakeSocket.all[0]!.onclose()
    expect(connection.state).toBe('lost')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(FakeSocket.all.length).toBe(count)
    if (count === 2) {
      FakeSocket.all[1]!.onopen()
      const [first, second] = FakeSocket.all.map((one) => one.sent.find((sent) => sent.type === 'command'))
      expect(second).toEqual(first)
      expect(FakeSocket.all[1]!.sent[0]).toMatchObject({ type: 'watch', table: 'nz' })
      expect(connection.ended).toBeNull()
    } else expect(connection.ended).toBe('so long')
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})

describe('a session that is no more', () => {
  it('ends the attempts, is told, and leaves nothing for the next session', async () => {
    vi.useFakeTimers()
    const asked = vi.fn(() => Promise.resolve(new Response('{"code":"not_logged_in","says":"begin"}', { status: 401, headers: { 'content-type': 'application/json' } })))
    vi.stubGlobal('fetch', asked)
    const connection = new Connection()
    const answer = connection.watch('nz').do({ do: 'ready' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([connection.state, connection.isSessionGone]).toEqual(['lost', true])
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2)
    connection.close()
    expect((await answer).type).toBe('refused')
    expect([connection.state, connection.isSessionGone, connection.ended]).toEqual(['off', false, null])
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})
