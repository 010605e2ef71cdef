// What is said of seats: that one is about to be given up or was, and where one stands in the line for one.

import type { Told } from '../../lib/live.svelte'
import type { LiveView } from '../../lib/wire'
import { tt } from '../../texts/en_table'

/** A sentence where there is something to say of this player's seat. */
export function seatSays(live: LiveView, told: Told[], me: string): string | null {
  if (typeof live.seat_left === 'number') return tt.seatWanted
  if (live.claim) return live.claim.place === 0 ? tt.seatKeptSays : tt.youWaitSays
  const last = told.findLast((one) => one['player'] === me && (one.name === 'seat_given_up' || one.name === 'player_seated'))
  return last?.name === 'seat_given_up' ? tt.seatGivenUp : null
}

const freeBox = (live: LiveView): number | null => live.view.boxes.find((one) => !live.seats.some((seat) => seat.box === one.box))?.box ?? null

/** Whether a seat is free, and kept for another who has waited. */
export function isSeatKept(live: LiveView): boolean {
  return freeBox(live) !== null && live.waiting > 0 && live.claim?.place !== 0
}

/** What the felt says to one who has no seat: no other than the dock does. */
export function seatInvites(live: LiveView): string {
  if (live.view.is_closed || live.view.is_excluded) return tt.watching
  if (freeSeat(live) !== null) return tt.sitToPlay
  return `${isSeatKept(live) ? tt.seatKept : tt.noSeat}.`
}

/** The box that this player may take now; none where all are taken, or kept for others who have waited. */
export function freeSeat(live: LiveView): number | null {
  return isSeatKept(live) ? null : freeBox(live)
}
