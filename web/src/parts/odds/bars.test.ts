import { describe, expect, it } from 'vitest'
import { barsOf, frameOf, outline, stepOf, ticksOf, type Point } from './bars'

const even = (low: number, high: number, step: number): Point[] =>
  Array.from({ length: (high - low) / step + 1 }, (_, at): Point => [low + at * step, 1])

describe('bars', () => {
  it('has one result to a bar where there is room', () => {
    const points = even(-5, 5, 1)
    const frame = frameOf([points])
    expect(frame).toEqual({ first: -5, width: 1, count: 11 })
    expect(barsOf(points, frame)).toEqual(new Array(11).fill(1))
  })

  it('puts an odd number of results into each of at most 121 bars', () => {
    const frame = frameOf([even(-200, 200, 1)])
    expect(frame.width % 2).toBe(1)
    expect(frame.count).toBeLessThanOrEqual(122)
    const inner = barsOf(even(-200, 200, 1), frame).slice(1, -1)
    expect(new Set(inner)).toEqual(new Set([frame.width]))
  })

  it('loses no chance of either series', () => {
    const book = even(-20, 20, 1)
    const changed = even(-20, 20, 0.5)
    const frame = frameOf([book, changed])
    const sum = (points: Point[]): number => barsOf(points, frame).reduce((all, one) => all + one, 0)
    expect(frame.width).toBe(1)
    expect([sum(book), sum(changed)]).toEqual([41, 81])
  })

  it('takes the wider spacing of two series', () => {
    expect(stepOf(even(-10, 100, 11))).toBe(11)
    expect(frameOf([even(-10, 100, 11), even(-10, 10, 1)]).width).toBe(11)
  })

  it('draws nothing of nothing', () => {
    expect(frameOf([[]]).count).toBe(0)
    expect(frameOf([[[0, 1]]])).toEqual({ first: 0, width: 1, count: 1 })
  })
})

describe('axes', () => {
  it('has round ticks inside the range', () => {
    expect(ticksOf(-1100, 880, 8)).toEqual([-1000, -750, -500, -250, 0, 250, 500, 750])
    expect(ticksOf(0.0216, 0.0302, 4)).toHaveLength(4)
  })

  it('steps along the bars', () => {
    expect(outline([0, 1, 0.5], 30, 10, 1)).toBe('M0 10.0H10.0V0.0H20.0V5.0H30.0')
  })
})
