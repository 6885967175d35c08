import { type Processes, sizedZones, type ZoneSizes } from "../../model/http/processes.ts"

// How large zones of shared memory are, where no key says so: in a container with little memory they must fill up, and say so, before the
// kernel ends everything in it.

const mebibyte = 1024 ** 2

/** Most zones never have more in them than this, and what nobody writes to takes no memory. */
const usual: ZoneSizes = {
  backends: 64 * mebibyte,
  routes: 32 * mebibyte,
  certificates: 128 * mebibyte,
  passthroughs: 4 * mebibyte,
  limits: 8 * mebibyte,
  nonces: mebibyte,
  "auth-cache": 16 * mebibyte,
}

const largest = 1024 * mebibyte

/**
 * Bytes of each zone at the start.
 *
 * @param memoryBytes what the container may have; Infinity without a limit
 */
export function zoneSizes(processes: Processes, memoryBytes: number): ZoneSizes {
  const share = shareOf(memoryBytes)
  const sizes = sizedZones.map((name) => [name, processes.zoneSizes[name] ?? Math.min(usual[name], share)])
  return Object.fromEntries(sizes) as ZoneSizes
}

/** Bytes beyond which no zone grows. */
export function maxZoneSize(processes: Processes, memoryBytes: number): number {
  return processes.maxZoneSize === "auto" ? Math.min(largest, shareOf(memoryBytes)) : processes.maxZoneSize
}

/** A quarter, in whole mebibytes: Node's heap may have a half, and the workers need some. */
function shareOf(memoryBytes: number): number {
  return Math.max(1, Math.floor(memoryBytes / 4 / mebibyte)) * mebibyte
}
