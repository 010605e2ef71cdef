import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { latest } from './latest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const after = (ms: number, value: string): Promise<string> =>
  new Promise((done) => setTimeout(() => done(value), ms))

describe('the latest answer', () => {
  it('asks once for a burst', async () => {
    const work = vi.fn((input: string) => after(10, input))
    const shown: string[] = []
    const one = latest(work, (answer) => shown.push(answer), () => {})
    one.ask('a')
    await vi.advanceTimersByTimeAsync(150)
    one.ask('b')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(work).toHaveBeenCalledTimes(1)
    expect(shown).toEqual(['b'])
  })

  it('leaves out an answer that was overtaken', async () => {
    const slow: Record<string, number> = { a: 900, b: 10 }
    const shown: string[] = []
    const one = latest((input: string) => after(slow[input] ?? 0, input), (answer) => shown.push(answer), () => {})
    one.ask('a')
    await vi.advanceTimersByTimeAsync(300)
    one.ask('b')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(shown).toEqual(['b'])
  })

  it('tells a failure of the last question only', async () => {
    const faults: unknown[] = []
    const one = latest((input: string) => Promise.reject(new Error(input)), () => {}, (error) => faults.push(error))
    one.ask('a')
    one.ask('b')
    await vi.advanceTimersByTimeAsync(300)
    expect(faults).toEqual([new Error('b')])
  })

  it('shows nothing after it was stopped', async () => {
    const shown: string[] = []
    const one = latest((input: string) => after(10, input), (answer) => shown.push(answer), () => {})
    one.ask('a', 0)
    await vi.advanceTimersByTimeAsync(5)
    one.stop()
    await vi.advanceTimersByTimeAsync(100)
    expect(shown).toEqual([])
  })
})
