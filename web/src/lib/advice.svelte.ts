// The wish for advice at the table, kept in this browser.

const KEY = 'casinowar-advice'

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes'
  } catch {
    return false
  }
}

export const advice = $state({ isWanted: stored() })

export function wishAdvice(isWanted: boolean): void {
  advice.isWanted = isWanted
  try {
    if (isWanted) localStorage.setItem(KEY, 'yes')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the wish holds until the page is left.
  }
}
