// Asking after a short pause, and showing only the answer to what was asked last.

export interface Latest<A> {
  ask(input: A, wait?: number): void
  stop(): void
}

export function latest<A, R>(
  work: (input: A) => Promise<R>,
  show: (answer: R) => void,
  fail: (error: unknown) => void,
  pause = 200,
): Latest<A> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  async function run(input: A, number: number): Promise<void> {
    try {
      const answer = await work(input)
      if (number === asked) show(answer)
    } catch (error) {
      if (number === asked) fail(error)
    }
  }
  return {
    ask(input, wait = pause) {
      clearTimeout(timer)
      const number = ++asked
      timer = setTimeout(() => void run(input, number), wait)
    },
    stop() {
      clearTimeout(timer)
      asked += 1
    },
  }
}
