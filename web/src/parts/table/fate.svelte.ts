// Chips slide when their fate is seen to fall, not when a page is drawn on which it has fallen.

import { untrack } from 'svelte'
import type { AreaState } from './spotstate'

export class Fate {
  hasFallen = $state(false)
  private was: AreaState['kind']

  /** To be made while a component is set up. */
  constructor(kind: () => AreaState['kind']) {
    this.was = untrack(kind)
    $effect.pre(() => {
      const now = kind()
      untrack(() => this.see(now))
    })
  }

  private see(now: AreaState['kind']): void {
    if (now !== this.was) this.hasFallen = this.was === 'down'
    this.was = now
  }
}
