// A timer starts full, and goes on from where it was.

import { expect, test } from 'vitest'
import { waitOf } from './timer.svelte'

const betting = (left: number) => ({ waits_for: 'betting', left })

test('the first that is seen of a wait is the whole of it', () => {
  // Told at 1,000 with 20 s left; the cards have come at 4,000.
  expect(waitOf(betting(20_000), 1_000, 4_000, null)).toEqual({ kind: 'betting', ends: 21_000, whole: 17_000 })
})

test('another message of the same wait leaves it as long as it was', () => {
  const first = waitOf(betting(18_000), 1_000, 1_000, null)
  expect(waitOf(betting(12_900), 6_200, 6_200, first).whole).toBe(18_000)
})

test('the next wait of the same kind is as long as it is itself, and begins full', () => {
  const first = waitOf(betting(18_000), 0, 0, null)
  expect(waitOf(betting(15_000), 30_000, 30_000, first).whole).toBe(15_000)
})
