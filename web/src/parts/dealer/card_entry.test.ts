import { expect, test } from 'vitest'
import { EMPTY, parseCard, press, type Entry } from './card_entry'

function typed(keys: string[], from: Entry = EMPTY): { cards: string[]; entry: Entry } {
  const cards: string[] = []
  let entry = from
  for (const key of keys) {
    const pressed = press(entry, key)
    entry = pressed.entry
    if (pressed.card) cards.push(pressed.card)
  }
  return { cards, entry }
}

test('two keystrokes make a card, in either case', () => {
  expect(typed(['k', 'h', 'K', 'H', '7', 'c']).cards).toEqual(['Kh', 'Kh', '7c'])
})

test('ten is T, 1 or 10', () => {
  expect(typed(['t', 's', '1', 's', '1', '0', 's']).cards).toEqual(['Ts', 'Ts', 'Ts'])
})

test('a suit without a rank is no card, and the last rank counts', () => {
  expect(typed(['h', '2', '9', 'd']).cards).toEqual(['9d'])
})

test('Backspace takes the rank back, then asks for the last card again, then leaves that', () => {
  expect(typed(['9', 'Backspace']).entry).toEqual(EMPTY)
  expect(typed(['Backspace']).entry).toEqual({ rank: null, isCorrecting: true })
  expect(typed(['Backspace', 'Backspace']).entry).toEqual(EMPTY)
  expect(typed(['Backspace', 'q', 'd'])).toEqual({ cards: ['Qd'], entry: EMPTY })
})

test('keys that are not of a card are left to others', () => {
  for (const key of ['Enter', ' ', 'Escape', 'x', '0']) expect(press(EMPTY, key).isTaken).toBe(false)
})

test('a card in a text field', () => {
  expect(['Kh', 'kH', '10c', '1c', 'td', ' 2s '].map(parseCard)).toEqual(['Kh', 'Kh', 'Tc', 'Tc', 'Td', '2s'])
  expect(['', 'K', 'Kx', '11h', '0h'].map(parseCard)).toEqual([null, null, null, null, null])
})
