// A player's share of a round: their hand, the dealer's, their wagers and what came of them all.

import type { RoundOfTable } from '../../lib/wire'

export interface Share {
  table: string
  title: string
  number: number
  own: string[]
  dealer: string[]
  wagers: { label: string; amount: number }[]
  /** What came back and was paid, less what was staked; of a bank, what it won or lost. */
  result: number
  /** Whether the player banked the round. */
  isBank: boolean
  isVoid: boolean
  at: number | null
}

const DEALER = 0

export function shareOf({ table, title, labels, round, at }: RoundOfTable, player: string): Share {
  const mine = round.wagers.filter((wager) => wager[2] === player)
  const bank = round.bank?.[0] === player ? round.bank[1] : null
  const hands = new Map(round.hands)
  const box = mine[0]?.[0]
  return {
    table,
    title,
    at,
    number: round.number,
    own: box === undefined ? [] : (hands.get(box) ?? []),
    dealer: hands.get(DEALER) ?? [],
    wagers: mine.map(([, wager, , amount]) => ({ label: labels[wager] ?? wager.replaceAll('_', ' '), amount })),
    result: mine.reduce((sum, [, , , amount, , paid, returned]) => sum + paid + returned - amount, bank ?? 0),
    isBank: bank !== null,
    isVoid: round.is_void,
  }
}
