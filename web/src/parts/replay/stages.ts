// The parts of a round for the timeline: consecutive steps that belong together under one name.

import type { Settlement } from '../../lib/wire'
import type { RoundStep, ToldEvent } from './wire'

export type Stage = 'bets' | 'deal' | 'settlement' | 'choice' | 'burn' | 'war_deal' | 'war_settlement' | 'rack'

export interface StageSpan {
  stage: Stage
  first: number
  count: number
}

const CHOICES = new Set(['war_offered', 'war_declared', 'surrender_ruled', 'war_wager_confirmed', 'match_limited'])
const WAR_BURNS = new Set(['war', 'war_banker'])
export const WAR_STAGES: ReadonlySet<Stage> = new Set<Stage>(['choice', 'burn', 'war_deal', 'war_settlement'])

/** The stage of each step. What names no stage of its own belongs to that before it. */
export function stagesOf(steps: readonly { event: ToldEvent }[]): Stage[] {
  let stage: Stage = 'bets'
  let isWar = false
  let isWarDealt = false
  const lastCard = steps.findLastIndex(({ event }) => event.name === 'card_dealt')
  return steps.map(({ event }, at) => {
    if (event.name === 'war_declared') isWar = true
    if (event.name === 'card_dealt' && isWar) isWarDealt = true
    // Some books collect settled hands before the war: that is not yet the end.
    const isEnd = event.name === 'cards_collected' && at > lastCard
    stage = isEnd ? 'rack' : (stageOf(event, isWar, isWarDealt) ?? stage)
    return stage
  })
}

function stageOf(event: ToldEvent, isWar: boolean, isWarDealt: boolean): Stage | null {
  if (CHOICES.has(event.name)) return 'choice'
  switch (event.name) {
    case 'wager_placed':
    case 'wager_amended':
    case 'wager_withdrawn':
      return isWar ? 'choice' : 'bets'
    case 'card_dealt':
      return isWar ? 'war_deal' : 'deal'
    case 'card_burned':
      return WAR_BURNS.has(event.burn ?? '') ? 'burn' : 'deal'
    case 'wager_settled':
      if (event.outcome === 'surrender') return 'choice'
      return isWarDealt ? 'war_settlement' : 'settlement'
    case 'round_ended':
    case 'round_voided':
    case 'round_invalidated':
    case 'round_amended':
      return 'rack'
    default:
      return null
  }
}

export function spansOf(stages: readonly Stage[]): StageSpan[] {
  const spans: StageSpan[] = []
  stages.forEach((stage, at) => {
    const last = spans.at(-1)
    if (last?.stage === stage) last.count += 1
    else spans.push({ stage, first: at, count: 1 })
  })
  return spans
}

/** A wager as it lies at a step: still in play, or settled. */
export interface SpotState {
  wager: string
  label: string
  amount: number
  settled: Settlement | null
}

/** What lies on one box for one player after step `at`; wagers that the player makes later have an empty spot. */
export function spotsAt(
  steps: readonly RoundStep[],
  at: number,
  settlements: readonly Settlement[],
  box: number,
  player: string,
): SpotState[] {
  const view = steps[at]?.view
  if (!view) return []
  const laid = new Map(
    view.boxes.find((one) => one.box === box)?.wagers.filter((one) => one[0] === player).map((one) => [one[1], one[2]]),
  )
  const done = new Set(
    steps
      .slice(0, at + 1)
      .filter(({ event }) => isOver(event) && event.box === box && event.player === player)
      .map(({ event }) => event.wager),
  )
  const rows = settlements.filter((row) => row.box === box && row.player === player)
  const labels = new Map(view.layout.map((spot) => [spot.wager, spot.label]))
  const kinds = [...labels.keys()].filter((kind) => laid.has(kind) || rows.some((row) => row.wager === kind))
  return kinds.map((wager) => {
    const row = rows.find((one) => one.wager === wager)
    const isSettled = row !== undefined && done.has(wager)
    const amount = laid.get(wager) ?? (isSettled ? row.amount : 0)
    return { wager, label: labels.get(wager) ?? wager, amount, settled: isSettled ? row : null }
  })
}

function isOver(event: ToldEvent): boolean {
  return event.name === 'wager_settled' || event.name === 'wager_reversed'
}

/** How many cards burned for this round's war lie face down after step `at`. */
export function burnedAt(steps: readonly RoundStep[], at: number): number {
  const seen = steps.slice(0, at + 1)
  if (seen.at(-1)?.event.name === 'round_ended') return 0
  return seen.filter(({ event }) => event.name === 'card_burned' && WAR_BURNS.has(event.burn ?? '')).length
}
