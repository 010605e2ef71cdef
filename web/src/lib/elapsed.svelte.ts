// How long something has lasted, counted on here between two words of the server.

/** Made where a component is: it ticks once a second as long as that is there. */
export class Elapsed {
  private now = $state(performance.now())

  constructor() {
    $effect(() => {
      const every = setInterval(() => (this.now = performance.now()), 1_000)
      return () => clearInterval(every)
    })
  }

  /** What had lasted so many milliseconds at `at`, a moment of this page, has lasted so many now. */
  of(lasted: number, at: number): number {
    return lasted + Math.max(0, this.now - at)
  }
}

/** "0:42", as a clock that runs. */
export function minutesSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** "40 s", "3 min 5 s", "5 min": how long somebody has been away. */
export function lasted(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  if (minutes === 0) return `${seconds} s`
  return minutes >= 5 || rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}
