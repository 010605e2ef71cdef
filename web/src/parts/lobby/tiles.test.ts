import { expect, test } from 'vitest'
import { bestBox, byFreeSeats, callNames, detailLine, freeBoxes, keepOrder, limitsLine, paceLine, stateLine, type Line } from './tiles'

const line: Line = {
  name: 'nz',
  title: 'New Zealand',
  rulebook: 'nz',
  book_title: 'New Zealand',
  dealer: 'automatic',
  boxes: 7,
  seated: 1,
  bots: 2,
  watching: 0,
  minimum: 500,
  maximum: 50_000,
  unit: 500,
  betting_seconds: 15,
  rounds: 3,
  version: 9,
  owner: null,
  is_closed: false,
  is_stopped: false,
  taken: [1, 6, 7],
  phase: 'betting',
  timer: { waits_for: 'betting', left: 13_400 },
  decks: 6,
  own_box: null,
  sides: [],
  meter: null,
  bank: null,
  is_paused: false,
  waiting: 0,
}

test('free boxes are those that nobody has', () => {
  expect(freeBoxes(line)).toEqual([2, 3, 4, 5])
})

test('the free box nearest the middle is the best, and none of none', () => {
  expect(bestBox([1, 2, 3, 7], 7)).toBe(3)
  expect(bestBox([], 7)).toBeNull()
})

test('limits are amounts of the currency, with or without a highest', () => {
  expect(limitsLine(line)).toBe('5 to 500')
  expect(limitsLine({ ...line, maximum: null })).toBe('From 5')
})

test('the state counts down from when it was told, and never below the last second', () => {
  expect(stateLine(line, 0)).toBe('Bets open, 14 s')
  expect(stateLine(line, 3_000)).toBe('Bets open, 11 s')
  expect(stateLine(line, 60_000)).toBe('Bets open')
  expect(stateLine({ ...line, is_stopped: true }, 0)).toBe('Stopped by the floor')
  expect(stateLine({ ...line, timer: null, phase: 'dealing' }, 0)).toBe('Dealing')
  expect(stateLine({ ...line, timer: null, seated: 0, bots: 0 }, 0)).toBe('Waits for a player')
})

test('details tell the meter, or decks and what sets the table apart', () => {
  expect(detailLine(line)).toBe('6 decks')
  const pairs = { wager: 'perfect_pairs', label: 'Perfect Pairs', pays: ['25:1', '12:1', '5:1'] }
  expect(detailLine({ ...line, sides: [{ wager: 'tie', label: 'Tie', pays: ['10:1'] }, pairs] })).toBe('6 decks, Perfect Pairs 25, 12, 5')
  expect(detailLine({ ...line, sides: [{ wager: 'tie', label: 'Tie', pays: ['10:1'] }] })).toBe('6 decks, Tie 10 to 1')
  const progressive = { wager: 'progressive', label: 'Progressive', pays: [] }
  expect(detailLine({ ...line, sides: [progressive, pairs], meter: 2_531_045 })).toBe('Progressive 25,310.45')
})

test('the pace is the time to bet, or who deals', () => {
  expect(paceLine(line)).toBe('15 s to bet')
  expect(paceLine({ ...line, betting_seconds: 119 })).toBe('119 s to bet')
  expect(paceLine({ ...line, betting_seconds: 120 })).toBe('2 min to bet')
  expect(paceLine({ ...line, betting_seconds: 150 })).toBe('2.5 min to bet')
  expect(paceLine({ ...line, betting_seconds: 600 })).toBe('10 min to bet')
  expect(paceLine({ ...line, dealer: 'real' })).toBe('Real cards')
})

test('where somebody waits for a seat, that is said instead', () => {
  expect(paceLine({ ...line, waiting: 1 })).toBe('Full, 1 waits')
  expect(paceLine({ ...line, waiting: 3 })).toBe('Full, 3 wait')
})

test('tiles keep their places when tables come and go', () => {
  expect(keepOrder(['b', 'a', 'x'], ['a', 'b', 'c'])).toEqual(['b', 'a', 'c'])
})

test('sorted by free seats, tables that take nobody come last', () => {
  const full = { ...line, name: 'full', taken: [1, 2, 3, 4, 5, 6, 7] }
  const closed = { ...line, name: 'closed', taken: [], is_closed: true }
  expect(byFreeSeats([closed, full, line])).toEqual(['nz', 'full', 'closed'])
})

test('tables of one title are told apart by their book, and those of one book by their name', () => {
  const called = (...lines: Partial<Line>[]): string[] => [
    ...callNames(lines.map((one) => ({ ...line, ...one })), ({ rulebook }) => `Book ${rulebook}`).values(),
  ]
  expect(called({ name: 'a', title: 'Private' }, { name: 'b', title: 'High' })).toEqual(['Private', 'High'])
  expect(called({ name: 'a', title: 'Private' }, { name: 'b', title: 'Private', rulebook: 'ma' })).toEqual(['Private, Book nz', 'Private, Book ma'])
  expect(called({ name: 'a', title: 'Private' }, { name: 'b', title: 'Private' })).toEqual(['Private, a', 'Private, b'])
})
