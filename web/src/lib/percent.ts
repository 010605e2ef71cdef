// Shares, as they are written everywhere.

/** "2.33 %", with a true minus, on one line. */
export function percent(share: number, digits = 2): string {
  const text = Math.abs(share * 100).toFixed(digits)
  return `${share < 0 && Number(text) !== 0 ? '−' : ''}${text}\u00a0%`
}
