import { expect, test } from 'vitest'
import { isAtLeast } from './roles'

test('a higher role may do what a lower one may, and an auditor stands outside', () => {
  expect(isAtLeast(['manager'], 'supervisor')).toBe(true)
  expect(isAtLeast(['manager'], 'manager')).toBe(true)
  expect(isAtLeast(['manager'], 'operator')).toBe(false)
  expect(isAtLeast(['auditor'], 'dealer')).toBe(false)
  expect(isAtLeast(['dealer', 'operator'], 'manager')).toBe(true)
})
