import { describe, expect, it } from 'vitest'
import { money, parseMoney, signed } from './money'

const cents = { name: 'play money', digits: 2 }
const whole = { name: 'fun chips', digits: 0 }

describe('amounts become text only here', () => {
  it('has no decimals where there are none to tell', () => {
    expect(money(195_000, cents)).toBe('1,950')
    expect(money(250, cents)).toBe('2.50')
    expect(money(5, cents)).toBe('0.05')
    expect(money(1_234_567, whole)).toBe('1,234,567')
  })
  it('has a true minus, and a plus only in a result', () => {
    expect(money(-500, cents)).toBe('−5')
    expect(signed(500, cents)).toBe('+5')
    expect(signed(-250, cents)).toBe('−2.50')
    expect(signed(0, cents)).toBe('0')
  })
  it('reads what it writes', () => {
    for (const amount of [0, 5, 250, 195_000, 123_456_789]) expect(parseMoney(money(amount, cents), cents)).toBe(amount)
  })
  it('takes no text that is no amount', () => {
    for (const text of ['', '-5', '1.234', 'five', '1e3', '.5', '1.']) expect(parseMoney(text, cents)).toBeNull()
    expect(parseMoney('2.5', whole)).toBeNull()
    expect(parseMoney('2.5', cents)).toBe(250)
  })
})
