// The time of day, as the clocks of the house show it.

/** "21:40". */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

const MINUTE = 60_000

/** The time of day in so many seconds, to the nearest minute. */
export function timeIn(seconds: number, now = Date.now()): string {
  return clock(Math.round((now + seconds * 1000) / MINUTE) * MINUTE)
}
