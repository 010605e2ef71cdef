// What dialogs leave free of the window: at a table the place of the acts, since a timer may run.

export const clearance = $state({ isKept: false, right: 0, bottom: 0 })

/** Dialogs stand beside this from now on; nothing for the whole window. At the bottom the safe area is part of it. */
export function keepClear(free: { right: number; bottom: number } | null): void {
  Object.assign(clearance, { isKept: free !== null, right: free?.right ?? 0, bottom: free?.bottom ?? 0 })
}
