import { Channel } from "./channel.ts"

/**
 * The values of several sources in the order in which they come. A source goes on when its last value has been used, so that at most one value
 * of each waits. It ends when all have ended, or with the first error; sources that it leaves early are closed when they come up with something.
 */
export async function* merged<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const arrivals = new Channel<{ readonly value: T; readonly used: () => void }>()
  const waiting = new Set<() => void>()
  let isOver = false
  const use = async (value: T) => {
    const { promise, resolve: used } = Promise.withResolvers<void>()
    waiting.add(used)
    arrivals.send({ value, used })
    await promise
    waiting.delete(used)
  }
  const pump = async (source: AsyncIterable<T>) => {
    for await (const value of source) {
      if (!isOver) await use(value)
      if (isOver) return
    }
  }
  const pumping = Promise.all(sources.map(pump)).finally(() => arrivals.close())
  pumping.catch(() => {}) // told below
  try {
    for await (const { value, used } of arrivals) {
      yield value
      used()
    }
    await pumping
  } finally {
    isOver = true
    for (const used of waiting) used()
  }
}
