// A line of the server as a sentence: it writes its reasons without a capital and a stop.

export function sentence(says: string): string {
  const told = says.trim()
  if (!told) return ''
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}${/[.?!…]$/.test(told) ? '' : '.'}`
}

export function faultOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error))
}
