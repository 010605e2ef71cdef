import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Connection, Live } from './live.svelte'

const view = (version: number, more: { view?: object } = {}) =>
  ({ version, table: 'nz', seal: { shoe: null, root: null, cards: null }, seats: [], ...more, view: { phase: 'betting', round: 1, shoe_left: 0, dealer: [], boxes: [], ...more.view } }) as never
const frame = (version: number, more: object = {}) => ({ table: 'nz', version, events: [], proofs: [], view: { version, ...more }, own: {} }) as never

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
  isClosed = false
  onopen = (): void => {}
  onclose = (): void => {}
  onmessage = (_: { data: string }): void => {}
  constructor() {
    FakeSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(): void {
    this.isClosed = true
  }
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
    // A socket that is not opened is given up in the end, so one that is expected is not waited for so long.
    await vi.advanceTimersByTimeAsync(count === 2 ? 5_000 : 20_000)
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

describe('the floor', () => {
  it('is watched again after a break, and its listener is told until it is let go', async () => {
    vi.useFakeTimers()
    FakeSocket.all = []
    vi.stubGlobal('WebSocket', FakeSocket)
    vi.stubGlobal('location', { protocol: 'http:', host: 'x' })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"ticket":"t"}', { headers: { 'content-type': 'application/json' } })))
    const connection = new Connection()
    const changed = vi.fn()
    const stop = connection.watchFloor(changed)
    await vi.advanceTimersByTimeAsync(10)
    FakeSocket.all[0]!.onopen()
    FakeSocket.all[0]!.onclose()
    await vi.advanceTimersByTimeAsync(5_000)
    const second = FakeSocket.all[1]!
    second.onopen()
    expect(second.sent).toEqual([{ type: 'watch_floor' }])
    second.onmessage({ data: JSON.stringify({ type: 'floor', table: 'nz' }) })
    stop()
    second.onmessage({ data: JSON.stringify({ type: 'floor', table: 'nz' }) })
    expect(changed).toHaveBeenCalledTimes(1)
    connection.close()
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

describe('an attempt', () => {
  const answer = (status: number, body: object): Response => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  const ticket = (): Response => answer(200, { ticket: 't' })
  const ended = (): Response => answer(401, { code: 'not_logged_in', says: 'begin' })
  /** The requests for a ticket that wait for their answer. */
  let asked: { settle: (answer: Response) => void; fail: () => void; signal: AbortSignal }[] = []
  const tell = (socket: FakeSocket, frame: object): void => socket.onmessage({ data: JSON.stringify(frame) })
  const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(10)

  beforeEach(() => {
    vi.useFakeTimers()
    FakeSocket.all = []
    asked = []
    vi.stubGlobal('WebSocket', FakeSocket)
    vi.stubGlobal('location', { protocol: 'http:', host: 'x' })
    vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => new Promise((settle, fail) => asked.push({ settle, fail: () => fail(new TypeError()), signal })))
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  async function opened(table = 'nz') {
    const connection = new Connection()
    const live = connection.watch(table)
    asked[0]!.settle(ticket())
    await soon()
    FakeSocket.all[0]!.onopen()
    return { connection, live, socket: FakeSocket.all[0]! }
  }

  it('is not made for whoever watches after the session has ended, and that is told', async () => {
    const { connection, socket } = await opened()
    connection.unwatch('nz')
    tell(socket, { type: 'goodbye', code: 'logged_out', says: 'so long' })
    socket.onclose()
    expect(connection.state).toBe('off')
    connection.watch('nz')
    expect([connection.state, connection.isSessionGone]).toEqual(['lost', true])
    connection.close()
    connection.watch('nz')
    asked[1]!.settle(ticket())
    await soon()
    FakeSocket.all[1]!.onopen()
    expect([connection.state, connection.isSessionGone]).toEqual(['on', false])
  })

  it.each([['a ticket', ticket], ['that there is no session', ended]])('of a session that was closed is told %s, and nothing comes of it', async (_, late) => {
    const connection = new Connection()
    connection.watch('nz')
    connection.close()
    connection.watch('wa')
    asked[0]!.settle(late())
    await soon()
    expect([FakeSocket.all.length, connection.ended]).toEqual([0, null])
    asked[1]!.settle(ticket())
    await soon()
    FakeSocket.all[0]!.onopen()
    expect(FakeSocket.all[0]!.sent).toMatchObject([{ type: 'watch', table: 'wa' }])
  })

  it('is one, however much waits for it', async () => {
    const connection = new Connection()
    void connection.watch('nz').do({ do: 'ready' })
    expect(asked).toHaveLength(1)
    asked[0]!.fail()
    await soon()
    expect(vi.getTimerCount()).toBe(1)
    connection.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that is let in to a table no more shows what was seen of it no more', async () => {
    const { live, socket } = await opened()
    tell(socket, { type: 'snapshot', table: 'nz', view: view(3), events: [] })
    tell(socket, { type: 'error', code: 'too_fast', says: 'wait', table: 'nz', id: null })
    tell(socket, { type: 'error', code: 'not_allowed', says: 'for others', table: 'nz', id: 'a command of before' })
    expect([live.view?.version, live.fault]).toEqual([3, null])
    tell(socket, { type: 'error', code: 'not_allowed', says: 'for others', table: 'nz', id: null })
    expect([live.view, live.fault]).toEqual([null, 'for others'])
  })

  const seconds = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 1_000)
  const pings = (socket: FakeSocket): number => socket.sent.filter((sent) => sent.type === 'ping').length
  /** Opened, and the snapshot has come. */
  async function shown() {
    const all = await opened()
    tell(all.socket, { type: 'snapshot', table: 'nz', view: view(3), events: [] })
    return all
  }

  it('follows when a command has no answer for five seconds, and the command is done once', async () => {
    const { connection, live, socket } = await shown()
    await seconds(8)
    const answer = live.do({ do: 'ready' })
    await seconds(3.9)
    expect(connection.state).toBe('on')
    await seconds(1.2)
    expect([connection.state, socket.isClosed]).toEqual(['lost', true])
    const command = socket.sent.find((sent) => sent.type === 'command')!
    tell(socket, { type: 'done', id: command.id, table: 'nz', version: 9 })
    socket.onopen()
    socket.onclose()
    expect(connection.state).toBe('lost')
    await seconds(1)
    asked[1]!.settle(ticket())
    await soon()
    expect(FakeSocket.all).toHaveLength(2)
    FakeSocket.all[1]!.onopen()
    expect(FakeSocket.all[1]!.sent).toEqual([{ type: 'watch', table: 'nz', role: 'player', advice: false, views: 'parts' }, command])
    tell(FakeSocket.all[1]!, { type: 'done', id: command.id, table: 'nz', version: 4 })
    expect(await answer).toMatchObject({ type: 'done', version: 4 })
    await seconds(8)
    expect([connection.state, asked.length]).toEqual(['on', 2])
  })

  it('is not made as long as anything is heard, however late the answer is', async () => {
    const { connection, live, socket } = await shown()
    void live.do({ do: 'ready' })
    for (const version of [4, 5, 6]) {
      await seconds(3)
      tell(socket, { type: 'events', ...(frame(version) as object) })
    }
    expect([connection.state, pings(socket)]).toEqual(['on', 0])
    await seconds(5)
    expect(connection.state).toBe('lost')
  })

  it('follows when the server, asked after ten quiet seconds, says nothing for five', async () => {
    const { connection, socket } = await shown()
    await seconds(8.9)
    expect(pings(socket)).toBe(0)
    await seconds(1.1)
    expect(pings(socket)).toBe(1)
    await seconds(2)
    tell(socket, { type: 'pong' })
    await seconds(8.9)
    expect([connection.state, pings(socket)]).toEqual(['on', 1])
    await seconds(1.1)
    expect([connection.state, pings(socket)]).toEqual(['on', 2])
    await seconds(5)
    expect([connection.state, socket.isClosed, pings(socket)]).toEqual(['lost', true, 2])
  })

  it('is not made after a sleep: the server is asked first', async () => {
    const { connection, live, socket } = await shown()
    await seconds(9)
    vi.setSystemTime(Date.now() + 3_600_000)
    await seconds(1)
    vi.setSystemTime(Date.now() + 3_600_000)
    await seconds(1)
    expect([connection.state, pings(socket)]).toEqual(['on', 1])
    tell(socket, { type: 'pong' })
    void live.do({ do: 'ready' })
    vi.setSystemTime(Date.now() + 3_600_000)
    await seconds(1)
    expect(connection.state).toBe('on')
  })

  it('that stays without an answer is given up for another', async () => {
    const connection = new Connection()
    connection.watch('nz')
    await seconds(9)
    expect(asked[0]!.signal.aborted).toBe(false)
    await seconds(1)
    expect(asked[0]!.signal.aborted).toBe(true)
    asked[0]!.fail()
    await seconds(1)
    asked[1]!.settle(ticket())
    await soon()
    expect(FakeSocket.all).toHaveLength(1)
    await seconds(11)
    expect([FakeSocket.all[0]!.isClosed, connection.state, asked.length]).toEqual([true, 'lost', 3])
    connection.close()
    expect([asked[2]!.signal.aborted, vi.getTimerCount()]).toEqual([true, 0])
  })

  const tooFast = (more: object): object => ({ type: 'error', code: 'too_fast', says: 'wait', id: null, table: null, ...more })
  const count = (socket: FakeSocket, type: string): number => socket.sent.filter((sent) => sent.type === type).length

  it('to watch that came too fast is made again in a moment, so many times and no more', async () => {
    const { live, socket } = await opened()
    tell(socket, tooFast({ table: 'nz' }))
    expect(count(socket, 'watch')).toBe(1)
    await seconds(1.1)
    expect([count(socket, 'watch'), live.fault]).toEqual([2, null])
    tell(socket, { type: 'snapshot', table: 'nz', view: view(3), events: [] })
    await seconds(3)
    expect([count(socket, 'watch'), live.view?.version]).toEqual([2, 3])
    for (let tries = 0; tries < 30; tries++) {
      tell(socket, tooFast({ table: 'nz' }))
      await seconds(1.1)
    }
    expect(count(socket, 'watch')).toBeLessThanOrEqual(15)
  })

  it('to watch that is never taken is told in the end', async () => {
    const { live, socket } = await opened()
    for (let tries = 0; tries < 30; tries++) {
      tell(socket, tooFast({ table: 'nz' }))
      await seconds(1.1)
    }
    expect(live.fault).toBe('wait')
  })

  it('to watch no more, and one to watch the floor, are made again when they came too fast', async () => {
    const { connection, socket } = await shown()
    connection.watchFloor(() => undefined)
    connection.unwatch('nz')
    tell(socket, tooFast({ table: 'nz' }))
    tell(socket, tooFast({}))
    await seconds(1.1)
    expect([count(socket, 'unwatch'), count(socket, 'watch_floor'), count(socket, 'watch')]).toEqual([2, 2, 1])
  })

  it('that sends a command again too fast sends it once more; a first sending is refused', async () => {
    const { connection, live, socket } = await shown()
    const first = live.do({ do: 'ready' })
    tell(socket, tooFast({ id: socket.sent.at(-1)!.id, table: 'nz' }))
    expect(await first).toMatchObject({ type: 'refused', code: 'too_fast' })
    const answer = live.do({ do: 'ready' })
    const command = socket.sent.at(-1)!
    connection.lose()
    connection.hurry()
    asked[1]!.settle(ticket())
    await soon()
    const next = FakeSocket.all[1]!
    next.onopen()
    tell(next, tooFast({ id: command.id, table: 'nz' }))
    await seconds(1.1)
    expect(next.sent.filter((sent) => sent.type === 'command')).toEqual([command, command])
    tell(next, { type: 'done', id: command.id, table: 'nz', version: 4 })
    expect(await answer).toMatchObject({ type: 'done', version: 4 })
  })

  it('of another connection is not made again for what came too fast on this one', async () => {
    const { connection, socket } = await opened()
    tell(socket, tooFast({ table: 'nz' }))
    connection.lose()
    connection.hurry()
    asked[1]!.settle(ticket())
    await soon()
    FakeSocket.all[1]!.onopen()
    await seconds(1.1)
    expect([count(socket, 'watch'), count(FakeSocket.all[1]!, 'watch')]).toEqual([1, 1])
  })

  it('is made when there is a way again, without a pause', async () => {
    const { connection, socket } = await shown()
    connection.hurry()
    expect([connection.state, asked.length]).toEqual(['on', 1])
    connection.lose()
    expect([connection.state, socket.isClosed, asked.length]).toEqual(['lost', true, 1])
    connection.hurry()
    connection.hurry()
    expect([asked.length, connection.state]).toEqual([2, 'lost'])
  })
})
