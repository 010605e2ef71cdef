// A live table: one WebSocket for the page, a snapshot, then what happened. It comes back by itself after a break.

import { ApiError, freshId, post } from './api'
import { putTogether } from './parts'
import { shoeWatch, type ShoeWatch } from './proof.svelte'
import type { Happened, LiveView, Refused } from './wire'

export type Role = 'player' | 'watcher' | 'dealer' | 'supervisor' | 'auditor'
export type Command = { do: string } & Record<string, unknown>
export type Told = { name: string; version: number; at: number } & Record<string, unknown>
type Answer = { type: 'done'; id: string; table: string; version: number } | ({ type: 'refused' } & Refused)

interface Waiting {
  frame: string
  settle: (answer: Answer) => void
  /** It was sent before, so that it may have been done. */
  isRepeated: boolean
}

const LONGEST_PAUSE_MS = 8_000
const BEAT_MS = 1_000
/** So many beats an answer may take; a busy server needs one or two. */
const ANSWER_BEATS = 5
/** So many beats without a word an attempt is waited for; of an open socket a word is then asked. */
const QUIET_BEATS = 10
/** What the server would not take for its pace alone is said again after so long, and so many times. */
const REPEAT_MS = 1_000
const MOST_REPEATS = 10
const PING = JSON.stringify({ type: 'ping' })
/** Why the server may hang up on somebody who is welcome again in a moment. */
const PASSING = new Set(['slow_reader', 'draining', 'out_of_service'])
/** Why a table is shown to somebody no more. */
const SHUT = new Set(['no_such_table', 'not_allowed'])

/** One table as this viewer sees it. `events` are those of the last frame; `at` is when its timer was told. */
export class Live {
  view = $state.raw<LiveView | null>(null)
  events = $state.raw<Told[]>([])
  /** What had been told of the round when the last snapshot came. */
  story: Told[] = []
  at = $state(0)
  fault = $state<string | null>(null)
  /** How many snapshots came: a new one means that there is no story from what was shown to what is. */
  snapshots = $state(0)
  readonly shoe: ShoeWatch = shoeWatch()
  private listeners = new Set<(events: Told[], live: Live) => void>()

  constructor(
    private connection: Connection,
    readonly table: string,
    readonly role: Role,
    public advice: boolean,
  ) {}

  onEvents(listener: (events: Told[], live: Live) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Send a command and wait for its answer. The id stays the same over a lost connection, so that it is done once. */
  do(command: Command, options: { as?: string; reason?: string } = {}): Promise<Answer> {
    const id = freshId()
    const frame = JSON.stringify({
      type: 'command',
      id,
      table: this.table,
      expected: this.view?.version ?? 0,
      command,
      as: options.as ?? 'player',
      reason: options.reason ?? '',
    })
    return this.connection.send(id, frame)
  }

  snapshot(view: LiveView, events: Told[] = []): void {
    this.view = view
    this.story = events
    this.snapshots += 1
    this.at = performance.now()
    this.fault = null
    this.shoe.see(view.seal, isUntouched(view), lying(view))
    this.mark(view)
  }

  /** Before the first card of a shoe the table tells where its cutting card lies. */
  private mark(view: LiveView): void {
    if (view.seal.stage === 'dealing' && isUntouched(view)) this.shoe.mark(view.view.cut_card_in)
  }

  /** The server shows this table no more: what was seen of it last would stand here for good. */
  shut(says: string): void {
    this.view = null
    this.fault = says
  }

  happened(frame: Happened): void {
    if (!this.view || frame.version < this.view.version) return
    this.view = putTogether(this.view, frame)
    this.at = performance.now()
    this.events = frame.events as Told[]
    this.shoe.see(this.view.seal)
    this.mark(this.view)
    this.shoe.check(this.events, frame.proofs, lying(this.view))
    for (const listener of this.listeners) listener(this.events, this)
  }
}

const isUntouched = ({ view, seal }: LiveView): boolean => view.shoe_left === seal.cards
const lying = ({ view }: LiveView): string[] => [...view.dealer, ...view.boxes.flatMap((box) => box.cards)]

/** The page's only socket. What waits for an answer when it breaks is sent again on the next. */
export class Connection {
  state = $state<'off' | 'on' | 'lost'>('off')
  ended = $state<string | null>(null)
  /** The session is no more, so that no attempt can help. */
  isSessionGone = $state(false)
  private socket: WebSocket | null = null
  /** Whoever looks at the pit wants to know that something has come to wait for the floor. */
  private floor: (() => void) | null = null
  private tables = new Map<string, Live>()
  private waiting = new Map<string, Waiting>()
  /** How often something was said again on this socket, by what it was. */
  private repeats = new Map<string, number>()
  private tries = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  /** The attempt that is under way: what comes of one before it is not heard. */
  private attempt: AbortController | null = null
  private beat: ReturnType<typeof setInterval> | undefined
  /** Beats without a word. They are counted and no clock is read: a page that slept has missed one, however long it was. */
  private silence = 0
  /** Something was sent that has an answer, and no word has come since. */
  private isAsked = false

