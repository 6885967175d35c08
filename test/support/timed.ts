// Promises that are of time and of nothing else. A busy machine breaks them, and nobody can tell that from a fault of ours: so they are looked at
// only in runs that have the machine to themselves. biome.json has the list of the files that may import this; first look for what can be said
// without a clock: an order, a number of steps, a size at which the wrong way would take hours (`ends`).
import { expect, test } from "vitest"
import { cpuSecondsOf } from "../../harness/processes.ts"
import { triesAll } from "./runs.ts"

/** `test`, with WICK_TEST_ALL=1. */
export const timed = test.runIf(triesAll)

/** Expects that something took no longer than this, both in the same unit. */
export const atMost = (max: number, took: number, what?: string) =>
  expect(took, what).toBeLessThanOrEqual(max)

/** Seconds of the processor that these processes took meanwhile. */
export async function workOf(pids: readonly number[], work: () => Promise<unknown>): Promise<number> {
  const spent = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
  const before = spent()
  await work()
  return spent() - before
}

/** The longest time, in milliseconds, for which nothing else had its turn in this process meanwhile. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [longestMs, lastMs] = [0, performance.now()]
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
  }, 5)
  await work()
  clearInterval(timer)
  return longestMs
}
