// Where in a round one is, and walking through it: by hand, or by itself at a reading pace.

const PACE_MS = 1_400

export class Stepping {
  at = $state(0)
  isPlaying = $state(false)
  private timer: ReturnType<typeof setInterval> | undefined

  constructor(readonly count: number) {}

  to(at: number): void {
    this.pause()
    this.at = this.within(at)
  }

  by(steps: number): void {
    this.to(this.at + steps)
  }

  toggle(): void {
    if (this.isPlaying) this.pause()
    else this.play()
  }

  play(): void {
    if (this.at >= this.count - 1) this.at = 0
    this.isPlaying = true
    this.timer = setInterval(() => {
      this.at = this.within(this.at + 1)
      if (this.at === this.count - 1) this.pause()
    }, PACE_MS)
  }

  pause(): void {
    clearInterval(this.timer)
    this.isPlaying = false
  }

  /** Whether a key that was pressed on the page was for us. */
  key(event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey || isTakenBy(event.target)) return false
    switch (event.key) {
      case 'ArrowRight':
        this.by(1)
        return true
      case 'ArrowLeft':
        this.by(-1)
        return true
      case 'Home':
        this.to(0)
        return true
      case 'End':
        this.to(this.count - 1)
        return true
      case ' ':
        if (event.target instanceof Element && event.target.closest('button, a, summary')) return false
        this.toggle()
        return true
      default:
        return false
    }
  }

  private within(at: number): number {
    return Math.max(0, Math.min(this.count - 1, at))
  }
}

/** Fields and dialogs have their own use for these keys. */
function isTakenBy(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, dialog, [role="tablist"]') !== null
}
