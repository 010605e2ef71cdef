// The smallest size of letters on a felt, in the units of its view box: 11 pixels, however large it is drawn. The felt
// gives it, and whatever is drawn on it keeps to it.

import { getContext, setContext } from 'svelte'

const KEY = Symbol('least')
export const LEAST_PIXELS = 11.05

/** The size in units of a view box that is drawn as large as it can be in so many pixels. */
export function leastIn(view: { width: number; height: number }, drawn: { width: number; height: number }): number {
  const scale = Math.min(drawn.width / view.width, drawn.height / view.height)
  return scale > 0 ? LEAST_PIXELS / scale : LEAST_PIXELS
}

/** To be called while the felt is set up. */
export function giveLeast(least: () => number): void {
  setContext(KEY, least)
}

/** Nothing is too small beside a felt. */
export function leastHere(): () => number {
  return getContext<(() => number) | undefined>(KEY) ?? (() => 0)
}
