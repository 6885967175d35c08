// Loaded into the controller by `--import`: at each SIGUSR2 it writes what can be seen only from inside to the file that WICK_INSIDE names.
import { renameSync, writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { memoryBytes } from "./memory.ts"

export interface Inside {
  /** longest time that the event loop stood still since the last time, milliseconds */
  readonly stallMs: number
  /** after a collection */
  readonly heapBytes: number
  readonly rssBytes: number
}

const file = process.env.WICK_INSIDE
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on("SIGUSR2", () => {
    // The histogram counts the interval of its own timer, 1 ms, as delay.
    const stallMs = Math.max(0, delay.max / 1e6 - 1)
    const inside: Inside = { stallMs, heapBytes: memoryBytes(), rssBytes: process.memoryUsage.rss() }
    writeFileSync(`${file}.part`, JSON.stringify(inside))
    renameSync(`${file}.part`, file)
    setImmediate(() => delay.reset())
  })
}
