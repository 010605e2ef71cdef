// Two keystrokes a card: rank, then suit. A scanner types the same, faster, and ends with Enter.

export interface Entry {
  rank: string | null
  /** The next card is the true face of the one entered last. */
  isCorrecting: boolean
}

export interface Pressed {
  entry: Entry
  /** The card that is complete with this key. */
  card: string | null
  /** Whether the key was one of ours, so that the browser does nothing else with it. */
  isTaken: boolean
}

export const EMPTY: Entry = { rank: null, isCorrecting: false }
export const RANK_KEYS = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A']
export const SUIT_KEYS = ['c', 'd', 'h', 's']

export function press(entry: Entry, key: string): Pressed {
  const upper = key.toUpperCase()
  const rank = upper === '1' ? 'T' : upper
  const suit = key.toLowerCase()
  if (RANK_KEYS.includes(rank)) return { entry: { ...entry, rank }, card: null, isTaken: true }
  if (key === '0') return { entry, card: null, isTaken: entry.rank === 'T' }
  if (SUIT_KEYS.includes(suit)) {
    if (entry.rank === null) return { entry, card: null, isTaken: true }
    return { entry: EMPTY, card: entry.rank + suit, isTaken: true }
  }
  if (key === 'Backspace') return { entry: back(entry), card: null, isTaken: true }
  return { entry, card: null, isTaken: false }
}

/** First what is half typed goes; then the last card is to be corrected; then that is left again. */
function back(entry: Entry): Entry {
  if (entry.rank !== null) return { ...entry, rank: null }
  return { rank: null, isCorrecting: !entry.isCorrecting }
}

/** A whole card out of a text field, "kh", "10h" or "Td"; null where it is none. */
export function parseCard(text: string): string | null {
  const found = /^(10|[1-9tjqka])([cdhs])$/i.exec(text.trim())
  if (!found) return null
  const rank = found[1]!.toUpperCase().replace(/^10?$/, 'T')
  return rank + found[2]!.toLowerCase()
}
