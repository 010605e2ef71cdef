import { expect, test } from 'vitest'
import { faultOf, sentence } from './saying'

test('a line has a capital and a stop, and keeps the mark that it has', () => {
  expect(sentence('everybody has chosen')).toBe('Everybody has chosen.')
  expect(sentence('ana ties on box 1: war or surrender?')).toBe('Ana ties on box 1: war or surrender?')
  expect(sentence('One moment…')).toBe('One moment…')
  expect(sentence(' ')).toBe('')
})

test('whatever was thrown is told', () => {
  expect(faultOf(new Error('this name is taken'))).toBe('This name is taken.')
  expect(faultOf('no')).toBe('No.')
})
