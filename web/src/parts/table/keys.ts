// The keys of the table. None is taken while somebody types, while a dialog is open, or together with another key.

export type Acts = Partial<Record<'bet' | 'repeat' | 'double' | 'clear' | 'ready' | 'war' | 'surrender' | 'rulings' | 'rules', () => unknown>> & {
  chip: (at: number) => unknown
}

const KEYS: Record<string, Exclude<keyof Acts, 'chip'>> = {
  b: 'bet', r: 'repeat', d: 'double', c: 'clear', Enter: 'ready', w: 'war', s: 'surrender', l: 'rulings', '?': 'rules',
}

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
}

/** What a key asks for, or nothing. `isTaken` says that the key belongs to what has the focus. */
export function actFor(event: Pressed, acts: Acts, isTyping: boolean, isTaken: boolean): (() => unknown) | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping) return null
  if (/^[1-5]$/.test(event.key)) return () => acts.chip(Number(event.key) - 1)
  if (event.key === 'Enter' && isTaken) return null
  const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]
  return (name && acts[name]) ?? null
}

/** A narrow window hides a chip, and where no bets are open there is no tray at all. */
export const isChipSeen = (at: number): boolean => (document.querySelectorAll('.tray [role="radio"]')[at]?.getClientRects().length ?? 0) > 0

/** From one spot to the next by arrows: left and right between boxes, up and down within one. */
export function neighbour(from: { box: number; wager: string }, key: string, boxes: number, wagers: string[]): { box: number; wager: string } | null {
  const at = wagers.indexOf(from.wager)
  switch (key) {
    case 'ArrowLeft':
      return from.box < boxes ? { ...from, box: from.box + 1 } : null
    case 'ArrowRight':
      return from.box > 1 ? { ...from, box: from.box - 1 } : null
    case 'ArrowUp':
      return at < wagers.length - 1 ? { ...from, wager: wagers[at + 1]! } : null
    case 'ArrowDown':
      return at > 0 ? { ...from, wager: wagers[at - 1]! } : null
    default:
      return null
  }
}
