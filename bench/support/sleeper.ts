// How busy the machine is for who wants a processor at once: a thread that sleeps a millisecond at a time, and notes how late it wakes up.
import { once } from "node:events"
import { parentPort, Worker } from "node:worker_threads"
import { quantile } from "../../harness/statistics.ts"

export interface Sleeper {
  /** @returns how late it woke up, p99, ms */
  stop(): Promise<number>
}

export function startSleeper(): Sleeper {
  const thread = new Worker(import.meta.filename)
  return {
    stop: async () => {
      thread.postMessage("stop")
      const [lateMs] = await once(thread, "message")
      return lateMs as number
    },
  }
}

if (parentPort !== null) {
  const late: number[] = []
  const word = new Int32Array(new SharedArrayBuffer(4))
  const sleep = () => {
    const begunMs = performance.now()
    Atomics.wait(word, 0, 0, 1)
    late.push(performance.now() - begunMs - 1)
    next = setImmediate(sleep)
  }
  let next = setImmediate(sleep)
  parentPort.once("message", () => {
    clearImmediate(next)
    parentPort?.postMessage(quantile(late, 0.99))
  })
}
