// Roles of staff in their order, the lowest first, and those of them that whoever looks has.

import { hasRole } from './session.svelte'

export const STAFF = ['dealer', 'supervisor', 'manager', 'operator']
export const FLOOR = STAFF.slice(1)
/** Who has the dealer's console: the operator is not at the table. */
export const CONSOLE = STAFF.slice(0, -1)

/** The floor's roles of whoever looks, the lowest first: an act is offered in the one that may do it. */
export const ownFloor = (): string[] => FLOOR.filter((role) => hasRole(role))

/** Whether somebody with these roles has this one or a higher one. */
export function isAtLeast(roles: string[], role: string): boolean {
  return STAFF.includes(role) ? STAFF.slice(STAFF.indexOf(role)).some((one) => roles.includes(one)) : roles.includes(role)
}