  watch(table: string, role: Role = 'player', advice = false): Live {
    const live = new Live(this, table, role, advice)
    this.tables.set(table, live)
    if (this.state === 'on') this.ask(live)
    else void this.open()
    return live
  }

  /** Tell whenever something comes to wait for the floor at any table, or waits no more; the answer ends it. */
  watchFloor(changed: () => void): () => void {
    this.floor = changed
    if (this.state === 'on') this.askFloor()
    else void this.open()
    return () => (this.floor = null)
  }

  /** It has no answer that could be waited for. */
  private askFloor(): void {
    if (this.floor) this.socket?.send(JSON.stringify({ type: 'watch_floor' }))
  }

  unwatch(table: string): void {
    this.tables.delete(table)
    this.leave(table)
  }

  private leave(table: string): void {
    if (this.state === 'on') this.socket?.send(JSON.stringify({ type: 'unwatch', table }))
  }

  /** Ask again for a snapshot, as after a change of role or of the wish for advice. */
  ask(live: Live): void {
    this.say(JSON.stringify({ type: 'watch', table: live.table, role: live.role, advice: live.advice, views: 'parts' }))
  }

  send(id: string, frame: string): Promise<Answer> {
    return new Promise((settle) => {
      this.waiting.set(id, { frame, settle, isRepeated: false })
      if (this.state === 'on') this.say(frame)
      else void this.open()
    })
  }

  /** Done with this session: what its socket still says is not heard, and the next one begins afresh. */
  close(): void {
    clearTimeout(this.timer)
    clearInterval(this.beat)
    this.timer = undefined
    this.attempt?.abort()
    this.attempt = null
    this.ended = null
    this.isSessionGone = false
    this.tries = 0
    this.tables.clear()
    this.floor = null
    // What was asked for in this session is asked for in no other.
    for (const [id, one] of this.waiting) one.settle({ type: 'refused', id, code: 'logged_out', says: '', clauses: [], request: null })
    this.waiting.clear()
    this.state = 'off'
    this.hangUp()
  }

  /** There is no way to the server, or no word from it: try another. */
  lose(): void {
    this.attempt?.abort()
    if (!this.socket) return
    this.hangUp()
    this.again(null)
  }

  /** There may be a way again: no pause before the next attempt. */
  hurry(): void {
    if (!this.timer) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.tries = 0
    void this.open()
  }

  /** What a socket that is not ours any more still says is not heard. */
  private hangUp(): void {
    const socket = this.socket
    this.socket = null
    socket?.close()
  }

  /** Send what the server answers. Its silence counts from the first that waits. */
  private say(frame: string): void {
    if (this.state !== 'on') return
    if (!this.isAsked) this.silence = 0
    this.isAsked = true
    this.socket?.send(frame)
  }

  private listen(): void {
    this.silence += 1
    if (this.silence < (this.isAsked ? ANSWER_BEATS : QUIET_BEATS)) return
    if (this.state === 'on' && !this.isAsked) this.say(PING)
    else this.lose()
  }

