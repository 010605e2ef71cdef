// Ranks and suits as our own lines, so that no font decides how a card reads. A rank is stroked in a box of 40 by 60.

import { t } from '../texts'

export const RANKS: Record<string, string> = {
  A: 'M3 58 L20 4 L37 58 M9 40 H31',
  K: 'M6 4 V56 M36 4 L8 34 M16 26 L37 56',
  Q: 'M20 4 C9 4 4 14 4 28 C4 43 9 53 20 53 C31 53 36 43 36 28 C36 14 31 4 20 4 Z M23 42 L37 58',
  J: 'M12 4 H32 M26 4 V42 C26 52 20 56 14 56 C8 56 4 52 4 44',
  T: 'M5 10 V56 M24 4 C18 4 15 12 15 30 C15 48 18 56 25 56 C32 56 36 48 36 30 C36 12 32 4 24 4 Z',
  '9': 'M35 22 C35 12 29 4 20 4 C11 4 5 11 5 20 C5 30 11 36 20 36 C28 36 35 31 35 22 C35 42 28 56 12 56',
  '8': 'M20 4 C11 4 7 10 7 16 C7 24 13 28 20 29 C29 30 36 35 36 43 C36 51 29 56 20 56 C11 56 4 51 4 43 C4 35 11 30 20 29 C27 28 33 24 33 16 C33 10 29 4 20 4 Z',
  '7': 'M4 4 H36 L16 57',
  '6': 'M28 4 C12 8 5 24 5 38 C5 50 11 56 20 56 C29 56 35 49 35 40 C35 31 29 25 20 25 C12 25 5 30 5 39',
  '5': 'M33 4 H9 L7 28 C10 25 14 23 19 23 C29 23 35 30 35 39 C35 49 29 56 19 56 C11 56 6 53 3 47',
  '4': 'M28 57 V4 L3 41 H38',
  '3': 'M5 11 C8 6 13 4 19 4 C28 4 33 9 33 16 C33 24 27 28 17 28 C29 28 36 33 36 42 C36 51 29 56 19 56 C11 56 6 53 3 48',
  '2': 'M5 16 C6 8 12 4 20 4 C29 4 35 10 35 18 C35 32 14 40 5 56 H37',
}

/** Filled, in a box of 40 by 40. */
export const SUITS: Record<string, string> = {
  h: 'M20 37 C8 27 2 21 2 13 C2 7 6 3 11 3 C15 3 18 5 20 9 C22 5 25 3 29 3 C34 3 38 7 38 13 C38 21 32 27 20 37 Z',
  d: 'M20 2 L35 20 L20 38 L5 20 Z',
  s: 'M20 2 C28 11 38 17 38 25 C38 30 34 33 30 33 C27 33 24 32 22 29 C22 33 24 36 27 38 H13 C16 36 18 33 18 29 C16 32 13 33 10 33 C6 33 2 30 2 25 C2 17 12 11 20 2 Z',
  c: 'M20 2 C25 2 29 6 29 11 C29 13 28 15 27 17 C33 15 38 19 38 25 C38 30 34 33 30 33 C27 33 24 32 22 29 C22 33 24 36 27 38 H13 C16 36 18 33 18 29 C16 32 13 33 10 33 C6 33 2 30 2 25 C2 19 7 15 13 17 C12 15 11 13 11 11 C11 6 15 2 20 2 Z',
}

export const SUIT_SIGNS: Record<string, string> = { h: '♥', d: '♦', s: '♠', c: '♣' }

export function rankOf(card: string): string {
  return card.charAt(0)
}
export function suitOf(card: string): string {
  return card.charAt(1)
}
export function isRed(card: string): boolean {
  return 'hd'.includes(suitOf(card))
}
/** "nine". */
export function rankWord(card: string): string {
  return t.ranks[rankOf(card)] ?? ''
}
/** "nine of hearts". */
export function cardWords(card: string): string {
  return t.card(rankWord(card), t.suits[suitOf(card)] ?? '')
}
/** "9♥", with 10 written out. */
export function cardSign(card: string): string {
  return `${rankOf(card).replace('T', '10')}${SUIT_SIGNS[suitOf(card)]}`
}
