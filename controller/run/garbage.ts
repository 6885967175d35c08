import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** After the last pass. */
const restMs = 20_000
/** Less than this is not worth that the controller stands still. */
const worthBytes = 32 << 20

/** Of JavaScript. */
export interface Heap {
  /** garbage that was not collected yet included */
  usedBytes(): number
  /** Everything, old objects too. Nothing else runs meanwhile: some 100 ms with thousands of routes. */
  collect(): void
}

/**
 * Gives memory back when changes have ended. V8 looks for old garbage when the heap has grown, and takes an allocation rate of the past for that of now
 * as long as it collects nothing: so at rest half of the heap would be what the changes left, for good.
 */
export class Garbage {
  readonly #heap: Heap
  #usedBytes = 0
  #rest: NodeJS.Timeout | undefined

  constructor(heap: Heap = ownHeap) {
    this.#heap = heap
  }

  /** A pass has ended. Costs nothing worth mentioning. */
  left(): void {
    this.#rest ??= setTimeout(() => this.#collect(), restMs).unref()
    this.#rest.refresh()
  }

  stop(): void {
    clearTimeout(this.#rest)
  }

  #collect(): void {
    if (this.#heap.usedBytes() < this.#usedBytes + worthBytes) return
    this.#heap.collect()
    this.#usedBytes = this.#heap.usedBytes()
  }
}

export const ownHeap: Heap = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  collect: () => {
    setFlagsFromString("--expose-gc")
    runInNewContext("gc")()
  },
}

export function garbage(_before: object, stops: AsyncDisposableStack): { readonly garbage: Garbage } {
  const garbage = new Garbage()
  stops.defer(() => garbage.stop())
  return { garbage }
}
