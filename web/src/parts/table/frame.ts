// How the table stands in a window: what surrounds the felt, and how wide the column is where the window lies.

export type Frame = 'upright' | 'lying' | 'wide'

const LYING_BELOW = 560
const UPRIGHT_BELOW = 720
/** A dock of one row, as windows have that are lower than 800, needs this much. */
const ONE_ROW = { width: 780, height: 800 }
/** Narrower than this, acts have little room for words. */
const TIGHT_BELOW = { upright: 380, lying: 0, wide: 980 }

export function frameOf(width: number, height: number): Frame {
  if (height < LYING_BELOW && width > height) return 'lying'
  const isNarrow = width < UPRIGHT_BELOW || (height < ONE_ROW.height && width < ONE_ROW.width)
  return isNarrow ? 'upright' : 'wide'
}

export const isTight = (frame: Frame, width: number): boolean => width < TIGHT_BELOW[frame]

/** The column with strip, seconds, acts and chips at the right of a felt that lies. */
export const columnOf = (width: number): number => Math.round(Math.max(232, Math.min(300, 0.36 * width)))

/** What is left for the felt before it has been measured. */
export function feltRoom(frame: Frame, width: number, height: number): { width: number; height: number } {
  return frame === 'lying' ? { width: width - columnOf(width), height: height - 44 } : { width, height: height - 232 }
}

/** Where dialogs stand at the table: over the felt, so that the acts are never under them. The dock is as high as it was
 * measured, since it grows with the letters. */
export function clearanceOf(frame: Frame, width: number, dock: number): { right: number; bottom: number } {
  return frame === 'lying' ? { right: columnOf(width), bottom: 0 } : { right: 0, bottom: dock }
}
