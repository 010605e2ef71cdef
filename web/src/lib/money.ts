// Amounts are whole minor units everywhere; only here do they become text.

export interface Currency {
  name: string
  digits: number
}

let currency: Currency = { name: 'play money', digits: 2 }

export function useCurrency(next: Currency): void {
  currency = next
}

/** How many digits of an amount are behind its point. */
export const digitsHere = (): number => currency.digits

/** "1,950" or "25,310.45": no decimals where there are none to tell. */
export function money(amount: number, shown: Currency = currency): string {
  const scale = 10 ** shown.digits
  const sign = amount < 0 ? '−' : ''
  const size = Math.abs(amount)
  const whole = Math.floor(size / scale).toLocaleString('en-US')
  const rest = size % scale
  return sign + whole + (rest ? '.' + String(rest).padStart(shown.digits, '0') : '')
}

/** With a plus or minus in front, as a result is told. */
export function signed(amount: number, shown: Currency = currency): string {
  return amount > 0 ? `+${money(amount, shown)}` : money(amount, shown)
}

/** The whole units of a text that somebody typed, or null where it is no amount. */
export function parseMoney(text: string, shown: Currency = currency): number | null {
  const found = /^(\d{1,12})(?:\.(\d+))?$/.exec(text.replace(/[,\s]/g, ''))
  if (!found) return null
  const decimals = found[2] ?? ''
  if (decimals.length > shown.digits) return null
  return Number(found[1]) * 10 ** shown.digits + Number(decimals.padEnd(shown.digits, '0') || '0')
}
