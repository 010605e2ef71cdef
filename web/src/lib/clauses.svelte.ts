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
export const clause = $state<{ id: string | null; text: ClauseText | null; fault: string | null; others: ClauseText[]; parts: string[] }>({
  id: null,
  text: null,
  fault: null,
  others: [],
  parts: [],
})

/** What a clause says, asked for once. */
export async function clauseText(id: string): Promise<ClauseText> {
  const text = known.get(id) ?? (await get<ClauseText>(`/api/clauses/${encodeURIComponent(id)}`))
  known.set(id, text)
  return text
}

/** Open a clause; where a ruling rests on others too, they are told below it, and before them what each is for. */
export async function openClause(id: string, others: string[] = [], parts: string[] = []): Promise<void> {
  clause.id = id
  clause.text = known.get(id) ?? null
  clause.fault = null
  clause.others = []
  clause.parts = parts
  if (clause.text && others.length === 0) return
  try {
    const [text, ...more] = await Promise.all([id, ...others].map(clauseText))
    if (clause.id === id) Object.assign(clause, { text, others: more })
  } catch (error) {
    clause.fault = error instanceof Error ? error.message : String(error)
  }
}

export function closeClause(): void {
  clause.id = null
}
