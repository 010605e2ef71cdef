// The clause that is being looked at, and those that were, so that each is asked for once.

import { get } from './api'

export interface ClauseText {
  id: string
  rulebook: string
  says: string
  status: string
  source: string
}

const known = new Map<string, ClauseText>()
export const clause = $state<{ id: string | null; text: ClauseText | null; fault: string | null }>({
  id: null,
  text: null,
  fault: null,
})

/** What a clause says, asked for once. */
export async function clauseText(id: string): Promise<ClauseText> {
  const text = known.get(id) ?? (await get<ClauseText>(`/api/clauses/${encodeURIComponent(id)}`))
  known.set(id, text)
  return text
}

export async function openClause(id: string): Promise<void> {
  clause.id = id
  clause.text = known.get(id) ?? null
  clause.fault = null
  if (clause.text) return
  try {
    const text = await clauseText(id)
    if (clause.id === id) clause.text = text
  } catch (error) {
    clause.fault = error instanceof Error ? error.message : String(error)
  }
}

export function closeClause(): void {
  clause.id = null
}
