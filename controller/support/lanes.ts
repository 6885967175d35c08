import pLimit from "p-limit"

/** Runs a task when it is its turn, and gives what the task gives. */
export type Limit = <T>(task: () => Promise<T>) => Promise<T>

/** Tasks run side by side, so many at once; the others wait in the order they came. */
export function limit(maxAtOnce: number): Limit {
  return pLimit(maxAtOnce)
}

/** Tasks that run side by side: so many at once, and fewer of one lane, so that a slow one leaves room for the others. */
export class Lanes {
  readonly #all: Limit
  readonly #maxOfOne: number
  /** those where something runs or waits, with how much that is */
  readonly #lanes = new Map<string, { readonly limit: Limit; tasks: number }>()

  constructor(maxAtOnce: number, maxOfOne: number) {
    this.#all = limit(maxAtOnce)
    this.#maxOfOne = maxOfOne
  }

  /** A lane waits for its own turn first, so that of those that wait for all no more are of one lane than may run. */
  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(name) ?? { limit: limit(this.#maxOfOne), tasks: 0 }
    this.#lanes.set(name, lane)
    lane.tasks += 1
    try {
      return await lane.limit(() => this.#all(task))
    } finally {
      lane.tasks -= 1
      if (lane.tasks === 0) this.#lanes.delete(name)
    }
  }
}
