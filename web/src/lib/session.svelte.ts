// Who plays here: a guest at once, an account later; and the house's own facts.

import { t } from '../texts'
import { ask, get, post, ApiError } from './api'
import { connection } from './live.svelte'
import { useCurrency } from './money'
import type { PlayerView } from './wire'

export interface Me extends PlayerView {
  is_guest: boolean
  roles: string[]
}

export interface House {
  /** Whether the simulation is installed on the server. */
  plays_nights: boolean
  currency: string
  minor_digits: number
  /** What a purse is filled with again, and below how much in all. */
  refill: number
  refill_below: number
  key: string
  version: string
}

export const session = $state<{ me: Me | null; house: House | null; fault: string | null }>({
  me: null,
  house: null,
  fault: null,
})

/** The house's facts and, where there is one, the player of this browser. */
export async function begin(): Promise<void> {
  try {
    session.house = await get<House>('/api/house')
    useCurrency({ name: session.house.currency, digits: session.house.minor_digits })
    await refresh()
    session.fault = null
  } catch (error) {
    session.fault = error instanceof Error ? error.message : String(error)
  }
}

export async function refresh(): Promise<void> {
  session.me = (await get<{ me: Me | null }>('/api/session')).me
}

/** Whoever has no session becomes a guest. */
export async function beSomebody(): Promise<Me> {
  if (!session.me) {
    await post('/api/guest')
    await refresh()
    // What has ended was the session before this one.
    if (connection.isSessionGone) connection.close()
  }
  if (!session.me) throw new ApiError(0, 'no_session', t.noCookies)
  return session.me
}

export async function logIn(name: string, password: string): Promise<void> {
  await post('/api/login', { name, password })
  await refresh()
}

export async function register(name: string, password: string): Promise<void> {
  await post('/api/register', { name, password })
  await refresh()
}

export async function logOut(): Promise<void> {
  await ask('POST', '/api/logout', {})
  session.me = null
}

export function hasRole(...roles: string[]): boolean {
  return roles.some((role) => session.me?.roles.includes(role))
}
