// What a player has asked to be offered: the cut, the bank. Whoever has never had one, and has not asked for it, is not
// made to answer for it. This browser keeps it under the player's name, so that the next guest begins afresh.

export type Wish = 'cut' | 'bank'

const KEY = 'casinowar-wishes'

function kept(player: string): Wish[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { player?: unknown; wishes?: unknown }
    return found.player === player && Array.isArray(found.wishes) ? (found.wishes as Wish[]) : []
  } catch {
    return []
  }
}

export class Wishes {
  private all = $state.raw<Wish[]>([])

  constructor(private player: string) {
    this.all = kept(player)
  }

  has(wish: Wish): boolean {
    return this.all.includes(wish)
  }
  set(wish: Wish, isWanted = true): void {
    this.all = [...this.all.filter((one) => one !== wish), ...(isWanted ? [wish] : [])]
    try {
      localStorage.setItem(KEY, JSON.stringify({ player: this.player, wishes: this.all }))
    } catch {
      // Without storage it is for this visit.
    }
  }
}
