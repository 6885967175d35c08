import { readFileSync } from "node:fs"

/** CPU time of a process's main thread in nanoseconds (the scheduler's own count, much finer than /proc/<pid>/stat). */
export function cpuNanoseconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0])
}

/** The part of a process's CPU time that it spent in user space, in nanoseconds; steps of 10 ms. */
export function userNanoseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[11]) * 1e7
}

/** Resident memory that the process has for itself, in bytes: shared zones and files count for everybody and so for nobody. */
export function privateBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? 0)
  return (field("Private_Clean") + field("Private_Dirty")) * 1024
}

/** What of shared zones is in memory, in bytes: pages that nobody touched are not. */
export function zoneBytes(pid: number): number {
  return sum(mappingsOf(pid).filter(isZone), "Rss")
}

/** Memory that the process has for itself and that is no zone: a zone counts as private for a process that alone has touched it. */
export function heapBytes(pid: number): number {
  const own = mappingsOf(pid).filter((mapping) => !isZone(mapping))
  return sum(own, "Private_Clean") + sum(own, "Private_Dirty")
}

function mappingsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/smaps`, "utf8").split(/\n(?=[0-9a-f]+-)/)
}

const isZone = (mapping: string) => mapping.includes("/dev/zero")

function sum(mappings: readonly string[], field: string): number {
  const kilobytes = (mapping: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(mapping)?.[1] ?? 0)
  return mappings.reduce((bytes, mapping) => bytes + kilobytes(mapping) * 1024, 0)
}

/** CPU time of all threads of a process in nanoseconds; steps of 10 ms. */
export function processNanoseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 1e7
}

/** The most that was resident at a time, in bytes. */
export function peakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
