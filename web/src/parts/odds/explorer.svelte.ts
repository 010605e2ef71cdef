// One study: a book, what was changed in it, a session; and the server's figures for it, asked for as it changes.

import { SvelteMap } from 'svelte/reactivity'
import { get } from '../../lib/api'
import { faultOf } from '../../lib/saying'
import { latest } from './latest'
import {
  oddsPath,
  pagePath,
  parsePageParts,
  sessionPath,
  type Changes,
  type OddsTold,
  type RuleLeaf,
  type SessionAsked,
  type SessionTold,
} from './wire'

interface Study {
  book: string
  changes: Changes
  session: SessionAsked
}

/** What the book says, and what it says with the changes; the same where there are none. */
interface Pair<T> {
  book: T
  now: T
  /** Why the changes were not taken. */
  fault: string | null
}

const KEPT = 60

export class Explorer {
  book = $state('nz')
  readonly changes = new SvelteMap<string, string>()
  session = $state<SessionAsked>({ kind: 'initial', strategy: 'war', rounds: 200, stake: 1, bankroll: 1 })
  odds = $state.raw<Pair<OddsTold> | null>(null)
  results = $state.raw<Pair<SessionTold> | null>(null)
  fault = $state<string | null>(null)
  sessionFault = $state<string | null>(null)
  isBusy = $state(false)
  private kept = new Map<string, Promise<unknown>>()
  private isFirst = true

  private figures = latest<Study, Pair<OddsTold>>(
    ({ book, changes }) => this.both((these) => oddsPath(book, these), changes),
    (answer) => {
      this.odds = answer
      this.fault = answer.fault
      this.isBusy = false
    },
    (error) => {
      this.fault = faultOf(error)
      this.isBusy = false
    },
  )
  private outcomes = latest<Study, Pair<SessionTold>>(
    ({ book, changes, session }) => this.both((these) => sessionPath(book, these, session), changes),
    (answer) => {
      this.results = answer
      this.sessionFault = answer.fault
    },
    (error) => {
      this.sessionFault = faultOf(error)
    },
  )

  constructor(stake: number, parts: readonly string[]) {
    this.session.stake = 25 * stake
    this.session.bankroll = 1000 * stake
    const asked = parsePageParts(parts)
    this.book = asked.book ?? this.book
    for (const [key, value] of asked.changes) this.changes.set(key, value)
  }

  get isChanged(): boolean {
    return this.changes.size > 0
  }

  /** What was changed and taken: nothing while something of it is refused. */
  get taken(): Changes {
    return this.fault === null ? [...this.changes] : []
  }

  choose(book: string): void {
    if (book === this.book) return
    this.book = book
    this.changes.clear()
    this.session.kind = 'initial'
  }

  set(leaf: RuleLeaf, value: string): void {
    if (value === leaf.book) this.changes.delete(leaf.key)
    else this.changes.set(leaf.key, value)
  }

  /** Called whenever the study has changed. */
  ask(): void {
    const study: Study = { book: this.book, changes: [...this.changes], session: { ...this.session } }
    const wait = this.isFirst ? 0 : undefined
    this.isFirst = false
    this.isBusy = true
    history.replaceState(null, '', pagePath(study.book, study.changes))
    this.figures.ask(study, wait)
    this.outcomes.ask(study, wait)
  }

  stop(): void {
    this.figures.stop()
    this.outcomes.stop()
  }

  /** A change that is refused changes no figure: until it is mended the book's own stand there. */
  private async both<T>(path: (changes: Changes) => string, changes: Changes): Promise<Pair<T>> {
    const asked = this.read<T>(path([]))
    const [book, now] = await Promise.allSettled([asked, changes.length ? this.read<T>(path(changes)) : asked])
    if (book.status === 'rejected') throw book.reason
    return now.status === 'fulfilled'
      ? { book: book.value, now: now.value, fault: null }
      : { book: book.value, now: book.value, fault: faultOf(now.reason) }
  }

  /** The same question has the same answer, so the last ones are kept; a failure is not. */
  private read<T>(path: string): Promise<T> {
    const known = this.kept.get(path)
    if (known) return known as Promise<T>
    const answer = get<T>(path)
    this.kept.set(path, answer)
    answer.catch(() => this.kept.delete(path))
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value ?? '')
    return answer
  }
}
