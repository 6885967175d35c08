// Loaded into the controller by `--import`: tells what can be seen only from inside. From SIGWINCH on it watches the event loop; SIGCONT ends that, and
// writes what was found to the file that WICK_INSIDE names.
import { renameSync, writeFileSync } from "node:fs"
import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { memoryBytes } from "./memory.ts"

export interface Inside {
  /** longest time that the event loop stood still while it was watched, milliseconds */
  readonly stallMs: number
  /** after a collection */
  readonly heapBytes: number
  readonly rssBytes: number
  /** collections of garbage while it was watched: of young objects, and everything else */
  readonly minor: Collections
  readonly major: Collections
}

interface Collections {
  ms: number
  longestMs: number
}

const none = (): Collections => ({ ms: 0, longestMs: 0 })

const file = process.env.WICK_INSIDE
if (file !== undefined) {
  // Its timer goes off a thousand times a second, which would be most of what an idle controller does.
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let [minor, major] = [none(), none()]
  const collected = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) note(isMinor(entry) ? minor : major, entry.duration)
  })
  process.on("SIGWINCH", () => {
    minor = none()
    major = none()
    collected.observe({ entryTypes: ["gc"] })
    delay.reset()
    delay.enable()
  })
  process.on("SIGCONT", () => {
    delay.disable()
    collected.disconnect()
    // The histogram counts the interval of its own timer, 1 ms, as delay.
    const stallMs = Math.max(0, delay.max / 1e6 - 1)
    const [heapBytes, rssBytes] = [memoryBytes(), process.memoryUsage.rss()]
    const inside: Inside = { stallMs, heapBytes, rssBytes, minor, major }
    writeFileSync(`${file}.part`, JSON.stringify(inside))
    renameSync(`${file}.part`, file)
  })
}

/** Node's types lack what an entry of a collection has beside others. */
function isMinor(entry: PerformanceEntry & { readonly detail?: { readonly kind: number } }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR
}

function note(all: Collections, ms: number): void {
  all.ms += ms
  all.longestMs = Math.max(all.longestMs, ms)
}
