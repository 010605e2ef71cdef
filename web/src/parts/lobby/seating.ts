// Ways to a seat: at a table of the house or at a private one. Whoever is nobody yet becomes a guest on the way.

import { ApiError, freshId, get, post } from '../../lib/api'
import { beSomebody } from '../../lib/session.svelte'
import type { Done, LiveView } from '../../lib/wire'
import { bestBox } from './tiles'

/** Somebody else may take the box in the moment between looking and sitting: then the next free one will do. */
const TRIES = 3

/** Take a free box, `wanted` before others; nothing happens to one who sits there already. */
export async function sitAt(table: string, wanted: number | null = null): Promise<void> {
  const me = await beSomebody()
  const path = `/api/tables/${encodeURIComponent(table)}`
  for (let tried = 1; ; tried++) {
    const view = await get<LiveView>(path)
    if (view.seats.some((seat) => seat.player === me.player)) return
    const free = view.view.boxes.filter((box) => !view.seats.some((seat) => seat.box === box.box)).map((box) => box.box)
    const box = wanted !== null && free.includes(wanted) ? wanted : bestBox(free, view.view.boxes.length)
    if (box === null) return // Full by now: the table page shows it to one who watches.
    try {
      await post(`${path}/commands`, { id: freshId(), expected: view.version, command: { do: 'sit', box } })
      return
    } catch (error) {
      const isRace = error instanceof ApiError && (error.code === 'seat_taken' || error.code === 'stale')
      if (!isRace || tried >= TRIES) throw error
    }
  }
}

/** A private table that was opened and whose owner could not sit down: the next try takes it, and opens no other. */
let waiting: { rulebook: string; bots: number; player: string; table: string } | null = null

/** A table of one's own with bots, and a seat at it. */
export async function openPrivate(rulebook: string, bots: number): Promise<string> {
  const { player } = await beSomebody()
  const isWaiting = waiting?.rulebook === rulebook && waiting.bots === bots && waiting.player === player
  if (!waiting || !isWaiting) {
    const done = await post<Done>('/api/tables/private', { id: freshId(), rulebook, bots })
    waiting = { rulebook, bots, player, table: done.table }
  }
  const { table } = waiting
  await sitAt(table)
  waiting = null
  return table
}
