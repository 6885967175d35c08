// Loaded into the controller by `--import`: notes where changes are on their way, and collections of garbage. From SIGWINCH on it notes; SIGCONT ends
// that, and writes what was found to the file that WICK_STAGES names.
import { subscribe } from "node:diagnostics_channel"
import { renameSync, writeFileSync } from "node:fs"
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { type Reached, stagesChannel } from "../../controller/support/stages.ts"
import { memoryBytes } from "./memory.ts"

/** A collection of garbage, as long as everything stood still for it. */
export interface Collection {
  readonly kind: "minor" | "major" | "incremental" | "other"
  readonly atMs: number
  readonly ms: number
}

/** A stage, and the processor time of the controller's main thread until then. */
export interface Passed extends Reached {
  readonly cpuMs: number
}

export interface Noted {
  readonly reached: readonly Passed[]
  readonly collections: readonly Collection[]
  /** after a collection */
  readonly heapBytes: number
  readonly rssBytes: number
}

/** What Node says of a collection. */
interface PerformanceNodeEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const kinds = new Map<number, Collection["kind"]>([
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
])

const file = process.env.WICK_STAGES
if (file !== undefined) {
  let reached: Passed[] = []
  let collections: Collection[] = []
  let isNoting = false
  subscribe(stagesChannel, (stage) => {
    if (isNoting) reached.push({ ...(stage as Reached), cpuMs: cpuMs() })
  })
  new PerformanceObserver((list) => {
    if (!isNoting) return
    for (const { detail, startTime, duration } of list.getEntries() as PerformanceNodeEntry[])
      collections.push({ kind: kinds.get(detail.kind) ?? "other", atMs: startTime, ms: duration })
  }).observe({ entryTypes: ["gc"] })
  process.on("SIGWINCH", () => {
    reached = []
    collections = []
    isNoting = true
  })
  process.on("SIGCONT", () => {
    isNoting = false
    const { rss: rssBytes } = process.memoryUsage()
    const noted: Noted = { reached, collections, heapBytes: memoryBytes(), rssBytes }
    writeFileSync(`${file}.part`, JSON.stringify(noted))
    renameSync(`${file}.part`, file)
  })
}
