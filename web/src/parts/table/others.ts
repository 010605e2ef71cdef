// All others at the table in one line, where a felt has no room for their cards: "5 at war · 6 and 1 paid · 7 and 2 lost".

import { tt } from '../../texts/en_table'
import type { Shown, ShownBox } from './shown'
import { boxNet } from './spotstate'

type Way = keyof typeof tt.othersAre

function wayOf(one: ShownBox, shown: Shown): Way | null {
  if (one.laid.length === 0) return null
  const net = one.laid.every((laid) => laid.result) ? boxNet(one.laid) : null
  if (net !== null) return net > 0 ? 'paid' : net < 0 ? 'lost' : 'even'
  if (one.isAtWar || shown.asked.some(([box]) => box === one.box)) return 'war'
  return 'bet'
}

/** Boxes in the order in which they are seen: the highest at the left. */
export function othersWords(shown: Shown, own: number | null): string {
  const others = shown.boxes.filter((one) => one.box !== own).map((one) => ({ box: one.box, way: wayOf(one, shown) }))
  const told = (Object.keys(tt.othersAre) as Way[]).flatMap((way) => {
    const boxes = others.filter((one) => one.way === way).map((one) => String(one.box)).reverse()
    return boxes.length > 0 ? [tt.othersAre[way](tt.both(boxes))] : []
  })
  return told.length > 0 ? told.join(' · ') : tt.nobodyElse
}
