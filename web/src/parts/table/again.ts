// "Same again": what of the last round's wagers can be put down now.

import type { View } from '../../lib/wire'

export interface Bet {
  box: number
  wager: string
  amount: number
}

/** A wager as far as its limit and the money go, in whole units; none where that is less than the least. */
function fitted(bet: Bet, view: View, money: number): Bet | null {
  const limit = view.layout.find((spot) => spot.wager === bet.wager)?.limit ?? view.signs.limit
  const most = Math.min(limit.maximum ?? Infinity, money)
  const amount = bet.amount <= most ? bet.amount : Math.floor(most / limit.unit) * limit.unit
  return amount >= limit.minimum && amount > 0 ? { ...bet, amount } : null
}

/** First wagers come first and go down to what the limits and the money allow. Side wagers come out of what is left,
 * and one that cannot be paid whole is left out: so they are the first to go. Where the book wants the first wager before
 * them, they stay out with it, unless it is among what is `there` already. */
export function possible(before: Bet[], view: View, money: number, there: Bet[] = []): Bet[] {
  const first = view.layout[0]?.wager
  const order = view.layout.map((spot) => spot.wager)
  const sorted = before.toSorted((a, b) => order.indexOf(a.wager) - order.indexOf(b.wager))
  const isOpen = (bet: Bet): boolean => view.boxes[bet.box - 1]?.open_wagers.includes(bet.wager) ?? false
  const placed: Bet[] = []
  const lacksFirst = (bet: Bet): boolean =>
    view.is_initial_first && bet.wager !== first && ![...there, ...placed].some((one) => one.box === bet.box && one.wager === first)
  let left = money
  for (const bet of sorted.filter(isOpen)) {
    const found = fitted(bet, view, bet.wager === first ? left : Infinity)
    if (!found || found.amount > left || lacksFirst(bet)) continue
    left -= found.amount
    placed.push(found)
  }
  return placed
}

/** The least that a round can be begun with: a side wager does where the book does not want the first one before it. */
export function leastWager(view: View): number {
  const spots = view.is_initial_first ? view.layout.slice(0, 1) : view.layout
  return Math.min(...spots.map((spot) => spot.limit.minimum))
}
