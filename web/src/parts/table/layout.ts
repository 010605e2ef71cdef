// The printed layout, from the view's own list of wagers: names, odds and places, whichever book it is.

import type { Point } from '../../lib/geometry'
import { digitsHere } from '../../lib/money'
import type { WagerSpot } from '../../lib/wire'
import { tt } from '../../texts/en_table'
import { breaks, cutTo, ems, LINE } from './fitting'

/** One printed area. A wager on the second card (`later`) uses the area of the first, which reopens for it. */
export interface Area {
  wager: string
  label: string
  spot: WagerSpot
  later: WagerSpot | null
}

export interface Layout {
  main: Area
  war: Area | null
  sides: Area[]
}

const LATER = 'war_'

/** The class that gives the colours of a book's felt, that of its variants too: the server's sheet of felts has it. */
export const feltOf = (rulebook: string): string => `felt-${rulebook}`

/** Whether the book draws the war's sign as a ship, as in CTG-B6: its felt says so in the server's sheet. */
export function hasShip(rulebook: string): boolean {
  const felt = document.createElement('i')
  felt.className = feltOf(rulebook)
  document.body.append(felt)
  const sign = getComputedStyle(felt).getPropertyValue('--sign').trim()
  felt.remove()
  return sign === 'ship'
}

export function areas(layout: WagerSpot[]): Layout {
  const later = new Map(layout.filter((s) => s.wager.startsWith(LATER)).map((s) => [s.wager.slice(LATER.length), s]))
  const printed = layout
    .filter((s) => !s.wager.startsWith(LATER))
    .map((spot) => ({ wager: spot.wager, label: spot.label, spot, later: later.get(spot.wager) ?? null }))
  const main = printed.find((area) => area.wager === 'initial') ?? printed[0]
  if (!main) throw new Error('the layout has no wager')
  const war = printed.find((area) => area.wager === 'war') ?? null
  const sides = printed.filter((area) => area !== main && area !== war).reverse()
  return { main, war, sides }
}

/** The one area that is printed as a square. */
export function isSquare(area: Area): boolean {
  return area.wager === 'progressive'
}

/** Half the size of a square area, with its name in one line and room for another below it. */
export function squareOf(area: Area, text: number, scale = 1): Point {
  return { x: Math.max(38 * scale, (ems(shortLabel(area.label)) * text) / 2 + 5), y: Math.max(22 * scale, LINE * text + 4) }
}

/** The area on which a wager lies. */
export function areaOf(wager: string): string {
  return wager.startsWith(LATER) ? wager.slice(LATER.length) : wager
}

function paying(spot: WagerSpot): string[] {
  return spot.odds.map((one) => one.pays).filter((pays) => /^\d+:\d+$/.test(pays))
}

/** "10:1", or "25·12·5:1" where a wager pays more than one price. */
export function feltOdds(spot: WagerSpot): string {
  const prices = [...new Set(paying(spot))]
  const first = prices[0]
  if (!first) return ''
  const against = first.split(':')[1]
  if (prices.length === 1 || prices.some((price) => price.split(':')[1] !== against)) return prices.join(' ')
  return `${prices.map((price) => price.split(':')[0]).join('·')}:${against}`
}

function inWords(pays: string): string {
  return tt.oddsInWords(...(pays.split(':') as [string, string]))
}

function sideInWords(spot: WagerSpot): string {
  const prices = paying(spot)
  if (new Set(prices.map((price) => price.split(':')[1])).size === 1 && prices.length > 1) {
    return tt.oddsInWords(prices.map((price) => price.split(':')[0]).join(', '), prices[0]!.split(':')[1]!)
  }
  return prices.map(inWords).join(', ')
}

function pays(spot: WagerSpot, situation: string): string | null {
  const found = spot.odds.find((one) => one.situation === situation)?.pays
  return found && /^\d+:\d+$/.test(found) ? found : null
}

/** What is printed along the inner arc: every price of the layout as its book has it, wager by wager. */
function printedPrices(layout: WagerSpot[]): string[] {
  const { main, war, sides } = areas(layout)
  const told = [tt.pays(main.label, inWords(pays(main.spot, 'on_win') ?? paying(main.spot)[0] ?? '1:1'))]
  for (const side of [...sides].reverse()) {
    const words = sideInWords(side.spot)
    if (words) told.push(`${side.label} ${words}`)
  }
  if (war) {
    const [win, tie] = [pays(war.spot, 'on_win'), pays(war.spot, 'on_tie')]
    if (win) told.push(`${war.label} ${inWords(win)}${tie && tie !== win ? tt.tiedWar(inWords(tie)) : ''}`)
  }
  return told
}

const BETWEEN = ' · '

/** All prices in as few lines of so many letters as they need, and the lines as even as can be. */
export function oddsLines(layout: WagerSpot[], longest: number): string[] {
  const prices = printedPrices(layout)
  return breaks(prices, BETWEEN).find((lines) => lines.every((line) => line.length <= longest)) ?? prices
}

/** A long name by its last word, where there is room for no more. */
export function shortLabel(label: string): string {
  return label.length > 16 ? (label.split(' ').at(-1) ?? label) : label
}

/** On the felt a bot has its short name, in every box and on every sign alike; in words it has its whole one. */
export function feltName(who: string): string {
  return who.replace(/^bot-/, '')
}

/** Where there is no room for all of it, a name goes without what says that it is a guest's. */
export function nameIn(who: string, room: number, size: number, end: string): string {
  const name = feltName(who)
  return cutTo(ems(name) * size <= room ? name : name.replace(/^guest-/, ''), room, size, end)
}

/** A sum as it is told, or with fewer letters where they have no room: "+1,250" or "+1.3K". */
export function sumIn(amount: number, tell: (amount: number) => string, room: number, size: number): string {
  const whole = tell(amount)
  if (ems(whole) * size <= room) return whole
  const rounded = tell(Math.round(amount / 10 ** digitsHere()) * 10 ** digitsHere())
  if (ems(rounded) * size <= room) return rounded
  const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(Math.abs(amount) / 10 ** digitsHere())
  return whole.replace(/[\d,.]+/, short)
}

/** A player's name as far as there is room for it. */
export function shorten(who: string, letters = 14): string {
  return who.length > letters ? `${who.slice(0, letters - 1)}…` : who
}

/** "10 to 1,000" of a limit; lines of the sign that say the same are one. */
export function signLines(layout: WagerSpot[], amount: (n: number) => string): { names: string; says: string }[] {
  const { main, sides } = areas(layout)
  const rows: { names: string; says: string }[] = []
  for (const area of [main, ...[...sides].reverse()]) {
    const { minimum, maximum } = area.spot.limit
    const says = maximum === null ? tt.limitFrom(amount(minimum)) : tt.limitRange(amount(minimum), amount(maximum))
    const same = rows.find((row) => row.says === says && row !== rows[0] && row.names.length + area.label.length < 18)
    if (same) same.names += `, ${shortLabel(area.label)}`
    else rows.push({ names: shortLabel(area.label), says })
  }
  return rows
}
