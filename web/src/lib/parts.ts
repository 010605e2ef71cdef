// A view that comes in parts: what has changed since the last frame, for everybody and for this viewer alone.

import type { BoxView, Happened, LiveView, RoundLine, View } from './wire'

/** So many of the last rounds a view shows. */
const ROUNDS_SHOWN = 20

type BoxPart = Partial<BoxView> & { box: number }
type ViewParts = Partial<Omit<View, 'boxes'>> & { boxes?: BoxPart[] }
type Parts = Partial<Omit<LiveView, 'view'>> & { view?: ViewParts }

/** The view after what happened. A part takes the place of the one before; boxes and rounds go by their numbers. */
export function putTogether(view: LiveView, frame: Happened): LiveView {
  return { ...putIn(putIn(view, frame.view as Parts), frame.own as Parts), version: frame.version }
}

function putIn(view: LiveView, { view: inner, rounds, ...parts }: Parts): LiveView {
  const { boxes, ...rest } = inner ?? {}
  return {
    ...view,
    ...parts,
    rounds: rounds ? withRounds(view.rounds, rounds) : view.rounds,
    view: inner ? { ...view.view, ...rest, boxes: boxes ? withBoxes(view.view.boxes, boxes) : view.view.boxes } : view.view,
  }
}

function withBoxes(boxes: BoxView[], parts: BoxPart[]): BoxView[] {
  const told = new Map<number, BoxPart>(parts.map((part) => [part.box, part]))
  return boxes.map((box) => ({ ...box, ...told.get(box.box) }))
}

function withRounds(rounds: RoundLine[], lines: RoundLine[]): RoundLine[] {
  const told = new Map<number, RoundLine>([...rounds, ...lines].map((line) => [line.number, line]))
  return [...told.values()].slice(-ROUNDS_SHOWN)
}
