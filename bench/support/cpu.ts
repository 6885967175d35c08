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
