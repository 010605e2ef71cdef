// Words of an error, as a sentence: the server writes its reasons without a capital and a stop.

export function sentence(says: string): string {
  const trimmed = says.trim()
  if (!trimmed) return trimmed
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.?]$/.test(begun) ? begun : `${begun}.`
}

export function faultOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error))
}
