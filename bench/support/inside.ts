// Loaded into the controller by `--import`: tells what can be seen only from inside. From SIGWINCH on it watches the event loop; SIGCONT ends that, and
// writes what was found to the file that WICK_INSIDE names.
import { renameSync, writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { memoryBytes } from "./memory.ts"

export interface Inside {
  /** longest time that the event loop stood still while it was watched, milliseconds */
  readonly stallMs: number
  /** after a collection */
  readonly heapBytes: number
  readonly rssBytes: number
}

const file = process.env.WICK_INSIDE
if (file !== undefined) {
  // Its timer goes off a thousand times a second, which would be most of what an idle controller does.
  const delay = monitorEventLoopDelay({ resolution: 1 })
  process.on("SIGWINCH", () => {
    delay.reset()
    delay.enable()
  })
  process.on("SIGCONT", () => {
    delay.disable()
    // The histogram counts the interval of its own timer, 1 ms, as delay.
    const stallMs = Math.max(0, delay.max / 1e6 - 1)
    const inside: Inside = { stallMs, heapBytes: memoryBytes(), rssBytes: process.memoryUsage.rss() }
    writeFileSync(`${file}.part`, JSON.stringify(inside))
    renameSync(`${file}.part`, file)
  })
}