  private async open(): Promise<void> {
    if (this.ended) this.state = 'lost'
    if (this.socket || this.timer || this.attempt || this.ended) return
    const attempt = (this.attempt = new AbortController())
    this.silence = 0
    this.isAsked = false
    this.beat = setInterval(() => this.listen(), BEAT_MS)
    let ticket: string
    try {
      ticket = (await post<{ ticket: string }>('/api/socket-ticket', {}, attempt.signal)).ticket
    } catch (error) {
      if (this.attempt !== attempt) return
      this.attempt = null
      const says = error instanceof Error ? error.message : String(error)
      if (error instanceof ApiError && error.status === 401) this.end(says)
      this.again(says)
      return
    }
    if (this.attempt !== attempt) return
    this.attempt = null
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket?ticket=${ticket}`)
    this.socket = socket
    socket.onopen = () => {
      if (this.socket !== socket) return
      this.state = 'on'
      this.tries = 0
      this.silence = 0
      this.repeats.clear()
      for (const live of this.tables.values()) this.ask(live)
      this.askFloor()
      for (const one of this.waiting.values()) {
        one.isRepeated = true
        this.say(one.frame)
      }
    }
    socket.onmessage = (message) => {
      if (this.socket !== socket) return
      this.silence = 0
      this.take(JSON.parse(String(message.data)))
      this.isAsked = this.waiting.size > 0
    }
    socket.onclose = () => {
      if (this.socket !== socket) return
      this.socket = null
      this.again(null)
    }
  }

  private end(says: string): void {
    this.ended = says
    this.isSessionGone = true
  }

  private again(fault: string | null): void {
    clearInterval(this.beat)
    if (this.tables.size === 0 && this.waiting.size === 0 && !this.floor) {
      this.state = 'off'
      return
    }
    this.state = 'lost'
    if (fault) for (const live of this.tables.values()) live.fault = fault
    if (this.ended) return
    const pause = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** this.tries++) * (0.75 + Math.random() / 2)
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.open()
    }, pause)
  }

  private take(frame: { type: string } & Record<string, unknown>): void {
    const live = this.tables.get(String(frame['table'] ?? ''))
    switch (frame.type) {
      case 'snapshot':
        this.repeats.delete(`watch ${live?.table}`)
        live?.snapshot(frame['view'] as LiveView, frame['events'] as Told[])
        break
      case 'events':
        live?.happened(frame as unknown as Happened)
        break
      case 'done':
      case 'refused':
        this.waiting.get(String(frame['id']))?.settle(frame as unknown as Answer)
        this.waiting.delete(String(frame['id']))
        break
      case 'floor':
        this.floor?.()
        break
      case 'error':
        this.refuse(frame)
        break
      case 'goodbye':
        if (frame['code'] === 'logged_out') this.end(String(frame['says']))
        else if (!PASSING.has(String(frame['code']))) this.ended = String(frame['says'])
        break
    }
  }

  /** A frame that the server would not take: the command in it is over, unless it only came too fast. */
  private refuse(frame: Record<string, unknown>): void {
    if (frame['code'] === 'too_fast' && this.repeat(frame)) return
    const id = String(frame['id'] ?? '')
    const says = String(frame['says'])
    const one = this.waiting.get(id)
    if (one) one.settle({ type: 'refused', id, code: String(frame['code']), says, clauses: [], request: null })
    this.waiting.delete(id)
    // What is about a table and no command is a watch that was not let in.
    const live = id ? undefined : this.tables.get(String(frame['table'] ?? ''))
    if (!live) return
    if (SHUT.has(String(frame['code']))) live.shut(says)
    else if (live.view === null) live.fault = says
  }

  /** Say it again in a moment. A command that was sent for the first time was not done, and its sender is told so. */
  private repeat({ id, table }: Record<string, unknown>): boolean {
    if (id) {
      const one = this.waiting.get(String(id))
      return !!one?.isRepeated && this.later(String(id), () => this.waiting.has(String(id)) && this.say(one.frame))
    }
    if (!table) return this.later('watch_floor', () => this.askFloor())
    return this.later(`watch ${table}`, () => {
      const live = this.tables.get(String(table))
      if (live) this.ask(live)
      else this.leave(String(table))
    })
  }

  /** On another socket all is said anew without this. False when it was said often enough. */
  private later(what: string, say: () => void): boolean {
    const times = (this.repeats.get(what) ?? 0) + 1
    if (times > MOST_REPEATS) return false
    this.repeats.set(what, times)
    const socket = this.socket
    setTimeout(() => {
      if (this.socket === socket) say()
    }, REPEAT_MS)
    return true
  }
}

export const connection = new Connection()

if (typeof window !== 'undefined') {
  addEventListener('offline', () => connection.lose())
  addEventListener('online', () => connection.hurry())
}
