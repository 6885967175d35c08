import { readdirSync, readFileSync } from "node:fs"

// What Linux tells about processes (proc(5)). Everything here may be outdated when it returns; a process that is gone has no answer.

const startTicksField = 22

/** The arguments joined by spaces, which nginx overwrites with its title; "" when the process is gone or waits to be reaped. */
export function titleOf(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()
}

/**
 * Whether the process that began at `startTicks` lives: another one may have got its pid since. False also while it waits to be reaped. Its title
 * does not tell: a process that becomes another program has none for a moment.
 */
export function isAlive(pid: number, startTicks: number | undefined): boolean {
  const fields = statFields(pid)
  const [state] = fields
  const isThere = state !== undefined && state !== "Z" && state !== "X"
  return isThere && Number(fields[startTicksField - 3]) === startTicks
}

/** Ticks between the boot and the start of the process; with the pid they name one process for ever. undefined when it is gone. */
export function startTicksOf(pid: number): number | undefined {
  return statField(pid, startTicksField)
}

/** Process group. undefined when the process is gone. */
export function groupOf(pid: number): number | undefined {
  return statField(pid, 5)
}

/** Pid of the parent. undefined when the process is gone. */
export function parentOf(pid: number): number | undefined {
  return statField(pid, 4)
}

/** Pids of the children. */
export function childrenOf(pid: number): number[] {
  return readText(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .filter((word) => word !== "")
    .map(Number)
}

/** Pids of the members of a process group, whether its leader lives or not. */
export function membersOf(group: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => groupOf(pid) === group)
}

/** Field `number` of /proc/<pid>/stat, counted from 1 as in proc(5); from 4 on. */
function statField(pid: number, number: number): number | undefined {
  const field = statFields(pid)[number - 3]
  return field === undefined ? undefined : Number(field)
}

/** The fields of /proc/<pid>/stat from the third on, the state; none when the process is gone. */
function statFields(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`)
  // Field 2 is the program's name in parentheses and may hold anything; field 3 follows the last parenthesis.
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // it has ended, or ends just now
  }
}
