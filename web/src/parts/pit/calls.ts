// Calls for the floor, in the order in which somebody has to go to them.

import type { CallView, PastCall, PitTable } from '../../lib/wire'

export interface TableCall {
  table: PitTable
  call: CallView
}

/** Those that are open: untaken before taken, and of each the oldest first. */
export function callsOf(tables: PitTable[]): TableCall[] {
  const open = tables.flatMap((table) => (table.call ? [{ table, call: table.call }] : []))
  const rank = ({ call }: TableCall): number => (call.taken_by === null ? 0 : 1)
  return open.sort((one, other) => rank(one) - rank(other) || other.call.waited - one.call.waited)
}

/** How long it took on average until somebody said to come; none where nobody has. */
export function averageAnswer(calls: PastCall[]): number | null {
  const answered = calls.flatMap((call) => (call.answered === null ? [] : [call.answered]))
  return answered.length ? answered.reduce((sum, one) => sum + one, 0) / answered.length : null
}
