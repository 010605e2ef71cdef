// Ways to a seat: at a table of the house or at a private one. Whoever is nobody yet becomes a guest on the way.
// The table's page itself sits down, once it is connected: before that the dealer would not wait for its chance, nor
// for the cut.

import { ApiError, freshId, get, post } from '../../lib/api'
import { beSomebody } from '../../lib/session.svelte'
import type { Done, LiveView } from '../../lib/wire'
import { bestBox } from './tiles'

/** The address at which a free box is taken, `wanted` before others; the table's own for one who sits there already. */
export async function seatAt(table: string, wanted: number | null = null): Promise<string> {
  const me = await beSomebody()
  const place = `/table/${encodeURIComponent(table)}`
  const view = await get<LiveView>(`/api/tables/${encodeURIComponent(table)}`)
  if (view.seats.some((seat) => seat.player === me.player)) return place
  const free = view.view.boxes.filter((box) => !view.seats.some((seat) => seat.box === box.box)).map((box) => box.box)
  const box = wanted !== null && free.includes(wanted) ? wanted : bestBox(free, view.view.boxes.length)
  return box === null ? place : `${place}/${box}` // Full by now: the table's page shows it to one who watches.
}

/** The private table that is being opened: another try asks for the same one until it has led to a seat. */
let wanted: { rulebook: string; bots: number; player: string; id: string } | null = null

/** A table of one's own with bots: the address of a seat at it. */
export async function openPrivate(rulebook: string, bots: number): Promise<string> {
  const { player } = await beSomebody()
  const isWanted = wanted?.rulebook === rulebook && wanted.bots === bots && wanted.player === player
  if (!wanted || !isWanted) wanted = { rulebook, bots, player, id: freshId() }
  try {
    const { table } = await post<Done>('/api/tables/private', { id: wanted.id, rulebook, bots })
    const place = await seatAt(table)
    wanted = null
    return place
  } catch (error) {
    // It was opened long ago, and is gone.
    if (error instanceof ApiError && error.code === 'no_such_table') wanted = null
    throw error
  }
}
