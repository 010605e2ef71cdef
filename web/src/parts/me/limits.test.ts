import { expect, test } from 'vitest'
import { moment, shownLoss, typedLoss, typedMinutes } from './limits'

test('empty is no limit, and an amount is one in minor units', () => {
  expect(typedLoss(' ')).toEqual({ value: null })
  expect(typedLoss('1,200.50')).toEqual({ value: 120_050 })
  expect(typedLoss('0')).toEqual({ value: 0 })
  expect(typedLoss('plenty')).toEqual({ fault: 'loss' })
  expect(typedLoss('1.234')).toEqual({ fault: 'loss' })
})

test('minutes are those of one day', () => {
  expect(typedMinutes('')).toEqual({ value: null })
  expect(typedMinutes('1,440')).toEqual({ value: 1_440 })
  for (const wrong of ['0', '1441', '1.5', '-3', 'an hour']) expect(typedMinutes(wrong)).toEqual({ fault: 'minutes' })
})

test('a limit is shown as it would be typed', () => {
  expect(typedLoss(shownLoss(123_450))).toEqual({ value: 123_450 })
  expect(shownLoss(null)).toBe('')
})

test('a moment is told with its day and its hour', () => {
  expect(moment(new Date(2026, 10, 16, 14, 5).getTime())).toBe('16 Nov 2026, 14:05')
})
