// What a strip with little room says: as many sentences as fit, of which the last, what is to be done now, is kept.

import { ems } from './fitting'

/** Lines break between words, so that a part of each stays empty. */
const FILLED = 0.93

const isWithin = (says: string, room: number, size: number): boolean => ems(says) * size <= room * FILLED

/** Each shorter than the one before: the first sentences go, then what the one before the last lists at its end. */
function shorter(says: string): string[] {
  const sentences = says.split(/(?<=\.) (?=\p{Lu})/u)
  const ways = sentences.map((_, at) => sentences.slice(at).join(' '))
  const [last, before] = [sentences.at(-1)!, sentences.at(-2)]
  if (before === undefined) return ways
  const parts = before.replace(/\.$/, '').split(', ')
  const lists = parts.slice(1).map((_, at) => `${parts.slice(0, parts.length - 1 - at).join(', ')}. ${last}`)
  return [...ways.slice(0, -1), ...lists, last]
}

/** `room` is the width of all lines together, less what else stands in them. */
export function inStrip(says: string, room: number, size: number): string {
  const ways = shorter(says)
  return ways.find((way) => isWithin(way, room, size)) ?? ways.at(-1)!
}
