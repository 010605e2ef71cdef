// The paraphrases of all clauses that a round names, read once, so that stepping waits for nothing.

import { SvelteMap } from 'svelte/reactivity'
import { clauseText } from '../../lib/clauses.svelte'
import type { Played } from './wire'

const AT_ONCE = 4

export function clausesOf(played: Played): string[] {
  const named = [...played.steps, ...played.settlements].flatMap((one) => one.clauses)
  return [...new Set(named)]
}

/** Fills up by itself; a clause that the server does not know stays without words. */
export function paraphrases(ids: string[]): SvelteMap<string, string> {
  const found = new SvelteMap<string, string>()
  const left = [...ids]
  async function read(): Promise<void> {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        found.set(id, (await clauseText(id)).says)
      } catch {
        // Its chip still tells why when it is opened.
      }
    }
  }
  for (let reader = 0; reader < AT_ONCE; reader++) void read()
  return found
}
