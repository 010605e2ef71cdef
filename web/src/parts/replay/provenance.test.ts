import { describe, expect, it, vi } from 'vitest'
import { facesOf, held } from './provenance'

vi.mock('../../lib/proof', () => ({ isCardProved: (one: { salt: string }) => one.salt === 'good' }))

const up = (place: number, card: string, salt = 'good') => ({ act: 'up', place, index: place, card, salt, path: [] })
const shoe = (...dealt: object[]) => ({ shoe: 'nz/1', counts: [52], root: 'ff', cut: null, dealt }) as never

describe('the cards of a round and its shoe', () => {
  it('are those that left the shoe, seen or not', () => {
    const events = [{ name: 'card_burned', card: null }, { name: 'card_dealt', card: 'Kh' }, { name: 'round_ended' }, { name: 'card_dealt', card: '9s' }]
    expect(facesOf(events)).toEqual([null, 'Kh', '9s'])
  })
  it('are held against the cards of the shoe in their turn', () => {
    const whole = shoe(up(0, '2c'), { act: 'down', place: 1 }, up(2, 'Kh'), up(3, '9s'), up(4, '3d'))
    expect(held([whole], [null, 'Kh', '9s'])).toEqual({ good: 2, wrong: 0, down: 1 })
  })
  it.each([
    ['a face that the shoe does not have there', [null, 'Kd', '9s']],
    ['another order', [null, '9s', 'Kh']],
    ['a card that was face down', ['2d', 'Kh', '9s']],
  ])('are wrong with %s', (_, faces) => {
    const whole = shoe({ act: 'down', place: 0 }, up(1, 'Kh'), up(2, '9s'))
    expect(held([whole], faces as (string | null)[]).wrong).toBeGreaterThan(0)
  })
  it('are wrong where a proof does not lead to the root, or the place is not that of the cut', () => {
    expect(held([shoe(up(0, 'Kh', 'bad'), up(1, '9s'))], ['Kh', '9s'])).toEqual({ good: 1, wrong: 1, down: 0 })
    expect(held([{ ...(shoe(up(0, 'Kh')) as object), cut: { position: 3 } } as never], ['Kh']).wrong).toBe(1)
  })
  it('may come from two shoes, one after the other', () => {
    expect(held([shoe(up(51, 'Kh')), shoe(up(0, '9s'))], ['Kh', '9s'])).toEqual({ good: 2, wrong: 0, down: 0 })
  })
})
