/** Tasks that run side by side: so many at once, and fewer of one lane, so that a slow one leaves room for the others. */
export class Lanes {
  readonly #maxAtOnce: number
  readonly #maxOfOne: number
  /** those where something runs or waits; who has had a turn goes to the end */
  readonly #lanes = new Map<string, Lane>()
  #running = 0

  constructor(maxAtOnce: number, maxOfOne: number) {
    this.#maxAtOnce = maxAtOnce
    this.#maxOfOne = maxOfOne
  }

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    await this.#enter(name)
    try {
      return await task()
    } finally {
      this.#leave(name)
    }
  }

  #enter(name: string): Promise<void> {
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] }
    this.#lanes.set(name, lane)
    const { promise, resolve } = Promise.withResolvers<void>()
    lane.waiting.push(resolve)
    this.#next()
    return promise
  }

  #leave(name: string): void {
    const lane = this.#lanes.get(name)
    if (lane === undefined) return
    this.#running -= 1
    lane.running -= 1
    this.#lanes.delete(name)
    if (lane.running > 0 || lane.waiting.length > 0) this.#lanes.set(name, lane)
    this.#next()
  }

  #next(): void {
    while (this.#running < this.#maxAtOnce) {
      const found = this.#whoseTurn()
      if (found === undefined) return
      const [name, lane] = found
      this.#running += 1
      lane.running += 1
      this.#lanes.delete(name)
      this.#lanes.set(name, lane)
      lane.waiting.shift()?.()
    }
  }

  /** Found soon: those in front of it have something running. */
  #whoseTurn(): [string, Lane] | undefined {
    for (const [name, lane] of this.#lanes) {
      if (lane.waiting.length > 0 && lane.running < this.#maxOfOne) return [name, lane]
    }
    return undefined
  }
}

interface Lane {
  running: number
  readonly waiting: (() => void)[]
}
