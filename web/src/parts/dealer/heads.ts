// The act at the head of the procedure: whether it is the dealer's to do now, and else whom it waits for.

import { isAtLeast } from '../../lib/roles'
import type { LiveView } from '../../lib/wire'

export type Head =
  | { kind: 'none' }
  /** The dealer's own act, under one key. */
  | { kind: 'act' }
  /** The dealer's own act, which waits for a second person to sign. */
  | { kind: 'signature'; request: string }
  /** The act of another role; whoever looks may have it too. */
  | { kind: 'role'; role: string; isOwn: boolean }
  /** A player cuts; at a table of real cards the dealer notes where. */
  | { kind: 'cut'; player: string; position: number; canNote: boolean }
  | { kind: 'waits'; who: string }

/** What brings others to choose is done by the dealer, and then waits for what it brings. */
const BRINGING = ['invite', 'offer_bank']

export function headOf(view: LiveView, roles: string[], offered: string | null = null): Head {
  const step = view.view.procedure[0]
  if (!step) return { kind: 'none' }
  const command = step.command as ({ do: string } & Record<string, unknown>) | null
  const request = view.signatures.find((due) => !due.is_passed_on && due.command['do'] === command?.do)?.request
  if (request) return { kind: 'signature', request }
  if (step.act === 'cut' && step.player) {
    const canNote = view.dealer_kind === 'real'
    return { kind: 'cut', player: step.player, position: Number(command?.['position'] ?? 0), canNote }
  }
  // A sealed shoe is made without anybody's hand, once somebody is there to play from it.
  if (view.dealer_kind === 'human' && view.view.is_shuffle_due) {
    return { kind: 'waits', who: view.seats.some((seat) => seat.strategy === null) ? 'seal' : 'player' }
  }
  if (step.role !== null) return { kind: 'role', role: step.role, isOwn: isAtLeast(roles, step.role) }
  if (step.act === 'offer_bank' && step.player === offered) return { kind: 'waits', who: step.player ?? 'players' }
  if (command && (step.waits_for === null || BRINGING.includes(step.act))) return { kind: 'act' }
  return step.waits_for === null ? { kind: 'none' } : { kind: 'waits', who: step.waits_for }
}
